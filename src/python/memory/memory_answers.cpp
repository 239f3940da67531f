#include "python/memory/memory_answers.hpp"

#include "python/look/member_names.hpp"
#include "python/memory/memory_path.hpp"
#include "python/memory/memory_printer.hpp"
#include "python/memory/memory_stack.hpp"
#include "python/privacy/privacy_scope.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <tuple>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr std::size_t max_remote_value_chars = 200;
constexpr std::size_t max_listed_names = 20'000;

capability_reply best_effort(json result) {
    result["best_effort"] = true;
    result["tier"] = 0;
    result["ran_user_code"] = false;
    return reply_with(std::move(result));
}

std::size_t count_argument(const json& arguments, std::string_view name, std::int64_t otherwise, std::int64_t minimum,
                           std::int64_t maximum) {
    return static_cast<std::size_t>(std::clamp(integer_member(arguments, name).value_or(otherwise), minimum, maximum));
}

std::string text_argument(const json& arguments, std::string_view name) {
    return std::string(string_member(arguments, name).value_or(""));
}

json type_of_remote(const remote_type& type) {
    return json::object({{"name", type.name}, {"module", type.module}, {"qualified", type.qualified()}});
}

/// Finds the object at `expr` in each pass and describes it with `describe(reader, address)`. `torn` is the result if it changes.
template <class Describe>
capability_reply look_in_memory(const memory_view& view, const json& arguments, json torn, Describe describe) {
    bounded_memory memory(view.source, view.limits);
    const std::string expression = text_argument(arguments, "expr");
    const auto read = read_twice(memory, [&]() -> std::variant<json, capability_reply> {
        object_reader reader(memory, view.map);
        auto found = find_in_memory(reader, expression, view.globals, view.builtins);
        if (auto* reply = std::get_if<capability_reply>(&found)) {
            return std::move(*reply);
        }
        return describe(reader, std::get<address>(found));
    });
    const auto* refused = std::get_if<capability_reply>(&read.value);
    if (refused != nullptr && (read.agreed || memory.exhausted())) {
        return *refused;
    }
    if (!read.agreed) {
        torn["torn"] = true;
        return best_effort(std::move(torn));
    }
    return best_effort(std::get<json>(read.value));
}

