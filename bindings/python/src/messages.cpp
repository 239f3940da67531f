#include "messages.hpp"

#include <pyaichat/message/stored_conversation.hpp>

#include "errors.hpp"
#include "json_values.hpp"

#include <array>
#include <chrono>
#include <utility>

namespace bindings {

namespace {

double seconds(ai::duration span) {
    return std::chrono::duration<double>(span).count();
}

py::dict usage_to_python(const ai::token_usage& usage) {
    py::dict out;
    out["input_tokens"] = usage.input_tokens;
    out["output_tokens"] = usage.output_tokens;
    out["cached_tokens"] = usage.cached_tokens;
    out["thought_tokens"] = usage.thought_tokens;
    return out;
}

py::object dollars_to_python(const std::optional<ai::money>& amount) {
    return amount ? py::object(py::float_(static_cast<double>(amount->micro_dollars) / 1e6)) : py::none();
}

/// Images as pairs of a MIME type and bytes.
py::list images_to_python(const std::vector<ai::image>& images) {
    py::list out;
    for (const ai::image& each : images) {
        out.append(py::make_tuple(to_str(each.mime_type()), py::bytes(each.data())));
    }
    return out;
}

/// Writes the members of the data of an event. An event of a type that is not here has only its name.
struct event_members {
    py::dict& out;

    void step(int value) const { out["step"] = value; }
    void call(std::uint64_t number, const std::string& name, const ai::json& arguments) const {
        out["call"] = number;
        out["name"] = to_str(name);
        out["arguments"] = to_python(arguments);
    }
    void reply(const ai::capability_reply& value) const { out["reply"] = to_python(value.envelope()); }

