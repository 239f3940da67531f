#include "testing/conformance/gzip_bytes.hpp"

#include <pyaichat/config/config.hpp>

#include <cstdint>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

// Written here because the room has no zlib.

constexpr std::string_view gzip_head("\x1f\x8b\x08\0\0\0\0\0\0\xff", 10);

void append_little_endian(std::string& bytes, std::uint32_t number, int count) {
    for (int i = 0; i < count; ++i) {
        bytes += static_cast<char>(number >> (8 * i) & 0xff);
    }
}

std::uint32_t crc_of_byte(std::uint32_t crc, unsigned char byte) {
    constexpr std::uint32_t polynomial = 0xedb88320;
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit) {
        crc = (crc & 1) != 0 ? crc >> 1 ^ polynomial : crc >> 1;
    }
    return crc;
}

/// Packs bits as DEFLATE does (RFC 1951): the lowest bit of a byte first.
class bit_writer {
public:
    /// Appends the bits of a Huffman code, its highest bit first.
    void code(unsigned bits, int count) {
        while (count-- > 0) {
            bit((bits >> count & 1) != 0);
        }
    }
    [[nodiscard]] std::string take() && {
        while (used_ != 0) {
            bit(false);
        }
        return std::move(bytes_);
    }

private:
    void bit(bool set) {
        pending_ = static_cast<unsigned char>(pending_ | (set ? 1U << used_ : 0U));
        if (++used_ == 8) {
            bytes_ += static_cast<char>(pending_);
            pending_ = 0;
            used_ = 0;
        }
    }
    std::string bytes_;
    unsigned char pending_ = 0;
    int used_ = 0;
};

}  // namespace

std::string gzip_of(std::string_view text) {
    std::string bytes(gzip_head);
    bytes += '\x01';  // the last block, stored
    append_little_endian(bytes, static_cast<std::uint32_t>(text.size()), 2);
    append_little_endian(bytes, ~static_cast<std::uint32_t>(text.size()), 2);
    bytes += text;
    std::uint32_t crc = 0xffffffff;
    for (const char byte : text) {
        crc = crc_of_byte(crc, static_cast<unsigned char>(byte));
    }
    append_little_endian(bytes, ~crc, 4);
    append_little_endian(bytes, static_cast<std::uint32_t>(text.size()), 4);
    return bytes;
}

std::string gzip_of_blanks(std::size_t bytes) {
    constexpr std::size_t longest_copy = 258;
    constexpr char blank = ' ';
    std::uint32_t crc = crc_of_byte(0xffffffff, blank);
    std::size_t size = 1;
    bit_writer block;
    block.code(0b1, 1);                                  // the last block
    block.code(0b10, 2);                                 // with fixed codes: 01, lowest bit first
    block.code(0x30 + static_cast<unsigned>(blank), 8);  // one literal
    while (size < bytes) {
        block.code(0b11000101, 8);  // copy 258 bytes
        block.code(0, 5);           // from one byte before
        for (std::size_t i = 0; i < longest_copy; ++i) {
            crc = crc_of_byte(crc, blank);
        }
        size += longest_copy;
    }
    block.code(0, 7);  // end of the block
    std::string all(gzip_head);
    all += std::move(block).take();
    append_little_endian(all, ~crc, 4);
    append_little_endian(all, static_cast<std::uint32_t>(size), 4);
    return all;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
