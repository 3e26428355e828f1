"""Choosing among options that are new each time: words by their meanings, kinds of things, titles, missing words. No command of its own.

Hand-written label sets are a thousand; WordNet and prose give as many more as are wanted. What is learned is to weigh every option
against the text, and what words mean.
"""
import re

from .draw import Draw, row
from .drills import page
from .handwritten.labels import session

WORD_ASKS = ["Which word is meant?", "Which word fits this description?", "What is described?", "Choose the word with this meaning.", "Find the right word.", "Which term is defined here?"]
KIND_ASKS = ["What kind of thing is it?", "Which category does the word belong to?", "Classify the thing.", "Sort the word into a category.", "What type of thing is this?"]
MEANING_ASKS = ["What does '{}' mean?", "Which meaning does '{}' have?", "Choose the right definition of '{}'.", "Define '{}'."]
GAP_ASKS = ["Which word is missing?", "Which word fits into the gap?", "Fill the gap.", "Choose the missing word."]
NEXT_ASKS = ["Which text is this sentence from?", "Which title fits the text?", "Choose the best title.", "Match the text with its headline."]
# WordNet's names of groups -> names that people use
KINDS = {"artifact": ["object", "man-made thing", "artifact"], "person": ["person", "human"], "communication": ["communication", "language"], "act": ["action", "activity"], "plant": ["plant"],
         "animal": ["animal", "creature"], "cognition": ["idea", "thought"], "state": ["state", "condition"], "attribute": ["quality", "property"], "substance": ["substance", "material"], "food": ["food", "food or drink"],
         "body": ["body part", "body"], "group": ["group"], "possession": ["money and property", "possession"], "quantity": ["quantity", "amount"], "event": ["event"], "time": ["time"], "location": ["place", "location"],
         "object": ["natural object", "landscape"], "process": ["process"], "phenomenon": ["natural event", "phenomenon"], "relation": ["relation"], "feeling": ["feeling", "emotion"], "shape": ["shape"]}
VERB_KINDS = {"motion": ["movement", "motion"], "change": ["change"], "contact": ["touching", "contact"], "communication": ["speaking", "communication"], "creation": ["making", "creation"], "cognition": ["thinking"],
              "perception": ["seeing or hearing", "perception"], "competition": ["fighting or competing"], "emotion": ["feeling"], "consumption": ["eating and drinking"], "possession": ["giving and having"],
              "social": ["dealing with people"], "body": ["body care"], "weather": ["weather"], "stative": ["being"]}
DEFINED = re.compile(r'"([^"]+)"')


class Dictionary:
    """WordNet's rows of the data folder: words with their meanings and groups; of words that are not in `known`, one in five."""

    def __init__(self, rows: list[dict], known: set[str]):
        self.entries, rare = [], 0
        for made in rows:
            found = DEFINED.search(made["messages"][0]["content"]) if made["task"] == "qa_definition" else None
            meaning = made["messages"][1]["content"].rstrip(".") if found else ""
            if found and 10 < len(meaning) < 160 and found[1].lower() not in meaning.lower():
                rare += found[1].lower() not in known
                if found[1].lower() not in known and rare % 5:
                    continue
                self.entries.append((found[1], meaning, made["meta"]["lex"], made["meta"]["pos"]))
        self.nouns = [entry for entry in self.entries if entry[3] == "noun" and entry[2] in KINDS]
        self.verbs = [entry for entry in self.entries if entry[3] == "verb" and entry[2] in VERB_KINDS]


def word_of_meaning(draw: Draw, dictionary: Dictionary) -> dict:
    group = draw.sample(dictionary.entries, draw.number(2, 6))
    items = [{"text": meaning[0].lower() + meaning[1:] if draw.chance(0.5) else meaning, "label": word} for word, meaning, _, _ in group]
    return asked(draw, draw.pick(WORD_ASKS), items)


def meaning_of_word(draw: Draw, dictionary: Dictionary) -> dict:
    group = draw.sample(dictionary.entries, draw.number(2, 4))
    word, meaning = group[0][0], group[0][1]
    return asked(draw, draw.pick(MEANING_ASKS).format(word), [{"text": word, "label": meaning}], [one[1] for one in group])


def kind_of_word(draw: Draw, dictionary: Dictionary) -> dict:
    """Several words or meanings, sorted into some of WordNet's groups under one of their names."""
    entries, kinds = (dictionary.nouns, KINDS) if draw.chance(0.75) else (dictionary.verbs, VERB_KINDS)
    wanted = draw.sample(list(kinds), draw.number(2, 6))
    names = {kind: draw.pick(kinds[kind]) for kind in wanted}
    items = []
    for _ in range(draw.number(1, 6)):
        found = next((entry for entry in draw.sample(entries, min(len(entries), 200)) if entry[2] in wanted), None)
        if found:
            form = draw.pick(["{0}", "{0}: {1}", "{1}", "{0} ({1})"])
            items.append({"text": form.format(found[0], found[1]), "label": names[found[2]]})
    return asked(draw, draw.pick(KIND_ASKS), items, list(names.values())) if items else word_of_meaning(draw, dictionary)


