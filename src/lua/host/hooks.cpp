#include <pyaichat/lua/hooks.hpp>

#include "lua/host/plugin_host.hpp"
#include "lua/manifest/plain_text.hpp"

#include <pyaichat/schema/detail/fields.hpp>

#include <array>
#include <concepts>

namespace pyaichat::inline PYAICHAT_ABI::lua {

namespace {

using detail::hook;
using detail::outcome;
using detail::plugin_host;

constexpr std::size_t max_note = 2000;
constexpr std::size_t max_reason = 500;

// The arguments of hooks, as JSON.
json value_of(const proposed_call& call) {
    json value = json::object();
    value["number"] = call.number;
    value["name"] = call.name;
    value["args"] = call.arguments;
    value["effects"] = std::string(to_string(call.effects));
    value["from"] = std::string(to_string(call.from));
    value["origin"] = call.origin;
    return value;
}

json value_of(const capability_call& call) {
    json value = json::object();
    value["number"] = call.number;
    value["name"] = call.name;
    value["args"] = call.arguments;
    return value;
}

json value_of(const model_request& request) {
    json value = json::object();
    value["instructions"] = request.instructions;
    value["messages"] = request.messages.size();
    value["text"] = request.messages.empty() ? std::string() : request.messages.back().text();
    json& names = value["capabilities"] = json::array();
    for (const capability_spec& one : request.declarations) {
        names.push_back(one.name);
    }
    return value;
}

json value_of(const event& happened) {
    json value = json::object();
    value["kind"] = std::string(event_name(happened));
    value["number"] = happened.number;
    const auto add_member = [&]<class T>(std::string_view name, const T& field) {
        if constexpr (std::same_as<T, std::string>) {
            value[name == "name" ? "name" : "text"] = field;
        } else if constexpr (std::same_as<T, capability_reply>) {
            value["reply"] = field.envelope();
        } else if constexpr (std::same_as<T, json>) {
            value["args"] = field;
        } else if constexpr (std::integral<T>) {
            if (name == "step" || name == "call") {
                value[std::string(name)] = field;
            }
        }
    };
    std::visit([&](const auto& data) { pyaichat::detail::for_each_field(data, add_member); }, happened.data);
    return value;
}

/// Converts the return value of `before_call`: `{deny = "reason"}`, `{ask = "why"}` or `{args = {...}}`; `nullopt` for anything else.
std::optional<call_decision> decision_of(const json& value) {
    if (!value.is_object() || value.size() != 1) {
        return {};
    }
    if (const auto reason = string_member(value, "deny")) {
        return call_decision::deny(detail::plain_line(*reason, max_reason));
    }
    if (const auto why = string_member(value, "ask")) {
        return call_decision::ask(detail::plain_line(*why, max_reason));
    }
    if (const json* const arguments = find_member(value, "args"); arguments != nullptr && arguments->is_object()) {
        return call_decision::allow_with(*arguments);
    }
    return {};
}

/// The outcome of one plugin's hook.
struct hook_end {
    std::string plugin = {};
    std::string file = {};
    outcome ended = {};
};

/// Calls the hook of one plugin. Takes the lock.
hook_end ask(plugin_host& host, detail::plugin& asked, hook which, std::span<const json* const> arguments) {
    const std::lock_guard lock(host.mutex());
    hook_end result{.plugin = asked.live->declared().name, .file = asked.live->file()};
    result.ended.gave_nothing = true;
    const std::shared_ptr<detail::instance> in = asked.hook_stops < detail::max_hook_stops ? host.ready(asked) : nullptr;
    if (!in || !in->declared().has(which)) {
        result.ended.what = in ? outcome::kind::returned : outcome::kind::raised;
        return result;
    }
    detail::activation run(in, in->limits().hook_time);
    static_cast<void>(run.start(-1 - static_cast<int>(which), arguments));  // it ends: hooks cannot use `ctx.call`
    host.note(asked, run, pyaichat::detail::word_of(which), host.questions());
    asked.hook_stops = run.ended().what == outcome::kind::stopped ? asked.hook_stops + 1 : 0;
    if (asked.hook_stops == detail::max_hook_stops) {
        host.note(notice::kind::stopped, result.plugin,
                  result.file + ": its hooks were stopped " + std::to_string(detail::max_hook_stops) +
                      " times in a row and are disabled until it is reloaded; if it has a `before_call`, every call is denied");
    }
    result.ended = std::move(run.ended());
    return result;
}

/// Calls the hook of all plugins that have it, in load order, and passes each outcome to `each`, which returns false to stop.
template <class Each>
void ask_all(plugin_host& host, hook which, std::span<const json* const> arguments, Each each) {
    for (const std::shared_ptr<detail::plugin>& asked : host.with_hook(which)) {
        if (!each(ask(host, *asked, which, arguments))) {
            return;
        }
    }
}

bool has_any(const plugin_host& host, hook which) {
    return host.offered()->hooks[static_cast<std::size_t>(which)];
}

/// Calls an observing hook with the value that `make` returns. Its return value is ignored; nobody waits for the worker.
template <class Make>
void show(const std::shared_ptr<plugin_host>& host, hook which, Make make) {
    if (!has_any(*host, which)) {
        return;
    }
    host->post_if_idle_enough([host, which, value = make()] {
        const std::array<const json*, 1> arguments{&value};
        ask_all(*host, which, arguments, [](const hook_end&) { return true; });
        host->tell();
    });
}

/// Replies with what `work` returns, on the thread that runs plugins.
template <class Responder, class Work>
void answer(const std::shared_ptr<plugin_host>& host, Responder responder, Work work) {
    host->post([host, responder = std::move(responder), work = std::move(work)]() mutable {
        auto value = work(*host);
        host->tell();
        responder(std::move(value));
    });
}

/// The Lua type of a value, for messages. The value itself may be part of a reply, which must not be logged.
std::string_view kind_of(const json& value) {
    switch (value.type()) {
        case json::value_t::null: return "nil";
        case json::value_t::boolean: return "a boolean";
        case json::value_t::string: return "a string";
        case json::value_t::array:
        case json::value_t::object: return "a table";
        default: return "a number";
    }
}

void complain(plugin_host& host, const hook_end& of, hook which, const std::string& change) {
    const bool refused = of.ended.what == outcome::kind::refused;
    const std::string gave = refused ? "nil and a string" : std::string(kind_of(of.ended.value));
    const std::string where = of.file + ":" + (of.ended.line > 0 ? std::to_string(of.ended.line) + ": " : " ");
    const std::lock_guard lock(host.mutex());
    host.note(notice::kind::failed, of.plugin,
              where + "`" + std::string(pyaichat::detail::word_of(which)) + "`: it returned " + gave + "; " + change);
}

call_decision decide(plugin_host& host, const proposed_call& call) {
    json value = value_of(call);
    const std::array<const json*, 1> arguments{&value};
    call_decision decided;
    ask_all(host, hook::before_call, arguments, [&](hook_end of) {
        if (of.ended.what == outcome::kind::returned && of.ended.gave_nothing) {
            return true;
        }
        std::optional<call_decision> said;
        if (of.ended.what == outcome::kind::returned || of.ended.what == outcome::kind::refused) {
            said = decision_of(of.ended.value);
            if (!said) {
                complain(host, of, hook::before_call, "return nothing, {deny = \"reason\"}, {args = {...}} or {ask = \"why\"}");
            }
        }
        if (!said) {
            decided = call_decision::deny("the plugin `" + of.plugin + "`, which checks calls, has failed; the call was not made");
            return false;
        }
        decided = merge(std::move(decided), *std::move(said));
        if (!decided.arguments.is_null()) {
            value["args"] = decided.arguments;  // later plugins see them
        }
        return decided.what != call_decision::kind::deny;
    });
    return decided;
}

void change(plugin_host& host, const json& about, capability_reply& reply) {
    json envelope = reply.envelope();
    const std::array<const json*, 2> arguments{&about, &envelope};
    ask_all(host, hook::after_call, arguments, [&](hook_end of) {
        if (of.ended.what != outcome::kind::returned || of.ended.gave_nothing) {
            return true;
        }
        if (reply.ok()) {
            reply.result = std::move(of.ended.value);
        } else if (const auto message = as_string(of.ended.value)) {
            reply.message = std::string(*message);
            reply.details = nullptr;  // they may repeat what the hook has removed
        } else {
            complain(host, of, hook::after_call, "for a failed call, return nothing or a string: its new message");
        }
        envelope = reply.envelope();
        return true;
    });
}

std::string notes(plugin_host& host, const json& value) {
    const std::array<const json*, 1> arguments{&value};
    std::string joined;
    ask_all(host, hook::on_answer, arguments, [&](const hook_end& of) {
        if (of.ended.what != outcome::kind::returned || of.ended.gave_nothing) {
            return true;
        }
        if (const auto note = as_string(of.ended.value)) {
            joined += (joined.empty() ? "" : "\n") + detail::plain_line(*note, max_note);
        } else {
            complain(host, of, hook::on_answer, "return nothing or a string: a note below the answer");
        }
        return true;
    });
    return joined;
}

}  // namespace

void hooks::on_question(std::string_view question) {
    state_->host->begin_question();
    show(state_->host, hook::on_question, [&] { return json(std::string(question)); });
}

void hooks::before_model(const model_request& request) {
    show(state_->host, hook::before_model, [&] { return value_of(request); });
}

void hooks::on_event(const event& happened) {
    show(state_->host, hook::on_event, [&] { return value_of(happened); });
}

void hooks::before_call(const proposed_call& call, hook_responder<call_decision> responder) {
    if (!has_any(*state_->host, hook::before_call)) {
        return responder(call_decision());
    }
    answer(state_->host, std::move(responder), [call](plugin_host& host) { return decide(host, call); });
}

void hooks::after_call(const capability_call& call, capability_reply reply, hook_responder<capability_reply> responder) {
    if (!has_any(*state_->host, hook::after_call)) {
        return responder(std::move(reply));
    }
    answer(state_->host, std::move(responder), [about = value_of(call), reply = std::move(reply)](plugin_host& host) mutable {
        change(host, about, reply);
        return std::move(reply);
    });
}

void hooks::on_answer(const closing_answer& closing, hook_responder<std::string> responder) {
    if (!has_any(*state_->host, hook::on_answer)) {
        return responder(std::string());
    }
    json value = json::object();
    value["question"] = std::string(closing.question);
    value["text"] = std::string(closing.text);
    value["reason"] = std::string(to_string(closing.reason));
    answer(state_->host, std::move(responder), [value = std::move(value)](plugin_host& host) { return notes(host, value); });
}

}  // namespace pyaichat::inline PYAICHAT_ABI::lua
