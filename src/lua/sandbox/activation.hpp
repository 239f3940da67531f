#pragma once
#include "lua/sandbox/instance.hpp"

#include <pyaichat/message/capability_reply.hpp>

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

/// What came of a piece of Lua.
struct outcome {
    enum class kind : unsigned char {
        returned,
        refused,  ///< `return nil, "text"`
        raised,   ///< an error, or a result that cannot be used
        stopped,  ///< a limit was violated: the state is closed
    };
    kind what = kind::returned;
    json value = {};            ///< of `returned`
    std::string text = {};      ///< of `refused` for the model, otherwise for the operator
    int line = 0;               ///< of `raised` and `stopped`, otherwise where the function begins; 0 = not known
    std::string change = {};    ///< of `raised`: what to do about it, where that is known
    bool gave_nothing = false;  ///< `returned` without a value, or nil
};

/// What `ctx` needs to know of the call for which it is used.
struct call_context {
    guest::clock::time_point deadline = guest::clock::time_point::max();  ///< of the whole call
    bool may_call = false;                                                ///< `ctx.call` works: a capability, and somebody routes
};

/// One entry of the host into a plugin: a function that runs in a coroutine of its own, to its end or to a `ctx.call`, which yields to the
/// host and goes on later. Not thread-safe: whoever drives it holds the plugin's lock.
class activation {
public:
    enum class stage : unsigned char { ended, calling };

    explicit activation(std::shared_ptr<instance> in, duration time, call_context context = {});
    activation(const activation&) = delete;
    activation& operator=(const activation&) = delete;
    ~activation();

    /// Calls function `function` with the arguments, and `ctx` as the last. `returns` is the schema of its result, or null.
    stage start(int function, std::span<const json* const> arguments, const json* returns = nullptr);
    /// Runs the text of a plugin. What it returned stays on the stack of `coroutine()`, from index 1 on, while this lives.
    void load(std::string_view text, const std::string& chunk_name);
    [[nodiscard]] lua_State* coroutine() const noexcept { return coroutine_; }
    /// Goes on after `calling`.
    stage go_on(capability_reply answer);

    [[nodiscard]] outcome& ended() noexcept { return outcome_; }
    /// Of `calling`.
    [[nodiscard]] const std::string& wanted_name() const noexcept { return wanted_name_; }
    [[nodiscard]] const json& wanted_arguments() const noexcept { return wanted_arguments_; }
    /// What `ctx.log` was given since it was last asked.
    [[nodiscard]] std::vector<std::string> take_log() { return std::exchange(log_, {}); }
    [[nodiscard]] const std::shared_ptr<instance>& in() const noexcept { return in_; }

    // For the functions of `ctx`, which must not leak when Lua raises: none of these raises.
    void add_log(const char* text, std::size_t size) noexcept;
    [[nodiscard]] double seconds_left() const noexcept;
    /// Takes name and arguments from the stack (1 and 2). Null, or why it cannot be called.
    const char* want_call(lua_State* L) noexcept;
    [[nodiscard]] const capability_reply& answer() const noexcept { return answer_; }

private:
    stage resume(int arguments);
    void finish(int results);
    void stop();
    void raised(const std::string& text, int line);
    void raised_by_lua();
    void leave() noexcept;

    std::shared_ptr<instance> in_;
    duration time_left_;
    std::uint64_t budget_left_;
    call_context context_;
    const json* returns_ = nullptr;
    bool loading_ = false;
    lua_State* coroutine_ = nullptr;
    int anchor_ = LUA_NOREF;
    outcome outcome_ = {};
    std::string wanted_name_ = {};
    json wanted_arguments_ = {};
    std::string why_not_ = {};
    capability_reply answer_ = {};
    std::vector<std::string> log_ = {};
    int log_lines_ = 0;  ///< of the whole activation
};

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
