// A host that runs Python itself lets the SDK adopt it. The built-in provider recognises a few question forms, offline.
#include <Python.h>

#include <pyaichat/offline/offline.hpp>
#include <pyaichat/pyaichat.hpp>
#include <pyaichat/python/interpreter.hpp>
#include <pyaichat/python/session.hpp>

#include <cstdio>

namespace ai = pyaichat;

// [ask]
/// Asks about the live variables of the host's Python. The caller does not hold the GIL.
int ask_about_the_host() {
    ai::result<ai::python::interpreter> python = ai::python::interpreter::adopt();
    if (!python) {
        std::fprintf(stderr, "%s\n", python.error().message.c_str());
        return 1;
    }
    ai::python::session session(*python, {.module = "__main__"});
    ai::agent agent{ai::offline{}, {session}};
    std::puts(agent.ask("what is inventory?").wait().text.c_str());
    return 0;
}
// [/ask]

int main() {
    Py_InitializeEx(0);
    PyRun_SimpleString("inventory = {'rope': 1, 'torch': 3}");
    PyThreadState* state = PyEval_SaveThread();
    const int status = ask_about_the_host();
    PyEval_RestoreThread(state);
    return Py_FinalizeEx() == 0 ? status : 1;
}
