#include "shell/rules/program_kinds.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <array>
#include <initializer_list>
#include <span>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

/// Run a program or a line that their arguments name, or change the meaning of later commands.
constexpr auto launchers = std::to_array<std::string_view>(
    {".",      "alias",   "apply",    "at",      "awk",         "batch",   "bind",     "builtin", "busybox",
     "chroot", "chrt",    "command",  "crontab", "dc",          "declare", "doas",     "ed",      "emacs",
     "enable", "entr",    "env",      "eval",    "ex",          "exec",    "expect",   "export",  "firejail",
     "flock",  "gawk",    "gdb",      "getopts", "hash",        "ionice",  "ldd",      "less",    "local",
     "ltrace", "man",     "mapfile",  "mawk",    "more",        "nano",    "nawk",     "nice",    "nohup",
     "npx",    "nsenter", "parallel", "perf",    "pkexec",      "read",    "readonly", "runuser", "script",
     "sed",    "set",     "setarch",  "setpriv", "setsid",      "shopt",   "source",   "ssh",     "start-stop-daemon",
     "stdbuf", "strace",  "su",       "sudo",    "systemd-run", "taskset", "time",     "timeout", "toybox",
     "trap",   "typeset", "uvx",      "unalias", "unset",       "unshare", "valgrind", "vi",      "vim",
     "view",   "watch",   "xargs"});

/// Run code from an argument, from a script, or from their input.
constexpr auto interpreters = std::to_array<std::string_view>(
    {"ash",       "bash",   "bun",     "csh",   "dash",  "deno",   "elixir",  "erl",   "fish",  "ghci",    "groovy", "guile",
     "irb",       "jshell", "julia",   "ksh",   "lua",   "luajit", "mksh",    "mysql", "node",  "nodejs",  "nu",     "ocaml",
     "osascript", "perl",   "php",     "psql",  "pwsh",  "pypy",   "python",  "R",     "rbash", "Rscript", "ruby",   "runghc",
     "scala",     "sh",     "sqlite3", "swift", "tclsh", "tcsh",   "ts-node", "wish",  "xonsh", "zsh"});

/// Options that run programs, or write files that the arguments name. `--name` also matches its abbreviations, `-x` also within `-axb`.
struct risky_options {
    std::string_view program;
    std::array<std::string_view, 16> options = {};
};
constexpr auto risky = std::to_array<risky_options>({
    {"ag", {"--pager"}},
    {"cargo", {"--config"}},
    {"cmake", {"-P", "-E"}},
    {"curl",
     {"-o", "-O", "-K", "-T", "-D", "-c", "--output", "--remote-name", "--config", "--upload-file", "--dump-header", "--cookie-jar"}},
    {"date", {"-s", "--set"}},
    {"fd", {"-x", "-X", "--exec", "--exec-batch"}},
    {"fdfind", {"-x", "-X", "--exec", "--exec-batch"}},
    {"file", {"-C", "--compile"}},
    {"find", {"-exec", "-execdir", "-ok", "-okdir", "-delete", "-fls", "-fprint", "-fprint0", "-fprintf"}},
    {"git",
     {"-c", "-o", "-O", "-x", "--config-env", "--exec", "--exec-path", "--ext-diff", "--git-dir", "--open-files-in-pager", "--output",
      "--paginate", "--receive-pack", "--textconv", "--upload-pack", "--work-tree"}},
    {"go", {"-exec", "-toolexec", "-vettool", "--exec", "--toolexec", "--vettool"}},
    {"iconv", {"-o", "--output"}},
    {"make", {"-f", "-C", "-I", "--eval", "--file", "--makefile", "--directory", "--include-dir"}},
    {"npm", {"--script-shell", "--prefix"}},
    {"rg", {"--pre", "--hostname-bin"}},
    {"rsync", {"-e", "--rsh", "--rsync-path"}},
    {"scp", {"-S", "-o", "-D"}},
    {"sftp", {"-S", "-o", "-D", "-b"}},
    {"sort", {"-o", "--output", "--compress-program"}},
    {"split", {"--filter"}},
    {"tar",
     {"-I", "-F", "--checkpoint-action", "--info-script", "--new-volume-script", "--rmt-command", "--rsh-command", "--to-command",
      "--use-compress-program"}},
    {"tcpdump", {"-z", "-w"}},
    {"tree", {"-o", "--output"}},
    {"wget", {"-e", "-O", "-o", "-a", "--execute", "--output-document", "--output-file", "--append-output", "--use-askpass"}},
    {"xxd", {"-r"}},
    {"zip", {"-T", "--unzip-command", "--test"}},
});

/// Their second word says what they do.
constexpr auto with_subcommands =
    std::to_array<std::string_view>({"apt", "brew", "bundle", "cargo",  "conda",  "dnf",     "docker",    "dotnet",    "flatpak", "gh",
                                     "git", "go",   "gradle", "helm",   "ip",     "kubectl", "make",      "meson",     "mvn",     "npm",
                                     "pip", "pip3", "pnpm",   "podman", "poetry", "snap",    "systemctl", "terraform", "uv",      "yarn"});

