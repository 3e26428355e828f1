"""Short writing from what the request gives: descriptions, messages, adverts, stories, lists, rewriting and work on word lists."""
import json
import re

from .draw import Draw, row
from .words import (ANIMALS, CITIES, COLOURS, COUNTRIES, FIRST_NAMES, FOODS, HOBBIES, ITEMS, JOBS, MONTHS, PLACES, SURNAMES, WEEKDAYS,
                    a, clock, company, date, full_name, price)

SLOTS = {
    "name": lambda d: d.pick(FIRST_NAMES), "surname": lambda d: d.pick(SURNAMES), "city": lambda d: d.pick(CITIES), "item": lambda d: d.pick(ITEMS),
    "food": lambda d: d.pick(FOODS),
    "animal": lambda d: d.pick(ANIMALS), "job": lambda d: d.pick(JOBS), "day": lambda d: d.pick(WEEKDAYS), "month": lambda d: d.pick(MONTHS),
    "n": lambda d: str(d.number(2, 9)),
    "clock": clock, "company": company, "price": price, "country": lambda d: d.pick(COUNTRIES)[0], "colour": lambda d: d.pick(COLOURS),
    "hobby": lambda d: d.pick(HOBBIES),
    "place": lambda d: d.pick(PLACES), "date": date, "person": full_name,
}


def articles(text: str) -> str:
    return re.sub(r"\b([Aa]) (?=[aeiouAEIOU](?!ni[cfqtv]|ni\b|uro|ne\b|se[df]))", r"\1n ", text)


def values(draw: Draw, *names: str) -> dict:
    return {name: SLOTS[name.rstrip("2")](draw) for name in names}


def slots_of(text: str) -> set:
    return set(re.findall(r"\{(\w+)\}", text))


def capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def careless(draw: Draw, text: str) -> str:
    if draw.chance(0.12):
        text = text[:1].lower() + text[1:]
        text = text.rstrip(".?")
    return text


POLITE = ["{r}", "Please {r}", "Could you {r}", "Can you {r}", "I need you to {r}", "I'd like you to {r}", "{r}, please", "Would you {r}",
    "Help me: {r}", "Your task: {r}", "Now {r}", "Hi! Please {r}", "Can you please {r}", "Kindly {r}",
          "Just {r}", "Quick task: {r}"]


def polite(draw: Draw, wish: str) -> str:
    """A wish such as "write a poem" as a request."""
    form = draw.wording(POLITE)
    text = capital(form.format(r=wish))
    return careless(draw, text + ("?" if form.startswith(("Could", "Can", "Would")) else "."))


# --- facts to description ---------------------------------------------------------------------------------------

AREAS = ["city centre", "riverside", "old town", "harbour", "suburbs", "university quarter", "market district", "north side", "station quarter",
    "south bank"]
CUISINES = ["Italian", "Indian", "Chinese", "French", "Japanese", "English", "Thai", "Mexican", "Greek", "Turkish", "Spanish", "Lebanese", "Korean",
    "Fast food", "vegan", "Vietnamese", "Moroccan"]
PRICES = ["cheap", "moderate", "high", "less than £20", "£20-25", "more than £30", "under €15", "€10-20", "low", "about $25"]
RATINGS = ["low", "average", "high", "1 out of 5", "3 out of 5", "5 out of 5", "4 out of 5", "2 out of 5", "8 out of 10", "excellent"]
STEMS = """Mill Eagle Vaults Phoenix Wrestlers Cricketers Plough Anchor Lantern Orchard Kettle Olive Fork Barn Spoon Bell Chimney Lighthouse Swan Fox
Garden Gate Bridge Harbour Market Corner Curtain Salt Pepper Thyme Oak Table River Stone Hart Rose Crown Star Punter Mermaid Acorn Compass
Ladle Sparrow Windmill Fountain Pelican Saddle Beacon""".split()


def place_name(draw: Draw) -> str:
    return draw.pick([f"The {draw.pick(STEMS)}", f"The {draw.pick(COLOURS).title()} {draw.pick(STEMS)}", f"{draw.pick(FIRST_NAMES)}'s",
        f"Café {draw.pick(SURNAMES)}", f"The {draw.pick(STEMS)} and {draw.pick(STEMS)}",
                      f"{draw.pick(SURNAMES)}'s {draw.pick(['Kitchen', 'Table', 'Bistro', 'Place', 'Corner'])}",
                          f"{draw.pick(CITIES)} {draw.pick(['House', 'Grill', 'Garden', 'Palace', 'Rooms'])}"])


# A clause is (kind, text): "of" stands before the noun, "with" after it, "verb" is a predicate.
EATERY = {
    "food": [("that", "serves {v} food"), ("verb", "serves {v} food"), ("verb", "offers {v} food"), ("before", "{v}")],
    "priceRange": [("verb", "is in the {v} price range"), ("with", "prices in the {v} range"), ("with", "a price range of {v}"), ("verb",
    "has a price range of {v}")],
    "area": [("place", "in the {v} area"), ("verb", "is in the {v} area"), ("verb", "is located in the {v} area"), ("verb",
    "can be found in the {v} area")],
    "near": [("place", "near {v}"), ("verb", "is near {v}"), ("verb", "is located near {v}"), ("verb", "lies close to {v}")],
    "customer rating": [("with", "a customer rating of {v}"), ("verb", "has a customer rating of {v}"), ("verb", "is rated {v} by its customers")],
    "familyFriendly": {"yes": [("before", "family-friendly"), ("verb", "is family-friendly"), ("verb", "welcomes families with children")],
                       "no": [("verb", "is not family-friendly"), ("verb", "is not suitable for families")]},
}


def restaurant(draw: Draw) -> tuple[str, dict, dict, str]:
    slots = {"name": place_name(draw), "eatType": draw.pick(["restaurant", "pub", "coffee shop", "café", "bistro", "bar"]),
        "food": draw.pick(CUISINES), "priceRange": draw.pick(PRICES), "customer rating": draw.pick(RATINGS),
             "area": draw.pick(AREAS), "familyFriendly": draw.pick(["yes", "no"]), "near": place_name(draw)}
    while slots["near"] == slots["name"]:
        slots["near"] = place_name(draw)
    return "restaurant", slots, EATERY, slots["eatType"]


HOTEL = {
    "city": [("place", "in {v}"), ("verb", "is in {v}"), ("verb", "is located in {v}")], "stars": [("with", "{v} stars"), ("verb", "has {v} stars")],
    "rooms": [("with", "{v} rooms"), ("verb", "has {v} rooms"), ("verb", "offers {v} rooms")], "price": [("verb", "costs {v} per night"), ("verb",
    "charges {v} for a night")],
    "breakfast": {"yes": [("verb", "serves breakfast"), ("verb", "offers breakfast")], "no": [("verb", "does not serve breakfast")]},
    "pets": {"yes": [("verb", "allows pets"), ("verb", "welcomes pets")], "no": [("verb", "does not allow pets")]}, "near": [("place", "near {v}"),
    ("verb", "is close to {v}")],
    "parking": {"yes": [("verb", "has parking"), ("with", "parking")], "no": [("verb", "has no parking")]},
}
PERSON = {
    "job": [("verb", "works as a {v}"), ("verb", "is a {v}")], "city": [("place", "from {v}"), ("verb", "lives in {v}")], "age": [("verb",
    "is {v} years old")], "hobby": [("verb", "likes {v}"), ("verb", "enjoys {v} in the evenings")],
    "pet": [("verb", "has a pet {v}"), ("verb", "owns a {v}")], "favourite food": [("verb", "loves {v}"), ("verb", "likes to eat {v}")],
    "employer": [("verb", "is employed at {v}"), ("verb", "is on the staff of {v}")],
    "favourite colour": [("verb", "likes the colour {v}")],
}
EVENT = {
    "place": [("place", "in {v}"), ("verb", "takes place in {v}")], "date": [("verb", "is on {v}"), ("verb", "is held on {v}")], "time": [("verb",
    "starts at {v}"), ("verb", "begins at {v}")],
    "price": [("verb", "costs {v}"), ("with", "tickets for {v}")], "guest": [("with", "{v} as its guest"), ("verb", "features {v}")],
    "food": [("verb", "offers {v} to eat"), ("with", "{v} to eat")],
    "host": [("verb", "is organised by {v}"), ("verb", "is hosted by {v}")],
}
FLAT = {
    "city": [("place", "in {v}"), ("verb", "is in {v}")], "rooms": [("with", "{v} rooms"), ("verb", "has {v} rooms")], "rent": [("verb",
    "costs {v} a month"), ("verb", "can be rented for {v} a month")],
    "size": [("verb", "measures {v}"), ("with", "{v} of space")], "balcony": {"yes": [("with", "a balcony"), ("verb", "has a balcony")],
    "no": [("verb", "has no balcony")]},
    "free from": [("verb", "is free from {v}"), ("verb", "is available from {v}")], "floor": [("verb", "is on floor {v}")], "near": [("place",
    "near {v}"), ("verb", "is near {v}")],
}
CAR = {
    "colour": [("before", "{v}"), ("verb", "is {v}")], "seats": [("with", "{v} seats"), ("verb", "has {v} seats")], "price": [("verb", "costs {v}"),
    ("verb", "is on sale for {v}")], "year": [("verb", "was built in {v}"), ("place", "from {v}")],
    "fuel": [("verb", "runs on {v}")], "mileage": [("verb", "has done {v} miles"), ("with", "{v} miles on the clock")], "owner": [("verb",
    "belongs to {v}"), ("verb", "is owned by {v}")],
}
BOOK = {
    "author": [("place", "by {v}"), ("verb", "was written by {v}")], "pages": [("with", "{v} pages"), ("verb", "has {v} pages")], "year": [("verb",
    "came out in {v}"), ("verb", "was published in {v}")],
    "setting": [("verb", "is set in {v}"), ("that", "is set in {v}")], "price": [("verb", "costs {v}")], "hero": [("verb", "is about a {v}"), ("that",
    "tells of a {v}")], "rating": [("with", "a rating of {v}"), ("verb", "is rated {v}")],
}
PRODUCT = {
    "colour": [("before", "{v}"), ("verb", "comes in {v}")], "material": [("that", "is made of {v}"), ("verb", "is made of {v}")], "price": [("verb",
    "costs {v}"), ("verb", "sells for {v}")], "maker": [("place", "from {v}"), ("verb", "is made by {v}")],
    "weight": [("verb", "weighs {v}"), ("with", "a weight of {v}")], "guarantee": [("with", "a guarantee of {v}"), ("verb",
    "has a guarantee of {v}")], "rating": [("verb", "is rated {v}"), ("with", "a rating of {v}")],
}


