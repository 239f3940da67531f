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
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

class capability_list;

/// The result of `capability_list::check`: the arguments of one call were validated. Valid only for that list, name and arguments.
class argument_check {
public:
    argument_check() = default;  ///< valid for no call

    /// Returns whether `list` made this check for exactly this name and these arguments.
    [[nodiscard]] bool is_of(const capability_list& list, std::string_view name, const json& arguments) const;

private:
    friend class capability_list;
    std::shared_ptr<const void> list_ = {};
    std::string name_ = {};
    json arguments_ = {};
    std::vector<schema_error> errors_ = {};
};

/// The capabilities that are declared to a model, validated and with compiled schemas. Immutable, cheap to copy, thread-safe. Compare a
/// kept copy by `==` to find out whether a source has changed its declarations.
class capability_list {
public:
    capability_list() = default;  ///< declares nothing

    /// The declarations, in the order in which they were given to `declare`.
    [[nodiscard]] const capability_spec* begin() const noexcept { return specs().data(); }
    [[nodiscard]] const capability_spec* end() const noexcept { return begin() + size(); }
    [[nodiscard]] bool empty() const noexcept { return specs().empty(); }
    [[nodiscard]] std::size_t size() const noexcept { return specs().size(); }
    [[nodiscard]] std::span<const capability_spec> specs() const noexcept;
    [[nodiscard]] const capability_spec& operator[](std::size_t index) const noexcept { return specs()[index]; }

    /// Returns whether one list is a copy of the other. Lists that were declared separately differ, even if their contents are equal.
    friend bool operator==(const capability_list&, const capability_list&) = default;

    /// Returns the declaration with this name, or null.
    [[nodiscard]] const capability_spec* find(std::string_view name) const noexcept;

    /// Validates the arguments against the declared schema, and returns the errors: none if the arguments fit. The name must be declared.
    /// Does not validate again if `check` was made by this list for the same name and arguments.
    [[nodiscard]] std::vector<schema_error> validate(std::string_view name, const json& arguments, const argument_check& check = {}) const;

    /// Validates the arguments in advance, usually on another thread. If the name is not declared, the check is valid for no call.
    [[nodiscard]] argument_check check(std::string_view name, const json& arguments) const;

private:
    friend class argument_check;
    friend result<capability_list> declare(std::span<const capability_spec> specs, const capability_list& before);
    friend result<capability_list> derive(std::span<const capability_list> lists, const std::function<bool(capability_spec&)>& change);
    struct state;
    explicit capability_list(std::shared_ptr<const state> declared) : state_(std::move(declared)) {}
    std::shared_ptr<const state> state_;
};

/// Validates declarations and compiles their schemas. With `before`, an earlier list, unchanged schemas are not compiled again, and
/// `before` itself is returned if nothing has changed. Fails with `invalid_argument` (a name, description, timeout or schema that cannot be
/// used) or `name_clash` (two capabilities have the same name; the message names both origins).
[[nodiscard]] result<capability_list> declare(std::span<const capability_spec> specs, const capability_list& before = {});
[[nodiscard]] result<capability_list> declare(std::initializer_list<capability_spec> specs);

/// Joins lists in their order, and shares their compiled schemas. `change`, if given, is called for each declaration: it may change all but
/// the `parameters`, and returns whether to keep the declaration. Fails like `declare`.
[[nodiscard]] result<capability_list> derive(std::span<const capability_list> lists,
                                             const std::function<bool(capability_spec&)>& change = {});

/// Returns the failure `name_clash` for two capabilities that have the same name. The message names both origins.
[[nodiscard]] failure name_clash(const capability_spec& first, const capability_spec& second);

}  // namespace pyaichat::inline PYAICHAT_ABI
