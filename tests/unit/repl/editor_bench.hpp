#pragma once
#include "editor/editor_core.hpp"
#include "editor/key_decoder.hpp"
#include "python/entry_state.hpp"
#include "python/python_highlight.hpp"

#include <string>
#include <string_view>
#include <vector>

/// A console with known answers.
class bench_context final : public repl::entry_context {
public:
    [[nodiscard]] std::string prompt() const override { return assistant ? "ai> " : "py> "; }
    [[nodiscard]] std::string continuation_prompt() const override { return "... "; }
    [[nodiscard]] bool single_line() const override { return assistant; }
    std::string toggle_mode() override {
        assistant = !assistant;
        return offered;
    }
    [[nodiscard]] int history() const override { return assistant ? 1 : 0; }
    [[nodiscard]] repl::entry_state judge(std::string_view entry) const override { return repl::judge_entry(entry); }
    [[nodiscard]] std::vector<repl::styled_span> highlight(std::string_view entry) const override {
        return assistant ? std::vector<repl::styled_span>() : repl::highlight_python(entry);
    }
    [[nodiscard]] repl::completion_list complete(std::string_view entry, std::size_t cursor) override {
        repl::completion_list list{.begin = cursor, .end = cursor, .cut = cut};
        while (list.begin > 0 && entry[list.begin - 1] != ' ' && entry[list.begin - 1] != '\n') {
            --list.begin;
        }
        for (const char* name : {"value", "value_one", "value_two", "other"}) {
            if (std::string_view(name).starts_with(entry.substr(list.begin, cursor - list.begin))) {
                list.items.push_back({.text = name, .detail = "int"});
            }
        }
        return list;
    }
    [[nodiscard]] std::string describe(std::string_view, std::size_t) override { return "f(x) -> int"; }

    std::string offered;  // what the switch begins an empty entry with
    bool assistant = false;
    bool cut = false;
};

/// An editor at its prompt.
class editor_bench {
public:
    explicit editor_bench(std::vector<std::string> history = {}) {
        histories.emplace_back(std::move(history));
        histories.emplace_back();
        core.begin(context, histories);
    }

    /// Presses the keys of these bytes, each as if it was typed. Returns the last request that is not `none`.
    repl::editor_request type(std::string_view bytes, bool burst = false) {
        repl::editor_request last = repl::editor_request::none;
        repl::key_decoder decoder;
        decoder.feed(bytes);
        for (;;) {
            auto pressed = decoder.next();
            if (!pressed && decoder.unfinished()) {
                decoder.settle();
                pressed = decoder.next();
            }
            if (!pressed) {
                return last;
            }
            if (const auto request = core.press(*pressed, burst && decoder.has_more()); request != repl::editor_request::none) {
                last = request;
            }
        }
    }
    [[nodiscard]] const std::string& text() const { return core.text(); }
    /// The text with a bar at the cursor.
    [[nodiscard]] std::string shown() const {
        std::string out = core.text();
        return out.insert(core.cursor(), "|");
    }

    bench_context context;
    std::vector<repl::entry_history> histories;
    repl::editor_core core;
};
