#include "process_bench.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <set>
#include <thread>

using cause = process::run_ending::cause;
using process::child_end;

namespace {

/// The id that a command has printed in a line of its own, by `echo $!`.
pid_t printed_id(const std::string& text) {
    return static_cast<pid_t>(std::atol(text.c_str()));
}

/// Whether no process with this id runs; one that waits to be reaped does not.
bool is_gone(pid_t id) {
    return settles([&] {
        printed to;
        run(shell_line("cat /proc/" + std::to_string(id) + "/stat 2>/dev/null"), to);
        return to.out.empty() || to.out.find(") Z ") != std::string::npos || to.out.find(") X ") != std::string::npos;
    });
}

process::run_terms within(pyaichat::duration time) {
    return {.deadline = std::chrono::steady_clock::now() + time};
}

}  // namespace

TEST_CASE("output is received while the process runs", "[run_process]") {
    for (const bool terminal : {true, false}) {
        // The process ends only after its first line was received.
        const std::string path = "/tmp/pyaichat_gate_" + std::to_string(::getpid());
        auto options = shell_line("mkfifo " + path + "; echo first; read -r line <" + path + "; rm " + path + "; echo $line", terminal);
        printed to;
        to.after = [&, opened = false]() mutable {
            if (!opened) {
                opened = true;
                CHECK(to.out == "first\n");
                std::thread([path] {
                    if (std::FILE* file = std::fopen(path.c_str(), "w")) {
                        std::fputs("second\n", file);
                        std::fclose(file);
                    }
                }).join();
            }
        };
        run(options, to);
        CHECK(to.out == "first\nsecond\n");
    }
}

TEST_CASE("a process gets its input, and the end of it", "[run_process]") {
    auto options = shell_line("cat");
    printed empty;
    CHECK(run(options, empty).end.code == 0);
    CHECK(empty.out.empty());
    options.input = true;
    const std::string much(300000, 'x');  // more than a pipe holds
    printed full;
    process::run_terms terms;
    terms.input = much;
    CHECK(run(options, full, terms).end.code == 0);
    CHECK(full.out == much);
}

TEST_CASE("a process that leaves its input unread ends as usual", "[run_process]") {
    auto options = shell_line("exit 4");
    options.input = true;
    const std::string much(300000, 'x');
    process::run_terms terms;
    terms.input = much;
    printed to;
    pyaichat::result<process::run_ending> ending = process::run_ending();
    std::thread([&] {
        sigset_t all;
        sigfillset(&all);
        ::pthread_sigmask(SIG_SETMASK, &all, nullptr);  // as in a thread of this room
        ending = run(options, to, terms);
    }).join();
    CHECK(ending->end.code == 4);
}

TEST_CASE("a program that asks for a password at the terminal gets the end of the file", "[run_process]") {
    printed to;
    const auto ending =
        run(shell_line("printf 'Password: ' >/dev/tty; stty -echo </dev/tty; read -r word </dev/tty; echo \"[$word] $?\"", true), to);
    CHECK(to.out == "Password: [] 1\n");
    CHECK(ending.by == cause::itself);
}

TEST_CASE("at the deadline a process is terminated, and killed if it does not end", "[run_process]") {
    printed to;
    const auto polite = run(shell_line("trap 'echo bye; exit 5' TERM; echo on; while :; do sleep 0.05; done"), to, within(300ms));
    CHECK(polite.by == cause::deadline);
    CHECK(polite.end.what == child_end::kind::exited);
    CHECK(polite.end.code == 5);
    CHECK(to.out.starts_with("on\n"));
    CHECK(to.out.ends_with("bye\n"));
    const auto stubborn = run(shell_line("trap '' TERM; while :; do sleep 1000; done"), to, within(100ms));
    CHECK(stubborn.by == cause::deadline);
    CHECK(stubborn.end.what == child_end::kind::signalled);
    CHECK(stubborn.end.code == SIGKILL);
}

TEST_CASE("a stopped process ends at the deadline", "[run_process]") {
    printed to;
    const auto ending = run(shell_line("kill -STOP $$"), to, within(100ms));
    CHECK(ending.by == cause::deadline);
    CHECK(ending.end.code == SIGTERM);
}

