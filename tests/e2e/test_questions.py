"""Questions as new users ask them, answered by the offline provider from a live session."""

import importlib.util
import pathlib
import re

import pytest

from transcript import block_after

GUIDE = (pathlib.Path(__file__).resolve().parents[2] / "docs/guide/repl.md").read_text(encoding="utf-8")
HAS_PANDAS = importlib.util.find_spec("pandas") is not None

SESSION = '''
import math
import json
x = 5
y = 12.5
price = 19.99
name = "Ada"
flag = True
nothing = None
xs = [4, 8, 15, 16, 23, 42]
empty = []
words = ["pear", "banana", "fig", "fig"]
fruits = ("apple", "cherry")
d = {"a": 1, "b": 2, "c": 3}
old = {"a": 1, "b": 5}
seen = {3, 1, 2}
a = [1, 2, 3]
b = [1, 2, 4]
c = a
items = [10, 20, 30]
def area(width, height=2):
    "Area of a rectangle."
    return width * height
class Shape:
    "A shape."
    sides = 0
    def describe(self): return f"{self.sides} sides"
class Square(Shape):
    sides = 4
    def __init__(self, length): self.length = length
    def grow(self, by): self.length += by
square = Square(3)
'''

FAILURE = '''
def ratio(total, count):
    return total / count
ratio(10, 0)
'''

