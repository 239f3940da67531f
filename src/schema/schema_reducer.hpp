#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/schema/reduce.hpp>
#include <pyaichat/schema/validate.hpp>

#include "schema/keyword.hpp"
#include "schema/schema_documents.hpp"

#include <cstddef>
#include <list>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Returns whether the list of a profile has a word, or is "*".
[[nodiscard]] bool has_word(std::string_view words, std::string_view word) noexcept;

/// One reduction. Each method accepts more values than the keywords that it is given, never fewer: a keyword whose reduction would accept
/// fewer values, such as `not` with a reduced schema inside, is left out.
class schema_reducer {
public:
    explicit schema_reducer(const schema_profile& profile);

    [[nodiscard]] reduced_schema run(const json& schema);

private:
    static constexpr std::string_view root_path = "#";
    static constexpr std::string_view definition_prefix = "#/$defs/";

    /// The members of a schema by their names in draft 2020-12.
    using members = std::map<std::string_view, const json*>;

    /// A schema that is being reduced.
    struct work {
        schema_place place;
        std::string path;
        std::size_t depth = 0;
        bool inlined = false;  ///< merged into another schema, so that its reference cannot stay
        members from = {};
        json out = json::object();
        std::vector<std::string> words = {};  ///< descriptions of what was left out
    };

    [[nodiscard]] json reduce(const schema_place& place, std::string path, std::size_t depth);
    [[nodiscard]] work flatten(const schema_place& place, std::string path, std::size_t depth, bool inlined = false);
    [[nodiscard]] json finish(work done) const;
    [[nodiscard]] members members_of(const schema_place& place);
    void reduce_keyword(work& at, std::string_view name, const json& value);

    void reduce_type(work& at, const json& value);
    void reduce_choices(work& at, std::string_view name, const json& value);
    void reduce_properties(work& at, std::string_view name, const json& value);
    void reduce_items(work& at);
    void reduce_contains(work& at, const json& value);
    void reduce_branches(work& at, std::string_view name, const json& value);
    void reduce_condition(work& at);
    /// Keeps a schema that must not be changed, because accepting more in it would accept less outside.
    void keep_exactly(work& at, std::string_view name, const json& value);
    void reduce_reference(work& at, const json& value);
    void inline_schema(work& at, const schema_place& target, bool with_references);

    [[nodiscard]] json child(const work& at, std::string_view name, std::string_view token, const json& schema);
    [[nodiscard]] bool accepts(std::string_view keyword) const noexcept;
    [[nodiscard]] bool accepts_value(std::string_view name, const json& value) const;
    [[nodiscard]] std::string name_of(const schema_place& target, std::string_view reference);
    /// Adds keywords to the reduced schema. Those that cannot be added are left out.
    void merge(work& at, const json& keywords);
    void leave_out(work& at, std::string_view name, const json& value);
    void meet_root(json& root);

    const schema_profile& profile_;
    schema_options options_;
    std::list<json> storage_;
    schema_documents documents_;
    std::size_t schemas_ = 0;
    std::vector<const json*> open_;  ///< inlined schemas, outermost first
    std::map<const json*, std::string> definitions_;
    std::set<std::string, std::less<>> names_;
    std::vector<std::pair<schema_place, std::string>> waiting_;  ///< definitions that are not reduced yet
    std::vector<std::string> left_out_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
