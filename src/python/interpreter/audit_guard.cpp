#include "python/interpreter/audit_guard.hpp"

#include "python/look/static_lookup.hpp"
#include "python/python_api.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <atomic>
#include <climits>
#include <cstdlib>
#include <string>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

thread_local audit_mode thread_mode = audit_mode::off;
std::atomic<bool> process_is_snapshot = false;

/// Events that tiers 0 and 1 may raise: they look at frames and objects, or compile. All others are refused.
constexpr std::array<std::string_view, 9> look_events = {
    "builtins.id",        "code.__new__",       "compile",       "exec",
    "marshal.loads",      "object.__getattr__", "sys._getframe", "sys._getframemodulename",
    "sys._current_frames"};

/// Events of functions that a snapshot may call although their module is refused.
constexpr std::array<std::string_view, 10> snapshot_events = {"os.listdir",  "os.scandir",        "os.walk",      "os.fwalk",
                                                              "os.chdir",    "os.getxattr",       "os.listxattr", "os.putenv",
                                                              "os.unsetenv", "socket.gethostname"};

/// Modules whose events a snapshot refuses. The kernel refuses what they do as well; the hook gives a reason that a reader understands.
constexpr std::array<std::string_view, 18> refused_modules = {"ctypes",  "ensurepip", "fcntl",      "ftplib", "http",      "imaplib",
                                                              "nntplib", "os",        "poplib",     "pty",    "resource",  "shutil",
                                                              "smtplib", "socket",    "subprocess", "syslog", "telnetlib", "webbrowser"};

template <std::size_t Count>
bool lists(const std::array<std::string_view, Count>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

PyObject* audit_argument(PyObject* arguments, Py_ssize_t index) {
    return arguments != nullptr && PyTuple_Check(arguments) && index < PyTuple_GET_SIZE(arguments) ? PyTuple_GET_ITEM(arguments, index)
                                                                                                   : nullptr;
}

int refuse_event(std::string_view event, const char* why) {
    PyErr_Format(PyExc_PermissionError, "%s is refused: %s", std::string(event).c_str(), why);
    return -1;
}

/// The path of a file with all links resolved; empty if there is no such file.
std::string real_path(PyObject* path) {
    // Calls no method of a subclass.
    const ref bytes = PyUnicode_Check(path) ? ref::steal(PyUnicode_EncodeFSDefault(path)) : ref::share(path);
    PyErr_Clear();
    std::array<char, PATH_MAX> resolved = {};
    return bytes && realpath(PyBytes_AS_STRING(bytes.get()), resolved.data()) != nullptr ? std::string(resolved.data()) : std::string();
}

/// Whether a path is below `/proc/<number>` of another process.
bool belongs_to_other_process(std::string_view path) {
    constexpr std::string_view processes = "/proc/";
    if (!path.starts_with(processes)) {
        return false;
    }
    const std::string_view name = path.substr(processes.size(), path.find('/', processes.size()) - processes.size());
    const bool number = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; });
    return number && name != std::to_string(getpid());
}

bool opens_to_write(PyObject* arguments) {
    PyObject* flags = audit_argument(arguments, 2);
    if (flags == nullptr || !PyLong_CheckExact(flags)) {
        return true;
    }
    const long value = PyLong_AsLong(flags);
    return (value & (O_ACCMODE | O_CREAT | O_TRUNC | O_APPEND)) != O_RDONLY;
}

int check_open(PyObject* arguments) {
    PyObject* path = audit_argument(arguments, 0);
    if (path != nullptr && PyLong_Check(path)) {
        return 0;  // a descriptor: all descriptors of a snapshot are its own
    }
    if (opens_to_write(arguments)) {
        return refuse_event("open", "a snapshot cannot write files; open the file for reading");
    }
    if (path == nullptr || (!PyUnicode_Check(path) && !PyBytes_Check(path))) {
        return refuse_event("open", "a snapshot opens a file only by a path of type str or bytes: use str(path)");
    }
    const std::string real = real_path(path);
    struct stat facts = {};
    if (real.empty() || stat(real.c_str(), &facts) != 0) {
        return 0;  // no such file: the caller gets the error of the system
    }
    if (!S_ISREG(facts.st_mode) && !S_ISDIR(facts.st_mode) && real != "/dev/urandom" && real != "/dev/null") {
        return refuse_event("open", "a snapshot reads only regular files and folders, not devices, pipes or sockets");
    }
    return belongs_to_other_process(real) ? refuse_event("open", "a snapshot cannot look at other processes") : 0;
}

/// `ctypes` cannot be imported in a snapshot: its function objects would call native code. Packages that can do without it expect
/// ImportError.
int check_import(PyObject* arguments) {
    PyObject* name = audit_argument(arguments, 0);
    if (name != nullptr && PyUnicode_Check(name) && PyUnicode_CompareWithASCIIString(name, "_ctypes") == 0 &&
        find_name(PyImport_GetModuleDict(), "_ctypes") == nullptr) {
        PyErr_SetString(PyExc_ImportError, "ctypes is not available in a snapshot");
        return -1;
    }
    return 0;
}

int check_snapshot(std::string_view event, PyObject* arguments) {
    if (event == "open") {
        return check_open(arguments);
    }
    if (event == "import") {
        return check_import(arguments);
    }
    if (event == "os.kill") {
        PyObject* process = audit_argument(arguments, 0);
        if (process != nullptr && PyLong_CheckExact(process) && PyLong_AsLong(process) == getpid()) {
            return 0;
        }
        PyErr_Clear();
    }
    const std::string_view module = event.substr(0, event.find('.'));
    return lists(refused_modules, module) && !lists(snapshot_events, event)
               ? refuse_event(event, "a snapshot cannot change anything outside of itself")
               : 0;
}

int audit(const char* event, PyObject* arguments, void*) {
    const audit_mode mode = process_is_snapshot.load(std::memory_order_relaxed) ? audit_mode::snapshot : thread_mode;
    if (mode == audit_mode::off) {
        return 0;
    }
    if (mode == audit_mode::look) {
        return lists(look_events, event) ? 0 : refuse_event(event, "looking at objects must not reach out of the interpreter");
    }
    return check_snapshot(event, arguments);
}

}  // namespace

bool install_audit_hook() {
    return PySys_AddAuditHook(&audit, nullptr) == 0;
}

bool has_audit_hook() {
    const audit_guard guard(audit_mode::look);
    const bool refused = PySys_Audit("pyaichat.probe", nullptr) != 0;  // no other hook knows this event
    PyErr_Clear();
    return refused;
}

audit_guard::audit_guard(audit_mode mode) noexcept : previous_(std::exchange(thread_mode, mode)) {}

audit_guard::~audit_guard() {
    thread_mode = previous_;
}

void audit_whole_process() noexcept {
    process_is_snapshot.store(true);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
