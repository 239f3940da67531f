#include <pyaichat/shell/shell_rules.hpp>

#include "catch.hpp"
#include "shell/rules/command_line.hpp"

namespace ai = pyaichat;

namespace {

using kind = ai::call_decision::kind;
constexpr kind allow = kind::allow;
constexpr kind ask = kind::ask;
constexpr kind deny = kind::deny;

const ai::shell_rules rules{.allow = {"ls",
                                      "cat",
                                      "head",
                                      "tail",
                                      "wc",
                                      "grep",
                                      "rg",
                                      "echo",
                                      "pwd",
                                      "date",
                                      "true",
                                      "find",
                                      "sort",
                                      "tar",
                                      "cd",
                                      "git status",
                                      "git log",
                                      "git diff",
                                      "git branch --list",
                                      "git grep",
                                      "npm test",
                                      "make",
                                      "python3 manage.py",
                                      "python3 -m pytest",
                                      "python3",
                                      "bash",
                                      "awk",
                                      "xargs",
                                      "env",
                                      "sed",
                                      "sudo",
                                      "go test",
                                      "tree",
                                      "/usr/bin/id",
                                      "'my tool' run"},
                            .deny = {"rm", "git push", "dd", "npm publish"}};

struct line {
    const char* command;
    kind expected;
};

/// What a careful person expects of these rules.
constexpr line plain_lines[] = {
    {"ls", allow},
    {"ls -la /tmp", allow},
    {"  ls   -l\t-a  ", allow},
    {"git status", allow},
    {"git status --short --branch", allow},
    {"git log --oneline -10", allow},
    {"git diff HEAD~1 -- src/main.cpp", allow},
    {"git branch --list", allow},
    {"git branch", ask},
    {"git branch -D main", ask},
    {"git commit -m 'all done'", ask},
    {"git push", deny},
    {"git push --force origin main", deny},
    {"rm file", deny},
    {"rm -rf build", deny},
    {"dd if=/dev/zero of=/dev/sda", deny},
    {"cat README.md", allow},
    {"cat 'a file with blanks.txt'", allow},
    {"cat \"another file.txt\"", allow},
    {"cat a b c | wc -l", allow},
    {"grep -rn 'needle' src | head -n 5", allow},
    {"grep -E 'a|b' file", allow},
    {"grep \"x > y\" file && echo found", allow},
    {"grep x file || echo missing", allow},
    {"pwd; ls; date", allow},
    {"pwd;", allow},
    {"true && true && true", allow},
    {"echo 'it is $5'", allow},
    {"echo '* ? [a-z]'", allow},
    {"echo a=b", allow},
    {"ls --color=auto", allow},
    {"cd src && ls", allow},
    {"find . -name '*.cpp' -type f", allow},
    {"sort -u names.txt", allow},
    {"tar -tf archive.tar", allow},
    {"make", allow},
    {"make test -j2", allow},
    {"npm test", allow},
    {"npm install left-pad", ask},
    {"npm publish", deny},
    {"python3 manage.py migrate", allow},
    {"python3 -m pytest tests", allow},
    {"go test ./...", allow},
    {"go build ./...", ask},
    {"/usr/bin/id", allow},
    {"'my tool' run --fast", allow},
    {"'my tool' stop", ask},
    {"docker ps", ask},
    {"curl https://example.org", ask},
    {"kill -9 1", ask},
    {"ls | sudo tee /etc/passwd", ask},
    {"cat a; rm b", deny},
    {"", ask},
    {"   ", ask},
};

/// Lines that look like allowed ones, or hide what they do.
constexpr line tricks[] = {
    {"ls; rm x", deny},
    {"ls & rm x", ask},
    {"ls\nrm x", ask},
    {"ls\rrm x", ask},
    {"ls > file", ask},
    {"ls >> ~/.bashrc", ask},
    {"cat < /etc/shadow", ask},
    {"cat <<EOF", ask},
    {"echo $(rm x)", ask},
    {"echo `rm x`", ask},
    {"echo \"$(rm x)\"", ask},
    {"echo \"`rm x`\"", ask},
    {"echo ${x:-$(rm y)}", ask},
    {"cat <(rm x)", ask},
    {"ls *", ask},
    {"ls ?", ask},
    {"ls [a]", ask},
    {"ls {a,b}", ask},
    {"ls ~root", ask},
    {"ls #comment", ask},
    {"FOO=1 ls", ask},
    {"LD_PRELOAD=./evil.so ls", ask},
    {"PATH=. ls", ask},
    {"(ls)", ask},
    {"{ ls; }", ask},
    {"! ls", ask},
    {"if true; then ls; fi", ask},
    {"while true; do ls; done", ask},
    {"ls |& cat", ask},
    {"ls &&", ask},
    {"| ls", ask},
    {"ls ;; pwd", ask},
    {"ls 'no end", ask},
    {"l\\s", ask},
    {"r\\m x", ask},
    {"./ls", ask},
    {"/tmp/ls", ask},
    {"../bin/ls", ask},
    {"/bin/rm x", deny},
    {"'rm' x", deny},
    {"r\"\"m x", deny},
    {"\"git\" 'push'", deny},
    {"git -C .. push", ask},
    {"git -c core.fsmonitor=evil status", ask},
    {"git log --output=file", ask},
    {"git log --outp=file", ask},
    {"git diff --ext-diff", ask},
    {"git grep -Oevil x", ask},
    {"git grep --open-files-in-pager=evil x", ask},
    {"find . -exec rm {} +", ask},
    {"find . -exec rm '{}' ';'", ask},
    {"find . '-exec' rm x ';'", ask},
    {"find . -ex'ec' rm x ';'", ask},
    {"find . -delete", ask},
    {"find . -fprint file", ask},
    {"sort -o file file", ask},
    {"sort -uo file file", ask},
    {"sort --outp=file file", ask},
    {"sort --compress-program=evil file", ask},
    {"tar -xf a --to-command=evil", ask},
    {"tar -cf /dev/null --checkpoint=1 --checkpoint-action=exec=evil x", ask},
    {"tar xIf evil a", ask},
    {"tree -o file", ask},
    {"rg --pre evil x", ask},
    {"go test -exec evil", ask},
    {"make SHELL=evil", ask},
    {"make --eval=evil", ask},
    {"make -f evil", ask},
    {"awk 'BEGIN { system(\"rm x\") }'", ask},
    {"sed 's/x/y/e'", ask},
    {"ls | xargs rm", ask},
    {"env ls", ask},
    {"sudo ls", ask},
    {"command ls", ask},
    {"exec ls", ask},
    {"eval ls", ask},
    {"nohup ls", ask},
    {"timeout 1 ls", ask},
    {"alias ls=rm; ls", ask},
    {"export PATH=. && ls", ask},
    {"python3 -c 'import os'", ask},
    {"python3 manage.py -c x", ask},
    {"python3", ask},
    {"echo 'rm x' | bash", ask},
    {"bash -c 'rm x'", ask},
    {"python3 -m pytest_evil", ask},
    {"python3 -mpytest", ask},
    {"ls\xC2\xA0-la", ask},
    {"l\xD1\x95", ask},
    {"LS", ask},
    {"'ls -la'", ask},
    {"'ls;rm' x", ask},
    {"git 'status -c x'", ask},
    {"ls \xE2\x80\xAE", ask},
    {"cat \xFF", ask},
    {"ls \x1B[2K", ask},
};

std::string said(kind what) {
    return std::string(to_string(what));
}

ai::proposed_call exec(const char* command) {
    return {.name = "exec", .arguments = {{"command", command}}, .effects = ai::effects::once, .origin = "shell"};
}

}  // namespace

