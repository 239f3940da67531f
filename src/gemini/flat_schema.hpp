#pragma once
#include <pyaichat/core/json.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

/// Makes the failure for a schema that cannot be expressed: `what` is wrong at the JSON Pointer `path`.
[[nodiscard]] failure not_expressible(const std::string& path, const std::string& what);

/// Adds the members of `from` to `into`. Annotations of `into` win; `required` lists are joined. Fails with `invalid_argument` if another
/// keyword has different values.
[[nodiscard]] result<void> merge_schemas(json& into, const json& from, const std::string& path);

/// Resolves `$ref` and `allOf` in the schemas of a document, which must outlive this object.
class flat_schema {
public:
    explicit flat_schema(const json& document) : document_(document) {}

    /// Returns an equivalent schema without `$ref` and `allOf` at its root. The followed references stay open until `close` is called with
    /// the earlier value of `opened`. A reference that is already open is recursive and fails with `invalid_argument`.
    [[nodiscard]] result<json> open(const json& schema, const std::string& path, std::size_t depth = 0);
    [[nodiscard]] std::size_t opened() const noexcept { return open_.size(); }
    void close(std::size_t before) { open_.resize(before); }

private:
    [[nodiscard]] result<const json*> target(std::string_view reference, const std::string& path);

    const json& document_;
    std::vector<std::string> open_ = {};
    std::size_t followed_ = 0;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
