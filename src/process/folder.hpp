#pragma once
#include <pyaichat/core/result.hpp>

#include "process/descriptor.hpp"

#include <string>

namespace pyaichat::inline PYAICHAT_ABI::process {

/// A folder that is open: it stays the same one, whatever happens to its path.
struct open_folder {
    descriptor handle = {};
    std::string path = {};  ///< without symbolic links
};

/// Opens a folder for use as a working folder. Fails with `not_found` or `not_allowed`.
[[nodiscard]] result<open_folder> open_working_folder(const std::string& path);

}  // namespace pyaichat::inline PYAICHAT_ABI::process
