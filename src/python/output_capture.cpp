#include "python/output_capture.hpp"

#include <pyaichat/core/text.hpp>

#include <utility>

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
    std::shared_ptr<output_sink> target;
    {
        const std::lock_guard guard(mutex_);
        target = current_ ? current_ : between_;
    }
    target->write(stream, text);
}

output_switch::redirection::redirection(output_switch& target, std::shared_ptr<output_sink> sink) : target_(target) {
    std::shared_ptr<output_sink> background = std::make_shared<output_sink>();
    {
        const std::lock_guard guard(target_.mutex_);
        previous_ = std::exchange(target_.current_, sink);
        std::swap(background, target_.between_);
    }
    for (const output_stream stream : {output_stream::out, output_stream::err}) {
        if (const std::string text = background->text(stream); !text.empty()) {
            sink->write(stream, text);
        }
    }
}

output_switch::redirection::~redirection() {
    const std::lock_guard guard(target_.mutex_);
    target_.current_ = std::move(previous_);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
