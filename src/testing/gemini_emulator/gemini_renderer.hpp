#pragma once
#include <pyaichat/testing/gemini_reply.hpp>

#include "testing/gemini_emulator/gemini_target.hpp"
#include "testing/gemini_emulator/loopback_server.hpp"

#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// What a reply answers.
struct gemini_occasion {
    bool streamed = false;  ///< `streamGenerateContent`
    bool events = false;    ///< ... with `alt=sse`
    std::string model = "gemini-3.8-flash";
    bool call_ids = true;
};

/// Turns a reply into the bytes that answer a request.
class gemini_renderer {
public:
    gemini_renderer(const gemini_reply& reply, const gemini_occasion& occasion) : reply_(reply), occasion_(occasion) {}

    /// The documents of the answer, one an event: what the client gets to see when nothing is cut.
    [[nodiscard]] std::vector<json> documents() const;
    [[nodiscard]] loopback_reply wire() const;

private:
    [[nodiscard]] std::vector<json> content_chunks() const;
    [[nodiscard]] json whole_content() const;
    [[nodiscard]] json chunk(json candidate, bool last, std::size_t number, std::size_t count) const;
    [[nodiscard]] std::vector<std::string> body(std::string& content_type, int& status, bool& chunked) const;

    const gemini_reply& reply_;
    const gemini_occasion& occasion_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
