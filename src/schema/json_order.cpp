#include "schema/json_order.hpp"

#include "schema/number.hpp"

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

/// The place of a value's type in the order. All numbers have one place.
int rank(const json& value) noexcept {
    return static_cast<int>(value.is_number() ? json::value_t::number_float : value.type());
}

int compare_texts(const std::string& left, const std::string& right, std::uint64_t& work) noexcept {
    work += std::min(left.size(), right.size()) / 64;
    return left.compare(right);
}

}  // namespace

int compare_json(const json& left, const json& right, std::uint64_t& work) noexcept {
    ++work;
    if (const int by_rank = order(rank(left), rank(right)); by_rank != 0) {
        return by_rank;
    }
    if (left.is_number()) {
        return compare_numbers(left, right);
    }
    if (const auto* text = left.get_ptr<const json::string_t*>()) {
        return compare_texts(*text, *right.get_ptr<const json::string_t*>(), work);
    }
    if (const auto* flag = left.get_ptr<const json::boolean_t*>()) {
        return order(*flag, *right.get_ptr<const json::boolean_t*>());
    }
    int result = order(left.size(), right.size());
    if (const auto* elements = left.get_ptr<const json::array_t*>()) {
        for (std::size_t i = 0; result == 0 && i < elements->size(); ++i) {
            result = compare_json((*elements)[i], right[i], work);
        }
    } else if (const auto* members = left.get_ptr<const json::object_t*>()) {
        auto other = right.begin();
        for (auto at = members->begin(); result == 0 && at != members->end(); ++at, ++other) {
            result = compare_texts(at->first, other.key(), work);
            result = result != 0 ? result : compare_json(at->second, *other, work);
        }
    }
    return result;
}

std::vector<const json*> sorted_elements(const json::array_t& elements, std::uint64_t& work) {
    std::vector<const json*> sorted;
    sorted.reserve(elements.size());
    for (const json& element : elements) {
        sorted.push_back(&element);
    }
    std::sort(sorted.begin(), sorted.end(), [&work](const json* left, const json* right) { return compare_json(*left, *right, work) < 0; });
    return sorted;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