capability_reply repr_in_memory(const memory_view& view, const json& arguments) {
    const std::size_t max_chars = count_argument(arguments, "max_chars", 2000, 1, 100'000);
    json torn = json::object({{"repr", changing}, {"truncated", true}, {"original_len", nullptr}});
    return look_in_memory(view, arguments, std::move(torn), [&](object_reader& reader, address object) {
        const printed text = print_from_memory(reader, object, {.max_chars = max_chars});
        return json::object({{"repr", text.text},
                             {"truncated", text.truncated},
                             {"original_len", text.original_length ? json(*text.original_length) : json()}});
    });
}

capability_reply type_in_memory(const memory_view& view, const json& arguments) {
    json torn = json::object({{"name", changing}, {"module", "?"}, {"qualified", changing}});
    return look_in_memory(view, arguments, std::move(torn),
                          [](object_reader& reader, address object) { return type_of_remote(reader.read_type_of(object)); });
}

std::string remote_value_text(object_reader& reader, address value, std::size_t columns, int depth) {
    const printed text = print_from_memory(
        reader, value,
        {.max_chars = max_remote_value_chars, .work_budget = max_remote_value_chars, .max_items = columns, .max_depth = depth});
    return text.clipped ? text.text + "..." : text.text;
}

capability_reply inspect_in_memory(const memory_view& view, const json& arguments) {
    const int depth = static_cast<int>(count_argument(arguments, "depth", 2, 1, 8));
    const std::size_t rows = sampled_items(count_argument(arguments, "rows", 20, 1, 500));
    const std::size_t columns = sampled_items(count_argument(arguments, "columns", 10, 1, 500));
    return look_in_memory(view, arguments, json::object({{"summary", changing}}), [&](object_reader& reader, address object) {
        const std::optional<std::uint64_t> size = size_from_memory(reader, object);
        json facts = json::object({{"type", type_of_remote(reader.read_type_of(object))},
                                   {"summary", summary_from_memory(reader, object, 400)},
                                   {"size", size ? json(*size) : json()}});
        json attributes = json::array();
        std::size_t total = 0;
        const auto add_attribute = [&](address name, address value) {
            const std::string text = reader.read_text(name).value_or("?");
            if (!text.starts_with("__") && !hides_name(text) && ++total <= rows) {
                attributes.push_back(json::object({{"name", text},
                                                   {"type", reader.read_type_of(value).qualified()},
                                                   {"value", shown_text(text, remote_value_text(reader, value, columns, depth))}}));
            }
            return total < max_listed_names && !reader.memory().exhausted();
        };
        if (const address names = reader.namespace_of(object); names != 0) {
            reader.for_each_entry(names, add_attribute);
        } else {
            reader.for_each_attribute(object, add_attribute);
        }
        facts["attributes"] = std::move(attributes);
        facts["attributes_total"] = total;
        json items = json::array();
        const auto add_item = [&](address key, address value) {
            const std::string name = key != 0 ? reader.read_text(key).value_or("") : std::string();
            if (items.size() < rows && !hides_name(name)) {
                std::string text = shown_text(name, remote_value_text(reader, value, columns, depth));
                items.push_back(key == 0
                                    ? json(std::move(text))
                                    : json::object({{"key", remote_value_text(reader, key, columns, depth)}, {"value", std::move(text)}}));
            }
            return items.size() < rows && !reader.memory().exhausted();
        };
        if (const std::optional<remote_items> list = reader.find_items(object)) {
            for (std::uint64_t i = 0; i < list->count && add_item(0, reader.pointer_at(list->first + i * sizeof(address))); ++i) {
            }
        } else if (reader.type_of(object) == view.map.addresses.dict) {
            reader.for_each_entry(object, add_item);
        } else if (reader.size_of_table(object)) {
            reader.for_each_member(object, add_item);
        }
        if (!items.empty()) {
            facts["items"] = std::move(items);
            facts["items_total"] = size ? json(*size) : json();
        }
        return facts;
    });
}

struct remote_variable {
    bool is_module = false;
    std::string name;
    address value = 0;
    std::string type_name = {};
    std::string summary = {};
    std::uint64_t digest = 0;
    bool doubtful = false;

    [[nodiscard]] bool same_as(const remote_variable& other) const {
        return name == other.name && value == other.value && digest == other.digest && !doubtful && !other.doubtful;
    }
};

bool is_hidden_variable(std::string_view name) {
    return name == "_" || (name.starts_with("__") && name.ends_with("__"));
}

/// One pass: the names that match, sorted, and the values of one page of them.
struct variable_page {
    std::vector<remote_variable> variables = {};
    std::size_t total = 0;
};

variable_page read_variables(const memory_view& view, bounded_memory& memory, const json& arguments) {
    const std::string filter = text_argument(arguments, "filter");
    const std::size_t limit = count_argument(arguments, "limit", 50, 1, 1000);
    const std::size_t offset = count_argument(arguments, "offset", 0, 0, 1'000'000);
    object_reader reader(memory, view.map);
    std::vector<remote_variable> all;
    reader.for_each_entry(view.globals, [&](address key, address value) {
        std::string name = reader.read_text(key).value_or("__");
        if (!is_hidden_variable(name) && !hides_name(name) && matches_glob(name, filter)) {
            all.push_back({.is_module = reader.is_module(value), .name = std::move(name), .value = value});
        }
        return all.size() < max_listed_names && !memory.exhausted();
    });
    std::sort(all.begin(), all.end(), [](const remote_variable& left, const remote_variable& right) {
        return std::tie(left.is_module, left.name) < std::tie(right.is_module, right.name);
    });
    variable_page page = {.total = all.size()};
    for (std::size_t i = offset; i < all.size() && page.variables.size() < limit; ++i) {
        remote_variable& each = all[i];
        object_reader fresh(memory, view.map);  // remembers no types, so the digest has the whole description
        memory.begin_pass();
        each.type_name = fresh.read_type_of(each.value).qualified();
        each.summary = each.is_module ? std::string() : shown_text(each.name, summary_from_memory(fresh, each.value));
        each.digest = memory.digest();
        each.doubtful = memory.doubtful();
        page.variables.push_back(std::move(each));
    }
    return page;
}

capability_reply globals_in_memory(const memory_view& view, const json& arguments) {
    bounded_memory memory(view.source, view.limits);
    variable_page page = read_variables(view, memory, arguments);
    std::map<std::string, remote_variable> settled;
    for (int i = 1; i < max_passes && !memory.exhausted(); ++i) {
        variable_page again = read_variables(view, memory, arguments);
        if (memory.exhausted()) {
            break;
        }
        for (const remote_variable& each : again.variables) {
            const auto same = [&](const remote_variable& before) { return before.same_as(each); };
            if (std::any_of(page.variables.begin(), page.variables.end(), same)) {
                settled.insert_or_assign(each.name, each);
            }
        }
        page = std::move(again);
        const auto is_settled = [&](const remote_variable& each) { return settled.contains(each.name); };
        if (std::all_of(page.variables.begin(), page.variables.end(), is_settled)) {
            break;
        }
    }
    json globals = json::array();
    bool torn = false;
    for (const remote_variable& each : page.variables) {
        const auto found = settled.find(each.name);
        const bool agreed = found != settled.end();
        torn = torn || !agreed;
        globals.push_back(json::object({{"name", each.name},
                                        {"type_name", agreed ? found->second.type_name : std::string(changing)},
                                        {"summary", agreed ? found->second.summary : std::string(changing)}}));
    }
    const std::size_t offset = count_argument(arguments, "offset", 0, 0, 1'000'000);
    const bool truncated = offset + globals.size() < page.total || memory.exhausted();
    json result = json::object({{"globals", std::move(globals)}, {"total", page.total}, {"truncated", truncated}});
    if (torn) {
        result["torn"] = true;
    }
    return best_effort(std::move(result));
}

capability_reply stack_in_memory(const memory_view& view, const json& arguments) {
    bounded_memory memory(view.source, view.limits);
    return best_effort(read_stack(memory, view.map,
                                  {.threads = count_argument(arguments, "threads", 20, 1, 200),
                                   .frames = count_argument(arguments, "frames", 10, 1, 100),
                                   .locals = count_argument(arguments, "locals", 8, 0, 50)}));
}

/// What is going on while Python is busy: what each thread runs. `own_memory_reply.cpp` says in `state` what keeps Python.
capability_reply situation_in_memory(const memory_view& view, const json&) {
    bounded_memory memory(view.source, view.limits);
    json result = read_stack(memory, view.map, {.threads = 5, .frames = 5, .locals = 5});
    result["state"] = "read from memory, without Python";
    return best_effort(std::move(result));
}

struct memory_capability {
    std::string_view name;
    capability_reply (*answer)(const memory_view&, const json&);
};

constexpr std::array memory_capabilities = {
    memory_capability{"list_globals", &globals_in_memory}, memory_capability{"get_repr", &repr_in_memory},
    memory_capability{"get_type", &type_in_memory},        memory_capability{"inspect", &inspect_in_memory},
    memory_capability{"get_stack", &stack_in_memory},      memory_capability{"situation", &situation_in_memory}};

}  // namespace

bool has_memory_answer(std::string_view capability) {
    return std::any_of(memory_capabilities.begin(), memory_capabilities.end(),
                       [&](const memory_capability& each) { return each.name == capability; });
}

capability_reply answer_from_memory(const memory_view& view, std::string_view capability, const json& arguments) {
    for (const memory_capability& each : memory_capabilities) {
        if (each.name == capability) {
            return each.answer(view, arguments);
        }
    }
    return reply_error(reply_code::unknown_function, "`" + std::string(capability) + "` cannot be answered from memory");
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
