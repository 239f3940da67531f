#include "anthropic/call_ids.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <cstddef>

namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec {

namespace {

bool is_plain(char c) {
    return detail::is_letter(c) || detail::is_digit(c) || c == '_' || c == '-';
}

}  // namespace

std::string plain_name(std::string_view name) {
    constexpr std::size_t longest = 64;
    std::string out(name.substr(0, longest));
    std::replace_if(out.begin(), out.end(), [](char c) { return !is_plain(c); }, '_');
    return out;
}

std::string call_ids::take(std::string_view id) {
    const bool acceptable = !id.empty() && std::all_of(id.begin(), id.end(), is_plain);
    std::string base = acceptable ? std::string(id) : plain_name(id);
    if (base.empty()) {
        base = "toolu";
    }
    std::string chosen = base;
    for (std::size_t number = used_.size() + 1; !used_.insert(chosen).second; ++number) {
        chosen = base + "_" + std::to_string(number);
    }
    return chosen;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec
