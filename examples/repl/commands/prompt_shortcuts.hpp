#pragma once
#include "python/python_runner.hpp"
#include "terminal/screen.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace repl {

/// What `name?` or `name??` asks for.
struct help_request {
    std::string expression = {};
    bool source = false;

    friend bool operator==(const help_request&, const help_request&) = default;
};

/// Reads `name?`, `name??`, `?name` and `??name`, where the name may have attributes and items. Returns nothing for other entries.
[[nodiscard]] std::optional<help_request> read_help_request(std::string_view entry);

/// Answers an entry at `py>` that is not Python: `name?` and `name??`. Returns false if it is neither.
[[nodiscard]] bool answer_at_prompt(std::string_view entry, python_runner& python, screen& screen);

}  // namespace repl
