#pragma once
#include <pyaichat/config/config.hpp>

#include <functional>
#include <memory>
#include <optional>
#include <string_view>

struct z_stream_s;

namespace pyaichat::inline PYAICHAT_ABI::net {

/// The value of `Accept-Encoding` for what `content_decoder` decodes.
inline constexpr std::string_view accepted_encodings = "gzip, deflate";

/// Decompresses the body of a response, piece by piece. No I/O. The memory does not depend on the body: what comes out is passed on in
/// pieces of 16 KiB, and whoever takes them stops when it has enough.
class content_decoder {
public:
    /// Takes the next piece. Returns whether to go on.
    using receiver = std::function<bool(std::string_view piece)>;

    /// `encoding` is the value of `Content-Encoding`, empty if there is none. Returns null for an encoding that is not known.
    [[nodiscard]] static std::optional<content_decoder> of(std::string_view encoding);

    content_decoder(content_decoder&&) noexcept;
    content_decoder& operator=(content_decoder&&) noexcept;
    ~content_decoder();

    /// Decodes the next bytes. Returns false if the bytes are corrupt or the receiver has stopped; then it must not be called again.
    [[nodiscard]] bool take(std::string_view bytes, const receiver& out);
    /// Returns whether the bytes so far are a whole body. A body that ends earlier was cut off.
    [[nodiscard]] bool complete() const noexcept;

private:
    enum class coding : unsigned char { identity, gzip, deflate };

    explicit content_decoder(coding how) noexcept : coding_(how) {}
    [[nodiscard]] bool begin(unsigned char first);
    [[nodiscard]] bool next_member();

    struct end_stream {
        void operator()(z_stream_s* stream) const noexcept;
    };

    coding coding_;
    std::unique_ptr<z_stream_s, end_stream> stream_ = {};  ///< from the first byte on; null for `identity`
    bool ended_ = false;                                   ///< the last member is complete
};

}  // namespace pyaichat::inline PYAICHAT_ABI::net