TEST_CASE("the rules judge a hundred and fifty lines, a hundred of them tricks", "[shell_rules]") {
    CHECK(std::size(plain_lines) >= 50);
    CHECK(std::size(tricks) >= 90);
    for (const line& each : plain_lines) {
        INFO(each.command << ": " << rules.judge(each.command).reason);
        CHECK(said(rules.judge(each.command).what) == said(each.expected));
    }
    for (const line& each : tricks) {
        INFO(each.command << ": " << rules.judge(each.command).reason);
        CHECK(said(rules.judge(each.command).what) == said(each.expected));
    }
}

TEST_CASE("without rules, every line is asked about", "[shell_rules]") {
    for (const line& each : plain_lines) {
        CHECK(ai::shell_rules{}.judge(each.command).what == ask);
    }
}

TEST_CASE("a rule is offered for what a rule can allow, and allows it then", "[shell_rules]") {
    const auto offered = [](const char* command) { return rules.judge(command).rules; };
    using list = std::vector<std::string>;
    CHECK(offered("git commit -m x") == list{"git commit"});
    CHECK(offered("docker ps -a") == list{"docker ps"});
    CHECK(offered("du -sh . | sort") == list{"du"});
    CHECK(offered("du -sh . | uniq") == list{"du", "uniq"});
    CHECK(offered("python3 setup.py build") == list{"python3 setup.py"});
    CHECK(offered("'/opt/a b' c") == list{"'/opt/a b'"});
    for (const char* never :
         {"du > x", "python3 -c x", "mv a b", "git -C .. status", "sudo du", "find . -delete", "du | xargs rm", "du $(x)"}) {
        INFO(never);
        CHECK(offered(never).empty());
    }
    ai::shell_rules more = rules;
    const ai::shell_judgement judged = more.judge("du -sh . | uniq -c");
    more.allow.insert(more.allow.end(), judged.rules.begin(), judged.rules.end());
    CHECK(more.judge("du -sh . | uniq -c").what == allow);
}

