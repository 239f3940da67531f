#include "offline/question_table.hpp"

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

using form = question_form;

}  // namespace

// Long phrasings are split into adjacent literals on purpose.
// NOLINTBEGIN(bugprone-suspicious-missing-comma)

question_rows table_rows() {
    return {
        {.form = form::operation,
         .name = "rows",
         .shown = "how many rows does X have",
         .sentences = {"how many rows|records|lines|observations does|do X have|contain",
                       "how many rows|records|observations are|is (there) in X", "how many rows|records|observations has X"},
         .things = {"number|count of rows|records|observations in|of X", "row count of X"}},
        {.form = form::operation,
         .name = "column count",
         .sentences = {"how many columns|features does|do X have|contain", "how wide is X", "how many columns are|is (there) in X",
                       "how many columns has X"},
         .things = {"number|count of columns in|of X"}},
        {.form = form::column_types,
         .shown = "types of the columns of X",
         .sentences = {"what|which type|types|dtype|dtypes do|are (the) columns of|in X (have)",
                       "what|which type|types|dtype|dtypes do|does (the) columns of|in X have", "what|which type|dtype are (the) X columns",
                       "which columns of|in X are|is numeric|numbers|text|strings|object", "what types do the columns of X have"},
         .things = {"type|types|dtype|dtypes|datatypes of (the|all|each|every) (the) columns|column of|in X",
                    "(column|columns) types|dtypes|datatypes of|in|for X", "data types of|in X"}},
        {.form = form::columns,
         .shown = "columns of X",
         .sentences = {"what|which columns does|do X have|contain", "what|which columns are (there) in X", "what|which columns has X",
                       "what|which are (the) columns of|in X", "what|which columns X has"},
         .things = {"columns|features of|in|from X", "column|columns names|labels|headers of|in X",
                    "names of (the|all) (the) columns of|in X", "X columns", "headers of X", "column names X has"}},
        {.form = form::missing_values,
         .shown = "missing values in X",
         .sentences =
             {"are|is there (any|some) missing|null|nan|na|empty (values|value|data|entries|cells) in X",
              "does|do X have|contain (any|some) missing|null|nan|nans|na|nulls (values|value|data|entries)",
              "how many (values|entries|cells) (are) missing|null|nan|nans|na|nulls (values|value|entries) (are|is) (there) (in|does|of) X",
              "how many missing|null|nan (values|entries) does X have", "how many (values|entries) are missing in X",
              "which|what columns of|in X have|contain|are missing|null|nan (values|data)",
              "which|what (values|data) are|is missing in|from X", "what is missing in|from X", "where are (the) missing values in X"},
         .things = {"(number|count|amount) (of) missing|null|nan|na (values|value|data|entries) in|of|for X", "nans|nulls in|of X",
                    "(number|count) of nans|nulls in|of X", "missing values X has"}},
        {.form = form::description,
         .shown = "describe X",
         .sentences = {"describe|summarise|summarize X",
                       "give (me) (a|the|some) summary|overview|statistics|stats|description of|for|about|on X", "what does X look like",
                       "how does X look (like)", "tell me (more|something|all|everything) about X", "what do you know about X",
                       "what can you tell (me) about X"},
         .things = {"summary|overview|statistics|stats|description of|for X", "summary|basic|descriptive statistics of|for X"}},
        {.form = form::head,
         .shown = "first N rows of X",
         .sentences = {"what do the first N rows|lines|records of|in X look (like)"},
         .things = {"first|top|head N rows|records|lines of|in|from X", "first|top|initial rows|records|lines of|in|from X", "head of X",
                    "head X", "N first rows of|in|from X", "beginning|start of X", "a|some|few sample|rows of|from X",
                    "(few|some) rows of X", "first few rows|lines of|in|from X"}},
        {.form = form::tail,
         .shown = "last N rows of X",
         .things = {"last|bottom|final N rows|records|lines of|in|from X", "last|bottom|final rows|records|lines of|in|from X", "tail of X",
                    "tail X", "N last rows of|in|from X", "last few rows|lines of|in|from X"}},
        {.form = form::operation,
         .name = "shape",
         .shown = "shape of X",
         .sentences = {"how many rows and columns does|do|has X (have)", "how many rows and columns are (there) in X",
                       "what|which shape does|has|is X (have)", "how is X shaped", "what|which dimensions does|has X (have)",
                       "what shape X has|is"},
         .things = {"shape|dimensions of X", "X shape"}},
        {.form = form::operation,
         .name = "dimensions",
         .sentences = {"how many dimensions|axes does|has X (have)"},
         .things = {"number of dimensions|axes of|in X", "ndim of X"}},
        {.form = form::operation,
         .name = "dtype",
         .shown = "dtype of X",
         .sentences = {"what|which dtype is|has|does X (have)", "what|which data type is|has|does X (have)"},
         .things = {"dtype|datatype of X", "data type of X", "element type of X", "type of (the) elements|items|values of|in X"}},
        {.form = form::operation,
         .name = "bytes",
         .shown = "how much memory does X use",
         .sentences = {"how much memory|space does X use|take|need|occupy (up)", "how many bytes does X use|take|need|have|occupy",
                       "how big is X in memory|bytes"},
         .things = {"memory (usage|use|footprint|size) of X", "size of X in bytes|memory"}},
        {.form = form::operation,
         .name = "counts",
         .shown = "how often does each value occur in X",
         .sentences =
             {"how often|frequently does|do each|every|all|the value|item|element|values|items (occur|appear|happen) (occur|appear) in X",
              "how often does each value of X occur|appear", "how are (the) values of X distributed"},
         .things = {"value counts of|for|in X", "value_counts of X",
                    "counts|frequency|frequencies|distribution|histogram of (the|each) (values|value) (of|in) X",
                    "counts|frequency|frequencies|distribution of X"}},
    };
}

// NOLINTEND(bugprone-suspicious-missing-comma)

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
