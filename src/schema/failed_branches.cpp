#include "schema/failed_branches.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

constexpr std::size_t max_listed = 5;
constexpr std::size_t max_listed_bytes = 160;

}  // namespace

void failed_branches::group::add(const std::vector<schema_error>& errors) {
    if (++count == 1) {
        only = errors;
    }
}

bool failed_branches::is_here(const schema_error& error) const {
    return error.path == path_;
}

bool failed_branches::is_of_member(const schema_error& error) const {
    return error.path.size() > path_.size() && error.path.starts_with(path_) && error.path.find('/', path_.size() + 1) == std::string::npos;
}

void failed_branches::add(std::vector<schema_error> errors) {
    const auto other_type = [&](const schema_error& error) { return error.keyword == "type" && is_here(error); };
    const auto other_constant = [&](const schema_error& error) {
        return (error.keyword == "const" || error.keyword == "enum") && (is_here(error) || is_of_member(error));
    };
    if (std::none_of(errors.begin(), errors.end(), other_type)) {
        right_type_.add(errors);
        if (std::none_of(errors.begin(), errors.end(), other_constant)) {
            right_constant_.add(errors);
        }
    }
    if (++count_ <= max_listed && !errors.empty()) {
        const schema_error& first = errors.front();
        summary_ += summary_.empty() ? "" : "; or ";
        summary_ += is_here(first) ? one_line(first.message, max_listed_bytes)
                                   : "at \"" + one_line(first.path, max_listed_bytes) + "\" " + one_line(first.message, max_listed_bytes);
    }
}

std::vector<schema_error> failed_branches::errors(std::string_view keyword) const {
    for (const group* likely : {&right_type_, &right_constant_}) {
        if (likely->count == 1 && !likely->only.empty()) {
            return likely->only;
        }
    }
    std::string text = summary_.empty() ? "must fit one of the schemas that there are" : summary_;
    if (count_ > max_listed) {
        text += "; or fit one of " + std::to_string(count_ - max_listed) + " more schemas";
    }
    return {{path_, std::string(keyword), std::move(text)}};
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
