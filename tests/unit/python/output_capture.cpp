#include "python/interpreter/output_capture.hpp"

#include "python_bench.hpp"

#include <cstdio>
#include <cstring>

using namespace bench;
using namespace pyaichat::python::detail;
using pyaichat::python::output_stream;

namespace {

/// The most memory that this process has had, in bytes.
std::size_t peak_memory() {
    std::FILE* status = std::fopen("/proc/self/status", "r");
    REQUIRE(status != nullptr);
    std::size_t kilobytes = 0;
    char line[256];
    while (std::fgets(line, sizeof line, status) != nullptr) {
        std::sscanf(line, "VmHWM: %zu", &kilobytes);
    }
    std::fclose(status);
    return kilobytes * 1024;
}

/// Makes `peak_memory` begin again with the current memory.
void reset_peak_memory() {
    std::FILE* control = std::fopen("/proc/self/clear_refs", "w");
    REQUIRE(control != nullptr);
    std::fputs("5", control);
    std::fclose(control);
}

}  // namespace

TEST_CASE("a bounded text below its limit is complete, whatever the pieces are") {
    for (const std::size_t piece : {1, 2, 3, 7, 20}) {
        const std::string whole = "abcdefghijklmnopqrst";
        bounded_output kept(20);
        for (std::size_t i = 0; i < whole.size(); i += piece) {
            kept.append(whole.substr(i, piece));
        }
        CHECK(kept.text() == whole);
    }
}

TEST_CASE("a bounded text keeps its beginning and its end, whatever the pieces are") {
    std::string whole;
    for (int i = 0; i < 1000; ++i) {
        whole += std::to_string(1000 + i);
    }
    for (const std::size_t piece : {1, 3, 4, 5, 8, 16, 17, 33, 4000}) {
        INFO(piece);
        bounded_output kept(32);
        for (std::size_t i = 0; i < whole.size(); i += piece) {
            kept.append(std::string_view(whole).substr(i, piece));
        }
        CHECK(kept.text() == "1000100110021003\n[3968 bytes left out]\n1996199719981999");
    }
}

TEST_CASE("a bounded text does not split a character, and counts what it leaves out") {
    std::string whole;
    for (int i = 0; i < 300; ++i) {
        whole += "\u20ac";
    }
    for (const std::size_t piece : {3, 6, 9, 90, 900}) {
        bounded_output kept(20);
        for (std::size_t i = 0; i < whole.size(); i += piece) {
            kept.append(std::string_view(whole).substr(i, piece));
        }
        CHECK(kept.text() == "\u20ac\u20ac\u20ac\n[882 bytes left out]\n\u20ac\u20ac\u20ac");
    }
}

TEST_CASE("output of a call keeps its beginning and its end") {
    python_bench bench;
    const ai::json result = bench.look("eval_expr", "[print('line', i) for i in range(100000)] and 'end'");
    const std::string out = python_bench::text(result, "stdout");
    CHECK(out.size() < 8 * 1024 + 100);
    CHECK(out.starts_with("line 0\nline 1\n"));
    CHECK(out.ends_with("line 99998\nline 99999\n"));
    CHECK(out.find(" bytes left out]\n") != std::string::npos);
}

TEST_CASE("300 MB of output need little memory, in one text or in many") {
    python_bench bench("chunk = 'x' * 1_000_000");
    const std::size_t allowed = sanitized ? std::size_t{600} << 20 : std::size_t{24} << 20;
    reset_peak_memory();
    const std::size_t before = peak_memory();
    static_cast<void>(bench.look("eval_expr", "[print(chunk) for _ in range(300)]"));
    CHECK(peak_memory() - before < allowed);

    CHECK(bench.session.exec("for _ in range(300): print(chunk)").out.size() < (std::size_t{1} << 20) + 100);
    CHECK(peak_memory() - before < allowed);
}

TEST_CASE("a text of 100 MB is not copied when it is printed") {
    python_bench bench("text = 'x' * 100_000_000");
    reset_peak_memory();
    const std::size_t before = peak_memory();
    REQUIRE(bench.session.exec("print(text)").ok());
    CHECK(peak_memory() - before < (sanitized ? std::size_t{400} << 20 : std::size_t{50} << 20));
}

TEST_CASE("what a background thread writes between two commands is bounded") {
    python_bench bench(
        "import threading\ngo = threading.Event()\n"
        "def flood():\n    go.wait()\n    for _ in range(100): print('y' * 100_000)\n    print('last')\n"
        "threading.Thread(target=flood).start()");
    // The outcome of each command has what was written before it ended, so one of them gets the end of the flood.
    std::string all;
    for (const char* code = "go.set()"; all.find("last") == std::string::npos; code = "pass") {
        const py::outcome ended = bench.session.exec(code);
        REQUIRE(ended.out.size() < (std::size_t{1} << 20) + 200);
        all += ended.out;
    }
}

TEST_CASE("what is written while a command ends belongs to the next one") {
    output_switch output;
    const auto sink = std::make_shared<output_sink>();
    const auto next = std::make_shared<output_sink>();
    {
        const output_switch::redirection captured(output, sink);
        output.write(output_stream::out, "first ");
    }
    CHECK_FALSE(sink->write(output_stream::out, "late"));
    output.write(output_stream::out, "second ");
    {
        const output_switch::redirection captured(output, next);
        output.write(output_stream::out, "third");
    }
    CHECK(sink->text(output_stream::out) == "first ");
    CHECK(next->text(output_stream::out) == "second third");
}