def thing(draw: Draw) -> tuple[str, dict, dict, str]:
    kind = draw.pick(["hotel", "person", "event", "flat", "car", "book", "product"])
    yes_no = lambda: draw.pick(["yes", "no"])
    if kind == "hotel":
        return kind, {"name": f"{draw.pick(['Hotel', 'Pension', 'Villa'])} {draw.pick(STEMS)}", "city": draw.pick(CITIES), "stars": str(draw.number(2,
            5)), "rooms": str(draw.number(8, 190)), "price": price(draw), "breakfast": yes_no(),
                      "pets": yes_no(), "near": f"the {draw.pick(['station', 'beach', 'castle', 'airport', 'park', 'museum'])}",
                      "parking": yes_no()}, HOTEL, "hotel"
    if kind == "person":
        return kind, {"name": full_name(draw), "job": draw.pick(JOBS), "city": draw.pick(CITIES), "age": str(draw.number(19, 84)),
            "hobby": draw.pick(HOBBIES), "pet": draw.pick(["cat", "dog", "parrot", "rabbit", "goldfish", "hamster"]),
                      "favourite food": draw.pick(FOODS), "employer": company(draw), "favourite colour": draw.pick(COLOURS)}, PERSON, "person"
    if kind == "event":
        return kind, {"name": f"the {draw.pick(['Spring', 'Summer', 'Harbour', 'Lantern', 'Book', 'Jazz', 'Street', 'Garden', 'Winter', 'Film'])} {draw.pick(['Festival', 'Fair', 'Party', 'Night', 'Market'])}", "place": draw.pick(CITIES), "date": date(draw),
                      "time": clock(draw), "price": price(draw), "guest": full_name(draw), "food": draw.pick(FOODS),
                      "host": company(draw)}, EVENT, "event"
    if kind == "flat":
        return kind, {"city": draw.pick(CITIES), "rooms": str(draw.number(2, 6)), "rent": price(draw),
            "size": f"{draw.number(25, 140)} square metres", "balcony": yes_no(), "free from": f"{draw.number(1, 28)} {draw.pick(MONTHS)}",
            "floor": str(draw.number(1, 9)),
                      "near": f"the {draw.pick(['station', 'park', 'university', 'hospital', 'river', 'tram stop'])}"}, FLAT, "flat"
    if kind == "car":
        return kind, {"name": f"the {draw.pick(['Norva', 'Tivo', 'Halden', 'Corso', 'Zephyr', 'Lumo', 'Karo', 'Vento'])} {draw.pick(['S', 'GT', '200', 'X3', 'Plus', '11'])}", "colour": draw.pick(COLOURS), "seats": str(draw.pick([2, 4, 5, 7])), "price": f"£{draw.number(2, 39)},{draw.number(1, 9)}00",
                      "year": str(draw.number(1998, 2025)), "fuel": draw.pick(["petrol", "diesel", "electricity", "gas"]),
                      "mileage": f"{draw.number(3, 190)},000", "owner": full_name(draw)}, CAR, "car"
    if kind == "book":
        return kind, {"title": f"\"{draw.pick(['The', 'A'])} {draw.pick(['Lost', 'Silent', 'Last', 'Hidden', 'Quiet', 'Broken', 'Golden', 'Distant'])} {draw.pick(['River', 'Letter', 'Garden', 'Lighthouse', 'Winter', 'Map', 'House', 'Promise'])}\"", "author": full_name(draw),
                      "pages": str(draw.number(90, 700)), "year": str(draw.number(1920, 2025)), "setting": draw.pick(CITIES), "price": price(draw),
                      "hero": draw.pick(JOBS), "rating": draw.pick(RATINGS[3:9])}, BOOK, "book"
    noun = draw.pick(["lamp", "backpack", "kettle", "chair", "umbrella", "watch", "vase", "tent", "table", "bicycle"])
    return kind, {"name": f"the {draw.pick(['Lumina', 'Trek', 'Nova', 'Solo', 'Fjord', 'Pico', 'Terra', 'Brisk'])} {draw.pick(['One', 'Pro', '20', 'Mini', 'XL', 'Classic'])}", "type": noun, "colour": draw.pick(COLOURS), "material": draw.pick(["wood", "steel", "glass", "cotton", "leather", "bamboo", "aluminium"]),
                  "price": price(draw), "maker": company(draw), "weight": f"{draw.number(2, 20)} kg", "guarantee": f"{draw.number(2, 10)} years",
                  "rating": draw.pick(RATINGS[3:9])}, PRODUCT, noun


