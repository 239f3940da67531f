#include <pyaichat/runtime/thread_executor.hpp>

#include "catch.hpp"

#include <atomic>
#include <condition_variable>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

namespace ai = pyaichat;
using namespace std::chrono_literals;

TEST_CASE("work runs on another thread") {
    ai::thread_executor executor;
    std::promise<std::thread::id> ran;
    executor.submit([&] { ran.set_value(std::this_thread::get_id()); });
    CHECK(ran.get_future().get() != std::this_thread::get_id());
}

TEST_CASE("work that blocks does not hold up other work") {
    ai::thread_executor executor;
    std::promise<void> release;
    std::shared_future<void> released = release.get_future().share();
    std::promise<void> second;
    executor.submit([released] { released.wait(); });
    executor.submit([&] { second.set_value(); });
    second.get_future().wait();
    release.set_value();
}

TEST_CASE("threads are kept for the next work, never above the cap, and end when idle") {
    ai::thread_executor executor({.max_threads = 2, .idle = 1ms});
    std::atomic<int> ran = 0;
    std::promise<void> all;
    for (int i = 0; i < 50; ++i) {
        executor.submit([&] {
            if (++ran == 50) {
                all.set_value();
            }
        });
        CHECK(executor.thread_count() <= 2);
    }
    all.get_future().wait();
    while (executor.thread_count() > 0) {
        std::this_thread::yield();
    }
    CHECK(executor.thread_count() == 0);
}

TEST_CASE("options beyond all measure are cut to what works") {
    ai::thread_executor executor({.max_threads = 0, .idle = ai::duration::max()});
    std::promise<void> ran;
    executor.submit([&] { ran.set_value(); });
    ran.get_future().wait();
    CHECK(executor.thread_count() == 1);
}

TEST_CASE("destruction drops what waits and trips what runs") {
    std::promise<void> started;
    std::promise<void> tripped;
    const auto waiting = std::make_shared<int>(0);
    {
        ai::thread_executor executor({.max_threads = 1});
        ai::cancel_source stop;
        executor.submit(ai::task(
            [&started, &tripped, token = stop.get_token()] {
                started.set_value();
                std::mutex mutex;
                std::condition_variable_any never;
                std::unique_lock lock(mutex);
                never.wait(lock, token, [] { return false; });
                tripped.set_value();
            },
            stop));
        executor.submit([waiting] { FAIL("it was to be dropped"); });
        started.get_future().wait();
        CHECK(waiting.use_count() == 2);
    }
    tripped.get_future().wait();
    CHECK(waiting.use_count() == 1);
}

TEST_CASE("destruction does not wait for work that ignores its token") {
    std::promise<void> started;
    std::promise<void> release;
    std::promise<void> ended;
    {
        ai::thread_executor executor({.shutdown = 1ms});
        executor.submit([released = release.get_future().share(), &started, &ended] {
            started.set_value();
            released.wait();
            ended.set_value();
        });
        started.get_future().wait();
    }
    release.set_value();  // the thread that was left behind still works on its own
    ended.get_future().wait();
}

TEST_CASE("copies share the threads, and the last one ends them") {
    const auto waiting = std::make_shared<int>(0);
    std::promise<void> ran;
    std::optional<ai::thread_executor> first(ai::thread_executor_options{.max_threads = 1});
    {
        ai::thread_executor second = *first;
        first.reset();
        second.submit([waiting, &ran] { ran.set_value(); });
        ran.get_future().wait();
        CHECK(second.thread_count() == 1);
    }
    CHECK(waiting.use_count() == 1);
}