TEST_CASE("a cancellation ends the process, before, during and after its output", "[run_process]") {
    SECTION("before") {
        pyaichat::cancel_source source;
        source.request_stop();
        process::run_terms terms;
        terms.cancel = source.get_token();
        printed to;
        CHECK(run(shell_line("sleep 1000"), to, terms).by == cause::cancelled);
    }
    SECTION("while it prints") {
        pyaichat::cancel_source source;
        process::run_terms terms;
        terms.cancel = source.get_token();
        printed to;
        to.after = [&] {
            source.request_stop();
            to.out.clear();
        };
        CHECK(run(shell_line("yes"), to, terms).by == cause::cancelled);
    }
    SECTION("while it is terminated at the deadline") {
        pyaichat::cancel_source source;
        process::run_terms terms = within(50ms);
        terms.cancel = source.get_token();
        printed to;
        to.after = [&] { source.request_stop(); };
        const auto ending = run(shell_line("trap 'echo late; sleep 1000' TERM; sleep 1000"), to, terms);
        CHECK(ending.by == cause::deadline);
        CHECK(source.stop_requested());
    }
}

TEST_CASE("a grandchild that keeps the terminal open does not hold up the end", "[run_process]") {
    for (const bool terminal : {true, false}) {
        printed to;
        const auto ending = run(shell_line("sleep 1000 & echo $!", terminal), to);
        CHECK(ending.end.code == 0);
        CHECK(ending.by == cause::itself);
        CHECK_FALSE(ending.left_running);  // it was of the group
        CHECK(is_gone(printed_id(to.out)));
        printed ignoring;
        CHECK_FALSE(run(shell_line("nohup sleep 1000 >/dev/null 2>&1 & echo $!", terminal), ignoring).left_running);
        CHECK(is_gone(printed_id(ignoring.out)));
    }
}

TEST_CASE("what escapes the group with an output open is reported", "[run_process]") {
    for (const char* escape :
         {"setsid sh -c 'echo $$; exec sleep 1000' & sleep 0.2", "(setsid sh -c 'echo $$; exec sleep 1000' &) ; sleep 0.2"}) {
        for (const bool terminal : {true, false}) {
            INFO(escape << " " << terminal);
            printed to;
            const auto ending = run(shell_line(escape, terminal), to);
            CHECK(ending.left_running);
            CHECK(ending.by == cause::itself);
            const pid_t id = printed_id(to.out);
            REQUIRE(id > 1);
            CHECK(::kill(id, SIGKILL) == 0);
        }
    }
}

TEST_CASE("output of the group after the end of the process is read, within the grace", "[run_process]") {
    printed to;
    run(shell_line("(sleep 0.02; echo late) & exit 0", false), to);
    CHECK(to.out == "late\n");
}

TEST_CASE("a fork bomb under the limit of processes ends with its group", "[run_process]") {
    // The limit does not hold for root, so the bomb runs as another user then.
    const bool root = ::geteuid() == 0;
    auto options = shell_line(std::string(root ? "exec setpriv --reuid=54321 --clear-groups --inh-caps=-all " : "exec ") +
                              "sh -c 'bomb() { bomb | bomb & }; echo $$; bomb; sleep 1000' 2>/dev/null");
    printed tasks;
    run(shell_line("ls -d /proc/[0-9]*/task/* | wc -l"), tasks);
    options.limits.processes = root ? 40 : std::strtoul(tasks.out.c_str(), nullptr, 10) + 40;
    printed to;
    const auto ending = run(options, to, within(500ms));
    CHECK(ending.by == cause::deadline);
    const pid_t group = printed_id(to.out);
    REQUIRE(group > 1);
    CHECK(settles([&] {
        printed left;
        run(shell_line("cat /proc/[0-9]*/stat 2>/dev/null | awk '$5 == " + std::to_string(group) + " && $3 != \"Z\"' | wc -l"), left);
        return std::atoi(left.out.c_str()) == 0;
    }));
}

TEST_CASE("runs leave no process, descriptor or thread", "[run_process]") {
    printed warm;
    run(shell_line("echo"), warm);
    const process_counts before = count_process();
    for (int i = 0; i < 300; ++i) {
        pyaichat::cancel_source source;
        process::run_terms terms;
        terms.cancel = source.get_token();
        printed to;
        if (i % 3 == 0) {
            to.after = [&] { source.request_stop(); };
            CHECK(run(shell_line("echo; sleep 1000", i % 2 == 0), to, terms).by == cause::cancelled);
        } else {
            CHECK(run(shell_line("echo", i % 2 == 0), to, terms).end.code == 0);
        }
    }
    const process_counts after = count_process();
    CHECK(after.descriptors == before.descriptors);
    CHECK(after.threads == before.threads);
    CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);  // there is no child, not even one that waits to be reaped
}
