"""Small sums, comparisons, counting, percentages and units."""

from ..banks import load_bank
from ..chat.users import asks, says
from ..draw import Draw, row

BANK = load_bank("sums/arithmetic")


def operands(draw: Draw) -> tuple[int, str, int, int]:
    """Draws the left side, the sign, the right side and the result of a sum; most numbers are below 13."""
    sign = draw.rng.choices("+-*/", [40, 30, 20, 10])[0]
    if sign == "*":
        left, right = draw.number(0 if draw.chance(0.1) else 2, 12), draw.number(1, 12)
        return left, sign, right, left * right
    if sign == "/":
        right, result = draw.number(1 if draw.chance(0.1) else 2, 10), draw.number(1, 12)
        return right * result, sign, right, result
    top = draw.rng.choices([6, 12, 60, 500], [20, 50, 20, 10])[0]
    left, right = draw.number(0, top), draw.number(0, top)
    if sign == "+":
        return left, sign, right, left + right
    left, right = max(left, right), min(left, right)
    return left, sign, right, left - right


def plain_sum(draw: Draw) -> dict:
    turns = []
    for _ in range(draw.pick([1, 1, 1, 2])):
        left, sign, right, result = operands(draw)
        spoken = draw.chance(0.45) and (sign == "+" or left != right)
        expression = (
            draw.pick(BANK.spoken[sign]).format(a=left, b=right)
            if spoken
            else draw.pick(["{} {} {}", "{} {} {}", "{}{}{}"]).format(left, draw.pick(BANK.signs[sign]), right)
        )
        turns += question_and_reply(draw, BANK.plain, {"s": expression}, f"{left} {sign} {right} = {result}", result)
    return row("sums", *turns)


def small_steps(draw: Draw) -> dict:
    kind = draw.pick(["three", "double", "half"])
    if kind == "three":
        a, b, c = (draw.number(1, draw.pick([9, 9, 20])) for _ in range(3))
        return row(
            "sums",
            *question_and_reply(
                draw, BANK.three, {"a": a, "b": b, "c": c}, f"{a} + {b} + {c} = {a + b} + {c} = {a + b + c}", a + b + c
            ),
        )
    a = draw.number(1, draw.pick([12, 50, 50, 120]))
    if kind == "double":
        return row("sums", *question_and_reply(draw, BANK.double, {"a": a}, f"2 * {a} = {2 * a}", 2 * a))
    return row("sums", *question_and_reply(draw, BANK.half, {"a": 2 * a}, f"{2 * a} / 2 = {a}", a))


def comparing(draw: Draw) -> dict:
    kind = draw.pick(["larger", "smaller", "larger", "smaller", "largest", "smallest", "sort", "even"])
    a, b = draw.sample(range(1, draw.pick([20, 100, 100, 1000])), 2)
    if kind == "even":
        return row("sums", asks(draw, BANK.even, {"a": a}), f"{a} is {('even', 'odd')[a % 2]}.")
    if kind in ("larger", "smaller"):
        chosen = max(a, b) if kind == "larger" else min(a, b)
        return row(
            "sums",
            *question_and_reply(
                draw,
                BANK.larger if kind == "larger" else BANK.smaller,
                {"a": a, "b": b},
                f"{chosen} is {kind}.",
                chosen,
            ),
        )
    numbers = draw.sample(range(1, draw.pick([20, 100, 500])), draw.number(3, 5))
    listed = ", ".join(map(str, numbers))
    if kind == "sort":
        return row("sums", says(draw, BANK.sort_up, {"l": listed}), ", ".join(map(str, sorted(numbers))))
    chosen = max(numbers) if kind == "largest" else min(numbers)
    return row(
        "sums",
        *question_and_reply(
            draw,
            BANK.largest if kind == "largest" else BANK.smallest,
            {"l": listed},
            f"{chosen} is the {kind}.",
            chosen,
        ),
    )


def counting(draw: Draw) -> dict:
    kind = draw.pick(["up", "down", "next", "next", "beside"])
    a = draw.number(0, draw.pick([5, 30, 90]))
    b = a + draw.number(3, 10)
    if kind == "up":
        return row("sums", says(draw, BANK.count_up, {"a": a, "b": b}), ", ".join(map(str, range(a, b + 1))))
    if kind == "down":
        return row("sums", says(draw, BANK.count_down, {"a": a, "b": b}), ", ".join(map(str, range(b, a - 1, -1))))
    if kind == "next":
        step = draw.pick([1, 2, 2, 3, 4, 5, 5, 10, 10, 20, 100, -1, -2, -5, -10])
        start = draw.number(1, 20) if step > 0 else draw.number(5 * -step, 5 * -step + 30)
        return row(
            "sums",
            *question_and_reply(
                draw,
                BANK.next,
                {"l": ", ".join(str(start + i * step) for i in range(4))},
                f"{start + 4 * step} comes next.",
                start + 4 * step,
            ),
        )
    word, step = draw.pick([("before", -1), ("after", 1)])
    a = draw.number(1, draw.pick([20, 100, 999]))
    return row(
        "sums",
        *question_and_reply(draw, BANK.before_after, {"w": word, "a": a}, f"{a + step} comes {word} {a}.", a + step),
    )


def percent(draw: Draw) -> dict:
    p, part = draw.pick([(10, 10), (10, 10), (50, 2), (50, 2), (25, 4), (20, 5), (100, 1)])
    a = draw.number(1, draw.pick([10, 10, 20])) * {10: 10, 2: 10, 4: 20, 5: 10, 1: 10}[part]
    return row(
        "sums", *question_and_reply(draw, BANK.percent, {"p": p, "a": a}, f"{p}% of {a} is {a // part}.", a // part)
    )


def units(draw: Draw) -> dict:
    x, y, factor = draw.pick(BANK.units)
    n = draw.number(2, 12 if factor in (10, 100, 1000) else 6)
    if draw.chance(0.35):
        x, y, n, result = y, x, n * factor, n
    else:
        result = n * factor
    return row(
        "dates",
        *question_and_reply(draw, BANK.unit_asks, {"x": x, "y": y, "n": n}, f"{n} {x} are {result} {y}.", result),
    )


def question_and_reply(draw: Draw, wordings: list[str], values: dict, full: str, number: object) -> tuple[str, str]:
    """Returns the question and the full reply, or just the number if the question asks for that."""
    question = asks(draw, wordings, values)
    if draw.chance(0.2):
        return after_end(question, draw.wording(BANK.only)), str(number)
    return question, full


def after_end(question: str, words: str) -> str:
    return f"{question} {words}" if question[-1] in "?.!" else f"{question}\n{words}"
