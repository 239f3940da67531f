#pragma once
#include <pyaichat/message/capability_reply.hpp>
#include <pyaichat/message/part.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Counts how often a call (name and arguments) had the same result, consecutively or not. A different result resets the count. With
/// `noted` = 3, the reply to the third call gets a note, the fourth call is refused, the fifth ends the run. 0 = off.
class repeat_guard {
public:
    enum class ruling : unsigned char { run, refuse, end };

    explicit repeat_guard(int noted) : noted_(noted) {}

    /// Decides whether to run a call. A refused call is counted.
    [[nodiscard]] ruling before(const call_part& call);
    /// Counts the reply to the last call of `before`, or to a call that was running before a restore. May add the note to `reply`.
    void after(const call_part& call, capability_reply& reply);
    /// Returns the reply to a refused call.
    [[nodiscard]] capability_reply refusal() const;

    /// The form in a snapshot.
    struct stored {
        std::string call = {};
        int count = 0;
        std::string last = {};
    };
    [[nodiscard]] std::vector<stored> snapshot() const;
    /// Returns false if a value is out of range.
    [[nodiscard]] bool restore(const std::vector<stored>& from);

private:
    struct repetition {
        int count = 0;
        std::uint64_t last = 0;  ///< fingerprint of the reply
    };
    [[nodiscard]] repetition& of(const call_part& call);

    int noted_;
    std::map<std::string, repetition> seen_;
    const call_part* asked_call_ = nullptr;  ///< of the last `before`; compared, not used
    repetition* asked_ = nullptr;            ///< its entry, to avoid a second lookup: the key is long
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
