#include "terminal/screen.hpp"

#include "catch.hpp"

#include <poll.h>
#include <unistd.h>

#include <string>

namespace {

/// Replaces standard output by a pipe.
class captured_output {
public:
    captured_output() : kept_(::dup(1)) {
        REQUIRE(::pipe(ends_) == 0);
        ::dup2(ends_[1], 1);
    }
    captured_output(const captured_output&) = delete;
    captured_output& operator=(const captured_output&) = delete;
    ~captured_output() {
        ::dup2(kept_, 1);
        for (const int descriptor : {kept_, ends_[0], ends_[1]}) {
            ::close(descriptor);
        }
    }

    [[nodiscard]] std::string written() const {
        std::string text(1000, ' ');
        pollfd ready{.fd = ends_[0], .events = POLLIN, .revents = 0};
        const ssize_t got = ::poll(&ready, 1, 0) > 0 ? ::read(ends_[0], text.data(), text.size()) : 0;
        return text.substr(0, static_cast<std::size_t>(got));
    }

private:
    int kept_;
    int ends_[2] = {-1, -1};
};

bool is_readable(int descriptor) {
    pollfd ready{.fd = descriptor, .events = POLLIN, .revents = 0};
    return ::poll(&ready, 1, 0) > 0;
}

}  // namespace

TEST_CASE("output waits while a prompt is shown, and wakes its owner") {
    std::string before;
    std::string during;
    std::string taken;
    std::string after;
    bool woken = false;
    bool cleared = false;
    {
        const captured_output output;
        repl::screen screen({});
        const int wake = screen.hold();
        before = is_readable(wake) ? "readable" : "";
        screen.out("one ");
        screen.notice("two");
        woken = is_readable(wake);
        during = output.written();
        taken = screen.take_held();
        cleared = !is_readable(wake);
        screen.out("three\n");
        screen.release();
        screen.out("four\n");
        after = output.written();
    }
    CHECK(before.empty());
    CHECK(woken);
    CHECK(during.empty());
    CHECK(taken == "one \ntwo\n");
    CHECK(cleared);
    CHECK(after == "three\nfour\n");
}

TEST_CASE("output beyond the bound is dropped, and it is said how much") {
    std::string taken;
    {
        const captured_output output;
        repl::screen screen({});
        static_cast<void>(screen.hold());
        screen.out(std::string((std::size_t{1} << 20U) + 5, 'x'));
        taken = screen.take_held();
        screen.release();
    }
    CHECK(taken.size() < (std::size_t{1} << 20U) + 100);
    CHECK(taken.find("[5 bytes of output were dropped") != std::string::npos);
}

TEST_CASE("an unfinished line can become a part of the next prompt") {
    std::string line;
    std::string next;
    {
        const captured_output output;
        repl::screen screen({});
        screen.out("whole\nna");
        screen.out("me\033[31m: ");
        line = screen.take_open_line();
        next = screen.take_open_line();
    }
    CHECK(line == "name[31m: ");
    CHECK(next.empty());
}
