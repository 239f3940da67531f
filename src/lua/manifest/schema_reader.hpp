#pragma once
#include "lua/manifest/field_reader.hpp"

#include <pyaichat/core/json.hpp>
#include <pyaichat/schema/validate.hpp>

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

/// Reads the schemas of a manifest and compiles them, so that their mistakes are found before they are used. What all of them together may
/// take is bounded: it is no work of Lua's, which the sandbox would count.
class schema_reader : public field_reader {
public:
    using field_reader::field_reader;

    /// The field `name` of the table at `index`, a schema of an object where that is not left out; null in `into` when it is. Nothing when
    /// it has failed.
    [[nodiscard]] std::optional<compiled_schema> read(int index, const std::string& path, const std::string& name, json& into);

private:
    static constexpr std::size_t max_keys = 10'000;
    static constexpr std::size_t max_bytes = std::size_t{256} << 10;

    bool declared(int index, const std::string& where, const std::string& name, json& into);
    [[nodiscard]] duration time_left() const;

    std::size_t keys_left_ = max_keys;
    std::size_t bytes_left_ = max_bytes;
    const std::chrono::steady_clock::time_point until_ = std::chrono::steady_clock::now() + std::chrono::milliseconds(250);
};

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
