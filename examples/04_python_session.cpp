// Asks about a live Python session, offline. The built-in provider recognises a few question forms and makes real function calls.
#include <pyaichat/offline/offline.hpp>
#include <pyaichat/pyaichat.hpp>
#include <pyaichat/python/interpreter.hpp>
#include <pyaichat/python/session.hpp>

#include <cstdio>

int main() {
    namespace ai = pyaichat;
    ai::result<ai::python::interpreter> python = ai::python::interpreter::start();
    if (!python) {
        std::fprintf(stderr, "%s\n", python.error().message.c_str());
        return 1;
    }
    ai::python::session session(*python);
    static_cast<void>(session.exec("inventory = {'rope': 1, 'torch': 3}"));

    ai::agent agent{ai::offline{}, {session}};
    std::puts(agent.ask("what is inventory?").wait().text.c_str());
}
