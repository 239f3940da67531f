#pragma once
#include "net/json_stream.hpp"
#include "openai/chat_assembly.hpp"
#include "openai/decode.hpp"
#include "openai/errors.hpp"
#include "openai/responses_assembly.hpp"

#include <optional>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::openai_codec {

/// Reads the body of a response incrementally: events, or one JSON document.
class completion_reader {
public:
    completion_reader(const delta_sink& sink, decode_style decoding, const error_style& errors, std::size_t max_bytes,
                      json_budget budget = {});
    completion_reader(const completion_reader&) = delete;
    completion_reader& operator=(const completion_reader&) = delete;
    virtual ~completion_reader() = default;

    /// Parses the next piece. Returns false after an error, which `finish` returns.
    [[nodiscard]] bool feed(std::string_view piece) { return stream_.feed(piece); }

    /// Ends the stream and returns the response. Fails with `connection_failed` (cut), `bad_response` (cannot be parsed), `too_large`, or
    /// the error that the service sent in the stream. After a failure, the sink has withdrawn what was shown.
    [[nodiscard]] result<model_response> finish();

protected:
    /// Takes a chunk, which is an object and not an error. Returns a failure, or a response that ends the stream.
    [[nodiscard]] virtual std::optional<result<model_response>> add(json chunk, const delta_sink& sink) = 0;
    /// Returns whether the stream ended too early. `done` says that it ended with `[DONE]`.
    [[nodiscard]] virtual bool interrupted(bool done) const = 0;
    /// Returns the response that the chunks amount to.
    [[nodiscard]] virtual result<model_response> assemble(const decode_style& decoding) = 0;

    [[nodiscard]] const error_style& errors() const noexcept { return errors_; }

private:
    [[nodiscard]] std::optional<failure> take_chunk(json chunk, std::string_view type);
    [[nodiscard]] result<model_response> outcome();
    [[nodiscard]] std::optional<failure> settle(result<model_response> read);

    delta_sink sink_;  ///< notes that something was shown
    delta_sink shown_to_;
    bool shown_ = false;
    decode_style decoding_;
    error_style errors_;
    net::json_stream stream_;
    std::optional<model_response> settled_ = {};  ///< an error in the stream that is a response
};

/// Reads a chat completion.
class chat_reader final : public completion_reader {
public:
    using completion_reader::completion_reader;

private:
    std::optional<result<model_response>> add(json chunk, const delta_sink& sink) override;
    bool interrupted(bool done) const override { return !done && chunks_.unfinished(); }
    result<model_response> assemble(const decode_style& decoding) override { return decode_completion(chunks_.take(), decoding); }

    chat_assembly chunks_ = {};
};

/// Reads a response of the Responses API.
class responses_reader final : public completion_reader {
public:
    using completion_reader::completion_reader;

private:
    std::optional<result<model_response>> add(json chunk, const delta_sink& sink) override;
    bool interrupted(bool) const override { return !events_.complete(); }
    result<model_response> assemble(const decode_style& decoding) override;

    responses_assembly events_ = {};
};

}  // namespace pyaichat::inline PYAICHAT_ABI::openai_codec
