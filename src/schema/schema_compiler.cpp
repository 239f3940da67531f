#include "schema/schema_compiler.hpp"

#include <pyaichat/core/text.hpp>
#include <pyaichat/schema/decode.hpp>

#include "schema/json_order.hpp"
#include "schema/number.hpp"

namespace pyaichat::inline PYAICHAT_ABI::detail {

schema_compiler::schema_compiler(const schema_options& options) : options_(options), documents_(options, program_->documents) {
    program_->max_steps = options.max_steps;
}

result<std::shared_ptr<const schema_program>> schema_compiler::run(const json& schema) {
    // Checked before the copy, which recurses.
    if (nests_deeper_than(schema, max_json_depth)) {
        const std::string depth = std::to_string(max_json_depth);
        return failure{.code = errc::too_large,
                       .message = "the schema is nested deeper than " + depth + " levels",
                       .hint = "Use at most " + depth + " levels."};
    }
    const json& root = program_->documents.emplace_back(schema);
    const result<schema_place> place = documents_.add(root, options_.base_uri, options_.dialect);
    if (!place) {
        return place.error();
    }
    program_->root = node_for(*place, "#");
    while (!open_.empty() && !failed_) {
        const task next = std::move(open_.front());
        open_.pop_front();
        compile(next);
    }
    if (!failed_) {
        refuse_endless_references();
    }
    if (failed_) {
        return *failed_;
    }
    program_->resources.resize(documents_.size());
    program_->remarks = documents_.remarks();
    return std::shared_ptr<const schema_program>(std::move(program_));
}

void schema_compiler::refuse(const task& work, std::string_view keyword, std::string_view what, errc code) {
    if (failed_) {
        return;
    }
    std::string where = work.path;
    if (!keyword.empty()) {
        where += "/" + pointer_token(keyword);
    }
    const std::string text = one_line(where, 300) + ": " + std::string(what);
    failed_ = failure{.code = code, .message = "the schema cannot be used: " + text, .hint = "Fix the schema: " + text + '.'};
}

node_index schema_compiler::node_for(const schema_place& place, std::string path) {
    const auto [entry, inserted] = nodes_.emplace(place.schema, static_cast<node_index>(program_->nodes.size()));
    if (inserted) {
        schema_node& node = program_->nodes.emplace_back();
        node.source = place.schema;
        node.resource = place.resource;
        paths_.push_back(path);
        open_.push_back({entry->second, place.schema, place.resource, documents_[place.resource].active, std::move(path)});
        enter_resource(place.resource);
    }
    return entry->second;
}

void schema_compiler::enter_resource(std::uint32_t resource) {
    if (entered_.size() <= resource) {
        entered_.resize(documents_.size(), false);
        program_->resources.resize(documents_.size());
    }
    if (entered_[resource]) {
        return;
    }
    entered_[resource] = true;
    // A `$dynamicRef` that is reached through this resource may refer to any of these.
    const auto anchors = documents_[resource].dynamic_anchors;
    for (const auto& [name, schema] : anchors) {
        const node_index node = node_for({schema, resource}, documents_[resource].uri + '#' + name);
        program_->resources[resource].dynamic_anchors.emplace_back(anchor_number(name), node);
    }
}

std::uint32_t schema_compiler::anchor_number(const std::string& name) {
    return anchors_.emplace(name, static_cast<std::uint32_t>(anchors_.size())).first->second;
}

void schema_compiler::compile(const task& work) {
    // A local variable, because compiling may reallocate the nodes.
    schema_node node;
    node.source = work.schema;
    node.resource = work.resource;
    if (work.schema->is_boolean()) {
        node.always = *as_bool(*work.schema);
        node.never = !node.always;
    } else if (!work.schema->is_object()) {
        refuse(work, "", "must be an object or boolean");
    } else {
        compile_values(work, node);
        compile_numbers(work, node);
        compile_strings(work, node);
        compile_arrays(work, node);
        compile_objects(work, node);
        compile_in_place(work, node);
        compile_dependencies(work, node);
        node.unevaluated_items = child(work, "unevaluatedItems");
        node.unevaluated_properties = child(work, "unevaluatedProperties");
        for (const std::string_view keyword : {"$defs", "definitions"}) {
            // Compiled even if nothing refers to them, so that errors are found now.
            static_cast<void>(named_children(work, keyword));
        }
        node.always = node.types == 0 && node.constant == nullptr && node.choices == nullptr && node.numbers == nullptr &&
                      node.strings == nullptr && node.arrays == nullptr && node.objects == nullptr && node.in_place == nullptr &&
                      !node.needs_annotations();
    }
    program_->nodes[work.node] = std::move(node);
}

const json* schema_compiler::keyword_of(const task& work, std::string_view keyword) noexcept {
    const schema_keyword* const known = find_keyword(keyword);
    return known != nullptr && work.active.has(known->part) ? keyword_value(*work.schema, keyword, work.active.which) : nullptr;
}

node_index schema_compiler::element(const task& work, std::string_view keyword, std::string_view name, const json& schema) {
    std::string path = work.path + '/' + pointer_token(keyword);
    if (name.data() != nullptr) {
        path += '/' + pointer_token(name);
    }
    return node_for(documents_.place_of(schema, work.resource), std::move(path));
}

node_index schema_compiler::child(const task& work, std::string_view keyword) {
    const json* schema = keyword_of(work, keyword);
    return schema != nullptr ? element(work, keyword, {}, *schema) : no_node;
}

std::vector<node_index> schema_compiler::children(const task& work, std::string_view keyword) {
    std::vector<node_index> nodes;
    if (const json* list = member(work, keyword, &json::is_array, "must be an array of schemas")) {
        nodes.reserve(list->size());
        for (const json& schema : *list) {
            nodes.push_back(element(work, keyword, std::to_string(nodes.size()), schema));
        }
    }
    return nodes;
}

std::vector<named_node> schema_compiler::named_children(const task& work, std::string_view keyword) {
    std::vector<named_node> nodes;
    if (const json* map = member(work, keyword, &json::is_object, "must be an object of schemas")) {
        nodes.reserve(map->size());
        for (const auto& [name, schema] : *map->get_ptr<const json::object_t*>()) {
            nodes.push_back({name, element(work, keyword, name, schema)});
        }
    }
    return nodes;
}

const json* schema_compiler::number(const task& work, std::string_view keyword) {
    return member(work, keyword, [](const json& value) { return value.is_number() && is_finite(value); }, "must be a number");
}

std::uint64_t schema_compiler::count(const task& work, std::string_view keyword, std::uint64_t otherwise) {
    const auto fits = [](const json& value) { return value.is_number() && is_whole(value) && compare_numbers(value, json(0)) >= 0; };
    const json* value = member(work, keyword, fits, "must be a whole number that is not negative");
    if (value == nullptr) {
        return otherwise;
    }
    const auto small = as_integer(*value);
    return small ? static_cast<std::uint64_t>(*small) : unlimited;
}

std::vector<std::string_view> schema_compiler::texts(const json& list, const task& work, std::string_view keyword) {
    std::vector<std::string_view> read;
    for (const json& entry : list) {
        if (const auto text = as_string(entry)) {
            read.push_back(*text);
        }
    }
    if (!list.is_array() || read.size() != list.size()) {
        refuse(work, keyword, "must be an array of strings");
    }
    return read;
}

std::optional<pattern> schema_compiler::compile_pattern(const task& work, std::string_view keyword, std::string_view text) {
    result<pattern> compiled = pattern::compile(text);
    if (!compiled) {
        refuse(work, keyword, "the pattern \"" + one_line(text, 200) + "\" cannot be used: " + compiled.error().message);
        return std::nullopt;
    }
    constexpr std::size_t max_pattern_bytes = std::size_t{1} << 20;
    pattern_bytes_ += compiled->size();
    if (pattern_bytes_ > max_pattern_bytes) {
        refuse(work, keyword, "the patterns of this schema are too large together: `{60}` and the like repeat what is before them");
        return std::nullopt;
    }
    return *compiled;
}

/// Refuses loops of only `$ref` and `allOf`, which never end. Loops through other keywords may end; validation limits them.
void schema_compiler::refuse_endless_references() {
    enum class state : unsigned char { fresh, open, done };
    const auto& nodes = program_->nodes;
    std::vector<state> states(nodes.size(), state::fresh);
    const auto edge = [&nodes](node_index from, std::size_t number) {
        const auto& rules = nodes[from].in_place;
        if (rules == nullptr) {
            return no_node;
        }
        if (rules->reference != no_node && number-- == 0) {
            return rules->reference;
        }
        return number < rules->all_of.size() ? rules->all_of[number] : no_node;
    };
    std::vector<std::pair<node_index, std::size_t>> stack;
    for (node_index start = 0; start < nodes.size(); ++start) {
        if (states[start] == state::fresh) {
            states[start] = state::open;
            stack.emplace_back(start, 0);
        }
        while (!stack.empty()) {
            auto& [from, number] = stack.back();
            const node_index to = edge(from, number++);
            if (to == no_node) {
                states[from] = state::done;
                stack.pop_back();
            } else if (states[to] == state::open) {
                refuse({.path = paths_[to]}, "", "its references lead back to itself without ever reaching a part of the value");
                return;
            } else if (states[to] == state::fresh) {
                states[to] = state::open;
                stack.emplace_back(to, 0);
            }
        }
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
