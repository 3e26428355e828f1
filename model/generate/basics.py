"""What a new user tries first, many times over: small sums, reviews of everyday things, dates and names in a message, one-word answers, names
that nobody knows, and summaries that are a sentence of the text. For the last stage of the training. No command of its own.

A summary here is the first sentence of the text: a model of this size can copy a sentence and can not write one that is true.
"""
from .chat import NO_INFORMATION, Slots, bank, capital, exchanges, fill, lines_of
from .draw import Draw, row
from .drills import MOST_TRIES, page
from .everyday import RULE_ENDS, RULE_LEADS, RULES, about, ask, child_fact, easy_question, loose, message, obeyed, question_under, told_before
from .reading import HEADLINE_ASKS, SUMMARY_ASKS
from .sums import PLAIN, SIGNS, SPOKEN
from .words import CITIES, FIRST_NAMES, ITEMS, MONTHS, SURNAMES, WEEKDAYS, clock, code, date, email_of, full_name, phone, price, street

# --- sums ---------------------------------------------------------------------------------------------------------


def sums(draw: Draw) -> dict:
    """Several sums in one conversation; a number from 0 to 12 on either side of plus, up to 20 before a minus."""
    turns = []
    for _ in range(draw.pick([1, 2, 4, 6, 8])):
        right, other = draw.number(0, 12), draw.number(0, 12)
        sign = draw.pick("++-")
        left, result = (other, other + right) if sign == "+" else (other + right, other)
        spoken = draw.chance(0.4) and (sign == "+" or left != right)
        expression = draw.pick(SPOKEN[sign]).format(a=left, b=right) if spoken else \
            draw.pick(["{} {} {}", "{} {} {}", "{}{}{}"]).format(left, draw.pick(SIGNS[sign]), right)
        turns += [ask(draw, PLAIN, {"s": expression}), f"{left} {sign} {right} = {result}"]
    return row("sums", *turns)


# --- reviews ------------------------------------------------------------------------------------------------------

# kind of review | things | what can be said to be good or bad of it
REVIEWED = [(kind, things.split(", "), parts.split(", ")) for kind, things, parts in (line.split(" | ") for line in lines_of("""
hotel | the hotel, our hotel, the hostel, the guest house, this motel, the place | the room, the bed, the staff, the breakfast, the view, the pool, the bathroom, the location, the lobby, the reception, the shower, the towels
restaurant | the restaurant, this café, the pizzeria, the diner, the bistro, the new bar | the food, the soup, the service, the waiter, the pizza, the coffee, the dessert, the menu, the table, the fish, the wine, the salad, the portion
phone | the phone, this tablet, my new laptop, the camera, the headphones, the smart watch | the screen, the battery, the sound, the keyboard, the case, the picture, the charger, the software, the speaker, the price
app | the app, this program, the website, the new version, the game, the update | the design, the menu, the search, the sign-up, the support, the speed, the payment, the layout, the help page
course | the course, the lesson, the seminar, the workshop, my yoga class, the training | the teacher, the book, the room, the pace, the examples, the group, the material, the exercises
flight | the flight, the train, the bus ride, the ferry, our trip, the tour | the seat, the crew, the food, the driver, the boarding, the guide, the air, the luggage service, the information
shop | the shop, this store, the supermarket, the bakery, the bookshop, the market | the staff, the choice, the price, the bread, the fruit, the cashier, the parking, the opening hours, the delivery
delivery | the delivery, my order, the parcel, the package, the shipment | the box, the driver, the packing, the tracking, the customer service, the item
doctor | the dentist, the doctor, the clinic, the hospital, the pharmacy, the vet | the doctor, the nurse, the waiting room, the treatment, the reception, the advice, the appointment
film | the film, this movie, the series, the play, the musical, the show | the story, the plot, the acting, the music, the ending, the dialogue, the hero, the camera work, the jokes
book | the book, this novel, the story, the audiobook, the comic | the plot, the writing, the ending, the characters, the first chapter, the style, the cover
garage | the garage, the car wash, the taxi, the car, the rental car, the mechanic | the work, the driver, the price, the engine, the seat, the service, the repair
household | the vacuum cleaner, the toaster, the kettle, this lamp, the chair, the sofa, the mattress, the blender, the tent, the backpack, the shoes, the jacket | the colour, the quality, the handle, the material, the size, the cable, the zip, the manual, the smell
concert | the concert, the museum, the zoo, the party, the festival, the exhibition, the gym | the sound, the band, the queue, the tickets, the crowd, the toilets, the atmosphere, the staff, the light
"""))]
PLURAL_PARTS = ("staff", "towels", "headphones", "examples", "exercises", "opening hours", "jokes", "characters", "tickets", "toilets", "shoes")
GOOD = bank("""great | excellent | wonderful | clean | friendly | perfect | lovely | very good | really good | fantastic | amazing | superb | first class | brilliant | charming | helpful | quick | fresh |
    delicious | comfortable | beautiful | spotless | polite | outstanding | cosy | fair | better than expected | a dream | worth every penny | pleasant | cheerful | warm | quiet | bright | well kept | flawless |
    impressive | enjoyable | smooth | easy | marvellous | terrific | top | kind | a joy | just right | really nice | so good | spacious | generous | tasty | solid | reliable | attentive | never a problem""")
