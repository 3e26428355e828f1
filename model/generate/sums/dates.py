"""Questions about weekdays, months, clock times and dates."""

from ..banks import load_bank
from ..chat.users import asks, says
from ..draw import Draw, row
from ..words import MONTHS, WEEKDAYS
from .arithmetic import question_and_reply

BANK = load_bank("sums/dates")
ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()
DAYS_OF_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
SEASONS = ["winter"] * 2 + ["spring"] * 3 + ["summer"] * 3 + ["autumn"] * 3 + ["winter"]


def day_names(draw: Draw) -> dict:
    kind = draw.pick(["beside", "in", "in", "ago", "between"])
    i, n = draw.number(0, 6), draw.number(2, 6)
    day = WEEKDAYS[i]
    if kind == "beside":
        word, step = draw.pick([("before", -1), ("after", 1)])
        return row(
            "dates",
            asks(draw, BANK.day_beside, {"w": word, "w2": word.capitalize(), "d": day}),
            f"{WEEKDAYS[(i + step) % 7]} comes {word} {day}.",
        )
    if kind == "in":
        n = draw.number(2, draw.pick([4, 6, 9]))
        return row(
            "dates", asks(draw, BANK.in_days, {"n": n, "d": day}), f"{n} days after {day} is {WEEKDAYS[(i + n) % 7]}."
        )
    if kind == "ago":
        return row(
            "dates", asks(draw, BANK.days_ago, {"n": n, "d": day}), f"{n} days before {day} is {WEEKDAYS[(i - n) % 7]}."
        )
    end = WEEKDAYS[(i + n) % 7]
    return row(
        "dates",
        *question_and_reply(draw, BANK.days_between, {"d": day, "e": end}, f"From {day} to {end} it is {n} days.", n),
    )


def month_names(draw: Draw) -> dict:
    kind = draw.pick(["beside", "beside", "nth", "number", "days", "season"])
    i = draw.number(0, 11)
    month = MONTHS[i]
    if kind == "beside":
        word, step = draw.pick([("before", -1), ("after", 1)])
        return row(
            "dates",
            asks(draw, BANK.month_beside, {"w": word, "w2": word.capitalize(), "m": month}),
            f"{MONTHS[(i + step) % 12]} comes {word} {month}.",
        )
    if kind == "nth":
        return row("dates", asks(draw, BANK.nth_month, {"n": ORDINALS[i]}), f"{month} is the {ORDINALS[i]} month.")
    if kind == "number":
        return row("dates", asks(draw, BANK.month_number, {"m": month}), f"{month} is month number {i + 1}.")
    if kind == "season":
        return row("dates", asks(draw, BANK.season, {"m": month}), f"{month} is in {SEASONS[i]}.")
    days = "28 days, in a leap year 29" if i == 1 else f"{DAYS_OF_MONTH[i]} days"
    return row("dates", asks(draw, BANK.month_days, {"m": month}), f"{month} has {days}.")


def clock_text(minutes: int) -> str:
    return f"{minutes // 60}:{minutes % 60:02d}"


def clock_sums(draw: Draw) -> dict:
    kind = draw.pick(["later", "later", "earlier", "24", "12"])
    if kind in ("24", "12"):
        hour, minute = draw.number(1, 23), draw.pick([0, 0, 15, 30, 45, 5 * draw.number(0, 11)])
        minutes = f":{minute:02d}" if minute or draw.chance(0.5) else ""
        twelve = f"{(hour - 1) % 12 + 1}{minutes} {'am' if hour < 12 else 'pm'}"
        long = clock_text(60 * hour + minute)
        if kind == "24":
            return row("dates", asks(draw, BANK.to_24, {"t": twelve}), f"{twelve} is {long}.")
        return row(
            "dates",
            asks(draw, BANK.to_12, {"t": long}),
            f"{long} is {(hour - 1) % 12 + 1}:{minute:02d} {'am' if hour < 12 else 'pm'}.",
        )
    whole_hours = draw.chance(0.5)
    n = draw.number(2, 6) if whole_hours else draw.pick([5, 10, 15, 20, 25, 30, 30, 40, 45])
    start = 60 * draw.number(7, 16) + 5 * draw.number(0, 11) * draw.pick([0, 1, 1])
    step = n * 60 if whole_hours else n
    end = start + step if kind == "later" else start - step
    word = "after" if kind == "later" else "before"
    unit = "hours" if whole_hours else "minutes"
    wordings = BANK.clock_later if kind == "later" else BANK.clock_earlier
    return row(
        "dates",
        asks(draw, wordings, {"t": clock_text(start), "n": n, "u": unit}),
        f"{n} {unit} {word} {clock_text(start)} is {clock_text(end)}.",
    )


def date_sums(draw: Draw) -> dict:
    i = draw.number(0, 11)
    month, last = MONTHS[i], DAYS_OF_MONTH[i]
    if draw.chance(0.45):
        n = draw.number(1, 10) + 1
        first = draw.number(1, last - n)
        if draw.chance(0.6):
            return row(
                "dates",
                asks(draw, BANK.date_later, {"n": n, "d": f"{first} {month}"}),
                f"{n} days after {first} {month} is {first + n} {month}.",
            )
        return row(
            "dates",
            asks(draw, BANK.date_earlier, {"n": n, "d": f"{first + n} {month}"}),
            f"{n} days before {first + n} {month} is {first} {month}.",
        )
    day, year = draw.number(1, last), draw.number(1950, 2035)
    forms = {
        "YYYY-MM-DD": f"{year}-{i + 1:02d}-{day:02d}",
        "DD.MM.YYYY": f"{day:02d}.{i + 1:02d}.{year}",
        "day month year": f"{day} {month} {year}",
        "DD/MM/YYYY": f"{day:02d}/{i + 1:02d}/{year}",
    }
    given = draw.pick([f"{day} {month} {year}", f"{month} {day}, {year}", forms["YYYY-MM-DD"]])
    target = (
        draw.pick(["YYYY-MM-DD", "YYYY-MM-DD", "DD.MM.YYYY", "DD/MM/YYYY"])
        if month in given
        else draw.pick(["day month year", "day month year", "DD.MM.YYYY", "DD/MM/YYYY"])
    )
    return row("dates", says(draw, BANK.date_format, {"d": given, "f": target}), forms[target])
