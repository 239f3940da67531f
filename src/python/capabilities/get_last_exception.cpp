#include "python/capabilities/python_capability.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <iterator>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr std::size_t max_shown_message = 2000;
constexpr std::size_t max_shown_traceback = 4000;

struct last_exception_arguments {
    std::optional<std::int64_t> frames = {};
    static constexpr about descriptions[] = {{"frames", "Maximum number of frames, innermost last (default 5).", 1, 50}};
};

capability_reply get_last_exception(capability_context& context, const last_exception_arguments& arguments) {
    json exception;
    if (const std::optional<caught_exception>& last = context.session.last_exception()) {
        const std::vector<json>& frames = last->frames;
        const std::size_t shown = std::min(frames.size(), count_or(arguments.frames, 5));
        std::vector<json> shown_frames;
        std::transform(frames.end() - static_cast<std::ptrdiff_t>(shown), frames.end(), std::back_inserter(shown_frames), &visible_frame);
        std::string message(pyaichat::detail::utf8_prefix(last->info.message, max_shown_message));
        if (message.size() < last->info.message.size()) {
            message += "... [" + std::to_string(last->info.message.size() - message.size()) + " bytes left out]";
        }
        exception = json::object({{"exc_type", last->info.exc_type},
                                  {"message", std::move(message)},
                                  {"traceback", std::string(pyaichat::detail::utf8_suffix(last->info.traceback, max_shown_traceback))},
                                  {"frames", std::move(shown_frames)},
                                  {"frames_total", last->frames_total}});
    }
    const bool used_adapters = context.session.last_exception() && context.session.last_exception()->used_adapters;
    return reply_with(json::object({{"exception", std::move(exception)}, {"tier", used_adapters ? 1 : 0}}));
}

}  // namespace

python_capability get_last_exception_capability() {
    return make_capability("get_last_exception", "exception",
                           "The last uncaught exception in the session: type, message, traceback, and its innermost frames with "
                           "their local variables at that moment. exception is null if nothing has failed.",
                           &get_last_exception);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
