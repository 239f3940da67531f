#pragma once
#include <pyaichat/core/result.hpp>
#include <pyaichat/message/capability_list.hpp>

#include <memory>
#include <mutex>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Caches the encoded text of the last declarations. Thread-safe.
class declaration_cache {
public:
    using text = std::shared_ptr<const std::string>;

    /// Returns the text of `declared`. If it is not cached, `encode(text, spec)` appends each declaration and returns a `result<void>`.
    template <class Encode>
    [[nodiscard]] result<text> get(const capability_list& declared, Encode encode) {
        {
            const std::lock_guard lock(mutex_);
            if (text_ && declared_ == declared) {
                return text_;
            }
        }
        std::string out;
        for (const capability_spec& spec : declared) {
            if (const result<void> done = encode(out, spec); !done) {
                return done.error();
            }
        }
        auto written = std::make_shared<const std::string>(std::move(out));
        const std::lock_guard lock(mutex_);
        declared_ = declared;
        text_ = written;
        return written;
    }

private:
    std::mutex mutex_ = {};
    capability_list declared_ = {};
    text text_ = {};
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
