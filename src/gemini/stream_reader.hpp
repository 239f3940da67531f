#pragma once
#include "gemini/errors.hpp"
#include "gemini/stream_assembly.hpp"

#include <pyaichat/net/sse.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

/// Reads the body of `streamGenerateContent?alt=sse` as it arrives. Bodies that are no event stream are read too: one JSON document, or the
/// array that the service sends without `alt=sse`.
class stream_reader {
public:
    stream_reader(const delta_sink& sink, std::string writer, const advice& names, std::size_t max_bytes)
        : sink_(sink), writer_(std::move(writer)), names_(names), limit_(max_bytes), parser_(max_bytes) {}

    /// False when nothing more is wanted: `finish` then says why.
    [[nodiscard]] bool feed(std::string_view piece);

    /// What the stream came to, now that it is over. Fails with the service's error when one stood in the stream, with `connection_failed`
    /// when it was interrupted, with `bad_response` when it cannot be read, and with `too_large`.
    [[nodiscard]] result<model_response> finish();

private:
    void take_event(const net::sse_event& event);
    void take_stray(std::string_view line);
    void take_chunk(json chunk);
    void read_document();
    [[nodiscard]] failure unreadable(std::string_view what, std::string_view text) const;

    delta_sink sink_;
    std::string writer_;
    advice names_;
    std::size_t limit_;
    std::size_t bytes_ = 0;
    net::sse_parser parser_;
    stream_assembly chunks_ = {};
    std::string document_ = {};           ///< the lines that belong to no event
    bool whole_ = false;                  ///< what came was one complete document, so nothing can be missing
    std::optional<failure> failed_ = {};  ///< the first thing that went wrong
};

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
