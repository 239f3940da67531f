#include "python/memory/find_python.hpp"

#include "python/memory/elf_symbols.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

struct known_symbol {
    const char* name;
    address python_addresses::* member;
};

constexpr std::array known_symbols = {known_symbol{"_PyRuntime", &python_addresses::runtime},
                                      known_symbol{"PyLong_Type", &python_addresses::integer},
                                      known_symbol{"PyBool_Type", &python_addresses::boolean},
                                      known_symbol{"PyFloat_Type", &python_addresses::floating},
                                      known_symbol{"PyComplex_Type", &python_addresses::complex},
                                      known_symbol{"PyUnicode_Type", &python_addresses::text},
                                      known_symbol{"PyBytes_Type", &python_addresses::bytes},
                                      known_symbol{"PyByteArray_Type", &python_addresses::bytearray},
                                      known_symbol{"PyList_Type", &python_addresses::list},
                                      known_symbol{"PyTuple_Type", &python_addresses::tuple},
                                      known_symbol{"PyDict_Type", &python_addresses::dict},
                                      known_symbol{"PySet_Type", &python_addresses::set},
                                      known_symbol{"PyFrozenSet_Type", &python_addresses::frozenset},
                                      known_symbol{"PyRange_Type", &python_addresses::range},
                                      known_symbol{"PyModule_Type", &python_addresses::module},
                                      known_symbol{"PyFunction_Type", &python_addresses::function},
                                      known_symbol{"PyMethod_Type", &python_addresses::method},
                                      known_symbol{"PyCFunction_Type", &python_addresses::builtin},
                                      known_symbol{"PyMethodDescr_Type", &python_addresses::method_descriptor},
                                      known_symbol{"PyType_Type", &python_addresses::type},
                                      known_symbol{"PyCell_Type", &python_addresses::cell},
                                      known_symbol{"PyCode_Type", &python_addresses::code},
                                      known_symbol{"_Py_NoneStruct", &python_addresses::none},
                                      known_symbol{"_Py_TrueStruct", &python_addresses::true_value},
                                      known_symbol{"_Py_FalseStruct", &python_addresses::false_value},
                                      known_symbol{"_Py_EllipsisObject", &python_addresses::ellipsis},
                                      known_symbol{"_Py_NotImplementedStruct", &python_addresses::not_implemented}};
constexpr const char* version_symbol = "Py_Version";

/// A file that is mapped into the process, at its lowest address.
struct mapped_file {
    std::string path;
    address start = 0;
};

/// Reads `/proc/PID/maps`: lines like `7f01a000-7f02b000 r--p 00000000 08:01 1234   /usr/lib/libpython3.13.so.1.0`.
std::vector<mapped_file> mapped_files(const std::string& process_folder) {
    std::vector<mapped_file> files;
    std::ifstream maps(process_folder + "/maps");
    for (std::string line; std::getline(maps, line);) {
        std::istringstream fields(line);
        std::string range, rights, offset, device, number, path;
        fields >> range >> rights >> offset >> device >> number;
        std::getline(fields >> std::ws, path);
        if (!path.starts_with('/') || offset.find_first_not_of('0') != std::string::npos) {
            continue;  // only the beginning of a file says where it was loaded
        }
        const auto same = [&](const mapped_file& each) { return each.path == path; };
        if (std::none_of(files.begin(), files.end(), same)) {
            files.push_back({.path = std::move(path), .start = std::stoull(range.substr(0, range.find('-')), nullptr, 16)});
        }
    }
    return files;
}

std::string file_name_of(const std::string& path) {
    return path.substr(path.rfind('/') + 1);
}

}  // namespace

result<found_python> find_python(long process) {
    const std::string folder = "/proc/" + std::to_string(process);
    const std::string name = "process " + std::to_string(process);
    std::error_code error;
    if (process <= 0 || !std::filesystem::exists(folder, error)) {
        return failure{.code = errc::not_found, .message = name + " does not exist", .hint = "Check the process id."};
    }
    const std::string program = std::filesystem::read_symlink(folder + "/exe", error).string();
    const std::vector<mapped_file> files = mapped_files(folder);
    if (program.empty() || files.empty()) {
        return failure{.code = errc::not_allowed,
                       .message = "the system does not allow reading the memory of " + name,
                       .hint =
                           "Run as the same user or as root, with ptrace permitted: /proc/sys/kernel/yama/ptrace_scope 0, or the "
                           "capability CAP_SYS_PTRACE."};
    }
    std::set<std::string, std::less<>> names = {version_symbol};
    for (const known_symbol& each : known_symbols) {
        names.insert(each.name);
    }
    found_python found = {.program = program};
    // The program comes first: objects that it refers to are copied into it, and libpython uses the copies.
    for (const bool is_program : {true, false}) {
        for (const mapped_file& file : files) {
            if (is_program ? file.path != program : file.path == program || !file_name_of(file.path).starts_with("libpython")) {
                continue;
            }
            // By the root of the process, which may be in a container.
            std::optional<elf_image> image = read_elf(folder + "/root" + file.path, names);
            if (!image) {
                continue;
            }
            const address bias = file.start - image->first_segment;
            for (const known_symbol& each : known_symbols) {
                const auto symbol = image->symbols.find(each.name);
                if (found.addresses.*each.member == 0 && symbol != image->symbols.end()) {
                    found.addresses.*each.member = bias + symbol->second;
                }
            }
            if (const auto symbol = image->symbols.find(version_symbol); found.version == 0 && symbol != image->symbols.end()) {
                found.version = bias + symbol->second;
            }
            if (found.addresses.runtime == 0 && image->python_runtime) {
                found.addresses.runtime = bias + *image->python_runtime;
            }
        }
    }
    if (found.addresses.runtime == 0) {
        return failure{.code = errc::not_found,
                       .message = name + " (" + program + ") has no CPython",
                       .hint = "Attach to a process that runs or embeds CPython 3.13."};
    }
    if (found.addresses.dict == 0 || found.addresses.text == 0 || found.addresses.type == 0 || found.addresses.code == 0) {
        return failure{.code = errc::not_found,
                       .message = "the symbols of Python in " + name + " (" + program + ") are missing",
                       .hint = "Attach to a process whose program or libpython still has its dynamic symbols."};
    }
    return found;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