TEST_CASE("a rule that allows a program does not allow what another denies", "[shell_rules]") {
    const ai::shell_rules both{.allow = {"git"}, .deny = {"git push"}};
    CHECK(both.judge("git status").what == allow);
    CHECK(both.judge("git push").what == deny);
    CHECK(both.judge("git -C .. push").what == ask);
    CHECK(both.judge("git -C .. push").rules.empty());
}

TEST_CASE("what is not a rule matches nothing, and is refused with the reason", "[shell_rules]") {
    CHECK(ai::check_shell_rule("git status"));
    CHECK(ai::check_shell_rule("'a b' c"));
    for (const char* bad : {"", "ls *", "ls; rm", "ls > x", "a | b", "X=1 ls", "ls \\"}) {
        INFO(bad);
        CHECK(ai::check_shell_rule(bad).error().code == ai::errc::invalid_argument);
        CHECK(ai::shell_rules{.allow = {bad}}.judge("ls").what == ask);
    }
    CHECK(ai::check_shell_rule("ls *").error().message == "`ls *` is not a rule: it has a wildcard");
}

TEST_CASE("the words of a command without a shell are taken as they are", "[shell_rules]") {
    const auto judged = [](std::vector<std::string> words) { return rules.judge(std::span<const std::string>(words)).what; };
    CHECK(judged({"ls", "*", "$(rm x)", "a;b"}) == allow);
    CHECK(judged({"rm", "x"}) == deny);
    CHECK(judged({"ls -la"}) == ask);
    CHECK(judged({"find", ".", "-exec", "rm"}) == ask);
    CHECK(judged({}) == ask);
    CHECK(judged({""}) == ask);
}

TEST_CASE("the policy decides about the calls of the shell only", "[shell_rules]") {
    ai::proposed_call other = exec("ls");
    other.origin = "plugin.lua";
    ai::proposed_call from_file = exec("ls");
    from_file.from = ai::provenance::file;
    const std::vector<ai::proposed_call> one = {exec("ls")};
    CHECK(ai::shell_rules{.allow = {"ls"}, .name = "exec"}.decide(one).front().what == allow);
    CHECK(ai::shell_rules{.allow = {"ls"}, .name = "other"}.decide(one).front().what == kind::abstain);
    ai::proposed_call words = exec("");
    words.arguments = {{"argv", {"ls", "-l"}}};
    ai::proposed_call nothing = exec("");
    nothing.arguments = ai::json::object();
    ai::proposed_call read = exec("ls");
    read.name = "read_file";
    read.origin = "C++";
    const std::vector<ai::proposed_call> batch = {exec("ls"), exec("rm x"), exec("mv a b"), other, from_file, words, nothing, read};
    const std::vector<ai::call_decision> decided = rules.decide(batch);
    REQUIRE(decided.size() == batch.size());
    const kind expected[] = {allow, deny, ask, kind::abstain, kind::abstain, allow, ask, kind::abstain};
    for (std::size_t i = 0; i < batch.size(); ++i) {
        INFO(i);
        CHECK(said(decided[i].what) == said(expected[i]));
    }
    CHECK(decided[2].reason == "no rule allows `mv`");
}

TEST_CASE("a command is shown whole, with its hidden characters visible", "[shell_rules]") {
    const auto shown = [](const char* command) { return ai::visible_command({{"command", command}}); };
    CHECK(shown("echo 'a b' | wc") == "echo 'a b' | wc");
    CHECK(shown("ls\nrm -rf /\t\r\x1B[2K\x7F") == "ls\\nrm -rf /\\t\\r\\x1b[2K\\x7f");
    CHECK(shown("a\xE2\x80\xAE"
                "b\xC2\xA0\xE2\x80\x8B\xEF\xBB\xBF") == "a\\u{202e}b\\u{a0}\\u{200b}\\u{feff}");
    CHECK(shown("gr\xC3\xBC\xC3\x9F \xF0\x9F\x98\x80") == "gr\xC3\xBC\xC3\x9F \xF0\x9F\x98\x80");
    CHECK(shown("\xFF") == "\\xff");
    CHECK(shown(std::string(5000, 'x').c_str()).size() == 5000);
    CHECK(ai::visible_command({{"argv", {"echo", "a b", "it's", "", "if"}}}) == "echo 'a b' 'it'\"'\"'s' '' 'if'");
    CHECK(ai::visible_command(nullptr).empty());
}

TEST_CASE("words that are joined are split into the same words", "[command_line]") {
    const std::vector<std::vector<std::string>> lists = {
        {"ls"}, {"a b", "c'd", "\"", "", "$x", "a=b", "~", "#", "*", "!", "if", "\\", "x\xC3\xBC"}};
    for (const auto& words : lists) {
        const auto line = ai::detail::parse_command_line(ai::detail::join_words(words));
        CHECK(line.obstacle.empty());
        REQUIRE(line.commands.size() == 1);
        CHECK(line.commands.front() == words);
    }
}
