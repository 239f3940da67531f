#include "lua/sandbox/activation.hpp"

#include "lua/manifest/error_hints.hpp"
#include "lua/manifest/plain_text.hpp"
#include "lua/sandbox/values.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

/// The arguments and results of `prepare_call` and `prepare_load`, bodies for `guest_state::protect`.
struct preparation {
    int function = 0;
    std::span<const json* const> arguments = {};
    std::string_view text = {};
    const char* chunk_name = nullptr;
    lua_State* coroutine = nullptr;
    int anchor = LUA_NOREF;
    int begins_at = 0;                      // first line of the function
    std::string* compiler_error = nullptr;  // receives the compiler's message
    bool late = false;                      // compiling took too long
};

namespace {

constexpr int max_log_lines = 64;
constexpr std::size_t max_text = 1000;  // of a line of the log, an error or a refusal

/// The text for `lua_load`, in pieces. No hook limits the compiler, and its time is not linear in the text: it searches the names of all
/// enclosing functions. So the text ends when the time is up.
struct piecewise {
    std::string_view rest = {};
    guest::clock::time_point until = guest::clock::now() + std::chrono::milliseconds(100);
    bool late = false;
};

const char* next_piece(lua_State*, void* data, std::size_t* size) {
    auto& text = *static_cast<piecewise*>(data);
    text.late = text.late || (!text.rest.empty() && guest::clock::now() > text.until);
    const std::string_view piece = text.late ? std::string_view() : text.rest.substr(0, 256);
    text.rest.remove_prefix(piece.size());
    *size = piece.size();
    return piece.empty() ? nullptr : piece.data();
}

/// Creates the coroutine of an activation. May raise, without leaking.
preparation& prepare(lua_State* L) {
    auto& task = *static_cast<preparation*>(lua_touserdata(L, 1));
    task.coroutine = lua_newthread(L);
    task.anchor = luaL_ref(L, LUA_REGISTRYINDEX);
    return task;
}

/// Pushes the compiled text onto the stack of a new coroutine.
int prepare_load(lua_State* L) {
    preparation& task = prepare(L);
    piecewise source{.rest = task.text};
    int status = lua_load(L, next_piece, &source, task.chunk_name, "t");
    if (source.late) {  // once more: the whole machine may have been busy
        lua_pop(L, 1);
        source = {.rest = task.text};
        status = lua_load(L, next_piece, &source, task.chunk_name, "t");
    }
    if (status == LUA_ERRMEM) {
        return lua_error(L);
    }
    task.late = source.late;
    if (status != LUA_OK && !source.late) {
        const std::string_view message = string_at(L, -1);
        *task.compiler_error = message.empty() ? "cannot be read" : message;
    }
    lua_xmove(L, task.coroutine, 1);
    return 0;
}

/// Pushes the function, its arguments and `ctx` onto the stack of a new coroutine.
int prepare_call(lua_State* L) {
    preparation& task = prepare(L);
    lua_rawgetp(L, LUA_REGISTRYINDEX, &functions_key);
    lua_rawgeti(L, -1, task.function);
    lua_Debug about;
    lua_pushvalue(L, -1);
    task.begins_at = lua_getinfo(L, ">S", &about) != 0 ? std::max(about.linedefined, 0) : 0;
    lua_xmove(L, task.coroutine, 1);
    for (const json* const argument : task.arguments) {
        push_json(L, *argument);
        lua_xmove(L, task.coroutine, 1);
    }
    lua_rawgetp(L, LUA_REGISTRYINDEX, &ctx_key);
    lua_xmove(L, task.coroutine, 1);
    return 0;
}

}  // namespace

activation::activation(std::shared_ptr<instance> in, duration time, call_context context)
    : in_(std::move(in)), time_left_(bounded_wait(time)), budget_left_(in_->limits().instructions), context_(context) {}

void activation::leave() noexcept {
    if (anchor_ != LUA_NOREF && in_->state().main() != nullptr) {
        luaL_unref(in_->state().main(), LUA_REGISTRYINDEX, anchor_);
    }
    anchor_ = LUA_NOREF;
    coroutine_ = nullptr;
}

bool activation::enter(lua_CFunction body, preparation& task) {
    if (!in_->usable() || !in_->state().protect(body, &task)) {
        stop();
        return false;
    }
    coroutine_ = task.coroutine;
    anchor_ = task.anchor;
    return true;
}

activation::stage activation::start(int function, std::span<const json* const> arguments, const json* returns) {
    returns_ = returns;
    for (const json* const argument : arguments) {
        if (const result<void> fits = check_value(*argument); !fits) {
            raised(fits.error().message, 0);
            return stage::ended;
        }
    }
    preparation task{.function = function, .arguments = arguments};
    if (!enter(prepare_call, task)) {
        return stage::ended;
    }
    outcome_.line = task.begins_at;
    return resume(static_cast<int>(arguments.size()) + 1);
}

void activation::load(std::string_view text, const std::string& chunk_name) {
    loading_ = true;
    std::string compiler_error;
    preparation task{.text = text, .chunk_name = chunk_name.c_str(), .compiler_error = &compiler_error};
    if (!enter(prepare_load, task)) {
        return;
    }
    if (task.late) {
        raised("takes too long to compile", 0);
        outcome_.change = "Split the plugin, its functions, or its long chains of `and`, `or` and `elseif`.";
    } else if (!compiler_error.empty()) {
        const syntax_error error = explain(std::move(compiler_error), text);
        raised(error.what, error.line);
        outcome_.change = plain_line(error.change, max_text);
    } else {
        static_cast<void>(resume(0));
    }
}

