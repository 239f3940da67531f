#include "offline/question_table.hpp"

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

using form = question_form;

}  // namespace

// Long phrasings are split into adjacent literals on purpose.
// NOLINTBEGIN(bugprone-suspicious-missing-comma)

question_rows help_rows() {
    return {
        {.form = form::greeting,
         .sentences = {"hello|hi|hey|hallo|greetings|yo (there|all|everyone)", "good morning|afternoon|evening|day",
                       "how are you (doing|today)"}},
        {.form = form::thanks,
         .sentences = {"thanks|thank|thx|cheers (you|a) (lot|very|so) (much)", "great|good|nice|cool|perfect|ok|okay (job|work)"}},
        {.form = form::farewell,
         .sentences = {"bye|goodbye|farewell (bye)", "how do|can|would|to i|you|we exit|quit|leave|stop (this|here|it)",
                       "how to exit|quit|leave"}},
        {.form = form::abilities,
         .shown = "what can you do",
         .sentences = {"help (me)", "what can you do (for) (me)", "what can|could|may i ask (you) (here)", "what do you understand|know",
                       "what can you answer|tell", "what (kind|kinds|sort|type) (of) questions|question can|may|should i ask (you)",
                       "which questions can i ask (you)", "which|what questions do|can you understand|answer|know", "how does this work",
                       "how do i use this|you", "how can you help (me)", "what are you able to do",
                       "what are your capabilities|abilities|features|functions", "show (me) (the) help", "commands|usage|examples",
                       "list (all) (your) commands|questions|forms", "what are you good for|at"}},
        {.form = form::identity,
         .sentences = {"who|what are you", "are you a|an (language) (real) model|llm|ai|person|human|bot|robot|assistant|chatgpt|gemini",
                       "which|what model are|is you|this", "what model do you use", "who is this|answering", "what is your name",
                       "are you chatgpt|gemini|claude|human|real"}},
    };
}

question_rows listing_rows() {
    return {
        {.form = form::variable_count,
         .shown = "how many variables are there",
         .sentences = {"how many X are there (in) (the) (session|here|memory|namespace|scope)", "how many X do i|we have",
                       "how many X are|is defined|imported|loaded|available|created", "how many X have i|we|been defined|created|imported",
                       "how many X exist", "how many X did i define|create|import", "count (the|all|my) X"},
         .things = {"number of X"}},
        {.form = form::variables,
         .name = "module",
         .sentences = {"what did i|we import (so) (far)", "what have i|we imported (so) (far)", "what is|was|are imported (here)"}},
        {.form = form::variables,
         .shown = "which variables are there",
         .sentences = {"which|what X are|is there (in) (the) (session|here|memory|namespace|scope)",
                       "which|what X exist|exists (here|now)",
                       "which|what X do i|we have (here|now)",
                       "which|what X are|is (currently) defined|available|imported|loaded|known|set|present|in|visible "
                       "(here|now|scope|memory|use|session) (scope|memory|session)",
                       "which|what X i|we have|defined|imported|created (defined|imported|created|made) (so) (far)",
                       "which|what X have i|we|been (been) defined|created|imported|made|loaded|set (so) (far)",
                       "which|what X did i|we define|create|import|make|load (so) (far)",
                       "what is|are defined|available|imported|loaded|there|here (in) (the) (here|session|namespace|memory)",
                       "what do i|we have (here|so) (far)",
                       "what is in the session|namespace|workspace|scope|memory|environment",
                       "what is in session|memory|scope|here",
                       "what have i|we (got|defined|created) (here|so) (far)",
                       "what did i|we define|create (so) (far)",
                       "what have i|we defined",
                       "are there any X",
                       "do i have any X",
                       "give me (a|the) list of X",
                       "what X",
                       "which X",
                       "my X",
                       "all (the|my) X",
                       "X (list|overview)"},
         .things = {"names of (all) (the|my) X", "list of (all) (the|my) X", "all (the|my) X", "my X",
                    "X in|of the session|namespace|scope|memory|workspace", "X i have|defined|imported",
                    "X that|which are defined|there|imported|available"}},
        {.form = form::variables, .name = "certain", .sentences = {"list|show|print|display|dump|enumerate (me) (all) X", "give me X"}},
        {.form = form::existence,
         .shown = "is X defined",
         .sentences = {"is X defined|imported|available|loaded|known|set|there", "does X exist",
                       "is there a|an|any (variable|function|class|module|object|name|thing) (called|named|with) (the) (name) X",
                       "do i|we have a|an (variable|function|class|module|object) (called|named) X", "have i defined|imported X",
                       "did i define|import X"}},
    };
}

