#pragma once
#include <pyaichat/core/detail/names.hpp>
#include <pyaichat/testing/gemini_reply.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// Reads a member of a script as a value of the expected type. The first error is stored in `problem`; values read after it are invalid.
class script_member {
public:
    /// `where` is the place of the value, for error messages: "replies[2]", or empty for the whole script.
    script_member(const json& value, std::string where, std::optional<failure>& problem)
        : value_(value), where_(std::move(where)), problem_(problem) {}

    [[nodiscard]] const json& value() const { return value_; }
    [[nodiscard]] std::string text() const;
    [[nodiscard]] std::size_t count() const;
    void flag() const;
    [[nodiscard]] duration time() const;
    [[nodiscard]] std::vector<script_member> list() const;
    /// The index of the text in `names`.
    [[nodiscard]] std::size_t choice(const std::vector<std::string>& names) const;
    /// The enumerator with the name that is the text.
    template <class Enum>
    [[nodiscard]] Enum enumerator() const {
        constexpr const auto& names = pyaichat::detail::enumerator_names<Enum>;
        return static_cast<Enum>(choice({names.begin(), names.end()}));
    }

    /// Reports an error if the object has other members than these.
    void allow(const std::vector<std::string>& known) const;
    /// A member of the object; null if it is missing.
    [[nodiscard]] script_member field(const char* name) const;
    [[nodiscard]] bool has(const char* name) const;
    [[nodiscard]] std::string text_or(const char* name, const char* otherwise) const { return has(name) ? field(name).text() : otherwise; }

    void expect(bool fits, const char* hint) const;
    void report(const std::string& error, std::string hint) const;

private:
    [[nodiscard]] static std::string suggestion(std::string_view name, const std::vector<std::string>& known);

    const json& value_;
    std::string where_;
    std::optional<failure>& problem_;
};

/// Reads one entry of a script. The result is not valid if the entry has a problem.
[[nodiscard]] gemini_reply read_gemini_reply(const script_member& entry);

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
