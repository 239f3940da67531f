#include <pyaichat/testing/recorded_request.hpp>

#include "testing/emulation/loopback_server.hpp"

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

void collect(const json& value, std::string_view member, std::vector<json>& to) {
    if (value.is_object()) {
        for (const auto& [name, inner] : value.items()) {
            if (name == member) {
                to.push_back(inner);
            } else {
                collect(inner, member, to);
            }
        }
    } else if (value.is_array()) {
        for (const json& element : value) {
            collect(element, member, to);
        }
    }
}

}  // namespace

std::string service_refusal::message() const {
    const json* error = find_member(body, "error");
    return error != nullptr ? std::string(string_member(*error, "message").value_or("")) : std::string();
}

std::string recorded_request::header(std::string_view name) const {
    return header_value(headers, name);
}

std::vector<json> recorded_request::every(std::string_view member) const {
    std::vector<json> out;
    collect(body, member, out);
    return out;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
