#pragma once

namespace repl {

/// The state of the terminal of standard input while the editor reads: keys arrive one by one, without echo, and pastes are marked.
///
/// Whatever ends the program while it is raw, the terminal gets back the state that it had before: a signal, a crash, `exit`. A signal then
/// has its usual effect, such as the exit status. `_exit` and SIGKILL cannot be noticed.
class raw_terminal {
public:
    raw_terminal() { enter(); }
    raw_terminal(const raw_terminal&) = delete;
    raw_terminal& operator=(const raw_terminal&) = delete;
    ~raw_terminal() { leave(); }

    void enter();
    void leave();

    /// Installs the handlers that restore the terminal. Signals that the program was started with as ignored stay so. Call it once.
    static void install_handlers();
};

}  // namespace repl
