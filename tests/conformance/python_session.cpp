#include "judged.hpp"

#include <pyaichat/capability/adapt.hpp>
#include <pyaichat/python/session.hpp>

namespace {

std::vector<fake::sample_call> samples(const std::string& prefix) {
    return {{.name = prefix + "get_type", .arguments = {{"expr", "df"}}},
            {.name = prefix + "list_globals"},
            {.name = prefix + "eval_expr", .arguments = {{"expr", "1 / 0"}}, .wanted = ai::reply_code::python_exception}};
}

}  // namespace

TEST_CASE("a Python session conforms, also under a prefix") {
    ai::result<ai::python::interpreter> python = ai::python::interpreter::start();
    REQUIRE(python);
    ai::python::session session(*python);
    REQUIRE(session.exec("df = [1, 2]").ok());
    fake::source_subject subject = fake::source_under_test(session, samples(""));
    subject.slow = fake::sample_call{.name = "eval_expr", .arguments = {{"expr", "__import__('time').sleep(3)"}}};
    require_conforming(fake::check_source(subject), 0);
    auto prefixed = session | ai::prefix{"py_"};
    require_conforming(fake::check_source(fake::source_under_test(prefixed, samples("py_"))), 1);
}
