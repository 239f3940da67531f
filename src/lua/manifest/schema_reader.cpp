#include "lua/manifest/schema_reader.hpp"

#include "lua/manifest/plain_text.hpp"
#include "lua/manifest/schema_lists.hpp"
#include "lua/manifest/schema_slips.hpp"
#include "lua/sandbox/values.hpp"

#include <algorithm>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

namespace {

/// The limit for validating the arguments of one call, about 50 ms.
constexpr std::uint64_t most_steps = 1'000'000;

/// The place of a schema error in the manifest, from the JSON Pointer in the compiler's message: `#/properties/id/type: ...`.
std::string place_in(std::string path, std::string_view message) {
    const std::size_t start = message.find("#/");
    if (start == std::string_view::npos) {
        return path;
    }
    std::string_view rest = message.substr(start + 2);
    rest = rest.substr(0, rest.find_first_of(": "));
    while (!rest.empty()) {
        const std::string_view token = rest.substr(0, rest.find('/'));
        rest.remove_prefix(std::min(token.size() + 1, rest.size()));
        const bool index = !token.empty() && std::all_of(token.begin(), token.end(), [](char c) { return c >= '0' && c <= '9'; });
        path += index && token.size() < 6 ? "[" + std::to_string(std::stoi(std::string(token)) + 1) + "]" : "." + std::string(token);
    }
    return path;
}

}  // namespace

std::optional<compiled_schema> schema_reader::read(int index, const std::string& path, const std::string& name, json& into) {
    const std::string where = path + "." + name;
    const bool missing = push_field(L_, index, name) == LUA_TNIL;
    const bool ok = missing || declared(lua_gettop(L_), where, name, into);
    lua_pop(L_, 1);
    if (!ok || !in_time(where)) {
        return {};
    }
    json any_object = json::object();
    any_object["type"] = "object";
    result<compiled_schema> compiled = compile_schema(missing ? any_object : into, {.max_steps = most_steps});
    if (!compiled) {
        const failure& error = compiled.error();
        const bool hint_repeats_message = error.hint.find("#/") != std::string::npos;
        refuse(place_in(where, error.message), "`" + name + "`: " + plain_line(error.message, 500),
               hint_repeats_message ? "Fix the schema at this place." : plain_line(error.hint, 500));
        return {};
    }
    return *std::move(compiled);
}

bool schema_reader::declared(int index, const std::string& where, const std::string& name, json& into) {
    if (lua_type(L_, index) != LUA_TTABLE) {
        return refuse(where, "`" + name + "` is a " + type_at_top(),
                      "Make it a JSON Schema: `" + name + " = { type = \"object\", properties = { ... } }`.");
    }
    result<json> read = read_json(L_, index, where, nullptr, {.keys = keys_left_, .bytes = bytes_left_, .time = time_left()});
    if (!in_time(where)) {
        return false;
    }
    if (!read && read.error().code == errc::too_large) {
        return refuse(where,
                      "the schemas of this file are too large: together they may have " + std::to_string(max_keys) + " members and " +
                          std::to_string(max_bytes) + " bytes of text, in " + std::to_string(value_limits().depth) + " levels",
                      "Declare simpler schemas, or split the plugin.");
    }
    if (!read) {
        const std::string& message = read.error().message;
        return refuse(std::string_view(message).substr(0, message.find(' ')), message, read.error().hint);
    }
    into = *std::move(read);
    const value_size taken = size_of(into);
    keys_left_ -= std::min(taken.keys, keys_left_);
    bytes_left_ -= std::min(taken.bytes, bytes_left_);
    restore_lists(into);
    if (const std::optional<schema_slip> slip = find_schema_slip(into, where)) {
        return refuse(slip->path, slip->what, slip->change);
    }
    if (name == "parameters" && (!into.is_object() || string_member(into, "type") != "object")) {
        return refuse(where, "`parameters` is not the schema of an object", "Begin it with `type = \"object\"`.");
    }
    return true;
}

bool schema_reader::in_time(const std::string& where) {
    return time_left() > duration::zero() ||
           refuse(where, "the schemas of this file take too long to compile", "Declare simpler schemas, or split the plugin.");
}

duration schema_reader::time_left() const {
    return std::max<duration>(until_ - std::chrono::steady_clock::now(), duration::zero());
}

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
