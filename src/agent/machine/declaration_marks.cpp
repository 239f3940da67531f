#include "agent/machine/declaration_marks.hpp"

#include "core/fingerprint.hpp"
#include "message/stored_form.hpp"

namespace pyaichat::inline PYAICHAT_ABI::detail {

bool is_mark_of(std::string_view mark, const capability_spec& spec) {
    if (mark.size() == 16) {  // up to format 2 of snapshots
        return mark == hexadecimal(fingerprint(dump_json(spec.parameters) + "\n" + std::string(to_string(spec.effects)) + "\n" +
                                               std::string(to_string(spec.from))));
    }
    return mark == mark_of(spec);
}

std::string mark_of(const capability_spec& spec) {
    return "3-" + hexadecimal(fingerprint(dump_json(written(spec))));
}

std::map<std::string, std::string> marks_of(const capability_list& declared) {
    std::map<std::string, std::string> marks;
    for (const capability_spec& spec : declared) {
        marks.emplace(spec.name, mark_of(spec));
    }
    return marks;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
