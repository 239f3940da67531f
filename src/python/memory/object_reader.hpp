#pragma once
#include "python/memory/bounded_memory.hpp"

#include <functional>
#include <map>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// A class, as far as it could be read.
struct remote_type {
    std::string name = "?";    ///< with the classes that it is nested in
    std::string module = "?";  ///< `builtins` for built-in classes
    std::uint64_t flags = 0;
    std::int64_t basic_size = 0;
    std::int64_t dict_offset = 0;
    address dict = 0;
    address cached_keys = 0;  ///< of attributes; null for static types

    /// `int`, `Player` (of the session), `pandas.core.frame.DataFrame`.
    [[nodiscard]] std::string qualified() const;
};

/// The characters of a string.
struct remote_text {
    std::uint64_t length = 0;
    std::uint8_t char_size = 1;
    address data = 0;
};

/// The absolute value of an integer, lowest digit first, and its sign.
struct remote_integer {
    std::vector<std::uint32_t> digits = {};
    std::uint64_t digit_count = 0;  ///< `digits` is empty if there are too many to read
    std::uint32_t top_digit = 0;
    bool negative = false;
};

/// A run of addresses: the items of a list or tuple.
struct remote_items {
    std::uint64_t count = 0;
    address first = 0;
};

/// Called with each key and value; returns false to stop.
using entry_visitor = std::function<bool(address key, address value)>;

/// Reads Python objects from a memory that may hold anything: every count and pointer may be wrong. Functions return nothing if an object
/// cannot be read or is of another type. Create one for each pass: it remembers the types that it has read.
class object_reader {
public:
    object_reader(bounded_memory& memory, const memory_map& map) : memory_(memory), map_(map) {}

    [[nodiscard]] bounded_memory& memory() const noexcept { return memory_; }
    [[nodiscard]] const memory_layout& layout() const noexcept { return map_.layout; }
    [[nodiscard]] const python_addresses& known() const noexcept { return map_.addresses; }

    /// The address of an object's type; null if it cannot be read.
    [[nodiscard]] address type_of(address object) const;
    [[nodiscard]] const remote_type& read_type(address type);
    [[nodiscard]] const remote_type& read_type_of(address object) { return read_type(type_of(object)); }
    /// Whether the object is itself a class.
    [[nodiscard]] bool is_type(address object);
    [[nodiscard]] bool is_module(address object) const { return type_of(object) == known().module; }

    [[nodiscard]] std::optional<remote_text> find_text(address object) const;
    /// Reads up to `max_chars` code points, as numbers.
    [[nodiscard]] std::optional<std::vector<char32_t>> read_chars(const remote_text& text, std::size_t max_chars) const;
    /// A short string as UTF-8, cut after `max_chars`; invalid characters become U+FFFD.
    [[nodiscard]] std::optional<std::string> read_text(address object, std::size_t max_chars = 200) const;
    /// Whether the object is the string `text`.
    [[nodiscard]] bool is_text(address object, std::string_view text) const;

    [[nodiscard]] std::optional<remote_integer> read_integer(address object) const;
    /// The value of an integer that fits.
    [[nodiscard]] std::optional<std::int64_t> read_int64(address object) const;
    /// The items of an exact list or tuple.
    [[nodiscard]] std::optional<remote_items> find_items(address object) const;
    /// The name of a built-in function or of a method of a built-in class.
    [[nodiscard]] std::optional<std::string> builtin_name(address object) const;
    /// A pointer in a structure; null if it cannot be read.
    [[nodiscard]] address pointer_at(address from) const { return memory_.load<address>(from).value_or(0); }

    // Dicts (dict_reader.cpp).

    /// The number of entries of an exact dict, or of items of an exact set.
    [[nodiscard]] std::optional<std::uint64_t> size_of_table(address object) const;
    /// Visits the entries of an exact dict, in the order of its keys. Returns false if it cannot be read to the end.
    bool for_each_entry(address dict, const entry_visitor& visit) const;
    /// Visits the items of an exact set or frozenset as values, without keys.
    bool for_each_member(address set, const entry_visitor& visit) const;
    /// Visits the attributes of an instance that are in its own dict, or its values.
    bool for_each_attribute(address object, const entry_visitor& visit);
    /// The value of a string key; null if there is none.
    [[nodiscard]] address find_entry(address dict, std::string_view key) const;
    /// The dict of a module or of a class; null for other objects.
    [[nodiscard]] address namespace_of(address object);

private:
    struct key_table;
    [[nodiscard]] std::optional<key_table> read_keys(address keys) const;
    /// With `values`, the table is split: the values are there.
    bool for_each_in_table(address keys, address values, const entry_visitor& visit) const;

    bounded_memory& memory_;
    const memory_map& map_;
    std::map<address, remote_type> types_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
