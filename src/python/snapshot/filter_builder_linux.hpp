#pragma once
#include <pyaichat/config/config.hpp>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

// The types of the kernel's header differ from those of its macros.
inline constexpr std::uint16_t load_word = BPF_LD | BPF_W | BPF_ABS;
inline constexpr std::uint16_t jump_if_equal = BPF_JMP | BPF_JEQ | BPF_K;
inline constexpr std::uint16_t jump_if_any_bit = BPF_JMP | BPF_JSET | BPF_K;
inline constexpr std::uint16_t leave_with = BPF_RET | BPF_K;
[[nodiscard]] constexpr std::uint32_t refuse_with(int error) {
    return SECCOMP_RET_ERRNO | static_cast<std::uint32_t>(error);
}

/// Where the filter finds the lower half of an argument. Both processors store the lower half first.
constexpr std::uint32_t argument_offset(std::size_t index) {
    return static_cast<std::uint32_t>(offsetof(seccomp_data, args) + index * sizeof(std::uint64_t));
}

/// Builds a filter of system calls. Calls that it does not mention are refused. Each block begins with the number of the call in the
/// accumulator; a block for one call always ends with a return.
class filter_builder {
public:
    void begin(std::uint32_t architecture) noexcept {
        add(load_word, offsetof(seccomp_data, arch));
        add(jump_if_equal, architecture, 1, 0);
        add(leave_with, SECCOMP_RET_KILL_PROCESS);
        add(load_word, offsetof(seccomp_data, nr));
    }
    void allow(long call) noexcept { answer(call, SECCOMP_RET_ALLOW); }
    void answer(long call, std::uint32_t reply) noexcept {
        add(jump_if_equal, static_cast<std::uint32_t>(call), 0, 1);
        add(leave_with, reply);
    }

    /// Begins a block for a call that is allowed only with some arguments.
    void examine(long call) noexcept {
        block_ = size_;
        add(jump_if_equal, static_cast<std::uint32_t>(call), 0, 0);
    }
    void load(std::size_t argument) noexcept { add(load_word, argument_offset(argument)); }
    void load_upper(std::size_t argument) noexcept {
        add(load_word, argument_offset(argument) + static_cast<std::uint32_t>(sizeof(std::uint32_t)));
    }
    void allow_if_equal(std::uint32_t value) noexcept {
        add(jump_if_equal, value, 0, 1);
        add(leave_with, SECCOMP_RET_ALLOW);
    }
    void allow_unless_any(std::uint32_t bits) noexcept {
        add(jump_if_any_bit, bits, 1, 0);
        add(leave_with, SECCOMP_RET_ALLOW);
    }
    void allow_if_any(std::uint32_t bits) noexcept {
        add(jump_if_any_bit, bits, 0, 1);
        add(leave_with, SECCOMP_RET_ALLOW);
    }
    void refuse_unless_equal(std::uint32_t value) noexcept {
        add(jump_if_equal, value, 1, 0);
        add(leave_with, refuse_with(EPERM));
    }
    /// Ends the block: the call is refused.
    void otherwise_refuse() noexcept {
        add(leave_with, refuse_with(EPERM));
        code_[block_].jf = static_cast<std::uint8_t>(size_ - block_ - 1);
    }

    [[nodiscard]] sock_fprog finish() noexcept {
        add(leave_with, refuse_with(EPERM));
        return {static_cast<unsigned short>(size_), code_.data()};
    }

private:
    void add(std::uint16_t code, std::uint32_t value, std::uint8_t on_true = 0, std::uint8_t on_false = 0) noexcept {
        code_[size_++] = {code, on_true, on_false, value};
    }

    std::array<sock_filter, 512> code_ = {};
    std::size_t size_ = 0;
    std::size_t block_ = 0;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
