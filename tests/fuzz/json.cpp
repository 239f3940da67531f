#include <pyaichat/core/json.hpp>
#include <pyaichat/core/text.hpp>

#include "fuzz.hpp"

#include <string>

namespace ai = pyaichat;

/// What was read can be written, and the text of it is stable.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const ai::result<ai::json> value = ai::parse_json(fuzz::text_of(data, size));
    if (!value) {
        fuzz::must(ai::detail::is_utf8(value.error().message), "a failure's message is UTF-8");
        return 0;
    }
    fuzz::must(!ai::nests_deeper_than(*value, ai::max_json_depth), "what is read is no deeper than allowed");
    const std::string text = ai::dump_json(*value);
    fuzz::must(ai::detail::is_utf8(text), "what is written is UTF-8");
    const ai::result<ai::json> again = ai::parse_json(text);
    fuzz::must(again.has_value(), "what is written can be read");
    fuzz::must(ai::dump_json(*again) == text, "what is read again is written alike");
    fuzz::must(ai::parse_json(ai::dump_json(*value, 2)).has_value(), "so can what is written with indents");
    if (const auto integer = ai::as_integer(*value)) {
        fuzz::must(ai::as_number(*value) == static_cast<double>(*integer), "an integer is the number that it is");
    }
    fuzz::must(ai::find_member(*value, "a") == nullptr || value->is_object(), "only objects have members");
    return 0;
}
