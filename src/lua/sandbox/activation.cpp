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

/// Takes `name:12: ` off the front of one of Lua's messages; 0 when it is not there.
int take_line(std::string& text) {
    for (std::size_t colon = text.find(':'); colon != std::string::npos && colon < 80; colon = text.find(':', colon + 1)) {
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

int line_at_error(lua_State* co) {
    lua_Debug frame;
    for (int level = 0; level < 16 && lua_getstack(co, level, &frame) != 0; ++level) {
        if (lua_getinfo(co, "l", &frame) != 0 && frame.currentline > 0) {
            return frame.currentline;
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
    preparation wanted{.function = function, .arguments = arguments};
    for (const json* const argument : arguments) {
        if (const result<void> fits = check_value(*argument); !fits) {
            raised(fits.error().message, 0);
            return stage::ended;
        }
    }
    if (!in_->usable() || !in_->state().protect(prepare, &wanted)) {
        stop();
        return stage::ended;
    }
    coroutine_ = wanted.coroutine;
    anchor_ = wanted.anchor;
    outcome_.line = wanted.begins_at;
    return resume(static_cast<int>(arguments.size()) + 1);
}

void activation::load(std::string_view text, const std::string& chunk_name) {
    loading_ = true;
    std::string complaint;
    preparation wanted{.text = text, .chunk_name = chunk_name.c_str(), .complaint = &complaint};
    if (!in_->state().protect(prepare, &wanted)) {
        stop();
        return;
    }
    coroutine_ = wanted.coroutine;
    anchor_ = wanted.anchor;
    if (wanted.late) {
        raised("takes too long to compile", 0);
        outcome_.change = "Split the plugin, or its functions and its long chains of `and`, `or` and `elseif`.";
        return;
    }
    if (!complaint.empty()) {
        const int line = take_line(complaint);
        syntax_error error = explain(std::move(complaint), line, text);
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
        raised("the function yields, and there is nobody to resume it: `coroutine.yield` works only inside of a coroutine of the plugin's",
               line_at_error(coroutine_));
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
            raised("the text of `return nil, \"\"` is empty; say why, for the model", outcome_.line);
        }
        return;
    }
    if (nil && results >= 2 && !lua_isnil(coroutine_, first + 1)) {
        raised(std::string("the second value of `return nil, ...` is a ") + luaL_typename(coroutine_, first + 1) +
                   "; make it a text for the model",
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
    const int line = line_at_error(coroutine_);
    if (lua_type(coroutine_, -1) != LUA_TSTRING) {
        raised(std::string("an error that is no text, but a ") + luaL_typename(coroutine_, -1) + ": call `error` with a text", line);
        return;
    }
    std::size_t size = 0;
    const char* const data = lua_tolstring(coroutine_, -1, &size);
    std::string text(data, std::min(size, max_error_text * 2));
    const int said = take_line(text);
    raised(pyaichat::detail::is_blank(text) ? "an error without a text: call `error` with one" : text, said != 0 ? said : line);
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
        case violation::time: outcome_.text = "took longer than its share of time"; break;
        case violation::memory:
            outcome_.text = "needed more than " + std::to_string(in_->limits().memory) + " bytes, or a too long text";
            break;
        case violation::none: outcome_.text = "was in the way when another call of the plugin was stopped"; break;
    }
    in_->state().close();
    leave();
}

void activation::add_log(const char* text, std::size_t size) noexcept {
    if (log_lines_ > max_log_lines) {
        return;
    }
    log_.push_back(log_lines_ < max_log_lines ? plain_line(std::string_view(text, size), max_log_line) : "(more lines were left out)");
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
        why_not_ = "the arguments of ctx.call are a table of names and values";
    } else {
        wanted_arguments_ = arguments->is_null() ? json::object() : *std::move(arguments);
    }
    return why_not_.empty() ? nullptr : why_not_.c_str();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
