#include "python/interpreter/output_capture.hpp"

#include <pyaichat/core/text.hpp>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

void bounded_output::append(std::string_view text) {
    using pyaichat::detail::utf8_suffix;
    if (!head_is_full_) {
        const std::string_view fits = pyaichat::detail::utf8_prefix(text, half_ - head_.size());
        head_ += fits;
        text.remove_prefix(fits.size());
        head_is_full_ = !text.empty();
    }
    if (tail_.size() + text.size() <= 2 * half_) {
        tail_ += text;
        return;
    }
    // This copies at most `half_` bytes after that many were written, so each byte costs constant time.
    const std::size_t before = tail_.size() + text.size();
    const std::string_view last = utf8_suffix(text, half_);
    if (last.size() == text.size()) {
        tail_.erase(0, tail_.size() - utf8_suffix(tail_, half_ - last.size()).size());
    } else {
        tail_.clear();
    }
    tail_ += last;
    dropped_ += before - tail_.size();
}

std::string bounded_output::text() const {
    const std::string_view end = dropped_ == 0 && tail_.size() <= half_ ? tail_ : pyaichat::detail::utf8_suffix(tail_, half_);
    const std::size_t left_out = dropped_ + tail_.size() - end.size();
    if (left_out == 0) {
        return head_ + tail_;
    }
    return head_ + "\n[" + std::to_string(left_out) + " bytes left out]\n" + std::string(end);
}

bool output_sink::is_observed() const {
    const std::lock_guard guard(mutex_);
    return static_cast<bool>(observe_);
}

bool output_sink::write(output_stream stream, std::string_view text) {
    const std::lock_guard guard(mutex_);
    if (finished_) {
        return false;
    }
    (stream == output_stream::out ? out_ : err_).append(text);
    if (observe_) {
        observe_(stream, text);
    }
    return true;
}

void output_sink::finish() {
    const std::lock_guard guard(mutex_);
    finished_ = true;
}

void output_sink::close(observer next) {
    const std::lock_guard guard(mutex_);
    observe_.swap(next);  // the old one ends after the lock
}

std::string output_sink::text(output_stream stream) const {
    const std::lock_guard guard(mutex_);
    return (stream == output_stream::out ? out_ : err_).text();
}

void output_switch::write(output_stream stream, std::string_view text) {
    if (output_sink* only = only_.load()) {
        static_cast<void>(only->write(stream, text));
        return;
    }
    std::shared_ptr<output_sink> target;
    do {  // again if the command has ended in the meantime
        const std::lock_guard guard(mutex_);
        target = current_;
    } while (!target->write(stream, text));
}

std::shared_ptr<output_sink> output_switch::exchange(std::shared_ptr<output_sink> sink) {
    const std::lock_guard guard(mutex_);
    return std::exchange(current_, std::move(sink));
}

void output_switch::observe_background(output_sink::observer observe) {
    const std::lock_guard guard(mutex_);
    background_ = std::move(observe);
    current_ = std::make_shared<output_sink>(background_, 0);
}

output_sink::observer output_switch::background() const {
    const std::lock_guard guard(mutex_);
    return background_;
}

output_switch::redirection::redirection(output_switch& target, const std::shared_ptr<output_sink>& sink)
    : target_(target), next_(std::make_shared<output_sink>(target.background_, target.background_ ? 0 : max_kept_output)) {
    const std::shared_ptr<output_sink> background = target_.exchange(sink);
    background->finish();
    if (background->is_observed()) {
        return;
    }
    for (const output_stream stream : {output_stream::out, output_stream::err}) {
        if (const std::string text = background->text(stream); !text.empty()) {
            sink->write(stream, text);
        }
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
