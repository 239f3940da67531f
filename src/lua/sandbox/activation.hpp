#pragma once
#include "lua/sandbox/instance.hpp"

#include <pyaichat/message/capability_reply.hpp>

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

/// The outcome of a piece of Lua code.
struct outcome {
    enum class kind : unsigned char {
        returned,
        refused,  ///< `return nil, "text"`
        raised,   ///< an error, or a result that cannot be converted
        stopped,  ///< a limit was exceeded: the state is closed
    };
    kind what = kind::returned;
    json value = {};            ///< for `returned`
    std::string text = {};      ///< for `refused`, a message for the model; otherwise for the operator
    int line = 0;               ///< for `raised` and `stopped`, the place; otherwise the first line of the function; 0 = unknown
    std::string change = {};    ///< for `raised`: how to fix it, if that is known
    bool gave_nothing = false;  ///< `returned` without a value or with nil
};

struct preparation;

/// The call for which `ctx` is used.
struct call_context {
    guest::clock::time_point deadline = guest::clock::time_point::max();  ///< of the whole call
    bool may_call = false;                                                ///< whether `ctx.call` works
};

/// Runs one function of a plugin in a coroutine of its own, until it ends or yields to the host with `ctx.call`. Not thread-safe: the
/// caller holds the plugins' lock.
class activation {
public:
    enum class stage : unsigned char { ended, calling };

    explicit activation(std::shared_ptr<instance> in, duration time, call_context context = {});
    activation(const activation&) = delete;
    activation& operator=(const activation&) = delete;
    ~activation() { leave(); }

    /// Calls function `function` (see `functions_key`) with the arguments and, as the last one, `ctx`. `returns` is the schema of its
    /// result, or null.
    stage start(int function, std::span<const json* const> arguments, const json* returns = nullptr);
    /// Runs the text of a plugin. The values that it returns stay on the stack of `coroutine()`, from index 1 on, while this object lives.
    void load(std::string_view text, const std::string& chunk_name);
    [[nodiscard]] lua_State* coroutine() const noexcept { return coroutine_; }
    /// Continues after `calling`, with the reply of the nested call.
    stage go_on(capability_reply answer);

    [[nodiscard]] outcome& ended() noexcept { return outcome_; }
    // After `calling`: the nested call.
    [[nodiscard]] const std::string& wanted_name() const noexcept { return wanted_name_; }
    [[nodiscard]] const json& wanted_arguments() const noexcept { return wanted_arguments_; }
    /// The lines of `ctx.log` since the last call of this function.
    [[nodiscard]] std::vector<std::string> take_log() { return std::exchange(log_, {}); }
    [[nodiscard]] const std::shared_ptr<instance>& in() const noexcept { return in_; }

    // For the functions of `ctx`. None of these raises a Lua error, which would leak.
    void add_log(std::string_view text) noexcept;
    [[nodiscard]] double seconds_left() const noexcept;
    /// Reads name and arguments of a nested call from the stack (1 and 2). Returns null, or why it cannot be made.
    const char* want_call(lua_State* L) noexcept;
    [[nodiscard]] const capability_reply& answer() const noexcept { return answer_; }

private:
    /// Lets `body` create the coroutine. Returns false if it failed: the activation has ended.
    bool enter(lua_CFunction body, preparation& task);
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
    int log_lines_ = 0;  ///< since the start
};

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
