#include "python/memory/hidden_texts_in_memory.hpp"

#include "python/memory/memory_printer.hpp"
#include "python/memory/object_reader.hpp"
#include "python/privacy/hidden_texts.hpp"

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

void collect_remote_texts(object_reader& reader, address value, int depth, std::vector<std::string>& into) {
    if (into.size() >= max_hidden_texts || depth > max_hidden_depth || reader.memory().exhausted()) {
        return;
    }
    const python_addresses& known = reader.known();
    const address type = reader.type_of(value);
    const std::uint64_t size = size_from_memory(reader, value).value_or(0);
    if (type == known.text || type == known.bytes) {
        if (size < min_hidden_length || size > max_hidden_length) {
            return;
        }
        const std::string printed = print_from_memory(reader, value, {.max_chars = 4 * max_hidden_length}).text;
        const std::size_t begin = printed.find_first_of("'\"") + 1;
        into.push_back(printed.substr(begin, printed.size() - begin - 1));
        if (std::optional<std::string> text = reader.read_text(value, max_hidden_length)) {
            into.push_back(*std::move(text));
        }
        return;
    }
    int left = max_hidden_items;
    const auto collect = [&](address, address item) {
        collect_remote_texts(reader, item, depth + 1, into);
        return --left > 0;
    };
    if (const std::optional<remote_items> items = reader.find_items(value)) {
        for (std::uint64_t i = 0; i < items->count && collect(0, reader.pointer_at(items->first + i * sizeof(address))); ++i) {
        }
    } else if (type == known.dict) {
        reader.for_each_entry(value, collect);
    } else if (type == known.set || type == known.frozenset) {
        reader.for_each_member(value, collect);
    }
}

}  // namespace

std::optional<std::vector<std::string>> hidden_texts_in_memory(const privacy_rules& rules, const memory_view& view) {
    std::vector<std::string> texts;
    if (rules.hidden.empty() || view.globals == 0) {
        return texts;
    }
    bounded_memory memory(view.source, view.limits);
    object_reader reader(memory, view.map);
    const bool complete = reader.for_each_entry(view.globals, [&](address key, address value) {
        if (rules.hides(reader.read_text(key).value_or(""))) {
            collect_remote_texts(reader, value, 0, texts);
        }
        return texts.size() < max_hidden_texts && !memory.exhausted();
    });
    if (!complete || memory.exhausted()) {
        return std::nullopt;
    }
    std::sort(texts.begin(), texts.end(), [](const std::string& left, const std::string& right) { return left.size() > right.size(); });
    return texts;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
