#pragma once
#include <pyaichat/core/json.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

/// The failure for something in a schema that cannot be expressed: `what`, and where it stands.
[[nodiscard]] failure not_expressible(const std::string& path, const std::string& what);

/// Puts the members of `from` beside those of `into`. Of annotations that both have, those of `into` stay; lists of required properties are
/// joined. Fails with `invalid_argument` when both say something else about the same thing.
[[nodiscard]] result<void> merge_schemas(json& into, const json& from, const std::string& path);

/// Reads the schemas in a document with their references and `allOf` resolved. The document outlives it.
class flat_schema {
public:
    explicit flat_schema(const json& document) : document_(document) {}

    /// A schema without `$ref` and `allOf` that says the same. The references that were followed stay open until `close` is called with the
    /// number that were open before: one that is met again below is recursion, which fails with `invalid_argument`.
    [[nodiscard]] result<json> open(const json& schema, const std::string& path);
    [[nodiscard]] std::size_t opened() const noexcept { return open_.size(); }
    void close(std::size_t before) { open_.resize(before); }

private:
    [[nodiscard]] result<json> open_one(const json& schema, const std::string& path, std::size_t depth);
    [[nodiscard]] result<const json*> target(std::string_view reference, const std::string& path);

    const json& document_;
    std::vector<std::string> open_ = {};
    std::size_t followed_ = 0;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
