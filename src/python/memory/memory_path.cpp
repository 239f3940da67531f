#include "python/memory/memory_path.hpp"

#include "python/look/look_context.hpp"
#include "python/look/member_names.hpp"
#include "python/look/path.hpp"
#include "python/privacy/privacy_scope.hpp"

#include <pyaichat/core/text.hpp>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr std::size_t max_suggested_from = 500;

capability_reply not_in_memory(const std::string& at, const std::string& why) {
    return reply_error(reply_code::not_allowed,
                       "`" + pyaichat::detail::one_line(at, 80) + "` cannot be read from memory: " + why +
                           "; ask for an object before it in the path, or wait until Python is free",
                       json::object({{"at", at}, {"best_effort", true}}));
}

address find_attribute(object_reader& reader, address object, std::string_view name) {
    if (hides_name(name)) {
        return 0;
    }
    if (reader.is_module(object) || reader.is_type(object)) {
        return reader.find_entry(reader.namespace_of(object), name);
    }
    return reader.memory().search([&] {
        address found = 0;
        reader.for_each_attribute(object, [&](address each, address value) {
            found = reader.is_text(each, name) ? value : 0;
            return found == 0;
        });
        return found;
    });
}

address find_item(object_reader& reader, address object, const path_step& step) {
    const auto* number = std::get_if<std::int64_t>(&step.key);
    if (const std::optional<remote_items> items = reader.find_items(object); items && number) {
        const std::int64_t index = *number < 0 ? *number + static_cast<std::int64_t>(items->count) : *number;
        const bool inside = index >= 0 && static_cast<std::uint64_t>(index) < items->count;
        return inside ? reader.pointer_at(items->first + static_cast<std::uint64_t>(index) * sizeof(address)) : 0;
    }
    if (const auto* text = std::get_if<std::string>(&step.key)) {
        return hides_name(*text) ? 0 : reader.find_entry(object, *text);
    }
    return !number ? 0 : reader.memory().search([&] {
        address found = 0;
        reader.for_each_entry(object, [&](address each, address value) {
            found = reader.read_int64(each) == *number ? value : 0;
            return found == 0;
        });
        return found;
    });
}

}  // namespace

std::vector<std::string> names_in_memory(const object_reader& reader, address dict) {
    std::vector<std::string> names;
    reader.for_each_entry(dict, [&](address key, address) {
        if (std::optional<std::string> name = reader.read_text(key); name && !hides_name(*name)) {
            names.push_back(*std::move(name));
        }
        return names.size() < max_suggested_from;
    });
    return names;
}

std::variant<address, capability_reply> find_in_memory(object_reader& reader, std::string_view expression, address globals,
                                                       address builtins) {
    const result<path> parsed = parse_path(expression);
    if (!parsed) {
        return reply_error(reply_code::not_allowed, "`" + pyaichat::detail::one_line(expression, 80) + "`: " + parsed.error().message +
                                                        ". Only a path can be read from memory, like a.b[\"key\"][0]");
    }
    address object = hides_name(parsed->root) ? 0 : reader.find_entry(globals, parsed->root);
    if (object == 0) {
        object = reader.find_entry(builtins, parsed->root);
    }
    if (object == 0) {
        if (reader.memory().exhausted()) {
            return not_in_memory(parsed->root, "the limit for reading was reached");
        }
        const std::vector<std::string> nearest = nearest_names(parsed->root, names_in_memory(reader, globals));
        std::string message = "name '" + parsed->root + "' is not defined";
        for (std::size_t i = 0; i < nearest.size(); ++i) {
            message += (i == 0 ? "; did you mean: " : ", ") + nearest[i];
        }
        return python_exception_reply("NameError", std::move(message), json::object({{"nearest", nearest}, {"best_effort", true}}));
    }
    std::string at = parsed->root;
    for (const path_step& step : parsed->steps) {
        at += step.source;
        object = step.attribute.empty() ? find_item(reader, object, step) : find_attribute(reader, object, step.attribute);
        if (object == 0 && reader.memory().exhausted()) {
            return not_in_memory(at, "the limit for reading was reached");
        }
        if (object == 0) {
            return not_in_memory(at, step.attribute.empty() ? "there is no such item in a plain list, tuple or dict"
                                                            : "the object itself does not store this attribute");
        }
    }
    return object;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
