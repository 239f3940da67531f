#include "python/memory/memory_printer.hpp"

#include "python/look/bounded_text.hpp"
#include "python/memory/number_text.hpp"
#include "python/privacy/privacy_scope.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <bit>
#include <cmath>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr int max_remote_object_depth = 2;
constexpr std::uint64_t max_remote_integer_bits = 2000;
constexpr std::size_t min_remote_item_text = 3;
constexpr std::uint64_t items_per_read = 64;
constexpr std::uint64_t max_judged_remote_keys = 1000;  // each takes two reads
constexpr const char* unreadable = "<unreadable>";

class memory_printer {
public:
    memory_printer(object_reader& reader, const print_options& options)
        : reader_(reader), options_(options), text_(options.max_chars, options.work_budget) {}

    printed run(address object) {
        masked_from_memory(reader_, object) ? text_.ascii(named_secret_mark) : print(object);
        result_.clipped = text_.clipped();
        result_.truncated = cut_ || result_.clipped;
        result_.original_length = cut_ ? std::nullopt : text_.length();
        result_.text = text_.take();
        return std::move(result_);
    }

private:
    [[nodiscard]] bool done() const { return text_.done() || text_.full() || reader_.memory().exhausted(); }

    void fail() {
        cut_ = true;
        reader_.memory().doubt();
        text_.ascii(unreadable);
    }

    void print(address object) {
        if (done()) {
            cut_ = true;
            return;
        }
        const python_addresses& known = reader_.known();
        if (object == 0) {
            reader_.memory().doubt();  // only an object that is not complete, or not alive, has null pointers
            return text_.ascii("<NULL>");
        }
        for (const auto& [constant, name] :
             {std::pair(known.none, "None"), std::pair(known.true_value, "True"), std::pair(known.false_value, "False"),
              std::pair(known.ellipsis, "Ellipsis"), std::pair(known.not_implemented, "NotImplemented")}) {
            if (object == constant) {
                return text_.ascii(name);
            }
        }
        const address type = reader_.type_of(object);
        if (type == 0) {
            return fail();
        }
        if (type == known.integer) {
            print_remote_integer(object);
        } else if (type == known.floating) {
            print_float(object);
        } else if (type == known.complex) {
            print_complex(object);
        } else if (type == known.text) {
            print_text(object);
        } else if (type == known.bytes || type == known.bytearray) {
            print_remote_bytes(object, type == known.bytearray);
        } else {
            print_nested(object, type);
        }
    }

    /// Prints what may contain other objects.
    void print_nested(address object, address type) {
        const python_addresses& known = reader_.known();
        const char* const mark = type == known.list                                                   ? "[...]"
                                 : type == known.tuple                                                ? "(...)"
                                 : type == known.dict || type == known.set || type == known.frozenset ? "{...}"
                                                                                                      : nullptr;
        const bool open = std::find(open_.begin(), open_.end(), object) != open_.end();
        if (open || static_cast<int>(open_.size()) >= options_.max_depth) {
            cut_ = cut_ || !open;
            return text_.utf8(mark != nullptr ? mark : "<" + reader_.read_type(type).qualified() + " object>");
        }
        open_.push_back(object);
        if (type == known.list || type == known.tuple) {
            print_sequence(object, type == known.list);
        } else if (mark != nullptr) {
            print_table(object, type);
        } else if (!print_remote_code(object, type)) {
            print_instance(object, type);
        }
        open_.pop_back();
    }

    void print_remote_integer(address object) {
        const std::optional<remote_integer> integer = reader_.read_integer(object);
        if (!integer) {
            return fail();
        }
        const unsigned digit_bits = reader_.layout().integer.digit_bits;
        const auto top = static_cast<std::uint64_t>(std::bit_width(integer->top_digit));
        const std::uint64_t bits = integer->digit_count == 0 ? 0 : (integer->digit_count - 1) * digit_bits + top;
        if (bits > max_remote_integer_bits) {
            cut_ = true;
            return text_.ascii(long_integer_text(bits, integer->negative));
        }
        text_.ascii(integer_text(integer->digits, digit_bits, integer->negative));
    }

