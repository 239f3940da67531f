#pragma once
#include "python/completion.hpp"

#include <cstddef>
#include <string_view>

namespace repl {

/// Completes the name of a file, `word`, which ends at `cursor` and may begin with folders or `~/`. Only the last part is replaced. Hidden
/// files are offered if the part begins with a dot. Names with a character of `unusable` are left out.
[[nodiscard]] completion_list complete_file(std::string_view word, std::size_t cursor, std::string_view unusable = {});

}  // namespace repl
