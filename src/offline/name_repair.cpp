#include "offline/name_repair.hpp"

#include <pyaichat/core/text.hpp>

#include "offline/phrase.hpp"
#include "offline/reply_reader.hpp"

#include <algorithm>
#include <set>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

using std::string_view;

constexpr std::size_t shortest_repaired = 3;
constexpr std::size_t shortest_built_in = 5;  // "last" is not a mistyped "list"
constexpr std::size_t long_name = 6;
constexpr int most_names = 1000;

bool is_near(const std::string& typed, const std::string& name, std::size_t most) {
    const bool long_enough = typed.size() >= shortest_repaired && name.size() >= shortest_repaired;
    return equals_ignoring_case(typed, name) || (long_enough && edit_distance(typed, name, most) <= most);
}

bool is_name_byte(char c) {
    return is_letter(c) || is_digit(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

/// The expression with a name replaced where it stands alone; an attribute only behind its dot, a variable only without one.
std::string with_name(const std::string& expression, const std::string& typed, const std::string& name, bool attribute) {
    std::string out;
    std::size_t from = 0;
    for (std::size_t found = expression.find(typed); found != std::string::npos; found = expression.find(typed, from)) {
        const std::size_t end = found + typed.size();
        const bool alone =
            (found == 0 || !is_name_byte(expression[found - 1])) && (end == expression.size() || !is_name_byte(expression[end]));
        const bool behind_dot = found > 0 && expression[found - 1] == '.';
        out += expression.substr(from, found - from) + (alone && behind_dot == attribute ? name : typed);
        from = end;
    }
    return out + expression.substr(from);
}

/// The names that are near enough. Those of the session, or of the object, may differ more than built-in ones, which are in the reply only.
std::set<std::string> near_names(const std::string& typed, const json& details, const std::string& holder, bool certain, lookups& look) {
    const std::size_t most = typed.size() >= long_name && !certain ? 2 : 1;
    std::set<std::string> out;
    for (const json& name : list_member(details, "nearest")) {
        if (typed.size() >= shortest_built_in && is_near(typed, text_or_member(name, "name"), 1)) {
            out.insert(text_or_member(name, "name"));
        }
    }
    const bool listed = look.has(holder.empty() ? "list_globals" : "get_dir");
    const json* found = !listed          ? nullptr
                        : holder.empty() ? look.find("list_globals", json{{"limit", most_names}})
                                         : look.look_at("get_dir", holder);
    if (found != nullptr) {
        for (const json& each : list_member(*found, holder.empty() ? "globals" : "members")) {
            if (is_near(typed, text_or_member(each, "name"), most)) {
                out.insert(text_or_member(each, "name"));
            }
        }
    }
    // The columns of a frame are not among its members.
    const json* frame = holder.empty() || !look.has("inspect") ? nullptr : look.look_at("inspect", holder);
    if (frame == nullptr) {
        return out;
    }
    for (const json& column : list_member(member(*frame, "details"), "columns")) {
        std::string name = text_member(column, "name");
        name = name.size() > 2 && name.front() == '\'' ? name.substr(1, name.size() - 2) : name;
        if (is_near(typed, name, most)) {
            out.insert(name);
        }
    }
    return out;
}

}  // namespace

std::optional<repaired_question> repair_name(const question& asked, const json& error, lookups& look) {
    const json& details = member(member(error, "error"), "details");
    const std::string type = text_member(details, "exc_type");
    const std::string at = text_member(details, "at");
    const std::size_t dot = at.rfind('.');
    const bool attribute = type == "AttributeError" && dot != std::string::npos;
    if (!attribute && type != "NameError") {
        return std::nullopt;
    }
    const std::string typed = attribute ? at.substr(dot + 1) : at;
    const std::string holder = attribute ? at.substr(0, dot) : std::string();
    const auto names = near_names(typed, details, holder, asked.form == question_form::lookup, look);
    std::vector<std::string> near(names.begin(), names.end());
    // A name that differs only in its case is nearer than the others.
    if (near.size() > 1) {
        const auto other_case =
            std::stable_partition(near.begin(), near.end(), [&](const std::string& name) { return equals_ignoring_case(name, typed); });
        if (other_case - near.begin() == 1) {
            near.resize(1);
        }
    }
    question repaired = asked;
    if (near.size() == 1) {
        repaired.subject = with_name(asked.subject, typed, near.front(), attribute);
        repaired.other = with_name(asked.other, typed, near.front(), attribute);
    }
    if (repaired.subject == asked.subject && repaired.other == asked.other) {
        return std::nullopt;  // nothing is near, or the name is not in the question
    }
    return repaired_question{.asked = std::move(repaired),
                             .remark = "There is no " + ticked(typed) + "; taking " + ticked(near.front()) + "."};
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
