#include "assistant/secrets.hpp"

namespace repl {

void redact(std::string& text, std::string_view secret) {
    constexpr std::string_view mark = "***";
    if (secret.empty()) {
        return;
    }
    for (std::size_t at = text.find(secret); at != std::string::npos; at = text.find(secret, at + mark.size())) {
        text.replace(at, secret.size(), mark);
    }
}

}  // namespace repl
