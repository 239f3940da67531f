// The output of a program for a person's terminal: no sequence but colours is left, and it is the same however the output is split.
#include "shell/text/safe_output.hpp"

#include <pyaichat/core/text.hpp>

#include "fuzz.hpp"

#include <algorithm>

namespace {

void check(std::string_view out) {
    fuzz::must(pyaichat::detail::is_utf8(out), "the text is valid");
    for (std::size_t at = 0; at < out.size(); ++at) {
        const auto byte = static_cast<unsigned char>(out[at]);
        if (byte == 0x1B) {
            fuzz::must(out.substr(at + 1).starts_with('['), "only control sequences are left");
            at = out.find_first_not_of("0123456789;:", at + 2);
            fuzz::must(at != std::string_view::npos && out[at] == 'm', "only colours are left");
        } else {
            fuzz::must(byte == '\n' || byte == '\t' || (byte >= 0x20 && byte != 0x7F), "no control is left");
            const bool c1 = byte == 0xC2 && at + 1 < out.size() && static_cast<unsigned char>(out[at + 1]) < 0xA0;
            fuzz::must(!c1, "no eight-bit control is left");
        }
    }
}

std::string transcript(std::string_view bytes, std::size_t size) {
    pyaichat::detail::safe_output filter;
    std::string out;
    for (; !bytes.empty(); bytes.remove_prefix(std::min(size, bytes.size()))) {
        const std::string piece(bytes.substr(0, size));
        filter.feed(piece, out);
    }
    filter.finish(out);
    check(out);
    return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    return fuzz::compare_splits(data, size, transcript);
}
