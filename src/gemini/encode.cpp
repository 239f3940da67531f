#include <pyaichat/gemini/codec.hpp>

#include "gemini/wire.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace pyaichat::inline v0::gemini_codec {

namespace {

/// The service demands a signature on the first call of each step of the current turn, and takes this word for calls that the model
/// never made itself (wire document, section 9.4).
constexpr const char* placeholder_signature = "skip_thought_signature_validator";

json encode_call(const call_part& call) {
    json out = json::object();
    if (!call.id.empty()) {
        out["id"] = call.id;
    }
    out["name"] = call.name;
    out["args"] = call.arguments.is_object() ? call.arguments : json::object();
    return out;
}

json encode_response(const response_part& response) {
    json out = json::object();
    if (!response.id.empty()) {
        out["id"] = response.id;
    }
    out["name"] = response.name;
    // The service takes objects only. Replies of the loop are; imported ones may be anything.
    out["response"] = response.response.is_object() ? response.response : json::object({{"output", response.response}});
    return out;
}

bool from_gemini(const message& one) {
    return one.wire.has_value() && one.wire->provider == wire_provider;
}

/// Model parts as they came. A part without data is refused by the service, although it sends such parts: one that is nothing else is left
/// out, one that carries a signature carries it on an empty text.
json sent_back(const json& content) {
    json parts = json::array();
    const json* received = find_member(content, "parts");
    if (received == nullptr || !received->is_array()) {
        return parts;
    }
    for (const json& one : *received) {
        if (!one.is_object() || one.empty()) {
            continue;
        }
        json& kept = parts.emplace_back(one);
        if (one.size() == 1 && one.contains("thoughtSignature")) {
            kept["text"] = "";
        }
    }
    return parts;
}

/// A model message of another provider, of the host or of the loop.
json retold(const message& one) {
    json parts = json::array();
    bool signed_already = false;
    for (const part& piece : one.parts) {
        if (const auto* text = piece.as<text_part>(); text != nullptr && !text->text.empty()) {
            parts.push_back(json::object({{"text", text->text}}));
        } else if (const auto* call = piece.as<call_part>()) {
            json entry = json::object();
            entry["functionCall"] = encode_call(*call);
            if (!std::exchange(signed_already, true)) {
                entry["thoughtSignature"] = placeholder_signature;
            }
            parts.push_back(std::move(entry));
        }
    }
    return parts;
}

json user_parts(const message& one) {
    json parts = json::array();
    for (const part& piece : one.parts) {
        if (const auto* text = piece.as<text_part>(); text != nullptr && !text->text.empty()) {
            parts.push_back(json::object({{"text", text->text}}));
        } else if (const auto* response = piece.as<response_part>()) {
            json entry = json::object();
            entry["functionResponse"] = encode_response(*response);
            parts.push_back(std::move(entry));
        } else if (const auto* opaque = piece.as<opaque_part>();
                   opaque != nullptr && from_gemini(one) && opaque->wire.is_object() && !opaque->wire.empty()) {
            parts.push_back(opaque->wire);
        }
    }
    return parts;
}

/// From Gemini 3.6 on anything behind the function responses is refused, in a text that speaks of something else.
void put_responses_last(json& parts) {
    json::array_t sorted;
    for (const bool responses : {false, true}) {
        std::copy_if(parts.begin(), parts.end(), std::back_inserter(sorted),
                     [responses](const json& one) { return one.contains("functionResponse") == responses; });
    }
    parts = std::move(sorted);
}

json encode_contents(const conversation& messages) {
    json contents = json::array();
    for (const message& one : messages) {
        const bool by_model = one.role == role::model;
        json parts = !by_model ? user_parts(one) : from_gemini(one) ? sent_back(one.wire->body) : retold(one);
        if (parts.empty()) {
            continue;  // the service refuses empty contents
        }
        const char* who = by_model ? "model" : "user";
        // Neighbours of one role become one content: call and response turns have to be adjacent.
        if (!contents.empty() && contents.back()["role"] == who) {
            json& joined = contents.back()["parts"];
            std::move(parts.begin(), parts.end(), std::back_inserter(joined));
        } else {
            json content = json::object();
            content["role"] = who;
            content["parts"] = std::move(parts);
            contents.push_back(std::move(content));
        }
    }
    while (!contents.empty() && contents.back()["role"] == "model") {
        contents.erase(contents.size() - 1);  // there is no prefill: a request ends with the user
    }
    for (json& content : contents) {
        if (content["role"] == "user") {
            put_responses_last(content["parts"]);
        }
    }
    return contents;
}

json encode_declaration(const capability_spec& spec) {
    json out = json::object();
    out["name"] = spec.name;
    out["description"] = spec.description;
    if (spec.parameters.is_object()) {
        json schema = spec.parameters;
        if (!schema.contains("type")) {
            schema["type"] = "object";
        }
        out["parametersJsonSchema"] = std::move(schema);
    }
    return out;
}

const char* mode_name(tool_mode mode) {
    switch (mode) {
        case tool_mode::required: return "ANY";
        case tool_mode::none: return "NONE";
        case tool_mode::automatic: break;
    }
    return "AUTO";
}

json text_content(const std::string& text) {
    json content = json::object();
    content["parts"] = json::array({json::object({{"text", text}})});
    return content;
}

}  // namespace

json encode_request(const model_request& request) {
    json body = json::object();
    body["contents"] = encode_contents(request.messages);
    if (!request.instructions.empty()) {
        body["systemInstruction"] = text_content(request.instructions);
    }
    if (!request.declarations.empty()) {
        json declarations = json::array();
        for (const capability_spec& spec : request.declarations) {
            declarations.push_back(encode_declaration(spec));
        }
        json tool = json::object();
        tool["functionDeclarations"] = std::move(declarations);
        body["tools"] = json::array({std::move(tool)});
        body["toolConfig"]["functionCallingConfig"]["mode"] = mode_name(request.mode);
    }
    return body;
}

}  // namespace pyaichat::inline v0::gemini_codec
