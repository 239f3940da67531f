#include <pyaichat/python/session.hpp>

#include "python_bench.hpp"

#include <algorithm>
#include <string>

namespace {

using bench::python_bench;
namespace ai = pyaichat;

ai::json query(const char* what, const std::string& expression, const std::string& prefix) {
    return ai::json::object({{"what", what}, {"expr", expression}, {"prefix", prefix}});
}

/// The names in the reply, with a blank between them.
std::string members(python_bench& bench, const char* what, const std::string& expression, const std::string& prefix) {
    std::string names = python_bench::text(bench.result("prompt_names", query(what, expression, prefix)), "members");
    std::ranges::replace(names, '\n', ' ');
    return names.substr(0, names.empty() ? 0 : names.size() - 1);
}

}  // namespace

TEST_CASE("the model does not know of the query for names") {
    python_bench bench;
    const ai::capability_list declared = *bench.session.specs();
    for (const ai::capability_spec& spec : declared) {
        CHECK(spec.name != "prompt_names");
    }
}

TEST_CASE("the query for names reads variables, members, keys and parameters without running code") {
    python_bench bench("import json\nvalue = {'a': 1, (1, 'b'): 2}\ndef attack(target, /, damage=1, *, force=False): 'Attacks.'\n");
    CHECK(members(bench, "names", "", "valu") == "value");
    CHECK(members(bench, "members", "value", "set") == "setdefault");
    CHECK(members(bench, "keys", "value", "") == "'a' (1, 'b')");
    CHECK(members(bench, "call", "attack", "") == "damage force");
    CHECK(members(bench, "module", "json", "dump").starts_with("dump"));
    const ai::json call = bench.result("prompt_names", query("call", "attack", ""));
    CHECK(python_bench::text(call, "signature") == "attack(target, /, damage=1, *, force=False)");
    CHECK(python_bench::text(call, "doc") == "Attacks.");
    CHECK(ai::integer_member(call, "tier") == 0);
    CHECK(ai::bool_member(call, "ran_user_code") == false);
}

TEST_CASE("the query for names shows built-in functions without their module and self") {
    python_bench bench;
    const auto signature = [&](const char* expression) {
        return python_bench::text(bench.result("prompt_names", query("call", expression, "")), "signature");
    };
    CHECK(signature("len") == "len(obj, /)");
    CHECK(signature("sorted") == "sorted(iterable, /, *, key=None, reverse=False)");
    CHECK(signature("'a'.upper") == "upper()");
    CHECK(signature("'a'.split") == "split(sep=None, maxsplit=-1)");
    CHECK(signature("list") == "list(iterable=(), /)");
    CHECK(signature("dict.keys").starts_with("D.keys") == false);
}

TEST_CASE("the query for names leaves hidden names out") {
    python_bench bench("player_one = 1\nplayer_secret = 2\nbox = {'player_one': 1, 'player_secret': 2}\n");
    bench.session.hide("*_secret");
    CHECK(members(bench, "names", "", "player") == "player_one");
    CHECK(members(bench, "keys", "box", "") == "'player_one'");
}
