#include "testing/openai_emulator/openai_rules.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

/// The type of an item; a message may leave it out.
std::string item_type(const json& item) {
    return std::string(string_member(item, "type").value_or(find_member(item, "role") != nullptr ? "message" : ""));
}

/// Members and the beginning of the id of an item that a client may write itself.
struct item_form {
    const char* type;
    const char* members;
    const char* id;
    const char* required;
};

constexpr item_form forms[] = {
    {"message", "type id role content status phase", "msg", "role content"},
    {"function_call", "type id call_id name arguments status", "fc", "call_id name arguments"},
    {"function_call_output", "type id call_id output status", "fc", "call_id output"},
    {"reasoning", "type id summary content encrypted_content status", "rs", "id summary"},
};

/// Returns the first word of a list that is not the name of a member, or an empty text.
std::string missing_member(const json& object, std::string_view words) {
    while (!words.empty()) {
        const std::string name(words.substr(0, words.find(' ')));
        if (find_member(object, name) == nullptr) {
            return name;
        }
        words.remove_prefix(std::min(name.size() + 1, words.size()));
    }
    return {};
}

/// Reads the items in their order.
class input_check {
public:
    input_check(const openai_service& service, bool stores) : service_(service), stores_(stores) {}

    std::optional<service_refusal> add(const json& item, std::size_t index) {
        const std::string place = "input[" + std::to_string(index) + "]";
        if (!item.is_object()) {
            return openai_invalid("Invalid type for '" + place + "': expected an object.", place, "invalid_type");
        }
        const std::string type = item_type(item);
        const std::string id(string_member(item, "id").value_or(""));
        if (auto refusal = follow_reasoning(item)) {
            return refusal;
        }
        if (!id.empty() && !ids_.insert(id).second) {
            return duplicate(id);
        }
        const json* original = written(id);
        if (original != nullptr && *original != item) {
            return type == "reasoning"
                       ? unverified(id)
                       : openai_invalid("Item '" + id + "' differs from the item that the model wrote.", place, "invalid_value");
        }
        if (const auto needed = needed_reasoning_.find(id); needed != needed_reasoning_.end() && last_reasoning_ != needed->second) {
            return openai_invalid(
                "Item '" + id + "' of type '" + type + "' was provided without its required 'reasoning' item: '" + needed->second + "'.",
                "input");
        }
        last_reasoning_ = type == "reasoning" ? id : "";
        const auto* const form = std::find_if(std::begin(forms), std::end(forms), [&](const item_form& one) { return type == one.type; });
        if (form == std::end(forms)) {
            return original != nullptr ? std::nullopt
                                       : std::optional(openai_invalid("Invalid value: '" + type +
                                                                          "'. Supported values are: 'message', 'function_call', "
                                                                          "'function_call_output', 'reasoning' and others.",
                                                                      place + ".type", "invalid_value"));
        }
        // What the model wrote may have members that a client does not write.
        if (auto refusal = original == nullptr ? check_form(item, *form, place, id) : std::nullopt) {
            return refusal;
        }
        return type == "message"                ? check_message(item, place)
               : type == "function_call"        ? check_call(item, place)
               : type == "function_call_output" ? check_output(item, place)
                                                : check_reasoning_item(item, id, original != nullptr);
    }

    std::optional<service_refusal> end() const {
        if (!last_reasoning_.empty()) {
            return without_follower(last_reasoning_);
        }
        for (const auto& [id, replied] : calls_) {
            if (!replied) {
                return openai_invalid("No tool output found for function call " + id + ".", "input");
            }
        }
        if (last_role_ == "assistant" && !service_.any_last_message) {
            return openai_invalid("Expected the last item to be a user message or an output of a function.", "input");
        }
        return std::nullopt;
    }

