#include "agent/storage/input_json.hpp"

#include "agent/machine/fingerprint.hpp"
#include "agent/storage/failure_json.hpp"
#include "agent/storage/limits_json.hpp"
#include "message/part_json.hpp"

#include <pyaichat/message/stored_conversation.hpp>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

// ---- what inputs are made of

json written(const capability_spec& spec) {
    json out = json::object();
    out["name"] = spec.name;
    out["description"] = spec.description;
    out["parameters"] = spec.parameters;
    out["effects"] = std::string(to_string(spec.effects));
    out["from"] = std::string(to_string(spec.from));
    out["headline"] = spec.headline;
    out["origin"] = spec.origin;
    if (spec.timeout) {
        out["timeout"] = spec.timeout->count();
    }
    return out;
}

capability_spec read_spec(const json_fields& from) {
    capability_spec spec{.name = from.text("name"),
                         .description = from.text("description"),
                         .parameters = from.value("parameters"),
                         .effects = from.word("effects", effects::once),
                         .from = from.word("from", provenance::server),
                         .headline = from.text("headline"),
                         .origin = from.text("origin")};
    if (from.has("timeout")) {
        spec.timeout = from.span("timeout");
    }
    return spec;
}

json written(const model_response& response) {
    json out = json::object();
    out["candidates"] = json::array();
    for (const candidate& one : response.candidates) {
        json entry = json::object();
        entry["content"] = detail::written(one.content);
        entry["finish"] = std::string(to_string(one.finish));
        entry["finish_text"] = one.finish_text;
        entry["finish_message"] = one.finish_message;
        out["candidates"].push_back(std::move(entry));
    }
    if (response.prompt_block) {
        out["prompt_block"] = *response.prompt_block;
    }
    out["usage"] = detail::written(response.usage);
    out["model"] = response.model;
    return out;
}

model_response read_response(const json_fields& from) {
    model_response response;
    from.each("candidates", [&](const json_fields& one) {
        response.candidates.push_back({.content = read_message(one.object("content")),
                                       .finish = one.word("finish", finish_reason::unknown),
                                       .finish_text = one.text("finish_text"),
                                       .finish_message = one.text("finish_message")});
    });
    if (from.has("prompt_block")) {
        response.prompt_block = from.text("prompt_block");
    }
    response.usage = read_usage(from.object("usage"));
    response.model = from.text("model");
    return response;
}

json written(const call_decision& decision) {
    json out = json::object();
    out["what"] = std::string(to_string(decision.what));
    out["arguments"] = decision.arguments;
    out["reason"] = decision.reason;
    return out;
}

call_decision read_decision(const json_fields& from) {
    return {.what = from.word("what", call_decision::kind::deny), .arguments = from.value("arguments"), .reason = from.text("reason")};
}

std::uint64_t number(const json_fields& from, std::string_view key) {
    return static_cast<std::uint64_t>(from.integer(key));
}

json written(const std::vector<input::opinions::opinion>& said) {
    json out = json::array();
    for (const input::opinions::opinion& one : said) {
        json entry = written(one.decision);
        entry["call"] = one.call;
        entry["grants"] = one.grants;
        out.push_back(std::move(entry));
    }
    return out;
}

std::vector<input::opinions::opinion> read_opinions(const json_fields& from, std::string_view key) {
    std::vector<input::opinions::opinion> said;
    from.each(key, [&](const json_fields& one) {
        said.push_back({.call = number(one, "call"), .decision = read_decision(one), .grants = one.flag("grants")});
    });
    return said;
}

std::string_view to_string(input::model_delta::kind value) noexcept {
    switch (value) {
        case input::model_delta::kind::text: return "text";
        case input::model_delta::kind::thought: return "thought";
        case input::model_delta::kind::restart: return "restart";
    }
    return "unknown";
}

// ---- the inputs; the name of each is its member

struct writer {
    json out = json::object();

    void operator()(const input::declarations& in) {
        json& to = out["declarations"] = json::object();
        if (!in.offered) {
            to["refused"] = detail::written(in.offered.error());
            return;
        }
        to["specs"] = json::array();
        for (const capability_spec& spec : *in.offered) {
            to["specs"].push_back(written(spec));
        }
    }
    void operator()(const input::model_delta& in) {
        out["model_delta"]["attempt"] = in.attempt;
        out["model_delta"]["what"] = std::string(to_string(in.what));
        out["model_delta"]["text"] = in.text;
    }
    void operator()(const input::model_result& in) {
        out["model_result"]["attempt"] = in.attempt;
        if (in.outcome) {
            out["model_result"]["response"] = written(*in.outcome);
        } else {
            out["model_result"]["failure"] = detail::written(in.outcome.error());
        }
    }
    void operator()(const input::opinions& in) {
        out["opinions"]["all"] = written(in.all);
        if (in.nested != 0) {
            out["opinions"]["nested"] = in.nested;
        }
    }
    void operator()(const input::decisions& in) {
        json& to = out["decisions"]["rulings"] = json::array();
        for (const call_ruling& one : in.rulings) {
            json entry = written(one.decision);
            entry["call"] = one.call;
            to.push_back(std::move(entry));
        }
    }
    void operator()(const input::invoking& in) { out["invoking"]["call"] = in.call; }
    void operator()(const input::call_output& in) {
        out["call_output"]["call"] = in.call;
        out["call_output"]["text"] = in.text;
    }
    // With hooks it is not recorded; without them it is the reply that counts.
    void operator()(const input::call_returned& in) { (*this)(input::call_reply{.call = in.call, .reply = in.reply}); }
    void operator()(const input::call_reply& in) {
        out["call_reply"]["call"] = in.call;
        out["call_reply"]["reply"] = detail::written(in.reply);
    }
    void operator()(const input::nested_call& in) {
        json& to = out["nested_call"];
        to["parent"] = in.parent;
        to["ticket"] = in.ticket;
        to["depth"] = in.depth;
        to["name"] = in.name;
        to["arguments"] = in.arguments;
    }
    void operator()(const input::notes&) {}  // not recorded
    void operator()(const input::cancel&) { out["cancel"] = json::object(); }
    void operator()(const input::woken&) { out["woken"] = json::object(); }
};