/// No rule is offered for them: the next arguments matter too much.
constexpr auto destroyers = std::to_array<std::string_view>(
    {"chgrp", "chmod",    "chown",  "cp", "dd",    "fdisk", "kill",     "killall", "ln",       "mkfs",   "mount",  "mv",    "parted",
     "pkill", "poweroff", "reboot", "rm", "rmdir", "shred", "shutdown", "tee",     "truncate", "umount", "unlink", "wipefs"});

bool contains(std::span<const std::string_view> list, std::string_view name) noexcept {
    return std::find(list.begin(), list.end(), name) != list.end();
}

std::string_view base_name(std::string_view program) noexcept {
    return program.substr(program.rfind('/') + 1);
}

/// `python3.12` is `python`.
std::string_view without_version(std::string_view name) noexcept {
    while (!name.empty() && (is_digit(name.back()) || name.back() == '.' || name.back() == '-')) {
        name.remove_suffix(1);
    }
    return name;
}

bool is_interpreter(std::string_view name) noexcept {
    return contains(interpreters, name) || contains(interpreters, without_version(name));
}

bool is_option(std::string_view word) noexcept {
    return word.size() > 1 && word.front() == '-';
}

bool matches_option(std::string_view word, std::string_view option) noexcept {
    const std::string_view name = word.substr(0, word.find('='));
    if (option.starts_with("--")) {
        constexpr std::size_t shortest = 3;  // `--o` may stand for `--output`
        return word.starts_with("--") && name.size() >= shortest && (option.starts_with(name) || name == option);
    }
    if (option.size() > 2) {
        return name == option;
    }
    return is_option(word) && word[1] != '-' && word.find(option[1]) != std::string_view::npos;
}

bool has_risky_option(std::string_view name, const command_words& command) noexcept {
    const auto found = std::find_if(risky.begin(), risky.end(), [&](const risky_options& each) { return each.program == name; });
    return found != risky.end() && std::any_of(command.begin() + 1, command.end(), [&](const std::string& word) {
               return std::any_of(found->options.begin(), found->options.end(),
                                  [&](std::string_view option) { return !option.empty() && matches_option(word, option); });
           });
}

/// Whether the option gives an interpreter code: `-c`, `-e`, `-lc`, `--eval`.
bool is_code_option(std::string_view word) noexcept {
    if (!is_option(word)) {
        return false;
    }
    if (word.starts_with("--")) {
        return word.starts_with("--ev") || word.starts_with("--ex") || word.starts_with("--co") || word.starts_with("--pr") ||
               word.starts_with("--run") || word.starts_with("--init") || word.starts_with("--rc") || word.starts_with("--require") ||
               word.starts_with("--import");
    }
    return word.find_first_of("ceEprB") != std::string_view::npos;
}

/// An interpreter may run the script that the rule names, and no code from elsewhere. What looks like code behind the script counts too:
/// the word that seems to be the script may be the value of an option.
bool runs_named_script(const command_words& command, std::size_t named) noexcept {
    const auto script = std::find_if(command.begin() + 1, command.end(), [](const std::string& word) { return !is_option(word); });
    const auto is_code = [](const std::string& word) { return is_code_option(word); };
    return script != command.end() && *script != "-" && script - command.begin() < static_cast<std::ptrdiff_t>(named) &&
           std::none_of(command.begin() + 1, command.end(), is_code);
}

/// The options of `tar` may stand in its first argument without a dash.
bool hides_program_of_tar(std::string_view name, const command_words& command) noexcept {
    return name == "tar" && command.size() > 1 && !is_option(command[1]) && command[1].find_first_of("IF") != std::string::npos;
}

}  // namespace

std::string_view danger_of(const command_words& command, std::size_t named) {
    const std::string_view name = base_name(command.front());
    if (contains(launchers, name) || contains(launchers, without_version(name))) {
        return "runs other programs, or changes what later commands mean";
    }
    if (is_interpreter(name) && !runs_named_script(command, named)) {
        return "is an interpreter";
    }
    if (has_risky_option(name, command) || hides_program_of_tar(name, command)) {
        return "has an option that runs programs or writes files";
    }
    const bool assigns = name == "make" && std::any_of(command.begin() + 1, command.end(),
                                                       [](const std::string& word) { return word.find('=') != std::string::npos; });
    return assigns ? "sets variables" : "";
}

command_words useful_rule(const command_words& command) {
    const std::string_view name = base_name(command.front());
    std::size_t size = 1;
    if (contains(with_subcommands, name) || is_interpreter(name)) {
        const bool has_second = command.size() > 1 && !is_option(command[1]);
        if (!has_second) {
            return {};
        }
        size = 2;
    }
    if (contains(destroyers, name) || !danger_of(command, size).empty()) {
        return {};
    }
    return {command.begin(), command.begin() + static_cast<std::ptrdiff_t>(size)};
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
