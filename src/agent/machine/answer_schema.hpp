#pragma once
#include <pyaichat/message/capability_list.hpp>
#include <pyaichat/message/capability_reply.hpp>
#include <pyaichat/message/message.hpp>
#include <pyaichat/message/request.hpp>
#include <pyaichat/schema/validate.hpp>

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// The schema of the answer of a run. A model gives such an answer in one of two ways: as a JSON text, which the service holds to the
/// schema, or as the arguments of a function that is declared beside the capabilities. If the schema is not that of an object, the answer
/// is the argument `answer` of that function.
class answer_schema {
public:
    /// Compiles the schema. Fails like `compile_schema`.
    [[nodiscard]] static result<answer_schema> of(const json& schema);

    /// Chooses the way for the model calls from now on: as text if the service takes the schema, else by a function whose name no
    /// capability has. With `tool_mode::none`, that function is the only one. Fails like `declare`.
    [[nodiscard]] result<void> choose_way(const capability_list& capabilities, bool service_takes_it, tool_mode mode);

    /// Returns the name of the function; empty if the answer is a text.
    [[nodiscard]] const std::string& function() const noexcept { return function_; }
    /// Returns the declarations to send: the capabilities, and the function if there is one.
    [[nodiscard]] const capability_list& offered() const noexcept { return offered_; }
    /// Adds to a request what the model and the service have to know.
    void add_to(model_request& request) const;
    /// Returns the sentence that asks for the answer again.
    [[nodiscard]] std::string ask_again() const;

    /// An answer as it was read.
    struct reading {
        std::optional<json> value = {};
        std::string why = {};                   ///< if there is no value: the reason, for the model and for a person
        std::vector<schema_error> errors = {};  ///< the errors of the validator
    };
    /// Reads a text: one JSON value, with or without a code fence around it.
    [[nodiscard]] reading read_text(std::string_view text) const;
    /// The calls of the function in one response.
    struct calls {
        std::optional<json> value = {};                        ///< of the only call, if it gives an answer that fits
        std::map<std::size_t, capability_reply> replies = {};  ///< to the calls that do not end the run, by their place among all calls
        std::string why = {};                                  ///< if the response is invalid: the reason
    };
    [[nodiscard]] calls read_calls(const message& content) const;
    /// Returns whether the value satisfies the schema.
    [[nodiscard]] bool fits(const json& value) const { return validate(compiled_, value).empty(); }

private:
    answer_schema(const json& schema, const compiled_schema& compiled);
    [[nodiscard]] reading judged(json value, std::string_view path) const;
    [[nodiscard]] reading read_arguments(const json& arguments) const;

    std::shared_ptr<const json> schema_;
    compiled_schema compiled_;
    bool wrapped_ = false;  ///< the answer is a member of the arguments
    std::string function_ = {};
    capability_list offered_ = {};
    capability_list capabilities_ = {};  ///< from which `offered_` was made
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