# (group, question, what the answer has to say)
QUESTIONS = [
    # listing
    ("listing", "which variables are there?", r"There are \d+ variables:(.|\n)*xs \(list\)"),
    ("listing", "What variables do I have", r"price \(float\)"),
    ("listing", "list all variables please", r"name \(str\)"),
    ("listing", "show me my variables", r"flag \(bool\)"),
    ("listing", "how many variables are there?", r"There are \d+ variables"),
    ("listing", "which functions are defined?", r"There (is|are) \d+ functions?:\n  area"),
    ("listing", "what functions do I have?", r"area"),
    ("listing", "what did I import?", r"\d modules:\n  json.*\n  math"),
    ("listing", "which modules are loaded", r"math"),
    ("listing", "what classes are there?", r"Shape(.|\n)*Square"),
    ("listing", "are there any dataframes?", r"There are no dataframes yet"),
    ("listing", "which lists do I have?", r"xs \(list\)"),
    ("listing", "how many functions are there?", r"There (is|are) \d+ function"),
    ("listing", "is price defined?", r"^Yes: `price` is a float"),
    ("listing", "does foobar exist?", r"^No: .*foobar"),
    # values and containers
    ("values", "what is x?", r"`x` is an int: 5"),
    ("values", "whats x", r"`x` is an int: 5"),
    ("values", "what's the value of the variable `price`?", r"19\.99"),
    ("values", "can you tell me what x is?", r"`x` is an int: 5"),
    ("values", "I want to know what is in xs", r"6 items: \[4, 8, 15, 16, 23, 42\]"),
    ("values", "print name", r"'Ada'"),
    ("values", "show the first 3 of xs", r"\[4, 8, 15\]"),
    ("values", "what are the first three items of xs?", r"\[4, 8, 15\]"),
    ("values", "what is the last item of xs?", r"42"),
    ("values", "last element in the list xs", r"42"),
    ("values", "third item of xs", r"15"),
    ("values", "how many items are in xs?", r"6 items"),
    ("values", "how long is words", r"4 items"),
    ("values", "length of name", r"3 characters"),
    ("values", "how many keys does d have?", r"is 3"),
    ("values", "how many keys are in d", r"is 3"),
    ("values", "what are the keys of d?", r"\['a', 'b', 'c'\]"),
    ("values", "values of d", r"\[1, 2, 3\]"),
    ("values", "is 15 in xs?", r"^Yes: `15 in xs` is True"),
    ("values", "does xs contain 7?", r"^No: `7 in xs` is False"),
    ("values", "is apple in fruits?", r"^Yes: `'apple' in fruits` is True"),
    ("values", "does d have a key 'z'?", r"^No:"),
    ("values", "what's the biggest number in xs?", r"42"),
    ("values", "max of xs", r"maximum of `xs` is 42"),
    ("values", "minimum of xs", r"minimum of `xs` is 4 "),
    ("values", "sum of xs?", r"sum of `xs` is 108"),
    ("values", "what is the average of xs", r"18\.0"),
    ("values", "is xs sorted?", r"^Yes"),
    ("values", "how many elements does the tuple fruits have?", r"2 items"),
    ("values", "sort xs in descending order", r"\[42, 23, 16, 15, 8, 4\]"),
    ("values", "contents of d", r"3 items"),
    ("values", "sort words", r"\['banana', 'fig', 'fig', 'pear'\]"),
    ("values", "what is d[\"a\"]?", r"is (an int: )?1"),
    ("values", "xs[2]", r"15"),
    ("values", "what is the longest string in words?", r"'banana'"),
    ("values", "are there duplicates in words?", r"'fig'"),
    ("values", "how often is 'fig' in words?", r"is 2 "),
    ("values", "is empty empty?", r"^Yes"),
    ("values", "where is 16 in xs?", r"is 3 "),
    ("values", "is nothing None?", r"^Yes"),
    # objects, classes, functions, modules
    ("objects", "what is square?", r"`square` is a Square"),
    ("objects", "which attributes does square have?", r"length = 3"),
    ("objects", "what methods does square have?", r"describe, grow"),
    ("objects", "what can square do?", r"grow"),
    ("objects", "what does area do?", r"Area of a rectangle"),
    ("objects", "how do I call area?", r"area\(width, height=2\)"),
    ("objects", "which arguments does area take?", r"area\(width, height=2\)"),
    ("objects", "which arguments does Square take?", r"`Square\(length\)`"),
    ("objects", "where is area defined?", r"`area` is defined in .* line \d+"),
    ("objects", "show the source of area", r"return width \* height"),
    ("objects", "show me the code of the function area", r"return width \* height"),
    ("objects", "what class is square?", r"`Square`"),
    ("objects", "what type is x?", r"`int`"),
    ("objects", "what kind of object is d", r"`dict`"),
    ("objects", "which base classes does Square have?", r"Shape"),
    ("objects", "is square a Shape?", r"^Yes"),
    ("objects", "is x a string?", r"^No: `x` is an int"),
    ("objects", "what is in the module math?", r"sqrt|acos"),
    ("objects", "help with math.sqrt", r"square root"),
    ("objects", "documentation of area", r"Area of a rectangle"),
    ("objects", "square's length", r"3"),
    ("objects", "version of json", r"2\."),
    # failed, changed, compared
    ("compared", "compare a and b", r"not equal(.|\n)*items only in `a`: \[3\](.|\n)*items only in `b`: \[4\]"),
    ("compared", "are a and b equal?", r"^No: `a == b` is False"),
    ("compared", "is a the same as b?", r"^No"),
    ("compared", "is a the same object as c?", r"^Yes"),
    ("compared", "what's the difference between d and old?", r"keys only in `d`: \['c'\](.|\n)*different values: \['b'\]"),
    ("compared", "is x bigger than y?", r"^No: `x > y` is False"),
    ("compared", "which is bigger, x or y?", r"^`y`"),
    ("compared", "does x differ from y?", r"^Yes: `x != y` is True"),
    ("compared", "do a and b have the same length?", r"^Yes"),
    ("compared", "which is smaller, x or y", r"^`x`"),
    ("compared", "what do d and old have in common", r"\['a', 'b'\]"),
    ("compared", "what changed?", r"first look"),
    ("compared", "what is new?", r"No variable has changed"),
    ("compared", "why did it fail?", r"Nothing has failed"),
    # typos and follow-ups
    ("typos", "waht is x", r"`x` is an int: 5"),
    ("typos", "what is itmes?", r"There is no `itmes`; taking `items`\.\n(.|\n)*10, 20, 30"),
    ("typos", "what is pirce", r"There is no `pirce`; taking `price`"),
    ("typos", "what is the lenght of xs", r"6 items"),
    ("typos", "wich variables are there", r"There are \d+ variables"),
    ("typos", "squre.length", r"taking `square`"),
    ("typos", "square.lenght", r"There is no `lenght`; taking `length`\.\n(.|\n)*3"),
    ("typos", "WHAT IS X?", r"There is no `X`; taking `x`"),
    # bare expressions and names
    ("bare", "x", r"`x` is an int: 5"),
    ("bare", "len(xs)", r"6"),
    ("bare", "x + 1", r"`x \+ 1` is 6"),
    ("bare", "xs[1:3]", r"\[8, 15\]"),
    ("bare", "sorted(seen)", r"\[1, 2, 3\]"),
    ("bare", "`square.length`", r"3"),
    ("bare", "compute sum(xs) / len(xs)", r"18\.0"),
    ("bare", "what is 2 ** 10", r"1024"),
    # greetings and help
    ("help", "hello", r"Hello"),
    ("help", "help", r"compute EXPR"),
    ("help", "what can you do?", r"compare X and Y"),
    ("help", "who are you?", r"not a language model"),
    ("help", "thank you!", r"welcome"),
]

AFTER_A_FAILURE = [
    ("why did it fail?", r"ZeroDivisionError: division by zero, raised in .* line 3 in `ratio`"),
    ("what went wrong", r"ZeroDivisionError"),
    ("which line?", r"line 3 in `ratio`"),
    ("what was count when it failed?", r"`count` was 0 in `ratio`"),
    ("what was the last error", r"division by zero"),
    ("where did it crash", r"return total / count"),
    ("show the traceback", r"Traceback"),
    ("why do I get this error?", r"ZeroDivisionError"),
]

