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
    std::string list;
    for (auto member = arguments.begin(); arguments.is_object() && member != arguments.end(); ++member) {
        list += list.empty() ? "" : ", ";
        list += arguments.size() == 1 ? "" : member.key() + "=";  // a single argument needs no name
        list += value_text(member.value());
    }
    return std::string(name) + "(" + list + ")";
}

}  // namespace pyaichat::inline PYAICHAT_ABI
