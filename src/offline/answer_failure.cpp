#include <pyaichat/core/text.hpp>

#include "offline/answers.hpp"
#include "offline/reply_reader.hpp"

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

constexpr std::size_t longest_message = 1000;

/// Where a frame is: `<session> line 2 in `f`, by `return a / b``.
std::string say_frame(const json& frame) {
    std::string out = text_member(frame, "file");
    if (const auto line = integer_member(frame, "line")) {
        out += " line " + std::to_string(*line);
    }
    const std::string function = text_member(frame, "function");
    if (!function.empty() && function != "<module>") {
        out += " in " + ticked(function);
    }
    const std::string source = text_member(frame, "source_line");
    return out + (is_blank(source) ? "" : ", by " + ticked(one_line(source, 160)));
}

std::string say_place(const json& exception) {
    const json& frames = list_member(exception, "frames");
    if (frames.empty()) {
        return "The last error, " + text_member(exception, "exc_type") + ", has no place: no line of Python had run.";
    }
    std::string out = "The line that failed is in " + say_frame(frames.back()) + ": " + text_member(exception, "exc_type") + ".";
    for (auto frame = frames.rbegin() + 1; frame != frames.rend() && out.size() < 1500; ++frame) {
        out += "\nIt was called from " + say_frame(*frame) + ".";
    }
    return out;
}

/// The value of a variable in the innermost frame that has it.
std::string say_value_then(const json& exception, const std::string& name, lookups& look) {
    const json& frames = list_member(exception, "frames");
    for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
        const json& locals = member(*frame, "locals");
        const json* found = find_member(locals, name);
        if (found == nullptr) {
            continue;
        }
        const std::string function = text_member(*frame, "function");
        const std::string place = function.empty() || function == "<module>" ? "at the top level" : "in " + ticked(function);
        return "When it failed (" + text_member(exception, "exc_type") + "), " + ticked(name) + " was " +
               one_row(text_or_member(*found, "repr"), 300) + " " + place + ".";
    }
    const json* now = look.look_at("get_repr", name);
    const std::string before =
        "No frame of the last error (" + text_member(exception, "exc_type") + ") has a local variable " + ticked(name) + ".";
    return now == nullptr ? look.needed().empty() ? before : std::string()
                          : before + " Now " + ticked(name) + " is " + text_member(*now, "repr") + ".";
}

}  // namespace

std::string say_locals(const json& frame) {
    const json& locals = member(frame, "locals");
    if (!locals.is_object()) {
        return {};
    }
    std::string out;
    for (const auto& [name, value] : locals.items()) {
        out += (out.empty() ? "" : ", ") + name + " = " + one_row(text_or_member(value, "repr"), 60);
    }
    return out.empty() ? out : " There, " + one_row(out, 400) + ".";
}

std::string say_failure(const json& reply) {
    const json& exception = member(reply, "exception");
    if (!exception.is_object()) {
        return "Nothing has failed in this session so far.";
    }
    std::string message = text_member(exception, "message");
    if (message.size() > longest_message) {
        message = std::string(utf8_prefix(message, longest_message - 3)) + "...";
    }
    std::string out = "The last error was " + text_member(exception, "exc_type") + (message.empty() ? "" : ": " + message);
    const json& frames = list_member(exception, "frames");
    return frames.empty() ? out + "." : out + ", raised in " + say_frame(frames.back()) + "." + say_locals(frames.back());
}

std::string answer_failure(const question& asked, lookups& look) {
    const json* found = look.find("get_last_exception");
    if (found == nullptr) {
        return {};
    }
    const json& exception = member(*found, "exception");
    if (!exception.is_object()) {
        return say_failure(*found);
    }
    if (asked.form == question_form::failure_value) {
        return say_value_then(exception, asked.subject, look);
    }
    const std::string traceback = text_member(exception, "traceback");
    if (asked.name == "traceback" && !is_blank(traceback)) {
        return traceback;
    }
    if (asked.name == "fix") {
        return say_failure(*found) + "\nI cannot propose a correction: I am not a language model.";
    }
    return asked.name == "line" ? say_place(exception) : say_failure(*found);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