def join_and(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else ", ".join(parts[:-1]) + " and " + parts[-1]


def describe(draw: Draw, slots: dict, clauses: dict, noun: str) -> str:
    """One or two sentences that say every slot once."""
    before, withs, places, thats, verbs = [], [], [], [], []
    for key in draw.sample(list(slots), len(slots)):
        if key not in clauses:
            continue
        options = clauses[key][slots[key]] if isinstance(clauses[key], dict) else clauses[key]
        kind, text = draw.pick(options)
        taken = {"before": before, "with": withs, "place": places, "that": thats, "verb": verbs}[kind]
        if (kind in ("before", "that") and taken) or (kind in ("with", "place") and len(taken) == 2):
            kind, text = next((option for option in options if option[0] == "verb"), (kind, text))
            taken = {"before": before, "with": withs, "place": places, "that": thats, "verb": verbs}[kind]
        taken.append(text.format(v=slots[key]))
    name = slots.get("name") or slots.get("title")
    person = "age" in clauses
    head = " ".join(before + [noun])
    places.sort(key=lambda place: place.startswith("near"))
    tail = " ".join([""] + places) + (" with " + join_and(withs) if withs else "") + (" that " + thats[0] if thats else "")
    if person:
        first = f"{name}{' ' + ' '.join(places) if places else ''} " + join_and(verbs[:2]) if verbs else f"{name} is {' '.join(places)}"
        verbs = verbs[2:]
    elif name:
        first = f"{name} is a {head}{tail}"
    else:
        first = f"This is a {head}{tail}" if draw.chance(0.5) else f"There is a {head}{tail} for rent"
    text = articles(capital(first)) + "."
    pronoun = name.split()[0] if person else "It"
    if verbs:
        for chunk in ([verbs] if len(verbs) < 4 else [verbs[:2], verbs[2:]]):
            text += articles(f" {pronoun} {join_and(chunk)}.")
    return text.replace("Fast food food", "Fast food")


D2T_ASKS = """write a short description of {x} with these facts|turn these facts into a sentence or two|describe {x} in natural language
describe {x}|make a short text about {x} out of this data|put this data into words
write one or two sentences about {x}|say this in plain English|write a short text that has all these facts
use all the facts to describe {x}|turn the data into a fluent text|compose a description of {x}|write up {x} from these notes
make full sentences of these notes|express these facts in a sentence or two|present {x} in a few words, using every fact
write a little text from this record|tell me about {x} in full sentences|rewrite this table as text
give a short description of {x}|verbalise this data|make a readable text from these fields
introduce {x} to our readers with these facts|write the description for this entry|summarise this record in words
form sentences from the details
turn this list into prose|produce a short text with the following details|write a listing for {x} from these fields
convert this to natural language""".replace("\n", "|").split("|")


def layout(draw: Draw, slots: dict) -> str:
    form = draw.number(0, 8)
    if form <= 2:
        return ", ".join(f"{key}[{value}]" for key, value in slots.items())
    if form == 3:
        return json.dumps(slots, ensure_ascii=False)
    if form == 4:
        return "\n" + "\n".join(f"{key}: {value}" for key, value in slots.items())
    if form == 5:
        return "\n" + "\n".join(f"- {key}: {value}" for key, value in slots.items())
    if form == 6:
        return " | ".join(f"{key} = {value}" for key, value in slots.items())
    if form == 7:
        return "; ".join(f"{key}: {value}" for key, value in slots.items())
    return ", ".join(f"{key}: {value}" for key, value in slots.items())


def data_to_text(draw: Draw) -> dict:
    kind, slots, clauses, noun = restaurant(draw) if draw.chance(0.6) else thing(draw)
    fixed = [key for key in ("name", "title", "eatType", "type") if key in slots]
    free = [key for key in slots if key not in fixed]
    kept = fixed + draw.sample(free, draw.number(2 if kind == "flat" else 1, min(6, len(free))))
    if draw.chance(0.6):
        kept = draw.sample(kept, len(kept))
    slots = {key: slots[key].replace("\"", "") if key == "title" else slots[key] for key in kept}
    shown = {key: value[4:] if key == "name" and value.startswith("the ") else value for key, value in slots.items()}
    answer = describe(draw, slots, clauses, noun)
    x = {"restaurant": "a restaurant" if slots.get("eatType") == "restaurant" else "the place", "person": "this person"}.get(kind,
        draw.pick([f"the {kind}", f"this {kind}"]))
    ask = draw.wording(D2T_ASKS).format(x=x)
    ask = capital(ask) if draw.chance(0.7) else draw.pick(["Please ", "Can you ", "I need you to "]) + ask
    facts = layout(draw, shown)
    prompt = f"{ask}:{facts if facts.startswith(chr(10)) else ' ' + facts}" if draw.chance(0.8) else f"{facts.strip()}\n\n{ask}."
    if draw.chance(0.08):
        return row("data_to_text", facts.strip(), answer, system=ask + ".", slots=shown)
    return row("data_to_text", prompt, answer, slots=shown)


# --- e-mails ----------------------------------------------------------------------------------------------------

MAILS = {
    "invitation": ("invite {name} to {what} on {day} at {clock}|an invitation to {name} for {what} on {day} at {clock}|ask {name} to come to "
    "{what} on {day}, {clock}",
                   "I would like to invite you to {what} on {day} at {clock}. It would be lovely to see you there.|We are having {what} on {day} "
                   "at {clock}, and I would be very happy if you could come.|Would you like to come to {what}? It is on {day} and starts at {clock}.|"
                   "Please join us for {what} on {day} at {clock}. We are looking forward to seeing you.|On {day} at {clock} there will be {what}, "
                   "and you are warmly invited.|I hope you are free on {day} at {clock}, because I want to invite you to {what}.|"
                   "You are invited to {what}. We start on {day} at {clock}.|It is time for {what} again! Will you come on {day} at {clock}?"),
    "reminder": ("remind {name} of {what} on {day} at {clock}|a reminder to {name} about {what} on {day}, {clock}|tell {name} not to forget {what} "
    "on {day} at {clock}",
                 "This is a short reminder of {what} on {day} at {clock}.|Please don't forget {what} on {day} at {clock}.|Just to remind you: "
                 "{what} is on {day} at {clock}.|I want to remind you that {what} takes place on {day} at {clock}.|"
                 "Please remember {what}. It starts on {day} at {clock}.|May I remind you of {what} on {day}? We begin at {clock}.|A friendly "
                 "reminder: on {day} at {clock} there is {what}.|Please keep {day} at {clock} free for {what}."),
    "apology": ("apologise to {name} for {fault}|an apology to {name} for {fault}|say sorry to {name} for {fault}",
                "I am very sorry for {fault}. It will not happen again.|Please accept my apology for {fault}. I hope you can forgive me.|I want to "
                "apologise for {fault}. It was my mistake.|I feel bad about {fault}, and I am truly sorry.|"
                "I owe you an apology for {fault}. Please forgive me.|Sorry for {fault}. I promise to do better next time.|I regret {fault} very "
                "much. I hope you are not too cross with me.|I would like to say sorry for {fault}. Please let me know how I can make up for it."),
    "thanks": ("thank {name} for {gift}|a thank-you note to {name} for {gift}|say thank you to {name} for {gift}",
               "Thank you very much for {gift}. It made me very happy.|Many thanks for {gift}. It was so kind of you.|I want to thank you for "
               "{gift}. You are a good friend.|Thanks a lot for {gift}! I was really pleased.|"
               "I am very grateful for {gift}. It means a lot to me.|A big thank you for {gift}. I won't forget it.|How kind of you! Thank you for "
               "{gift}.|I just want to say thank you for {gift}. What a lovely surprise!"),
    "complaint": ("complain to {company} that {bad}|a complaint to {company} because {bad}|tell {company} that I am unhappy because {bad}",
                  "I am not satisfied, because {bad}. Please find a solution soon.|I am writing to complain that {bad}. I expect a reply this "
                  "week.|Unfortunately {bad}. Please put this right.|I have to complain: {bad}. What will you do about it?|"
                  "I am disappointed, as {bad}. I hope you can help me quickly.|Please note that {bad}. I would like to have my money back.|I was "
                  "a happy customer until now, but {bad}. Please get in touch with me.|It is not acceptable that {bad}. Please deal with this at "
                  "once."),
    "order": ("order {n} {item} from {company}|an order of {n} {item} to {company}|tell {company} that I want to order {n} {item}",
              "I would like to order {n} {item}. Please send me the bill.|Please send me {n} {item}. I will pay on delivery.|I wish to order {n} "
              "{item}. When can you deliver them?|May I order {n} {item}? Please confirm my order.|"
              "We need {n} {item}. Please let us know the price and the delivery date.|Please take down my order: {n} {item}.|I want to buy {n} "
              "{item} from you. Please confirm.|Kindly reserve and send {n} {item} to my address."),
    "application": ("apply to {company} for the job of {job}|an application to {company} for a post as {job}|tell {company} that I would like to "
    "work there as {job}",
                    "I would like to apply for the job of {job}. I am reliable and learn quickly.|I am writing to apply for the post of {job}. I "
                    "have experience and enjoy working in a team.|I saw that you need someone to work as {job}, and I am very interested. I would "
                    "be glad to meet you.|"
                    "I am interested in the position of {job} at {company}. My CV is attached.|With this letter I apply for the job of {job}. I "
                    "look forward to hearing from you.|The post of {job} at {company} is just right for me. I would be happy to introduce myself.|"
                    "I want to work as {job} at {company}. May I come for an interview?|Please consider me for the post of {job}. I can start soon."),
    "cancelling": ("cancel {what} with {name} on {day}|tell {name} that {what} on {day} is cancelled|call off {what} with {name} on {day}",
                   "I am sorry, but I have to cancel {what} on {day}. I hope we can find another date.|Unfortunately {what} on {day} has to be "
                   "called off. Please excuse me.|Something came up, so {what} on {day} is cancelled. I'm sorry.|I'm afraid that {what} on {day} "
                   "can't take place.|"
                   "Please note that {what} on {day} is cancelled. I will suggest another date.|I must call off {what} on {day}. I am very "
                   "sorry.|Sadly I have to cancel {what} on {day}. Let us find a new date soon.|There will be no meeting on {day}: {what} is "
                   "cancelled."),
    "congratulations": ("congratulate {name} on {joy}|congratulations to {name} on {joy}|wish {name} well on {joy}",
                        "Congratulations on {joy}! I am so happy for you.|I have heard about {joy}. Congratulations and all the best!|My warmest "
                        "congratulations on {joy}. You deserve it.|Well done! I congratulate you on {joy}.|What good news! Congratulations on {joy}.|"
                        "All the best to you on {joy}! Let us celebrate soon.|I was so pleased to hear of {joy}. Many congratulations!|Hooray! "
                        "Congratulations on {joy}, and enjoy the day."),
    "leave": ("ask {name} for a day off on {day} because of {reason}|a request to {name} for leave on {day} because of {reason}|tell {name} that I "
    "need {day} off because of {reason}",
              "May I take {day} off? I need it because of {reason}.|I would like to ask for leave on {day} because of {reason}.|Could I have a day "
              "off on {day}? The reason is {reason}.|Because of {reason} I need a free day on {day}. I hope that is all right.|"
              "I am asking for a day of leave on {day} because of {reason}.|Would it be possible to have {day} off because of {reason}?|Please let "
              "me know if I can stay away on {day} because of {reason}.|I can't come in on {day} because of {reason}. May I take a day off?"),
    "late": ("tell {name} that I will be {n} minutes late because of {delay}|a note to {name} that I am {n} minutes late because of {delay}|let "
    "{name} know that I am running {n} minutes late because of {delay}",
             "I will be {n} minutes late because of {delay}. I'm sorry.|Because of {delay} I will arrive {n} minutes late. Please start without "
             "me.|Sorry, I am running {n} minutes late because of {delay}.|Please excuse me: because of {delay} I need {n} minutes more.|"
             "I am on my way, but {n} minutes late because of {delay}.|I'm sorry, there is {delay}, so I will be {n} minutes late.|Please wait for "
             "me. I'm {n} minutes late because of {delay}.|I won't be on time because of {delay}. I will be there {n} minutes later."),
    "follow-up": ("ask {name} whether there is any news about {matter}|a follow-up to {name} about {matter}|ask {name} politely about {matter} again",
                  "I wrote to you some time ago about {matter}. Is there any news?|I would like to ask again about {matter}. Thank you for your "
                  "help.|Have you had time to think about {matter}? I look forward to your reply.|Could you tell me how things stand with {matter}?|"
                  "I am still waiting for an answer about {matter}. Please let me know.|May I ask once more about {matter}? I would be glad to "
                  "hear from you.|Just a short question: is there anything new about {matter}?|I hope you are well. Do you have any news about "
                  "{matter}?"),
}
MAIL_SLOTS = {
    "what": ["our summer party", "my birthday party", "the team meeting", "a picnic in the park", "the choir concert", "dinner at our place",
    "the book club", "the school play", "a boat trip", "the house-warming party", "a game of chess", "the cooking class"],
    "fault": ["being late on {day}", "missing the meeting on {day}", "losing your {colour} umbrella", "forgetting your birthday",
    "the noise on {day}", "breaking your {colour} vase", "not calling you back", "the wrong invoice"],
    "gift": ["the {item}", "your help on {day}", "the lovely evening on {day}", "the {food}", "the {colour} flowers", "looking after my {animal}",
    "the ticket to {city}", "your letter from {city}"],
    "bad": ["the {item} arrived broken", "my parcel from {city} is {n} days late", "the heating has been cold since {day}",
    "the bill is {price} too high", "the {colour} paint came off after {n} days", "nobody answered my call on {day}", "two of the {item} are missing",
    "your driver did not come on {day}"],
    "joy": ["your new job in {city}", "your wedding in {month}", "passing your exam", "your new house in {city}", "winning the race on {day}",
    "your birthday", "the birth of little {name2}", "your prize"],
    "reason": ["a wedding in {city}", "a visit to the dentist", "my move to {city}", "my daughter's birthday", "a family party",
    "an appointment at {clock}", "my exam", "a journey to {city}"],
    "delay": ["a traffic jam near {city}", "a late train", "heavy snow", "a flat tyre", "a closed road", "a strike", "a lost key", "bad weather"],
    "matter": ["my application", "the {item} I ordered", "the offer for {n} {item}", "our trip to {city}", "the repair of my bicycle",
    "the room in {city}", "the report for {month}", "the meeting on {day}"],
}
MAIL_WISHES = """write a short e-mail to {x}|write an email to {x}|write a message to {x}|draft a short mail to {x}|compose a brief message to {x}
write a few lines to {x}|write me a short note to {x}|prepare an e-mail to {x}|formulate a short message to {x}
send-ready text, please: {x}
help me {x} in a short e-mail|word a short mail to {x}|put together a message to {x}|I want to {x}, write the text
type up a short email to {x}|create a short letter to {x}""".replace("\n", "|").split("|")
NOUN_WISHES = """write {x}|compose {x}|draft {x}|write me {x}|prepare {x}|I need {x}|word {x}|make me {x}|create {x}|formulate {x}|put together {x}
write, in a few lines, {x}|type up {x}|give me {x}|produce {x}""".replace("\n", "|").split("|")


def email(draw: Draw) -> dict:
    kind = draw.pick(list(MAILS))
    wishes, bodies = (bank.split("|") for bank in MAILS[kind])
    filling = {key: draw.pick(bank) for key, bank in MAIL_SLOTS.items()}
    base = values(draw, "name", "name2", "day", "clock", "company", "n", "item", "job", "city", "colour", "food", "animal", "price", "month")
    base["job"] = a(base["job"]) if kind == "application" else base["job"]
    base["n"] = str(draw.number(5, 50)) if kind == "late" else base["n"]
    filling = {key: articles(text.format(**base)) for key, text in filling.items()} | base
    wish, body = draw.pick(wishes), draw.pick(bodies)
    if kind == "application":
        wish, body = wish.replace("the job of {job}", "a job as {job}"), body.replace("the job of {job}",
            "the job as {job}").replace("the post of {job}", "the post as {job}").replace("the position of {job}", "a position as {job}")
    noun = wish.startswith(("a ", "an ", "congratulations"))
    request = draw.wording(NOUN_WISHES if noun else MAIL_WISHES).format(x=re.sub(r"\byour\b", "the",
        wish.format(**filling)).replace("calling you back", "calling back"))
    sender = draw.pick([name for name in FIRST_NAMES if name != filling["name"]]) if draw.chance(0.5) else None
    prompt = polite(draw, request) if not request.startswith(("I ", "send")) else capital(request) + "."
    if sender:
        prompt += draw.pick([f" Sign it with {sender}.", f" My name is {sender}.", f" It is from {sender}.", f" Signed: {sender}"])
    addressee = filling["company"] + " team" if "{company}" in wish else filling["name"]
    formal = "{company}" in wish
    answer = f"Dear {addressee},\n\n{capital(body.format(**filling))}\n\n{'Kind regards' if formal else 'Best wishes'}" + (f",\n{sender}" if sender else "")
    used = {key: filling[key] for key in slots_of(wish)}
    return row("email", prompt, answer, kind=kind, slots=used)


# --- blurbs, wishes, stories, poems -----------------------------------------------------------------------------

SHORT = {
    "an advert for {item} from {company}": "Looking for good {item}? {company} has them! Come and see our {item} today.|Treat yourself to new "
    "{item} from {company}. Fine quality at a fair price.|{company} makes {item} that you will love. Try them now!|New at {company}: {item} for "
    "every taste. Don't miss them!|Good {item} don't have to be expensive. Find yours at {company}.|Life is better with {item} from {company}. "
    "Visit us soon!",
    "a slogan for {company}, which sells {item}": "{company}: {item} you can trust.|{company} - because good {item} matter.|The best {item} come "
    "from {company}.|{company}: {item} for a brighter day.|Think of {item}, think of {company}.|{company} - {item} made with care.",
    "a job advert: {company} in {city} is looking for {a_job}": "{company} in {city} is looking for {a_job}. We offer fair pay and a friendly "
    "team. Apply now!|Join us in {city}! {company} needs {a_job}. We look forward to your application.|Are you {a_job}? {company} in {city} has a "
    "job for you. Send us your CV today.|Wanted: {a_job} for our team in {city}. {company} offers good working hours. Apply today!|{company} is "
    "hiring {a_job} in {city}. Write to us and become part of the team.|We at {company} are growing and need {a_job} in {city}. Come and work with "
    "us!",
    "a birthday wish for {name}, who likes {hobby}": "Happy birthday, {name}! I hope your new year is full of joy and {hobby}.|All the best on "
    "your birthday, {name}! May you have much time for {hobby}.|Dear {name}, happy birthday! Enjoy your day, and have fun {hobby}.|Happy birthday, "
    "dear {name}! May the year bring you health, luck and many happy hours of {hobby}.|Many happy returns, {name}! Eat some cake, and then off to "
    "{hobby}!|Cheers to you, {name}! I wish you a happy birthday and a year full of {hobby}.",
    "a photo caption: {a_animal} {place} in {city}": "{A_animal} {place} in {city}.|Spotted in {city}: {a_animal} {place}.|A quiet moment in "
    "{city}: {a_animal} {place}.|{A_animal} enjoys the day {place} in {city}.|Who is this? {A_animal} {place} in {city}!|Greetings from {city}: "
    "{a_animal} {place}.",
    "a product blurb for {colour} {item} that cost {price}": "These {colour} {item} are well made and cost only {price}. You will love them!|Bring "
    "some colour into your life with our {colour} {item} for just {price}.|Beautiful {colour} {item}, made to last, now for {price}.|Our {colour} "
    "{item} look good every day. Get yours for {price}.|For {price} these {colour} {item} can be yours. A lovely present too!|{Colour} is the "
    "colour of the year! Our {colour} {item} cost {price}.",
    "a title for a story about {a_animal} in {city}": "The {Animal} of {city}|{A_animal} in {city}|The Little {Animal} from {city}|The {Animal} "
    "Who Came to {city}|One Day in {city}: A {Animal} Story|The Secret of the {Animal} in {city}",
    "a welcome text for guests from {city} to {company}": "Dear guests from {city}, welcome to {company}! We are glad that you are here.|A warm "
    "welcome to our guests from {city}! We at {company} wish you a pleasant day.|Welcome to {company}! It is a pleasure to have guests from {city} "
    "with us.|{company} welcomes its guests from {city}. Have a lovely time with us!|Hello {city}! Welcome to {company}, and enjoy your "
    "visit.|Welcome, dear visitors from {city}! {company} is happy to see you.",
    "a get-well card for {name} in {city}": "Dear {name}, get well soon! Many greetings to {city}.|Get well soon, {name}! We are thinking of you "
    "in {city}.|Dear {name}, I hope you feel better soon. Warm wishes to {city}!|Rest and get well, {name}! I hope to see you in {city} soon.|All "
    "the best, {name}! May you soon be well and out and about in {city}.|We miss you, {name}! Get well soon and enjoy {city} again.",
    "a postcard from {city} to {name}": "Dear {name}, greetings from {city}! The weather is lovely and the food is good. See you soon!|Hello "
    "{name}, I am in {city} and having a wonderful time. I wish you were here!|Dear {name}, {city} is beautiful. I walk a lot and think of you. "
    "Best wishes!|Hi {name}! Sunny greetings from {city}. I will tell you all about it soon.|Dear {name}, many greetings from {city}. I am resting "
    "and seeing the sights.|Hi {name}, how are you? I like {city} very much. Take care!",
}
SHORT_WISHES = """write {x}|write me {x}|compose {x}|make up {x}|think of {x}|I need {x}|create {x}|give me {x}|come up with {x}|draft {x}|invent {x}|produce {x}|help me with {x}|prepare {x}|suggest {x}|put together {x}|write down {x}|word {x}|design {x}|let me have {x}""".split("|")


def story_values(draw: Draw) -> dict:
    base = values(draw, "name", "animal", "city", "place", "item", "company", "job", "hobby", "colour", "price", "food", "day")
    base["animal"] = base["animal"].lower()
    return base | {"a_job": a(base["job"]), "a_animal": a(base["animal"]), "A_animal": capital(a(base["animal"])), "Animal": base["animal"].title(),
        "Colour": capital(base["colour"])}


def blurb(draw: Draw) -> dict:
    wish = draw.pick(list(SHORT))
    base = story_values(draw)
    request = draw.wording(SHORT_WISHES).format(x=wish.format(**base))
    prompt = polite(draw, request) if not request.startswith(("I ", "let")) else capital(request) + "."
    return row("blurb", prompt, articles(draw.pick(SHORT[wish].split("|")).format(**base)), slots={key: base[key] for key in slots_of(wish)})


STARTS = """{A_animal} lived {place} in {city}.|Once upon a time there was a little {animal} in {city}.
{name} found a lost {animal} {place} in {city}.|In {city} there lived a shy {animal}.
One morning {name} from {city} saw a {animal} {place}.|A young {animal} wanted to see {city}.
{name} had a {animal} that everybody in {city} knew.|Long ago an old {animal} lived near {city}.
On a rainy day a {animal} ran through {city}.|{name} and a {animal} were the best of friends in {city}.""".replace("\n", "|").split("|")
MIDDLES = """Nobody wanted to play with it, because it was so small.|Every day it looked for something good to eat.
It was hungry and cold, and it had nowhere to go.|One night there was a great storm, and the lights went out.
It dreamed of seeing the sea one day.|It slept all day and was awake all night.
It found an old map under a stone.|It could sing more beautifully than any bird.|It lost its way in the dark and began to cry.
There was a strange box that no one could open.|It was afraid of the water.|It wanted to give a party for all its friends.
The river rose, and the bridge broke.
It had one wish: to find a friend.|One day it saw smoke coming from a window.""".replace("\n", "|").split("|")
TURNS = """Then {name} came by and smiled.|Then {name} had a good idea.|{name} heard it and came at once.
But {name} was brave and did not give up.|Suddenly {name} stood at the door with a basket full of bread.
"I will help you," said {name}.|{name} brought a lamp and a warm blanket.|So {name} asked all the neighbours to help.
{name} and the {animal} set off together.|"Don't be afraid," said {name}.|{name} listened carefully and nodded.""".replace("\n", "|").split("|")
ENDS = """From that day on they were friends.|In the evening they sat together and laughed.|And so everything turned out well.|They shared the bread and were happy.|Now the {animal} is never alone any more.|The whole town celebrated until late at night.|At home there was hot soup, and all was well again.|And they never forgot that day.
The {animal} fell asleep with a smile.|And if you listen at night, you can still hear them sing.|They all lived happily ever after.""".replace("\n",
    "|").split("|")
STORY_WISHES = """write a short story about {a_animal} and {name} in {city}|tell me a short story with {name}, {a_animal} and {city}
make up a little story in which {name} meets {a_animal} in {city}|invent a tale about {name} and {a_animal}, set in {city}
tell a bedtime story about {a_animal} in {city} and a child called {name}
write a children's story with {a_animal} in {city}; the hero is called {name}
compose a very short story: {name}, {a_animal}, {city}|write a story of a few sentences about {name} from {city} and {a_animal}
tell us a story. It should have {name}, {a_animal} and the town of {city} in it
write a story with these words: {name}, {animal}, {city}|come up with a short tale about {a_animal} that meets {name} in {city}
create a mini story about {name} and {a_animal} in {city}|give me a short story featuring {a_animal}, {name} and {city}
narrate a small adventure of {name} and {a_animal} in {city}
write four or five sentences about {name} and {a_animal} in {city}|think up a story for my child: {name} and {a_animal} in {city}
I want a story with {a_animal} and a girl or boy called {name} in {city}|a story please, with {name}, {a_animal} and {city}""".replace("\n", "|").split("|")


def story(draw: Draw) -> dict:
    base = story_values(draw)
    wish = draw.wording(STORY_WISHES).format(**base)
    first = draw.pick(STARTS)
    middle = draw.pick(MIDDLES)
    if first.startswith("{name}") or "morning {name}" in first:
        middle = re.sub(r"^It\b", "The {animal}", middle)
    turns = [turn for turn in TURNS if "{name}" not in first or not any(word in turn for word in ("came", "stood", "said {name}"))]
    parts = [first, middle, draw.pick(turns), draw.pick(ENDS)]
    prompt = polite(draw, wish) if not wish.startswith(("I ", "a ")) else capital(wish) + "."
    return row("story", prompt, articles(" ".join(parts).format(**base)), slots={key: base[key] for key in ("name", "animal", "city")})


POEMS = {
    "the moon": "The moon is round, the moon is bright,\nit shines on all of us at night.|The silver moon looks down on me\nand paints a path "
    "across the sea.", "the sea": "The sea is deep, the sea is wide,\nit comes and goes with every tide.|I hear the waves, I taste the salt,\nthe "
    "dancing water will not halt.",
    "spring": "The snow has gone, the fields are green,\nthe brightest flowers can be seen.|The birds are back, the air is sweet,\nsoft grass is "
    "growing at my feet.", "winter": "The snow falls soft on roof and tree,\na warm room is the place for me.|The lake is ice, the fields are "
    "white,\nthe stars shine clear this winter night.",
    "autumn": "The leaves turn gold, the leaves turn red,\nthey make the forest floor a bed.|The wind of autumn shakes the trees\nand plays with "
    "all the falling leaves.", "summer": "The sun is high, the sky is blue,\nI'd love to spend this day with you.|The days are long, the nights "
    "are warm,\nfar off there grumbles a small storm.",
    "rain": "The rain is tapping on the pane,\nit sings its song again, again.|Drip and drop, the rain comes down\non every roof in our town.",
    "a cat": "My cat lies sleeping in the sun\nand dreams of mice and lots of fun.|A soft grey cat upon the chair\nis washing paws and combing hair.",
    "a dog": "My dog is waiting at the door,\nhe wants to run along the shore.|He wags his tail, he jumps with joy,\nand brings me back his "
    "favourite toy.", "friendship": "A friend is there in sun and rain,\nin happy hours and in pain.|When you are near, the day is light,\na "
    "friend like you makes all things right.",
    "bread": "The baker works while others sleep,\nhis bread is good, his bread is cheap.|It smells so warm, it tastes so fine,\na slice of bread, "
    "and I feel fine.", "night": "The day is done, the birds are still,\nthe moon comes up behind the hill.|Now close your eyes and sleep in "
    "peace,\nthe noises of the daytime cease.",
    "a tree": "An old oak tree stands on the hill,\nit was there once, it stands there still.|Beneath the tree I like to rest,\nand high above me "
    "is a nest.", "the wind": "The wind is playing with my hat,\nit chases leaves, it scares the cat.|I cannot see the wind go by,\nI only hear "
    "its song and sigh.",
    "a train": "The train rolls on through field and town,\nthe sun goes up, the sun goes down.|We look out at the hills and streams,\nthe wheels "
    "sing on into our dreams.", "home": "However far I have to roam,\nthe sweetest word of all is home.|A table, bread, an open door,\na fire and "
    "friends, who could want more?",
    "books": "A book can take me far away,\nI read a new one every day.|Between two covers I can find\na whole new world to fill my mind.",
    "a bird": "A little bird sits in the tree\nand sings its morning song for me.|It spreads its wings and off it flies\ninto the wide and open "
    "skies.",
    "stars": "The stars are shining, far and high,\na thousand lamps across the sky.|I count the stars, but in the end\nI fall asleep, my little "
    "friend.", "tea": "A cup of tea, a quiet hour,\nand on the table stands a flower.|The kettle sings, the tea is hot,\nI pour it gently from the "
    "pot.",
    "a garden": "My garden is a lovely place,\nit puts a smile upon my face.|The roses bloom, the bees fly round,\nand lettuce grows out of the "
    "ground.", "music": "When music plays, I tap my feet,\nmy heart beats gladly with the beat.|A song can make a sad heart light\nand fill the "
    "darkest hour of night.",
    "a river": "The river flows beside the town,\nfrom distant hills it hurries down.|It never stops, it never stays,\nit runs through nights, it "
    "runs through days.", "snow": "The snow has covered hill and lane,\nthe world is fresh and white again.|The flakes come floating down so "
    "slow,\nand all is silent in the snow.",
    "a horse": "My horse can run, my horse can leap,\nthe ditch is wide, the ditch is deep.|We gallop over field and hill,\nand only evening finds "
    "us still.", "the sun": "The sun comes up, the night is past,\nthe golden day is here at last.|O sun, you warm the fields and me\nand make the "
    "shadows dance and flee.",
}
POEM_WISHES = """write a short poem about {x}|write a rhyme about {x}|compose a little poem on {x}|give me two rhyming lines about {x}
make up a poem about {x}|write me a verse about {x}|create a short rhyming poem about {x}|tell me a poem about {x}
I need a poem about {x}|think of a rhyme on {x}
write a couplet about {x}|a poem about {x}|recite a short poem of your own about {x}|write something that rhymes about {x}
invent a poem about {x}|produce a brief poem on the topic of {x}""".replace("\n", "|").split("|")


def poem(draw: Draw) -> dict:
    subject = draw.pick(list(POEMS))
    verses = POEMS[subject].split("|")
    wish = draw.wording(POEM_WISHES).format(x=subject)
    prompt = polite(draw, wish) if not wish.startswith(("I ", "a ")) else capital(wish) + "."
    return row("poem", prompt, verses[0] if any(word in wish for word in ("two", "couplet")) else "\n".join(verses), slots={"subject": subject})


# --- lists ------------------------------------------------------------------------------------------------------

LISTS = {
    "fruits": "apples,bananas,pears,plums,cherries,grapes,mangoes,peaches,lemons,oranges,kiwis,strawberries",
    "vegetables": "carrots,onions,cabbage,leeks,spinach,peas,beans,potatoes,celery,pumpkin,broccoli,turnips",
    "animals": "dog,cat,horse,cow,sheep,goat,lion,tiger,bear,wolf,fox,rabbit,elephant,mouse",
    "birds": "sparrow,eagle,robin,owl,swallow,pigeon,blackbird,parrot,penguin,stork,crow,duck",
    "big cities": "London,Paris,Rome,Madrid,Berlin,Tokyo,Cairo,New York,Mumbai,Sydney,Toronto,Lima",
    "countries": "France,Japan,Brazil,Kenya,Canada,Norway,Italy,Peru,India,Egypt,Poland,Mexico",
    "jobs": "teacher,baker,nurse,doctor,farmer,pilot,plumber,lawyer,painter,engineer,gardener,cook",
    "colours": "red,blue,green,yellow,orange,purple,pink,brown,black,white,grey",
    "sports": "football,tennis,hockey,golf,rugby,basketball,judo,swimming,rowing,volleyball",
    "things to pack for a holiday": "a toothbrush,a towel,socks,a swimsuit,a book,sunglasses,shoes,a passport,shirts,a phone charger,soap,a jacket",
    "ideas for a weekend": "go for a walk,visit a museum,bake a cake,meet friends,read a book,ride a bicycle,watch a film,cook a big meal,plant "
    "flowers,play cards,go swimming,have a picnic",
    "breakfast foods": "bread,eggs,porridge,jam,cheese,pancakes,yoghurt,cereal,fruit,toast,muesli,honey",
    "things you can do with a box": "store toys in it,send a parcel,make a doll's house,keep shoes in it,carry books,sort letters,build a "
    "tower,let a cat sleep in it,hide a present,collect paper",
    "musical instruments": "piano,violin,guitar,flute,drum,trumpet,cello,harp,clarinet,accordion",
    "pieces of furniture": "table,chair,bed,sofa,wardrobe,desk,bookcase,armchair,stool,bench",
    "things in a kitchen": "pan,pot,spoon,knife,fork,plate,cup,kettle,oven,fridge,bowl",
    "flowers": "rose,tulip,daisy,lily,daffodil,poppy,sunflower,violet,crocus,orchid", "drinks": "water,tea,coffee,milk,lemonade,orange "
    "juice,cocoa,apple juice,cider,cola", "items of clothing": "shirt,trousers,skirt,coat,socks,jumper,dress,scarf,gloves,hat",
    "means of transport": "car,bus,train,bicycle,plane,ship,tram,taxi,motorbike,ferry,lorry",
    "presents for a friend": "a book,flowers,chocolate,a scarf,a plant,a cup,a game,a candle,a photo album,a puzzle",
    "hobbies": "reading,cooking,painting,swimming,gardening,chess,dancing,knitting,hiking,fishing,singing",
    "school subjects": "maths,English,history,geography,biology,chemistry,physics,music,art,French",
    "tools": "hammer,saw,screwdriver,drill,pliers,spanner,file,axe,chisel", "ways to save energy": "switch off the lights,close the windows,take "
    "the bus,dry clothes in the air,cook with a lid,turn down the heating,take short showers,unplug the charger,use a bicycle",
    "rooms in a house": "kitchen,bathroom,bedroom,living room,hall,cellar,attic,study,dining room",
    "things on a desk": "pen,paper,lamp,computer,ruler,notebook,stapler,phone,calendar,scissors",
    "names for a cat": "Minka,Tiger,Luna,Felix,Snowy,Socks,Pepper,Tom,Misty,Ginger",
    "names for a dog": "Rex,Bella,Max,Buddy,Lucky,Rocky,Daisy,Bruno,Molly,Charlie",
    "tips for better sleep": "go to bed at the same time,keep the room dark,read a book,drink no coffee at night,open the window,put the phone "
    "away,take a warm bath,listen to calm music,eat a light supper",
}
LIST_WISHES = """name {n} {x}|list {n} {x}|give me {n} {x}|tell me {n} {x}|write down {n} {x}|I need {n} {x}|think of {n} {x}
make a list of {n} {x}|suggest {n} {x}|can you name {n} {x}|come up with {n} {x}|write a list of {n} {x}|let me have {n} {x}
show me {n} {x}|mention {n} {x}|which {n} {x} come to mind|list exactly {n} {x}
collect {n} {x}|what are {n} {x}|put together {n} {x}|I am looking for {n} {x}|provide {n} {x}|state {n} {x}|note {n} {x}
find {n} {x}""".replace("\n", "|").split("|")
NUMBERS = ["two", "three", "four", "five", "six", "seven"]
FORMATS = {
    "bullets": ("as bullet points|with bullets|as a bulleted list|in bullet form|each with a dash in front",
    lambda things: "\n".join(f"- {thing}" for thing in things)),
    "numbers": ("as a numbered list|numbered|with numbers|in a numbered list|1. 2. 3. and so on", lambda things: "\n".join(f"{i}. {thing}" for i,
    thing in enumerate(things, 1))),
    "lines": ("one per line|each on its own line|one on each line|on separate lines|line by line", "\n".join),
    "commas": ("separated by commas|with commas|in one line with commas|as a comma-separated list|comma separated", ", ".join),
}


def list_of(draw: Draw) -> dict:
    kind = draw.wording(list(LISTS))
    count = draw.number(2, 6)
    things = draw.sample(LISTS[kind].split(","), count)
    wish = draw.wording(LIST_WISHES).format(n=draw.pick([str(count), NUMBERS[count - 2]]), x=kind)
    shape = draw.pick(list(FORMATS)) if draw.chance(0.7) else None
    wish += f", {draw.pick(FORMATS[shape][0].split('|'))}" if shape else ""
    text = capital(wish) + ("?" if wish.startswith(("can", "which", "what")) else ".")
    return row("list", careless(draw, text), FORMATS[shape or "commas"][1](things), count=count, kind=kind, shape=shape or "commas")


# --- rewriting --------------------------------------------------------------------------------------------------

PAIRS = """purchase=buy|assist=help|commence=start|require=need|inform=tell|obtain=get|reside=live|depart=leave|attempt=try|construct=build
conceal=hide|consume=eat|converse=talk|demonstrate=show|donate=give|endeavour=try|enquire=ask|locate=find|observe=see
possess=have|prohibit=ban|select=choose|terminate=end|transmit=send|utilise=use|vacate=leave|accompany=go with|acquire=get
anticipate=expect|ascertain=find out|cease=stop|collaborate=work together|complete=finish|comprehend=understand|conclude=end
delay=put off|detect=find
determine=find out|discontinue=stop|discover=find|dispatch=send|display=show|distribute=hand out|elect=choose|eliminate=remove
encounter=meet|enlarge=make bigger|establish=set up|evaluate=judge|examine=look at|exhibit=show|extinguish=put out|fabricate=make
facilitate=help
forward=send|frighten=scare|gather=collect|halt=stop|illuminate=light up|illustrate=show|implement=carry out|indicate=show
initiate=start|inspect=check|instruct=teach|investigate=look into|maintain=keep|manufacture=make|modify=change|notify=tell
operate=run|overlook=miss
participate in=join|peruse=read|postpone=put off|preserve=keep|proceed with=go on with|produce=make|provide=give|receive=get
rectify=correct|reduce=cut|regard=see|reject=turn down|relinquish=give up|relocate=move|remark on=talk about|remedy=cure
remember=think of|remit=send
renovate=repair|repair=mend|request=ask for|respond to=answer|restrict=limit|retain=keep|reveal=show|select=pick|soothe=calm
submit=hand in|summon=call|support=help|tolerate=put up with|transport=carry|verify=check|visualise=picture|withdraw=take back""".replace("\n", "|").split("|")
ADJECTIVE_PAIRS = """beautiful=pretty|enormous=big|minute=tiny|rapid=fast|intelligent=clever|fatigued=tired|famished=hungry|affluent=rich|indigent=poor
elderly=old|courageous=brave|exhausted=tired|delighted=happy|melancholy=sad|furious=angry|peculiar=odd|novel=new|ancient=old
tranquil=calm|spacious=large|fortunate=lucky|costly=dear
prudent=careful|sincere=honest|feeble=weak|robust=strong|hazardous=dangerous|erroneous=wrong|accurate=right|vacant=empty
adjacent=near|amusing=funny|arduous=hard|compassionate=kind|diminutive=small|frigid=cold|humid=damp|immense=huge|jovial=merry
lengthy=long|obscure=dark|obstinate=stubborn|reluctant=unwilling|superior=better|terrified=afraid""".replace("\n", "|").split("|")
VERBS = """buy:bought:buys:buying|find:found:finds:finding|sell:sold:sells:selling|paint:painted:paints:painting|wash:washed:washes:washing
bring:brought:brings:bringing|take:took:takes:taking|break:broke:breaks:breaking|see:saw:sees:seeing|lose:lost:loses:losing
order:ordered:orders:ordering|count:counted:counts:counting|carry:carried:carries:carrying
collect:collected:collects:collecting|repair:repaired:repairs:repairing|forget:forgot:forgets:forgetting
choose:chose:chooses:choosing|clean:cleaned:cleans:cleaning|show:showed:shows:showing|keep:kept:keeps:keeping
steal:stole:steals:stealing|hide:hid:hides:hiding|pack:packed:packs:packing|send:sent:sends:sending""".replace("\n", "|").split("|")
PARTICIPLES = {"took": "taken", "broke": "broken", "saw": "seen", "forgot": "forgotten", "chose": "chosen", "stole": "stolen", "hid": "hidden",
    "showed": "shown"}
LONG_FORMS = [("I do not", "I don't"), ("I cannot", "I can't"), ("We will", "We'll"), ("I am", "I'm"), ("It is", "It's"), ("They are", "They're"),
    ("We have not", "We haven't"), ("She does not", "She doesn't"), ("You should not", "You shouldn't"), ("He is not", "He isn't")]
LONG_TAILS = {"I do not": "like {food}", "I cannot": "find the {item}", "We will": "come on {day}", "I am": "in {city} at the moment",
    "It is": "too late to go to {city}", "They are": "waiting {place}", "We have not": "seen the {item}", "She does not": "work on {day}",
    "You should not": "go to {city} alone", "He is not": "at home on {day}"}
IMPERATIVES = ["send me the {item}", "call {name} on {day}", "open the window", "bring {n} chairs", "wait {place}", "give me the key",
    "meet me at {clock}", "show me the way to {city}", "put the {item} on the table", "tell {name} the news", "pass me the {food}", "close the door",
    "help me with the {item}", "write to {name}", "book a room in {city}",
               "turn down the music", "pay the bill by {day}", "sign the form", "move your car", "explain the plan again"]
EXTRAS = [", who comes from {city},", ", who is a friend of mine,", ", who works as a {job},", ", whom we met on {day},",
    ", who has lived here for {n} years,"]
TAILS = [", although it was raining", ", because there was a lot of time", ", while the others were waiting", ", which surprised everybody",
    ", as we heard on {day}", ", even though it was late"]
TASK_WISHES = {
    "shorter": "make it shorter|shorten the sentence|say it in fewer words|cut this sentence down|give me a shorter version|boil it down|trim this "
    "sentence|keep only the main part|write it more briefly|reduce it to the essentials|make this concise|condense it|leave out what is not "
    "needed|put it briefly|strip it to the main point",
    "simple": "use simpler words|make it easier to read|say it in simple words|rewrite it in plain English|simplify the sentence|replace the "
    "difficult word|put it more simply|make it easy to understand|use everyday words|simplify this|write it for children|use easier language|give "
    "me a simple version|rewrite it simply|say the same with easy words",
    "polite": "make it more polite|say it politely|rewrite this as a polite request|be more polite|turn it into a polite question|make this "
    "friendlier|put it politely|phrase it more kindly|ask it nicely|make it sound polite|rewrite it courteously|how can I say this politely|soften "
    "this order|give me the polite form|reword it politely",
    "informal": "use contractions|make it informal|use short forms|write it as one would say it|make it more casual|make it sound relaxed|contract "
    "the verbs|rewrite it informally|write it in a casual way|use the contracted form|make this chatty|put it in spoken English|shorten the verb "
    "form|less formal|make it less stiff",
    "formal": "write out the contractions|make it more formal|use full forms|no contractions|write it formally|expand the short forms|rewrite it "
    "in a formal way|make it sound formal|put it in formal English|use the long forms|write the verb in full|spell out the short form|more "
    "formal|make this less casual|give me the formal version",
    "past": "put it into the past tense|change it to the past|use the past tense|rewrite it in the past tense|make it past tense|past tense|write "
    "it as if it happened yesterday|turn it into the simple past|tell it in the past|set it in the past|change the tense to past|convert it to the "
    "past tense|what is this in the past tense|past form|give me the past tense",
    "present": "put it into the present tense|change it to the present|use the present tense|rewrite it in the present tense|make it present "
    "tense|present tense|write it as if it happens every day|turn it into the simple present|tell it in the present|set it in the present|change "
    "the tense to present|convert it to the present tense|what is this in the present tense|present form|give me the present tense",
    "future": "put it into the future tense|change it to the future|use \"will\"|rewrite it in the future tense|make it future tense|future "
    "tense|write it as if it will happen tomorrow|turn it into the future|tell it in the future|set it in the future|change the tense to "
    "future|convert it to the future tense|what is this in the future tense|future form|give me the future tense",
    "question": "make a question of it|turn it into a question|make it a yes-no question|change it to a question|form a question|rewrite it as a "
    "question|ask it as a question|question form|put it as a question|convert this statement to a question|how do I ask this|what is the question "
    "form|transform it into a question|give me the question|build a question from this",
    "passive": "put it into the passive|use the passive voice|change it to the passive|passive voice|rewrite it in the passive|make it "
    "passive|turn it into a passive sentence|convert it to the passive voice|what is the passive of this|passive form|give me the passive|write it "
    "with the passive|transform it into the passive|use a passive verb|form the passive",
    "active": "put it into the active voice|use the active voice|change it to the active|active voice|rewrite it in the active voice|make it "
    "active|turn it into an active sentence|convert it to the active voice|what is the active form of this|active form|give me the active|write it "
    "with an active verb|transform it into the active|use an active verb|form the active sentence",
    "upper": "write it in capital letters|use capitals only|all caps|put it in upper case|convert it to uppercase|make every letter a "
    "capital|capital letters, please|change it to upper case|uppercase this|write everything in capitals|turn it into capitals|shout it in "
    "capitals|UPPER CASE|give it to me in capitals|use big letters only",
    "lower": "write it in small letters|use lower case only|no capitals|put it in lower case|convert it to lowercase|make every letter small|small "
    "letters, please|change it to lower case|lowercase this|write everything in lower case|turn it into small letters|remove the capitals|lower "
    "case|give it to me in small letters|use small letters only",
    "title": "write every word with a capital|use title case|title case|put it in title case|convert it to title case|capitalise every "
    "word|capitalize each word|start each word with a capital letter|make it title case|give every word a capital letter|change it to title "
    "case|begin all words with capitals|turn it into title case|capital at the start of each word|title-case this",
    "spelling": "correct the spelling|fix the typos|correct the mistakes|check the spelling|mend the spelling mistakes|spell-check this|proofread "
    "it|remove the typos|fix the spelling|repair the misspelt words|write it without mistakes|put the spelling right|correct it|find and fix the "
    "typos|what is the right spelling",
    "punctuation": "add the missing punctuation and capitals|fix the punctuation|put in the full stops and capitals|correct the punctuation|add "
    "capitals and full stops|punctuate this|set the punctuation|mend the punctuation and capital letters|write it with proper punctuation|put "
    "capitals and full stops where they belong|add full stops|make proper sentences of it|punctuate it correctly|correct capitals and "
    "punctuation|insert the punctuation",
    "join": "join the two sentences with \"and\"|make one sentence with \"and\"|connect them with \"and\"|combine both with \"and\"|put them "
    "together with \"and\"|link the sentences with \"and\"|one sentence with \"and\"|merge them using \"and\"|use \"and\" to join them|turn both "
    "into one with \"and\"|unite them with \"and\"|tie them together with \"and\"|make it one sentence, using \"and\"|join with \"and\"|write them "
    "as one with \"and\"",
    "split": "split it into two sentences|make two sentences of it|divide the sentence in two|break it into two sentences|write two short "
    "sentences|cut it into two sentences|separate it into two sentences|turn it into two sentences|two sentences instead of one|split this|rewrite "
    "it as two sentences|use two sentences|part it into two sentences|make it two|say it in two sentences",
    "plural": "put the noun into the plural|make it plural|use the plural|plural|give me the plural|change it to the plural|what is the "
    "plural|write the plural|form the plural|turn it into the plural|plural form|more than one|convert it to plural|say it for many|rewrite it in "
    "the plural",
    "singular": "put the noun into the singular|make it singular|use the singular|singular|give me the singular|change it to the singular|what is "
    "the singular|write the singular|form the singular|turn it into the singular|singular form|only one of them|convert it to singular|say it for "
    "one|rewrite it in the singular",
}
NOUNS = """dog:dogs|box:boxes|child:children|city:cities|knife:knives|mouse:mice|bus:buses|woman:women|man:men|leaf:leaves|tooth:teeth|foot:feet|baby:babies|church:churches|glass:glasses|potato:potatoes|key:keys|book:books|wolf:wolves|party:parties|house:houses|watch:watches|lady:ladies|shelf:shelves|car:cars|tree:trees|dish:dishes|goose:geese|table:tables|story:stories""".split("|")


def rewriting(draw: Draw) -> tuple[str, str, str]:
    """A task, a text and the text as the task wants it."""
    task = draw.pick(list(TASK_WISHES) + ["simple", "shorter", "polite", "past", "spelling", "passive"])
    base = values(draw, "name", "item", "food", "day", "city", "place", "clock", "job", "n", "colour")
    who = draw.pick(["{name}", "The {job}", "My sister", "Our neighbour", "The old man", "My friend"]).format(**base)
    verb, past, present, _ = draw.pick(VERBS).split(":")
    thing = draw.pick(["the {item}", "{n} {item}", "the {colour} {item}"]).format(**base)
    where = draw.pick([" {place}", " in {city}", ""]).format(**base)
    plain = f"{who} {past} {thing}{where}."
    second = draw.pick(["{name2} went home.", "{name2} cooked {food}.", "{name2} took the bus to {city}.", "{name2} called on {day}.",
        "{name2} sang a song."]).format(name2=draw.pick(FIRST_NAMES), **base)
    if task == "shorter":
        extra, tail = (draw.pick(bank).format(**base) for bank in (EXTRAS, TAILS))
        return task, articles(f"{who}{extra} {past} {thing}{where}{tail}."), f"{who} {past} {thing}{where}."
    if task == "simple":
        if draw.chance(0.4):
            hard, easy = draw.pick(ADJECTIVE_PAIRS).split("=")
            frame = draw.pick(["{name} says that they were {w}.", "They were {w} on {day}.", "I think that they are {w}.",
                "In {city} they were {w}."])
            return task, frame.format(w=hard, **base), frame.format(w=easy, **base)
        hard, easy = draw.pick(PAIRS).split("=")
        frame = draw.pick(["{name} will {w} the {item}.", "We want to {w} the {item} on {day}.", "They must {w} the {item}.",
            "Can you {w} the {item}?", "{name} had to {w} the {item} in {city}."])
        if hard in ("assist", "inform", "notify", "instruct", "accompany", "frighten", "support", "respond to", "soothe", "summon", "elect",
            "encounter", "tolerate"):
            frame = frame.replace("{item}", "{job}")
        if hard in ("reside", "depart", "converse", "endeavour", "enquire", "commence", "collaborate", "consume", "halt", "attempt", "participate in",
            "proceed with", "facilitate", "relocate"):
            frame = draw.pick(["{name} will {w} in {city}.", "We want to {w} on {day}.",
                "They must {w} at {clock}."]) if hard not in ("participate in", "consume", "proceed with", "facilitate",
                "attempt") else "{name} will {w} the work on {day}."
            if hard == "consume":
                frame = "{name} will {w} the {food}."
        if hard in ("terminate", "cease", "postpone", "delay", "conclude", "complete", "discontinue", "implement", "initiate", "anticipate",
            "evaluate", "comprehend"):
            frame = "{name} will {w} the work on {day}."
        return task, frame.format(w=hard, **base), frame.format(w=easy, **base)
    if task == "polite":
        order = draw.pick(IMPERATIVES).format(**base)
        return task, capital(order) + draw.pick([".", "!", "."]), f"Could you please {order}?"
    if task in ("informal", "formal"):
        long, short = draw.pick(LONG_FORMS)
        tail = LONG_TAILS[long].format(**base)
        pair = (f"{long} {tail}.", f"{short} {tail}.")
        return task, *(pair if task == "informal" else pair[::-1])
    if task == "past":
        return task, f"{who} {present} {thing}{where}.", plain
    if task == "present":
        return task, plain, f"{who} {present} {thing}{where}."
    if task == "future":
        return task, plain, f"{who} will {verb} {thing}{where}."
    if task == "question":
        return task, plain, f"Did {who if who.startswith(base['name']) else who[:1].lower() + who[1:]} {verb} {thing}{where}?"
    if task in ("passive", "active"):
        agent = who if who.startswith(base["name"]) else who[:1].lower() + who[1:]
        passive = f"{capital(thing)} were {PARTICIPLES.get(past, past)} by {agent}."
        active = f"{who} {past} {thing}."
        return task, *((active, passive) if task == "passive" else (passive, active))
    if task in ("upper", "lower", "title"):
        change = {"upper": str.upper, "lower": str.lower, "title": lambda s: " ".join(capital(word) for word in s.split(" "))}[task]
        return task, plain, change(plain)
    if task == "spelling":
        words = plain.split(" ")
        wrong, right = list(words), [i for i, word in enumerate(words) if len(word) > 3 and word.isalpha() and word.islower()]
        for i in draw.sample(right, min(len(right), draw.number(1, 2))):
            at = draw.number(1, len(words[i]) - 2)
            word = words[i]
            wrong[i] = draw.pick([word[:at] + word[at + 1] + word[at] + word[at + 2:], word[:at] + word[at + 1:], word[:at] + word[at] + word[at:]])
        return task, " ".join(wrong), plain
    if task == "punctuation":
        fixed = f"{plain} {second}"
        return task, fixed[:1].lower() + re.sub(r"\. The |\. My |\. Our |\. ", lambda match: match[0][1:], fixed[1:])[:-1], fixed
    if task in ("join", "split"):
        joined = f"{plain[:-1]} and {second}"
        return task, *((f"{plain} {second}", joined) if task == "join" else (joined, f"{plain} {second}"))
    single, many = draw.pick(NOUNS).split(":")
    return task, *((single, many) if task == "plural" else (many, single))


def rewrite(draw: Draw) -> dict:
    task, text, answer = rewriting(draw)
    wish = draw.wording(TASK_WISHES[task].split("|"))
    ask = capital(wish) if draw.chance(0.6) else draw.pick(["Please ", "Can you ", "Could you "]) + wish if wish.split()[0] in ("make", "use", "put",
        "write", "turn", "rewrite", "change", "correct", "fix", "join", "split", "say", "add") else capital(wish)
    ask = careless(draw, ask + ("?" if ask.startswith(("Can", "Could", "What", "How")) else "."))
    if text == answer:
        return rewrite(draw)
    if draw.chance(0.15):
        return row("rewrite", text, answer, system=ask, kind=task)
    prompt = draw.pick([f"{ask.rstrip('.?')}: {text}", f"{ask}\n\n{text}", f"{ask} \"{text}\"", f"{ask}\n{text}", f"{text}\n\n{ask}",
        f"\"{text}\" {ask}", f"{ask}\nText: {text}", f"{ask}\nSentence: {text}"])
    return row("rewrite", prompt, answer, kind=task)


# --- work on word lists -----------------------------------------------------------------------------------------

WORK = {
    "sort": "put these words in alphabetical order|sort alphabetically|sort these words from A to Z|order the words by the alphabet|alphabetical "
    "order, please|arrange the words alphabetically|sort this list|alphabetise the list|A to Z|bring the words into alphabetical order|list the "
    "words alphabetically|sort the words|alphabetically, please|rank the words by the alphabet|which order do they have in the dictionary",
    "reverse": "reverse the list|put the words in the opposite order|turn the list round|write the list backwards, last word first|reverse the "
    "order of the words|last to first|give the list in reverse order|flip the order|start with the last word and end with the first|reverse order, "
    "please|invert the order|list them from the last to the first|backwards, word by word|swap the order completely|read the list from the end",
    "duplicates": "remove the duplicates|delete the repeated words|keep every word only once|list each word once|take out the doubles|no "
    "duplicates, please|drop the repeated entries|make the list unique|clean the list of repeats|remove the second copy of each repeated word|remove double "
    "entries|cut the repetitions|deduplicate the list|each word only once|throw out repeated words",
    "count": "how many words are there|count the words|how many items are in the list|give the number of words|count the items|how long is the "
    "list|number of words|tell me how many words there are|what is the number of items|how many entries does the list have|count them|how many are "
    "there|say how many words you see|count the entries|total number of words",
    "first": "what is the first word|give me the first word|which word comes first|name the first item|first word only|tell me the first "
    "entry|what comes first in the list|write the first word|the first one, please|pick the first word|show the first word|which item is at the "
    "start|what does the list begin with|first item|say the first word",
    "last": "what is the last word|give me the last word|which word comes last|name the last item|last word only|tell me the last entry|what comes "
    "last in the list|write the last word|the last one, please|pick the last word|show the last word|which item is at the end|what does the list "
    "end with|last item|say the last word",
    "longest": "which word is the longest|what is the longest word|find the longest word|name the word with the most letters|longest word|give me "
    "the longest word|which word has the most letters|pick the longest word|show the longest word|tell me the longest word|the longest one, "
    "please|which is longest|select the longest word|write the longest word|word with most letters",
    "commas": "join the words with commas|write them in one line with commas|separate the words with commas|make a comma list|put commas between "
    "the words|as a comma-separated line|comma separated, please|turn the lines into a comma list|list them with commas|one line, commas "
    "between|connect with commas|string them together with commas|convert to a comma list|use commas|comma list",
    "bullets": "make bullet points|turn the list into bullets|as bullets, please|write one bullet per item|use bullet points|convert it to a "
    "bulleted list|put each word on a line with a dash|bullet list|format as bullets|bulleted, please|give me bullet points|make a bullet "
    "list|show the words as bullets|dash list, one per line|change this into bullet points",
    "sentence": "turn the list into a sentence that starts with \"We need\"|write one sentence: We need ...|make a sentence starting with \"We "
    "need\"|say it in one sentence with \"We need\"|one sentence beginning \"We need\"|put the items in a sentence that begins with \"We "
    "need\"|form a sentence starting \"We need\"|a \"We need\" sentence from the list|list to sentence, start: We need|write a \"We need\" "
    "sentence|tell in one sentence what we need|make the bullets a sentence starting with \"We need\"|turn it into prose starting with \"We "
    "need\"|a sentence with \"We need\", please|begin with \"We need\" and name all items",
}


def list_work(draw: Draw) -> dict:
    task = draw.pick(list(WORK))
    bank = [word for word in draw.pick([ITEMS, ANIMALS, COLOURS, FIRST_NAMES, CITIES, JOBS]) if " " not in word]
    words = draw.sample(bank, min(len(bank), draw.number(3, 9 if task == "count" else 5)))
    if task == "sentence":
        words = draw.sample(ITEMS, draw.number(2, 4))
    if task == "longest":
        longest = max(words, key=len)
        if sum(len(word) == len(longest) for word in words) > 1:
            return list_work(draw)
    separator = {"commas": "\n", "sentence": "\n- ", "bullets": ", "}.get(task) or draw.pick([", ", ", ", " ", "\n"])
    shown = list(words)
    if task == "duplicates":
        shown = words + draw.sample(words, draw.number(1, 2))
        middle = draw.sample(shown[1:], len(shown) - 1)
        shown = [shown[0]] + middle
        words = list(dict.fromkeys(shown))
    lines = separator.strip(" ") if separator != " " else " "
    tidy = " " if separator == " " else "\n" if separator == "\n" else ", "
    answer = {
        "sort": lambda: tidy.join(sorted(words, key=str.casefold)), "reverse": lambda: tidy.join(words[::-1]), "duplicates": lambda: tidy.join(words),
        "count": lambda: str(len(words)), "first": lambda: words[0], "last": lambda: words[-1],
        "longest": lambda: max(words, key=len), "commas": lambda: ", ".join(words), "bullets": lambda: "\n".join(f"- {word}" for word in words),
        "sentence": lambda: f"We need {join_and(words)}.",
    }[task]()
    text = ("- " if task == "sentence" else "") + separator.join(shown)
    wish = draw.wording(WORK[task].split("|"))
    ask = careless(draw, capital(wish) + ("?" if wish.startswith(("how", "what", "which")) else "."))
    ask = f"Please {wish}." if wish.startswith(("put", "sort", "remove", "make", "turn", "reverse", "count", "write",
        "join")) and draw.chance(0.3) else ask
    if draw.chance(0.12):
        return row("list_work", text, answer, system=ask, kind=task)
    glue = "\n" if "\n" in text else draw.pick([" ", "\n", "\n\n"])
    prompt = draw.pick([f"{ask}{glue}{text}", f"{ask}{glue}{text}", f"{text}\n{ask}",
        f"{ask}{glue}List: {text}" if "\n" not in text else f"{ask}\nList:\n{text}"])
    return row("list_work", prompt, answer, kind=task)


GENERATORS = [(data_to_text, 6), (email, 4), (blurb, 2.5), (story, 1.5), (poem, 0.8), (list_of, 2.5), (rewrite, 5), (list_work, 3.5)]
