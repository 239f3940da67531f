#pragma once
#include <pyaichat/policy/model_provider.hpp>

#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// What a scripted model does when it is asked: anything that a provider may do.
using scripted_reply = std::function<result<model_response>(const model_request&, const delta_sink&, const cancel_token&)>;

/// A response with one candidate.
[[nodiscard]] model_response response_of(message content, finish_reason finish = finish_reason::stop, std::string finish_text = "STOP");

/// Answers with a text.
[[nodiscard]] scripted_reply say(std::string text, finish_reason finish = finish_reason::stop);
/// Shows the pieces one by one, then answers with all of them.
[[nodiscard]] scripted_reply stream(std::vector<std::string> pieces);
/// Proposes calls, in this order, with an optional commentary before them.
[[nodiscard]] scripted_reply calls(std::vector<call_part> proposed, std::string commentary = {});
[[nodiscard]] scripted_reply call(std::string name, json arguments = json::object(), std::string id = {});
/// Gives this response.
[[nodiscard]] scripted_reply respond(model_response response);
/// Fails the attempt.
[[nodiscard]] scripted_reply fail(errc code, std::optional<duration> retry_after = {}, std::string hint = {});
/// Does not return before the token is tripped.
[[nodiscard]] scripted_reply hang();

/// A provider that follows a script: one entry an attempt, in order; past its end every attempt fails with `internal`. Copies share the
/// script. Any thread.
class scripted_provider {
public:
    scripted_provider();
    scripted_provider(std::initializer_list<scripted_reply> script);

    [[nodiscard]] result<model_response> complete(const model_request& request, const delta_sink& sink, const cancel_token& cancel);

    void add(scripted_reply reply);
    /// Every request that was made, in order.
    [[nodiscard]] std::vector<model_request> requests() const;
    [[nodiscard]] std::size_t request_count() const;

private:
    struct state;
    std::shared_ptr<state> state_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