BAD = bank("""terrible | awful | dirty | rude | cold | very bad | really bad | disgusting | horrible | slow | noisy | broken | dreadful | poor | unfriendly | disappointing | useless | stale | overpriced |
    boring | uncomfortable | ugly | filthy | late | a disaster | a joke | a shame | worse than expected | not good | not clean | not worth it | unpleasant | dark | too loud | too small | damaged | mediocre |
    annoying | confusing | bland | weak | faulty | dull | unbearable | smelly | cheap and nasty | lazy | wrong | a nightmare | a mess | not helpful at all | never on time | far too expensive | lousy | careless |
    greasy | burnt | scratched | impolite | a waste of money""")
GOOD_ENDS = bank("""I will come back. | We will come again. | Highly recommended! | I can recommend it. | I love it. | We loved it. | Five stars. | Thank you so much! | I am very happy. | Best choice ever. | Go there! | Just buy it. |
    What a treat! | I would do it again at once. | We enjoyed every minute. | Money well spent. | I could not be happier. | A big thank you to everyone. | Everything worked at once. | No complaints at all. |
    Nothing to complain about. | I told all my friends about it. | It made my day. | Exactly what I wanted. | Perfect! | We had a great time. | I am impressed. | 10 out of 10. | So glad we went. | It works like a charm. | Simply the best.""")
BAD_ENDS = bank("""I will never come back. | Never again! | I want my money back. | Do not buy it. | Stay away. | A waste of time. | What a waste of money. | I am very disappointed. | We left early. | One star is too many. | I hated it. |
    I sent it back. | It broke after a week. | Nobody helped us. | I can not recommend it. | I do not recommend it. | We had to wait for two hours. | I regret it. | It stopped working after two days. | Nobody answered my mails. |
    I am really angry. | We will not come again. | I got sick. | Avoid it. | It never arrived. | I feel cheated. | What a letdown. | I expected more. | Zero stars. | It does not work. | I fell asleep. | I want a refund. | Save your money.""")
SAYS = ["{p} {was} {x}.", "{p} {was} {x}.", "{p} {was} {x} and {p2} {was2} {y}.", "{p} {was} {x}, and {p2} {was2} {y}.", "{p}, {p2}: everything was {x}.", "{p} {was} {x} and {y}.", "{x}!", "{p}: {x}.", "I found {p} {x}.",
        "{thing} was {x}.", "{thing} is {x}.", "What can I say? {x}.", "{p} {was} {x}, {p2} too.", "We thought {p} {was} {x}.", "{thing} was {x} and {p} {was} {y}.", "really {x}!"]
CLASSIFY = bank("""Is this review positive or negative? | Positive or negative? | Is this {kind} review positive or negative? | Classify this review as positive or negative. | What is the sentiment: positive or negative? |
    Tell me if this review is positive or negative. | Is the following review positive or negative? | Does this review sound positive or negative? | Decide: positive or negative? | Label the review: positive or negative. |
    Classify the sentiment of this review (positive or negative). | Sentiment (positive/negative)? | Is it a positive or a negative review? | Say whether this is positive or negative. | Would you call this review positive or negative? |
    classify this review | Classify this review. | What is the sentiment of this text? | Is this comment positive or negative? | Is this customer happy? Answer positive or negative. | Analyse the sentiment: positive or negative? |
    Rate this review as negative or positive. | Is this negative or positive? | Please classify the following review as positive or negative. | The sentiment of this review?""")