TABLES = '''
import numpy as np
import pandas as pd
m = np.arange(6.0).reshape(2, 3)
df = pd.DataFrame({"price": [1.5, 2.0, None, 4.5], "city": ["Rome", "Oslo", "Rome", "Bern"], "n": [1, 2, 3, 4]})
'''

ABOUT_TABLES = [
    ("what is the shape of m?", r"\(2, 3\)"),
    ("dtype of m", r"float64"),
    ("columns of df", r"price, city, n"),
    ("what columns does df have?", r"3 columns: price, city, n"),
    ("how many rows does df have?", r"is 4 "),
    ("how many columns are in df", r"is 3 "),
    ("mean of df.price", r"2\.66"),
    ("average of the price column of df", r"2\.66"),
    ("what is the highest price in df?", r"4\.5"),
    ("median of df.price", r"2\.0"),
    ("mean of df.pricee", r"There is no `pricee`; taking `price`"),
    ("max of m", r"5\.0"),
    ("are there missing values in df?", r"1 missing value: price 1, city 0, n 0"),
    ("describe df", r"'price': dtype float64; missing 1"),
    ("show the first rows of df", r"price +city +n\n0 +1\.5 +Rome"),
    ("first 2 rows of df", r"Rome(.|\n)*Oslo"),
    ("unique values of df.city", r"\['Rome', 'Oslo', 'Bern'\]"),
    ("what are the types of the columns of df?", r"price \(float64\), city \(object\), n \(int64\)"),
    ("what type is df.price", r"float64|Series|ndarray"),
    ("version of numpy", r"There is no|1\.|2\."),
    ("which dataframes are there?", r"There is 1 dataframe:\n  df"),
    ("what is df", r"`df` is a DataFrame"),
    ("df.shape", r"\(4, 3\)"),
    ("how many different values are in df.city?", r"is 3 "),
]

NOT_UNDERSTOOD = ["tell me a joke", "write a poem about x", "sing me a song", "order me a pizza",
                  "who won the world cup in 1990"]


def ask_all(program, code, questions):
    arguments = [part for question in questions for part in ("--ask", question)]
    reports, done = program.ask_json("--provider=offline", "--exec", code, *arguments, timeout=120)
    return dict(zip(questions, reports, strict=True)), done


def missed(reports, expected):
    return [(question, reports[question]["answer"]) for question, pattern in expected if not re.search(pattern, reports[question]["answer"])]


def test_questions_of_new_users_are_answered(program):
    expected = [(question, pattern) for _, question, pattern in QUESTIONS]
    reports, done = ask_all(program, SESSION, [question for question, _ in expected])
    assert missed(reports, expected) == []
    assert all(report["reason"] == "complete" for report in reports.values())
    assert done.returncode == 0


def test_questions_after_a_failure_are_answered_from_its_frames(program):
    reports, done = ask_all(program, FAILURE, [question for question, _ in AFTER_A_FAILURE])
    assert missed(reports, AFTER_A_FAILURE) == []
    assert done.returncode == 1  # of the code, not of the questions
    assert all(report["reason"] == "complete" for report in reports.values())


@pytest.mark.skipif(not HAS_PANDAS, reason="pandas is not installed")
def test_questions_about_arrays_and_tables_are_answered(program):
    reports, done = ask_all(program, TABLES, [question for question, _ in ABOUT_TABLES])
    assert missed(reports, ABOUT_TABLES) == []
    assert done.returncode == 0


def test_what_is_not_understood_ends_degraded_with_the_closest_forms(program):
    reports, done = ask_all(program, "x = 1", NOT_UNDERSTOOD)
    assert done.returncode == 3
    for report in reports.values():
        assert report["degraded"] and report["reason"] == "unanswered" and report["calls"] == []
        assert report["answer"].startswith("I do not understand that.")


def test_a_question_about_the_world_is_not_answered_from_the_session(program):
    reports, done = ask_all(program, "x = 1", ["what is the capital of France?"])
    assert done.returncode == 3
    assert reports["what is the capital of France?"]["answer"].startswith("I do not understand that.")


def test_the_questions_of_the_guide_get_the_answers_that_it_shows(program):
    lines = block_after(GUIDE, "offline questions")
    code = "\n".join(line.removeprefix("py> ") for line in lines if line.startswith("py> "))
    shown = {}
    for line in lines:
        if line.startswith("ai> "):
            question = line.removeprefix("ai> ")
            shown[question] = []
        elif shown:
            shown[question].append(line)
    reports, _ = ask_all(program, code, list(shown))
    assert len(shown) == 4
    for question, answer in shown.items():
        assert reports[question]["answer"] == "\n".join(answer), question


def test_with_memory_a_question_may_refer_to_the_one_before(program):
    done = program.run("--provider=offline", stdin="xs = [4, 8]\nd = {}\n/memory on\n/mode ai\nwhat is xs?\nwhat type is it?\nand d?\n")
    assert "The type of `xs` is `list`." in done.stdout
    assert "The type of `d` is `dict`." in done.stdout
