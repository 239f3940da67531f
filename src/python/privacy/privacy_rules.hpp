#pragma once
#include <pyaichat/python/values_policy.hpp>

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// What the replies of a session may contain.
struct privacy_rules {
    values_policy values = {};
    std::vector<std::string> hidden = {};  ///< patterns of hidden names
    bool mask_secrets = true;

    /// Whether a variable, an attribute or a dict key of this name is hidden.
    [[nodiscard]] bool hides(std::string_view name) const;

    [[nodiscard]] bool withholds_values() const noexcept { return values.what == values_policy::kind::schema; }
};

/// The rules of a session, which all its copies share. Thread-safe. A call keeps the rules with which it started.
class privacy_settings {
public:
    explicit privacy_settings(privacy_rules rules) : rules_(std::make_shared<const privacy_rules>(std::move(rules))) {}

    [[nodiscard]] std::shared_ptr<const privacy_rules> rules() const {
        const std::lock_guard guard(mutex_);
        return rules_;
    }

    /// Replaces the rules by a copy that `edit` has changed.
    template <class Edit>
    void change(Edit edit) {
        const std::lock_guard guard(mutex_);
        privacy_rules changed = *rules_;
        edit(changed);
        rules_ = std::make_shared<const privacy_rules>(std::move(changed));
    }

private:
    mutable std::mutex mutex_;
    std::shared_ptr<const privacy_rules> rules_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