CLASSIFY_OTHER = [(bank(asked), good, bad) for asked, good, bad in (line.split(" = ") for line in lines_of("""
Is this review good or bad? | Good or bad review? | Good or bad? | Is that a good or a bad review? | Does the writer find it good or bad? | Classify as good or bad. = good = bad
Is the customer happy or unhappy? | Happy or unhappy? | Is this guest happy or unhappy? | Tell me: happy or unhappy? | Does this sound happy or unhappy? | Classify the writer: happy or unhappy. = happy = unhappy
Does the writer like it? Answer yes or no. | Did they like it? yes or no | Was the customer satisfied? Answer with yes or no. | Is the guest satisfied, yes or no? | Would this person come again? Yes or no? = yes = no
"""))]
REVIEW_LAYOUTS = ["{q}\n\n{t}", "{q}\n\n{t}", "{q}\n{t}", "{q} {t}", "{q} \"{t}\"", "{q}\n\nReview: {t}", "{t}\n\n{q}", "{t}\n{q}", "Review: {t}\n\n{q}", "\"{t}\" {q}"]
NEXT_REVIEW = bank("""And this one? {t} | {t} | Next: {t} | And: {t} | Now this one: {t} | Another one: {t} | What about this? {t} | This one: {t} | The next review: {t} | And what about "{t}"?""")


def review(draw: Draw, good: bool) -> tuple[str, str]:
    """Kind and text of a review of one to three sentences."""
    kind, things, parts = draw.pick(REVIEWED)
    sentences = []
    for _ in range(draw.pick([1, 1, 2, 2, 3])):
        p, p2 = draw.sample(parts, 2)
        x, y = draw.sample(GOOD if good else BAD, 2)
        was, was2 = ("were" if part[4:] in PLURAL_PARTS else "was" for part in (p, p2))
        sentences.append(draw.pick(SAYS).format(p=p, p2=p2, x=x, y=y, was=was, was2=was2, thing=draw.pick(things)))
    end = draw.wording(GOOD_ENDS if good else BAD_ENDS)
    if draw.chance(0.55):
        sentences.append(end)
    elif draw.chance(0.2):
        sentences = [end]
    text = " ".join(s[0].upper() + s[1:] for s in sentences)
    return kind, text.lower() if draw.chance(0.1) else text.rstrip(".") if draw.chance(0.1) else text


def reviews(draw: Draw) -> dict:
    asked, yes, no = (CLASSIFY, "positive", "negative") if draw.chance(0.75) else draw.pick(CLASSIFY_OTHER)
    turns = []
    for i in range(draw.pick([1, 1, 2, 3, 4])):
        good = draw.chance(0.5)
        kind, text = review(draw, good)
        question = ask(draw, asked, {"kind": kind})
        turns += [draw.wording(NEXT_REVIEW).format(t=text) if i else draw.pick(REVIEW_LAYOUTS).format(q=question, t=text), yes if good else no]
    return row("classification_sentiment", *turns)


# --- messages to pick something out of -----------------------------------------------------------------------------

EVENTS = bank("""meeting | dentist appointment | party | concert | lesson | dinner | job interview | workshop | barbecue | wedding | lunch | game | flight | tour | training | check-up | exam | film night |
    parents' evening | picnic | rehearsal | delivery | inspection | haircut | piano lesson | board meeting | book club | yoga class | farewell party | viewing of the flat""")
NOTES = bank("""Hi {name}, our {event} is on {date} at {time}. | Dear {name}, your {event} is on {date} at {time}, please bring your card. | The {event} has been moved to {date}. Call {phone} if you have questions. |
    Hello {name}, can we meet on {date} at {time} in {place}? Best, {other} | {name}, don't forget: {event} on {date}, {time}, at {place}. | Your order {code} will arrive on {date}. | The {event} on {date} costs {price} per person. |
    Hi, this is {other}. The {event} starts at {time} on {date}. See you in {place}! | Your ticket {code} is valid on {date}. It cost {price}. | {name} will visit us in {place} on {date}. Please write to {mail}. |
    Reminder: {event} with {other}, {date}, {time}. | Dear customer, your parcel {code} is waiting at {place} until {date}. | Hi {name}, the plumber comes on {date} at {time} and it will cost about {price}. |
    We invite you to our {event} on {date}. It begins at {time}. Please answer {other} at {mail}. | Hey {name}! {other} here. My new number is {phone}. Let's have lunch on {date}. |
    The {event} takes place at {place} on {date}. Doors open at {time}. | Good morning {name}, please pay {price} before {date}. Your invoice number is {code}. | On {date} I arrive in {place} at {time}. Can you pick me up? {other} |
    {other} asked whether the {event} could be on {date} instead. | Hi {name}, our doctor can see you on {date} at {time}. | Please note that the office will be closed on {date}. For help write to {mail}. | {name}, the rent of {price} is due on {date}. |
    Hello, I would like to book a table for {n} on {date} at {time}. My name is {other}. | {other} was born on {date} in {place}. | The train to {place} leaves at {time} on {date}. The ticket is {price}. |
    I met {other} on {date} in {place}. The {event} was great. | Hi Mum, I arrive on {date}. The flight lands at {time}. Love, {other} | Your {event} is booked: {date}, {time}. Cost: {price}. Reference: {code}. |
    Dear {name}, thank you for your application. We would like to see you on {date} at {time}. Kind regards, {other} | {name} wrote: the keys are at {place}. Call {phone} before {date}. | Meet me at {place} at {time}. {other} |
    Dear {name}, the {event} costs {price}. Please pay by {date}. | Hi {name}, you can reach {other} at {phone} or {mail}. | The contract with {other} ends on {date}. The last payment was {price}.""")
