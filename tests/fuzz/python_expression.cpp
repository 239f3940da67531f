#include "python/look/expression.hpp"

#include <pyaichat/core/text.hpp>

#include "fuzz.hpp"

namespace ai = pyaichat;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace ai::python::detail;
    const auto parsed = parse_expression(fuzz::text_of(data, size));
    if (!parsed) {
        fuzz::must(parsed.error().code == ai::errc::not_allowed, "what is not parsed is not allowed");
        fuzz::must(ai::detail::is_utf8(parsed.error().message), "a failure's message is UTF-8");
        return 0;
    }
    fuzz::must(size <= max_expression_bytes && parsed->root < parsed->nodes.size(), "a short text has a tree");
    for (node_id id = 0; id < parsed->nodes.size(); ++id) {
        const node& each = (*parsed)[id];
        fuzz::must(each.begin <= each.end && each.end <= size, "a node is at a place in the source");
        fuzz::must(each.depth <= max_expression_depth, "a tree is not deep");
        fuzz::must(each.kind == node_kind::bytes || ai::detail::is_utf8(each.text), "texts are UTF-8");
        for (const node_id child : each.children) {
            fuzz::must(child == no_node || (child < id && (*parsed)[child].depth < each.depth), "children come before their parent");
        }
    }
    return 0;
}
