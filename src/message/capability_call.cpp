#include <pyaichat/message/capability_call.hpp>

#include <pyaichat/core/text.hpp>

namespace pyaichat::inline PYAICHAT_ABI {

namespace {

constexpr std::size_t longest_value = 60;

std::string value_text(const json& value) {
    const auto text = as_string(value);
    return detail::one_line(text ? std::string(*text) : dump_json(value), longest_value);
}

}  // namespace

std::string describe_call(std::string_view name, const json& arguments) {
    std::string line = std::string(name) + "(";
    if (arguments.is_object()) {
        bool first = true;
        for (auto member = arguments.begin(); member != arguments.end(); ++member) {
            line += first ? "" : ", ";
            first = false;
            // One argument speaks for itself.
            line += arguments.size() == 1 ? "" : member.key() + "=";
            line += value_text(member.value());
        }
    }
    return line + ")";
}

}  // namespace pyaichat::inline PYAICHAT_ABI
