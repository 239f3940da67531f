#include "terminal/key_reader.hpp"

#include "catch.hpp"

#include <unistd.h>

#include <string_view>

namespace {

/// What a terminal has sent, all at once, before it hung up.
class sent {
public:
    explicit sent(std::string_view bytes) {
        REQUIRE(::pipe(ends_) == 0);
        REQUIRE(::write(ends_[1], bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()));
        ::close(ends_[1]);
    }
    sent(const sent&) = delete;
    sent& operator=(const sent&) = delete;
    ~sent() { ::close(ends_[0]); }

    /// Every key; a pasted one in brackets.
    std::wstring keys() {
        repl::key_reader reader(ends_[0]);
        std::wstring out;
        wchar_t key = 0;
        while (reader.next(key) == repl::key_reader::status::key) {
            out += reader.pasted() ? std::wstring(L"[") + key + L"]" : std::wstring(1, key);
        }
        return out;
    }

private:
    int ends_[2] = {-1, -1};
};

}  // namespace

TEST_CASE("typed keys come as they are, escape sequences of the terminal included") {
    CHECK(sent("ab\x03\x1b[A\x1bp\r").keys() == L"ab\x03\x1b[A\x1bp\r");
    CHECK(sent("gr\xC3\xB6\xC3\x9F"
               "e \xF0\x9F\x90\x8D")
              .keys() == L"gr\u00f6\u00dfe \U0001F40D");
}

TEST_CASE("a TAB alone is typed, and one with more behind it is pasted") {
    CHECK(sent("\t").keys() == L"\t");
    CHECK(sent("\tx").keys() == L"[\t]x");
    CHECK(sent("x\t").keys() == L"x\t");
}

TEST_CASE("all between the marks of a paste is pasted, with one line end for each of the three kinds") {
    CHECK(sent("\x1b[200~\ta\rb\nc\r\n\x1b[201~\t").keys() == L"[\t][a][\n][b][\n][c][\n]\t");
}

TEST_CASE("control characters in a paste do nothing") {
    CHECK(sent("\x1b[200~a\x03\x04\x1b[Ab\x7f\x1b[201~c").keys() == L"[a][[][A][b]c");
}

TEST_CASE("what is no UTF-8 becomes the replacement character") {
    CHECK(sent("a\xFF"
               "b\xC3")
              .keys() == L"a\uFFFDb\uFFFD");
    CHECK(sent("\xED\xA0\x80").keys() == L"\uFFFD");
}

TEST_CASE("a mark that is cut off is keys like any others") {
    CHECK(sent("\x1b[20").keys() == L"\x1b[20");
}
