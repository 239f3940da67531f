#include "schema/json_order.hpp"

#include "schema/number.hpp"

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

int rank(const json& value) noexcept {
    switch (value.type()) {
        case json::value_t::null: return 0;
        case json::value_t::boolean: return 1;
        case json::value_t::number_integer:
        case json::value_t::number_unsigned:
        case json::value_t::number_float: return 2;
        case json::value_t::string: return 3;
        case json::value_t::array: return 4;
        case json::value_t::object: return 5;
        default: return 6;
    }
}

}  // namespace

int json_order::compare_texts(const std::string& left, const std::string& right) noexcept {
    work_ += std::min(left.size(), right.size()) / 64;
    return left.compare(right);
}

int json_order::compare(const json& left, const json& right) noexcept {
    ++work_;
    if (const int by_rank = order(rank(left), rank(right)); by_rank != 0) {
        return by_rank;
    }
    if (left.is_number()) {
        return compare_numbers(left, right);
    }
    if (const auto* text = left.get_ptr<const json::string_t*>()) {
        return compare_texts(*text, *right.get_ptr<const json::string_t*>());
    }
    if (const auto* flag = left.get_ptr<const json::boolean_t*>()) {
        return order(*flag, *right.get_ptr<const json::boolean_t*>());
    }
    if (const int by_size = order(left.size(), right.size()); by_size != 0) {
        return by_size;
    }
    if (const auto* elements = left.get_ptr<const json::array_t*>()) {
        auto other = right.get_ptr<const json::array_t*>()->begin();
        for (const json& element : *elements) {
            if (const int by_element = compare(element, *other++); by_element != 0) {
                return by_element;
            }
        }
    } else if (const auto* members = left.get_ptr<const json::object_t*>()) {
        auto other = right.get_ptr<const json::object_t*>()->begin();
        for (const auto& [name, member] : *members) {
            if (const int by_name = compare_texts(name, other->first); by_name != 0) {
                return by_name;
            }
            if (const int by_member = compare(member, other->second); by_member != 0) {
                return by_member;
            }
            ++other;
        }
    }
    return 0;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