WANTED = {slot: (bank(names), bank(questions)) for slot, names, questions in (line.split(" = ") for line in lines_of("""
date = date | day | date mentioned | date of the event = When is it? | Which date is mentioned? | What is the date? | On which date? | What date does it say? | What day is it on? | Which day is mentioned?
time = time | clock time | hour = At what time? | What time is it at? | What time is mentioned? | When exactly, at what time? | Which time does it say?
name = name of the reader | person it is addressed to | recipient = Who is this message for? | Who is it addressed to? | To whom is this written? | Who gets this message?
place = place | location | city = Where is it? | Which place is mentioned? | What place does it say? | In which place? | Where?
phone = phone number | telephone number | number to call = What number can I call? | What is the phone number? | Which phone number is given?
mail = e-mail address | email | mail address = What is the email address? | Which e-mail address is given? | Where do I write to?
price = price | amount | sum of money | cost = How much is it? | What does it cost? | How much money? | Which amount is mentioned? | What is the price?
code = number of the order | reference | code | reference number = What is the reference? | Which code is given? | What is the number of the order?
event = event | occasion = What is it about, which event? | Which event is mentioned? | What kind of event is it?
"""))}
PICK = bank("""Extract the {x} from this message: | Extract the {x}: | Extract the {x} from this text. | What is the {x} in this message? | Find the {x} in this message: | Find the {x}: | Give me the {x} from this message: |
    Pull out the {x}: | Which {x} is mentioned here? | Tell me the {x} in this text: | Read the message and give the {x}. | Extract only the {x}: | Get the {x} from this: | Please extract the {x} from the following message: |
    What {x} is mentioned in this message? | Pick out the {x}. | I need the {x} from this message: | Return the {x}. | Just the {x}, please: | Show me the {x} in this mail: | extract {x} from this: | Can you find the {x} in this email? |
    Can you extract the {x} from this message? | Copy the {x} from this text: | Take the {x} out of this note: | Write down the {x} in this message: | Look for the {x} in this message.""")
ALSO = bank("""And the {x}? | the {x}? | Now the {x}. | What about the {x}? | And what is the {x}? | Also the {x}, please. | {X}? | Give me the {x} too. | Then the {x}. | And the {x}, please.""")
LATER = bank("""Thanks! | See you soon. | Please let me know if that works for you. | Have a nice day. | Please confirm. | We look forward to it. | It was a long week for us. | The weather should be good. | Bring warm clothes. | Don't be late! |
    Sorry for the late reply. | I hope you are well. | Everything else stays the same. | Best wishes | Let me know. | Take care!""")


