"""Pure functions that score a reply against the expected answer."""

import collections
import json
import math
import re
import statistics
import string
from collections.abc import Iterable, Sequence
from itertools import islice

SENTENCE_END = re.compile(r"(?<=[.!?])\s+")
PIECE = re.compile(r"\d+(?:[.,:]\d+)*|[^\W\d_]+|[-+*/=^×÷%<>]")
WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")


def plain(text: str) -> str:
    """Returns the text as exact match compares it: lower case, no surrounding white space, no final full stop."""
    return text.strip().lower().removesuffix(".").rstrip()


def normal_form(text: str) -> str:
    """Returns the words, the numbers and the signs of sums, in lower case and without other punctuation."""
    return " ".join(PIECE.findall(re.sub("['’]", "", text.lower())))


def exact(reply: str, answers: Sequence[str]) -> float:
    return float(plain(reply) in [plain(answer) for answer in answers])


def squad_words(text: str) -> list[str]:
    """Returns the words in SQuAD's normal form: lower case, no punctuation, no articles."""
    text = "".join(c for c in text.lower() if c not in string.punctuation)
    return re.sub(r"\b(?:a|an|the)\b", " ", text).split()


def squad_exact(reply: str, answers: Sequence[str]) -> float:
    return float(squad_words(reply) in [squad_words(answer) for answer in answers])


def squad_f1(reply: str, answers: Sequence[str]) -> float:
    """Returns the F1 score of the words that the reply shares with an answer: the highest over all answers."""
    return max(_overlap(squad_words(reply), squad_words(answer)) for answer in answers)


def _overlap(a: list[str], b: list[str]) -> float:
    if not a or not b:
        return float(a == b)
    shared = sum((collections.Counter(a) & collections.Counter(b)).values())
    return 2 * shared / (len(a) + len(b))


def rouge_l(reply: str, references: Sequence[str]) -> float:
    """Returns the highest ROUGE-L over the references: F1 of the longest common subsequence of words (Lin, 2004)."""
    words = re.findall(r"\w+", reply.lower())
    return max(_rouge_l(words, re.findall(r"\w+", reference.lower())) for reference in references)


def _rouge_l(a: list[str], b: list[str]) -> float:
    lengths = [0] * (len(b) + 1)
    for word in a:
        diagonal = 0
        for j, other in enumerate(b, 1):
            diagonal, lengths[j] = lengths[j], diagonal + 1 if word == other else max(lengths[j], lengths[j - 1])
    return 2 * lengths[-1] / max(1, len(a) + len(b))


def last_number(text: str) -> float | None:
    found = re.findall(r"-?\d[\d,]*(?:\.\d+)?", text.replace("−", "-"))
    return float(found[-1].replace(",", "")) if found else None


def same_number(reply: str, reference: str) -> float:
    """Compares the last numbers of the reply and the reference. A reference without a number needs an exact match."""
    expected = last_number(reference)
    return exact(reply, [reference]) if expected is None else float(last_number(reply) == expected)


def mean_and_error(values: Sequence[float], values_of_rows: Sequence[int] = ()) -> tuple[float, float]:
    """Returns the mean of the values and its standard error over the rows.

    `values_of_rows` says how many of the values each row has, in order; by default, each has one. The values of a row
    depend on each other, so the error is that of the ratio of two sums over rows: of values, and of their number.
    """
    mean, rest = statistics.fmean(values), iter(values)
    deviations = [sum(islice(rest, count)) - count * mean for count in values_of_rows or [1] * len(values)]
    rows = len(deviations)
    error = math.sqrt(rows / (rows - 1) * sum(d * d for d in deviations)) / len(values) if rows > 1 else 0.0
    return mean, error


def sentences_of(text: str) -> list[str]:
    return [sentence for sentence in SENTENCE_END.split(text.strip()) if sentence]


def best_overlap_sentence(text: str, question: str) -> str:
    """Returns the sentence that shares the most distinct words with the question; on a tie, the first one."""
    asked = set(squad_words(question))
    return max(sentences_of(text), key=lambda sentence: len(asked & set(squad_words(sentence))))


