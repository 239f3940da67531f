#include <pyaichat/agent/basic_agent.hpp>

#include <array>
#include <cinttypes>
#include <cstdio>
#include <random>

namespace pyaichat::inline v0 {

namespace detail {

std::uint64_t next_seed(agent_options& options) {
    if (options.seed) {
        return (*options.seed)++;
    }
    thread_local std::random_device entropy;  // opening one asks the processor what it can, which a virtual machine is slow to answer
    return (std::uint64_t{entropy()} << 32) | entropy();
}

std::string run_id_of(std::uint64_t seed) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "run-%016" PRIx64, seed);
    return text.data();
}

}  // namespace detail

template class basic_agent<any_provider, any_capabilities, steady_clock, thread_executor>;

}  // namespace pyaichat::inline v0
