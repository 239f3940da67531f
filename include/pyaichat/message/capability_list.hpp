#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/core/result.hpp>
#include <pyaichat/message/capability_spec.hpp>
#include <pyaichat/schema/schema_error.hpp>

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

class capability_list;

/// The result of validating the arguments of one call. Only `capability_list::check` can make one. It is bound to that list, to the name
/// and to the arguments: beside any other call it counts for nothing.
class argument_check {
public:
    argument_check() = default;  ///< of no call

    /// Whether `list` made this check for exactly this name and these arguments.
    [[nodiscard]] bool is_of(const capability_list& list, std::string_view name, const json& arguments) const;

private:
    friend class capability_list;
    std::shared_ptr<const void> list_ = {};
    std::string name_ = {};
    json arguments_ = {};
    std::vector<schema_error> errors_ = {};
};

/// The capabilities that a model is told of, checked, with their schemas ready to be applied. Immutable, cheap to copy, safe to use from
/// several threads at once. What holds a copy can tell by `==` whether a source has changed its declarations.
class capability_list {
public:
    capability_list() = default;  ///< none

    [[nodiscard]] const capability_spec* begin() const noexcept { return specs().data(); }
    [[nodiscard]] const capability_spec* end() const noexcept { return begin() + size(); }
    [[nodiscard]] bool empty() const noexcept { return specs().empty(); }
    [[nodiscard]] std::size_t size() const noexcept { return specs().size(); }
    [[nodiscard]] std::span<const capability_spec> specs() const noexcept;
    [[nodiscard]] const capability_spec& operator[](std::size_t index) const noexcept { return specs()[index]; }

    /// Whether both are the same object, one a copy of the other. Lists that were declared separately differ, even with equal content.
    friend bool operator==(const capability_list&, const capability_list&) = default;

    /// The declaration of this name, or null.
    [[nodiscard]] const capability_spec* find(std::string_view name) const noexcept;

    /// Why `arguments` do not fit what was declared; none when they do. A broken contract when nothing of this name was declared.
    /// If `check` is of this list, name and arguments, its result is returned; otherwise the arguments are validated.
    [[nodiscard]] std::vector<schema_error> validate(std::string_view name, const json& arguments, const argument_check& check = {}) const;

    /// Validates the arguments ahead of the loop, on the caller's thread. If the name was not declared, the check is of no call.
    [[nodiscard]] argument_check check(std::string_view name, const json& arguments) const;

private:
    friend class argument_check;
    friend result<capability_list> declare(std::span<const capability_spec> specs, const capability_list& before);
    friend result<capability_list> derive(std::span<const capability_list> from, const std::function<bool(capability_spec&)>& change);
    struct state;
    std::shared_ptr<const state> state_;
};

/// Declares capabilities together. Fails with `invalid_argument` for a name, a description, a timeout or a schema that cannot be used, and
/// with `name_clash` for two of one name; the message says whose they are, the hint what to do.
[[nodiscard]] result<capability_list> declare(std::span<const capability_spec> specs);
[[nodiscard]] result<capability_list> declare(std::initializer_list<capability_spec> specs);

/// The same for capabilities of which most were declared before: a schema that has not changed is not compiled again. Returns `before` if
/// nothing has changed.
[[nodiscard]] result<capability_list> declare(std::span<const capability_spec> specs, const capability_list& before);

/// Puts lists together in their order, and shares their compiled schemas. `change`, if given, may change each declaration except its
/// `parameters`, and returns whether to keep it. Fails like `declare`.
[[nodiscard]] result<capability_list> derive(std::span<const capability_list> from,
                                             const std::function<bool(capability_spec&)>& change = {});

/// The failure that says that two capabilities have one name, whose they are, and what to do.
[[nodiscard]] failure name_clash(const capability_spec& one, const capability_spec& other);

}  // namespace pyaichat::inline PYAICHAT_ABI