input::declarations read_declarations(const json_fields& from) {
    if (from.has("refused")) {
        return {.offered = read_failure(from.object("refused"))};
    }
    std::vector<capability_spec> specs;
    from.each("specs", [&](const json_fields& one) { specs.push_back(read_spec(one)); });
    return {.offered = declare(specs)};
}

input::model_delta read_delta(const json_fields& from) {
    input::model_delta delta{.attempt = number(from, "attempt"), .text = from.text("text")};
    using kind = input::model_delta::kind;
    const std::string what = from.text("what");
    for (const kind one : {kind::text, kind::thought, kind::restart}) {
        if (to_string(one) == what) {
            delta.what = one;
        }
    }
    return delta;
}

input::model_result read_result(const json_fields& from) {
    if (from.has("failure")) {
        return {.attempt = number(from, "attempt"), .outcome = read_failure(from.object("failure"))};
    }
    return {.attempt = number(from, "attempt"), .outcome = read_response(from.object("response"))};
}

}  // namespace

json written(const machine_input& in) {
    writer to;
    std::visit(to, in);
    return std::move(to.out);
}

machine_input read_input(const json_fields& from) {
    if (from.has("declarations")) {
        return read_declarations(from.object("declarations"));
    }
    if (from.has("model_delta")) {
        return read_delta(from.object("model_delta"));
    }
    if (from.has("model_result")) {
        return read_result(from.object("model_result"));
    }
    if (from.has("opinions")) {
        const json_fields said = from.object("opinions");
        return input::opinions{.nested = said.has("nested") ? number(said, "nested") : 0, .all = read_opinions(said, "all")};
    }
    if (from.has("decisions")) {
        input::decisions made;
        from.object("decisions").each("rulings", [&](const json_fields& one) {
            made.rulings.push_back({.call = number(one, "call"), .decision = read_decision(one)});
        });
        return made;
    }
    if (from.has("invoking")) {
        return input::invoking{.call = number(from.object("invoking"), "call")};
    }
    if (from.has("call_output")) {
        const json_fields output = from.object("call_output");
        return input::call_output{.call = number(output, "call"), .text = output.text("text")};
    }
    if (from.has("call_reply")) {
        const json_fields reply = from.object("call_reply");
        return input::call_reply{.call = number(reply, "call"), .reply = read_reply(reply.object("reply"))};
    }
    if (from.has("nested_call")) {
        const json_fields nested = from.object("nested_call");
        return input::nested_call{.parent = number(nested, "parent"),
                                  .ticket = number(nested, "ticket"),
                                  .depth = nested.count("depth"),
                                  .name = nested.text("name"),
                                  .arguments = nested.value("arguments")};
    }
    if (from.has("nested_reply")) {  // up to format 2
        const json_fields reply = from.object("nested_reply");
        return input::call_reply{.call = number(reply, "call"), .reply = read_reply(reply.object("reply"))};
    }
    if (from.has("cancel")) {
        return input::cancel{};
    }
    if (!from.has("woken")) {
        from.report("woken", "or another input is missing");
    }
    return input::woken{};
}

std::optional<std::vector<input::opinions::opinion>> read_nested_opinions(const json_fields& from) {
    if (!from.has("nested_call") || !from.object("nested_call").has("said")) {
        return std::nullopt;
    }
    return read_opinions(from.object("nested_call"), "said");
}

json written(const run_setup& setup) {
    json out = json::object();
    out["run_id"] = setup.run_id;
    out["instructions"] = setup.instructions;
    out["history"] = stored(setup.history);
    out["context"] = setup.context;
    out["question"] = setup.question;
    out["limits"] = detail::written(setup.limits);
    out["seed"] = hexadecimal(setup.seed);
    out["mode"] = std::string(to_string(setup.mode));
    return out;
}

run_setup read_setup(const json_fields& from) {
    run_setup setup{.run_id = from.text("run_id"),
                    .instructions = from.text("instructions"),
                    .context = from.text("context"),
                    .question = from.text("question"),
                    .limits = read_limits(from.object("limits"))};
    if (result<conversation> history = read_conversation(from.value("history")); history) {
        setup.history = std::move(*history);
    } else {
        from.report("history", history.error().message);
    }
    if (!read_hexadecimal(from.text("seed"), setup.seed)) {
        from.report("seed", "is no number in 16 hexadecimal digits");
    }
    if (from.has("mode")) {
        setup.mode = from.word("mode", tool_mode::validated);
    }
    return setup;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
