#include "python/interpreter/output_capture.hpp"

#include <pyaichat/core/text.hpp>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

void output_sink::write(output_stream stream, std::string_view text) {
    const std::lock_guard guard(mutex_);
    stream_text& target = stream == output_stream::out ? out_ : err_;
    const std::string_view fits =
        target.dropped == 0 ? pyaichat::detail::utf8_prefix(text, max_kept_output - target.text.size()) : std::string_view();
    target.text += fits;
    target.dropped += text.size() - fits.size();
    if (observe_) {
        observe_(stream, text);
    }
}

void output_sink::close() {
    const std::lock_guard guard(mutex_);
    observe_ = nullptr;
}

std::string output_sink::text(output_stream stream) const {
    const std::lock_guard guard(mutex_);
    const stream_text& source = stream == output_stream::out ? out_ : err_;
    return source.dropped == 0 ? source.text : source.text + "\n[" + std::to_string(source.dropped) + " more bytes were written]\n";
}

void output_switch::write(output_stream stream, std::string_view text) {
    if (output_sink* only = only_.load()) {
        only->write(stream, text);
        return;
    }
    std::unique_lock guard(mutex_);
    const std::shared_ptr<output_sink> target = current_;
    guard.unlock();
    target->write(stream, text);
}

std::shared_ptr<output_sink> output_switch::exchange(std::shared_ptr<output_sink> sink) {
    const std::lock_guard guard(mutex_);
    return std::exchange(current_, std::move(sink));
}

output_switch::redirection::redirection(output_switch& target, const std::shared_ptr<output_sink>& sink) : target_(target) {
    const std::shared_ptr<output_sink> background = target_.exchange(sink);
    for (const output_stream stream : {output_stream::out, output_stream::err}) {
        if (const std::string text = background->text(stream); !text.empty()) {
            sink->write(stream, text);
        }
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
