#include "python/look/member_names.hpp"

#include "python/look/attribute_index.hpp"
#include "python/privacy/privacy_scope.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr std::size_t max_names = 100'000;
constexpr Py_ssize_t max_candidate_length = 128;  // of a name that a misspelling may mean
constexpr std::size_t max_compared = 500;         // edit distances are slow
constexpr std::size_t max_compared_cells = 1'000'000;

/// Returns how many characters at the start of `pattern` stand for `c`: those of a `[...]`, or one. 0 if they stand for something else.
std::size_t match_one(std::string_view pattern, char c) {
    const bool negated = pattern.starts_with("[!");
    const std::size_t first = negated ? 2 : 1;
    const std::size_t end = pattern.starts_with('[') ? pattern.find(']', first + 1) : std::string_view::npos;
    if (end == std::string_view::npos) {  // a `[` that is not closed is literal
        return pattern.starts_with('?') || pattern.starts_with(c) ? 1 : 0;
    }
    bool matched = false;
    for (std::size_t at = first; at < end;) {
        const bool range = at + 2 < end && pattern[at + 1] == '-';
        matched = matched || (c >= pattern[at] && c <= pattern[range ? at + 2 : at]);
        at += range ? 3 : 1;
    }
    return matched != negated ? end + 1 : 0;
}

/// Keeps at most `count` candidates, those that share the longest beginning with `name`, in their order.
void keep_alike(std::string_view name, std::size_t count, std::vector<std::string>& candidates) {
    if (candidates.size() <= count) {
        return;
    }
    std::vector<std::pair<std::size_t, std::size_t>> ranks;  // the length of the rest that differs, and the position
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        const std::string& each = candidates[i];
        const auto differ = std::mismatch(name.begin(), name.end(), each.begin(), each.end());
        ranks.emplace_back(static_cast<std::size_t>(name.end() - differ.first), i);
    }
    const auto last = ranks.begin() + static_cast<std::ptrdiff_t>(count);
    std::nth_element(ranks.begin(), last, ranks.end());
    std::sort(ranks.begin(), last, [](const auto& left, const auto& right) { return left.second < right.second; });
    std::vector<std::string> kept;
    for (auto each = ranks.begin(); each != last; ++each) {
        kept.push_back(std::move(candidates[each->second]));
    }
    candidates = std::move(kept);
}

}  // namespace

name_list list_members(PyObject* object, std::string_view filter, std::size_t limit) {
    const attribute_index index(object);
    std::vector<attribute_place> found = index.places();
    if (!filter.empty()) {
        std::erase_if(found, [&](const attribute_place& each) { return !matches_glob(to_utf8(each.name), filter); });
    }
    name_list list = {.total = found.size(), .complete = index.complete()};
    const auto last = found.begin() + static_cast<std::ptrdiff_t>(std::min(limit, found.size()));
    std::partial_sort(found.begin(), last, found.end(), &attribute_index::before);
    std::transform(found.begin(), last, std::back_inserter(list.names), [](const attribute_place& each) { return to_utf8(each.name); });
    return list;
}

std::vector<std::string> member_names(PyObject* object) {
    const attribute_index index(object);
    std::vector<std::string> names;
    for (const attribute_place& each : index.places()) {
        names.push_back(to_utf8(each.name));
    }
    return names;
}

std::vector<std::string> dict_names(PyObject* dict) {
    std::vector<std::string> names;
    for (dict_cursor each{dict}; names.size() < max_names && each.next();) {
        if (PyUnicode_CheckExact(each.key) && PyUnicode_GET_LENGTH(each.key) <= max_candidate_length && !hides_name(each.key)) {
            names.push_back(to_utf8(each.key));
        }
    }
    return names;
}

bool matches_glob(std::string_view name, std::string_view pattern) {
    if (pattern.empty()) {
        return true;
    }
    std::size_t n = 0;
    std::size_t p = 0;
    std::size_t star = std::string_view::npos;  // position after the last `*`
    std::size_t resume = 0;                     // end of the characters that this `*` matches
    while (n < name.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = ++p;
            resume = n;
        } else if (const std::size_t width = match_one(pattern.substr(p), name[n]); width > 0) {
            ++n;
            p += width;
        } else if (star != std::string_view::npos) {
            p = star;
            n = ++resume;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

std::vector<std::string> nearest_names(std::string_view name, std::vector<std::string> candidates) {
    // A misspelling has about the same length. Only so many names are compared.
    const std::size_t slack = name.size() / 3 + 2;
    std::erase_if(candidates, [&](const std::string& each) {
        const bool contains = each.find(name) != std::string::npos || (each.size() >= 3 && name.find(each) != std::string_view::npos);
        return !contains && (each.size() > name.size() + slack || each.size() + slack < name.size());
    });
    const std::size_t cells = std::max<std::size_t>(name.size() * name.size(), 1);
    keep_alike(name, std::min(max_compared, max_compared_cells / cells), candidates);
    std::vector<std::string> nearest;
    while (nearest.size() < 3) {
        const std::string next(pyaichat::detail::nearest_name(name, candidates));
        if (next.empty()) {
            break;
        }
        std::erase(candidates, next);
        nearest.push_back(next);
    }
    return nearest;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
