#pragma once
#include "python/memory/object_reader.hpp"

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// A local variable of a frame.
struct remote_local {
    std::string name = {};
    address value = 0;
};

/// A frame of a Python function, module or class body.
struct remote_frame {
    address at = 0;
    address code = 0;
    std::string file = "?";
    std::string function = "?";
    std::optional<int> line = {};
    std::string c_call = {};  ///< the built-in function that it calls now; empty if it calls none, or if that is not known
};

struct remote_thread {
    address at = 0;
    std::uint64_t id = 0;  ///< as in `threading.get_ident()`
    std::uint64_t native_id = 0;
    bool holds_gil = false;
    std::string name = {};  ///< of its `threading.Thread`; may be empty
};

/// Reads the main interpreter, its threads and their frames.
class frame_reader {
public:
    explicit frame_reader(object_reader& objects) : objects_(objects) {}

    /// The main interpreter; null if there is none.
    [[nodiscard]] address main_interpreter() const;
    /// Its dict of modules, and its dict of built-in names.
    [[nodiscard]] address modules() const;
    [[nodiscard]] address builtins() const;

    /// The threads, the newest first.
    [[nodiscard]] std::vector<remote_thread> threads(std::size_t max_threads) const;
    /// The innermost frames of a thread, and whether there are more.
    struct frame_list {
        std::vector<remote_frame> frames = {};
        bool has_more = false;
    };
    [[nodiscard]] frame_list frames(const remote_thread& thread, std::size_t max_frames) const;

    /// The local variables of a function's frame that are set.
    [[nodiscard]] std::vector<remote_local> locals(const remote_frame& frame, std::size_t max_locals) const;

private:
    [[nodiscard]] address gil_holder(address interpreter) const;
    [[nodiscard]] std::optional<remote_frame> read_frame(address frame, bool innermost) const;
    [[nodiscard]] std::string called_builtin(const remote_frame& frame, std::uint32_t instruction, address callee_first,
                                             std::uint32_t callee_count) const;
    [[nodiscard]] std::string thread_name(address active_threads, std::uint64_t id) const;
    [[nodiscard]] std::vector<std::string> names_at(address tuple, std::span<const std::uint32_t> indices) const;

    object_reader& objects_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
