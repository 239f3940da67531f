#pragma once
#include <pyaichat/config/config.hpp>
#include <pyaichat/schema/schema_error.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Collects the errors of a value that fits none of several schemas. If all but one schema require another type or another constant
/// (`{"kind": {"const": "circle"}}`), only the errors of that schema are reported. Otherwise one error summarizes all.
class failed_branches {
public:
    explicit failed_branches(std::string path) : path_(std::move(path)) {}

    void add(std::vector<schema_error> errors);
    [[nodiscard]] std::vector<schema_error> errors(std::string_view keyword) const;

private:
    struct group {
        std::size_t count = 0;
        std::vector<schema_error> only = {};  ///< the errors of the first branch

        void add(const std::vector<schema_error>& errors);
    };

    [[nodiscard]] bool is_here(const schema_error& error) const;
    [[nodiscard]] bool is_of_member(const schema_error& error) const;

    std::string path_;
    std::size_t count_ = 0;
    group right_type_;
    group right_constant_;
    std::string summary_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