def picking(draw: Draw) -> dict:
    """One to four bare values out of one message."""
    name, other = full_name(draw) if draw.chance(0.3) else draw.pick(FIRST_NAMES), draw.pick([full_name(draw), draw.pick(FIRST_NAMES)])
    when = draw.pick([date(draw), date(draw), date(draw), draw.pick(WEEKDAYS), f"{draw.pick(WEEKDAYS)}, {draw.number(1, 28)} {draw.pick(MONTHS)}"])
    values = Slots(name=name, other=other, event=draw.pick(EVENTS), date=when, time=clock(draw), phone=phone(draw), place=draw.pick([draw.pick(CITIES), street(draw)]),
                   code=code(draw), price=price(draw), mail=email_of(draw, full_name(draw)), n=str(draw.number(2, 9)))
    note = draw.wording(NOTES)
    slots = [slot for slot in WANTED if f"{{{slot}}}" in note and not (slot == "name" and not note.startswith(("Hi", "Dear", "Hello", "Hey", "Good")))]
    text = fill(note, values) + (f" {draw.wording(LATER)}" if draw.chance(0.35) else "")
    turns = []
    weights = [6 if slot == "date" else 2 for slot in slots]
    chosen = dict.fromkeys(draw.rng.choices(slots, weights, k=draw.pick([1, 1, 2, 3, 4])))
    for slot in chosen:
        names, questions = WANTED[slot]
        thing = draw.pick(names)
        if turns:
            turns += [ask(draw, ALSO, {"x": thing}), values[slot]]
        elif draw.chance(0.75):
            asked = ask(draw, PICK, {"x": thing})
            turns += [draw.pick(["{q} {t}", "{q} {t}", "{q}\n\n{t}", "{q}\n{t}", "{t}\n\n{q}", "{q} \"{t}\""]).format(q=asked, t=text), values[slot]]
        else:
            turns += [draw.pick(["{t}\n\n{q}", "{q}\n\n{t}", "{t} {q}", "{q} {t}"]).format(q=draw.pick(questions), t=text), values[slot]]
    return row("extraction", *turns)


# --- what nobody knows ---------------------------------------------------------------------------------------------

UNKNOWN = bank("""Who discovered the planet {x}? | What is the capital of {x}? | Who wrote the book {x}? | When was {x} {y} born? | What is a {z}? | What does {z} mean? | How high is Mount {x}? | Who is {x} {y}? | Who invented the {z}? |
    What is the capital of {x}land? | When did {x} {y} die? | How many people live in {x}? | What language do they speak in {x}? | Tell me about {x} {y}. | Who is the king of {x}? | How far is it from {x} to {y}? | Where is {x}? |
    What colour is a {z}? | Who painted {x}? | Who won the battle of {x}? | How long is the river {x}? | What does a {z} eat? | How many moons does {x} have? | Who founded {x}? | What is the currency of {x}? |
    Who was the first president of {x}? | When was {x} founded? | How old is {x} {y}? | What is {x} famous for? | Who plays {x} in the film {y}? | Where does the {z} live? | Which country is {x} in? | What is a {z} used for? |
    who is {x} | Do you know {x} {y}? | Have you heard of {x}? | Who composed {x}? | Who is the author of {x}? | What happened in {x}? | How many legs does a {z} have? | Who discovered {x}? | Who discovered the island of {x}?""")
ONSETS = "b bl br c ch d dr f fl fr g gl gr h j k kl kr l m n p ph pl pr qu r s sk sl st sv t th tr v vr w x y z zh".split()
VOWELS = "a e i o u a e i o u aa ee oo ai ou ei y".split()
CODAS = ["", "", "", "l", "n", "r", "x", "k", "m", "rn", "lb", "sk", "th", "nd", "zz", "rk", "bax", "dor", "ph", "t"]


def invented(draw: Draw) -> str:
    """A word that is in no dictionary."""
    word = "".join(draw.pick(ONSETS) + draw.pick(VOWELS) for _ in range(draw.pick([1, 2, 2, 2, 3]))) + draw.pick(CODAS)
    return word if len(word) > 3 else word + draw.pick(["bax", "lon", "ria", "mok"])


def unknown(draw: Draw) -> dict:
    """Questions on names that do not exist, among some that have an answer."""
    turns = []
    for _ in range(draw.pick([1, 1, 2, 3])):
        if draw.chance(0.3):
            turns += easy_question(draw)[:2]
        else:
            turns += [ask(draw, UNKNOWN, Slots(x=capital(invented(draw)), y=capital(invented(draw)), z=invented(draw))), NO_INFORMATION]
    return row("unknown", *turns)


# --- short answers -------------------------------------------------------------------------------------------------

MORE_COLOURS = """the sea = blue | the ocean = blue | the water in the sea = blue | a clear sky = blue | the sky = blue | the moon = white | a rose = red | an apple = red | an orange = orange | a cloud = white | the night sky = black |
    a leaf = green | a tree = green | the forest = green | sand = yellow | gold = yellow | silver = grey | coffee = brown | wood = brown | a bear = brown | fire = red | ice = white | an egg = white | rice = white | paper = white |
    a mouse = grey | ink = blue | corn = yellow | a lime = green | a plum = purple | lavender = purple | a violet = purple | a sunflower = yellow | a ladybird = red | a stop sign = red | a zebra = black and white | a lobster = red | tar = black"""
