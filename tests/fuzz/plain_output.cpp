// The plain text of a program's output: valid, without controls, and the same however the output is split.
#include "shell/text/plain_output.hpp"

#include <pyaichat/core/text.hpp>

#include "fuzz.hpp"

#include <algorithm>

namespace {

std::string transcript(std::string_view bytes, std::size_t size) {
    pyaichat::detail::plain_output filter;
    std::string out;
    for (; !bytes.empty(); bytes.remove_prefix(std::min(size, bytes.size()))) {
        const std::string piece(bytes.substr(0, size));
        filter.feed(piece, out);
    }
    filter.finish(out);
    fuzz::must(pyaichat::detail::is_utf8(out), "the text is valid");
    for (const char byte : out) {
        fuzz::must(byte == '\n' || byte == '\t' || static_cast<unsigned char>(byte) >= 0x20, "no control is left");
        fuzz::must(byte != '\x7F', "no DEL is left");
    }
    return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return fuzz::compare_splits(data, size, transcript);
}
