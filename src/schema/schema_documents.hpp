#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/core/result.hpp>
#include <pyaichat/schema/validate.hpp>

#include "schema/dialect.hpp"

#include <cstdint>
#include <list>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Returns the value at one token of a JSON Pointer, or null.
[[nodiscard]] const json* pointer_child(const json& parent, std::string_view token);

/// A schema and the resource that it belongs to.
struct schema_place {
    const json* schema = nullptr;
    std::uint32_t resource = 0;
};

/// The documents of one compilation. Resolves references by URI and anchor, without recursion.
class schema_documents {
public:
    struct resource {
        std::string uri = {};
        const json* root = nullptr;
        dialect active = {};
        std::map<std::string, const json*, std::less<>> anchors = {};
        std::vector<std::pair<std::string, const json*>> dynamic_anchors = {};
    };

    /// Copies referenced documents to `storage`, which must outlive all places.
    schema_documents(const schema_options& options, std::list<json>& storage) : options_(options), storage_(storage) {}

    /// Adds the schema or another document with the base URI `uri`. A document without `$schema` is read in the dialect `meta_schema`.
    /// Returns its root. The caller has checked the nesting depth.
    [[nodiscard]] result<schema_place> add(const json& document, std::string uri, std::string_view meta_schema);

    /// Resolves a `$ref` or `$dynamicRef` of the resource `base`. Adds documents of the options on demand.
    [[nodiscard]] result<schema_place> find(std::uint32_t base, std::string_view reference);

    /// Returns the place of a schema that is inside the resource `parent`.
    [[nodiscard]] schema_place place_of(const json& schema, std::uint32_t parent) const;

    [[nodiscard]] const resource& operator[](std::uint32_t index) const noexcept { return resources_[index]; }
    [[nodiscard]] std::size_t size() const noexcept { return resources_.size(); }

    /// Unknown dialects that were read as draft 2020-12, for a person.
    [[nodiscard]] const std::vector<std::string>& remarks() const noexcept { return remarks_; }

private:
    /// A document or an embedded schema that has not been validated against its meta-schema yet.
    struct unchecked {
        const json* schema;
        std::string uri;
        std::string_view meta_schema;
    };

    [[nodiscard]] result<schema_place> load(std::string uri, std::string_view meta_schema);
    [[nodiscard]] result<schema_place> walk(std::uint32_t base, std::string_view pointer, std::string_view reference);
    [[nodiscard]] result<void> scan(const json& schema, std::uint32_t parent);
    [[nodiscard]] result<std::uint32_t> identify(const json& schema, std::uint32_t parent);
    [[nodiscard]] result<void> name(const json& schema, std::uint32_t owner, std::string_view id_fragment);
    [[nodiscard]] result<void> add_anchor(std::uint32_t owner, std::string_view anchor, const json& schema);
    [[nodiscard]] result<void> check(const json& document, std::string_view uri, std::string_view meta_schema) const;
    [[nodiscard]] json without_embedded(const json& value, const json& root) const;
    [[nodiscard]] result<dialect> dialect_named(std::string_view meta_schema);
    [[nodiscard]] result<dialect> dialect_of(std::string_view meta_schema, const json& meta);
    [[nodiscard]] const json* document_at(std::string_view uri) const;

    const schema_options& options_;
    std::list<json>& storage_;
    std::vector<resource> resources_;
    std::map<std::string, std::uint32_t, std::less<>> by_uri_;
    std::unordered_map<const json*, std::uint32_t> places_;
    std::unordered_set<const json*> embedded_;  ///< schemas of another dialect than around them
    std::vector<unchecked> unchecked_;
    std::vector<std::string> remarks_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