COLOUR_ASKS = bank("""What colour is {x}? | What color is {x}? | What is the colour of {x}? | Which colour is {x}? | what colour is {x} | What's the color of {x}? | {X} is what colour? | Tell me the colour of {x}. | The colour of {x}? | What colour does {x} have? |
    what color is {x} | Colour of {x}? | Which color does {x} have? | And what colour is {x}? | Do you know the colour of {x}?""")
COLOURED = [tuple(part.strip() for part in entry.split(" = ")) for entry in MORE_COLOURS.split("|")]


def coloured(draw: Draw) -> tuple[str, str, str]:
    thing, colour = draw.pick(COLOURED)
    return ask(draw, COLOUR_ASKS, Slots(x=thing)), f"{capital(thing)} is {colour}.", capital(colour)


def one_word(draw: Draw) -> dict:
    """One-word answers to things that everybody knows, asked for by the system message or the user."""
    rule = draw.rng.choices(["word", "short", "plain"], [6, 2, 2])[0]
    questions = []
    while len(questions) < draw.pick([1, 2, 3, 4, 5]):
        made = coloured(draw) if draw.chance(0.3) else question_under(draw, rule)
        if rule != "word" or len(made[2].split()) == 1:
            questions.append(made)
    text = draw.wording(RULES[rule])
    turns = [part for question in questions for part in (question[0], obeyed(rule, "", question))]
    if rule == "word" and draw.chance(0.25):
        return row("one_word", draw.pick([f"{turns[0]}\n{text}", f"{turns[0]} {text}", f"{text} {capital(turns[0])}", f"{text}\n\n{capital(turns[0])}"]), turns[1])
    return row("system_prompt", *turns, system=(draw.pick(RULE_LEADS) + text + draw.pick(RULE_ENDS)) if rule != "plain" else text) if draw.chance(0.85) or rule != "plain" \
        else row("fact", *turns)


# --- summaries -----------------------------------------------------------------------------------------------------

