#pragma once
#include <pyaichat/core/json.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// A member of a script, read as what it has to be. The first thing that does not fit is kept in `problem`; what is read from then on is
/// of no use.
class gemini_script_member {
public:
    gemini_script_member(const json& value, std::string where, std::optional<failure>& problem)
        : value_(value), where_(std::move(where)), problem_(problem) {}

    [[nodiscard]] const json& value() const { return value_; }
    [[nodiscard]] std::string text() const;
    [[nodiscard]] std::size_t count() const;
    void flag() const;
    [[nodiscard]] duration time() const;
    [[nodiscard]] std::vector<gemini_script_member> list() const;
    /// The word's value, of these.
    template <class Value>
    [[nodiscard]] Value one_of(const std::vector<std::pair<std::string, Value>>& words) const {
        std::vector<std::string> names;
        for (const auto& [name, value] : words) {
            if (name == as_string(value_)) {
                return value;
            }
            names.push_back(name);
        }
        complain("\"" + text() + "\" is not known here", advice(text(), names));
        return words.front().second;
    }

    /// Of an object: that it has no members but these.
    void members(const std::vector<std::string>& known) const;
    /// Of an object: a member, null when it is not there.
    [[nodiscard]] gemini_script_member of(const char* name) const;
    [[nodiscard]] bool has(const char* name) const;
    [[nodiscard]] std::string text_or(const char* name, const char* otherwise) const { return has(name) ? of(name).text() : otherwise; }

    void expect(bool fits, const char* hint) const;
    void complain(const std::string& what, std::string hint) const;

private:
    [[nodiscard]] static std::string advice(std::string_view name, const std::vector<std::string>& known);

    const json& value_;
    std::string where_;
    std::optional<failure>& problem_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
