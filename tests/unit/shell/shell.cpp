#include <pyaichat/shell/shell.hpp>

#include "process_counts.hpp"
#include "sanitized.hpp"
#include "shell_bench.hpp"

#include <pyaichat/core/text.hpp>

#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <csignal>
#include <cstdlib>
#include <fstream>

namespace fs = std::filesystem;

namespace {

ai::shell_options in_folder(const fs::path& folder) {
    return {.folder = folder.string()};
}

ai::json command(const std::string& text) {
    return {{"command", text}};
}

}  // namespace

TEST_CASE("a command gives what it printed and how it ended", "[shell]") {
    ai::shell shell;
    const ai::capability_reply reply = run(shell, command("echo out; echo err >&2; exit 3"));
    REQUIRE(reply.ok());
    CHECK(reply.result.at("output") == "out\nerr\n");
    CHECK(reply.result.at("exit_code") == 3);
    CHECK(reply.result.at("timed_out") == false);
    CHECK(reply.result.at("truncated") == false);
    CHECK(reply.result.at("total_bytes") == 8);
    CHECK(reply.result.at("ms").is_number_integer());
    CHECK(reply.result.size() == 6);
    const ai::capability_reply killed = run(shell, command("kill -SEGV $$"));
    CHECK(killed.result.at("signal") == "SIGSEGV");
    CHECK_FALSE(killed.result.contains("exit_code"));
}

TEST_CASE("output is shown before the command ends, and the capture is what was shown", "[shell]") {
    const scratch_folder files;
    ai::shell shell(in_folder(files.path));
    REQUIRE(::mkfifo((files.path / "gate").c_str(), 0600) == 0);
    bool opened = false;
    running_call call(shell, command("echo first; read -r word <gate; echo $word"), [&](const std::string& shown) {
        if (!std::exchange(opened, true)) {
            CHECK(shown == "first\n");
            std::ofstream(files.path / "gate") << "second\n";  // the command goes on only now
        }
    });
    const ai::capability_reply reply = call.wait();
    CHECK(call.shown == "first\nsecond\n");
    CHECK(reply.result.at("output") == call.shown);
}

TEST_CASE("the capture of much output is what was shown of it, within the budget", "[shell]") {
    ai::shell whole({.max_output = 1 << 20});
    running_call all(whole, command("seq 1 5000"));
    CHECK(all.wait().result.at("output") == all.shown);
    CHECK(all.shown.ends_with("4999\n5000\n"));
    ai::shell cut({.max_output = 1000});
    const ai::capability_reply reply = run(cut, command("seq 1 5000"));
    const std::string output = reply.result.at("output");
    CHECK(output.size() < 1100);
    CHECK(output.starts_with("1\n2\n3\n"));
    CHECK(output.ends_with("4999\n5000\n"));
    CHECK(output.find(" bytes left out ...]\n") != std::string::npos);
    CHECK(reply.result.at("truncated") == true);
    CHECK(reply.result.at("total_bytes") == 23893);
}

TEST_CASE("a hundred megabytes of output need no more memory than a little", "[shell]") {
    const auto largest = [] {
        rusage used = {};
        ::getrusage(RUSAGE_SELF, &used);
        return used.ru_maxrss;  // KiB
    };
    const auto print = [](bool pty, int bytes) {
        ai::shell shell({.timeout = 250s, .pty = pty});
        running_call call(shell, command("yes 0123456789abcdef | head -c " + std::to_string(bytes)));
        const ai::capability_reply reply = call.wait();
        REQUIRE(reply.ok());
        CHECK(reply.result.at("total_bytes") == bytes);
        CHECK(call.shown.size() < 20 << 20);
        CHECK(call.shown.find(" bytes not shown]") != std::string::npos);
    };
    print(true, 1 << 20);
    print(false, 1 << 20);
    const long before = largest();
    print(false, 100'000'000);
    print(true, 5'000'000);
    CHECK(largest() - before < (support::sanitized ? 400 : 16) << 10);
}

TEST_CASE("a flood is ended at its deadline", "[shell]") {
    ai::shell shell({.timeout = 300ms});
    running_call call(shell, command("yes"));
    const ai::capability_reply reply = call.wait();
    CHECK(reply.code == ai::reply_code::timeout);
    CHECK(reply.details.at("timed_out") == true);
    CHECK(reply.details.at("truncated") == true);
    CHECK(reply.details.at("output").get_ptr<const std::string*>()->starts_with("y\ny\n"));
    CHECK(reply.details.at("output").get_ptr<const std::string*>()->size() < 13 << 10);
    CHECK(call.pieces < 100);
}

TEST_CASE("binary output is text for the model and the person", "[shell]") {
    ai::shell shell;
    running_call call(shell, command("head -c 20000 /dev/urandom; printf '\\n\\342\\202'; sleep 0.1; printf '\\254|\\342\\202'"));
    const ai::capability_reply reply = call.wait();
    REQUIRE(reply.ok());
    const std::string output = reply.result.at("output");
    CHECK(ai::detail::is_utf8(output));
    CHECK(output.ends_with("\xE2\x82\xAC|\xEF\xBF\xBD"));  // also where a piece ended within a character
    CHECK(output.find('\0') == std::string::npos);
    CHECK(output.find('\x1B') == std::string::npos);
}

TEST_CASE("escape sequences reach neither the model nor the terminal, and colours only the terminal", "[shell]") {
    ai::shell shell;
    running_call call(shell, command("printf '\\033]0;title\\007\\033]52;c;aGk=\\007\\033[?1049h\\033[6n\\033[31mred\\033[0m\\033[2J\\n'"));
    CHECK(call.wait().result.at("output") == "red\n");
    CHECK(call.shown == "\x1B[31mred\x1B[0m\n");
}

