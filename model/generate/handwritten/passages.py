"""Questions on hand-written messages and informative prose, and their titles, summaries and keywords.

An answer to a question is an exact piece of the text, or "The text does not say."
"""

from ..banks import load_bank
from ..draw import Draw
from .frames import assistant, careless, place, user, with_helpful_system
from .vary import NOT_SAID, shortened

BANK = load_bank("handwritten/passages")

QUESTIONS_MOST = 8


def questions(draw: Draw, handwritten, variations) -> list[dict]:
    record = shortened(draw, variations.of(draw, handwritten.deal(draw, draw.pick(["messages", "prose"]))), "qa")
    asked = [(one["q"], one["a"]) for one in record["qa"]]
    if draw.chance(0.55):
        asked.append((record["unanswerable"], NOT_SAID))
    if draw.chance(0.12):
        other = handwritten.deal(draw, draw.pick(["messages", "prose"]))
        asked.append((draw.pick(other["qa"])["q"], NOT_SAID))
    if "true_statement" in record and draw.chance(0.3):
        words = draw.pick([(BANK.true_asks, "True", "False"), (BANK.yes_asks, "Yes", "No")])
        asked += [
            (draw.pick(words[0]).format(record["true_statement"]), words[1]),
            (draw.pick(words[0]).format(record["false_statement"]), words[2]),
        ]
    draw.rng.shuffle(asked)
    asked = asked[: 1 if draw.chance(0.2) else draw.number(3, QUESTIONS_MOST)]
    first = draw.pick(BANK.question_frames).format(careless(draw, asked[0][0]))
    if draw.chance(0.3):
        first = (
            draw.pick(["{read}\n\n{ask}", "{read} {ask}", "{ask}\n{read}"])
            .replace("{read}", draw.pick(BANK.read))
            .replace("{ask}", first)
        )
    messages = [user(place(draw, first, record["text"])), assistant(asked[0][1])]
    for question, answer in asked[1:]:
        messages += [user(draw.pick(BANK.next_frames).format(careless(draw, question))), assistant(answer)]
    return with_helpful_system(draw, messages)


def summaries(draw: Draw, handwritten, variations) -> list[dict]:
    """Asks for some of a text's title, summary, points, keywords, simple version, reply and kind."""
    record = handwritten.deal(draw, draw.pick(["messages", "prose"]))
    mark = draw.pick(["- ", "- ", "* ", "• "])
    can = [(BANK.title_asks, record["title"], 3), (BANK.summary_asks, record["summary"], 5)]
    if record.get("bullets"):
        can.append((BANK.bullet_asks, "\n".join(mark + point for point in record["bullets"]), 3))
    if record.get("keywords"):
        can += [(BANK.keyword_asks, ", ".join(record["keywords"]), 2), (BANK.simple_asks, record["simple"], 3)]
    if record.get("reply"):
        can.append((BANK.reply_asks, record["reply"], 3))
    if record.get("kind"):
        can.append((BANK.kind_asks, record["kind"], 1))
    messages, used = [], set()
    for _ in range(draw.pick([1, 2, 2, 3, 4])):
        asks, answer, _ = draw.rng.choices(can, [weight for _, _, weight in can])[0]
        if answer in used:
            continue
        used.add(answer)
        ask = careless(draw, draw.pick(asks))
        messages += [user(place(draw, ask, record["text"]) if not messages else ask), assistant(answer)]
    return with_helpful_system(draw, messages)
