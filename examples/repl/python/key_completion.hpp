#pragma once
#include "python/completion.hpp"
#include "python/cursor_context.hpp"
#include "python/prompt_names.hpp"

#include <cstddef>
#include <string_view>

namespace repl {

/// Completes `object["ke` with the keys of the object: written with the quotes that were typed, and closed with them and a bracket.
[[nodiscard]] completion_list complete_key(name_listing keys, const cursor_context& context, std::string_view entry, std::size_t cursor);

}  // namespace repl
