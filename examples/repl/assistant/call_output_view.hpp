#pragma once
#include <string>
#include <string_view>

namespace repl {

/// Shows the output of a call under its line: indented, and dim in a terminal with colours.
class call_output_view {
public:
    explicit call_output_view(bool styled) : styled_(styled) {}

    /// Returns a piece of the output as it is shown. The piece is safe for a terminal: its only sequences are styles.
    [[nodiscard]] std::string feed(std::string_view text);
    /// Returns what ends the output.
    [[nodiscard]] std::string finish();

private:
    bool styled_;
    bool line_open_ = false;
};

}  // namespace repl
