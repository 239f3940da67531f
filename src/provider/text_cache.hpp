#pragma once
#include <pyaichat/config/config.hpp>

#include <memory>
#include <mutex>
#include <string>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Caches the encoded form of the last text, for the instructions of an agent. Thread-safe.
class text_cache {
public:
    using encoded = std::shared_ptr<const std::string>;

    /// Returns the encoded form of `text`. If it is not cached, `encode(text)` makes it.
    template <class Encode>
    [[nodiscard]] encoded get(const std::string& text, Encode encode) {
        {
            const std::lock_guard lock(mutex_);
            if (encoded_ && text_ == text) {
                return encoded_;
            }
        }
        auto made = std::make_shared<const std::string>(encode(text));
        const std::lock_guard lock(mutex_);
        text_ = text;
        encoded_ = made;
        return made;
    }

private:
    std::mutex mutex_ = {};
    std::string text_ = {};
    encoded encoded_ = {};
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
