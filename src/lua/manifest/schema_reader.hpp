#pragma once
#include "lua/manifest/field_reader.hpp"

#include <pyaichat/core/json.hpp>
#include <pyaichat/schema/validate.hpp>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

/// Reads and compiles the schemas of a manifest, so that their errors are found before they are used. Limits their total size and time,
/// because the sandbox counts only the work of Lua.
class schema_reader : public field_reader {
public:
    using field_reader::field_reader;

    /// Reads the schema in the field `name` of the table at `index` into `into` and compiles it. A missing field accepts any object and
    /// makes `into` null. Returns `nullopt` if it fails.
    [[nodiscard]] std::optional<compiled_schema> read(int index, const std::string& path, const std::string& name, json& into);

private:
    static constexpr std::size_t max_keys = 10'000;
    static constexpr std::size_t max_bytes = std::size_t{256} << 10;

    bool declared(int index, const std::string& where, const std::string& name, json& into);
    [[nodiscard]] duration time_left() const;
    /// False, with a failure, if no time is left.
    bool in_time(const std::string& where);

    std::size_t keys_left_ = max_keys;
    std::size_t bytes_left_ = max_bytes;
    const std::chrono::steady_clock::time_point until_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(250);
};

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
