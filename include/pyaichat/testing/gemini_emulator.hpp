#pragma once
#include <pyaichat/testing/gemini_reply.hpp>
#include <pyaichat/testing/gemini_request_checker.hpp>

#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// A request that the emulator has received, legal or not.
struct recorded_request {
    std::string method = {};
    std::string path = {};
    std::string query = {};  ///< without `?`
    std::vector<http_header> headers = {};
    std::string text = {};                       ///< the body as sent
    json body = {};                              ///< the body as JSON, null when it is none
    int connection = 0;                          ///< 1 for the first connection, so that tests can see which requests shared one
    std::optional<gemini_refusal> refusal = {};  ///< why it was refused, if it was

    /// The value of a header, compared without case; empty when there is none.
    [[nodiscard]] std::string header(std::string_view name) const;
    /// What this member holds in each part that has it, in order through all contents: `every("thoughtSignature")`,
    /// `every("functionResponse")`.
    [[nodiscard]] std::vector<json> every(std::string_view part_member) const;
};

struct gemini_emulator_options {
    gemini_service service = {};
    bool strict = true;  ///< refuse what the service would refuse; otherwise every question gets the next reply
    int port = 0;        ///< 0 = a free one
    /// Told of every request as it arrives, on a thread of the emulator, one at a time. It asks nothing of the emulator.
    std::function<void(const recorded_request&)> on_request = {};
};

/// The Gemini Developer API on 127.0.0.1, for tests: a real HTTP server on a free port, strict like the service, scripted and recording.
///
/// Serves `generateContent`, `streamGenerateContent`, `countTokens`, `GET models` and `GET models/{model}` under `v1`, `v1beta` and
/// `v1alpha`. A legal request to generate takes the next reply of the script; one that is not legal is refused and takes none. The other
/// methods are answered from `service`, unless the script has a reply for them. Safe to use from several threads. Threads, sockets and
/// signals are its own: the process's signal dispositions stay as they are.
class gemini_emulator {
public:
    /// Makes the reply to a request; called on a thread of the emulator, for several connections at once.
    using handler = std::function<gemini_reply(const recorded_request&)>;

    explicit gemini_emulator(gemini_emulator_options options = {});
    explicit gemini_emulator(std::initializer_list<gemini_reply> script);
    /// Ends every connection, also those that hang.
    ~gemini_emulator();

    /// "http://127.0.0.1:41234"
    [[nodiscard]] std::string base_url() const;
    /// 0 when the port that was asked for cannot be had.
    [[nodiscard]] int port() const noexcept;

    /// Adds a reply to the end of the script.
    void enqueue(gemini_reply reply);
    /// Answers when the script is over. Without one, that is an HTTP 500 that says so.
    void otherwise(handler answer);

    /// Everything received so far, in the order of arrival.
    [[nodiscard]] std::vector<recorded_request> requests() const;
    /// Waits until `count` requests have been received; false when that did not happen within `patience`.
    [[nodiscard]] bool wait_for_requests(std::size_t count, duration patience) const;
    /// How many replies of the script nobody has taken.
    [[nodiscard]] std::size_t replies_left() const;
    /// How many connections were accepted.
    [[nodiscard]] int connections() const;

private:
    struct state;
    std::unique_ptr<state> state_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
