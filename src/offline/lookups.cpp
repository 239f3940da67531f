#include "offline/lookups.hpp"

#include <pyaichat/core/text.hpp>

#include "offline/reply_reader.hpp"

#include <algorithm>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

using std::string_view;

/// The declared capability with this name, or with a prefix before it. Null if it is not declared.
const capability_spec* find_declared(const capability_list& declared, string_view capability) {
    if (const capability_spec* exact = declared.find(capability)) {
        return exact;
    }
    const auto prefixed =
        std::find_if(declared.begin(), declared.end(), [&](const capability_spec& spec) { return spec.name.ends_with(capability); });
    return prefixed == declared.end() ? nullptr : &*prefixed;
}

}  // namespace

bool lookups::has(string_view capability) const {
    return find_declared(declared_, capability) != nullptr;
}

const json* lookups::find(string_view capability, json arguments) {
    const capability_spec* spec = find_declared(declared_, capability);
    if (spec == nullptr) {
        undeclared_ = undeclared_.empty() ? std::string(capability) : undeclared_;
        return nullptr;
    }
    const auto same = [&](const auto& call) { return call.name == spec->name && call.arguments == arguments; };
    const auto found = std::find_if(past_.begin(), past_.end(), same);
    if (found == past_.end()) {
        if (std::none_of(needed_.begin(), needed_.end(), same)) {
            needed_.push_back({.id = "offline-" + std::to_string(past_.size() + needed_.size() + 1),
                               .name = spec->name,
                               .arguments = std::move(arguments)});
        }
        return nullptr;
    }
    if (bool_member(found->envelope, "ok") != true) {
        error_ = error_ == nullptr ? &found->envelope : error_;
        return nullptr;
    }
    // The loop hands over a reply that was too long as head and tail of its text.
    if (!member(found->envelope, "truncated").is_null()) {
        cut_ = cut_ == nullptr ? &*found : cut_;
        return nullptr;
    }
    return find_member(found->envelope, "result");
}

const json* lookups::look_at(string_view capability, const std::string& expression) {
    return find(capability, json{{"expr", expression}});
}

std::optional<std::string> lookups::value_of(const std::string& expression) {
    const json* found = look_at("eval_expr", expression);
    if (found == nullptr) {
        return std::nullopt;
    }
    const std::string value = text_member(*found, "value_repr");
    return value.empty() ? "None" : without_numpy_types(value);
}

std::optional<std::string> lookups::output_of(const std::string& expression) {
    const json* found = look_at("eval_expr", expression);
    std::string out = found == nullptr ? std::string() : text_member(*found, "stdout");
    return is_blank(out) ? std::nullopt : std::optional(std::move(out));
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
