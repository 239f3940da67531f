#include "schema/schema_reducer.hpp"

#include <pyaichat/core/text.hpp>
#include <pyaichat/schema/decode.hpp>

#include "schema/endless_references.hpp"
#include "schema/left_out.hpp"
#include "schema/merge_schemas.hpp"

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

constexpr std::size_t deepest = 64;  // of the recursion here

bool allows_type(const json& schema, std::string_view type) {
    const json* types = find_member(schema, "type");
    return types != nullptr && (*types == type || (types->is_array() && std::find(types->begin(), types->end(), type) != types->end()));
}

}  // namespace

bool has_word(std::string_view words, std::string_view word) noexcept {
    for (std::size_t at = words.find(word); !word.empty() && at != words.npos; at = words.find(word, at + 1)) {
        const std::size_t end = at + word.size();
        if ((at == 0 || words[at - 1] == ' ') && (end == words.size() || words[end] == ' ')) {
            return true;
        }
    }
    return words == "*";
}

schema_reducer::schema_reducer(const schema_profile& profile) : profile_(profile), documents_(options_, storage_) {
    options_.check = false;
}

reduced_schema schema_reducer::run(const json& schema) {
    json root = json::object();
    if (nests_deeper_than(schema, max_json_depth)) {
        left_out_.emplace_back("#: the schema nests too deep");
    } else if (const result<schema_place> place = documents_.add(schema, "", options_.dialect); !place) {
        left_out_.push_back("#: " + place.error().message);
    } else {
        // The root must have keywords of its own instead of a reference.
        work at = flatten(*place, std::string(root_path), 0, true);
        root = finish(std::move(at));
        for (std::size_t i = 0; i < waiting_.size(); ++i) {
            const auto [target, name] = waiting_[i];
            root["$defs"][name] = reduce(target, std::string(definition_prefix) + name, 1);
        }
        for (const std::string& cut : cut_endless_references(root, accepts("description"))) {
            left_out_.push_back(cut);
        }
    }
    meet_root(root);
    return {std::move(root), std::move(left_out_)};
}

void schema_reducer::meet_root(json& root) {
    if (!profile_.object_root) {
        return;
    }
    root = root.is_object() ? std::move(root) : json::object();
    std::string words;
    for (const char* name : {"anyOf", "oneOf", "allOf", "not", "enum", "const", "if", "then", "else"}) {
        if (const json* value = find_member(root, name)) {
            const std::string part = in_words(name, *value);
            words += (words.empty() ? "" : "; ") + part;
            left_out_.push_back(std::string(root_path) + ": " + part);
            root.erase(name);
        }
    }
    if (!words.empty()) {
        add_to_description(root, words);
    }
    root["type"] = "object";
    if (!root.contains("properties") && accepts("properties")) {
        root["properties"] = json::object();
    }
}

json schema_reducer::reduce(const schema_place& place, std::string path, std::size_t depth) {
    return finish(flatten(place, std::move(path), depth));
}

json schema_reducer::finish(work done) const {
    if (profile_.items_needed && allows_type(done.out, "array") && !done.out.contains("items") && !done.out.contains("prefixItems")) {
        done.out["items"] = json::object();
    }
    std::string words;
    for (auto part = done.words.begin(); part != done.words.end(); ++part) {
        if (std::find(done.words.begin(), part, *part) != part) {
            continue;
        }
        words += (words.empty() ? "" : "; ") + *part;
    }
    if (!words.empty() && accepts("description")) {
        add_to_description(done.out, words);
    }
    return std::move(done.out);
}

schema_reducer::work schema_reducer::flatten(const schema_place& place, std::string path, std::size_t depth, bool inlined) {
    work at{.place = place, .path = std::move(path), .depth = depth, .inlined = inlined};
    if (depth > std::min(profile_.max_depth, deepest) || ++schemas_ > profile_.max_schemas) {
        at.words.push_back("must fit " + one_line(dump_json(*place.schema), 300));
        left_out_.push_back(at.path + ": the schema is too large");
        return at;
    }
    if (*place.schema == false) {
        at.words.emplace_back("must not be there");
        left_out_.push_back(at.path + ": must not be there");
        return at;
    }
    at.from = members_of(place);
    for (const auto& [name, value] : at.from) {
        reduce_keyword(at, name, *value);
    }
    return at;
}

/// Keywords of older drafts get the names and the meaning that they have in 2020-12. `$defs` are reduced only if something refers to them.
schema_reducer::members schema_reducer::members_of(const schema_place& place) {
    members found;
    const draft which = documents_[place.resource].active.which;
    if (!place.schema->is_object()) {
        return found;
    }
    for (const auto& [name, value] : *place.schema->get_ptr<const json::object_t*>()) {
        const bool annotation = name == "description" || name == "title";
        const json* used = annotation ? &value : keyword_value(*place.schema, name, which);
        if (used != nullptr && name != "$defs" && name != "definitions") {
            found.emplace(name, used);
        }
    }
    if (which <= draft::draft2019) {
        const auto items = found.find("items");
        const auto rest = found.find("additionalItems");
        const bool tuple = items != found.end() && items->second->is_array();
        const json* const after = tuple && rest != found.end() ? rest->second : nullptr;
        if (tuple) {
            found["prefixItems"] = items->second;
            found.erase("items");
        }
        if (after != nullptr) {
            found["items"] = after;
        }
        found.erase("additionalItems");
    }
    if (which == draft::draft4) {
        for (const auto& [exclusive, inclusive] : {std::pair("exclusiveMinimum", "minimum"), std::pair("exclusiveMaximum", "maximum")}) {
            const auto flag = found.find(exclusive);
            if (flag == found.end()) {
                continue;
            }
            const auto bound = found.find(inclusive);
            if (*flag->second == true && bound != found.end()) {
                flag->second = bound->second;
                found.erase(bound);
            } else {
                found.erase(flag);
            }
        }
    }
    return found;
}

json schema_reducer::child(const work& at, std::string_view name, std::string_view token, const json& schema) {
    std::string path = at.path + '/' + pointer_token(name);
    if (token.data() != nullptr) {
        path += '/' + pointer_token(token);
    }
    return reduce(documents_.place_of(schema, at.place.resource), std::move(path), at.depth + 1);
}

bool schema_reducer::accepts(std::string_view keyword) const noexcept {
    return has_word(profile_.keywords, keyword);
}

/// The definition of a target. Its name is the last part of the reference.
std::string schema_reducer::name_of(const schema_place& target, std::string_view reference) {
    const auto [entry, inserted] = definitions_.emplace(target.schema, "");
    if (inserted) {
        std::string name(reference.substr(std::min(reference.find_last_of("/#") + 1, reference.size())));
        std::replace_if(name.begin(), name.end(), [](char c) { return !is_letter(c) && !is_digit(c) && c != '_'; }, '_');
        name = name.empty() ? "root" : name;
        std::string unique = name;
        for (int number = 2; !names_.insert(unique).second; ++number) {
            unique = name + '_' + std::to_string(number);
        }
        entry->second = unique;
        waiting_.emplace_back(target, unique);
    }
    return entry->second;
}

void schema_reducer::merge(work& at, const json& keywords) {
    for (const auto& [name, value] : merge_into(at.out, keywords)) {
        leave_out(at, name, value);
    }
}

void schema_reducer::leave_out(work& at, std::string_view name, const json& value) {
    const std::string words = in_words(name, value);
    if (!words.empty()) {
        at.words.push_back(words);
        left_out_.push_back(at.path + ": " + words);
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
