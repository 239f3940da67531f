#pragma once
#include <pyaichat/message/capability_reply.hpp>
#include <pyaichat/message/part.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Counts how often one call (name and arguments) has had one and the same result, consecutively or not. A different result is progress and
/// starts the count anew. With `noted` = 3: the third run gets a note, the fourth is refused, the fifth ends the run. 0 = off.
class repeat_guard {
public:
    enum class ruling : unsigned char { run, refuse, end };

    explicit repeat_guard(int noted) : noted_(noted) {}

    /// What to do with a call that is about to be run. A refused one counts.
    [[nodiscard]] ruling before(const call_part& call);

    /// Takes note of a reply to the call that `before` was last asked about, or to one that was under way when its run was restored; adds
    /// the remark to it when it is time.
    void after(const call_part& call, capability_reply& reply);

    /// The reply to a refused call.
    [[nodiscard]] capability_reply refusal() const;

    /// As it stands in a snapshot.
    struct stored {
        std::string call = {};
        int count = 0;
        std::string last = {};
    };
    [[nodiscard]] std::vector<stored> snapshot() const;
    /// False when one cannot be true of any run.
    [[nodiscard]] bool restore(const std::vector<stored>& from);

private:
    struct repetition {
        int count = 0;
        std::uint64_t last = 0;  ///< fingerprint of the reply
    };
    [[nodiscard]] repetition& of(const call_part& call);

    int noted_;
    std::map<std::string, repetition> seen_;
    repetition* asked_ = nullptr;  ///< about which `before` was last asked: its key is the text of all arguments
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