    void print_float(address object) {
        const auto value = reader_.memory().load<double>(object + reader_.layout().float_value);
        value ? text_.ascii(float_text(*value)) : fail();
    }

    void print_complex(address object) {
        const address parts = object + reader_.layout().complex_value;
        const auto real = reader_.memory().load<double>(parts);
        const auto imaginary = reader_.memory().load<double>(parts + sizeof(double));
        if (!real || !imaginary) {
            return fail();
        }
        const auto part = [](double value) {
            const std::string text = float_text(value);
            return text.ends_with(".0") ? text.substr(0, text.size() - 2) : text;
        };
        if (*real == 0 && !std::signbit(*real)) {
            return text_.ascii(part(*imaginary) + "j");
        }
        const std::string second = part(*imaginary);
        text_.ascii("(" + part(*real) + (second.starts_with('-') ? "" : "+") + second + "j)");
    }

    /// Prints characters, or bytes, of which only the first were read.
    template <class Units>
    void print_quoted_units(const Units& units, std::uint64_t total, bool is_text) {
        const auto has = [&](char c) {
            return std::any_of(units.begin(), units.end(),
                               [c](auto unit) { return static_cast<std::uint32_t>(unit) == static_cast<std::uint32_t>(c); });
        };
        const char quote = has('\'') && !has('"') ? '"' : '\'';
        text_.ascii({&quote, 1});
        const std::size_t shown = std::min<std::size_t>(units.size(), sampled_items(units.size()));
        for (const auto unit : std::span(units).first(shown)) {
            const auto code = static_cast<char32_t>(unit);
            text_.escaped(code, quote, is_text && code <= 0x10FFFF && Py_UNICODE_ISPRINTABLE(static_cast<Py_UCS4>(code)) != 0);
        }
        if (shown < units.size()) {
            cut_ = true;
            return text_.ascii(std::string(1, quote) + "... " + std::to_string(total - shown) + " more");
        }
        if (total > units.size()) {
            text_.expect(static_cast<std::size_t>(total - units.size()));
            cut_ = true;
            return;
        }
        text_.ascii({&quote, 1});
    }

    void print_text(address object) {
        const std::optional<remote_text> text = reader_.find_text(object);
        const auto chars = text ? reader_.read_chars(*text, options_.max_chars + 1) : std::nullopt;
        chars ? print_quoted_units(*chars, text->length, true) : fail();
    }

    void print_remote_bytes(address object, bool array) {
        const memory_layout& layout = reader_.layout();
        const auto count = reader_.memory().load<std::uint64_t>(object + layout.object.count);
        const address data = array ? reader_.pointer_at(object + layout.bytearray_start) : object + layout.bytes_data;
        std::vector<unsigned char> bytes(static_cast<std::size_t>(std::min<std::uint64_t>(count.value_or(0), options_.max_chars + 1)));
        if (!count || *count > std::uint64_t{1} << 40 || !reader_.memory().load_all(data, bytes)) {
            return fail();
        }
        text_.ascii(array ? "bytearray(b" : "b");
        print_quoted_units(bytes, *count, false);
        text_.ascii(array ? ")" : "");
    }

    /// Starts the item number `at` of `total`, if that is known. Returns false, after a note, if it is not to be printed.
    bool begin_item(std::uint64_t at, std::optional<std::uint64_t> total) {
        text_.ascii(at == 0 ? "" : ", ");
        if (at >= sampled_items(options_.max_items) || done()) {
            cut_ = true;
            text_.ascii(total ? "... " + std::to_string(*total - std::min(at, *total)) + " more" : "... more");
            return false;
        }
        return true;
    }

