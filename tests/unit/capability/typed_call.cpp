#include <pyaichat/capability/detail/typed_call.hpp>

#include "catch.hpp"

namespace ai = pyaichat;

namespace typed_call_tests {
using ai::json;
using ai::detail::signature;
using ai::detail::typed_call;

namespace {

template <class Typed, class F>
ai::capability_reply run(const Typed& typed, F callable, json arguments) {
    ai::capability_call call;
    call.arguments = std::move(arguments);
    ai::capability_reply reply;
    ai::capability_responder responder([&](ai::capability_reply replied) { reply = std::move(replied); });
    typed.run(callable, call, responder);
    return reply;
}

}  // namespace

TEST_CASE("a call decodes its arguments by the names of the args, and takes defaults for those that are missing") {
    using form = signature<int (*)(int, std::optional<int>)>;
    typed_call<form, 2> typed({ai::arg{"a", "", 1}, ai::arg{"b"}});
    const ai::result<json> schema = typed.make_schema("f");
    REQUIRE(schema);
    CHECK_FALSE(schema->contains("required"));
    const auto add = [](int a, std::optional<int> b) { return a + b.value_or(10); };
    CHECK(run(typed, add, json::object()).result == 11);
    CHECK(run(typed, add, {{"a", 2}, {"b", 3}}).result == 5);
    CHECK(run(typed, add, {{"a", nullptr}}).code == ai::reply_code::invalid_args);
    CHECK(run(typed, add, json::array()).result == 11);
}

TEST_CASE("the result has the type of the signature") {
    typed_call<signature<double (*)(int)>, 1> typed({ai::arg{"a"}});
    REQUIRE(typed.make_schema("f"));
    CHECK(run(typed, [](int a) { return a; }, {{"a", 2}}).result.is_number_float());
    typed_call<signature<void (*)()>, 0> nothing({});
    REQUIRE(nothing.make_schema("f"));
    CHECK(run(nothing, [] { return 1; }, json::object()).result.is_null());
}

}  // namespace typed_call_tests
