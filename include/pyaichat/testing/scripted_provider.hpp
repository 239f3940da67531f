#pragma once
#include <pyaichat/policy/model_provider.hpp>

#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// One entry of a script: a function with the signature of `model_provider::complete`.
using scripted_reply = std::function<result<model_response>(const model_request&, const delta_sink&, const cancel_token&)>;

/// Makes a response with one candidate.
[[nodiscard]] model_response response_of(message content, finish_reason finish = finish_reason::stop, std::string finish_text = "STOP");

/// Returns an entry with which the model answers with a text.
[[nodiscard]] scripted_reply say(std::string text, finish_reason finish = finish_reason::stop);
/// Returns an entry with which the model streams the pieces as deltas, then answers with the whole text.
[[nodiscard]] scripted_reply stream(std::vector<std::string> pieces);
/// Returns an entry with which the model makes these calls, in this order, after an optional text.
[[nodiscard]] scripted_reply calls(std::vector<call_part> calls, std::string commentary = {});
/// Returns an entry with which the model makes one call.
[[nodiscard]] scripted_reply call(std::string name, json arguments = json::object(), std::string id = {});
/// Returns an entry with which the model gives this answer to a question with a schema: as JSON text, or by the function that the request
/// names. The value need not satisfy the schema.
[[nodiscard]] scripted_reply give(json value);
/// Returns an entry with which the attempt returns this response.
[[nodiscard]] scripted_reply respond(model_response response);
/// Returns an entry with which the attempt fails with this code.
[[nodiscard]] scripted_reply fail(errc code, std::optional<duration> retry_after = {}, std::string hint = {});
/// Returns an entry with which the attempt blocks until it is cancelled, then fails with `cancelled`.
[[nodiscard]] scripted_reply hang();

/// A provider that follows a script: each attempt takes the next entry. After the last entry, attempts fail with `internal`. Copies share
/// the script. Thread-safe.
class scripted_provider {
public:
    scripted_provider();  ///< an empty script
    scripted_provider(std::initializer_list<scripted_reply> script);

    /// Records the request and runs the next entry of the script on the calling thread. Returns its result.
    [[nodiscard]] result<model_response> complete(const model_request& request, const delta_sink& sink, const cancel_token& cancel);

    /// Chooses the way in which answers with a schema are given: as text if true, else by a function (the default).
    void take_answer_schemas(bool takes);
    /// See the function `takes_answer_schema`.
    [[nodiscard]] bool takes_answer_schema(const json& schema) const;

    /// Appends an entry to the script.
    void add(scripted_reply reply);
    /// Returns all requests so far, in order.
    [[nodiscard]] std::vector<model_request> requests() const;
    /// Returns the number of requests so far.
    [[nodiscard]] std::size_t request_count() const;

private:
    struct state;
    std::shared_ptr<state> state_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
