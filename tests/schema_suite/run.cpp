// Runs the official JSON Schema test suite: `schema_suite FOLDER`, where FOLDER holds tests/draft2020-12 and remotes. Prints each case that
// goes wrong and, at the end, how many went right. Each valid value must also fit the schema as it is reduced for each service.

#include <pyaichat/schema/schema_profiles.hpp>
#include <pyaichat/schema/validate.hpp>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace ai = pyaichat;
namespace fs = std::filesystem;

namespace {

ai::result<ai::json> read(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    return ai::parse_json(text);
}

/// Without the suite's folders of what an implementation may leave out.
std::vector<fs::path> json_files_below(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::recursive_directory_iterator at(folder, error), end; at != end; at.increment(error)) {
        if (at->path().filename() == "optional") {
            at.disable_recursion_pending();
        } else if (at->path().extension() == ".json") {
            files.push_back(at->path());
        }
    }
    std::sort(files.begin(), files.end());
    return files;
}

struct score {
    int right = 0;
    int all = 0;

    void note(bool fine, const std::string& what) {
        ++all;
        right += fine ? 1 : 0;
        if (!fine) {
            std::printf("WRONG %s\n", what.c_str());
        }
    }
};

std::string text_of(const ai::json& object, const char* key) {
    return std::string(ai::string_member(object, key).value_or("?"));
}

/// Returns the profiles whose reduced schema refuses a value that the full schema accepts.
std::string refusing_profiles(const ai::json& schema, const ai::json& value) {
    namespace all = ai::schema_profiles;
    std::string refusing;
    for (ai::schema_profile profile :
         {all::openai, all::anthropic, all::gemini, all::llamacpp, all::vllm, all::ollama, all::groq, all::mistral}) {
        profile.object_root = profile.object_root && value.is_object();
        const ai::result<ai::compiled_schema> reduced = ai::compile_schema(ai::reduce_schema(schema, profile).schema);
        if (!reduced || !ai::validate(*reduced, value).empty()) {
            refusing += ' ' + std::string(profile.name);
        }
    }
    return refusing;
}

void run_group(const ai::json& group, const ai::schema_options& options, const std::string& file, score& total) {
    const std::string name = file + ": " + text_of(group, "description");
    const ai::json* schema = ai::find_member(group, "schema");
    const ai::json* cases = ai::find_member(group, "tests");
    if (schema == nullptr || cases == nullptr) {
        total.note(false, name + ": has no schema or no tests");
        return;
    }
    const ai::result<ai::compiled_schema> compiled = ai::compile_schema(*schema, options);
    for (const ai::json& one : *cases) {
        const std::string what = name + ": " + text_of(one, "description");
        if (!compiled) {
            total.note(false, what + ": " + compiled.error().message);
            continue;
        }
        const ai::json* found = ai::find_member(one, "data");
        const ai::json data = found != nullptr ? *found : ai::json();
        const bool wanted = ai::bool_member(one, "valid").value_or(false);
        const std::vector<ai::schema_error> errors = ai::validate(*compiled, data);
        const bool explained = errors.empty() || (!errors.front().message.empty() && errors.front().keyword != "limit");
        total.note(errors.empty() == wanted && explained && errors.size() <= ai::max_schema_errors,
                   what + (errors.empty() ? "" : ": \"" + errors.front().path + "\" " + errors.front().message));
        // The reduction does not know the meta-schemas of the suite.
        if (wanted && !options.documents.contains(text_of(*schema, "$schema"))) {
            const std::string refusing = refusing_profiles(*schema, data);
            total.note(refusing.empty(), what + ": does not fit as reduced for" + refusing);
        }
    }
}

}  // namespace

int main(int count, char** arguments) {
    const fs::path suite = count > 1 ? arguments[1] : "";
    const std::vector<fs::path> files = json_files_below(suite / "tests" / "draft2020-12");
    if (files.empty()) {
        std::printf("SKIPPED: there is no JSON Schema test suite at %s\n", suite.string().c_str());
        return 0;
    }
    ai::schema_options options;
    const fs::path remotes = suite / "remotes";
    for (const fs::path& path : json_files_below(remotes)) {
        if (ai::result<ai::json> document = read(path)) {
            options.documents["http://localhost:1234/" + fs::relative(path, remotes).generic_string()] = *std::move(document);
        }
    }
    score total;
    for (const fs::path& path : files) {
        const ai::result<ai::json> groups = read(path);
        if (!groups) {
            total.note(false, path.string() + ": " + groups.error().message);
            continue;
        }
        for (const ai::json& group : *groups) {
            run_group(group, options, path.filename().string(), total);
        }
    }
    std::printf("%d of %d\n", total.right, total.all);
    return total.right == total.all ? 0 : 1;
}
