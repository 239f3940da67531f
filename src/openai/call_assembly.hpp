#pragma once
#include <pyaichat/core/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::openai_codec {

/// Assembles the calls of a streamed message from their deltas (wire document, sections 6 and 9.1). The calls keep the order in which
/// they first appeared; the index of a delta is only a key.
class call_assembly {
public:
    /// Adds one element of `delta.tool_calls`, which is ignored if it is not an object.
    void add(json delta);

    [[nodiscard]] bool empty() const noexcept { return calls_.empty(); }
    /// Returns the list `tool_calls`.
    [[nodiscard]] json take();

private:
    struct call {
        std::optional<std::int64_t> key = {};
        json members = json::object();   ///< except `function`
        json function = json::object();  ///< except `arguments`
        std::string id = {};
        std::string name = {};
        std::string arguments = {};
    };

    [[nodiscard]] call* continued(std::optional<std::int64_t> key, const std::string& id, const std::string& name, bool has_arguments);

    std::vector<call> calls_ = {};
};

}  // namespace pyaichat::inline PYAICHAT_ABI::openai_codec