activation::stage activation::go_on(capability_reply answer) {
    if (!in_->usable()) {
        stop();
        return stage::ended;
    }
    answer_ = std::move(answer);
    if (const result<void> fits = check_value(answer_.result); !fits) {
        answer_ = reply_error(reply_code::limit, fits.error().message);
    }
    return resume(0);
}

activation::stage activation::resume(int arguments) {
    guest& at = in_->state().info();
    const guest::clock::time_point begin = guest::clock::now();
    at.job = this;
    at.current = coroutine_;
    at.calling_out = false;
    at.unchecked = 0;
    at.pressure = 0;
    at.budget_left = budget_left_;
    at.until = begin + std::chrono::duration_cast<guest::clock::duration>(std::max(time_left_, duration::zero()));
    watch(coroutine_);
    int results = 0;
    const int status = lua_resume(coroutine_, in_->state().main(), arguments, &results);
    const bool calling = status == LUA_YIELD && at.calling_out;
    at.job = nullptr;
    at.current = nullptr;
    at.calling_out = false;
    budget_left_ = at.budget_left;
    time_left_ -= guest::clock::now() - begin;

    if (status == LUA_ERRMEM) {
        break_guest(coroutine_, violation::memory);
    }
    if (at.broken != violation::none) {
        stop();
    } else if (calling) {
        return stage::calling;
    } else if (status == LUA_YIELD) {
        raised("the function yielded to the host: `coroutine.yield` works only inside a coroutine that the plugin has created",
               current_line(coroutine_));
        leave();
    } else if (status != LUA_OK) {
        raised_by_lua();
        leave();
    } else if (!loading_) {
        finish(results);
        leave();
    }
    return stage::ended;
}

void activation::finish(int results) {
    const int first = lua_gettop(coroutine_) - results + 1;
    if (results > 0 && !lua_isnil(coroutine_, first)) {
        result<json> value = read_json(coroutine_, first, "the result", returns_);
        if (value) {
            outcome_.value = *std::move(value);
        } else {
            raised(value.error().message + ". " + value.error().hint, outcome_.line);
        }
    } else if (results < 2 || lua_isnil(coroutine_, first + 1)) {
        outcome_.gave_nothing = true;
    } else if (lua_type(coroutine_, first + 1) != LUA_TSTRING) {
        raised(std::string("the second value of `return nil, ...` is a ") + luaL_typename(coroutine_, first + 1) +
                   "; make it a string, the reason for the model",
               outcome_.line);
    } else {
        outcome_.what = outcome::kind::refused;
        outcome_.text = plain_line(string_at(coroutine_, first + 1), max_text);
        if (outcome_.text.empty()) {
            raised("the message of `return nil, \"\"` is empty; write the reason for the model", outcome_.line);
        }
    }
}

void activation::raised(const std::string& text, int line) {
    outcome_.what = outcome::kind::raised;
    outcome_.text = plain_line(text, max_text);
    outcome_.line = line;
}

void activation::raised_by_lua() {
    const int line = current_line(coroutine_);
    if (lua_type(coroutine_, -1) != LUA_TSTRING) {
        raised(std::string("the error is not a string, but a ") + luaL_typename(coroutine_, -1) + ": call `error` with a string", line);
        return;
    }
    std::string text(string_at(coroutine_, -1).substr(0, max_text * 2));
    const int line_in_text = take_line(text);
    raised(pyaichat::detail::is_blank(text) ? "the error has no message: call `error` with one" : text,
           line_in_text != 0 ? line_in_text : line);
    outcome_.change = change_for_error(text);
}

void activation::stop() {
    const guest& at = in_->state().info();
    outcome_.what = outcome::kind::stopped;
    outcome_.line = at.broken_at;
    switch (in_->state().main() != nullptr ? at.broken : violation::none) {
        case violation::instructions:
            outcome_.text = "used more than " + std::to_string(in_->limits().instructions) + " instructions";
            break;
        case violation::time: outcome_.text = "took longer than its time limit"; break;
        case violation::memory:
            outcome_.text = "needed more than " + std::to_string(in_->limits().memory) + " bytes of memory, or a string longer than 1 MiB";
            break;
        case violation::none: outcome_.text = "was interrupted when another call of the plugin was stopped"; break;
    }
    in_->state().close();
    leave();
}

void activation::add_log(std::string_view text) noexcept {
    if (log_lines_ <= max_log_lines) {
        log_.push_back(log_lines_ < max_log_lines ? plain_line(text, max_text) : "(further lines were dropped)");
        ++log_lines_;
    }
}

double activation::seconds_left() const noexcept {
    const guest::clock::time_point until = std::min(in_->state().info().until, context_.deadline);
    return std::max(0.0, std::chrono::duration<double>(until - guest::clock::now()).count());
}

const char* activation::want_call(lua_State* L) noexcept {
    wanted_name_ = string_at(L, 1).substr(0, 100);
    why_not_.clear();
    const std::vector<std::string>& uses = in_->declared().uses;
    if (!context_.may_call) {
        why_not_ = "ctx.call works only in the `run` of a capability, where the host allows it";
    } else if (std::find(uses.begin(), uses.end(), wanted_name_) == uses.end()) {
        why_not_ = "add \"" + pyaichat::detail::one_line(wanted_name_, 60) + "\" to `uses` of the plugin";
    } else if (result<json> arguments = read_json(L, 2, "the arguments"); !arguments) {
        why_not_ = arguments.error().message;
    } else if (!arguments->is_object() && !arguments->is_null()) {
        why_not_ = "the arguments of ctx.call must be a table with names";
    } else {
        wanted_arguments_ = arguments->is_null() ? json::object() : *std::move(arguments);
    }
    return why_not_.empty() ? nullptr : why_not_.c_str();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
