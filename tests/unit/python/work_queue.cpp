#include "python/interpreter/work_queue.hpp"

#include "catch.hpp"

#include <future>
#include <thread>
#include <vector>

using namespace pyaichat::python::detail;
using namespace std::chrono_literals;

namespace {

/// A queue with its two threads; the worker stops at pieces that wait for `gate`.
struct queue_bench {
    explicit queue_bench(pyaichat::duration grace = overrun_grace)
        : queue(grace), timer([this] { queue.watch(); }), worker([this] {
              while (auto next = queue.take()) {
                  pyaichat::task deliver = queue.begin(next) ? next->item.run() : pyaichat::task();
                  queue.finish(next, std::move(deliver));
              }
          }) {}
    ~queue_bench() {
        queue.close();
        worker.join();
        queue.abandon();
        timer.join();
    }

    /// The end of a piece: "done", or how it was refused.
    static std::string name_of(refusal::kind what) {
        return what == refusal::kind::timeout ? "timeout"
               : what == refusal::kind::busy  ? "busy"
               : what == refusal::kind::gone  ? "gone"
                                              : "cancelled";
    }

    std::future<std::string> push(std::string what, pyaichat::unique_function<void()> body, pyaichat::duration time_left,
                                  pyaichat::cancel_token cancel = {}, pyaichat::unique_function<void()> overran = {}) {
        auto promise = std::make_shared<std::promise<std::string>>();
        work item;
        item.what = std::move(what);
        item.deadline = deadline_in(time_left);
        item.cancel = std::move(cancel);
        item.overran = std::move(overran);
        item.run = [promise, body = std::move(body)]() mutable -> pyaichat::task {
            body();
            return [promise] { promise->set_value("done"); };
        };
        item.refuse = [promise](const refusal& why) { promise->set_value(name_of(why.what) + ": " + why.why); };
        std::future<std::string> ended = promise->get_future();
        queue.push(std::move(item));
        return ended;
    }

    /// Occupies the worker until `open` is called.
    std::future<std::string> stick(pyaichat::duration time_left, pyaichat::cancel_token cancel = {},
                                   pyaichat::unique_function<void()> overran = {}) {
        std::promise<void> started;
        std::future<void> running = started.get_future();
        std::future<std::string> ended = push(
            "stuck",
            [this, started = std::move(started)]() mutable {
                started.set_value();
                opened.wait();
            },
            time_left, std::move(cancel), std::move(overran));
        running.get();
        return ended;
    }
    void open() { gate.set_value(); }

    work_queue queue;
    std::promise<void> gate;
    std::shared_future<void> opened = gate.get_future().share();
    std::thread timer;
    std::thread worker;
};

constexpr auto for_ever = pyaichat::duration::max();

}  // namespace

TEST_CASE("a deadline is saturated, not overflowed") {
    CHECK(deadline_in(for_ever) == work::time_point::max());
    CHECK(deadline_in(-1s) < std::chrono::steady_clock::now());
}

TEST_CASE("a piece that does not end by its deadline is refused there, and its late answer is dropped") {
    queue_bench bench;
    std::future<std::string> stuck = bench.stick(20ms);
    CHECK(stuck.get().starts_with("timeout: it did not end within"));
    CHECK(bench.queue.running()->overdue);
    bench.open();
    CHECK(bench.push("next", [] {}, for_ever).wait_for(5s) == std::future_status::ready);
}

TEST_CASE("work that arrives while the running piece is overdue is refused at once, naming it") {
    queue_bench bench;
    bench.stick(20ms).get();
    const std::string said = bench.push("next", [] {}, for_ever).get();
    CHECK(said.starts_with("busy: Python is busy: stuck has been running for "));
    CHECK(said.find("past its deadline") != std::string::npos);
    bench.open();
}

TEST_CASE("work that arrives while nobody waits for the running piece any more is refused at once") {
    queue_bench bench;
    pyaichat::cancel_source nobody;
    std::future<std::string> stuck = bench.stick(for_ever, nobody.get_token());
    nobody.request_stop();
    CHECK(bench.push("next", [] {}, for_ever).get().starts_with("busy: Python is busy: stuck"));
    bench.open();
    CHECK(stuck.get() == "done");
}

TEST_CASE("work that goes on long past its deadline is told once") {
    queue_bench bench(1ms);
    std::promise<void> told;
    const auto begun = std::chrono::steady_clock::now();
    std::future<std::string> stuck = bench.stick(20ms, {}, [&] { told.set_value(); });
    told.get_future().get();
    CHECK(std::chrono::steady_clock::now() - begun >= 21ms);
    CHECK(stuck.get().starts_with("timeout"));
    bench.open();
}

TEST_CASE("work that ends is not told that it overran") {
    queue_bench bench(1ms);
    std::future<std::string> stuck = bench.stick(20ms, {}, [] { FAIL("it has ended"); });
    bench.open();
    CHECK(stuck.get() == "done");
    CHECK(bench.push("later", [] {}, for_ever).get() == "done");
}

