"""Word lists that the generators share, and makers of names, prices, times, dates and codes."""

from .banks import load_bank
from .draw import Draw

BANK = load_bank("words")
WEEKDAYS = BANK.weekdays
MONTHS = BANK.months
FIRST_NAMES = BANK.first_names
SURNAMES = BANK.surnames
CITIES = BANK.cities
COUNTRIES = BANK.countries
JOBS = BANK.jobs
ITEMS = BANK.items
FOODS = BANK.foods
ANIMALS = BANK.animals
COLOURS = BANK.colours
HOBBIES = BANK.hobbies
PLACES = BANK.places
COMPANY_STEMS = BANK.company_stems
COMPANY_ENDINGS = BANK.company_endings
STREET_NAMES = BANK.street_names
MAIL_HOSTS = BANK.mail_hosts


def full_name(draw: Draw) -> str:
    return f"{draw.pick(FIRST_NAMES)} {draw.pick(SURNAMES)}"


def company(draw: Draw) -> str:
    """Invents the name of a company."""
    if draw.chance(0.15):
        return f"{draw.pick(SURNAMES)} & {draw.pick(SURNAMES)}"
    return f"{draw.pick(COMPANY_STEMS)} {draw.pick(COMPANY_ENDINGS)}"


def a(noun: str) -> str:
    """Puts the indefinite article before a noun."""
    heard_as_consonant = noun.lower().startswith(("uni", "use", "uti", "eu", "one"))
    return ("an " if noun[0].lower() in "aeiou" and not heard_as_consonant else "a ") + noun


def price(draw: Draw) -> str:
    amount = draw.pick([draw.number(2, 20), draw.number(5, 99), draw.number(10, 40) * 5, draw.number(2, 30) * 50])
    cents = draw.pick(["", "", "", ".50", ".99", ".95"])
    return draw.pick(
        [f"${amount}{cents}", f"£{amount}{cents}", f"{amount}{cents} euros", f"{amount} dollars", f"€{amount}{cents}"]
    )


def clock(draw: Draw) -> str:
    hour, minute = draw.number(7, 21), draw.pick([0, 0, 15, 30, 30, 45, 5, 10, 20, 40, 50])
    if draw.chance(0.5):
        return f"{hour}:{minute:02}"
    half = "am" if hour < 12 else "pm"
    twelve = hour if hour <= 12 else hour - 12
    return f"{twelve} {half}" if minute == 0 else f"{twelve}:{minute:02} {half}"


def date(draw: Draw) -> str:
    day, month, year = draw.number(1, 28), draw.pick(MONTHS), draw.number(1995, 2026)
    return draw.pick(
        [
            f"{day} {month}",
            f"{month} {day}",
            f"{day} {month} {year}",
            f"{month} {day}, {year}",
            f"the {ordinal(day)} of {month}",
        ]
    )


def ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def phone(draw: Draw) -> str:
    a_part, b_part, c_part = draw.number(100, 999), draw.number(100, 999), draw.number(1000, 9999)
    return draw.pick(
        [
            f"555-{c_part}",
            f"0{a_part} {b_part} {c_part}",
            f"({a_part}) 555-{c_part}",
            f"+{draw.number(20, 98)} {a_part} {b_part}{draw.number(10, 99)}",
        ]
    )


def email_of(draw: Draw, name: str) -> str:
    """Makes an e-mail address from a name, at a domain that is reserved for examples (RFC 2606)."""
    first, *rest = name.lower().split()
    last = rest[-1] if rest else str(draw.number(10, 99))
    user = draw.pick([f"{first}.{last}", f"{first[0]}.{last}", f"{first}{draw.number(1, 99)}", f"{first}_{last}"])
    return f"{user}@{draw.pick(MAIL_HOSTS)}"


def street(draw: Draw) -> str:
    """Makes a house number and a street name."""
    house, name = draw.number(1, 180), draw.pick(STREET_NAMES)
    return f"{house} {name} {draw.pick(['Street', 'Street', 'Road', 'Lane', 'Avenue', 'Square', 'Close'])}"


def code(draw: Draw) -> str:
    """Makes an order or reference number."""
    letters = "ABCDEFGHJKLMNPRSTUVWXYZ"
    two = draw.pick(letters) + draw.pick(letters)
    return draw.pick(
        [
            f"{two}-{draw.number(1000, 9999)}",
            f"{two}{draw.number(100, 999)}",
            f"{draw.number(10000, 99999)}",
            f"#{draw.number(1000, 9999)}",
            f"{two}-{draw.number(10, 99)}-{draw.number(100, 999)}",
        ]
    )
