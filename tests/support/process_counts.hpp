#pragma once
/// What this process holds, from /proc: for tests that nothing leaks. (Linux only, as are the tests that use it.)
#include <chrono>
#include <filesystem>
#include <iterator>
#include <thread>

struct process_counts {
    long threads = 0;
    long descriptors = 0;
};

inline process_counts count_process() {
    const auto entries = [](const char* folder) {
        std::error_code ignored;
        return std::distance(std::filesystem::directory_iterator(folder, ignored), std::filesystem::directory_iterator());
    };
    return {entries("/proc/self/task"), entries("/proc/self/fd")};
}

/// Whether the condition becomes true within five seconds: for what happens on other threads or in the kernel.
template <class Condition>
bool settles(Condition condition) {
    for (const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(5); std::chrono::steady_clock::now() < until;) {
        if (condition()) {
            return true;
        }
        std::this_thread::yield();
    }
    return condition();
}
