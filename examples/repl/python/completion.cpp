#include "python/completion.hpp"

#include "python/cursor_context.hpp"
#include "python/entry_names.hpp"
#include "python/file_completion.hpp"
#include "python/key_completion.hpp"
#include "python/module_search.hpp"
#include "python/prompt_names.hpp"
#include "python/python_words.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace repl {

namespace {

constexpr auto magic_commands = std::to_array<std::string_view>({"%time"});

/// Whether names like this are offered: those with an underscore only to somebody who typed one.
bool is_offered(std::string_view name, std::string_view typed) {
    return name.starts_with(typed) && (!name.starts_with('_') || typed.starts_with('_'));
}

void sort_unique(std::vector<completion>& items) {
    std::ranges::stable_sort(items, {}, &completion::text);
    const auto same = [](const completion& left, const completion& right) { return left.text == right.text; };
    items.erase(std::unique(items.begin(), items.end(), same), items.end());
}

/// Completes one entry. Once Python has not replied in time, it is not asked again.
class python_completer {
public:
    python_completer(ai::python::session& session, std::string_view entry, std::size_t cursor, ai::duration patience)
        : names_(session, patience), entry_(entry), cursor_(cursor), context_(context_at(entry, cursor)) {
        found_.begin = context_.begin;
        found_.end = cursor;
    }

    completion_list run() {
        using kind = cursor_context::kind;
        switch (context_.what) {
            case kind::nothing: break;
            case kind::name: complete_name(); break;
            case kind::attribute: add(names_.members_of(context_.object, context_.word)); break;
            case kind::key: found_ = complete_key(names_.keys_of(context_.object), context_, entry_, cursor_); break;
            case kind::text: return complete_file(context_.word, cursor_, context_.is_raw ? "'\"" : "'\"\\");
            case kind::module: complete_module(); break;
            case kind::module_member: complete_member(); break;
        }
        if (names_.gave_up()) {
            return {.begin = cursor_, .end = cursor_};
        }
        if (context_.what != kind::name && context_.what != kind::key) {
            sort_unique(found_.items);
        }
        return std::move(found_);
    }

private:
    void add(name_listing listing) {
        std::ranges::move(listing.items, std::back_inserter(found_.items));
        found_.cut = found_.cut || listing.cut;
    }

    /// Keyword arguments first, then all other names.
    void complete_name() {
        std::vector<completion> arguments;
        if (!context_.callee.empty()) {
            for (const std::string& each : names_.call_of(context_.callee).parameters) {
                if (is_offered(each, context_.word) && std::ranges::find(context_.given, each) == context_.given.end()) {
                    arguments.push_back({.text = each + "=", .detail = "argument"});
                }
            }
        }
        if (!context_.word.empty()) {
            add(names_.visible(context_.word));
            for (const std::string& each : names_defined_in(entry_.substr(0, context_.begin))) {
                if (is_offered(each, context_.word)) {
                    found_.items.push_back({.text = each});
                }
            }
            for (const std::string_view each : python_keywords()) {
                if (each.starts_with(context_.word)) {
                    found_.items.push_back({.text = std::string(each), .detail = "keyword"});
                }
            }
        }
        sort_unique(found_.items);
        found_.items.insert(found_.items.begin(), std::make_move_iterator(arguments.begin()), std::make_move_iterator(arguments.end()));
    }

    /// The folders that hold the modules of a package; of the top level without one.
    std::vector<std::string> folders_of(const std::string& package, const module_places& places) {
        return package.empty() || places.loaded ? places.path : package_folders(names_.modules("", "").path, package);
    }

    void add_modules(const std::string& package) {
        const std::string before = package.empty() ? "" : package + ".";
        const module_places places = names_.modules(package, before + context_.word);
        std::vector<std::string> names = modules_in(folders_of(package, places), context_.word);
        for (const std::string& each : places.names) {  // loaded modules, `package.name.more` too
            const std::string_view rest = std::string_view(each).substr(before.size());
            names.emplace_back(rest.substr(0, rest.find('.')));
        }
        for (std::string& each : names) {
            if (is_offered(each, context_.word)) {
                found_.items.push_back({.text = std::move(each), .detail = "module"});
            }
        }
    }

    void complete_module() { add_modules(context_.object); }

    /// `from object import`: the members of a loaded module, or the names in the source of another one, and modules of a package.
    void complete_member() {
        module_members members = names_.members_of_module(context_.object, context_.word);
        if (members.loaded) {
            add(std::move(members.names));
        } else if (!names_.gave_up()) {
            const std::optional<std::string> source = module_source(names_.modules("", "").path, context_.object);
            for (std::string& each : module_names_in(source.value_or(""))) {
                if (is_offered(each, context_.word)) {
                    found_.items.push_back({.text = std::move(each)});
                }
            }
        }
        add_modules(context_.object);
    }

    prompt_names names_;
    std::string_view entry_;
    std::size_t cursor_;
    cursor_context context_;
    completion_list found_;
};

/// Completes `%time`, or what is behind it.
completion_list complete_magic(ai::python::session& session, std::string_view entry, std::size_t cursor, ai::duration patience) {
    const std::string_view before = entry.substr(0, cursor);
    const std::size_t end = before.find(' ');
    if (end != std::string_view::npos) {
        completion_list rest = complete_python(session, entry.substr(end + 1), cursor - end - 1, patience);
        rest.begin += end + 1;
        rest.end += end + 1;
        return rest;
    }
    completion_list found{.begin = 0, .end = cursor};
    for (const std::string_view each : magic_commands) {
        if (each.starts_with(before)) {
            found.items.push_back({.text = std::string(each), .detail = "measures a statement"});
        }
    }
    return found;
}

}  // namespace

completion_list complete_python(ai::python::session& session, std::string_view entry, std::size_t cursor, ai::duration patience) {
    cursor = std::min(cursor, entry.size());
    if (entry.starts_with('%')) {
        return complete_magic(session, entry, cursor, patience);
    }
    if (entry.starts_with('/')) {
        return {.begin = cursor, .end = cursor};
    }
    if (entry.starts_with('!')) {
        const std::string_view before = entry.substr(0, cursor);
        return complete_file(before.substr(before.find_last_of(" !=<>|;&") + 1), cursor, " '\"\\$&|;<>*?");
    }
    return python_completer(session, entry, cursor, patience).run();
}

std::string describe_call_at(ai::python::session& session, std::string_view entry, std::size_t cursor, ai::duration patience) {
    const std::string object = object_at(entry, cursor);
    if (object.empty()) {
        return {};
    }
    prompt_names names(session, patience);
    const call_description call = names.call_of(object);
    const std::string& first = call.signature.empty() ? call.summary : call.signature;
    return call.doc.empty() || first.empty() ? first + call.doc : first + "\n" + call.doc;
}

}  // namespace repl
