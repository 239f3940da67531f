#include <pyaichat/python/attach.hpp>
#include <pyaichat/python/session.hpp>

#include "python_bench.hpp"

// The snippets of docs/guide/what-the-model-sees.md and docs/guide/stuck-programs.md.

using namespace bench;
namespace python = pyaichat::python;

TEST_CASE("the guide's session takes a policy and changes it") {
    const python::interpreter& interpreter = shared_python();
    // [policy]
    python::session session(interpreter, {.expressions = python::eval_policy::structural});
    session.set_policy(python::eval_policy::ask);  // for later calls, in all copies of the session
    // [/policy]
    CHECK(session.policy() == python::eval_policy::ask);
}

TEST_CASE("the guide's attach says why it fails") {
    std::string said;
    const auto print = [&](const std::string& text) { said = text; };
    constexpr long no_process = 0x7FFFFFFF;
    // [attach]
    const ai::result<python::attached_process> found = python::attach(no_process);
    if (!found) {
        print(found.error().message);  // who has no such process, no permission, or another Python reads why
    }
    // [/attach]
    CHECK(!said.empty());
}