def gap(draw: Draw, prose: list[str]) -> dict:
    """A sentence of prose without one of its longer words, which stands among such words of other sentences."""
    sentences = page(draw, prose, 600)
    sentence = draw.pick(sentences)
    words = re.findall(r"[a-z]{4,}", sentence)
    others = sorted({word for other in page(draw, prose, 500) for word in re.findall(r"[a-z]{4,}", other)} - set(words))
    if not words or len(others) < 4:
        return gap(draw, prose)
    word = draw.pick(words)
    text = re.sub(rf"\b{word}\b", "___", sentence)
    return asked(draw, draw.pick(GAP_ASKS), [{"text": text, "label": word}], [word, *draw.sample(others, draw.number(1, 4))])


def title(draw: Draw, records: list[dict]) -> dict:
    group = draw.sample(records, draw.number(2, 4))
    return asked(draw, draw.pick(NEXT_ASKS), [{"text": some_of(draw, group[0]["text"]), "label": group[0]["title"]}], [one["title"] for one in group])


def kind_of_text(draw: Draw, records: list[dict], key: str) -> dict:
    """Which kind or topic a text has, among some of the others."""
    asks = {"kind": ["What kind of text is this?", "Which type of message is it?", "Classify the kind of text.", "What sort of text is it?"],
            "topic": ["What is the text about?", "Which topic does the text have?", "Choose the topic.", "Classify the text by topic.", "Which section of a newspaper would print this?"]}[key]
    kinds = draw.sample(sorted({one[key] for one in records}), min(len({one[key] for one in records}), draw.number(2, 7)))
    found = [one for one in draw.sample(records, min(len(records), 120)) if one[key] in kinds][:draw.number(1, 3)]
    if not found:
        return title(draw, records)
    return asked(draw, draw.pick(asks), [{"text": some_of(draw, one["text"]), "label": one[key]} for one in found], kinds)


SUBJECT_ASKS = ["Which subject is this text about?", "Which school subject does it belong to?", "Choose the subject.", "Topic?", "From which textbook is this?", "Classify the passage by subject.", "Which course would use this text?"]


def subject(draw: Draw, books: dict[str, list[str]]) -> dict:
    """Which textbook a few sentences are from."""
    names = draw.sample(sorted(books), min(len(books), draw.number(2, 6)))
    items = [{"text": " ".join(page(draw, books[name], 400)[:2]), "label": name} for name in draw.sample(names, min(len(names), draw.number(1, 3)))]
    return asked(draw, draw.pick(SUBJECT_ASKS), items, names)


SERVICE_ASKS = ["What does the user want help with?", "Which service is asked for?", "Route the request to the right service.", "Which domain is this request about?", "Classify the request.", "What is it about?"]
SERVICES = {"Events": ["events", "tickets for events"], "Restaurants": ["restaurants", "restaurant booking"], "Hotels": ["hotels", "places to stay"], "Media": ["films to watch", "media"], "Flights": ["flights", "air travel"],
            "RentalCars": ["rental cars", "car hire"], "RideSharing": ["taxi", "rides"], "Music": ["music", "songs"], "Movies": ["cinema", "movie tickets"], "Services": ["doctors and hairdressers", "appointments"],
            "Homes": ["flats and houses", "homes"], "Buses": ["buses", "coach travel"], "Weather": ["weather", "weather forecast"], "Banks": ["banking", "bank"], "Calendar": ["calendar", "diary"], "Travel": ["sights", "things to see"],
            "Trains": ["trains", "rail travel"], "Payment": ["payments", "sending money"], "Messaging": ["messages", "messaging"], "Alarm": ["alarm clock", "alarms"]}


def service(draw: Draw, requests: list[tuple[str, str]]) -> dict:
    names = draw.sample(sorted({name for _, name in requests}), draw.number(2, 6))
    found = [one for one in draw.sample(requests, 60) if one[1] in names][:draw.number(1, 4)]
    told = {name: draw.pick(SERVICES[name]) for name in names}
    return asked(draw, draw.pick(SERVICE_ASKS), [{"text": text, "label": told[name]} for text, name in found], list(told.values())) if found else service(draw, requests)


def some_of(draw: Draw, text: str) -> str:
    sentences = re.split(r"(?<=[.!?])\s+", text)
    return text if draw.chance(0.4) else " ".join(sentences[:draw.number(1, 3)])


def asked(draw: Draw, instruction: str, items: list[dict], labels: list[str] | None = None) -> dict:
    labels = list(dict.fromkeys(labels or [item["label"] for item in items]))
    items = draw.sample(items, min(len(items), draw.pick([1, 2, 4, 6])))
    draw.rng.shuffle(labels)
    return {**row("classification_match"), "messages": session(draw, instruction, labels, {}, items, [])}
