#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/core/result.hpp>
#include <pyaichat/schema/validate.hpp>

#include <cstdint>
#include <list>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Which keywords a resource's meta-schema gives a meaning to.
struct dialect {
    bool applicator = true;
    bool unevaluated = true;
    bool validation = true;
    bool format_assertion = false;
};

/// A schema and the resource that it belongs to.
struct schema_place {
    const json* schema = nullptr;
    std::uint32_t resource = 0;
};

/// The documents of one compilation: what has which URI and which anchor, and what a reference refers to. Nothing here recurses.
class schema_documents {
public:
    struct resource {
        std::string uri = {};
        const json* root = nullptr;
        dialect speaks = {};
        std::map<std::string, const json*, std::less<>> anchors = {};
        std::vector<std::pair<std::string, const json*>> dynamic_anchors = {};
    };

    /// Documents that references ask for are copied to `kept`, which has to outlive all places.
    schema_documents(const schema_options& options, std::list<json>& kept) : options_(options), kept_(kept) {}

    /// Reads in the schema itself, or another document, retrieved from `uri`; gives its root.
    [[nodiscard]] result<schema_place> add(const json& document, std::string uri);

    /// What a `$ref` or `$dynamicRef` of `from` refers to; the documents of the options are read when they are asked for.
    [[nodiscard]] result<schema_place> find(std::uint32_t from, std::string_view reference);

    /// The place of a schema that is part of one already found.
    [[nodiscard]] schema_place place_of(const json& schema, std::uint32_t around) const;

    [[nodiscard]] const resource& operator[](std::uint32_t index) const noexcept { return resources_[index]; }
    [[nodiscard]] std::size_t size() const noexcept { return resources_.size(); }

private:
    [[nodiscard]] result<std::uint32_t> load(std::string_view uri);
    [[nodiscard]] result<schema_place> walk(std::uint32_t from, std::string_view pointer, std::string_view reference);
    [[nodiscard]] result<void> scan(const json& schema, std::uint32_t around);
    [[nodiscard]] result<std::uint32_t> identify(const json& schema, std::uint32_t around);
    [[nodiscard]] result<void> check(const json& document, std::string_view uri, std::string_view meta_schema);
    [[nodiscard]] result<dialect> dialect_named(std::string_view meta_schema) const;
    [[nodiscard]] const json* document_at(std::string_view uri) const;

    const schema_options& options_;
    std::list<json>& kept_;
    std::vector<resource> resources_;
    std::map<std::string, std::uint32_t, std::less<>> by_uri_;
    std::unordered_map<const json*, std::uint32_t> places_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
