#include "schema/endless_references.hpp"

#include "schema/left_out.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <string_view>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

constexpr std::string_view definitions = "#/$defs/";

/// Collects the schemas with a reference that apply to the same value as `schema`.
void collect_references(json& schema, std::vector<json*>& found) {
    if (!schema.is_object()) {
        return;
    }
    if (string_member(schema, "$ref")) {
        found.push_back(&schema);
    }
    for (const char* name : {"allOf", "anyOf", "oneOf", "dependentSchemas"}) {
        if (const auto branches = schema.find(name); branches != schema.end() && branches->is_structured()) {
            for (json& branch : *branches) {
                collect_references(branch, found);
            }
        }
    }
    for (const char* name : {"not", "if", "then", "else"}) {
        if (const auto branch = schema.find(name); branch != schema.end()) {
            collect_references(*branch, found);
        }
    }
}

/// A definition on the way from the first one, and its references that are not followed yet.
struct step {
    std::string name;
    std::vector<json*> references = {};
};

}  // namespace

std::vector<std::string> cut_endless_references(json& root, bool described) {
    enum class state : unsigned char { on_the_way, done };
    std::vector<std::string> cut;
    const auto all = root.find("$defs");
    if (all == root.end() || !all->is_object()) {
        return cut;
    }
    std::map<std::string, state, std::less<>> states;
    std::vector<step> way;  // instead of a recursion, which a chain of definitions could make too deep
    const auto enter = [&](const std::string& name) {
        const auto definition = all->find(name);
        states.emplace(name, state::on_the_way);
        way.push_back({.name = name});
        if (definition != all->end()) {
            collect_references(*definition, way.back().references);
        }
    };
    for (const auto& entry : *all->get_ptr<json::object_t*>()) {
        if (!states.contains(entry.first)) {
            enter(entry.first);
        }
        while (!way.empty()) {
            step& last = way.back();
            if (last.references.empty()) {
                states[last.name] = state::done;
                way.pop_back();
                continue;
            }
            json& schema = *last.references.back();
            last.references.pop_back();
            const std::string reference(*string_member(schema, "$ref"));
            const std::string target = reference.substr(std::min(definitions.size(), reference.size()));
            const auto known = states.find(target);
            if (known == states.end()) {
                enter(target);
            } else if (known->second == state::on_the_way) {
                const std::string words = in_words("$ref", reference);
                cut.push_back(std::string(definitions) + last.name + ": " + words);
                schema.erase("$ref");
                if (described) {
                    add_to_description(schema, words);
                }
            }
        }
    }
    return cut;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
