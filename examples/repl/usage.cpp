#include "usage.hpp"

namespace repl {

const char* usage_text() noexcept {
    return "usage: pyaichat [options] [script.py [options] [arguments of the script]]\n"
#ifdef PYAICHAT_REPL_PLUGINS
           "       pyaichat plugin check|list|call ...                (see pyaichat plugin --help)\n"
#endif
#ifdef PYAICHAT_REPL_EMULATES
           "       pyaichat emulate SERVICE --script FILE [options]   (see pyaichat emulate --help)\n"
#endif
           R"(
A Python prompt with an assistant that answers questions about the live session.
With --ask, or with --exec or a script without a terminal, it runs them in that order and exits.

  --exec CODE            run Python code (repeatable)
  --ask QUESTION         ask a question (repeatable); --ask - reads questions from standard input, one per line
  --json                 one JSON object per question on standard output, everything else on standard error
  --provider NAME        offline, gemini, anthropic, openai, or a service like OpenAI: openrouter, mistral, groq, deepseek, kimi,
                         gemini-openai, vllm, lm_studio, ollama, llamacpp; default: the first key found, else offline
  --model NAME           the model, instead of GEMINI_MODEL, OPENAI_MODEL or ANTHROPIC_MODEL
  --attach PID           questions are about that process, with CPython 3.13, instead of the session; it is only read
  --plugin FILE|DIR      load a Lua plugin, or all *.lua files of a folder (repeatable)
  --allow NAME,...|all   run these capabilities without asking; without a terminal, other calls that need approval are denied
  --shell                let the assistant run commands, each after you approve it or a rule of /shell allows it
  --eval-policy NAME     what expressions of the assistant may do: structural (run no code), snapshot (run in a sealed copy of
                         the process; the default), ask (run live after you approve), unrestricted (run live)
  --max-steps N          maximum number of model calls per question (default 6)
  --timeout SECONDS      maximum time per question (default 20; 300 with --shell)
  --max-cost DOLLARS     maximum cost per question in US dollars; it can be exceeded by one model call
  --prices FILE          a price table (JSON), instead of the built-in one; /cost shows its date
  --log FILE             append the events of each question to FILE, as JSON lines without keys
  --private              do not read or write the history of entries
  -P, --safe-path        do not import from the working folder, a virtual environment, PYTHONPATH and the user's packages
  --no-color             no colours (or set NO_COLOR in the environment)
  --help, --version

Options of this list may also follow the script directly, long ones but --help and --version; the first other argument, and all
after it, or after --, belong to the script: script.py --ask QUESTION -- a --b. A virtual environment is used if VIRTUAL_ENV names it or
if it is the folder .venv.
Environment, or a file .env in the working folder: GEMINI_API_KEY, GEMINI_MODEL, GEMINI_BASE_URL; the same with OPENAI_ and ANTHROPIC_;
another hosted service has its own key, such as MISTRAL_API_KEY.
Exit status (the worst of all questions): 0 complete, 3 an answer is degraded, 1 error, 2 wrong usage. A script without questions ends
with the status that python3 would end with.
)";
}

}  // namespace repl