    /// Notes which reasoning each written item followed.
    void learn() {
        for (const openai_written_response& response : service_.written) {
            std::string reasoning;
            for (const json& item : response.output) {
                const std::string id(string_member(item, "id").value_or(""));
                if (!reasoning.empty() && !id.empty()) {
                    needed_reasoning_[id] = reasoning;
                }
                reasoning = item_type(item) == "reasoning" ? id : "";
            }
        }
    }

private:
    static service_refusal duplicate(const std::string& id) {
        return openai_invalid("Duplicate item found with id " + id + ". Remove duplicate items from your input and try again.", "input");
    }

    static service_refusal without_follower(const std::string& id) {
        return openai_invalid("Item '" + id + "' of type 'reasoning' was provided without its required following item.", "input");
    }

    static service_refusal unverified(const std::string& id) {
        return openai_invalid("The encrypted content for item " + id +
                                  " could not be verified. Reason: Encrypted content could not be "
                                  "decrypted or parsed.",
                              {}, "invalid_encrypted_content");
    }

    /// Refuses an item after reasoning that the model did not write after it.
    std::optional<service_refusal> follow_reasoning(const json& item) const {
        if (last_reasoning_.empty()) {
            return std::nullopt;
        }
        const std::string type = item_type(item);
        const bool by_model = type == "function_call" || type == "reasoning" || string_member(item, "role") == "assistant" ||
                              written(string_member(item, "id").value_or("")) != nullptr;
        return by_model ? std::nullopt : std::optional(without_follower(last_reasoning_));
    }

    [[nodiscard]] const json* written(std::string_view id) const {
        for (const openai_written_response& response : service_.written) {
            for (const json& item : response.output) {
                if (!id.empty() && string_member(item, "id") == id) {
                    return &item;
                }
            }
        }
        return nullptr;
    }

    static std::optional<service_refusal> check_form(const json& item, const item_form& form, const std::string& place,
                                                     const std::string& id) {
        if (const std::string name = unknown_member(item, form.members); !name.empty()) {
            return openai_invalid("Unknown parameter: '" + place + "." + name + "'.", place + "." + name, "unknown_parameter");
        }
        if (!id.empty() && !id.starts_with(form.id)) {
            return openai_invalid("Invalid '" + place + ".id': '" + id + "'. Expected an ID that begins with '" + form.id + "'.",
                                  place + ".id", "invalid_value");
        }
        if (const std::string name = missing_member(item, form.required); !name.empty()) {
            return openai_invalid("Missing required parameter: '" + place + "." + name + "'.", place + "." + name,
                                  "missing_required_parameter");
        }
        return std::nullopt;
    }

    std::optional<service_refusal> check_message(const json& item, const std::string& place) {
        const std::string role(string_member(item, "role").value_or(""));
        if (role != "user" && role != "assistant" && role != "system" && role != "developer") {
            return openai_invalid("Invalid value: '" + role + "'. Supported values are: 'assistant', 'system', 'developer', and 'user'.",
                                  place + ".role", "invalid_value");
        }
        last_role_ = role;
        const std::string phase(string_member(item, "phase").value_or("commentary"));
        if (phase != "commentary" && phase != "final_answer") {
            return openai_invalid("Invalid value: '" + phase + "'. Supported values are: 'commentary' and 'final_answer'.",
                                  place + ".phase", "invalid_value");
        }
        const json* content = find_member(item, "content");
        if (content == nullptr || (!content->is_string() && !content->is_array())) {
            return openai_invalid("Invalid type for '" + place + ".content': expected one of a string or array of objects.",
                                  place + ".content", "invalid_type");
        }
        const std::string_view known = role == "assistant" ? "output_text refusal" : "input_text input_image input_file input_audio";
        for (std::size_t i = 0; content->is_array() && i < content->size(); ++i) {
            const std::string type(string_member((*content)[i], "type").value_or(""));
            if (!unknown_member(json::object({{type, nullptr}}), known).empty()) {
                return openai_invalid("Invalid value: '" + type + "'. Supported values are: " + std::string(known) + ".",
                                      place + ".content[" + std::to_string(i) + "]", "invalid_value");
            }
        }
        return std::nullopt;
    }