    void operator()(const auto&) const {}
    void operator()(const ai::run_started& data) const { out["question"] = to_str(data.question); }
    void operator()(const ai::step_started& data) const { step(data.step); }
    void operator()(const ai::text_delta& data) const {
        step(data.step);
        out["text"] = to_str(data.text);
    }
    void operator()(const ai::thought_delta& data) const {
        step(data.step);
        out["text"] = to_str(data.text);
    }
    void operator()(const ai::step_withdrawn& data) const {
        step(data.step);
        out["why"] = to_str(data.why);
    }
    void operator()(const ai::partial_value& data) const {
        step(data.step);
        out["value"] = to_python(data.value);
    }
    void operator()(const ai::calls_proposed& data) const {
        step(data.step);
        py::list calls;
        for (const ai::call_part& each : data.calls) {
            py::dict one;
            one["id"] = to_str(each.id);
            one["name"] = to_str(each.name);
            one["arguments"] = to_python(each.arguments);
            calls.append(one);
        }
        out["calls"] = calls;
    }
    void operator()(const ai::call_denied& data) const {
        step(data.step);
        call(data.call, data.name, data.arguments);
        reply(data.reply);
    }
    void operator()(const ai::call_started& data) const {
        step(data.step);
        call(data.call, data.name, data.arguments);
    }
    void operator()(const ai::call_output& data) const {
        step(data.step);
        out["call"] = data.call;
        out["text"] = to_str(data.text);
    }
    void operator()(const ai::call_finished& data) const {
        step(data.step);
        call(data.call, data.name, data.arguments);
        reply(data.reply);
        out["took"] = seconds(data.took);
        out["images"] = images_to_python(data.reply.images);
    }
    void operator()(const ai::retry_scheduled& data) const {
        step(data.step);
        out["retry"] = data.retry;
        out["delay"] = seconds(data.delay);
        out["why"] = to_str(data.why);
    }
    void operator()(const ai::usage_updated& data) const {
        out["usage"] = usage_to_python(data.usage);
        out["cost"] = dollars_to_python(data.cost);
    }
    void operator()(const ai::step_finished& data) const { step(data.step); }
    void operator()(const ai::run_finished& data) const { out["reason"] = to_str(ai::to_string(data.reason)); }
};

/// The members of a stored message that a person reads: no wire form.
py::object message_to_python(const ai::conversation& all, std::size_t index) {
    ai::conversation one;
    one.push_back(all.share(index));
    py::dict out;
    const ai::message& value = all[index];
    out["role"] = to_str(ai::to_string(value.role));
    out["text"] = to_str(value.text());
    py::list calls;
    py::list replies;
    std::vector<ai::image> images;
    for (const ai::part& each : value.parts) {
        py::dict entry;
        if (const auto* call = each.as<ai::call_part>()) {
            entry["id"] = to_str(call->id);
            entry["name"] = to_str(call->name);
            entry["arguments"] = to_python(call->arguments);
            calls.append(entry);
        } else if (const auto* reply = each.as<ai::response_part>()) {
            entry["id"] = to_str(reply->id);
            entry["name"] = to_str(reply->name);
            entry["reply"] = to_python(reply->response);
            entry["images"] = images_to_python(reply->images);
            replies.append(entry);
        } else if (const auto* picture = each.as<ai::image_part>()) {
            images.push_back(picture->image);
        }
    }
    out["calls"] = calls;
    out["replies"] = replies;
    out["images"] = images_to_python(images);
    out["synthetic"] = value.synthetic;
    return out;
}

ai::conversation conversation_of(const std::string& document) {
    return value_or_raise(ai::read_conversation(value_or_raise(ai::parse_json(document))));
}

std::string member(const py::dict& from, const char* name) {
    return from.contains(name) && !from[name].is_none() ? text_of(from[name]) : std::string();
}

template <class Enum, std::size_t N>
Enum named(std::string_view name, const std::array<Enum, N>& values, Enum otherwise) {
    for (const Enum each : values) {
        if (ai::to_string(each) == name) {
            return each;
        }
    }
    return otherwise;
}

}  // namespace

py::tuple event_to_python(const ai::event& value) {
    py::dict data;
    std::visit(event_members{data}, value.data);
    return py::make_tuple(to_str(ai::event_name(value)), value.number, to_str(value.run_id), seconds(value.time.time_since_epoch()), data);
}

py::dict answer_to_python(const ai::answer& value) {
    py::dict out;
    out["text"] = to_str(value.text);
    out["reason"] = to_str(ai::to_string(value.reason));
    out["error"] = value.error ? failure_to_python(*value.error) : py::none();
    out["usage"] = usage_to_python(value.usage);
    out["cost"] = dollars_to_python(value.cost);
    out["steps"] = value.steps;
    out["value"] = value.value ? to_python(*value.value) : py::none();
    out["messages"] = py::cast(value.messages);
    py::list events;
    for (const ai::event& each : value.events) {
        events.append(event_to_python(each));
    }
    out["events"] = events;
    return out;
}

py::dict call_to_python(const ai::proposed_call& call) {
    py::dict out;
    out["number"] = call.number;
    out["id"] = to_str(call.id);
    out["name"] = to_str(call.name);
    out["arguments"] = to_python(call.arguments);
    out["effects"] = to_str(ai::to_string(call.effects));
    out["origin"] = to_str(call.origin);
    return out;
}

py::dict call_to_python(const ai::capability_call& call) {
    py::dict out;
    out["number"] = call.number;
    out["id"] = to_str(call.id);
    out["name"] = to_str(call.name);
    out["arguments"] = to_python(call.arguments);
    out["run_id"] = to_str(call.run_id);
    out["step"] = call.step;
    out["idempotency_key"] = to_str(call.idempotency_key);
    out["time_left"] = seconds(call.time_left);
    return out;
}

py::dict request_to_python(const ai::model_request& request) {
    py::dict out;
    out["instructions"] = to_str(request.instructions);
    out["messages"] = py::cast(request.messages);
    py::list functions;
    for (const ai::capability_spec& each : request.declarations) {
        py::dict entry;
        entry["name"] = to_str(each.name);
        entry["description"] = to_str(each.description);
        entry["parameters"] = to_python(each.parameters);
        functions.append(entry);
    }
    out["functions"] = functions;
    out["mode"] = to_str(ai::to_string(request.mode));
    out["time_left"] = seconds(request.time_left);
    return out;
}

ai::model_response response_from_python(const py::dict& response) {
    ai::candidate only;
    if (const std::string thoughts = member(response, "thoughts"); !thoughts.empty()) {
        only.content.parts.emplace_back(ai::thought_part{thoughts});
    }
    if (std::string text = member(response, "text"); !text.empty()) {
        only.content.parts.emplace_back(ai::text_part{std::move(text)});
    }
    for (const py::handle each : response["calls"]) {
        const auto call = py::reinterpret_borrow<py::dict>(each);
        only.content.parts.emplace_back(
            ai::call_part{.id = member(call, "id"), .name = member(call, "name"), .arguments = from_python(call["arguments"])});
    }
    using ai::finish_reason;
    only.finish_text = member(response, "finish");
    only.finish = named(
        only.finish_text,
        std::array{finish_reason::stop, finish_reason::length, finish_reason::blocked, finish_reason::malformed, finish_reason::unanswered},
        finish_reason::unknown);
    ai::model_response out;
    if (!response["cost"].is_none()) {
        out.cost = ai::dollars(response["cost"].cast<double>());
    }
    out.candidates.push_back(std::move(only));
    const auto usage = response["usage"].cast<std::pair<std::int64_t, std::int64_t>>();
    out.usage = {.input_tokens = usage.first, .output_tokens = usage.second};
    return out;
}

ai::capability_reply reply_from_python(const py::dict& envelope) {
    if (envelope["ok"].cast<bool>()) {
        ai::capability_reply reply = ai::reply_with(from_python(envelope["result"]));
        if (envelope.contains("images")) {
            reply.images = images_from_python(envelope["images"]);
        }
        return reply;
    }
    const auto error = py::reinterpret_borrow<py::dict>(envelope["error"]);
    using ai::reply_code;
    const reply_code code = named(member(error, "code"),
                                  std::array{reply_code::invalid_args, reply_code::python_exception, reply_code::timeout,
                                             reply_code::cancelled, reply_code::not_allowed, reply_code::denied, reply_code::busy},
                                  reply_code::internal);
    return ai::reply_error(code, member(error, "message"), from_python(error["details"]));
}

std::vector<ai::image> images_from_python(py::handle images) {
    std::vector<ai::image> out;
    for (const py::handle each : images) {
        const auto pair = py::reinterpret_borrow<py::tuple>(each);
        out.emplace_back(text_of(pair[0]), pair[1].cast<std::string>());
    }
    return out;
}

void add_messages(py::module_& module) {
    module.def("check_reply", [](const py::dict& envelope) { static_cast<void>(reply_from_python(envelope)); });
    py::class_<ai::conversation, std::shared_ptr<ai::conversation>>(module, "Conversation")
        .def(py::init<>())
        .def("__len__", &ai::conversation::size)
        .def("_message",
             [](const ai::conversation& all, std::size_t index) {
                 if (index >= all.size()) {
                     throw py::index_error("there is no such message");
                 }
                 return message_to_python(all, index);
             })
        .def("_append_text",
             [](ai::conversation& all, const std::string& role, const std::string& text) {
                 all.push_back(role == "model" ? ai::model_message(text) : ai::user_message(text));
             })
        .def("_stored", [](const ai::conversation& all) { return to_str(ai::dump_json(ai::stored(all))); })
        .def_static("_restored", &conversation_of);
    module.def("image_type", [](const py::bytes& data) { return to_str(ai::image_type(std::string_view(data))); });
}

}  // namespace bindings