    void print_sequence(address object, bool list) {
        const std::optional<remote_items> items = reader_.find_items(object);
        if (!items) {
            return fail();
        }
        text_.expect(static_cast<std::size_t>(items->count) * min_remote_item_text);
        text_.ascii(list ? "[" : "(");
        for (std::uint64_t at = 0; at < items->count; at += items_per_read) {
            std::vector<address> piece(static_cast<std::size_t>(std::min(items_per_read, items->count - at)));
            if (!reader_.memory().load_all(items->first + at * sizeof(address), piece)) {
                return fail();
            }
            for (std::size_t i = 0; i < piece.size(); ++i) {
                if (!begin_item(at + i, items->count)) {
                    return text_.ascii(list ? "]" : ")");
                }
                print(piece[i]);
            }
        }
        text_.ascii(list ? "]" : items->count == 1 ? ",)" : ")");
    }

    /// Prints a value, or a mark if its name says that it is a secret.
    void print_named(std::string_view name, address value) { masks_name(name) ? text_.ascii(named_secret_mark) : print(value); }

    void print_table(address object, address type) {
        const python_addresses& known = reader_.known();
        const std::optional<std::uint64_t> size = size_from_memory(reader_, object);
        const bool dict = type == known.dict;
        const bool frozen = type == known.frozenset;
        text_.expect(static_cast<std::size_t>(size.value_or(0)) * min_remote_item_text);
        if (!dict && size == 0) {
            return text_.ascii(frozen ? "frozenset()" : "set()");
        }
        text_.ascii(frozen ? "frozenset({" : "{");
        std::uint64_t shown = 0;
        const auto show = [&](address key, address value) {
            const std::string name = dict ? reader_.read_text(key).value_or("") : std::string();
            if (hides_name(name)) {
                return true;
            }
            if (!begin_item(shown, size)) {
                return false;
            }
            ++shown;
            if (dict) {
                print(key);
                text_.ascii(": ");
            }
            print_named(name, value);
            return true;
        };
        const bool readable = dict ? reader_.for_each_entry(object, show) : reader_.for_each_member(object, show);
        if (!readable) {
            fail();
        }
        text_.ascii(frozen ? "})" : "}");
    }

    /// Functions, classes, modules and ranges.
    bool print_remote_code(address object, address type) {
        const python_addresses& known = reader_.known();
        const memory_layout& layout = reader_.layout();
        const auto text_at = [&](address from) { return reader_.read_text(reader_.pointer_at(from)).value_or("?"); };
        if (type == known.function) {
            text_.utf8("<function " + text_at(object + layout.function_qualified_name) + ">");
        } else if (type == known.method) {
            const address function = reader_.pointer_at(object + layout.method_function);
            const bool plain = reader_.type_of(function) == known.function;
            text_.utf8("<bound method " + (plain ? text_at(function + layout.function_qualified_name) : "?") + ">");
        } else if (type == known.builtin) {
            text_.ascii("<built-in function " + reader_.builtin_name(object).value_or("?") + ">");
        } else if (type == known.module) {
            const address names = reader_.namespace_of(object);
            text_.utf8("<module '" + reader_.read_text(reader_.find_entry(names, "__name__")).value_or("?") + "'>");
        } else if (type == known.range) {
            const address start = object + layout.range_start;
            text_.ascii("range(");
            print(reader_.pointer_at(start));
            text_.ascii(", ");
            print(reader_.pointer_at(start + sizeof(address)));
            if (const address step = reader_.pointer_at(start + 2 * sizeof(address)); reader_.read_int64(step) != 1) {
                text_.ascii(", ");
                print(step);
            }
            text_.ascii(")");
        } else if (reader_.is_type(object)) {
            const remote_type& shown = reader_.read_type(object);
            const bool plain = shown.module == "builtins" || shown.module == "?";
            text_.utf8("<class '" + (plain ? shown.name : shown.module + "." + shown.name) + "'>");
        } else {
            return false;
        }
        return true;
    }

