#include "python/python_environment.hpp"

#include <pyaichat/core/text.hpp>

#include <fstream>
#include <system_error>

namespace repl {

namespace {

namespace fs = std::filesystem;

/// The version in `pyvenv.cfg`, or an empty text. The tools that create environments use one of two keys.
std::string version_of(std::ifstream& config) {
    std::string line;
    while (std::getline(config, line)) {
        const std::size_t equals = line.find('=');
        if (equals == std::string::npos) {
            continue;
        }
        const std::string_view text = line;
        const std::string_view key = pyaichat::detail::trimmed(text.substr(0, equals));
        if (key == "version" || key == "version_info") {
            return std::string(pyaichat::detail::trimmed(text.substr(equals + 1)));
        }
    }
    return {};
}

/// "3.11" of "3.11.2".
std::string minor_version(std::string_view version) {
    const std::size_t first = version.find('.');
    return std::string(version.substr(0, first == std::string_view::npos ? first : version.find('.', first + 1)));
}

}  // namespace

python_environment find_environment(const std::optional<std::string>& virtual_env, const fs::path& working_folder,
                                    std::string_view version) {
    std::error_code error;
    const bool named = virtual_env && !virtual_env->empty();
    const fs::path folder = named ? working_folder / *virtual_env : working_folder / ".venv";
    std::ifstream config(folder / "pyvenv.cfg");
    if (!config) {
        return !named ? python_environment()
                      : python_environment{.problem = "VIRTUAL_ENV is " + *virtual_env +
                                                      ", which is not a virtual environment (pyvenv.cfg cannot be read): its packages are "
                                                      "not imported. Unset VIRTUAL_ENV or create the environment again."};
    }
    const std::string own = minor_version(version);
    const std::string found = minor_version(version_of(config));
    if (found.empty() ? !fs::is_directory(folder / "lib" / ("python" + own), error) : found != own) {
        return {.problem = "the virtual environment " + folder.string() + " is for Python " +
                           (found.empty() ? "of another version" : found) + " and this program has Python " + own +
                           ": its packages are not imported. Create one with: python" + own + " -m venv " + folder.string()};
    }
    return {.folder = folder.string()};
}

}  // namespace repl
