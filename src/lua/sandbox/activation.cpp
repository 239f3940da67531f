#include "lua/sandbox/activation.hpp"

#include "lua/manifest/error_hints.hpp"
#include "lua/manifest/plain_text.hpp"
#include "lua/sandbox/preparation.hpp"
#include "lua/sandbox/values.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <charconv>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

namespace {

constexpr int max_log_lines = 64;
constexpr std::size_t max_log_line = 1000;
constexpr std::size_t max_error_text = 1000;
constexpr std::size_t max_refusal = 1000;

/// Removes `name:12: ` from the beginning of a Lua message and returns the line; 0 if there is none.
int take_line(std::string& text) {
    for (std::size_t colon = text.find(':'); colon < 80; colon = text.find(':', colon + 1)) {
        int line = 0;
        const char* const end = text.data() + text.size();
        const auto [stopped, error] = std::from_chars(text.data() + colon + 1, end, line);
        if (error == std::errc() && end - stopped >= 2 && stopped[0] == ':' && stopped[1] == ' ') {
            text.erase(0, static_cast<std::size_t>(stopped + 2 - text.data()));
            return line;
        }
    }
    return 0;
}

}  // namespace

activation::activation(std::shared_ptr<instance> in, duration time, call_context context)
    : in_(std::move(in)), time_left_(bounded_wait(time)), budget_left_(in_->limits().instructions), context_(context) {}

activation::~activation() {
    leave();
}

void activation::leave() noexcept {
    if (anchor_ != LUA_NOREF && in_->state().main() != nullptr) {
        luaL_unref(in_->state().main(), LUA_REGISTRYINDEX, anchor_);
    }
    anchor_ = LUA_NOREF;
    coroutine_ = nullptr;
}

activation::stage activation::start(int function, std::span<const json* const> arguments, const json* returns) {
    returns_ = returns;
    preparation task{.function = function, .arguments = arguments};
    for (const json* const argument : arguments) {
        if (const result<void> fits = check_value(*argument); !fits) {
            raised(fits.error().message, 0);
            return stage::ended;
        }
    }
    if (!in_->usable() || !in_->state().protect(prepare, &task)) {
        stop();
        return stage::ended;
    }
    coroutine_ = task.coroutine;
    anchor_ = task.anchor;
    outcome_.line = task.begins_at;
    return resume(static_cast<int>(arguments.size()) + 1);
}

void activation::load(std::string_view text, const std::string& chunk_name) {
    loading_ = true;
    std::string compiler_error;
    preparation task{.text = text, .chunk_name = chunk_name.c_str(), .compiler_error = &compiler_error};
    if (!in_->state().protect(prepare, &task)) {
        stop();
        return;
    }
    coroutine_ = task.coroutine;
    anchor_ = task.anchor;
    if (task.late) {
        raised("takes too long to compile", 0);
        outcome_.change = "Split the plugin, its functions, or its long chains of `and`, `or` and `elseif`.";
        return;
    }
    if (!compiler_error.empty()) {
        const int line = take_line(compiler_error);
        syntax_error error = explain(std::move(compiler_error), line, text);
        raised(error.what, error.line);
        outcome_.change = plain_line(error.change, max_error_text);
        return;
    }
    static_cast<void>(resume(0));
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
    const bool nil = results == 0 || lua_isnil(coroutine_, first);
    if (nil && results >= 2 && lua_type(coroutine_, first + 1) == LUA_TSTRING) {
        std::size_t size = 0;
        const char* const text = lua_tolstring(coroutine_, first + 1, &size);
        outcome_.text = plain_line(std::string_view(text, size), max_refusal);
        outcome_.what = outcome::kind::refused;
        if (outcome_.text.empty()) {
            raised("the message of `return nil, \"\"` is empty; write the reason for the model", outcome_.line);
        }
        return;
    }
    if (nil && results >= 2 && !lua_isnil(coroutine_, first + 1)) {
        raised(std::string("the second value of `return nil, ...` is a ") + luaL_typename(coroutine_, first + 1) +
                   "; make it a string, the reason for the model",
               outcome_.line);
        return;
    }
    outcome_.gave_nothing = nil;
    if (nil) {
        return;
    }
    result<json> value = read_json(coroutine_, first, "the result", returns_);
    if (!value) {
        raised(value.error().message + ". " + value.error().hint, outcome_.line);
        return;
    }
    outcome_.value = *std::move(value);
}

void activation::raised(const std::string& text, int line) {
    outcome_.what = outcome::kind::raised;
    outcome_.text = plain_line(text, max_error_text);
    outcome_.line = line;
}

void activation::raised_by_lua() {
    const int line = current_line(coroutine_);
    if (lua_type(coroutine_, -1) != LUA_TSTRING) {
        raised(std::string("the error is not a string, but a ") + luaL_typename(coroutine_, -1) + ": call `error` with a string", line);
        return;
    }
    std::size_t size = 0;
    const char* const data = lua_tolstring(coroutine_, -1, &size);
    std::string text(data, std::min(size, max_error_text * 2));
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

void activation::add_log(const char* text, std::size_t size) noexcept {
    if (log_lines_ > max_log_lines) {
        return;
    }
    log_.push_back(log_lines_ < max_log_lines ? plain_line(std::string_view(text, size), max_log_line) : "(further lines were dropped)");
    ++log_lines_;
}

double activation::seconds_left() const noexcept {
    const guest::clock::time_point until = std::min(in_->state().info().until, context_.deadline);
    return std::max(0.0, std::chrono::duration<double>(until - guest::clock::now()).count());
}

const char* activation::want_call(lua_State* L) noexcept {
    std::size_t size = 0;
    const char* const data = lua_tolstring(L, 1, &size);
    wanted_name_.assign(data, std::min<std::size_t>(size, 100));
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
