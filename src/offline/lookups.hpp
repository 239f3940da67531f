#pragma once
#include <pyaichat/message/capability_list.hpp>
#include <pyaichat/message/part.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// A call of the open question, and the envelope of its reply.
struct past_call {
    std::string name = {};
    json arguments = json::object();
    json envelope = nullptr;
};

/// The replies to the calls of one question. An answer is straight code that asks for results here: a result that is not there yet
/// becomes a call of the next response, and the answer is composed again when its reply has come. So an answer may take several steps, and
/// the provider keeps no state.
class lookups {
public:
    /// Both have to outlive the object. `declared` says which capabilities can be called, also with a prefix before their name.
    lookups(const capability_list& declared, const std::vector<past_call>& past) : declared_(declared), past_(past) {}

    /// Whether the capability is declared.
    [[nodiscard]] bool has(std::string_view capability) const;

    /// Returns the `result` of the call. Null if its reply is missing (the call is then needed), an error or cut, or if the capability is
    /// not declared.
    const json* find(std::string_view capability, json arguments = json::object());

    /// As `find`, with the argument `expr`.
    const json* look_at(std::string_view capability, const std::string& expression);

    /// Returns the printed value of an expression, from `eval_expr`.
    std::optional<std::string> value_of(const std::string& expression);

    /// Returns what an expression prints, from `eval_expr`. Nothing also if it prints nothing.
    std::optional<std::string> output_of(const std::string& expression);

    /// The calls whose replies are missing.
    [[nodiscard]] const std::vector<call_part>& needed() const noexcept { return needed_; }

    /// The envelope of the first error, or null.
    [[nodiscard]] const json* first_error() const noexcept { return error_; }

    /// The first reply that was too long and has been cut, or null.
    [[nodiscard]] const past_call* first_cut() const noexcept { return cut_; }

    /// The first capability that was asked for and is not declared, or empty.
    [[nodiscard]] const std::string& undeclared() const noexcept { return undeclared_; }

private:
    const capability_list& declared_;
    const std::vector<past_call>& past_;
    std::vector<call_part> needed_ = {};
    const json* error_ = nullptr;
    const past_call* cut_ = nullptr;
    std::string undeclared_ = {};
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