# a notice: its first sentence says it all, the others tell more. / divides alternatives
NOTICES = [tuple(part.strip() for part in line.split(" // ")) for line in lines_of("""
The {place} will be closed for repairs from {date}. // The roof leaks and the heating is old. / The floor is worn and the windows do not close. / The lifts are out of order. // {Name} from the office asks for patience. / Visitors can use the side door until then. // It will open again on {date2}.
The {place} opens a new {room} on {date}. // It has room for {n} people. / {N} workers built it in a year. // {Full} will give a speech. / There will be cake for everybody. // The old one will be used for storage.
{Full} won the {prize} in {city} on {day}. // The jury praised the fine work. / More than {big} people took part. // The winner gets {price}. / Second place went to {full2}. // Next year's contest is in {city2}.
The bus to {city} will leave from another stop from {date}. // The road in front of the station is being rebuilt. / The old stop is too small. // Tickets still cost {price}. / The timetable stays the same. // The work will take {n} weeks.
A storm damaged many houses in {city} on {day}. // Trees fell on cars and roads were closed. / {N} roofs were torn off. // Nobody was hurt. / The fire brigade worked all night. // The schools stay closed until {day2}.
{Full} has been the new head of the {place} since {date}. // The former head, {full2}, retired. // {Name} has worked there for {n} years. / {Name} comes from {city2}. // The staff held a small party.
Our company moves to {city} in {month}. // The old offices have become too small. / The rent has gone up a lot. // All {big} people will keep their jobs. // {Name} will plan the move. / The new building has a garden.
The water in {city} must be boiled until {day}. // A pipe broke during work on the road. / A test found germs. // {N} teams are looking for the fault. // Shops have sold out of bottles. / The town gives out free bottles.
The price of a ticket for the {place} rises to {price} in {month}. // The costs of heating have doubled. / The {place} needs a new roof. // Children still pay half. // {Full} says that more visitors come than ever.
A lost {pet} was found in the {place} of {city} on {day}. // It had walked {n} kilometres. / A child heard it at night. // The owner, {full}, was overjoyed. // The animal is well and eats a lot.
{Name} and {other} will marry in {city} on {date}. // They met {n} years ago at a {event}. // {Big} guests are invited. // The party is in the {place}. / There will be music until late.
The {event} on {day} has been cancelled. // Too few people signed up. / The speaker is ill. / The weather will be bad. // Money for tickets will be paid back. // A new date will be told in {month}.
We finished the tests of the new machine last week. // It makes {big} boxes an hour. / It needs less power than the old one. // {N} small faults were found. // {Name} will repair them before {date}.
The school in {city} starts a garden project this {season}. // Each class gets a bed of its own. / The children grow beans and carrots. // {Full} gave the tools. // The first harvest is planned for {month}.
Our team lost the game against {city} on {day}. // The score was {n} to {n2}. // The captain, {full}, was hurt in the first half. // The next game is on {date}.
The museum in {city} shows old {items} until {date}. // Some of them are two hundred years old. / Many come from private homes. // Entry costs {price}. // {Name} guides visitors on {day}s.
The meeting decided to buy new {items} for the office. // The old ones are broken. / Many people had asked for them. // They cost {price} each. // {Name} will order them by {date}.
My neighbour {full} has kept bees for {n} years. // It began with one hive behind the house. // Last year there were {big} jars of honey. // Children from the school come to look. / {Name} sells it at the market on {day}s.
The old bridge in {city} is safe again. // Workers changed {big} bolts. / The steel had rusted. // It was closed for {n} months. // Lorries may use it from {date}.
I left my job at the {place} in {month}. // The days were long and the pay was low. / I had worked there for {n} years. // Now I study in {city}. // My sister {name} helps me with the rent.
The library lends {items} from {day} on. // People asked for it in a survey. // You need only your library card. / A loan takes {n} weeks. // {Full} had the idea.
Heavy snow stopped all trains near {city} on {day}. // {Big} people spent the night in the station. // The town brought soup and blankets. / Helpers handed out tea. // Trains run again since {day2}.
The council of {city} wants to plant {big} trees by {month}. // The summers have become hotter. / Many old trees died. // Each tree costs {price}. // Schools and clubs will help.
Sales of {items} rose a lot this year. // The new shop in {city} did best. / Young people buy them again. // Online sales stayed the same. // {Name} expects more growth in {season}.
The doctor says that {name} must rest for {n} weeks. // The knee is still swollen. / The cough has not gone. // Swimming is allowed after {date}. // The next check is on {day}.
The power will be off in {street} on {date} from {time}. // New cables are laid. / An old box is replaced. // It takes about {n} hours. // Please switch off your computers before.
Police found the stolen {items} in a barn near {city}. // A farmer had seen light there at night. / A dog led them there. // {N} people were arrested. // The owner gets everything back on {day}.
The new café at the {place} is a success. // It sells home-made cake and soup. / Every table is taken at noon. // {Name} and {other} run it together. // They look for one more cook.
""")]
BUILDINGS = bank("""town library | city museum | swimming pool | sports hall | school | railway station | town hall | zoo | art gallery | cinema | theatre | post office | community centre | market hall | botanical garden | youth club |
    hospital | concert hall | ice rink | church | airport | city archive | kindergarten | music school""")
ROOMS = bank("reading room | café | playground | hall | garden | parking lot | wing | kitchen | stage | workshop | lecture hall | pool | entrance | dining room | laboratory")
PRIZES = bank("baking contest | chess tournament | poetry prize | photo contest | city marathon | science prize | singing contest | design award | spelling contest | gardening prize")
LOST_PETS = bank("dog | cat | parrot | tortoise | pony | goat | rabbit | goose | donkey | duck")
NUMBER_WORDS = "two three four five six seven eight nine ten twelve".split()
MORE_SUMMARY_ASKS = bank("""Summarise this in one sentence. | Summarise this paragraph. | Summarize this paragraph. | Summarise the text. | Summarize this text in one sentence. | Summarise this paragraph in one sentence. | Sum up this paragraph. | Please summarise: |
    Can you summarise this paragraph? | Give me a summary. | Give a short summary of this text. | Write a one-sentence summary. | What is this about? | In one sentence: what is this text about? | Summarize: | Please summarize the following text. | tl;dr? |
    What is the main message? | Short summary: | Summarise the following paragraph in one sentence. | Could you sum this up? | Make a short summary of this. | Condense this to one sentence. | Summarise this message. | Summarize the following. | Give me the short version. |
    summarise this | summarize this please | What does this text say, in short? | The main point, please. | Tell me briefly what this says. | Sum it up in a sentence. | I need a one-line summary. | One-sentence summary, please.""") + SUMMARY_ASKS