question_rows failure_rows() {
    return {
        {.form = form::failure_value,
         .shown = "what was X when it failed",
         .sentences = {"what was|is|were (the) (value) (of) X when|as|where|while it|this|that|everything "
                       "failed|crashed|broke|happened|raised|stopped|died",
                       "what was|is|were X at|during|in|before (the) (time) (of) (the) failure|error|crash|exception",
                       "what value did|had|has X (have) when|as it|this|that failed|crashed|broke|happened",
                       "value of X when|as it failed|crashed|broke|happened", "what did X contain when it failed|crashed",
                       "what were (the) (local|values) X (variables) when it failed"}},
        {.form = form::failure,
         .name = "fix",
         .sentences = {"how do|can|could|should|would i|we|you fix|solve|repair|correct|avoid it|this|that|the (last) "
                       "(error|exception|problem|bug|failure)",
                       "fix|solve|repair|correct it|this|that|the|my (last) (error|exception|problem|bug|failure|code)",
                       "what should|can|must i do|change about|against|to (fix) (it|this|that|the) (error|exception|problem)"}},
        {.form = form::failure,
         .name = "line",
         .shown = "which line failed",
         .sentences = {"which|what|where line|place (of) (code) failed|crashed|broke|raised|caused|is|was|has|did|threw "
                       "(it|wrong|fail|the|this|an) (wrong|error|exception|problem|fail)",
                       "in|on|at which|what line (number) did|was|is|does (it|this|that|the) (error|exception|code) "
                       "(fail|crash|break|happen|raised|occur|raise)",
                       "where did|does|was|is it|this|that|the (error|exception|problem|code) "
                       "(fail|failed|crash|break|happen|raised|occur|go|from|come) (wrong|from)",
                       "where was|is (the) error|exception|problem|failure|mistake|bug", "which function failed|raised|crashed (it)",
                       "which|what line", "where (exactly) did it fail|crash|break"}},
        {.form = form::failure,
         .name = "traceback",
         .sentences = {"show|print|give|display (me) (the) (last|full) (full) traceback|stacktrace|stack (trace)", "where is the traceback",
                       "traceback", "stack trace"},
         .things = {"(last|full) traceback|stacktrace"}},
        {.form = form::failure,
         .shown = "why did it fail",
         .sentences = {"why did|does|has it|this|that|the (code|call|last|program|script|statement|function) "
                       "(entry|line|call|statement|command) (not) (fail|failed|crash|break|raise|stop|work|die|happen) (fail)",
                       "why is|was (there) (an|the|that|this) (last) error|exception|failure|problem",
                       "why X failed|fails|crashed",
                       "why did X fail|crash|break|raise",
                       "what went|is|was|has|goes (gone) wrong (here|there)",
                       "what is|was the problem|matter|issue|cause|reason (here|with) (it|this|of) (the) (error|failure|exception)",
                       "what failed|broke|crashed|happened (here|there|last|just|wrong)",
                       "why am i getting|seeing (an|this|the) error|exception",
                       "why do|did i get|see (an|this|that|the) error|exception|traceback",
                       "what caused (the|this|that) (last) error|exception|failure|crash|it|problem",
                       "what does (the|this|that) (last) error|exception|traceback|message (message) mean|say",
                       "what|which (kind|type|sort) (of) (an) error|exception (was|is) (it|that|this|there|raised|thrown|did|do) "
                       "(i|we|raised|it) (get|have|raise|see)",
                       "explain|describe (me) (the|this|that) (last) error|exception|failure|traceback",
                       "was there (an|any) (error|exception|problem)",
                       "did anything|something|it|that|everything fail|crash|break|work|go (wrong|well)",
                       "is there (an|any) error|exception|problem",
                       "any errors|error|problems",
                       "why",
                       "why not",
                       "what error",
                       "it failed|crashed",
                       "did i get an error",
                       "has anything|something failed"},
         .things = {"(last|latest|current|most) (recent) error|exception|failure (message|type)", "error|exception message|type|text",
                    "type|kind of (the) (last) error|exception", "reason|cause of|for (the|this) (last) error|failure|exception|crash"}},
    };
}

question_rows change_rows() {
    return {
        {.form = form::changes,
         .shown = "what changed",
         .sentences =
             {"what (has|have|is|did|was|are) (just|been) changed|change|new|different|modified|altered|added|removed|updated|rebound "
              "(here|now|since|recently|lately|then|by) (then|the|last|my|it|that) (last|time|question) "
              "(question|time|entry|statement|command)",
              "which|what variables|names|objects|values|things (have|were|are|did|has) (been|i) "
              "changed|change|new|modified|added|different|removed|updated (since) (then|the|last|recently) (last) (time|question)",
              "what did (it|that|this|i) change (last)", "did anything|something change", "has anything|something changed", "any changes"},
         .things = {"changes", "differences since last time", "new variables|names|objects"}},
        {.form = form::last_entry,
         .shown = "what did I run last",
         .sentences = {"(has|did) anything|something changed|change", "what was printed|run|typed|executed last",
                       "what was (the|my) last thing (that) (i) (did|typed|ran)",
                       "what did i (just|last) do|run|type|enter|execute|define (last|just|before)",
                       "what was (the|my) last input|entry|statement|command|output|code|line (i) (ran|typed|entered)",
                       "what was (just) (printed|run|executed|output)", "what have i (just|last) done|run|typed",
                       "what did it|that|this (just) print|output|return|say"},
         .things = {"(the|my) last input|entry|statement|command|output|code|printed"}},
        {.form = form::situation,
         .shown = "what is going on",
         .sentences = {"what is going on (here|there|now)", "what is happening (here|there|now)", "what is running (now|here)",
                       "what does python do (now)", "what is python doing (now)",
                       "is python|it|anything|something (still) busy|running|hanging|stuck|hung",
                       "what is the state|situation|status (of) (python|the) (session|python)",
                       "why is it|python (so) slow|stuck|hanging|busy", "state|status"},
         .things = {"situation|state|status (of) (the) (session|python)"}},
    };
}

// NOLINTEND(bugprone-suspicious-missing-comma)

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
