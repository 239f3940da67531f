#pragma once
/// The Responses API as a transport: replies from a script, and the rules that a stateless request has to obey.
#include <pyaichat/openai/openai.hpp>

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

class responses_double {
    using json = pyaichat::json;

public:
    void reply(int status, const json& body) { shared_->script.push_back({.status = status, .body = pyaichat::dump_json(body)}); }
    /// The bodies of all requests.
    [[nodiscard]] const std::vector<std::string>& bodies() const { return shared_->bodies; }
    /// What was wrong with the requests.
    [[nodiscard]] const std::vector<std::string>& faults() const { return shared_->faults; }

    pyaichat::result<pyaichat::http_response> send(const pyaichat::http_request& request, const pyaichat::cancel_token&) {
        shared_->bodies.push_back(request.body);
        const auto body = pyaichat::parse_json(request.body);
        const json* input = body ? pyaichat::find_member(*body, "input") : nullptr;
        check(input != nullptr ? *input : json());
        if (shared_->script.empty()) {
            return pyaichat::failure{.code = pyaichat::errc::connection_failed, .message = "the script is over"};
        }
        pyaichat::http_response next = std::move(shared_->script.front());
        shared_->script.erase(shared_->script.begin());
        const auto sent = pyaichat::parse_json(next.body);
        if (const json* output = sent ? pyaichat::find_member(*sent, "output") : nullptr) {
            shared_->written.insert(shared_->written.end(), output->begin(), output->end());
        }
        return next;
    }
    pyaichat::result<pyaichat::http_response> stream(const pyaichat::http_request& request, const pyaichat::http_body_sink&,
                                                     const pyaichat::cancel_token& cancel) {
        return send(request, cancel);
    }

private:
    static std::string text_of(const json& item, const char* name) { return std::string(pyaichat::string_member(item, name).value_or("")); }

    void fault(std::string what) { shared_->faults.push_back(std::move(what)); }

    void check_pieces(const json& pieces) {
        for (const json& piece : pieces) {
            const bool is_text = text_of(piece, "type") == "input_text" && pyaichat::string_member(piece, "text");
            const bool is_image = text_of(piece, "type") == "input_image" && text_of(piece, "image_url").starts_with("data:image/");
            if (!is_text && !is_image) {
                fault("a piece is neither text nor image: " + pyaichat::dump_json(piece));
            }
        }
    }

    void check(const json& input) {
        std::set<std::string> open;
        std::set<std::string> called;
        for (const json& item : input) {
            const std::string type = text_of(item, "type");
            if (type == "function_call_output") {
                if (open.erase(text_of(item, "call_id")) == 0) {
                    fault("an output has no call: " + text_of(item, "call_id"));
                }
                check_pieces(item["output"].is_array() ? item["output"] : json::array());
                continue;
            }
            if (!open.empty() && type != "function_call") {
                fault("No tool output found for function call " + *open.begin() + ".");
            }
            if (type == "function_call") {
                const std::string id = text_of(item, "call_id");
                if (!called.insert(id).second || id.size() > 40) {
                    fault("the id of a call is not unique or too long: " + id);
                }
                open.insert(id);
            }
            const bool is_own = std::find(shared_->written.begin(), shared_->written.end(), item) != shared_->written.end();
            const bool is_call =
                type == "function_call" && item.size() == 4 && text_of(item, "name") != "" && text_of(item, "arguments") != "";
            const bool is_message = (text_of(item, "role") == "user" || text_of(item, "role") == "assistant") && item.size() == 2;
            if (!is_own && !is_call && !is_message) {
                fault("an item is not one of this service: " + pyaichat::dump_json(item));
            }
            if (is_message && item["content"].is_array()) {
                check_pieces(item["content"]);
            }
        }
        if (!open.empty()) {
            fault("No tool output found for function call " + *open.begin() + ".");
        }
    }

    struct log {
        std::vector<pyaichat::http_response> script = {};
        std::vector<std::string> bodies = {};
        std::vector<std::string> faults = {};
        std::vector<json> written = {};  ///< all items of all responses
    };
    std::shared_ptr<log> shared_ = std::make_shared<log>();
};