    std::optional<service_refusal> check_call(const json& item, const std::string& place) {
        last_role_ = "call";
        const std::string id(string_member(item, "call_id").value_or(""));
        if (id.empty() || id.size() > 64) {
            return openai_invalid("Invalid '" + place + ".call_id': expected a string with a length from 1 to 64.", place + ".call_id",
                                  id.empty() ? "empty_string" : "string_above_max_length");
        }
        if (!string_member(item, "arguments")) {
            return openai_invalid("Invalid type for '" + place + ".arguments': expected a string.", place + ".arguments", "invalid_type");
        }
        return calls_.emplace(id, false).second ? std::nullopt
                                                : std::optional(duplicate(std::string(string_member(item, "id").value_or(id))));
    }

    std::optional<service_refusal> check_output(const json& item, const std::string& place) {
        last_role_ = "output";
        const std::string id(string_member(item, "call_id").value_or(""));
        const auto call = calls_.find(id);
        if (call == calls_.end()) {
            return openai_invalid("No tool call found for function call output with call_id " + id + ".", "input");
        }
        if (std::exchange(call->second, true)) {
            return openai_invalid("Duplicate function call output with call_id " + id + ".", "input");
        }
        const json* output = find_member(item, "output");
        return output != nullptr && (output->is_string() || output->is_array())
                   ? std::nullopt
                   : std::optional(openai_invalid("Invalid type for '" + place + ".output': expected one of a string or array of objects.",
                                                  place + ".output", "invalid_type"));
    }

    std::optional<service_refusal> check_reasoning_item(const json& item, const std::string& id, bool known) const {
        const bool encrypted = string_member(item, "encrypted_content").has_value();
        if (encrypted && !known) {
            return unverified(id);
        }
        if (encrypted || (known && stores_)) {
            return std::nullopt;
        }
        return service_refusal{404,
                               openai_error_body("Item with id '" + id +
                                                     "' not found. Items are not persisted when `store` is set to false. Try again with "
                                                     "`store` set to true, or remove this item from your input.",
                                                 "invalid_request_error", "input")};
    }

    const openai_service& service_;
    bool stores_;
    std::map<std::string, std::string> needed_reasoning_ = {};  ///< of the item with this id
    std::map<std::string, bool> calls_ = {};                    ///< by `call_id`: whether the call has an output
    std::set<std::string> ids_ = {};
    std::string last_reasoning_ = {};  ///< the id of the last item, if it is reasoning
    std::string last_role_ = {};
};

const openai_written_response* stored_response(std::string_view id, const openai_service& service) {
    const auto& all = service.written;
    const auto found =
        std::find_if(all.begin(), all.end(), [id](const openai_written_response& one) { return one.stored && one.id == id; });
    return found != all.end() ? &*found : nullptr;
}

}  // namespace

json response_items(const json& request, const openai_service& service) {
    json items = json::array();
    const auto append = [&items](const json& more) { items.insert(items.end(), more.begin(), more.end()); };
    if (const auto previous = string_member(request, "previous_response_id")) {
        if (const openai_written_response* found = stored_response(*previous, service)) {
            append(found->input);
            append(found->output);
        }
    }
    const json* input = find_member(request, "input");
    if (input != nullptr && input->is_array()) {
        append(*input);
    } else if (input != nullptr) {
        items.push_back(json::object({{"role", "user"}, {"content", *input}}));
    }
    return items;
}

std::optional<service_refusal> check_response_input(const json& request, const openai_service& service) {
    const auto previous = string_member(request, "previous_response_id");
    if (previous && stored_response(*previous, service) == nullptr) {
        return openai_invalid("Previous response with id '" + std::string(*previous) + "' not found.", "previous_response_id",
                              "previous_response_not_found");
    }
    const json items = response_items(request, service);
    if (items.empty()) {
        return openai_invalid("Invalid 'input': empty array. Expected an array with minimum length 1, but got an empty array instead.",
                              "input", "empty_array");
    }
    input_check check(service, bool_member(request, "store").value_or(true));
    check.learn();
    for (std::size_t i = 0; i < items.size(); ++i) {
        if (auto refusal = check.add(items[i], i)) {
            return refusal;
        }
    }
    return check.end();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
