#include "agent/machine/declaration_marks.hpp"

#include "agent/machine/fingerprint.hpp"

namespace pyaichat::inline PYAICHAT_ABI::detail {

std::string mark_of(const capability_spec& spec) {
    return hexadecimal(
        fingerprint(dump_json(spec.parameters) + "\n" + std::string(to_string(spec.effects)) + "\n" + std::string(to_string(spec.from))));
}

std::map<std::string, std::string> marks_of(const capability_list& declared) {
    std::map<std::string, std::string> marks;
    for (const capability_spec& spec : declared) {
        marks.emplace(spec.name, mark_of(spec));
    }
    return marks;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