class NaiveBayes:
    """Multinomial naive Bayes over the distinct lower-case words of a text, with add-one smoothing.

    The prior is uniform, because the wrong options of a row are drawn evenly; label frequencies as a prior are worse.
    """

    def __init__(self, examples: Iterable[tuple[str, str]]):
        self.labels: collections.Counter = collections.Counter()
        self.words: dict[str, collections.Counter] = collections.defaultdict(collections.Counter)
        for text, label in examples:
            self.labels[label] += 1
            self.words[label].update(self._words(text))
        self.totals = {label: sum(words.values()) for label, words in self.words.items()}
        self.vocabulary = len({word for words in self.words.values() for word in words})

    @staticmethod
    def _words(text: str) -> set[str]:
        return set(re.findall(r"[\w']+", text.lower()))

    def choose(self, text: str, options: Sequence[str]) -> str:
        """Returns the likeliest option. An option absent from the training data is chosen only if all options are."""
        words = self._words(text)
        return max(options, key=lambda label: self._likelihood(words, label))

    def _likelihood(self, words: set[str], label: str) -> float:
        if label not in self.words:
            return -math.inf
        seen, total = self.words[label], self.totals[label] + self.vocabulary + 1
        return sum(math.log((seen[word] + 1) / total) for word in words)

    def majority(self) -> str:
        return self.labels.most_common(1)[0][0]


FAMILY = re.compile(r"famil|child|kid", re.I)
NEGATION = re.compile(
    r"\b(?:no|not|cannot|non|never|nor|without|adults?|un-?friendly|unsuitable|isnt|arent|doesnt|dont)\b|n['’]t\b", re.I
)
CLAUSE = re.compile(r"[.,;:!?]|\b(?:and|but|yet|while)\b", re.I)
NUMBER_WORDS = {"1": "one", "2": "two", "3": "three", "4": "four", "5": "five"}


def record_of(text: str) -> list[tuple[str, str]]:
    """Splits an E2E record, "name[Aromi], food[Thai]", into pairs."""
    return re.findall(r"(\w[\w ]*)\[([^\]]*)\]", text)


def phrase(value: str) -> re.Pattern:
    """Returns a pattern that finds the value as whole words in any case.

    "3 out of 5" may be "3/5" or "three out of five", "high" may be "highly", a kind of place may be plural, and a
    leading "the" may be missing.
    """
    rating = re.fullmatch(r"(\d) out of (\d)", value)
    if rating:
        first, second = (f"(?:{n}|{NUMBER_WORDS.get(n, n)})" for n in rating.groups())
        form = rf"{first}(?: out of | of |[ -]out[ -]of[ -]| ?/ ?){second}"
    else:
        form = re.escape(re.sub(r"^the ", "", value.strip(), flags=re.I)).replace(r"\ ", r"[ \-]+")
        form += "(?:ly)?" if value in ("high", "low") else "s?"
    return re.compile(rf"(?<!\w){form}(?!\w)", re.I)


def family_friendly(reply: str) -> str | None:
    """Returns "yes", "no", or None if the reply does not mention families; "adults only" is a no."""
    if re.search(r"\badults?[ -]only|\bonly (?:for )?adults", reply, re.I):
        return "no"
    return _yes_or_no(reply, FAMILY)


def _yes_or_no(reply: str, about: re.Pattern) -> str | None:
    """Returns None if no clause is on the subject, "no" if such a clause has a negation, otherwise "yes"."""
    clauses = [clause for clause in CLAUSE.split(reply) if about.search(clause)]
    if not clauses:
        return None
    return "no" if any(NEGATION.search(clause) for clause in clauses) else "yes"


def share_stated(record: list[tuple[str, str]], reply: str) -> float:
    """Returns the share of the record's values that the reply states.

    A value that two slots share, such as a high price and a high rating, must occur twice. The slot's name without a
    negation states a "yes", the name with a negation states a "no".
    """
    named = [(slot, value) for slot, value in record if slot != "familyFriendly" and value in ("yes", "no") and slot]
    said = sum(_yes_or_no(reply, phrase(slot.removesuffix("s"))) == value for slot, value in named)
    said += sum(family_friendly(reply) == value for slot, value in record if slot == "familyFriendly")
    others = collections.Counter(
        value for slot, value in record if slot != "familyFriendly" and (slot, value) not in named
    )
    said += sum(min(times, len(phrase(value).findall(reply))) for value, times in others.items())
    return said / len(record)


def has_invented(record: list[tuple[str, str]], reply: str, vocabulary: Iterable[str]) -> float:
    """Returns 1 if the reply states a vocabulary value or a claim about families that is not in the record, else 0."""
    family = dict(record).get("familyFriendly")
    if family_friendly(reply) not in (None, family):
        return 1.0
    given = sorted((value for slot, value in record if slot != "familyFriendly"), key=len, reverse=True)
    for value in given:
        reply = phrase(value).sub("…", reply)
    return float(any(phrase(value).search(reply) for value in vocabulary if value not in given))


