#include <pyaichat/capability/any_capabilities.hpp>

#include <pyaichat/capability/combine.hpp>
#include <pyaichat/capability/function.hpp>

#include "catch.hpp"

#include <memory>
#include <string>
#include <vector>

namespace ai = pyaichat;

namespace {
ai::function_capability named(std::string name, std::string origin = "C++", int value = 0) {
    ai::capability_spec spec;
    spec.name = std::move(name);
    spec.description = "A test.";
    spec.origin = std::move(origin);
    return {std::move(spec), [value](const ai::capability_call&, ai::capability_responder responder) { responder(ai::reply_with(value)); }};
}
}  // namespace

TEST_CASE("sources of any type are joined in order, and a call goes to the one that declares it") {
    ai::any_capabilities all{named("a", "C++", 1), named("b", "C++", 2)};
    REQUIRE(all.add(named("c", "C++", 3)));
    REQUIRE(all.specs()->size() == 3);
    CHECK(all.specs().value()[2].name == "c");
    ai::capability_call call;
    call.name = "b";
    ai::json result;
    all.invoke(call, ai::capability_responder([&](ai::capability_reply reply) { result = reply.result; }));
    CHECK(result == 2);
}

TEST_CASE("a clash of names is refused, names both sides, and adds nothing") {
    ai::any_capabilities all{named("door", "C++")};
    const auto added = all.add(named("door", "doors.lua"));
    REQUIRE_FALSE(added);
    CHECK(added.error().code == ai::errc::name_clash);
    CHECK(added.error().message.find("C++") != std::string::npos);
    CHECK(added.error().message.find("doors.lua") != std::string::npos);
    CHECK(all.specs()->size() == 1);
}

TEST_CASE("a clash in the constructor is there for the run to find") {
    const ai::any_capabilities all{named("door"), named("door")};
    CHECK(all.specs().error().code == ai::errc::name_clash);
}

TEST_CASE("a declaration that no service would take is refused") {
    ai::any_capabilities all;
    for (const char* name : {"", "1st", "a b", "a.b", "caf\xC3\xA9"}) {
        CHECK(all.add(named(name)).error().code == ai::errc::invalid_argument);
    }
    CHECK(all.add(named(std::string(65, 'a'))).error().code == ai::errc::invalid_argument);
    CHECK(all.add(named(std::string(64, 'a'))));
}

TEST_CASE("a call that nobody declares any more is answered, not lost") {
    ai::any_capabilities none;
    ai::capability_call call;
    call.name = "gone";
    ai::reply_code code = ai::reply_code::ok;
    none.invoke(call, ai::capability_responder([&](ai::capability_reply reply) { code = reply.code; }));
    CHECK(code == ai::reply_code::unknown_function);
}

TEST_CASE("sources inside of sources follow a change at once, wherever it is") {
    struct shelf {
        std::shared_ptr<ai::capability_list> books;
        ai::result<ai::capability_list> specs() const { return *books; }
        void invoke(const ai::capability_call&, ai::capability_responder) {}
    };
    const auto books = std::make_shared<ai::capability_list>();
    const auto put = [&](std::initializer_list<const char*> titles) {
        std::vector<ai::capability_spec> specs;
        for (const char* title : titles) {
            specs.push_back({.name = title, .description = "A test."});
        }
        *books = *ai::declare(specs);
    };
    const ai::any_capabilities all{ai::combine(ai::any_capabilities{shelf{books}, named("x")}, named("y")), named("z")};
    const auto names = [&] {
        std::string joined;
        const ai::capability_list declared = *all.specs();
        CHECK(declared == *all.specs());
        for (const ai::capability_spec& one : declared) {
            joined += one.name;
        }
        return joined;
    };
    put({"a"});
    CHECK(names() == "axyz");
    CHECK(names() == "axyz");
    put({"b"});
    CHECK(names() == "bxyz");
    put({"b", "c"});
    CHECK(names() == "bcxyz");
    put({});
    CHECK(names() == "xyz");
}
