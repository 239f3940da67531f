#include <pyaichat/agent/basic_agent.hpp>

#include <chrono>
#include <random>

namespace pyaichat::inline PYAICHAT_ABI {

namespace detail {

std::uint64_t next_seed(agent_options& options) {
    if (options.seed) {
        return (*options.seed)++;
    }
    // Entropy once a thread: a virtual machine is slow to give it. The time is mixed in, so that the two sides of a fork part ways.
    thread_local std::mt19937_64 numbers = [] {
        std::random_device entropy;
        std::seed_seq seeds{entropy(), entropy(), entropy(), entropy()};
        return std::mt19937_64(seeds);
    }();
    return numbers() ^ static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

std::string run_id_of(std::uint64_t seed) {
    // Thirteen digits of base 32: with its first two characters short enough for a string to hold it without allocating, in every event.
    constexpr std::string_view digits = "0123456789abcdefghijklmnopqrstuv";
    std::string text = "r-0000000000000";
    for (std::size_t i = text.size(); i-- > 2; seed >>= 5) {
        text[i] = digits[seed & 31];
    }
    return text;
}

}  // namespace detail

template class basic_agent<any_provider, any_capabilities, steady_clock, thread_executor>;

}  // namespace pyaichat::inline PYAICHAT_ABI
