#include <pyaichat/schema/decode.hpp>

#include "catch.hpp"

#include <cstdint>

namespace ai = pyaichat;

namespace {
template <class T>
std::optional<T> read(const ai::json& value, ai::schema_error* why = nullptr) {
    T into{};
    ai::schema_error error;
    const bool fine = ai::decode(value, into, error, "/x");
    if (why != nullptr) {
        *why = error;
    }
    return fine ? std::optional<T>(std::move(into)) : std::nullopt;
}
}  // namespace

TEST_CASE("values decode to the types that capabilities take") {
    CHECK(read<bool>(true) == true);
    CHECK(read<int>(7) == 7);
    CHECK(read<int>(7.0) == 7);
    CHECK(read<double>(7) == 7.0);
    CHECK(read<std::string>("a") == "a");
    CHECK(read<std::vector<int>>({1, 2}) == std::vector{1, 2});
    CHECK(read<std::map<std::string, bool>>({{"k", true}}) == std::map<std::string, bool>{{"k", true}});
    CHECK(read<std::optional<int>>(nullptr) == std::optional<std::optional<int>>(std::optional<int>()));
    CHECK(read<ai::json>({{"any", 1}}) == ai::json({{"any", 1}}));
}

TEST_CASE("a value that does not fit says where, what is wanted and what was found") {
    ai::schema_error why;
    CHECK_FALSE(read<int>("7", &why));
    CHECK(why == ai::schema_error{"/x", "type", "must be an integer, not string"});
    CHECK_FALSE(read<std::vector<std::string>>({"a", 1}, &why));
    CHECK(why.path == "/x/1");
    CHECK_FALSE(read<std::map<std::string, bool>>({{"a/b~", 1}}, &why));
    CHECK(why.path == "/x/a~1b~0");
}

TEST_CASE("enumerations are words, and times are nanoseconds that arithmetic can bear") {
    ai::schema_error why;
    CHECK(read<ai::errc>("rate_limited") == ai::errc::rate_limited);
    CHECK_FALSE(read<ai::errc>("late", &why));
    CHECK(why.path == "/x");
    CHECK(why.keyword == "enum");
    CHECK(why.message.starts_with("must be one of `internal`, "));
    CHECK_FALSE(read<ai::errc>(3));
    CHECK(read<ai::duration>(1500) == ai::duration(1500));
    CHECK(read<ai::duration>(std::numeric_limits<std::int64_t>::max()) == ai::duration::max());
    CHECK(*read<ai::duration>(std::numeric_limits<std::int64_t>::min()) < ai::duration(-1'000'000'000));
    CHECK(*read<ai::duration>(std::numeric_limits<std::int64_t>::min()) > ai::duration::min() / 2);
    CHECK_FALSE(read<ai::duration>(0.5));
}

TEST_CASE("numbers that do not fit are refused") {
    ai::schema_error why;
    CHECK_FALSE(read<int>(7.5, &why));
    CHECK_FALSE(read<std::uint8_t>(300, &why));
    CHECK(why.message == "must be an integer from 0 to 255");
    CHECK_FALSE(read<unsigned>(-1));
    CHECK(read<std::uint64_t>(18446744073709551615u) == 18446744073709551615u);
    CHECK_FALSE(read<float>(1e300));
    CHECK_FALSE(read<bool>(1));
    CHECK_FALSE(read<double>("1"));
}
