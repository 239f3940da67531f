#pragma once
#include <pyaichat/testing/gemini_reply.hpp>

#include "testing/emulation/loopback_server.hpp"
#include "testing/gemini_emulator/gemini_target.hpp"

#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// The properties of the request that the rendering depends on.
struct gemini_render_options {
    bool streamed = false;  ///< `streamGenerateContent`
    bool events = false;    ///< ... with `alt=sse`
    std::string model = "gemini-3.8-flash";
    bool call_ids = true;
};

/// Renders a reply as the bytes of a response.
class gemini_renderer {
public:
    gemini_renderer(const gemini_reply& reply, const gemini_render_options& options) : reply_(reply), options_(options) {}

    /// The JSON documents of the whole response, one per event.
    [[nodiscard]] std::vector<json> documents() const;
    [[nodiscard]] loopback_reply wire() const;

private:
    [[nodiscard]] std::vector<json> content_chunks() const;
    [[nodiscard]] json whole_candidate() const;
    [[nodiscard]] json chunk(json candidate, bool last, std::size_t number, std::size_t count) const;
    [[nodiscard]] std::vector<std::string> body(std::string& content_type, int& status, bool& chunked) const;

    const gemini_reply& reply_;
    const gemini_render_options& options_;
};

/// The parts of all candidates of a response. Members of another form are skipped.
[[nodiscard]] std::vector<json*> candidate_parts(json& document);

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