def record_vocabulary(records: Iterable[list[tuple[str, str]]]) -> list[str]:
    """Returns the values that `has_invented` looks for. Leaves out "restaurant": every place can be called that."""
    return sorted(
        {value for record in records for slot, value in record if slot != "familyFriendly" and value != "restaurant"}
    )


TEMPLATE = [
    ("eatType", " is a {}"),
    ("food", " that serves {} food"),
    ("area", " in the {} area"),
    ("near", " near {}"),
    ("priceRange", ", with a {} price range"),
    ("customer rating", ", with a customer rating of {}"),
]


def record_template(record: list[tuple[str, str]]) -> str:
    given = dict(record)
    text = given.get("name", "This place") + ("" if "eatType" in given else " is a place")
    text += "".join(form.format(given[slot]) for slot, form in TEMPLATE if slot in given) + "."
    if "familyFriendly" in given:
        text += " It is family friendly." if given["familyFriendly"] == "yes" else " It is not family friendly."
    return text


REPEATABLE = {"had", "that", "very", "bye", "ha", "no", "so", "knock"}
EVASIVE = re.compile(
    r"\b(?:I (?:don't|do not) (?:know|understand)|I(?:'m| am) not (?:sure|able)|I (?:can't|cannot|can not)|"
    r"I(?:'m| am) (?:sorry|afraid)|no idea|not (?:quite )?sure what)\b",
    re.I,
)


def words_are_real(text: str, known: set[str]) -> bool:
    """Returns whether at least 90 % of the words are known and none is doubled. A number without words passes."""
    words = [word.lower().replace("’", "'") for word in WORD.findall(text)]
    if not words:
        return any(c.isdigit() for c in text)
    twice = [word for word in re.findall(r"(?<!\w)([^\W\d_]+)\s+\1(?!\w)", text.lower()) if word not in REPEATABLE]
    real = sum(word in known or word.removesuffix("'s") in known for word in words)
    return not twice and real >= 0.9 * len(words)


def loops(text: str) -> bool:
    """Returns whether any sequence of four words occurs at least three times."""
    words = re.findall(r"\w+", text.lower())
    fours = collections.Counter(zip(words, words[1:], words[2:], words[3:]))
    return any(times >= 3 for times in fours.values())


FORMS = {
    "one_word": lambda reply, _: len(reply.split()) == 1,
    "upper_case": lambda reply, _: reply == reply.upper() and any(c.isalpha() for c in reply),
    "starts_with": lambda reply, start: reply.lower().startswith(start.lower()),
    "ends_with": lambda reply, end: reply.lower().rstrip(" .!").endswith(end.lower().rstrip(" .!")),
    "only_yes_no": lambda reply, _: plain(reply).rstrip("!") in ("yes", "no"),
    "at_most": lambda reply, count: 0 < len(reply.split()) <= int(count),
    "at_least": lambda reply, count: len(reply.split()) >= int(count),
    "items": lambda reply, count: len(items_of(reply)) == len(set(items_of(reply))) == int(count),
    "one_sentence": lambda reply, _: len(sentences_of(reply)) == 1,
    "question": lambda reply, _: reply.rstrip().endswith("?"),
    "lines": lambda reply, count: len([line for line in reply.split("\n") if line.strip()]) >= int(count),
}


def keeps_form(reply: str, form: str) -> bool:
    """Checks a reply against a form: a name in FORMS, then a space and its argument if it has one."""
    name, _, argument = form.partition(" ")
    return FORMS[name](reply.strip(), argument)


def items_of(reply: str) -> list[str]:
    """Splits a short list into its items: by lines if there are several, otherwise by commas, "and" and semicolons."""
    lines = [line for line in reply.split("\n") if line.strip()]
    if len(lines) > 1:
        parts = [re.sub(r"^\s*(?:[-*•]|\d+[.)])\s*", "", line) for line in lines if not line.rstrip().endswith(":")]
    else:
        parts = re.split(r",\s*(?:and\s+)?|;\s*|\s+and\s+|\s*\b\d[.)]\s+", reply.partition(": ")[2] or reply)
    return [plain(part) for part in parts if plain(part)]


def parsed_object(text: str) -> dict | None:
    """Returns the text parsed as a JSON object, or None if it is not one."""
    try:
        found = json.loads(text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None
