#include "python/look/path.hpp"

#include <pyaichat/core/text.hpp>

#include "fuzz.hpp"

namespace ai = pyaichat;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace ai::python::detail;
    const auto read = parse_path(fuzz::text_of(data, size));
    if (!read) {
        fuzz::must(read.error().code == ai::errc::not_allowed, "what is no path is not allowed");
        fuzz::must(ai::detail::is_utf8(read.error().message), "a failure's message is UTF-8");
        return 0;
    }
    fuzz::must(size <= max_path_bytes && read->steps.size() <= max_path_steps, "a path is short");
    fuzz::must(!read->root.empty() && read->root.find('(') == std::string::npos, "a path begins with a name");
    for (const path_step& step : read->steps) {
        fuzz::must(!step.text.empty(), "a step is there as written");
    }
    return 0;
}
