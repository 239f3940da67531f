#include "gemini/abilities.hpp"

#include <charconv>
#include <memory>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

namespace {

/// A generation above all: that of a name without a number, such as an alias for the newest model.
constexpr int newest_generation = 1'000;

constexpr std::string_view family = "gemini-";

std::string_view without_prefix(std::string_view model) noexcept {
    model.remove_prefix(model.starts_with("models/") ? 7 : 0);
    return model;
}

int generation_of(std::string_view model) noexcept {
    model = without_prefix(model);
    int generation = newest_generation;
    if (model.starts_with(family)) {
        model.remove_prefix(family.size());
        std::from_chars(std::to_address(model.begin()), std::to_address(model.end()), generation);
    }
    return generation;
}

}  // namespace

bool demands_signatures(std::string_view model) noexcept {
    return generation_of(model) >= 3;
}

bool combines_schema_and_functions(std::string_view model) noexcept {
    return without_prefix(model).starts_with(family) && generation_of(model) >= 3;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
