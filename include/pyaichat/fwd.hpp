#pragma once
/// Forward declarations of what a host names in its own headers. Enough for references, pointers and function signatures.
#include <pyaichat/config/config.hpp>

#include <nlohmann/json_fwd.hpp>

namespace pyaichat::inline PYAICHAT_ABI {

using json = nlohmann::json;

enum class errc : unsigned char;
struct failure;
template <class T>
class result;

enum class role : unsigned char;
struct part;
struct message;
class conversation;
enum class stop_reason : unsigned char;
struct model_request;
struct model_response;
struct token_usage;
struct capability_spec;
struct capability_call;
struct capability_reply;
class capability_responder;
struct event;

class delta_sink;
template <class T>
class borrowed;

struct arg;
class function_capability;
class any_capabilities;
class any_provider;

class steady_clock;
class thread_executor;
class inline_executor;

struct limits;
struct agent_options;
struct run_request;
struct answer;
enum class progress : unsigned char;
class on;
class run_machine;
class pumped_run;
class run;
template <class Provider, class Capabilities = any_capabilities, class Clock = steady_clock, class Executor = thread_executor>
class basic_agent;
/// The agent for most hosts: any provider, any capabilities, real time, threads of its own.
using agent = basic_agent<any_provider>;

class anthropic;
class gemini;
class openai;
class offline;

}  // namespace pyaichat::inline PYAICHAT_ABI

namespace pyaichat::inline PYAICHAT_ABI::net {
class https_transport;
}  // namespace pyaichat::inline PYAICHAT_ABI::net

namespace pyaichat::inline PYAICHAT_ABI::lua {
struct sandbox;
class plugins;
class hooks;
}  // namespace pyaichat::inline PYAICHAT_ABI::lua

namespace pyaichat::inline PYAICHAT_ABI::python {
class interpreter;
class session;
}  // namespace pyaichat::inline PYAICHAT_ABI::python
