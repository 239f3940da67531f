#include "process_bench.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>

using process::child_end;

namespace {

std::string text_of(const std::string& line, bool terminal = true) {
    printed to;
    run(shell_line(line, terminal), to);
    return to.out;
}

volatile std::sig_atomic_t children_ended = 0;

}  // namespace

TEST_CASE("a process ends with its exit status or its signal", "[child_process]") {
    printed to;
    const auto exited = run(shell_line("exit 7"), to);
    CHECK(exited.end.what == child_end::kind::exited);
    CHECK(exited.end.code == 7);
    const auto killed = run(shell_line("kill -SEGV $$"), to);
    CHECK(killed.end.what == child_end::kind::signalled);
    CHECK(killed.end.code == SIGSEGV);
    CHECK_FALSE(killed.left_running);
}

TEST_CASE("a program is found in the PATH of the child, or the failure says why not", "[child_process]") {
    printed to;
    CHECK(run({.arguments = {"echo", "a b", "c"}, .environment = {"PATH=/nowhere:/usr/bin:/bin"}}, to).end.code == 0);
    CHECK(to.out == "a b c\n");
    const auto missing = process::child_process::start({.arguments = {"no-such-program"}});
    REQUIRE_FALSE(missing);
    CHECK(missing.error().code == pyaichat::errc::not_found);
    CHECK(missing.error().message.find("`no-such-program`") != std::string::npos);
    const auto folder = process::child_process::start({.arguments = {"/tmp"}});
    REQUIRE_FALSE(folder);
    CHECK(folder.error().code == pyaichat::errc::not_allowed);
    CHECK(process::child_process::start({}).error().code == pyaichat::errc::invalid_argument);
}

TEST_CASE("a process has a session, a group and a controlling terminal of its own", "[child_process]") {
    // Fields 5, 6 and 7 of the status: group, session, terminal.
    const std::string fields =
        text_of("read -r line </proc/$$/stat; set -- ${line##*) }; echo $$ $3 $4 $5; tty </dev/tty; test -t 1; echo $?");
    long id = 0;
    long group = 0;
    long session = 0;
    long terminal = 0;
    REQUIRE(std::sscanf(fields.c_str(), "%ld %ld %ld %ld", &id, &group, &session, &terminal) == 4);
    CHECK(group == id);
    CHECK(session == id);
    CHECK(terminal != 0);
    CHECK(fields.ends_with("\n0\n"));
}

TEST_CASE("without a terminal, the outputs are apart and there is no controlling terminal", "[child_process]") {
    printed to;
    run(shell_line("echo a; echo b >&2; (: </dev/tty) 2>/dev/null || echo none", false), to);
    CHECK(to.out == "a\nnone\n");
    CHECK(to.err == "b\n");
}

TEST_CASE("a process has no descriptor of its host", "[child_process]") {
    int inherited[2] = {-1, -1};
    REQUIRE(::pipe(inherited) == 0);  // not closed in other programs
    for (const bool terminal : {true, false}) {
        INFO("terminal " << terminal);
        const std::string mine = "/proc/$$/fd/" + std::to_string(inherited[0]);
        const std::string other = "/proc/$$/fd/" + std::to_string(inherited[1]);
        CHECK(text_of("test -e /proc/$$/fd/0 && test ! -e " + mine + " && test ! -e " + other + " && echo none", terminal) == "none\n");
    }
    ::close(inherited[0]);
    ::close(inherited[1]);
}

TEST_CASE("a process starts with no signal blocked, ignored or handled, and writes no core", "[child_process]") {
    const auto before = std::signal(SIGPIPE, SIG_IGN);
    sigset_t blocked;
    sigset_t old;
    sigfillset(&blocked);
    ::pthread_sigmask(SIG_SETMASK, &blocked, &old);
    const std::string status = text_of("grep -E '^Sig(Blk|Ign)' /proc/self/status; ulimit -c");
    ::pthread_sigmask(SIG_SETMASK, &old, nullptr);
    std::signal(SIGPIPE, before);
    CHECK(status == "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n0\n");
}

TEST_CASE("only the environment that is given reaches a process", "[child_process]") {
    auto options = shell_line("");
    options.arguments = {"env"};
    options.environment = {"PATH=/usr/bin:/bin", "A=b c"};
    printed to;
    run(options, to);
    CHECK(to.out == "PATH=/usr/bin:/bin\nA=b c\n");
}

TEST_CASE("limits hold in the process", "[child_process]") {
    auto options = shell_line("ulimit -t; ulimit -v; ulimit -f; nice");
    options.limits = {.cpu_seconds = 3, .address_space = std::uint64_t{512} << 20, .file_size = std::uint64_t{1} << 20, .nice = 5};
    printed to;
    run(options, to);
    CHECK(to.out == "3\n524288\n2048\n5\n");
    auto writes = shell_line("head -c 4000000 /dev/zero >/tmp/pyaichat_limit_$$; s=$?; rm -f /tmp/pyaichat_limit_$$; exit $s");
    writes.limits.file_size = 1000;
    CHECK(run(writes, to).end.code == 128 + SIGXFSZ);
}

TEST_CASE("the host's own children and its handler of SIGCHLD stay its own", "[child_process]") {
    struct sigaction counting = {};
    counting.sa_handler = [](int) { children_ended = children_ended + 1; };
    struct sigaction before = {};
    ::sigaction(SIGCHLD, &counting, &before);
    const pid_t own = ::fork();
    if (own == 0) {
        ::_exit(9);
    }
    printed to;
    for (int i = 0; i < 20; ++i) {
        run(shell_line("exit 0"), to);
    }
    struct sigaction now = {};
    ::sigaction(SIGCHLD, &before, &now);
    CHECK(now.sa_handler == counting.sa_handler);
    int status = 0;
    REQUIRE(::waitpid(own, &status, 0) == own);
    CHECK(WEXITSTATUS(status) == 9);
    CHECK(children_ended > 0);
}

TEST_CASE("where the host ignores SIGCHLD, the end of a process is unknown", "[child_process]") {
    const auto before = std::signal(SIGCHLD, SIG_IGN);
    printed to;
    const auto ending = run(shell_line("echo seen; exit 3"), to);
    std::signal(SIGCHLD, before);
    CHECK(to.out == "seen\n");
    CHECK(ending.end.what == child_end::kind::unknown);
}

TEST_CASE("a process that is dropped is killed with its group and reaped", "[child_process]") {
    long id = 0;
    {
        const process::child_process child = start(shell_line("trap '' TERM; sleep 1000"));
        id = child.id();
        CHECK_FALSE(child.has_ended());
    }
    CHECK(::waitpid(static_cast<pid_t>(id), nullptr, WNOHANG) == -1);
    CHECK(settles([&] { return ::kill(static_cast<pid_t>(-id), 0) != 0; }));
}