TEST_CASE("a progress bar is its last state", "[shell]") {
    CHECK(output_of("for each in 10 50 100; do printf '\\r%3d%%' $each; done; echo") == "100%\n");
}

TEST_CASE("a command gets the given input, or none", "[shell]") {
    CHECK(output_of("cat; echo $?") == "0\n");
    ai::shell shell;
    CHECK(run(shell, {{"command", "cat"}, {"stdin", "a\nb\n"}}).result.at("output") == "a\nb\n");
    const std::string much(200000, 'x');
    CHECK(run(shell, {{"command", "wc -c"}, {"stdin", much}}).result.at("output") == "200000\n");
    CHECK(run(shell, {{"command", "true"}, {"stdin", much}}).result.at("exit_code") == 0);
}

TEST_CASE("a program that asks for a password gets the end of the file", "[shell]") {
    CHECK(output_of("stty -echo </dev/tty; printf 'Password: ' >/dev/tty; read -r word </dev/tty || echo none") == "Password: none\n");
}

TEST_CASE("a command gets the time that the options, its argument and the run allow", "[shell]") {
    ai::shell quick({.timeout = 100ms});
    CHECK(run(quick, {{"command", "echo a; sleep 1000"}, {"timeout_ms", 60000}}).code == ai::reply_code::timeout);
    ai::shell shell;
    const ai::capability_reply reply = run(shell, {{"command", "echo a; sleep 1000"}, {"timeout_ms", 100}});
    CHECK(reply.code == ai::reply_code::timeout);
    CHECK(reply.details.at("output") == "a\n");
    CHECK(reply.details.at("signal") == "SIGTERM");
    CHECK(reply.message.starts_with("the command was ended after 100 ms"));
    CHECK(running_call(shell, command("sleep 1000"), {}, 200ms).wait().code == ai::reply_code::timeout);
}

TEST_CASE("a call can be cancelled before it runs, while it runs, and while it floods", "[shell]") {
    ai::shell shell;
    {
        running_call call(shell, command("sleep 1000"));
        call.cancel();
        CHECK(call.wait().code == ai::reply_code::cancelled);
    }
    for (const char* text : {"echo on; sleep 1000", "yes", "trap '' TERM; echo on; while :; do sleep 1000; done"}) {
        running_call* running = nullptr;
        std::promise<void> started;
        bool first = true;
        running_call call(shell, command(text), [&](const std::string&) {
            if (std::exchange(first, false)) {
                started.set_value();
            }
        });
        running = &call;
        started.get_future().wait();
        running->cancel();
        const ai::capability_reply reply = call.wait();
        CHECK(reply.code == ai::reply_code::cancelled);
        CHECK_FALSE(reply.details.at("output").get_ptr<const std::string*>()->empty());
        call.cancel();
    }
    running_call done(shell, command("true"));
    CHECK(done.wait().ok());
    done.cancel();
}

TEST_CASE("the destructor ends the commands that run", "[shell]") {
    std::promise<void> started;
    bool first = true;
    auto shell = std::make_unique<ai::shell>();
    running_call call(*shell, command("echo on; sleep 1000"), [&](const std::string&) {
        if (std::exchange(first, false)) {
            started.set_value();
        }
    });
    started.get_future().wait();
    shell.reset();
    CHECK(call.wait().code == ai::reply_code::cancelled);
}

TEST_CASE("what a command leaves behind does not hold up the call, and is reported if it has left the group", "[shell]") {
    ai::shell shell;
    CHECK_FALSE(run(shell, command("sleep 1000 &")).result.contains("left_running"));
    CHECK_FALSE(run(shell, command("nohup sleep 1000 >/dev/null 2>&1 &")).result.contains("left_running"));
    const ai::capability_reply left = run(shell, command("setsid sh -c 'echo $$; exec sleep 1000' & sleep 0.2"));
    CHECK(left.result.at("left_running") == true);
    const int id = std::atoi(left.result.at("output").get_ptr<const std::string*>()->c_str());
    REQUIRE(id > 1);
    CHECK(::kill(id, SIGKILL) == 0);
}

TEST_CASE("a folder that has vanished is an error", "[shell]") {
    const scratch_folder files;
    ai::shell shell(in_folder(files.path / "inner"));
    fs::remove(files.path / "inner");
    const ai::capability_reply reply = run(shell, command("pwd"));
    CHECK(reply.code == ai::reply_code::internal);
    CHECK(reply.message.find("inner") != std::string::npos);
    CHECK(run(shell, {{"command", "pwd"}, {"cwd", "."}}).code == ai::reply_code::invalid_args);
}

TEST_CASE("arguments that cannot be a command are refused", "[shell]") {
    ai::shell shell;
    CHECK(run(shell, {{"command", std::string("ls\0rm", 5)}}).code == ai::reply_code::invalid_args);
    CHECK(run(shell, {{"command", std::string(300000, 'x')}}).code == ai::reply_code::invalid_args);
    CHECK(run({.shell = {"/no/such/shell", "-c"}}, "ls").code == ai::reply_code::internal);
}

TEST_CASE("a thousand commands, a third of them cancelled, leave no process, descriptor or thread", "[shell]") {
    const process_counts before = count_process();
    {
        ai::shell shell;
        for (int i = 0; i < 1000; ++i) {
            if (i % 3 == 0) {
                running_call call(shell, command("sleep 1000"));
                call.cancel();
                CHECK(call.wait().code == ai::reply_code::cancelled);
            } else {
                CHECK(run(shell, command("echo")).ok());
            }
        }
    }
    const process_counts after = count_process();
    CHECK(after.descriptors == before.descriptors);
    CHECK(after.threads == before.threads);
    CHECK(::waitpid(-1, nullptr, WNOHANG) == -1);
}