TEST_CASE("work that cannot start by its deadline is refused as busy") {
    queue_bench bench;
    std::future<std::string> stuck = bench.stick(for_ever);
    CHECK(bench.push("impatient", [] {}, 20ms).get().starts_with("busy: Python is busy: stuck has been running for "));
    std::future<std::string> patient = bench.push("patient", [] {}, for_ever);
    bench.open();
    CHECK(stuck.get() == "done");
    CHECK(patient.get() == "done");
}

TEST_CASE("work without any time left is never started") {
    queue_bench bench;
    bool ran = false;
    CHECK(bench.push("late", [&] { ran = true; }, 0s).get().starts_with("timeout"));
    CHECK(bench.push("last", [] {}, for_ever).get() == "done");
    CHECK_FALSE(ran);
}

TEST_CASE("a cancelled piece is dropped from the queue") {
    queue_bench bench;
    std::future<std::string> stuck = bench.stick(for_ever);
    pyaichat::cancel_source cancel;
    bool ran = false;
    std::future<std::string> cancelled = bench.push("cancelled", [&] { ran = true; }, for_ever, cancel.get_token());
    cancel.request_stop();
    bench.open();
    CHECK(cancelled.get().starts_with("cancelled"));
    CHECK_FALSE(ran);
}

TEST_CASE("giving up makes what runs overdue") {
    queue_bench bench;
    std::future<std::string> stuck = bench.stick(for_ever);
    CHECK_FALSE(bench.queue.running()->overdue);
    bench.queue.give_up();
    CHECK(stuck.get().starts_with("timeout"));
    CHECK(bench.push("next", [] {}, for_ever).get().starts_with("busy"));
    bench.open();
}

TEST_CASE("a closed queue refuses what waits and what comes, and lets the running piece end") {
    queue_bench bench;
    std::future<std::string> stuck = bench.stick(for_ever);
    std::future<std::string> waiting = bench.push("waiting", [] {}, for_ever);
    bench.queue.close();
    CHECK(waiting.get() == "gone: Python has ended");
    CHECK(bench.push("late", [] {}, for_ever).get() == "gone: Python has ended");
    bench.open();
    CHECK(stuck.get() == "done");
}

TEST_CASE("everything is answered exactly once, whoever comes first") {
    std::atomic<int> answers = 0;
    constexpr int pieces = 2000;
    {
        queue_bench bench;
        for (int i = 0; i < pieces; ++i) {
            work item;
            item.deadline = deadline_in(std::chrono::microseconds(i % 400));
            item.run = [&answers]() -> pyaichat::task { return [&answers] { ++answers; }; };
            item.refuse = [&answers](const refusal&) { ++answers; };
            bench.queue.push(std::move(item));
        }
    }
    CHECK(answers == pieces);
}

namespace {

/// Pushes work that can be completed without Python: "done", or "without Python" and what keeps it.
std::future<std::string> push_patient(work_queue& queue, pyaichat::duration time_left, pyaichat::cancel_token cancel = {}) {
    auto promise = std::make_shared<std::promise<std::string>>();
    std::future<std::string> ended = promise->get_future();
    work item;
    item.what = "question";
    item.deadline = deadline_in(time_left);
    item.cancel = std::move(cancel);
    item.run = [promise]() -> pyaichat::task { return [promise] { promise->set_value("done"); }; };
    item.refuse = [promise](const refusal& why) { promise->set_value(queue_bench::name_of(why.what)); };
    item.without_python = [promise](const std::optional<pyaichat::python::running_work>& running) {
        promise->set_value("without Python: " + (running ? running->what : "no work"));
    };
    queue.push(std::move(item));
    return ended;
}

}  // namespace

TEST_CASE("work that can do without Python does not wait for stuck work, and does not run later") {
    queue_bench bench;
    auto stuck = bench.stick(for_ever);
    CHECK(push_patient(bench.queue, 10s).get() == "without Python: stuck");
    // The stuck work has run for longer than the patience, so this one does not wait for it, however little time is left.
    CHECK(push_patient(bench.queue, 10s).get() == "without Python: stuck");
    pyaichat::cancel_source cancelled;
    cancelled.request_stop();
    CHECK(push_patient(bench.queue, 10s, cancelled.get_token()).get() == "cancelled");
    bench.open();
    CHECK(stuck.get() == "done");
    CHECK(push_patient(bench.queue, 10s).get() == "done");
}

TEST_CASE("work that can do without Python is not refused while overdue work runs") {
    queue_bench bench;
    pyaichat::cancel_source cancelled;
    auto stuck = bench.stick(for_ever, cancelled.get_token());
    cancelled.request_stop();
    CHECK(push_patient(bench.queue, 10s).get() == "without Python: stuck");
    bench.open();
    CHECK(stuck.get() == "done");
}

TEST_CASE("work whose worker does not get the GIL is completed without Python, and does not run") {
    work_queue queue;
    std::thread timer([&] { queue.watch(); });
    auto ended = push_patient(queue, 10s);
    const auto taken = queue.take();  // and then it waits for the GIL
    CHECK(ended.get() == "without Python: no work");
    CHECK_FALSE(queue.begin(taken));
    queue.finish(taken, {});
    auto next = push_patient(queue, 10s);
    const auto second = queue.take();
    REQUIRE(queue.begin(second));
    queue.finish(second, second->item.run());
    CHECK(next.get() == "done");
    queue.close();
    queue.abandon();
    timer.join();
}
