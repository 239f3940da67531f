#pragma once
#include <pyaichat/message/capability_responder.hpp>

#include <cstdint>
#include <map>
#include <mutex>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Who waits for which nested call of a run. Any thread.
class nested_desk {
public:
    /// A ticket for what is owed to `waiting`; 0 when the run is over, or too many wait, and then it was told so.
    [[nodiscard]] std::uint64_t take(capability_responder waiting);
    void answer(std::uint64_t ticket, capability_reply reply);
    /// Tells everybody that the run is over.
    void close();

private:
    std::mutex mutex_;
    std::map<std::uint64_t, capability_responder> waiting_;
    std::uint64_t last_ = 0;
    bool closed_ = false;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
