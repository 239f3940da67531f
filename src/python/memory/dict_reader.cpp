#include "python/memory/object_reader.hpp"

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr std::uint64_t max_entry_count = std::uint64_t{1} << 40;
constexpr std::uint8_t max_log2_index_bytes = 43;
constexpr std::uint64_t entries_per_read = 64;

constexpr std::uint64_t managed_dict_flag = 1UL << 4;   // Py_TPFLAGS_MANAGED_DICT
constexpr std::uint64_t inline_values_flag = 1UL << 2;  // Py_TPFLAGS_INLINE_VALUES, since 3.13
constexpr address word = sizeof(address);

}  // namespace

/// The entries of a dict's keys object.
struct object_reader::key_table {
    address first = 0;
    std::uint64_t count = 0;
    std::size_t words = 2;  ///< per entry: key and value, or hash, key and value
};

std::optional<object_reader::key_table> object_reader::read_keys(address keys) const {
    const memory_layout::dict_members& at = layout().dict;
    const auto log2_bytes = memory_.load<std::uint8_t>(keys + at.index_bytes);
    const auto kind = memory_.load<std::uint8_t>(keys + at.kind);
    const auto count = memory_.load<std::uint64_t>(keys + at.entry_count);
    if (!log2_bytes || !kind || !count || *log2_bytes > max_log2_index_bytes || *kind > 2 || *count > max_entry_count) {
        return std::nullopt;
    }
    return key_table{.first = keys + at.indices + (address{1} << *log2_bytes), .count = *count, .words = *kind == 0 ? 3U : 2U};
}

bool object_reader::for_each_in_table(address keys, address values, const entry_visitor& visit) const {
    const std::optional<key_table> table = keys == 0 ? std::nullopt : read_keys(keys);
    if (!table) {
        return false;
    }
    for (std::uint64_t at = 0; at < table->count; at += entries_per_read) {
        const std::uint64_t count = std::min(entries_per_read, table->count - at);
        std::vector<address> words(static_cast<std::size_t>(count) * table->words);
        std::vector<address> split(values == 0 ? 0 : static_cast<std::size_t>(count));
        if (!memory_.load_all(table->first + at * table->words * word, words) || !memory_.load_all(values + at * word, split)) {
            return false;
        }
        for (std::size_t i = 0; i < count; ++i) {
            const address key = words[i * table->words + table->words - 2];
            const address value = values == 0 ? words[i * table->words + table->words - 1] : split[i];
            if (key != 0 && value != 0 && !visit(key, value)) {
                return true;
            }
        }
    }
    return true;
}

std::optional<std::uint64_t> object_reader::size_of_table(address object) const {
    const address type = type_of(object);
    const bool dict = type == known().dict;
    if (type == 0 || (!dict && type != known().set && type != known().frozenset)) {
        return std::nullopt;
    }
    const auto used = memory_.load<std::uint64_t>(object + (dict ? layout().dict.used : layout().set.used));
    return used && *used <= max_entry_count ? used : std::nullopt;
}

bool object_reader::for_each_entry(address dict, const entry_visitor& visit) const {
    const memory_layout::dict_members& at = layout().dict;
    if (dict == 0 || type_of(dict) != known().dict) {
        return false;
    }
    // The version changes with each change of the dict, so that two passes do not take a change and its reversal for the same state.
    static_cast<void>(memory_.load<std::uint64_t>(dict + at.version));
    const address values = pointer_at(dict + at.values);
    const auto used = memory_.load<std::uint64_t>(dict + at.used);
    std::uint64_t seen = 0;
    bool stopped = false;
    const bool readable =
        for_each_in_table(pointer_at(dict + at.keys), values == 0 ? 0 : values + at.first_value, [&](address key, address value) {
            ++seen;
            stopped = !visit(key, value);
            return !stopped;
        });
    if (!used || (!stopped && seen != *used)) {
        memory_.doubt();  // a dict that grows has a new table, which lacks the entries that are not copied yet
    }
    return readable;
}

bool object_reader::for_each_member(address set, const entry_visitor& visit) const {
    const memory_layout::set_members& at = layout().set;
    const auto mask = memory_.load<std::uint64_t>(set + at.mask);
    const address table = pointer_at(set + at.table);
    if (!mask || *mask > max_entry_count || table == 0) {
        return false;
    }
    for (std::uint64_t i = 0; i <= *mask; i += entries_per_read) {
        std::vector<address> words(2 * static_cast<std::size_t>(std::min(entries_per_read, *mask + 1 - i)));
        if (!memory_.load_all(table + i * 2 * word, words)) {
            return false;
        }
        for (std::size_t k = 0; k < words.size(); k += 2) {
            // The hash -1 marks an entry that was removed.
            if (words[k] != 0 && words[k + 1] != ~std::uint64_t{0} && !visit(0, words[k])) {
                return true;
            }
        }
    }
    return true;
}

bool object_reader::for_each_attribute(address object, const entry_visitor& visit) {
    const remote_type& type = read_type_of(object);
    if ((type.flags & managed_dict_flag) == 0) {
        const bool has_dict = type.dict_offset > 0 && type.dict_offset < (1 << 20);
        const address dict = has_dict ? pointer_at(object + static_cast<address>(type.dict_offset)) : 0;
        return dict == 0 || for_each_entry(dict, visit);
    }
    const auto pointer = memory_.load<address>(object - 3 * word);
    if (!pointer) {
        return false;
    }
    address dict = *pointer;
    address values = 0;
    switch (layout().type.storage) {
        case attribute_storage::values_pointer: values = pointer_at(object - 4 * word); break;
        case attribute_storage::tagged_pointer:
            if ((*pointer & 1) != 0) {
                values = *pointer + 1;
                dict = 0;
            }
            break;
        case attribute_storage::inline_values:
            if (*pointer == 0 && (type.flags & inline_values_flag) != 0 && type.basic_size > 0 && type.basic_size < (1 << 20)) {
                const address inside = object + static_cast<address>(type.basic_size);
                values = memory_.load<std::uint8_t>(inside + layout().dict.values_valid) == std::uint8_t{1} ? inside : 0;
            }
            break;
    }
    if (values != 0) {
        return for_each_in_table(type.cached_keys, values + layout().dict.first_value, visit);
    }
    return dict == 0 || for_each_entry(dict, visit);
}

address object_reader::find_entry(address dict, std::string_view key) const {
    return memory_.search([&] {
        address found = 0;
        for_each_entry(dict, [&](address each, address value) {
            found = is_text(each, key) ? value : 0;
            return found == 0;
        });
        return found;
    });
}

address object_reader::namespace_of(address object) {
    if (object == 0) {
        return 0;
    }
    if (is_module(object)) {
        return pointer_at(object + layout().module_dict);
    }
    return is_type(object) ? read_type(object).dict : 0;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