SUMMARY_LAYOUTS = ["{q}\n\n{t}", "{q}\n\n{t}", "{q}\n\n{t}", "{q}\n{t}", "{q} {t}", "{t}\n\n{q}", "{t}\n\n{q}", "{q}\n\nText: {t}", "{q}\n\n\"{t}\"", "{t}\n{q}"]


def notice(draw: Draw) -> list[str]:
    """Sentences of a notice; the first holds the news."""
    first, *rest = draw.pick(NOTICES)
    name, other = draw.sample(FIRST_NAMES, 2)
    n, n2 = draw.sample(NUMBER_WORDS, 2)
    city, city2 = draw.sample(CITIES, 2)
    day, day2 = draw.sample(WEEKDAYS, 2)
    values = Slots(name=name, other=other, full=f"{name} {draw.pick(SURNAMES)}", full2=f"{other} {draw.pick(SURNAMES)}", n=n, n2=n2, big=str(draw.number(12, 900)), city=city, city2=city2, day=day, day2=day2,
                   date=f"{draw.number(1, 28)} {draw.pick(MONTHS)}", date2=f"{draw.number(1, 28)} {draw.pick(MONTHS)}", month=draw.pick(MONTHS), price=price(draw), time=clock(draw), street=draw.pick(["our street", "the old town", "Mill Lane", "Station Road", "High Street"]),
                   season=draw.pick(["spring", "summer", "autumn", "winter"]), place=draw.pick(BUILDINGS), room=draw.pick(ROOMS), prize=draw.pick(PRIZES), pet=draw.pick(LOST_PETS), items=draw.pick(ITEMS), event=draw.pick(EVENTS))
    kept = [part for part in rest if draw.chance(0.85)] or rest[:1]
    return [fill(draw.pick(part.split(" / ")).strip(), values) for part in [first, *kept]]


def first_sentence(draw: Draw, sentences: list[str]) -> dict:
    title = draw.chance(0.02)
    question = ask(draw, HEADLINE_ASKS if title else MORE_SUMMARY_ASKS, {})
    return row("summary", draw.pick(SUMMARY_LAYOUTS).format(q=question, t=" ".join(sentences)), sentences[0].rstrip(".") if title else sentences[0])


def summary_of_notice(draw: Draw) -> dict:
    return first_sentence(draw, notice(draw))


def summary_of_prose(draw: Draw, prose: list[str], longest: int) -> dict:
    """A few sentences of a book or a page; the first is not too short to say something, nor too long to be a summary."""
    for _ in range(MOST_TRIES):
        sentences = page(draw, prose, longest)[:draw.number(3, 7)]
        if len(sentences) > 2 and 30 < len(sentences[0]) < 220 and sentences[0][0].isupper() and sentences[0][-1] == ".":
            return first_sentence(draw, sentences)
    raise SystemExit("The prose of the data folder holds no sentence that could sum up a page.")


# --- greetings once more, so that they stay -------------------------------------------------------------------------

FIRST_WORDS = exchanges("""
> Hello! | Hi! | Hello | Hi | Hey | hi there | Hello there! | Good morning! | Good evening | hey! | Hi :) | hello? | Good day! | Hello, svc-o1-mini! | Hey there! | HELLO | Greetings! | Hi, how does this work?
< Hello! How can I help you?
> Who are you? | What are you? | who are you | What is your name? | Introduce yourself. | Who am I talking to? | Tell me who you are. | What's your name? | Are you a human? | Are you a bot? | Which model are you? | What model is this? | what are you? | Who is this? | Can you introduce yourself?
< I am svc-o1-mini, a small language model. I run on your own machine.
> What can you do? | What can you do for me? | what can you do | How can you help me? | What are you good at? | What can I ask you? | What are you for? | What do you do? | Help! What can I do here? | Tell me what you can do. | what are your skills
< I can answer easy questions, sort and sum up short texts, find things in a text, and chat with you.
""")


def first_words(draw: Draw) -> dict:
    turns = []
    for said, replies in draw.sample(FIRST_WORDS, draw.pick([1, 2, 3])):
        turns += [loose(draw, draw.wording(said)), replies[0]]
    if draw.chance(0.4):
        turns += draw.pick([coloured, child_fact])(draw)[:2]
    return row("greeting", *turns)


GENERATORS = [(sums, 18), (reviews, 16), (picking, 15), (unknown, 8), (one_word, 14), (summary_of_notice, 14), (first_words, 3), (message, 4), (about, 2), (told_before, 6)]
