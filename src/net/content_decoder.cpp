#include "net/content_decoder.hpp"

#include <pyaichat/core/text.hpp>

#include <zlib.h>

#include <algorithm>
#include <array>
#include <climits>
#include <memory>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::net {

void content_decoder::end_stream::operator()(z_stream_s* stream) const noexcept {
    inflateEnd(stream);
    delete stream;
}

content_decoder::content_decoder(content_decoder&&) noexcept = default;
content_decoder& content_decoder::operator=(content_decoder&&) noexcept = default;
content_decoder::~content_decoder() = default;

std::optional<content_decoder> content_decoder::of(std::string_view encoding) {
    const auto is = [&](std::string_view name) { return detail::equals_ignoring_case(encoding, name); };
    if (encoding.empty() || is("identity")) {
        return content_decoder(coding::identity);
    }
    if (is("gzip") || is("x-gzip")) {
        return content_decoder(coding::gzip);
    }
    if (is("deflate")) {
        return content_decoder(coding::deflate);
    }
    return std::nullopt;
}

bool content_decoder::begin(unsigned char first) {
    // "deflate" means the zlib format (RFC 9110, 8.4.1.2), whose first byte has an 8 in its low half. Some servers send bare deflate
    // blocks. These could begin so only with a stored block and a set padding bit, which no known encoder writes.
    constexpr int gzip_format = 15 + 16;
    constexpr int zlib_format = 15;
    constexpr int bare_format = -15;
    const int format = coding_ == coding::gzip ? gzip_format : (first & 0x0f) == Z_DEFLATED ? zlib_format : bare_format;
    auto stream = std::make_unique<z_stream>();
    if (inflateInit2(stream.get(), format) != Z_OK) {
        return false;
    }
    stream_.reset(stream.release());
    return true;
}

bool content_decoder::next_member() {
    ended_ = false;
    return inflateReset(stream_.get()) == Z_OK;
}

bool content_decoder::take(std::string_view bytes, const receiver& out) {
    if (coding_ == coding::identity) {
        return bytes.empty() || out(bytes);
    }
    std::array<char, 16'384> decoded;
    while (!bytes.empty()) {
        if (stream_ == nullptr && !begin(static_cast<unsigned char>(bytes.front()))) {
            return false;
        }
        if (ended_) {
            constexpr char first_of_gzip = '\x1f';
            if (coding_ != coding::gzip || bytes.front() != first_of_gzip) {
                return true;  // padding after the end, which some servers send
            }
            if (!next_member()) {
                return false;
            }
        }
        z_stream& stream = *stream_;
        const std::string_view part = bytes.substr(0, UINT_MAX);
        // zlib does not write to its input; its interface has no const.
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(part.data()));
        stream.avail_in = static_cast<uInt>(part.size());
        int outcome = Z_OK;
        do {
            stream.next_out = reinterpret_cast<Bytef*>(decoded.data());
            stream.avail_out = static_cast<uInt>(decoded.size());
            outcome = inflate(&stream, Z_NO_FLUSH);
            if (outcome != Z_OK && outcome != Z_STREAM_END && outcome != Z_BUF_ERROR) {
                return false;
            }
            const std::size_t count = decoded.size() - stream.avail_out;
            if (count > 0 && !out({decoded.data(), count})) {
                return false;
            }
        } while (outcome == Z_OK && (stream.avail_in > 0 || stream.avail_out == 0));
        ended_ = outcome == Z_STREAM_END;
        bytes.remove_prefix(part.size() - stream.avail_in);
    }
    return true;
}

bool content_decoder::complete() const noexcept {
    return coding_ == coding::identity || stream_ == nullptr || ended_;  // an empty body is complete in every encoding
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
