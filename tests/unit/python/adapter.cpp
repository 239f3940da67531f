#include <pyaichat/python/adapter.hpp>

#include "python_bench.hpp"

#include <stdexcept>

using namespace bench;

TEST_CASE("a host describes the objects of one type of its own") {
    python_bench bench(R"py(
import sys, types
game = types.ModuleType('game'); sys.modules['game'] = game
trips = []
class Entity:
    def __init__(self): self.health = 40; self.name = 'orc'; self.items = {'sword': 1.5}; self.numbers = [7]
    def __repr__(self): trips.append('repr'); return 'r'
    @property
    def lazy(self): trips.append('lazy')
Entity.__module__ = 'game'; game.Entity = Entity
class Orc(Entity): pass
Orc.__module__ = 'game'; Orc.__qualname__ = 'Entity'; Orc.__name__ = 'Entity'
entity, orc, entities = Entity(), Orc(), [Entity()]
)py");
    REQUIRE(py::describe_type(shared_python(), "game.Entity", [](const py::object_view& entity) {
        CHECK(entity.type_name() == "game.Entity");
        CHECK(entity.raw() != nullptr);
        CHECK_FALSE(entity.attribute("lazy"));
        CHECK_FALSE(entity.attribute("no_such"));
        CHECK(entity.attribute("items")->item("sword")->as_number() == 1.5);
        CHECK(entity.attribute("numbers")->item(0)->as_integer() == 7);
        CHECK(entity.attribute("numbers")->size() == 1);
        CHECK_FALSE(entity.attribute("numbers")->as_text());
        const std::optional<std::int64_t> health = entity.attribute("health")->as_integer();
        ai::json facts = ai::json::object();
        facts["health"] = health.value_or(-1);
        return py::object_description{
            "Entity " + entity.attribute("name")->as_text().value_or("?") + " with health " + std::to_string(health.value_or(-1)),
            std::move(facts)};
    }));
    CHECK(bench.repr("entity") == "Entity orc with health 40");
    CHECK(bench.repr("entities") == "[Entity orc with health 40]");
    const ai::json facts = bench.look("inspect", "entity");
    CHECK(python_bench::member(facts, "details") == parsed(R"({"health": 40})"));
    CHECK(python_bench::text(facts, "summary") == "Entity orc with health 40");
    CHECK(ai::integer_member(facts, "tier") == 1);
    CHECK(ai::find_member(facts, "attributes") != nullptr);
    // A class that only claims the name is not the one in the module.
    CHECK(bench.repr("orc").starts_with("<game.Entity object"));
    CHECK(bench.session.eval("trips").value == "[]");
}

TEST_CASE("a description of a host is one call") {
    python_bench bench(
        "import sys, types\nwar = types.ModuleType('war'); sys.modules['war'] = war\nclass Orc:\n    health = 7\nOrc.__module__ = 'war'; "
        "war.Orc = Orc; orc = Orc()");
    const py::interpreter& interpreter = shared_python();
    // [describe-type]
    const ai::result<void> known = ai::python::describe_type(interpreter, "war.Orc", [](const ai::python::object_view& orc) {
        const std::optional<ai::python::object_view> health = orc.attribute("health");
        return ai::python::object_description{.text = "Orc with health " + std::to_string(health ? health->as_integer().value_or(0) : 0)};
    });
    // [/describe-type]
    REQUIRE(known);
    CHECK(bench.repr("orc") == "Orc with health 7");
}

TEST_CASE("descriptions of a host are bounded, and an exception becomes their text") {
    python_bench bench("class Bad: pass\nclass Big: pass\nbad, big = Bad(), Big()");
    REQUIRE(py::describe_type(shared_python(), "Bad",
                              [](const py::object_view&) -> py::object_description { throw std::runtime_error("no luck"); }));
    REQUIRE(py::describe_type(shared_python(), "Big", [](const py::object_view&) {
        return py::object_description{std::string(10'000, 'x') + "\n", ai::json(std::string(20'000, 'y'))};
    }));
    CHECK(bench.repr("bad") == "<the host could not describe this object: no luck>");
    CHECK(bench.repr("big").size() <= 400);
    const ai::json facts = bench.look("inspect", "big");
    CHECK(python_bench::text(python_bench::member(facts, "details"), "note").find("8 KiB") != std::string::npos);
    CHECK_FALSE(py::describe_type(shared_python(), "", [](const py::object_view&) { return py::object_description{}; }));
    CHECK_FALSE(py::describe_type(shared_python(), "X", nullptr));
}
