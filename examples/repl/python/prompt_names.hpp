#pragma once
#include "python/completion.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace repl {

struct name_listing {
    std::vector<completion> items = {};
    bool cut = false;
};

struct module_places {
    std::vector<std::string> path = {};   ///< folders
    std::vector<std::string> names = {};  ///< of loaded and built-in modules
    bool loaded = false;                  ///< the package is loaded, and `path` is its own
};

struct module_members {
    name_listing names = {};
    bool loaded = false;
};

struct call_description {
    std::string signature = {};
    std::string summary = {};  ///< of the object, also if it cannot be called
    std::string doc = {};      ///< the first line
    std::vector<std::string> parameters = {};
};

/// Asks the session for names, all in one step. Runs no user code. All questions together take at most `patience`
/// and 100 ms. After a question that Python did not answer in time, the others are not asked.
class prompt_names {
public:
    prompt_names(ai::python::session& session, ai::duration patience);

    /// Variables and built-in names.
    [[nodiscard]] name_listing visible(const std::string& prefix);
    [[nodiscard]] name_listing members_of(const std::string& object, const std::string& prefix);
    /// The keys of a dict and the columns of a table, as Python writes them.
    [[nodiscard]] name_listing keys_of(const std::string& object);
    [[nodiscard]] call_description call_of(const std::string& object);
    [[nodiscard]] module_members members_of_module(const std::string& module, const std::string& prefix);
    /// Where the modules of a package are, or those of the top level if `package` is empty.
    [[nodiscard]] module_places modules(const std::string& package, const std::string& prefix);

    /// Whether Python did not answer in time.
    [[nodiscard]] bool gave_up() const noexcept { return gave_up_; }

private:
    std::optional<ai::json> ask(const char* what, const std::string& object, const std::string& prefix);

    ai::python::session& session_;
    std::chrono::steady_clock::time_point end_;
    bool gave_up_ = false;
};

}  // namespace repl
