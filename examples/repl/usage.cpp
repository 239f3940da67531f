#include "usage.hpp"

namespace repl {

const char* usage_text() noexcept {
    return "usage: pyaichat [options] [script.py]\n"
#ifdef PYAICHAT_REPL_PLUGINS
           "       pyaichat plugin check|list|call ...                (see pyaichat plugin --help)\n"
#endif
#ifdef PYAICHAT_REPL_EMULATES
           "       pyaichat emulate gemini --script FILE [options]    (see pyaichat emulate --help)\n"
#endif
           R"(
A Python prompt with an assistant that answers questions about the live session.
With --ask, or --exec or a script without a terminal, it does what it is told, in that order, and leaves.

  --exec CODE            run Python code (repeatable)
  --ask QUESTION         ask a question (repeatable); --ask - reads one question a line from standard input
  --json                 one JSON object per question on standard output, everything else on standard error
  --provider NAME        offline or gemini; without it, gemini if there is a key
  --model NAME           the model to ask, instead of GEMINI_MODEL
  --plugin FILE|DIR      load a Lua plugin, or all *.lua of a folder (repeatable)
  --allow NAME,...|all   let these capabilities run without asking; without a terminal nothing else that needs approval runs
  --eval-policy NAME     unrestricted: expressions run in the live session (structural, snapshot and ask come later)
  --max-steps N          model calls per question at most (default 6)
  --timeout SECONDS      time per question at most (default 20)
  --log FILE             append what happens in each question, as JSON lines; keys are left out
  --no-color             no colours (NO_COLOR in the environment does the same)
  --help, --version

Environment, or a file .env in the working folder: GEMINI_API_KEY, GEMINI_MODEL, GEMINI_BASE_URL.
Exit status: 0 all complete, 3 an answer is degraded, 1 an error, 2 wrong usage; of several the worst.
)";
}

}  // namespace repl