    void print_instance(address object, address type) {
        result_.met_objects = true;
        text_.utf8("<" + reader_.read_type(type).qualified() + " object");
        if (++object_depth_ <= max_remote_object_depth) {
            std::size_t shown = 0;
            std::size_t total = 0;
            const bool readable = reader_.for_each_attribute(object, [&](address name, address value) {
                const std::string text = reader_.read_text(name).value_or("?");
                if (hides_name(text)) {
                    return true;
                }
                if (++total <= options_.max_attributes && !done()) {
                    text_.utf8((shown++ == 0 ? " with " : ", ") + text + "=");
                    print_named(text, value);
                }
                return total < 10 * options_.max_attributes && !done();
            });
            cut_ = cut_ || !readable || total > shown;
            if (total > shown) {
                text_.ascii(", ... " + std::to_string(total - shown) + " more");
            }
        }
        --object_depth_;
        text_.ascii(">");
    }

    object_reader& reader_;
    print_options options_;
    printed result_;
    bounded_text text_;
    bool cut_ = false;
    int object_depth_ = 0;
    std::vector<address> open_;
};

}  // namespace

bool masked_from_memory(object_reader& reader, address object) {
    const python_addresses& known = reader.known();
    const address type = masks_results() ? reader.type_of(object) : 0;
    return type != 0 &&
           (type == known.integer || type == known.floating || type == known.text || type == known.bytes || type == known.bytearray ||
            type == known.list || type == known.tuple || type == known.dict || type == known.set || type == known.frozenset);
}

printed print_from_memory(object_reader& reader, address object, const print_options& options) {
    return memory_printer(reader, options).run(object);
}

std::string short_text_from_memory(object_reader& reader, address object, std::size_t max_chars) {
    const printed text = print_from_memory(reader, object, {.max_chars = max_chars, .work_budget = max_chars});
    return text.clipped ? text.text + "..." : text.text;
}

namespace {

/// The number of keys that are not hidden.
std::optional<std::uint64_t> count_visible_keys(const object_reader& reader, address dict, std::uint64_t size) {
    if (size > max_judged_remote_keys) {
        return std::nullopt;
    }
    std::uint64_t visible = 0;
    reader.for_each_entry(dict, [&](address key, address) {
        visible += hides_name(reader.read_text(key).value_or("")) ? 0 : 1;
        return true;
    });
    return visible;
}

}  // namespace

std::optional<std::uint64_t> size_from_memory(object_reader& reader, address object) {
    const python_addresses& known = reader.known();
    if (const std::optional<remote_text> text = reader.find_text(object)) {
        return text->length;
    }
    if (const std::optional<remote_items> items = reader.find_items(object)) {
        return items->count;
    }
    if (const address type = reader.type_of(object); type != 0 && (type == known.bytes || type == known.bytearray)) {
        return reader.memory().load<std::uint64_t>(object + reader.layout().object.count);
    }
    const std::optional<std::uint64_t> size = reader.size_of_table(object);
    return size && hides_names() && reader.type_of(object) == known.dict ? count_visible_keys(reader, object, *size) : size;
}

std::string summary_from_memory(object_reader& reader, address object, std::size_t max_chars) {
    if (masked_from_memory(reader, object)) {
        return std::string(named_secret_mark);
    }
    const python_addresses& known = reader.known();
    const address type = reader.type_of(object);
    const bool text = type == known.text;
    const bool bytes = type == known.bytes || type == known.bytearray;
    const std::uint64_t size = size_from_memory(reader, object).value_or(0);
    if (size == 0 || ((text || type == known.bytes) && size <= 60)) {
        return short_text_from_memory(reader, object, max_chars);
    }
    const std::string name = reader.read_type(type).qualified();
    const std::string head = name + " of " +
                             (text    ? pyaichat::detail::counted(static_cast<std::int64_t>(size), "character")
                              : bytes ? pyaichat::detail::counted(static_cast<std::int64_t>(size), "byte")
                                      : std::to_string(size)) +
                             ": ";
    return head + short_text_from_memory(reader, object, max_chars > head.size() + 10 ? max_chars - head.size() : 12);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
