#include "python/look/evaluation.hpp"
#include "python/look/item_streams.hpp"
#include "python/look/object_facts.hpp"
#include "python/look/operators.hpp"

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// The items of a comprehension or generator expression, computed one by one: each `for` has an open stream, the last one is the innermost.
class comprehension_items : public item_stream {
public:
    /// `first_clause` is the position of the first clause among the children.
    comprehension_items(evaluation& evaluation, node_id id, std::size_t first_clause, const look_scope* outer)
        : evaluation_(evaluation), node_(evaluation.tree()[id]), first_clause_(first_clause), outer_(outer) {
        scope_.outer = outer;
        for (std::size_t i = first_clause; i < node_.children.size(); ++i) {
            declare(clause(i - first_clause).children[0]);
        }
    }

    /// Opens the outermost `for`; Python does this when it creates a generator.
    [[nodiscard]] bool open() { return open_next(outer_); }

    /// Advances to the next combination of items. Returns false at the end and after a failure.
    [[nodiscard]] bool advance() {
        while (!streams_.empty() && !context().failed()) {
            const node& current = clause(streams_.size() - 1);
            const ref item = streams_.back()->next();
            if (!item) {
                streams_.pop_back();
            } else if (bind(current.children[0], item.get()) && passes(current)) {
                if (streams_.size() == node_.children.size() - first_clause_) {
                    return true;
                }
                static_cast<void>(open_next(&scope_));
            }
        }
        return false;
    }

    /// The element, or the key and the value of a dict comprehension.
    [[nodiscard]] ref element(std::size_t at = 0) { return evaluation_.object_of(node_.children[at], &scope_); }

    ref next() override { return advance() ? element() : ref(); }

private:
    [[nodiscard]] look_context& context() { return evaluation_.context(); }
    [[nodiscard]] const node& clause(std::size_t at) const { return evaluation_.tree()[node_.children[first_clause_ + at]]; }

    bool open_next(const look_scope* scope) {
        const looked_value iterable = evaluation_.value_of(clause(streams_.size()).children[1], scope);
        std::shared_ptr<item_stream> stream = iterable ? open_items(context(), iterable) : nullptr;
        if (!stream) {
            return false;
        }
        streams_.push_back(std::move(stream));
        return true;
    }

    bool passes(const node& clause) {
        for (std::size_t i = 2; i < clause.children.size(); ++i) {
            const looked_value condition = evaluation_.value_of(clause.children[i], &scope_);
            const std::optional<bool> truth = condition ? evaluation_.truth(condition) : std::nullopt;
            if (!truth.value_or(false)) {
                return false;
            }
        }
        return true;
    }

    void declare(node_id target) {
        const node& names = evaluation_.tree()[target];
        if (names.kind == node_kind::name) {
            scope_.names.emplace_back(names.text, ref());
        }
        for (const node_id each : names.children) {
            declare(each);
        }
    }

    bool bind(node_id target, PyObject* value) {
        const node& names = evaluation_.tree()[target];
        if (names.kind == node_kind::name) {
            for (auto& [name, bound] : scope_.names) {
                bound = name == names.text ? ref::share(value) : bound;
            }
            return true;
        }
        const std::shared_ptr<item_stream> items = open_items(context(), {.object = ref::share(value)});
        if (!items) {
            return false;
        }
        const std::size_t expected = names.children.size();
        std::vector<ref> unpacked;
        while (unpacked.size() <= expected) {
            ref item = items->next();
            if (!item) {
                break;
            }
            unpacked.push_back(std::move(item));
        }
        if (unpacked.size() != expected && !context().failed()) {
            context().raise("ValueError", unpacked.size() > expected
                                              ? "too many values to unpack (expected " + std::to_string(expected) + ")"
                                              : "not enough values to unpack (expected " + std::to_string(expected) + ", got " +
                                                    std::to_string(unpacked.size()) + ")");
        }
        for (std::size_t i = 0; i < expected && !context().failed(); ++i) {
            if (!bind(names.children[i], unpacked[i].get())) {
                return false;
            }
        }
        return !context().failed();
    }

    evaluation& evaluation_;
    const node& node_;
    std::size_t first_clause_;
    const look_scope* outer_;
    look_scope scope_;
    std::vector<std::shared_ptr<item_stream>> streams_;
};

std::shared_ptr<item_stream> evaluation::generator(node_id id, const look_scope* scope) {
    auto items = std::make_shared<comprehension_items>(*this, id, 1, scope);
    return items->open() ? items : nullptr;
}

ref evaluation::comprehension(node_id id, const look_scope* scope) {
    const bool is_dict = tree_[id].kind == node_kind::dict_comprehension;
    const bool is_set = tree_[id].kind == node_kind::set_comprehension;
    comprehension_items items(*this, id, is_dict ? 2 : 1, scope);
    ref result = context_.checked(ref::steal(is_dict ? PyDict_New() : is_set ? PySet_New(nullptr) : PyList_New(0)));
    if (!result || !items.open()) {
        return {};
    }
    constexpr std::size_t items_at_once = 1024;
    for (std::size_t count = 0; items.advance(); ++count) {
        if (count % items_at_once == 0 && (count >= max_look_items || !context_.fits_items(items_at_once))) {
            return context_.too_much("a result has more than " + std::to_string(max_look_items) + " items");
        }
        const ref first = items.element();
        const ref second = is_dict && first ? items.element(1) : ref();
        if (!first || (is_dict && !second) || ((is_dict || is_set) && !context_.is_plain(first.get()))) {
            return {};
        }
        const int failed = is_dict  ? PyDict_SetItem(result.get(), first.get(), second.get())
                           : is_set ? PySet_Add(result.get(), first.get())
                                    : PyList_Append(result.get(), first.get());
        if (failed != 0) {
            return context_.raise_current();
        }
    }
    return context_.failed() ? ref() : result;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
