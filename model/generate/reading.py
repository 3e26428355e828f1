"""Texts of records and what is asked about them: questions, yes or no, fields, summaries, dialogues, tables, and the order of things.

A kind of text is a block of KINDS. Its lines: `slots` names what a record holds and how each value is made, the first slot being
what the record is about; `+` gives the variants of one sentence, the first always being told; `? slot:` the questions for a slot;
`!` questions for yes or no; `>` the summary; `#` the headline; `*` one key point. In questions {k} is the first slot's value.
"""
import json
import re
from dataclasses import dataclass, field

from .draw import Draw, row
from .words import (ANIMALS, CITIES, COLOURS, COMPANY_STEMS, FIRST_NAMES, FOODS, HOBBIES, ITEMS, JOBS, MONTHS, PLACES, STREET_NAMES, SURNAMES,
    WEEKDAYS,
                    a, clock, code, company, email_of, ordinal, phone, price, street)

NOT_SAID = "The text does not say."


# --- values -----------------------------------------------------------------------------------------------------

MALE = set("""Aaron Adam Aditya Ahmed Akira Alan Albert Alejandro Amadou Amir Anton Antonio Arjun Arthur Axel Basil Ben Benedict Bjorn Boris Brian Bruno Carlos Cedric Chidi Claude
Colin Cyrus Daniel David Dennis Derek Diego Dmitri Edgar Edwin Elias Emeka Emil Enrique Eric Ethan Felix Fernando Florian Frank Gabriel George Gustav Hadi Hamid Hans Harold Hassan
Henry Hiro Hugo Ibrahim Igor Isaac Ivan Jacob James Javier Jens Joel Johan Jonas Jorge Josef Julian Kai Kamal Karim Karl Kenji Kevin Khalid Kofi Kwame Lars Leo Leon Liam Linus
Lorenzo Lucas Luis Malik Manuel Marco Mario Mark Martin Mateo Miguel Milan Mohamed Nathan Nelson Nicolas Nils Norman Oliver Omar Oscar Otto Pablo Patrick Paul Pedro
Philip Pierre Quentin Rafael Rahul Rashid Ravi Robert Rocco Rohan Ruben Samir Samuel Sanjay Simon Soren Stefan Sven Tariq Theo Thomas Tobias Tom Tomas Victor Vikram
Xavier Yusuf""".split())
UNCLEAR = set("Andre Andrea Chen Dana Jean June Luka Noah Noor Rene Robin Sasha Wei Yuki Jade Joan".split())
CLEAR_NAMES = [name for name in FIRST_NAMES if name not in UNCLEAR]
NUMBER_WORDS = "zero one two three four five six seven eight nine ten eleven twelve".split()
ACT_VERBS = [("build", "built"), ("paint", "painted"), ("repair", "repaired"), ("sell", "sold"), ("buy", "bought"), ("photograph", "photographed"),
    ("move", "moved"), ("clean", "cleaned")]
ACT_THINGS = """a wooden boat;an old bus;a small bridge;a stone tower;a garden shed;a tree house;a windmill;a fishing boat;an old tractor;a church organ;a village clock;a water wheel;a long fence;
a small theatre;a play house;a chicken house;a grand piano;a market stall;a carousel;a hot-air balloon;a sailing ship;an old tram;a lighthouse lamp;a stone oven;a bee house""".replace("\n", "").split(";")
OTHER_ACTS = [tuple(pair.split("/")) for pair in """open a small bakery/opened a small bakery;open a music school/opened a music school;write a song about the town/wrote a song about the town;
plant a hundred trees/planted a hundred trees;start a reading club/started a reading club;swim across the lake/swam across the lake;climb the old tower/climbed the old tower;
cook soup for the whole street/cooked soup for the whole street;give away all the old books/gave away all the old books;ride a bicycle to the coast/rode a bicycle to the coast;
teach the neighbours to dance/taught the neighbours to dance;draw a map of the forest/drew a map of the forest;find an old coin/found an old coin;rescue three ducks/rescued three ducks;
found a choir/founded a choir;give a free concert/gave a free concert;make a very long scarf/made a very long scarf;save a young fox/saved a young fox;
collect two tons of rubbish/collected two tons of rubbish;hold a speech at the fair/held a speech at the fair;bake the longest loaf of the year/baked the longest loaf of the year;
show a film in the park/showed a film in the park;train a team of young runners/trained a team of young runners;walk along the whole river/walked along the whole river;
lead a march against noise/led a march against noise;invite all the neighbours to dinner/invited all the neighbours to dinner""".replace("\n",
    "").split(";")]
BANKS = {kind: words.replace("\n", "").split(";") for kind, words in {
    "device": "washing machine;laptop;printer;toaster;coffee machine;phone;vacuum cleaner;radio;camera;dishwasher;lamp;fan;heater;tablet;clock radio;fridge;keyboard;hair dryer;doorbell;kettle;mixer;scanner",
    "fault": """makes a loud noise;does not turn on;stops after a minute;smells of smoke;shows a red light;loses water;gets far too hot;does not charge;has a broken button;keeps turning itself off;
arrived with a crack;has a loose cable;is much too slow;gives off sparks;does not react at all;makes everything wet;has a dark spot;does not close;blinks all night;shakes a lot""",
    "topic": """summer party;new website;broken heating;car park;budget;holiday plan;new kitchen;winter sale;office move;safety rules;staff canteen;customer survey;school garden;film night;town festival;
new logo;cleaning plan;opening hours;bicycle shed;autumn fair;library roof;sports day;street lights;bus line;new uniforms;recycling bins;guest rooms;charity run""",
    "task": """call the printer;order new chairs;write the invitation;check the prices;book the hall;clean the store room;send the report;find a cook;ask the neighbours;repair the door;draw a plan;
count the votes;buy the paint;collect the money;update the list;choose the music;talk to the mayor;test the lamps;design the poster;rent a van;answer the letters;print the tickets;measure the room;
look for a cheaper offer""",
    "work": """paintings of horses;a book about bees;a new kind of bridge;a map of the stars;songs for children;a famous clock;letters from prison;a cure for a plant disease;a long walk around the coast;
the first school for sailors;drawings of birds;a garden of rare trees;a theory of sound;a machine for spinning wool;a dictionary of old words;a play about two brothers;a tower of glass;
photographs of mountain villages;a method of baking bread;a flute concert;puppets made of wood;a study of ants;poems about the sea;a lamp for miners;a collection of fairy tales""",
    "use": """cutting bread;carrying water;drying herbs;charging phones;cleaning windows;watering plants;storing tools;boiling eggs;measuring rooms;keeping food cold;grinding coffee;lighting dark paths;
peeling fruit;mixing dough;playing music outside;sharpening knives;folding clothes;feeding birds;finding lost keys;heating small rooms""",
    "ingredient": """carrots;onions;leeks;mushrooms;tomatoes;beans;lentils;spinach;pumpkin;potatoes;cabbage;peas;rice;chickpeas;peppers;courgettes;celery;beetroot;corn;barley;noodles;aubergines""",
    "advice": """take an umbrella;stay at home;drink a lot of water;wear a warm coat;drive slowly;close all windows;use sun cream;bring in the flower pots;leave the car at home;wear strong boots;
keep pets inside;water the garden;put on a hat;check the roof;take the train;carry a torch;avoid the forest;wear gloves""",
    "trip": """the glass museum;the old mine;a chocolate factory;the fire station;the planetarium;a sheep farm;the town archive;a weather station;the puppet theatre;the salt caves;a paper mill;
the railway museum;the bird park;a bakery;the observatory;the castle ruins;the aquarium;the radio station;a candle workshop;the maritime museum;a windmill;the court""",
    "reason": """it was a childhood dream;nobody else wanted to;a friend had asked for it;there was nothing like it in town;the children had wished for it;it was the only way to save money;
the town had waited too long;a bet had to be kept;the old one was gone;the weather was perfect;there was so much free time;the grandparents had done the same;the doctor had advised it;
it was time for something new;the street looked too grey;a book had given the idea;the neighbours needed it;the money came from a prize;it had been promised years ago;it makes people happy""",
    "weather": "sunny;rainy;cloudy;windy;foggy;stormy;snowy;misty;icy;frosty;freezing;humid;hazy;drizzly;mild",
    "petname": "Pip;Coco;Biscuit;Momo;Rufus;Pepper;Bella;Tiger;Nuts;Zorro;Daisy;Bobo;Mimi;Shadow;Caramel;Toffee;Rocky;Bubbles;Ginger;Snowy;Fluff;Hopper;Sunny;Paddy;Willow;Cloud;Buttons;Sprout;Kiwi;Dusty",
    "petfood": "apples;carrots;fresh grass;bananas;fish;corn;nuts;berries;melons;lettuce;hay;boiled eggs;sunflower seeds;pumpkin;grapes;bread crumbs;oats;cucumbers",
    "plant": """roses;tulips;cherry trees;apple trees;tomato plants;bean plants;sunflowers;strawberry plants;pumpkins;potatoes;lilies;blueberry bushes;plum trees;lavender bushes;leeks;carrots;
daisies;peonies;fig trees;raspberry bushes;herbs;dahlias;pear trees;vines;hazel bushes""",
    "spot": """behind the house;next to the shed;along the fence;near the pond;in front of the kitchen window;by the garden gate;around the old well;beside the path;on the south side;under the balcony;
between two rocks;by the stone wall;near the bench;in a wooden box;at the end of the lawn""",
    "thing": "handbag;wallet;backpack;suitcase;purse;sports bag;pencil case;box;basket;briefcase;rucksack;jewel case;camera bag;lunch box;shopping bag;tool bag;hat box;violin case;make-up bag;tin",
    "inside": """a set of keys;two theatre tickets;an old photo;a pair of glasses;a blue notebook;a silver ring;a bottle of water;a map of the town;a child's drawing;a library card;a packet of tea;
a bus pass;three pencils;a birthday card;a wool scarf;a phone charger;a small mirror;a love letter;a recipe;a pair of gloves""",
    "habitat": """in wet meadows;on dry hills;at the edge of forests;on sandy beaches;in deep valleys;beside slow rivers;on old walls;in high mountains;between rocks;in salty swamps;in open fields;
under tall trees;near hot springs;on the banks of lakes;along country roads""",
    "roadreason": """a water pipe burst;a tree fell down;the street is being painted;a bridge must be repaired;there is a street market;a film is being made;snow blocks the way;a hole has opened;
new cables are laid;a house is being torn down;there is a bicycle race;the lights are broken;a crane must be set up;the ground is too wet;there was a rock fall;oil was spilled""",
    "party": "birthday party;garden party;house-warming party;farewell party;costume party;tea party;surprise party;dinner party;summer party;wedding party;dance party;pizza party;board game night;picnic;barbecue",
    "prize": """Golden Spoon;City Art Prize;Young Writer Award;Blue Ribbon;Green Thumb Medal;Silver Pen;Science Cup;Bread Prize;Harbour Medal;Photo Award;Golden Bell;Story Prize;Bright Idea Award;
Crystal Star;Garden Cup;Music Medal;Kite Trophy;Bronze Owl;River Prize;Old Town Award""",
    "winwork": """a photo of a storm;a carrot cake;a story about a whale;a robot made of tins;a painting of the harbour;a poem about rain;a very large pumpkin;a film about bees;a chair made of paper;
a song for the town;a model of a castle;a plan for a park;a coat made of old bags;a study of mosses;a kite in the form of a fish;a cheese with herbs;a drawing of an old man;a solar oven""",
    "workplace": "bakery;library;front desk;kitchen;garage;museum shop;swimming pool;warehouse;post office;bookshop;call centre;garden centre;ticket office;cafe;pharmacy;hotel bar;night desk;laundry;toy shop;cinema",
    "sickreason": """the car broke down;the bus drivers are on strike;a tooth hurts badly;there is a wedding in the family;the flat was flooded;the train was cancelled;a child is ill;the stairs were icy;
a school exam takes all day;the dog must see the vet;a new kitchen is being delivered;the doctor ordered rest;a passport must be picked up;a cold has got worse;friends are visiting;the roof is leaking""",
}.items()}
PRODUCTS = ["lamp", "kettle", "tent", "backpack", "bicycle pump", "pocket radio", "folding chair", "water filter", "speaker", "blender",
    "coffee mill", "torch", "heater", "lunch box", "tool kit", "clock"]
EVENT_STARTS = "Spring Summer Autumn Winter Harbour River Old Town Lantern Mountain Garden Jazz Cheese Kite Book Puppet Science Bread Apple Comedy Poetry Toy Craft Flower Boat Coffee Folk Film Chess".replace("Old Town", "Old_Town").split()
EVENT_ENDS = ["Festival", "Fair", "Market", "Night", "Show", "Week", "Parade", "Concert", "Weekend", "Exhibition"]
SYLLABLES = ["ba", "bel", "cor", "da", "del", "dor", "el", "fa", "fen", "gar", "hal", "is", "ka", "kel", "la", "lor", "ma", "mir", "na", "nor", "or",
    "pa", "ral", "ro", "sa", "sil", "ta", "tol", "va", "ver", "zan"]


def invented(draw: Draw, endings: list[str]) -> str:
    return "".join(draw.pick(SYLLABLES) for _ in range(draw.pick([1, 2, 2]))).capitalize() + draw.pick(endings)


def small(draw: Draw) -> str:
    number = draw.number(2, 12)
    return NUMBER_WORDS[number] if draw.chance(0.35) else str(number)


def plain_date(draw: Draw, year: bool = False) -> str:
    day, month = draw.number(1, 28), draw.pick(MONTHS)
    if year and draw.chance(0.5):
        return draw.pick([f"{day} {month} {{y}}", f"{month} {day}, {{y}}"]).format(y=draw.number(1960, 2026))
    return draw.pick([f"{day} {month}", f"{month} {day}", f"{ordinal(day)} {month}", f"the {ordinal(day)} of {month}"])


def act(draw: Draw) -> tuple[str, str]:
    if draw.chance(0.4):
        return draw.pick(OTHER_ACTS)
    (do, did), thing = draw.pick(ACT_VERBS), draw.pick(ACT_THINGS)
    return f"{do} {thing}", f"{did} {thing}"


def thousands(draw: Draw) -> str:
    return f"{draw.number(1, 95)},{draw.number(0, 9)}00"


MAKERS = {
    "person": lambda d: f"{d.pick(CLEAR_NAMES)} {d.pick(SURNAMES)}", "person2": lambda d: f"{d.pick(CLEAR_NAMES)} {d.pick(SURNAMES)}",
    "job": lambda d: d.pick(JOBS), "city": lambda d: d.pick(CITIES), "city2": lambda d: d.pick(CITIES), "act": act,
    "date": plain_date, "date_y": lambda d: plain_date(d, year=True), "day": lambda d: d.pick(WEEKDAYS), "day2": lambda d: d.pick(WEEKDAYS),
    "time": clock, "price": price, "few": small,
    "count": lambda d: str(d.pick([d.number(13, 60), d.number(20, 300)])), "items": lambda d: d.pick(ITEMS), "food": lambda d: d.pick(FOODS),
    "company": company, "code": code, "phone": phone,
    "street": street, "colour": lambda d: d.pick(COLOURS), "animal": lambda d: d.pick(ANIMALS), "hobby": lambda d: d.pick(HOBBIES),
    "month": lambda d: d.pick(MONTHS),
    "age": lambda d: str(d.number(16, 89)), "place_the": lambda d: d.pick(PLACES), "year": lambda d: str(d.number(1610, 2024)),
    "room": lambda d: d.pick([f"room {d.number(1, 420)}", f"the {d.pick(COLOURS)} room", f"hall {d.pick('ABCDEF')}", f"studio {d.number(1, 30)}",
    f"office {d.number(100, 399)}"]),
    "product": lambda d: f"{d.pick(COMPANY_STEMS)} {d.pick(PRODUCTS)}", "weight": lambda d: d.pick([f"{d.number(11, 99) * 10} grams",
    f"{d.number(2, 30)} kilos", f"{d.number(1, 9)}.{d.number(1, 9)} kg"]),
    "event": lambda d: f"{d.pick(EVENT_STARTS).replace('_', ' ')} {d.pick(EVENT_ENDS)}", "hotel": lambda d: d.pick([f"{d.pick(COMPANY_STEMS)} Hotel",
    f"Hotel {d.pick(COMPANY_STEMS)}", f"{d.pick(COMPANY_STEMS)} Inn"]),
    "minutes": lambda d: str(d.number(3, 24) * 5), "degrees": lambda d: str(d.number(12, 36)), "low": lambda d: str(d.number(2, 11)),
    "team": lambda d: d.pick([f"{d.pick(CITIES)} {d.pick(['United', 'Rovers', 'City', 'Tigers', 'Bears', 'Sharks', 'Eagles'])}",
    f"the {d.pick(COMPANY_STEMS)} {d.pick(['Lions', 'Wolves', 'Foxes', 'Stars', 'Bulls'])}"]),
    "score": lambda d: d.pick([f"{d.number(3, 9)}:{d.number(0, 2)}", f"{d.number(3, 9)}-{d.number(0, 2)}", f"{d.number(60, 99)}-{d.number(30, 59)}"]),
    "zoo": lambda d: d.pick([f"{d.pick(CITIES)} Zoo", f"{d.pick(COMPANY_STEMS)} Animal Park", f"{d.pick(STREET_NAMES)} Farm"]),
    "floor": lambda d: d.pick("first second third fourth fifth sixth seventh eighth top ground".split()),
    "hours": lambda d: str(d.number(8, 42)), "pay": lambda d: d.pick([f"{d.number(11, 38)} euros an hour", f"${d.number(12, 45)} an hour",
    f"£{d.number(16, 48) * 100} a month", f"{d.number(15, 52) * 100} euros a month"]),
    "land": lambda d: invented(d, ["ia", "os", "ey", "una", "ora"]), "landtown": lambda d: invented(d, ["ton", "haven", "burg", "port", "stad"]),
    "landriver": lambda d: invented(d, ["e", "ow", "in", "ar"]),
    "big": thousands, "kindname": lambda d: f"{d.pick('hairy tall dwarf silent bitter sweet wild spotted creeping common giant early late noble thorny soft royal mountain river sand'.split())} {invented(d, ['wort', 'bell', 'root', 'weed', 'thorn']).lower()}",
    "height": lambda d: d.pick([f"{d.number(12, 99)} centimetres", f"{d.number(2, 30)} metres", f"{d.number(2, 9)} feet"]),
    "roadname": lambda d: f"{d.pick(STREET_NAMES)} {d.pick(['Street', 'Road', 'Lane', 'Avenue'])}",
    "title": lambda d: f"{d.pick(['The Last', 'The Silent', 'The Lost', 'A Small', 'The Second', 'My Own', 'The Golden', 'Beyond the', 'The Long', 'Under the'])} {d.pick(['River', 'Winter', 'Garden', 'Letter', 'Island', 'Train', 'Mirror', 'Lighthouse', 'Orchard', 'Song', 'Door', 'Summer', 'Clock', 'Bridge', 'Forest', 'Harbour'])}",
    "pages": lambda d: str(d.number(90, 790)), "length": lambda d: d.pick([f"{d.number(30, 990)} metres", f"{d.number(2, 9)} kilometres",
    f"{d.number(90, 990)} feet"]),
    "million": lambda d: f"{d.number(2, 90)} million {d.pick(['euros', 'dollars', 'pounds', 'crowns'])}",
    "bridge": lambda d: f"{d.pick(COMPANY_STEMS + SURNAMES)} Bridge",
    "restaurant": lambda d: d.pick([f"{d.pick(['Chez', 'Casa', 'Villa', 'Bistro', 'Cafe'])} {d.pick(FIRST_NAMES)}",
    f"The {d.pick(COLOURS).title()} {d.pick(ANIMALS).title()}"]),
    "klass": lambda d: f"class {d.number(1, 12)}{d.pick('abcdef')}",
}
MAKERS |= {"pupils": lambda d: str(d.number(14, 34)), "rent": lambda d: d.pick([f"{d.number(7, 48) * 50} euros", f"${d.number(8, 52) * 50}",
    f"£{d.number(7, 45) * 50}"])}
MAKERS["roadname2"] = MAKERS["roadname"]

KINDS = r"""
@ news
slots name=person job=job city=city act=act date=date_y reason=reason helper=person
+ {name}, a {job} from {city}, {did} on {date}. | On {date}, {name}, a {job} from {city}, {did}. | A {job} called {name} {did} on {date}, reports a
    newspaper in {city}. | {city} has something to talk about: {name}, a local {job}, {did} on {date}. | It was on {date} that the {job} {name}
    from {city} {did}. | News from {city}: {name} {did} on {date}. {first} works as a {job}. | {name} works as a {job} in {city}. On {date}, {he}
    {did}.
+ {first} did it because {reason}. | The reason was simple: {reason}. | Asked why, {first} said that {reason}. | "I did it because {reason},"
    {first} said. | {first} explained that {reason}. | Why? Because {reason}, said {first}. | According to {first}, the reason was that {reason}.
+ {helper} helped {him} with it. | {first} was helped by {helper}. | {first} thanked {helper} for the help. | {helper} was there to help {first}. |
    Without {helper}, said {first}, it would not have worked. | {first} did not do it alone: {helper} lent a hand. | Help came from {helper}, who
    is an old friend of {first}.
? name: Who {did}? | Who {did} on {date}? | Which {job} {did}? | What is the name of the {job} who {did}? | Who was it that {did}? | Name the
    person who {did}. | What is the {job} from {city} called? | Which person {did}? | Who is the {job} in this text? | Which person from {city}
    {did}?
? job: @job
? city: Which city is {k} from? | Where is {k} from? | From which city does {k} come? | What city does {k} come from? | Which city is mentioned for
    {k}? | Which place is {k} from? | Where does the {job} {k} come from? | Which city is home to {k}? | In which city is {k} at home? | Name the
    city {k} is from. | What is {k}'s city?
? date: @when
? reason: @why
? helper: Who helped {k}? | Who gave {k} a hand? | By whom was {k} helped? | From whom did {k} get help? | Who lent {k} a hand? | Name the person
    who helped {k}. | Who was {k}'s helper? | Which person supported {k}? | Who was at {k}'s side? | Whose help did {k} have? | Who assisted {k}?
! Is {k} a {job}? | Is {k} from {city}? | Was {k} helped by {helper}? | Did {helper} help {k}? | Was it on {date} that {k} {did}? | Does {k} come
    from {city}? | Is {k}'s job {job}?
> {name}, a {job} from {city}, {did} on {date}.
# {job} from {city} {did}
* {name} is a {job} from {city}
* {first} {did} on {date}
* The reason: {reason}
* {helper} helped

@ order
slots name=person item=items count=few company=company code=code date=date price=price email=email
+ {name} ordered {count} {item} from {company} on {date}. | On {date}, {name} bought {count} {item} at {company}. | {company} received an order for
    {count} {item} from {name} on {date}. | Dear {company}, on {date} I ordered {count} {item}. My name is {name}. | Order of {date}: {name} wants
    {count} {item} from {company}. | {company} thanks {name} for the order of {count} {item} on {date}. | {count} {item} were ordered from
    {company} by {name} on {date}.
+ The order number is {code}. | The order of {first} has the number {code}. | Please always give the order number {code}. | This order is filed as
    {code}. | The reference for {first}'s order is {code}. | You find it under the number {code}. | Number of the order: {code}.
+ The total is {price}. | {first} paid {price} in all. | Together this costs {price}. | The bill comes to {price}. | {first} was charged {price}. |
    {price} has been taken from {first}'s card. | All in all {first} has to pay {price}.
+ The bill goes to {email}. | {first} can be reached at {email}. | Please write to {email} when the goods are on their way. | {first}'s e-mail
    address is {email}. | Questions to {first} go to {email}. | A receipt was sent to {email}. | Send the receipt to {email}, please.
? name: Who ordered {item}? | Who bought {item}? | Who is the customer with the {item}? | Who placed the order with {company}? | By whom were the
    {item} ordered? | Which customer wants {item}? | Who is buying {count} {item}? | What is the name of the buyer of the {item}? | Whose order
    contains {item}? | Name the person who ordered {item}.
? item: What did {k} order? | What did {k} buy? | Which goods did {k} order? | What does {k} want to have? | What was ordered by {k}? | Which
    things are in {k}'s order? | What kind of goods did {k} choose? | What is {k} buying? | What did {company} sell to {k}? | Which product did {k}
    pay for?
? count: How many {item} did {k} order? | How many {item} did {k} buy? | What number of {item} does {k} want? | How many {item} were ordered by
    {k}? | How many {item} are in {k}'s order? | How many pieces did {k} buy? | What quantity did {k} order? | How many of the {item} does {k} get?
? company: Which company did {k} order from? | Where did {k} buy the {item}? | Which shop sold the {item} to {k}? | From whom did {k} order the
    {item}? | What is the company that gets {k}'s order called? | Who sold {item} to {k}? | Which company sells {item} to {k}? | What shop did {k}
    use? | Name the company {k} bought from. | Which firm sends {k} the {item}?
? code: What is the order number of {k}? | Which number does {k}'s order have? | What is {k}'s order number? | Give the number of {k}'s order. |
    Under which number is {k}'s order filed? | What is the reference of {k}'s order? | How is the order of the {item} numbered? | What order number
    is given? | Which code belongs to {k}'s order? | Tell me the order number for the {item}.
? date: When did {k} order the {item}? | On what date did {k} order? | On which day were the {item} ordered? | When was the order for the {item}
    placed? | What is the date of {k}'s order? | When did {k} buy the {item}? | What day did {k} place the order? | On which date did {company} get
    the order? | When were {k}'s {item} bought? | What date does {k}'s order have?
? price: How much did {k} pay? | What did the {item} cost {k}? | How much does {k} have to pay? | What is the total of {k}'s order? | What is the
    price of {k}'s order? | How much money does {company} get from {k}? | How high is {k}'s bill? | What sum is {k} charged? | What is the cost of
    the {item} in all? | How much is {k}'s order?
? email: @email
! Did {k} order {item}? | Did {k} buy {count} {item}? | Was the order placed on {date}? | Did {k} order from {company}? | Is {code} the number of
    {k}'s order? | Is the total of {k}'s order {price}? | Does {company} sell {item} to {k}?
> {name} ordered {count} {item} from {company}.
# {company} gets order for {count} {item}
* {name} ordered {count} {item}
* Seller: {company}
* Order number: {code}
* Total: {price}

@ support
slots name=person item=device fault=fault since=day code=code phone=phone wish=[a new one;the money back;a repair;a spare part;a visit from a
    technician;a clear answer;a voucher;a call back;a free cleaning;an exchange]
+ My name is {name} and my {item} {fault}. | {name} writes that the {item} {fault}. | Hello, this is {name}. The {item} I bought from you {fault}.
    | Message from {name}: the {item} {fault}. | {name} complains that the {item} {fault}. | Dear support team, my {item} {fault}. Best wishes,
    {name}. | A customer called {name} tells us that the {item} {fault}.
+ It started on {since}. | The trouble began on {since}. | {first} has had this problem since {since}. | Since {since} it has been like this, says
    {first}. | On {since} everything was still fine in the morning, then the fault appeared. | The first time was on {since}. | {first} noticed it
    on {since}.
+ {first} would like {wish}. | {first} asks for {wish}. | What {first} wants is {wish}. | {first} hopes for {wish}. | The wish of {first}: {wish}.
    | {first} demands {wish}. | {first} expects {wish}.
+ The receipt has the number {code}. | Receipt number: {code}. | The number on {first}'s receipt is {code}. | {first} gives the receipt number
    {code}. | The case is filed under {code}. | Please note the case number {code}. | {first}'s case has the number {code}.
+ {first} can be called at {phone}. | Please call {first} at {phone}. | {first}'s phone number is {phone}. | For questions, ring {phone}. | The
    number to ring is {phone}. | {first} waits for a call at {phone}. | You can reach {first} under {phone}.
? name: Who has a problem with the {item}? | Whose {item} {fault}? | Who wrote about the {item}? | What is the name of the customer with the
    {item}? | Which customer complains about the {item}? | Who is unhappy with the {item}? | Who contacted the support about the {item}? | Who
    needs help with the {item}? | Who owns the {item}? | Name the customer with the {item}.
? item: Which device does {k} have trouble with? | What is broken at {k}'s? | Which thing does {k} complain about? | What does {k} need help with?
    | Which of {k}'s things does not work well? | What product is {k} writing about? | What causes {k} trouble? | What device is {k}'s message
    about? | Which product is faulty for {k}? | What did {k} buy?
? fault: What is wrong with {k}'s {item}? | What is the problem with the {item}? | What does the {item} of {k} do? | Which fault does {k} report? |
    What is {k}'s complaint about the {item}? | What happens with the {item}? | Describe the problem of {k}'s {item}. | What trouble does the
    {item} make? | How does the {item} misbehave? | What fault does the {item} have?
? since: Since when has {k} had the problem? | When did {k}'s problem start? | On which day did the trouble with the {item} begin? | Since which
    day has the {item} been faulty? | When did {k} notice it first? | What day did the fault appear? | When did the problem with the {item} begin?
    | On what day did it start for {k}? | Which day does {k} name? | How long ago did it start: since which day?
? wish: What does {k} want? | What would {k} like to get? | What is {k} asking for? | What does {k} hope for? | Which solution does {k} want? |
    What should {k} get? | What does {k} expect? | What is {k}'s wish? | What does {k} ask the company for? | How can we make {k} happy?
? code: What number does {k} give? | What is the number of {k}'s receipt or case? | Which case or receipt number belongs to {k}? | Give {k}'s case
    or receipt number. | Which reference number is in {k}'s message? | What is the reference number for the {item}? | What number is noted for {k}?
    | Under which number is {k}'s matter found?
? phone: @phone
! Does {k} have trouble with a {item}? | Did {k}'s problem start on {since}? | Does {k} want {wish}? | Is {phone} the number to call {k}? | Is
    {code} the number in {k}'s message? | Would {k} like {wish}?
> {name} reports that the {item} {fault}.
# {item} {fault}
* {name}'s {item} {fault}
* Since: {since}
* Wish: {wish}
* Phone: {phone}

@ meeting
slots topic=topic chair=person day=day time=time room=room person=person task=task deadline=date
+ {chair} led the meeting about the {topic}. | The {topic} was the subject of the meeting led by {chair}. | Notes on the {topic}: the meeting was
    led by {chair}. | At the meeting about the {topic}, {chair} was in the chair. | We met to talk about the {topic}; {chair} was in the chair. |
    {chair} opened the meeting about the {topic}. | Meeting notes. Subject: the {topic}. Led by {chair}.
+ {person} will {task} by {deadline}. | It was agreed that {person} will {task} by {deadline}. | Task for {person}: {task} by {deadline}. | By
    {deadline}, {person} has to {task}. | {person} promised to {task} by {deadline}. | We asked {person} to {task}, at the latest by {deadline}. |
    {person} is going to {task}. It has to be done by {deadline}.
+ The next meeting about the {topic} is on {day} at {time} in {room}. | We meet again on {day} at {time} in {room}. | Next time: {day}, {time},
    {room}. | The group comes together again on {day} at {time}, this time in {room}. | The following meeting will take place in {room} on {day} at
    {time}. | Please be in {room} on {day} at {time} for the next round. | On {day} at {time} we will talk again, in {room}.
? topic: What did {chair} lead a meeting about? | What was the meeting led by {chair} about? | What was the subject of the meeting? | What did the
    group talk about with {chair}? | Which subject was discussed? | What was on the table at {chair}'s meeting? | What topic did the people talk
    about? | Which matter did {chair}'s meeting deal with?
? chair: Who led the meeting about the {topic}? | Who was in the chair? | Who was the leader of the meeting about the {topic}? | By whom was the
    meeting led? | Who chaired the meeting? | Which person led the talk about the {topic}? | Who guided the meeting? | Name the person who led the
    meeting about the {topic}. | Under whose lead did the group talk about the {topic}?
? person: Who will {task}? | Who has to {task}? | Who promised to {task}? | Who was asked to {task}? | Whose task is it to {task}? | Who is going
    to {task}? | Which person is to {task}? | Who got the job to {task}? | Name the person who will {task}.
? task: What will {person} do? | What does {person} have to do? | What is {person}'s task? | What did {person} agree to do? | Which job does
    {person} have now? | What should {person} do by {deadline}? | What was {person} told to do? | Which task was given to {person}? | What has to
    be done by {person}?
? deadline: By when does {person} have to {task}? | What is the deadline for {person}? | By which date must {person} be ready? | What is the last
    date for {person}'s task? | Until when does {person} have time? | By what date will {person} {task}? | When must {person}'s task be done? |
    What date was set for {person}'s task?
? day: On which day is the next meeting about the {topic}? | What day will the group meet again? | On what day is the following meeting? | Which
    day was chosen for the next meeting? | What weekday is the next meeting? | On which weekday do they meet again? | What is the day of the next
    meeting about the {topic}?
? time: At what time does the next meeting start? | What time do they meet again on {day}? | At which hour is the next meeting? | What time is the
    following meeting about the {topic}? | When on {day} does the next meeting begin? | At what time must people be in {room}? | What is the
    starting time on {day}?
? room: In which room is the next meeting? | Where will they meet on {day}? | Where is the next meeting about the {topic}? | What room is used for
    the following meeting? | Which room was chosen for {day}? | Where does the group come together again? | In what place is the next meeting on
    {day}?
! Did {chair} lead the meeting about the {topic}? | Will {person} {task}? | Is the deadline for {person} {deadline}? | Is the next meeting on
    {day}? | Do they meet again at {time}? | Is the next meeting in {room}?
> {chair} led a meeting about the {topic}.
# Meeting about the {topic}
* Subject: the {topic}
* {person} will {task} by {deadline}
* Next meeting: {day} at {time} in {room}

@ life
slots name=person job=job city=city year=year fame=work hobby=hobby children=few
+ {name} was born in {city} in {year}. | In {year}, {name} was born in {city}. | Born in {city} in {year}, {name} had a long and full life. | The
    life of {name} began in {city} in {year}. | {city} is the place where {name} was born in {year}. | {name} came into the world in {year} in
    {city}. | It was in {year} that {name} was born in {city}.
+ {first} became a {job} and is known for {fame}. | {first} worked as a {job} and is remembered for {fame}. | As a {job}, {first} became famous for
    {fame}. | Known for {fame}, {first} was a {job} all {his} life. | {first}, who was a {job}, is best known for {fame}. | {first} earned a living
    as a {job}; {fame} made {him} famous. | People remember the {job} {first} for {fame}.
+ In {his} free time {first} loved {hobby}. | {first}'s hobby was {hobby}. | When there was time, {first} enjoyed {hobby}. | {first} spent many
    evenings with {hobby}. | {hobby} was what {first} liked best after work. | Nothing made {first} happier than {hobby}. | On free days {first}
    liked {hobby}.
+ {first} had {children} children. | {first} was the parent of {children} children. | In {first}'s family there were {children} children. | {first}
    brought up {children} children. | {children} children grew up in {first}'s house. | With {children} children, {first}'s house was never quiet.
    | {first} raised {children} children.
? name: Who was born in {city}? | Who was born in {year}? | Who is known for {fame}? | Who is remembered for {fame}? | Who was a {job}? | Which
    {job} is the text about? | Who became famous for {fame}? | Whose birthplace is {city}? | Whose life began in {year}? | What was the {job}
    called? | Which person came from {city}?
? job: @jobpast
? city: Where was {k} born? | In which city was {k} born? | What is {k}'s birthplace? | Which city did {k} come from? | In what city did {k}'s life
    begin? | What city was {k} born in? | Where did {k}'s life begin? | Which city is {k}'s place of birth? | Where did {k} come into the world? |
    Name the city of {k}'s birth.
? year: When was {k} born? | In which year was {k} born? | What is {k}'s year of birth? | What year was {k} born in? | In what year did {k} come
    into the world? | Which year saw the birth of {k}? | When did {k}'s life begin? | In which year did {k}'s life start? | What is the birth year
    of {k}? | When did {k} come into the world?
? fame: What is {k} known for? | Why is {k} famous? | What is {k} remembered for? | What made {k} famous? | For what do people remember {k}? | What
    did {k} become famous for? | What is {k}'s best-known work? | What do people know {k} for? | What is the fame of {k} based on? | Which
    achievement is {k} known for?
? hobby: @hobbypast
? children: How many children did {k} have? | What number of children did {k} have? | How many children were there in {k}'s family? | How many
    children did {k} bring up? | How large was the number of {k}'s children? | How many sons and daughters did {k} have? | How many children grew
    up with {k}? | How many children did {k} raise?
! Was {k} born in {city}? | Was {k} born in {year}? | Was {k} a {job}? | Is {k} known for {fame}? | Did {k} work as a {job}? | Did {k} like
    {hobby}? | Is {k}'s birthplace {city}?
> {name}, born in {city} in {year}, was a {job} known for {fame}.
# {name}, the {job} known for {fame}
* Born in {city} in {year}
* Job: {job}
* Known for {fame}
* Hobby: {hobby}

@ product
slots product=product company=company price=price colour=colour weight=weight years=few use=use
+ The {product} by {company} costs {price}. | {company} sells the {product} for {price}. | New from {company}: the {product} for {price}. | For
    {price} you get the {product}, made by {company}. | {company} has made a new thing: the {product}. It is sold for {price}. | The price of the
    {product} from {company} is {price}. | With the {product}, {company} offers a good tool for {price}.
+ The {product} is {colour} and weighs {weight}. | It comes in {colour} and weighs {weight}. | With a weight of {weight}, the {colour} {product} is
    easy to carry. | Its colour is {colour} and its weight is {weight}. | The {product}, which is {colour}, has a weight of {weight}. | The
    {product} weighs {weight}. The colour is {colour}. | Colour: {colour}. Weight: {weight}.
+ The {product} is made for {use}. | It is meant for {use}. | People buy the {product} for {use}. | You can use the {product} for {use}. | It was
    built for {use}. | The {product} is best for {use}. | Its purpose is {use}.
+ The guarantee lasts {years} years. | There is a guarantee of {years} years. | {company} gives a guarantee of {years} years on the {product}. |
    You have a guarantee for {years} years. | If the {product} breaks within {years} years, you get a new one. | The {product} has a guarantee of
    {years} years. | For {years} years, repairs are free.
? product: What does {company} sell? | Which product costs {price}? | What is made by {company}? | What can you get for {price}? | Which product is
    {colour}? | Which product weighs {weight}? | What is the product by {company} called? | Which product is made for {use}? | Name the product of
    {company}. | What does {company} offer?
? company: Which company makes the {product}? | Who makes the {product}? | Who sells the {product}? | By which company is the {product} made? |
    From which company does the {product} come? | Who is the maker of the {product}? | What firm sells the {product}? | Which firm offers the
    {product}? | Who produces the {product}? | Name the maker of the {product}.
? price: @cost
? colour: @colour
? weight: How heavy is the {product}? | How much does the {product} weigh? | What is the weight of the {product}? | What does the {product} weigh?
    | Which weight does the {product} have? | How many grams or kilos does the {product} weigh? | What weight is given for the {product}? | Tell me
    the weight of the {product}.
? use: What is the {product} for? | What can you use the {product} for? | What was the {product} made for? | For what do people buy the {product}?
    | What is the purpose of the {product}? | What is the {product} good for? | Why would you buy the {product}? | What is the {product} meant for?
    | What is the {product} best used for?
? years: How many years does the guarantee of the {product} last? | How long is the guarantee of the {product} in years? | For how many years is
    there a guarantee on the {product}? | How many years of guarantee does {company} give? | How many years is the {product} covered? | How many
    years do you get free repairs or a new {product}?
! Does the {product} cost {price}? | Is the {product} {colour}? | Does {company} make the {product}? | Does the {product} weigh {weight}? | Is the
    {product} made for {use}? | Does {company} sell the {product}?
> {company} sells the {product} for {price}.
# {company} brings out the {product}
* Product: {product}
* Maker: {company}
* Price: {price}
* Made for {use}

@ event
slots event=event place=place_the city=city date=date time=time price=price phone=phone guest=person
+ The {event} takes place {place} in {city} on {date}. | {city} invites everybody to the {event} {place} on {date}. | On {date}, the {event} will
    be held {place} in {city}. | Come to the {event} {place} in {city} on {date}! | The {event} is back: {date}, {place} in {city}. | People in
    {city} look forward to the {event}. It will be held {place} on {date}. | Save the date: {date}. The {event} is held {place} in {city}.
+ It starts at {time} and a ticket costs {price}. | Tickets for the {event} cost {price}; doors open at {time}. | The {event} begins at {time}. You
    pay {price} to get in. | Begin: {time}. Tickets: {price}. | The start is at {time}, and entry is {price}. | At {time} the doors open. A ticket
    is {price}. | For {price} you get a ticket; it all begins at {time}.
+ The guest of honour is {guest}. | {guest} will open the {event}. | {guest} comes as guest of honour. | This year the guest of honour is {guest}.
    | {guest} gives the opening speech. | The opening speech will be given by {guest}. | A special guest will be there: {guest}.
+ Tickets can be ordered by phone: {phone}. | Call {phone} for tickets to the {event}. | For tickets ring {phone}. | More about the {event} at
    {phone}. | The phone number for questions is {phone}. | If you have questions about the {event}, call {phone}. | The {event} team answers the
    phone at {phone}.
? event: What takes place on {date}? | What can you visit in {city}? | What is held {place}? | Which event takes place in {city}? | What happens in
    {city} on {date}? | Which event is announced for {date}? | What event is held {place}? | What does {city} look forward to? | What is the event
    in {city} called?
? place: Where in {city} is the {event}? | Where exactly is the {event} held? | At which spot in {city} does the {event} take place? | Where in the
    city will the {event} be? | Where do you have to go in {city} for the {event}? | Where does {city} hold the {event}? | What is the exact place
    of the {event}? | In which part or building of {city} is the {event}?
? city: In which city is the {event}? | Which city holds the {event}? | What city is the {event} in? | Which city invites people to the {event}? |
    In what city does the {event} take place? | To which city must you travel for the {event}? | Which city is home to the {event}? | Name the city
    of the {event}. | Which town has the {event}? | What is the name of the city with the {event}?
? date: On what date is the {event}? | On which date does the {event} take place? | What is the date of the {event}? | Which date was chosen for
    the {event}? | What date should I note for the {event}? | On what date can I go to the {event}? | What is the day of the {event}? | Which date
    is the {event} on? | For which date is the {event} planned? | On which day is the {event} held?
? time: At what time does the {event} start? | What time does the {event} begin? | At which hour do the doors of the {event} open? | What time
    should I be at the {event}? | At what time of day does the {event} begin? | What is the starting time of the {event}? | At what hour does it
    start? | What time is the start of the {event}?
? price: How much is a ticket for the {event}? | What does a ticket for the {event} cost? | What is the price of a ticket? | How much do you pay to
    get into the {event}? | What does it cost to go to the {event}? | How expensive is the entry to the {event}? | What do visitors pay for the
    {event}? | How much money do I need for a ticket to the {event}?
? phone: Which phone number is given for the {event}? | What number can I call about the {event}? | Where can I call for tickets to the {event}? |
    What is the phone number of the {event}? | Which number must I ring for the {event}? | What is the number for questions about the {event}? |
    How can the {event} team be reached by phone? | Give the phone number for the {event}.
? guest: Who is the special guest of the {event}? | Who is the guest of honour or opening speaker of the {event}? | Which person opens or honours
    the {event}? | What is the name of the special person at the {event}? | Which special visitor comes to the {event}? | Who will be there as a
    special person at the {event}?
! Is the {event} in {city}? | Is the {event} on {date}? | Does a ticket for the {event} cost {price}? | Does the {event} start at {time}? | Is the
    {event} held {place}? | Does the {event} take place in {city}?
> The {event} takes place {place} in {city} on {date}.
# {event} in {city} on {date}
* What: {event}
* Where: {place} in {city}
* When: {date}
* Ticket: {price}

@ travel
slots name=person city=city start=city2 vehicle=[train;bus;ferry;plane;car;motorbike;night train;coach;boat;bicycle] day=day time=time
    friend=person hotel=hotel nights=few
+ {name} is travelling from {start} to {city} by {vehicle}. | {name} plans a trip to {city}, starting in {start}, by {vehicle}. | By {vehicle},
    {name} will go from {start} to {city}. | Travel plan of {name}: from {start} to {city} by {vehicle}. | {name} leaves {start} and takes the
    {vehicle} to {city}. | A {vehicle} brings {name} from {start} to {city}. | For the journey from {start} to {city}, {name} takes the {vehicle}.
+ The journey of {first} begins on {day} at {time}. | {first} leaves on {day} at {time}. | {first} sets off at {time} on {day}. | Departure is on
    {day} at {time}. | On {day} at {time}, {first} will be on the way. | {first} has to start at {time} on {day}. | {day} is the day of the
    journey, and {time} is the time to leave.
+ {first} will stay {nights} nights at the {hotel}. | A room at the {hotel} is booked for {nights} nights. | {first} sleeps at the {hotel} for
    {nights} nights. | For {nights} nights {first} will live at the {hotel}. | The {hotel} has a bed for {first} for {nights} nights. | {first}
    booked {nights} nights at the {hotel}. | {nights} nights at the {hotel} are paid for.
+ {friend} is coming along. | {first} travels together with {friend}. | {friend} goes with {first}. | {first} does not travel alone: {friend} comes
    too. | {first} takes {friend} along. | {first}'s companion is {friend}. | {friend} keeps {first} company.
? name: Who is travelling to {city}? | Who goes from {start} to {city}? | Who plans a trip to {city}? | Who will go to {city} by {vehicle}? | Who
    leaves {start}? | Which person travels to {city}? | Who stays at the {hotel}? | Whose trip starts in {start}? | Name the traveller to {city}.
? city: Where is {k} travelling to? | Which city is {k} going to? | What is the goal of {k}'s journey? | Where does {k}'s trip end? | To which city
    does {k} travel? | Which city will {k} visit? | Where will the {vehicle} bring {k}? | What is {k}'s destination? | Which city does {k} want to
    reach? | In which city will {k} arrive?
? start: Where does {k} start? | From which city does {k} leave? | Which city does {k} leave? | Where does {k}'s trip begin? | In which city does
    {k}'s journey begin? | What is the starting point of {k}? | From where does {k} travel? | What city does {k} set off from? | Where does {k}
    come from on this trip?
? vehicle: How will {k} travel? | How does {k} get to {city}? | What does {k} travel by? | By what means does {k} go to {city}? | Which means of
    transport does {k} use? | What does {k} take to get to {city}? | What vehicle does {k} use? | Which kind of transport brings {k} to {city}?
? day: On which day does {k} leave? | What day does {k}'s journey begin? | On what day does {k} set off? | Which day will {k} start? | On which
    weekday does {k} travel? | What is the day of {k}'s departure? | What weekday is {k}'s journey? | Which day was chosen for {k}'s trip?
? time: At what time does {k} leave? | What time does {k} set off? | At what time does {k}'s journey start? | What is {k}'s departure time? | At
    which hour does {k} have to start? | What time on {day} does {k} leave? | At what time is {k}'s departure? | What time will {k} be on the way?
? friend: Who is travelling with {k}? | Who goes with {k}? | Who comes along with {k}? | Who is {k}'s companion? | With whom does {k} travel? | Who
    keeps {k} company? | Whom does {k} take along? | Which person accompanies {k}? | Who joins {k} on the trip?
? hotel: Where will {k} sleep? | Which hotel did {k} choose? | At which hotel will {k} stay? | What is the name of {k}'s hotel? | Where does {k}
    have a room? | Which hotel is booked for {k}? | What is {k}'s hotel called? | Where will {k} spend the nights?
? nights: How many nights will {k} stay? | For how many nights is the room booked? | How many nights does {k} sleep at the {hotel}? | How many
    nights did {k} book? | What number of nights does {k} spend at the {hotel}? | How many nights will {k} be at the {hotel}?
! Is {k} travelling to {city}? | Does {k} start in {start}? | Will {k} go by {vehicle}? | Does {k} leave on {day}? | Is {friend} coming along with
    {k}? | Will {k} stay at the {hotel}? | Does {k} set off at {time}?
> {name} is travelling from {start} to {city} by {vehicle}.
# {name} travels to {city}
* {name} goes from {start} to {city}
* Transport: {vehicle}
* Departure: {day} at {time}
* Stay: {nights} nights at the {hotel}

@ recipe
slots dish=food cook=person minutes=minutes main=ingredient
    spice=[salt;pepper;basil;parsley;cinnamon;ginger;mint;paprika;thyme;dill;cumin;nutmeg;chives;sage] pan=[a large pot;a small pan;a glass bowl;a
    deep dish;an iron pan;a wide pan;a clay pot;a flat tin;a wooden bowl;a steel pot] people=few degrees=degrees
+ {cook} makes {dish} with {main} and {spice}. | This is how {cook} prepares {dish}: with {main} and {spice}. | For {dish}, {cook} takes {main} and
    {spice}. | The {dish} by {cook} needs {main} and {spice}. | {cook} shows us how to make {dish}. You need {main} and {spice}. | {main} and
    {spice} are what {cook} uses for {dish}. | {cook}'s recipe for {dish} needs {main} and {spice}.
+ Mix everything in {pan} and cook it for {minutes} minutes. | Put everything into {pan}; it is ready after {minutes} minutes. | It takes {minutes}
    minutes in {pan}. | Leave it in {pan} for {minutes} minutes. | After {minutes} minutes in {pan} it is done. | You need {pan} and {minutes}
    minutes. | Use {pan} and wait for {minutes} minutes.
+ This is enough for {people} people. | It feeds {people} people. | {people} people can eat from it. | There will be enough for {people} guests. |
    The recipe is for {people} people. | The dish is meant for {people} guests. | With {cook}'s recipe, {people} hungry guests will be full.
? dish: What does {cook} make? | Which dish does {cook} prepare? | What is {cook}'s recipe for? | What can you make with {main}? | What does {cook}
    cook? | Which dish is made with {main} and {spice}? | What is the name of {cook}'s dish? | What food is the recipe for?
? cook: Who makes the {dish}? | Who prepares {dish}? | Whose recipe is it? | Whose recipe uses {main}? | Who uses {main} and {spice}? | Who cooks
    {dish}? | Which cook makes {dish}? | Who shows how to make {dish}? | From whom is the recipe for {dish}?
? minutes: How many minutes does {cook}'s recipe take? | How many minutes must you wait? | For how many minutes does it stay in {pan}? | How many
    minutes does the cooking last? | After how many minutes is {cook}'s food ready? | How long in minutes does it take? | What number of minutes is
    needed for the {dish}?
? main: What do you need besides {spice}? | What goes into the {dish} with the {spice}? | Which ingredient does {cook} use with {spice}? | What
    does {cook} use together with {spice}? | Apart from {spice}, what is in the {dish}? | What is mixed with {spice} for the {dish}?
? spice: Which herb or spice is in {cook}'s recipe? | What does {cook} add for taste besides {main}? | Which seasoning does {cook} use? | What is
    used to season the {dish}? | What seasoning goes with the {main}? | Which seasoning does {cook}'s recipe need? | Apart from {main}, what is in
    the {dish}?
? pan: In what does {cook} make the {dish}? | What do you put everything into? | Which pot, pan or bowl does {cook} use? | In what do you make the
    {dish}? | What do you need to hold the food? | Into what does everything go? | What kitchen thing holds the {dish}?
? people: For how many people is {cook}'s recipe? | How many people can eat from it? | How many people does {cook}'s recipe feed? | How many guests
    can have {cook}'s {dish}? | How many eaters is the recipe for? | How many people will be full? | What number of guests is {cook}'s recipe for?
! Does {cook}'s recipe need {main}? | Does {cook} make {dish}? | Does it take {minutes} minutes? | Is it enough for {people} people? | Does {cook}
    use {spice}? | Is {spice} part of the {dish}?
> {cook} makes {dish} with {main} and {spice}.
# {cook}'s {dish}
* Dish: {dish}
* You need {main} and {spice}
* Time: {minutes} minutes
* For {people} people

@ weather
slots city=city day=day sky=[sunny;rainy;cloudy;windy;foggy;stormy;snowy;dry;misty;frosty;drizzly;humid;icy;hazy] degrees=degrees low=low wind=[the
    north;the south;the east;the west;the sea;the mountains;the north-east;the south-west] advice=advice
+ In {city} it will be {sky} on {day}, with {degrees} degrees. | The weather in {city} on {day}: {sky}, {degrees} degrees. | On {day}, {city} can
    expect {sky} weather and {degrees} degrees. | {day} will be {sky} in {city}, and the thermometer will show {degrees} degrees. | {city} will
    have a {sky} {day} with up to {degrees} degrees. | Forecast for {city}: a {sky} {day}, at most {degrees} degrees. | It looks {sky} for {city}
    on {day}; the highest value is {degrees} degrees.
+ In {city} the wind comes from {wind}. | In {city} a light wind blows from {wind}. | The wind in {city} will turn and come from {wind}. | A fresh
    wind from {wind} blows over {city}. | Wind from {wind} is expected in {city}. | For {city} the wind is said to come from {wind}. | A wind from
    {wind} reaches {city}.
+ In {city} people should {advice}. | Advice for {city}: {advice}. | The experts tell {city} to {advice}. | Our tip for {city}: {advice}. | The
    people of {city} are asked to {advice}. | Whoever goes out in {city} should {advice}. | It is wise in {city} to {advice}.
+ At night the temperature in {city} falls to {low} degrees. | The night in {city} brings only {low} degrees. | After dark, {city} cools down to
    {low} degrees. | During the night {city} has {low} degrees. | {city} will have {low} degrees at night. | Nights in {city} are cool, with {low}
    degrees. | By night it is {low} degrees in {city}.
? city: Which city will be {sky}? | Which city is the forecast for? | Where will it be {sky}? | Which city expects {degrees} degrees? | Where will
    there be {degrees} degrees? | For which city is {sky} weather expected? | What city will be {sky} on {day}?
? day: On which day will it be {sky} in {city}? | For which day is the forecast for {city}? | What day is the weather in {city} given for? | Which
    day does the forecast for {city} speak of? | On what day does {city} get {degrees} degrees? | Which day will be {sky} in {city}?
? sky: What will the weather be like in {city}? | How will the weather be in {city} on {day}? | What kind of weather does {city} expect? | What
    does it look like for {city}? | What weather will {city} have? | How is the weather in {city} going to be? | Which weather is forecast for
    {city}? | What sort of day will {city} have?
? degrees: What is the temperature by day in {city}? | How many degrees will {city} have by day? | How warm does it get in {city}? | What is the
    highest temperature in {city}? | How many degrees are expected in {city} on {day}? | What will the thermometer in {city} show by day? | How
    high will the temperature in {city} be on {day}?
? low: How many degrees will {city} have at night? | How cold does {city} get at night? | What is the temperature at night in {city}? | To how many
    degrees does it fall in {city}? | What will the thermometer in {city} show at night? | What is the night temperature in {city}?
? wind: Where does the wind in {city} come from? | From which direction does the wind blow in {city}? | What direction does the wind come from in
    {city}? | From where does the wind in {city} blow? | What is the wind direction for {city}? | Where is the wind in {city} from?
? advice: What should people in {city} do? | What are the people of {city} told to do? | What is the advice for {city}? | What tip is given for
    {city}? | What is it wise to do in {city}? | What do experts tell {city}? | Which advice do people in {city} get?
! Will it be {sky} in {city}? | Will {city} have {degrees} degrees? | Does the wind in {city} come from {wind}? | Is the forecast for {city} {sky}?
    | Will {city} be {sky} on {day}? | Will {city} have {low} degrees at night?
> {city} will be {sky} on {day} with {degrees} degrees.
# {city}: {sky} on {day}
* Weather in {city}: {sky}
* Day: {day}
* Temperature: {degrees} degrees
* Wind from {wind}

@ delivery
slots name=person item=items count=few street=street city=city day=day time=time driver=person code=code spot=[at the back door;with the
    neighbour;at the front desk;in the garage;on the porch;behind the gate;in the shed;at the side entrance;with the caretaker;in the parcel
    box;next to the bins;at the reception]
+ The parcel for {name} contains {count} {item} and goes to {street} in {city}. | {name} will get {count} {item} at {street} in {city}. | Delivery
    note for {name}, {street}, {city}: {count} {item}. | Please bring {count} {item} to {name}, {street}, {city}. | {count} {item} are on their way
    to {name} at {street}, {city}. | A box with {count} {item} is going to {name}; the address is {street}, {city}. | Receiver: {name}, {street},
    {city}. Contents: {count} {item}.
+ {driver} will bring {first}'s parcel on {day} at {time}. | The driver {driver} comes to {first} on {day} at {time}. | On {day} at {time} {driver}
    will ring at {first}'s door. | {first}'s parcel is brought by {driver} on {day} at {time}. | Expect {driver}, the driver, at {first}'s on {day}
    at {time}. | {driver} drives the van and reaches {first} on {day} at {time}. | {first} should be at home on {day} at {time}, when {driver}
    comes by.
+ If nobody is at home, leave {first}'s parcel {spot}. | {first} asks to leave it {spot}. | {first}'s parcel may be left {spot}. | Nobody in? Then
    put {first}'s box {spot}. | {first} wants it left {spot}. | When {first} is out, leave the goods {spot}. | {first}'s box can stay {spot}.
+ The tracking number of {first}'s parcel is {code}. | {first} can follow the parcel with the number {code}. | Tracking number for {first}: {code}.
    | {first}'s parcel carries the number {code}. | On {first}'s box you read {code}. | {first}'s parcel is numbered {code}. | The parcel of
    {first} has the code {code}.
? name: Who gets the {item}? | For whom is the parcel with the {item}? | Who will get {count} {item}? | Who lives at {street}? | Who is the
    receiver of the {item}? | Whose parcel contains {item}? | To whom do the {item} go? | Who receives {item}? | Whose address is {street}?
? item: What is in the parcel for {k}? | What will {k} get? | What does {k} receive? | Which goods go to {k}? | What is in {k}'s box? | What is on
    the way to {k}? | What is sent to {k}? | What things are being brought to {k}?
? count: How many {item} does {k} get? | How many {item} are in {k}'s parcel? | How many {item} go to {street}? | What number of {item} is sent to
    {k}? | How many pieces does {k} receive? | How many {item} will be brought to {k}?
? street: @street
? city: In which city does {k} live? | To which city does {k}'s parcel go? | What city is {k}'s parcel sent to? | Which city is {street} in? |
    Which city is in {k}'s address? | What city does the driver bring the {item} to? | Which city is named for {k}?
? day: On which day does {k}'s parcel come? | What day will {k} get the parcel? | On what day should {k} be at home? | Which day will {driver} come
    to {k}? | On which weekday does {k} get the {item}? | What is the day of {k}'s delivery? | What day is the delivery to {k}?
? time: At what time does {k}'s parcel come? | What time will {driver} be at {k}'s door? | At what time will {k} get the {item}? | What time should
    {k} be at home? | At which hour is the delivery to {k}? | What time is {k}'s delivery?
? driver: Who brings the parcel to {k}? | Who is the driver for {k}? | Who comes to {k} with the {item}? | By whom is {k}'s parcel brought? | Who
    will ring at {k}'s door? | What is the name of the driver who visits {k}? | Who delivers the {item} to {k}?
? spot: Where should the parcel be left if {k} is out? | Where can {k}'s box be put when nobody is there? | Where does {k} want the parcel to be
    left? | Where may the {item} be left for {k}? | If nobody opens at {k}'s, where should the parcel go? | At which spot should {k}'s parcel stay?
? code: What is the tracking number of {k}'s parcel? | Which number does {k}'s parcel have? | With which number can {k} follow the parcel? | What
    code is on {k}'s box? | What is {k}'s tracking number? | Give the number of {k}'s parcel. | How is {k}'s parcel numbered? | Which code belongs
    to {k}'s parcel?
! Will {k} get {item}? | Does {k} live at {street}? | Does {k}'s parcel come on {day}? | Will {driver} bring {k}'s parcel? | Does {k} get {count}
    {item}? | Does {k} live in {city}? | Does {k}'s parcel go to {city}?
> {name} will get {count} {item} at {street} in {city}.
# {count} {item} for {name} in {city}
* For {name}
* {count} {item}
* Address: {street}, {city}
* Delivery: {day} at {time}

@ school
slots teacher=person subject=[mathematics;history;geography;biology;music;art;chemistry;physics;French;Spanish;sport;English;German;computer
    science;drama] klass=klass trip=trip date=date bring=[a packed lunch;rubber boots;a raincoat;a warm jacket;a notebook;a sun hat;a water
    bottle;old clothes;a pencil;strong shoes;a torch;a towel;a permission slip] pupils=pupils money=price
+ {teacher} teaches {subject} and goes with {klass} to {trip} on {date}. | On {date}, {klass} will visit {trip} with {teacher}, who teaches
    {subject}. | School news: {klass} visits {trip} on {date}. The {subject} teacher {teacher} goes with them. | {klass} is going to {trip} on
    {date} with {teacher}, the teacher of {subject}. | The {subject} teacher {teacher} takes {klass} to {trip} on {date}. | Dear parents, on {date}
    {klass} goes to {trip}. {teacher}, our {subject} teacher, leads the trip. | A trip to {trip} is planned for {klass} on {date}, led by {teacher}
    from the {subject} department.
+ Every pupil of {klass} should bring {bring}. | The pupils of {klass} need {bring}. | Please give your child in {klass} {bring}. | Do not forget
    {bring}, {klass}! | {klass} must bring {bring}. | What {klass} needs is {bring}. | For {klass}, {bring} is a must.
+ The trip of {klass} costs {money} per child. | {klass} pays {money} per child. | Parents of {klass} pay {money}. | Each child of {klass} needs
    {money} for the trip. | The cost for {klass} is {money}. | For {klass}, the teacher collects {money} per child. | A child of {klass} pays
    {money}.
+ There are {pupils} pupils in {klass}. | {klass} has {pupils} pupils. | All {pupils} pupils of {klass} will come. | {pupils} pupils go to {klass}.
    | With {pupils} pupils, {klass} fills one bus. | {pupils} children from {klass} are coming. | We expect {pupils} children from {klass}.
? teacher: Who teaches {subject}? | Who goes with {klass}? | Which teacher takes {klass} to {trip}? | Who leads the trip of {klass}? | Who is the
    {subject} teacher? | What is the name of the {subject} teacher? | Who will be with {klass} on {date}? | Which teacher visits {trip}?
? subject: What does {teacher} teach? | Which subject does {teacher} teach? | What is {teacher}'s subject? | What subject is taught by {teacher}? |
    Of which subject is {teacher} the teacher? | In which subject does {teacher} give lessons? | What do pupils learn from {teacher}?
? klass: Which class goes to {trip}? | Which class visits {trip}? | Who goes to {trip} with {teacher}? | With which class does {teacher} go to
    {trip}? | What class makes a trip to {trip}? | Which class does {teacher} take along? | Which class has a trip on {date}?
? trip: Where does {klass} go? | What will {klass} visit? | Where is {klass} going on {date}? | Which place will {klass} visit? | Where does
    {teacher} take {klass}? | What is the goal of the trip of {klass}? | To which place does {teacher} go with {klass}? | What does {klass} see on
    {date}?
? date: When does {klass} go to {trip}? | On which date is the trip of {klass}? | What is the date of the trip to {trip}? | When will {klass} visit
    {trip}? | On what date does {teacher} go with {klass}? | For which date is the trip to {trip} planned? | When is the trip of {klass}?
? bring: What should the pupils of {klass} bring? | What do the pupils of {klass} need? | What must {klass} not forget? | What should be in the
    bags of {klass}? | What does a child of {klass} need for the trip? | Which thing must every pupil of {klass} have?
? money: How much does the trip of {klass} cost? | What do parents of {klass} pay? | How much money does each child of {klass} need? | What is the
    price of the trip for {klass}? | What does a child of {klass} pay? | How much is the trip per child in {klass}?
? pupils: How many pupils are in {klass}? | How many pupils does {klass} have? | How many children of {klass} are there? | What is the number of
    pupils in {klass}? | How many children does {klass} have? | How big is {klass}?
! Does {teacher} teach {subject}? | Does {klass} go to {trip}? | Is the trip of {klass} on {date}? | Does {teacher} go with {klass}? | Does the
    trip of {klass} cost {money}? | Will {klass} visit {trip} on {date}?
> {klass} goes to {trip} with {teacher} on {date}.
# {klass} visits {trip}
* {klass} goes to {trip}
* Date: {date}
* Teacher: {teacher}
* Bring {bring}
@ match
slots team=team other=team score=score city=city day=day player=person weather=weather next=team
+ {team} beat {other} {score} in {city} on {day}. | On {day}, {team} won {score} against {other} in {city}. | {other} lost {score} to {team} in
    {city} on {day}. | In {city}, {team} were better than {other} and won {score} on {day}. | {score} for {team}: that was the result against
    {other} in {city} on {day}. | {day} was a good day for {team}, who beat {other} {score} in {city}. | The match on {day} in {city} ended
    {score}; {team} were the winners and {other} went home sad.
+ {player} was the best player of the day. | The best player was {player}. | {player} was named player of the match. | Everybody praised {player}
    for the best play. | The prize for the best player went to {player}. | No one played better than {player}. | {player} got the prize for the
    best player.
+ It was {weather} during the match. | The weather was {weather}. | They played in {weather} weather. | The {weather} weather made it hard for both
    sides. | It was a {weather} day. | In {weather} weather the ball was hard to control. | Both sides had to live with {weather} weather.
+ The next match of {team} is against {next}. | Next, {team} will play {next}. | {team} will meet {next} next time. | {next} will be the next to
    play {team}. | After this, {team} prepare for {next}. | Next week {team} play against {next}. | {next} are waiting for {team} next.
? team: Who won the match in {city}? | Which team beat {other}? | Who won on {day}? | Which team won? | Which side was the winner? | Who were the
    winners? | By whom was {other} beaten? | Against whom did {other} lose? | To which team did {other} lose?
? other: Which team lost the match in {city}? | Who lost against {team}? | Whom did {team} beat? | Which team was beaten by {team}? | Who lost in
    {city}? | Which side went home without a win on {day}? | Who was the loser in {city}? | Who was beaten by {team}?
? score: How did the match end? | What was the score? | What was the result of the match? | With what score did {team} win? | What was the result
    of {team} against {other}? | By what score did {other} lose? | How high did {team} win? | Give the score of the match.
? city: Where was the match of {team} played? | In which city did {team} play? | Where did {team} win? | In which city was the match? | Which city
    saw the match? | Where did {other} lose? | In what city did {team} beat {other}?
? day: On which day was the match? | What day did {team} win? | When did {team} beat {other}? | When was the match in {city}? | On what day did
    {other} lose? | Which day was the match on? | On what day did {team} play {other}?
? player: Who was the best player? | Who played best? | Which player was praised? | Who was named the best of the day? | Who got the prize for the
    best player? | Which player was better than all others? | Name the best player.
? weather: How was the weather? | What was the weather like? | In what weather did they play? | What kind of weather was it? | Which weather did
    they have? | What weather did both sides have to live with?
? next: Who will {team} play next? | Which team will {team} meet next? | Who is the next team to play {team}? | Against whom is the next match of
    {team}? | What team comes next for {team}?
! Did {team} win? | Did {team} beat {other}? | Was the match in {city}? | Was {player} the best player? | Did the match end {score}? | Was the
    match on {day}?
> {team} beat {other} {score} in {city} on {day}.
# {team} beat {other} {score}
* {team} beat {other}
* Score: {score}
* City: {city}
* Best player: {player}

@ zoo
slots animal=petname species=animal keeper=person zoo=zoo age=few food=petfood since=year
+ {animal} is a {species} at {zoo} and is {age} years old. | {zoo} has a {species} called {animal}, who is {age} years old. | The {species}
    {animal} lives at {zoo} and has reached the age of {age} years. | {animal}, a {species} of {age} years, is the star of {zoo}. | At {zoo} you
    can meet {animal}, a {species} aged {age} years. | Meet {animal}! This {species} from {zoo} is {age} years old. | A {species} named {animal}
    lives at {zoo}. It is {age} years old.
+ {keeper} looks after {animal}. | The keeper of {animal} is {keeper}. | Every day {animal} is cared for by {keeper}. | {animal}'s keeper is called
    {keeper}. | {keeper} takes care of {animal} every day. | {animal} knows the voice of {keeper}, the keeper. | For {animal} there is a keeper
    called {keeper}.
+ {animal} likes {food} best. | The favourite food of {animal} is {food}. | {animal} is happy when there is {food}. | For {food}, {animal} does
    anything. | Nothing tastes better to {animal} than {food}. | {animal} loves {food}. | What {animal} wants most is {food}.
+ {animal} came to {zoo} in {since}. | {zoo} has been {animal}'s home since {since}. | Since {since}, {animal} has lived there. | {animal} has been
    there since {since}. | In {since}, {animal} moved in. | {animal} arrived in {since}. | It was in {since} that {animal} arrived.
? animal: What is the {species} called? | What is the name of the {species}? | Which animal lives at {zoo}? | What is the {species} at {zoo}
    called? | How is the {species} named? | Who is looked after by {keeper}? | Which animal does {keeper} care for?
? species: What kind of animal is {animal}? | What animal is {animal}? | What sort of animal is {animal}? | To which kind of animals does {animal}
    belong? | Is {animal} a dog, a cat or something else: what is it? | Which kind of animal lives at {zoo}?
? keeper: Who looks after {animal}? | Who is the keeper of {animal}? | Who takes care of {animal}? | By whom is {animal} cared for? | What is
    {animal}'s keeper called? | Which person cares for {animal}? | Whose voice does {animal} know? | Who works with {animal}?
? zoo: Where does {animal} live? | At which place does {animal} live? | What is {animal}'s home? | Where can you see {animal}? | Where is the
    {species} {animal} at home? | Which place keeps {animal}? | What is the place where {animal} lives called?
? age: How old is {animal}? | What is {animal}'s age? | How many years old is {animal}? | What age has {animal} reached? | How many years old is
    the {species}?
? food: What does {animal} like to eat? | What is {animal}'s favourite food? | What food makes {animal} happy? | What does {animal} love to eat? |
    Which food does {animal} like best? | What should you give {animal} to eat?
? since: Since when has {animal} lived there? | In which year did {animal} come to {zoo}? | When did {animal} arrive at {zoo}? | What year did
    {animal} come? | In what year did {animal} move in? | Since which year has {animal} been at {zoo}?
! Is {animal} a {species}? | Does {keeper} look after {animal}? | Does {animal} live at {zoo}? | Does {animal} like {food}? | Did {animal} come to
    {zoo} in {since}?
> {animal} is a {species} at {zoo}.
# The {species} {animal} of {zoo}
* {animal} is a {species}
* Home: {zoo}
* Keeper: {keeper}
* Favourite food: {food}

@ garden
slots name=person plant=plant count=few spot=spot month=month enemy=[snails;birds;mice;rabbits;wasps;ants;moles;deer;crows;beetles] colour=colour
+ {name} planted {count} {plant} {spot} in {month}. | In {month}, {name} put {count} {plant} into the ground {spot}. | {count} {plant} were planted
    {spot} by {name} in {month}. | {spot}, {name} planted {count} {plant} in {month}. | It was in {month} when {name} planted {count} {plant}
    {spot}. | Since {month}, {count} {plant} have been growing {spot}; {name} planted them. | {name}'s garden has {count} new {plant} {spot}. They
    were planted in {month}.
+ {first} has trouble with {enemy}. | Sadly {first} has {enemy} in the garden. | {enemy} are the great problem of {first}'s garden. | {first}
    fights against {enemy}. | {first} must protect everything from {enemy}. | {first}'s garden is visited by {enemy}. | The only trouble for
    {first}: {enemy} eat the leaves.
+ {first} painted the gate {colour}. | The garden gate of {first} is {colour}. | {first}'s garden has a {colour} gate. | You know {first}'s garden
    by its {colour} gate. | The gate that {first} built is {colour}. | {first} has a gate that is {colour}. | A {colour} gate leads into {first}'s
    garden.
? name: Who planted {plant}? | Who planted the {plant} {spot}? | Whose garden has {plant}? | By whom were the {plant} planted? | Who put {plant}
    into the ground? | Who grows {plant}? | Who has {plant} {spot}?
? plant: What did {k} plant? | What did {k} put into the ground? | Which plants grow in {k}'s garden? | What is growing {spot}? | What was planted
    by {k}? | Which plants did {k} choose? | What does {k} grow? | What did {k} plant in {month}?
? count: How many {plant} did {k} plant? | How many {plant} are there? | How many {plant} were planted {spot}? | What number of {plant} did {k}
    plant? | How many {plant} does {k} have? | How many {plant} did {k} put into the ground?
? spot: Where did {k} plant the {plant}? | Where are the {plant}? | Where do the {plant} grow? | In what spot did {k} plant the {plant}? | Where in
    the garden are {k}'s {plant}? | Where were the {plant} put?
? month: In which month did {k} plant the {plant}? | When did {k} plant the {plant}? | What month were the {plant} planted in? | In what month was
    the planting done by {k}? | When were the {plant} planted? | Which month did {k} choose for planting?
? enemy: What does {k} have trouble with? | Which animals are a problem for {k}? | What animals visit {k}'s garden? | Against which animals does
    {k} fight? | Which animals trouble {k}? | What are the pests in {k}'s garden?
? colour: What colour is {k}'s gate? | Which colour did {k} choose for the gate? | What is the colour of {k}'s gate? | In which colour is {k}'s
    garden gate? | How is {k}'s gate coloured?
! Did {k} plant {plant}? | Did {k} plant {count} {plant}? | Is {k}'s gate {colour}? | Does {k} have trouble with {enemy}? | Did {k} plant the
    {plant} in {month}?
> {name} planted {count} {plant} {spot} in {month}.
# {name} plants {count} {plant}
* {name} planted {count} {plant}
* Place: {spot}
* Month: {month}
* Problem: {enemy}

@ house
slots street=street city=city rooms=few rent=rent owner=person date=date pet=[dogs;cats;birds;pets of any kind;parrots;snakes;parties;drums;large
    animals;rabbits] floor=floor phone=phone
+ The flat at {street} in {city} has {rooms} rooms and costs {rent} a month. | For rent in {city}: {rooms} rooms at {street}, {rent} a month. |
    {rent} a month is the rent for {rooms} rooms at {street} in {city}. | A flat with {rooms} rooms is free at {street}, {city}. The rent is
    {rent}. | {city}, {street}: a flat with {rooms} rooms for {rent} a month. | At {street} in {city} you can rent {rooms} rooms for {rent}. |
    {rooms} rooms, {rent} a month: that is the flat at {street} in {city}.
+ {owner} owns the flat at {street}. | The owner of the flat at {street} is {owner}. | The flat at {street} belongs to {owner}. | {owner} rents out
    the flat at {street}. | Talk to {owner}, who owns the flat at {street}. | For the flat at {street}, ask the owner, {owner}. | {owner} is the
    landlord of {street}.
+ The flat at {street} is free from {date}. | You can move into {street} on {date}. | {street} is empty from {date}. | From {date} new people can
    live at {street}. | New tenants may move into {street} on {date}. | Moving into {street} is possible from {date}. | {street} can be rented from
    {date}.
+ The flat at {street} is on the {floor} floor. | At {street} you live on the {floor} floor. | You find the flat at {street} on the {floor} floor.
    | {street}: {floor} floor, no lift. | At {street} you have to climb to the {floor} floor. | The rooms at {street} are on the {floor} floor. |
    {street} offers a view from the {floor} floor.
+ At {street}, {pet} are not allowed. | {pet} are not allowed at {street}. | No {pet} at {street}, please. | The owner does not want {pet} at
    {street}. | {street} is not for people with {pet}. | Please note: no {pet} at {street}. | {pet} are forbidden at {street}.
+ Call {phone} to see the flat at {street}. | The phone number for {street} is {phone}. | To visit {street}, call {phone}. | More about {street} at
    {phone}. | Interested in {street}? Call {phone}. | For a visit at {street} ring {phone}. | If you like {street}, ring {phone}.
? city: In which city is {street}? | In what city is the flat at {street}? | Which city is the flat at {street} in? | Where is {street}? | Name the
    city of the flat at {street}. | What city would you live in at {street}?
? rooms: How many rooms does the flat at {street} have? | How many rooms are there at {street}? | What is the number of rooms at {street}? | How
    many rooms can be rented at {street}? | How many rooms do you get at {street}? | How many rooms has the flat in {city}?
? rent: How much is the rent at {street}? | What does the flat at {street} cost a month? | What is the rent of the flat at {street}? | How much do
    you pay a month at {street}? | How expensive is the flat at {street}? | What do you pay for {rooms} rooms at {street}?
? owner: Who owns the flat at {street}? | Who is the owner of {street}? | To whom does the flat at {street} belong? | Who is the landlord at
    {street}? | Who rents out {street}? | Whose flat is at {street}?
? date: From which date is the flat at {street} free? | When can you move into {street}? | When does {street} become free? | On what date can new
    people move into {street}? | From when can {street} be rented?
? floor: On which floor is the flat at {street}? | What floor is the flat at {street} on? | Which floor is {street} on? | On what floor would you
    live at {street}?
? pet: What is not allowed at {street}? | What is forbidden at {street}? | What does the owner not want at {street}? | What may you not have at
    {street}?
? phone: What number should I call about {street}? | What is the phone number for the flat at {street}? | Whom can I ring for {street}: which
    number? | Which number is given for {street}? | At which number can I ask about {street}?
! Does the flat at {street} have {rooms} rooms? | Is the rent at {street} {rent}? | Is the flat at {street} in {city}? | Does {owner} own the flat
    at {street}? | Is the flat at {street} on the {floor} floor?
> A flat with {rooms} rooms at {street} in {city} is for rent for {rent} a month.
# Flat with {rooms} rooms for rent in {city}
* Address: {street}, {city}
* {rooms} rooms
* Rent: {rent} a month
* Owner: {owner}

@ jobad
slots company=company job=job city=city hours=hours pay=pay boss=person start=date email=email
+ {company} is looking for a {job} in {city}. | {company} in {city} needs a {job}. | A {job} is wanted by {company} in {city}. | Job in {city}:
    {company} wants to hire a {job}. | Are you a {job}? {company} in {city} needs you. | Wanted: a {job} for {company} in {city}. | There is a free
    job as a {job} at {company} in {city}.
+ At {company} you work {hours} hours a week for {pay}. | {company} pays {pay} for {hours} hours a week. | The work at {company} takes {hours}
    hours a week and the pay is {pay}. | {hours} hours a week, {pay}: that is the offer of {company}. | {company} offers {pay} and a week of
    {hours} hours. | You earn {pay} at {company} and work {hours} hours a week. | Pay at {company}: {pay}. Hours a week: {hours}.
+ Write to {boss} at {email}. | Send your letter to {boss}, {email}. | {boss} reads your letters at {company}: {email}. | The person to write to at
    {company} is {boss}, {email}. | For {company}, write to {boss} ({email}). | {boss} at {company} answers questions: {email}. | Letters for
    {company} go to {boss} at {email}.
+ The job at {company} starts on {start}. | {company} wants you to start on {start}. | At {company}, your first day is {start}. | First day of work
    at {company}: {start}. | You can begin at {company} on {start}. | The new person starts at {company} on {start}. | {company} has set {start} as
    the first day.
? company: Which company needs a {job}? | Who is looking for a {job}? | Which company has a job in {city}? | Who wants to hire a {job}? | Which
    firm needs a {job}? | Where can a {job} find work? | What is the company in {city} called?
? job: Whom does {k} want to hire? | What kind of worker does {k} look for? | Which job is free at {k}? | What job does {k} offer? | As what can
    you work at {k}? | What job can you get in {city}? | What sort of person does {k} need?
? city: In which city is the job at {k}? | Where does {k} need a {job}? | Where is {k}? | In what city would you work for {k}? | Which city is {k}
    in? | Which city is the {job} needed in?
? hours: How many hours a week do you work at {k}? | What are the hours a week at {k}? | How many hours a week does the {job} work? | How long is
    the working week at {k} in hours?
? pay: What does {k} pay? | How much does the {job} earn at {k}? | What is the pay at {k}? | How much can you earn at {k}? | What money does {k}
    offer? | What would I get for the work at {k}?
? boss: Who should I write to at {k}? | Who reads the letters for {k}? | To whom do I send my letter for {k}? | What is the name of the person to
    write to at {k}? | Who answers questions for {k}? | Which person at {k} gets the letters?
? email: @email
? start: When does the job at {k} start? | On what date does the work at {k} begin? | What is the first day at {k}? | When could I begin at {k}? |
    From which date does {k} need a {job}?
! Does {k} need a {job}? | Is {k} in {city}? | Should I write to {boss} for the job at {k}? | Does {k} pay {pay}? | Does the job at {k} start on
    {start}? | Is {k} looking for a {job}?
> {company} is looking for a {job} in {city}.
# {company} looks for a {job}
* {company} needs a {job}
* City: {city}
* Pay: {pay}
* Contact: {boss}, {email}

@ diary
slots name=person day=day place=place_the friend=person food=food price=price weather=weather item=items
+ On {day}, {name} met {friend} {place}. | {name} spent {day} with {friend} {place}. | {day}: {name} and {friend} met {place}. | {place}, {name}
    saw {friend} on {day}. | It was {day} when {name} met {friend} {place}. | {name} had a nice {day} with {friend} {place}. | From the diary of
    {name}: on {day} I met {friend} {place}.
+ {first} ate {food}. | For lunch {first} had {food}. | {first} was hungry and ate {food}. | There was {food} for {first}. | Later {first} ordered
    {food}. | {first} could not say no to {food}. | {first} tried the {food}.
+ {first} bought {item} for {price}. | For {price}, {first} bought {item}. | {first} paid {price} for {item}. | {first} found {item} and bought
    them for {price}. | {price} was what {first} paid for {item}. | {first} came home with {item}, which cost {price}. | {first} saw some {item}
    and gave {price} for them.
+ The weather was {weather}. | It was a {weather} day. | It was {weather} outside. | All day it stayed {weather}. | The day was {weather}. | The
    sky was like in a picture, and it was {weather}. | Outside it was {weather}.
? name: Who met {friend}? | Who spent time with {friend}? | Who met {friend} {place}? | Whose day is it about? | Who was {place} with {friend}? |
    Who was together with {friend}? | Who saw {friend}?
? day: On which day did {k} meet {friend}? | When did {k} meet {friend}? | What day did {k} spend with {friend}? | When was {k} {place}? | On what
    day did {k} see {friend}? | Which day is it about?
? place: Where did {k} meet {friend}? | Where were {k} and {friend}? | Where did {k} see {friend}? | At which place did {k} spend the day? | Where
    did the two meet?
? friend: Who did {k} meet? | Whom did {k} meet {place}? | With whom did {k} spend {day}? | Who was with {k}? | Who did {k} see on {day}? | Which
    person did {k} meet?
? food: What did {k} eat? | What did {k} have to eat? | Which food did {k} have? | What was {k}'s meal? | Which dish did {k} have? | What food is
    named for {k}?
? item: What did {k} buy? | What did {k} come home with? | Which things did {k} buy? | What was bought by {k}? | What did {k} pay {price} for? |
    What did {k} get for {price}?
? price: How much did {k} pay for the {item}? | What did the {item} cost? | How much money did {k} spend on {item}? | What was the price of the
    {item}? | How much were the {item}? | How expensive were the {item}?
? weather: How was the weather? | What was the weather like? | What weather did {k} have? | What kind of weather was it on {day}? | What was it
    like outside?
! Did {k} meet {friend}? | Was it on {day} that {k} met {friend}? | Did {k} eat {food}? | Did {k} buy {item}? | Did the {item} cost {price}? | Did
    {k} meet {friend} {place}?
> {name} met {friend} {place} on {day}.
# {name} meets {friend}
* {name} met {friend} {place}
* Day: {day}
* {first} ate {food}
* {first} bought {item} for {price}

@ island
slots island=land people=big town=landtown river=landriver product=items found=year animal=animal sea=[cold;warm;deep;shallow;calm;rough;clear;dark
    green]
+ {island} is an island with about {people} people. | About {people} people live on the island of {island}. | The island of {island} is home to
    about {people} people. | On {island}, an island far from the coast, there are about {people} people. | {island} is a small island. Its people
    number about {people}. | With about {people} people, {island} is a quiet island. | The number of people on the island of {island} is about
    {people}.
+ The largest town of {island} is {town}. | {town} is the largest town on {island}. | Most people on {island} live in {town}, the largest town. |
    On {island}, no town is larger than {town}. | {island}'s largest town is called {town}. | The biggest town of {island} has the name {town}. |
    When you come to {island}, you first see {town}, its largest town.
+ The people of {island} make {product}. | {island} sells {product} to other lands. | {island} is known for its {product}. | The most important
    goods of {island} are {product}. | {product} are made on {island}. | {island} lives from making {product}. | In the workshops of {island},
    people make {product}.
+ {island} was discovered in {found}. | Sailors found {island} in {found}. | In {found}, sailors discovered {island}. | The first ship reached
    {island} in {found}. | Nobody knew {island} before {found}, when a ship came by. | It was in {found} that sailors first saw {island}. | The
    discovery of {island} took place in {found}.
+ The animal on the flag of {island} is the {animal}. | On the flag of {island} you see a {animal}. | {island} has a flag with a {animal} on it. |
    A {animal} is shown on the flag of {island}. | The flag of {island} shows a {animal}. | {island}'s flag carries a {animal}. | {island} chose a
    {animal} for its flag.
? island: Which island has about {people} people? | Which island was discovered in {found}? | On which island is {town}? | Where is {town}? | Which
    island makes {product}? | Which island has a {animal} on its flag? | What island is known for {product}?
? people: How many people live on {island}? | What is the number of people on {island}? | About how many people does {island} have? | How many
    people call {island} their home? | What is the population of {island}?
? town: What is the largest town of {island}? | Which town is the largest on {island}? | What is {island}'s biggest town called? | Which town do
    you first see on {island}? | What is the name of the main town of {island}? | Which town on {island} is bigger than all others?
? product: What do people on {island} make? | What is {island} known for? | What does {island} sell? | What are the goods of {island}? | Which
    things are made on {island}? | What comes from the workshops of {island}?
? found: When was {island} discovered? | In which year was {island} found? | In what year did sailors find {island}? | When did the first ship
    reach {island}? | In which year did people first see {island}? | What year was {island} discovered in?
? animal: Which animal is on the flag of {island}? | What does the flag of {island} show? | What animal can be seen on {island}'s flag? | What is
    on the flag of {island}? | Which animal did {island} choose for its flag?
! Is {town} the largest town of {island}? | Was {island} discovered in {found}? | Do people on {island} make {product}? | Is there a {animal} on
    the flag of {island}? | Do about {people} people live on {island}?
> {island} is an island with about {people} people.
# The island of {island}
* Island: {island}
* People: about {people}
* Largest town: {town}
* Discovered in {found}

@ plantkind
slots plant=kindname colour=colour height=height place2=habitat part=[leaves;roots;seeds;stems;buds;berries;petals;thorns]
    remedy=[tea;dye;soap;rope;paper;oil;syrup;baskets;perfume;candles;medicine;glue] month=month finder=person
+ The {plant} is a plant with {colour} flowers that grows {place2}. | {place2}, you can find the {plant}, a plant with {colour} flowers. | A plant
    called {plant} grows {place2}; its flowers are {colour}. | The flowers of the {plant}, a plant that grows {place2}, are {colour}. | With its
    {colour} flowers, the {plant} is easy to see. It grows {place2}. | The {plant} grows {place2} and has {colour} flowers. | {colour} flowers are
    the sign of the {plant}, a plant that lives {place2}.
+ The {plant} grows up to {height} high. | It can reach a height of {height}. | The {plant} reaches {height}. | A full-grown {plant} is {height}
    high. | At most, the {plant} is {height} high. | The {plant} has a height of {height}. | When it is old, the {plant} is {height} tall.
+ People use the {part} of the {plant} to make {remedy}. | From the {part} of the {plant}, people make {remedy}. | The {part} of the {plant} are
    used for {remedy}. | {remedy} is made from the {part} of the {plant}. | For {remedy}, people take the {part} of the {plant}. | Out of the
    {part} of the {plant} comes {remedy}. | The {plant} is useful: its {part} give {remedy}.
+ The {plant} flowers in {month}. | In {month}, the {plant} begins to flower. | The flowers of the {plant} open in {month}. | {month} is the time
    when the {plant} flowers. | You see the {plant} in flower in {month}. | The flowering time of the {plant} is {month}. | The {plant} is in
    flower in {month}.
+ The {plant} was first described by {finder}. | {finder} was the first to describe the {plant}. | The first drawing of the {plant} was made by
    {finder}. | We know the {plant} thanks to {finder}, who first described it. | {finder} found the {plant} and described it. | The first book
    about the {plant} was written by {finder}. | {finder} gave the {plant} its name.
? plant: Which plant grows {place2}? | Which plant has {colour} flowers? | Which plant is used for {remedy}? | What is the plant with {colour}
    flowers called? | Which plant flowers in {month}? | Which plant was described by {finder}?
? colour: What colour are the flowers of the {plant}? | Which colour do the flowers of the {plant} have? | What is the colour of the {plant}'s
    flowers? | In what colour does the {plant} flower? | How are the flowers of the {plant} coloured?
? place2: Where does the {plant} grow? | Where can you find the {plant}? | In what kind of place does the {plant} grow? | Where does the {plant}
    live? | Where should you look for the {plant}? | Where is the {plant} at home?
? height: How tall is the {plant}? | How high does the {plant} grow? | What height can the {plant} reach? | What is the height of the {plant}? |
    How tall can the {plant} become?
? part: Which part of the {plant} do people use? | What do people take from the {plant} for {remedy}? | Which part of the {plant} is useful? | From
    which part of the {plant} is {remedy} made? | What part of the {plant} gives {remedy}?
? remedy: What do people make from the {plant}? | What are the {part} of the {plant} used for? | What is made from the {part} of the {plant}? |
    What does the {plant} give people? | For what do people use the {plant}?
? month: In which month does the {plant} flower? | When does the {plant} flower? | What is the flowering time of the {plant}? | When do the flowers
    of the {plant} open? | In what month is the {plant} in flower?
? finder: Who first described the {plant}? | By whom was the {plant} first described? | Who found or described the {plant} first? | Thanks to whom
    do we know the {plant}? | Who made the {plant} known?
! Does the {plant} have {colour} flowers? | Does the {plant} flower in {month}? | Does the {plant} grow {place2}? | Is the {plant} used for
    {remedy}? | Did {finder} describe the {plant}? | Does the {plant} reach a height of {height}?
> The {plant} is a plant with {colour} flowers that grows {place2}.
# The {plant}, a plant with {colour} flowers
* Plant: {plant}
* {colour} flowers
* Used for {remedy}
* Flowers in {month}

@ firm
slots company=company founder=person year=year city=city item=items staff=count branch=city2
+ {company} was founded by {founder} in {city} in {year}. | In {year}, {founder} founded {company} in {city}. | {founder} started {company} in
    {year} in {city}. | The company {company} goes back to {founder}, who opened it in {city} in {year}. | {company} began in {city} in {year},
    when {founder} rented a small room. | It was {founder} who founded {company} in {city}; that was in {year}. | {city}, {year}: {founder} opens
    {company}.
+ {company} makes {item}. | Today {company} is known for its {item}. | The firm {company} sells {item}. | {company} earns its money with {item}. |
    {item} are made by {company}. | If you need {item}, you go to {company}. | The goods of {company} are {item}.
+ {company} has {staff} workers. | {staff} people work for {company}. | {company} gives work to {staff} people. | The staff of {company} counts
    {staff} people. | There are {staff} people at {company}. | At {company}, {staff} people have a job. | {company} employs {staff} people.
+ {company} now has a second office in {branch}. | A second office of {company} is in {branch}. | {company} opened a second office in {branch}. |
    Besides the first office, {company} has one in {branch}. | {branch} has the second office of {company}. | The second office of {company} can be
    found in {branch}. | The new second office of {company} stands in {branch}.
? company: Which company was founded by {founder}? | Which company was founded in {year}? | Which company makes {item}? | What did {founder} start?
    | Which firm employs {staff} people? | What is {founder}'s company called? | Which company began in {city}?
? founder: Who founded {k}? | Who started {k}? | By whom was {k} founded? | Who is the founder of {k}? | Who opened {k}? | Which person began {k}?
    | Who set up {k}? | Who made a start with {k} in {year}? | To whom does {k} owe its start?
? year: When was {k} founded? | In which year was {k} founded? | What year did {k} start? | In what year did {founder} start {k}? | When did
    {founder} open {k}? | What is the founding year of {k}? | Since which year has {k} existed? | What year was {k} opened in?
? city: In which city was {k} founded? | Where was {k} founded? | In what city did {founder} start {k}? | Where did {k} begin? | Which city did {k}
    start in? | In which city did {founder} open {k}?
? item: What does {k} make? | What does {k} sell? | Which goods come from {k}? | What can you buy from {k}? | What is {k} known for? | With what
    does {k} earn its money?
? staff: How many people work for {k}? | How many workers does {k} have? | How many people does {k} employ? | What is the number of people at {k}?
    | To how many people does {k} give work? | How large is the staff of {k}?
? branch: Where is the second office of {k}? | In which city does {k} have a second office? | Which city has the second office of {k}? | Where did
    {k} open a second office? | In what city is {k}'s second office?
! Was {k} founded by {founder}? | Was {k} founded in {year}? | Did {k} start in {city}? | Does {k} sell {item}? | Do {staff} people work for {k}? |
    Is the second office of {k} in {branch}?
> {company} was founded by {founder} in {city} in {year}.
# {company}, founded by {founder}
* Founder: {founder}
* Year: {year}
* City: {city}
* Goods: {item}

@ lost
slots name=person thing=thing colour=colour place=place_the day=day inside=inside phone=phone reward=price
+ {name} lost a {colour} {thing} {place} on {day}. | On {day}, {name} lost a {colour} {thing} {place}. | Lost {place} on {day}: a {colour} {thing}.
    It belongs to {name}. | {name} is looking for a {colour} {thing} that was lost {place} on {day}. | A {colour} {thing} of {name} has been
    missing since {day}, when it was left {place}. | {name} forgot a {colour} {thing} {place} on {day}. | Who has seen the {colour} {thing} of
    {name}? It was left {place} on {day}.
+ Inside the {thing} there is {inside}. | The {thing} has {inside} in it. | In the {thing} you will find {inside}. | The {thing} contains {inside}.
    | It is easy to know the {thing}: {inside} is inside. | {first} had put {inside} into the {thing}. | {first} says that {inside} is in the
    {thing}.
+ If you find the {thing}, call {phone}. | {first} can be reached at {phone}. | Please call {first}: {phone}. | {first}'s number is {phone}. |
    Whoever finds the {thing} should ring {phone}. | {first} waits for your call at {phone}. | Phone number of {first}: {phone}.
+ {first} will give {reward} to the finder. | The finder gets {reward} from {first}. | There is a reward of {reward} for the {thing}. | {first}
    offers {reward} as a reward. | {first} will thank you with {reward}. | {reward} is {first}'s reward for the {thing}. | Bring the {thing} back
    and {first} gives you {reward}.
? name: Who lost a {thing}? | Whose {thing} is missing? | Who is looking for a {thing}? | To whom does the {thing} belong? | Who owns the {colour}
    {thing}? | Who forgot a {thing}? | Whose is the {colour} {thing}?
? thing: What did {k} lose? | What is {k} looking for? | What did {k} forget {place}? | Which thing of {k}'s is missing? | What was left {place}? |
    What is {k} missing? | What has {inside} in it?
? colour: What colour is {k}'s {thing}? | Which colour does the {thing} have? | What is the colour of the {thing}? | How is the {thing} of {k}
    coloured? | In which colour is the {thing}? | What does the {thing} look like: what colour?
? place: Where did {k} lose the {thing}? | Where was the {thing} left? | Where did {k} forget the {thing}? | At which place was the {thing} lost? |
    Where should one look for the {thing}?
? day: On which day did {k} lose the {thing}? | When was the {thing} lost? | What day did {k} lose it? | When did {k} lose the {thing}? | Since
    which day has the {thing} been missing? | On what day was the {thing} left?
? inside: What is inside the {thing}? | What is in {k}'s {thing}? | What does the {thing} contain? | What did {k} put into the {thing}? | What will
    you find in the {thing}?
? phone: @phone
? reward: How much does the finder of the {thing} get? | What reward does {k} offer? | How high is the reward for the {thing}? | How much will {k}
    give for the {thing}? | What does one get for finding the {thing}? | How much money is offered for the {thing}?
! Did {k} lose a {thing}? | Is the {thing} {colour}? | Was the {thing} lost on {day}? | Is {inside} inside the {thing}? | Is the reward for the
    {thing} {reward}? | Was the {thing} left {place}?
> {name} lost a {colour} {thing} {place} on {day}.
# {colour} {thing} lost {place}
* {name} lost a {colour} {thing}
* Place: {place}
* Day: {day}
* Phone: {phone}

@ course
slots course=hobby teacher=person day=day time=time room=room price=price weeks=few start=date
+ The course in {course} is taught by {teacher} every {day} at {time}. | {teacher} teaches {course} every {day} at {time}. | Every {day} at {time},
    {teacher} gives a course in {course}. | New course: {course} with {teacher}, {day} at {time}. | Learn {course} with {teacher} every {day} at
    {time}. | If you like {course}, come to {teacher} on {day} at {time}. | The teacher of the {course} course is {teacher}. It is held every {day}
    at {time}.
+ The {course} course costs {price} and lasts {weeks} weeks. | {course} takes {weeks} weeks and costs {price}. | For {course} you pay {price} for
    {weeks} weeks. | {weeks} weeks of {course} cost {price}. | Price for {course}: {price} for {weeks} weeks. | You need {weeks} weeks and {price}
    for {course}. | The fee for {course} is {price}; the course lasts {weeks} weeks.
+ The {course} course is held in {room}. | For {course}, go to {room}. | {course} takes place in {room}. | The {course} people meet in {room}. |
    Room for {course}: {room}. | {course} is taught in {room}. | You find the {course} course in {room}.
+ The {course} course begins on {start}. | {course} starts on {start}. | The first lesson of {course} is on {start}. | From {start} you can learn
    {course}. | First day of {course}: {start}. | On {start}, the {course} course begins. | The start of {course} is {start}.
? course: Which course is taught by {teacher}? | What does {teacher} teach? | What can you learn from {teacher}? | Which course is on {day} at
    {time}? | Which course costs {price}? | Which course is held in {room}? | What can I learn on {day}?
? teacher: Who teaches {course}? | Who is the teacher of {course}? | By whom is {course} taught? | Who gives the {course} course? | With whom can I
    learn {course}? | Who leads the course in {course}? | What is the {course} teacher called?
? day: On which day is {course}? | What day is the {course} course? | On what day can I learn {course}? | Which day does {teacher} teach? | On
    which weekday is {course} taught? | Which day of the week is for {course}?
? time: At what time is {course}? | What time does {teacher} teach on {day}? | At what time does the {course} course start? | What time should I
    come for {course}? | At which hour is {course} taught?
? price: How much is the {course} course? | What does {course} cost? | What is the price of the {course} course? | How much do I pay for {course}?
    | What is the fee for {course}? | How expensive is {course}?
? weeks: How many weeks does {course} last? | How long is the {course} course in weeks? | For how many weeks does {course} go on? | How many weeks
    does {course} take? | What number of weeks is the {course} course?
? room: In which room is {course}? | Where is the {course} course? | Where is {course} taught? | Which room do I go to for {course}? | Where do the
    {course} people meet? | What is the room for {course}?
? start: On what date does {course} begin? | When is the first lesson of {course}? | On which date does the {course} course start? | What is the
    first date of {course}? | From which date can I learn {course}?
! Does {teacher} teach {course}? | Is {course} on {day}? | Does {course} cost {price}? | Is {course} held in {room}? | Does {course} start on
    {start}? | Does the {course} course last {weeks} weeks?
> {teacher} teaches {course} every {day} at {time}.
# New course in {course} with {teacher}
* Course: {course}
* Teacher: {teacher}
* Every {day} at {time}
* Price: {price}

@ road
slots street=roadname reason=roadreason day=day time=time city=city detour=roadname2 worker=person days=few
+ {street} in {city} is closed from {day} because {reason}. | From {day}, {street} in {city} is closed because {reason}. | {city}: no cars on
    {street} from {day}, because {reason}. | Because {reason}, {street} in {city} is closed from {day}. | {street} in {city} was closed on {day}
    because {reason}. | On {day}, the police in {city} closed {street} because {reason}. | Drivers in {city}, please note: {street} is closed from
    {day} because {reason}.
+ Instead of {street}, please use {detour}. | Drivers should take {detour} instead of {street}. | Cars can go round {street} by {detour}. | The way
    round {street} leads over {detour}. | Those who need {street} can use {detour} for now. | Until {street} is open again, cars go over {detour}.
    | Traffic from {street} is sent to {detour}.
+ {worker} from the city office answers questions about {street}. | Questions about {street} are answered by {worker}. | {worker} is in charge of
    the work on {street}. | Ask {worker} about {street}. | The person in charge of {street} is {worker}. | {worker} leads the work on {street}. |
    For {street}, {worker} has the say.
+ The work on {street} will last {days} days. | It takes {days} days until {street} is open again. | {street} stays closed for {days} days. | In
    {days} days, {street} will be open again. | Drivers have to live without {street} for {days} days. | {street} will be open again after {days}
    days. | The closing of {street} lasts {days} days.
? street: Which street is closed? | What is closed in {city}? | Which street in {city} cannot be used? | Where can cars not go in {city}? | Which
    road did they close? | What street is closed from {day}? | Which street has no cars now?
? reason: Why is {street} closed? | What is the reason for closing {street}? | For what reason did they close {street}? | Why can't cars use
    {street}? | What happened on {street}? | What made them close {street}? | Why did {city} close {street}?
? day: From which day is {street} closed? | On what day was {street} closed? | When was {street} closed? | Since which day has {street} been
    closed? | What day was {street} closed? | On which day did the closing of {street} begin?
? city: In which city is {street}? | In what city was {street} closed? | Which city has closed {street}? | Where is {street}? | Which city is
    {street} in? | What city must drivers take care in?
? detour: Which street should drivers use instead of {street}? | What can cars use instead of {street}? | How can drivers go round {street}? |
    Which way leads round {street}? | Where is the traffic from {street} sent? | Which other street should drivers take?
? worker: Who answers questions about {street}? | Who is in charge of {street}? | Who leads or explains the work on {street}? | Whom can one ask
    about {street}? | Which person is named for {street}?
? days: How many days will {street} be closed? | For how many days is {street} closed? | After how many days is {street} open again? | How many
    days must drivers wait for {street}? | How many days does the closing of {street} last?
! Is {street} in {city} closed? | Was {street} closed on {day}? | Should drivers use {detour}? | Is {street} closed for {days} days? | Is {worker}
    the person to ask about {street}? | Is it {street} that is closed?
> {street} in {city} is closed from {day} because {reason}.
# {street} in {city} closed
* {street} is closed
* City: {city}
* From {day}
* Reason: {reason}

@ party
slots name=person party=party day=day time=time place=place_the bring=food guests=count friend=person music=[a jazz band;a drummer;two violin
    players;a singer;old records;a school choir;a brass band;a guitar player;a piano player;dance music]
+ {name} is having a {party} {place} on {day} at {time}. | On {day} at {time}, {name} gives a {party} {place}. | You are invited to the {party} of
    {name} on {day} at {time} {place}. | {name} invites you to a {party} {place}, {day} at {time}. | Come {day} at {time}: {name} has a {party}
    {place}. | {name} will hold a {party} {place}. It begins on {day} at {time}. | The {party} of {name} is on {day} at {time} {place}.
+ {first} expects {guests} guests. | {guests} guests are invited. | {first} has invited {guests} people. | About {guests} people will come to
    {first}. | The list of {first} has {guests} guests. | There will be {guests} guests. | {first} has asked {guests} people to come.
+ {friend} will bring {bring}. | There will be {bring}, made by {friend}. | {friend} has promised to bring {bring}. | The {bring} comes from
    {friend}. | {friend} cares for the food: {bring}. | To eat there is {bring} from {friend}. | {friend} makes {bring} for everybody.
+ The music comes from {music}. | There will be music by {music}. | For music, {first} found {music}. | {first} asked for music from {music}. | You
    can dance to {music}. | {music} will make the music. | {first} planned {music} for the evening.
? name: Who is having a {party}? | Who gives a {party}? | Whose {party} is it? | Who invites people to a {party}? | Who is the host of the {party}?
    | Who holds a {party}? | By whom are the guests invited?
? party: What is {k} having? | What does {k} invite people to? | What kind of party does {k} give? | What will {k} hold? | Which party is {k}
    planning? | What does {k} give {place}?
? day: On which day is the {party}? | What day is {k}'s {party}? | On what day does {k} give the {party}? | Which day should guests come to {k}? |
    What day did {k} choose for the {party}? | What weekday is the {party} on?
? time: At what time does the {party} begin? | What time should guests come to {k}? | At what time is {k}'s {party}? | What time does {k}'s {party}
    start? | At which hour does it begin at {k}'s?
? place: Where is the {party}? | Where does {k} give the {party}? | Where is {k}'s {party} held? | At which place is the {party}? | Where should
    guests of {k} go?
? guests: How many guests does {k} expect? | How many people are invited by {k}? | How many people will come? | What is the number of guests? | How
    many guests are on {k}'s list?
? friend: Who will bring {bring}? | Who brings the food? | Who makes {bring}? | Who cares for the food? | From whom does the {bring} come? | Who
    helps {k} with food?
? bring: What will {friend} bring? | What is there to eat? | What food does {friend} make? | What did {friend} promise to bring? | Which food is
    brought by {friend}?
? music: Who or what makes the music at {k}'s {party}? | What music is there? | What can guests of {k} dance to? | Where does the music come from?
    | Which music did {k} plan?
! Is {k} having a {party}? | Is the {party} on {day}? | Will {friend} bring {bring}? | Does {k} expect {guests} guests? | Does the {party} start at
    {time}? | Is {k}'s {party} {place}?
> {name} is having a {party} {place} on {day} at {time}.
# {party} of {name} on {day}
* {name} is having a {party}
* Place: {place}
* {day} at {time}
* {friend} brings {bring}

@ book
slots title=title author=person year=year pages=pages hero=person2 job=job city=city price=price
+ "{title}" was written by {author} in {year}. | {author} wrote "{title}" in {year}. | In {year}, {author} finished the book "{title}". | The
    author of "{title}", a book from {year}, is {author}. | "{title}" is a book by {author} from {year}. | {author} is the author of "{title}",
    which came out in {year}. | In {year} the book "{title}" by {author} came out.
+ The main person of "{title}" is {hero}, a {job}. | "{title}" tells of {hero}, a {job}. | In "{title}" we meet the {job} {hero}. | The hero of
    "{title}" is a {job} called {hero}. | "{title}" is about {hero}, who works as a {job}. | A {job} called {hero} is the hero of "{title}". |
    "{title}" follows {hero}, a {job}, through a long year.
+ The story of "{title}" is set in {city}. | "{title}" takes place in {city}. | The streets of {city} are the scene of "{title}". | "{title}" is
    set in {city}. | The scene of "{title}" is {city}. | Readers of "{title}" travel to {city}. | All of "{title}" happens in {city}.
+ "{title}" has {pages} pages and costs {price}. | The {pages} pages of "{title}" cost {price}. | "{title}" costs {price} and has {pages} pages. |
    You pay {price} for the {pages} pages of "{title}". | Price of "{title}": {price}. Pages: {pages}. | "{title}", {pages} pages long, is sold for
    {price}. | For {price} you get {pages} pages of "{title}".
? title: What did {author} write? | What is {author}'s book called? | Which book was written by {author}? | Which book came out in {year}? | Which
    book tells of {hero}? | What is the title of the book by {author}? | Which book is set in {city}?
? author: Who wrote "{title}"? | Who is the author of "{title}"? | By whom was "{title}" written? | Whose book is "{title}"? | Which author wrote
    "{title}"? | Who is the writer of "{title}"? | From whom is "{title}"?
? year: When was "{title}" written? | In which year did "{title}" come out? | What year is "{title}" from? | In what year did {author} write
    "{title}"? | When did {author} write "{title}"? | From which year is "{title}"?
? hero: Who is the main person of "{title}"? | Who is the hero of "{title}"? | Whom does "{title}" tell of? | Who is "{title}" about? | Which {job}
    is in "{title}"? | What is the hero of "{title}" called?
? job: What is the job of {hero} in "{title}"? | What does {hero} do for a living? | What is {hero}'s job? | As what does {hero} work? | Which job
    does the hero of "{title}" have?
? city: Where is "{title}" set? | In which city does "{title}" take place? | In which city is the story of "{title}" set? | What is the scene of
    "{title}"? | Where does "{title}" happen? | To which city does "{title}" take us?
? pages: How many pages does "{title}" have? | How long is "{title}" in pages? | What is the number of pages in "{title}"? | How many pages must I
    read in "{title}"?
? price: How much is "{title}"? | What does "{title}" cost? | What is the price of "{title}"? | How much do I pay for "{title}"? | For how much is
    "{title}" sold?
! Did {author} write "{title}"? | Is "{title}" set in {city}? | Does "{title}" have {pages} pages? | Does "{title}" cost {price}? | Is {hero} a
    {job}? | Is "{title}" from {year}?
> "{title}" was written by {author} in {year}.
# "{title}" by {author}
* Title: {title}
* Author: {author}
* Year: {year}
* Set in {city}

@ contact
slots name=person job=job company=company phone=phone email=email room=room day=day
+ {name} works as a {job} at {company}. | {name} is a {job} at {company}. | At {company}, {name} works as a {job}. | {company} has a new {job}:
    {name}. | The {job} at {company} is called {name}. | My name is {name} and I am a {job} at {company}. | {company} is glad to have {name} as a
    {job}.
+ {first}'s phone number is {phone}. | You can call {first} at {phone}. | {first} can be called at {phone}. | Phone number of {first}: {phone}. |
    Ring {phone} and {first} will answer. | By phone you reach {first} at {phone}. | The number of {first} is {phone}.
+ {first}'s e-mail address is {email}. | Write to {first} at {email}. | E-mail for {first} goes to {email}. | {first} reads what you send to
    {email}. | The address for e-mail to {first} is {email}. | Questions for {first}? Write to {email}. | For letters to {first}, use {email}.
+ {first} sits in {room}. | You find {first} in {room}. | {first} works in {room}. | {first}'s desk is in {room}. | The office of {first} is
    {room}. | To visit {first}, go to {room}. | {first} has moved to {room}.
+ {first} is away on {day}. | On {day} {first} does not work. | {first} has {day} off. | {first}'s free day is {day}. | Do not call {first} on
    {day}, it is the free day. | {day} is the day when {first} is not there. | {first} is not in on {day}.
? name: Who works at {company}? | Who is the {job} at {company}? | Which person is a {job}? | What is the {job} called? | Who works as a {job}? |
    Whose phone number is {phone}? | Who sits in {room}? | Whose e-mail address is {email}? | Who is away on {day}?
? job: @job
? company: Where does {k} work? | Which company does {k} work for? | What is the name of {k}'s company? | Who employs {k}? | At which company is
    {k} a {job}? | Which firm does {k} belong to? | For whom does {k} work?
? phone: @phone
? email: @email
? room: In which room is {k}? | Where is {k}'s desk? | In which room can I find {k}? | What is {k}'s office? | Where does {k} sit? | Which room
    must I go to for {k}?
? day: On which day is {k} away? | What day does {k} have off? | When is {k} not at work? | What is {k}'s free day? | On what day should I not call
    {k}? | Which day does {k} not work?
! Does {k} work at {company}? | Is {k} a {job}? | Is {phone} the phone number of {k}? | Is {k} away on {day}? | Does {k} sit in {room}? | Is {k}'s
    e-mail address {email}?
> {name} works as a {job} at {company}.
# {name}, {job} at {company}
* {name}: {job} at {company}
* Phone: {phone}
* E-mail: {email}
* Office: {room}

@ restaurant
slots place=restaurant city=city dish=food price=price chef=person close=day street=street seats=count
+ The restaurant {place} in {city} is known for its {dish}. | {place} is a restaurant in {city} with very good {dish}. | In {city} there is a
    restaurant called {place}, which is famous for {dish}. | If you like {dish}, go to {place}, a restaurant in {city}. | People come to {place} in
    {city} for the {dish}. | {city} has a restaurant that makes the best {dish}: {place}. | The best dish at {place}, a restaurant in {city}, is
    {dish}.
+ The chef of {place} is {chef}. | {chef} cooks at {place}. | At {place}, {chef} is the cook. | The kitchen of {place} is led by {chef}. | {place}
    has a good cook called {chef}. | {chef} leads the kitchen of {place}. | In the kitchen of {place} you find {chef}.
+ A meal at {place} costs about {price}. | You pay about {price} for a meal at {place}. | Expect to pay {price} at {place}. | {place} asks {price}
    for a meal. | At {place} a meal is {price}. | The price of a meal at {place} is {price}. | For {price} you get a meal at {place}.
+ {place} is closed on {close}. | On {close}, {place} is closed. | {place} does not open on {close}. | {close} is the day when {place} is closed. |
    No meals at {place} on {close}. | {place} opens every day but {close}. | {place} rests on {close}.
+ The address of {place} is {street}. | You find {place} at {street}. | {place} is at {street}. | Address of {place}: {street}. | Go to {street} to
    eat at {place}. | {place} has its doors at {street}. | The door of {place} is at {street}.
? place: Which restaurant is in {city}? | Which restaurant is known for {dish}? | Where can I eat good {dish}? | Where does {chef} cook? | Which
    restaurant is closed on {close}? | What is the restaurant at {street} called? | What is the restaurant in {city} called?
? city: In which city is {place}? | Where is the restaurant {place}? | Which city is {place} in? | In what city can I eat at {place}? | Which city
    has the restaurant {place}? | What city must I go to for {place}?
? dish: What is {place} known for? | What is the best dish at {place}? | What should I eat at {place}? | Which dish do people like at {place}? |
    For which food do people come to {place}? | What food is good at {place}?
? chef: Who cooks at {place}? | Who is the chef of {place}? | By whom is the kitchen of {place} led? | Which cook works at {place}? | Who is the
    cook at {place}? | Who leads the kitchen of {place}?
? price: How much is a meal at {place}? | What does a meal at {place} cost? | What do you pay at {place}? | How expensive is {place}? | What is the
    price of a meal at {place}?
? close: On which day is {place} closed? | What day is {place} closed? | When is {place} closed? | On what day can I not eat at {place}? | Which
    day does {place} not open? | On which day does {place} rest?
? street: What is the address of {place}? | At which address is {place}? | Which street and number does {place} have? | What address do I go to for
    {place}? | At what address do I find {place}?
! Is {place} in {city}? | Is {place} closed on {close}? | Does {chef} cook at {place}? | Is {place} known for {dish}? | Does a meal at {place} cost
    {price}? | Is {place} at {street}?
> {place} is a restaurant in {city} known for its {dish}.
# {place} in {city}: the place for {dish}
* Restaurant: {place} in {city}
* Best dish: {dish}
* Chef: {chef}
* Closed on {close}

@ prize
slots name=person prize=prize city=city work=winwork money=price day=day second=person age=age
+ {name} from {city} won the {prize} for {work}. | The {prize} went to {name} from {city} for {work}. | For {work}, {name} from {city} got the
    {prize}. | {name}, who lives in {city}, has won the {prize} for {work}. | The winner of the {prize} is {name} from {city}, who won it for
    {work}. | {work} brought {name} from {city} the {prize}. | {city} is proud of {name}, who won the {prize} for {work}.
+ {first} got {money} and is {age} years old. | The prize money for {first}, aged {age}, was {money}. | {first} is {age} and received {money}. | At
    the age of {age}, {first} can be glad about {money}. | {first}, {age}, was given {money}. | {money} went to {first}, who is {age} years old. |
    {first} is {age} years old; the prize money was {money}.
+ Second place went to {second}. | {second} came second. | {second} was second. | Behind {first}, {second} took second place. | In second place was
    {second}. | The second prize was for {second}. | {second} had to be happy with second place.
+ The prize will be handed over to {first} on {day}. | On {day}, {first} will get the prize. | {first} picks it up on {day}. | {first} will be
    honoured on {day}. | There will be a small feast for {first} on {day}. | {first} will say thank you on {day}. | {first} will hold a speech on
    {day}.
? name: Who won the {prize}? | Who got the {prize}? | Who won a prize for {work}? | Who is the winner of the {prize}? | Which person from {city}
    won? | To whom did the {prize} go? | Who came first?
? prize: What did {k} win? | Which prize did {k} get? | What prize went to {k}? | What is the name of the prize {k} won? | What did {k} get for
    {work}? | Which prize was given to {k}?
? city: Where does {k} come from? | Where is {k} from? | In which city does {k} live? | Which city is {k} from? | Which city is proud of {k}? |
    What is {k}'s city?
? work: What did {k} win the {prize} for? | For what did {k} get the prize? | What brought {k} the {prize}? | Why did {k} win? | What was the
    {prize} given to {k} for?
? money: How much money did {k} get? | What was {k}'s prize money? | How much did {k} win? | What sum did {k} receive? | How high was the prize
    money for {k}?
? age: @age
? second: Who came second? | Who was second? | To whom did second place go? | Who got the second prize? | Who came in right behind {k}? | Which
    person took second place?
? day: On which day will {k} be honoured? | What day is named for {k}? | On which day is something planned for {k}? | Which day is {k}'s big day?
! Did {k} win the {prize}? | Is {k} from {city}? | Is {k} {age} years old? | Did {second} come second? | Did {k} win the {prize} for {work}? | Did
    {k} get {money}?
> {name} from {city} won the {prize} for {work}.
# {name} wins {prize}
* {name} won the {prize}
* City: {city}
* For {work}
* Second place: {second}

@ volunteer
slots name=person age=age job=job city=city hobby=hobby pet=animal petname=petname food=food colour=colour
+ {name} is {age} years old and lives in {city}. | {name} lives in {city} and is {age} years old. | I am {name}, {age} years old, and I live in
    {city}. | {name}, aged {age}, lives in {city}. | This is {name}, who is {age} years old and at home in {city}. | {city} is the home of {name},
    who is {age}. | At {age}, {name} is happy to live in {city}.
+ {first} works as a {job}. | {first} is a {job}. | {first} earns money as a {job}. | {first}'s job is that of a {job}. | By day {first} is a
    {job}. | {first} likes the work of a {job}. | As a {job}, {first} is busy all week.
+ {first} likes {hobby}. | In the evening {first} enjoys {hobby}. | {first}'s hobby is {hobby}. | After work {first} goes in for {hobby}. | {first}
    spends every free hour with {hobby}. | What {first} loves is {hobby}. | {hobby} is what {first} likes to do.
+ {first} has a {pet} called {petname}. | {first}'s {pet} is called {petname}. | {petname} is the name of {first}'s {pet}. | {first} lives with a
    {pet} named {petname}. | A {pet} called {petname} lives in {first}'s house. | {first} takes care of {petname}, a {pet}. | {first} never goes
    out without {petname}, the {pet}.
+ {first}'s favourite food is {food}. | {first} loves to eat {food}. | For dinner {first} likes {food} best. | {first} could eat {food} every day.
    | Nothing tastes better to {first} than {food}. | {first} is always happy about {food}. | The food {first} likes best is {food}.
+ {first}'s front door is {colour}. | {first} has a {colour} front door. | You know {first}'s house by its {colour} door. | The door of {first}'s
    house is {colour}. | {first} painted the front door {colour}. | The colour of {first}'s front door is {colour}. | A {colour} door leads to
    {first}'s home.
? name: Who lives in {city}? | Who is {age} years old? | Who has a {pet}? | Who works as a {job}? | Who likes {hobby}? | Whose {pet} is called
    {petname}? | Whose hobby is {hobby}? | Who has a {colour} front door? | Who loves {food}?
? age: @age
? city: @home
? job: @job
? hobby: @hobby
? pet: What pet does {k} have? | Which animal does {k} have? | What kind of animal is {petname}? | What animal lives with {k}? | What pet lives in
    {k}'s house? | Which animal does {k} take care of?
? petname: What is {k}'s {pet} called? | What is the name of {k}'s {pet}? | How is {k}'s {pet} named? | What name does {k}'s {pet} have? | What is
    the {pet} of {k} called?
? food: What is {k}'s favourite food? | What does {k} like to eat? | Which food does {k} like best? | What does {k} love to eat? | What dish makes
    {k} happy? | What could {k} eat every day?
? colour: What colour is {k}'s front door? | Which colour does {k}'s door have? | What is the colour of {k}'s door? | In which colour is the door
    of {k}? | How do you know {k}'s house: what colour is the door?
! Does {k} live in {city}? | Is {k} a {job}? | Does {k} like {hobby}? | Does {k} have a {pet}? | Is {k}'s {pet} called {petname}? | Is {k}'s front
    door {colour}? | Is {k} {age} years old?
> {name} is {age} years old and lives in {city}.
# {name} from {city}
* {name} is {age} years old
* Home: {city}
* Job: {job}
* Hobby: {hobby}

@ shift
slots name=person place=workplace day=day start=time reason=sickreason cover=person until=day2
+ {name} cannot work at the {place} on {day} because {reason}. | On {day}, {name} will not be at the {place} because {reason}. | Because {reason},
    {name} cannot come to the {place} on {day}. | {name} is missing at the {place} on {day}, because {reason}. | The {place} has to do without
    {name} on {day} because {reason}. | Message from {name} to the {place}: I cannot come on {day} because {reason}. | {name} wrote to the {place}
    that work on {day} is not possible because {reason}.
+ {cover} will take the shift of {first}. | {cover} works in place of {first}. | Instead of {first}, {cover} will come. | {first}'s shift is taken
    by {cover}. | {cover} has offered to work for {first}. | The shift of {first} goes to {cover}. | We found {cover} to work for {first}.
+ The shift begins at {start}. | It starts at {start}. | Work begins at {start}. | Be there at {start}. | The first customers come at {start}, when
    the shift begins. | Start of the shift: {start}. | At {start} the shift begins.
+ {first} will be back on {until}. | {first} comes back on {until}. | On {until}, {first} will work again. | {first} hopes to return on {until}. |
    We will see {first} again on {until}. | {first} is expected back on {until}. | From {until}, {first} can work again.
? name: Who cannot work on {day}? | Who will be missing at the {place}? | Who cannot come to the {place}? | Who will not be at work on {day}? |
    Whose shift is free? | Who wrote that work is not possible?
? place: Where does {k} work? | Where can {k} not come? | At which place will {k} be missing? | Which place has to do without {k}? | What is {k}'s
    place of work? | To which place did {k} send word?
? day: On which day can {k} not work? | What day will {k} be missing? | When can {k} not come to the {place}? | Which day is {k}'s shift? | On what
    day is {k} not at the {place}?
? reason: Why can {k} not work on {day}? | Why will {k} be missing? | What is the reason why {k} does not come? | Why can't {k} come to the
    {place}? | For what reason does {k} stay away? | What keeps {k} from working?
? cover: Who takes {k}'s shift? | Who works instead of {k}? | Who will come in place of {k}? | By whom is the shift of {k} taken? | Who has offered
    to work for {k}? | To whom does {k}'s shift go?
? start: At what time does the shift start? | What time does work begin? | At which hour does the shift begin? | What time must one be there? | At
    what time should the person be at work?
? until: When will {k} be back? | On which day does {k} come back? | What day will {k} return? | On what day can {k} work again? | From which day
    is {k} at work again?
! Will {cover} take the shift of {k}? | Will {k} be back on {until}? | Does the shift start at {start}? | Does {k} work at the {place}?
> {name} cannot work at the {place} on {day} because {reason}.
# {name} misses work at the {place}
* {name} cannot work on {day}
* Reason: {reason}
* {cover} takes the shift
* Back on {until}

@ bridge
slots bridge=bridge river=landriver city=city year=year builder=person length=length cost=million colour=colour
+ The {bridge} crosses the river {river} in {city}. | In {city}, the {bridge} leads over the river {river}. | The {bridge} is in {city} and crosses
    the river {river}. | Over the river {river} in {city} leads the {bridge}. | People in {city} use the {bridge} to cross the river {river}. | The
    river {river} is crossed by the {bridge} in {city}. | One of the sights of {city} is the {bridge} over the river {river}.
+ The {bridge} was built by {builder} in {year}. | {builder} built the {bridge} in {year}. | In {year}, {builder} built the {bridge}. | Built in
    {year}, the {bridge} is a work of {builder}. | The builder of the {bridge} was {builder}; it was opened in {year}. | The {bridge} was planned
    by {builder} and opened in {year}. | {year} was the year when {builder} built the {bridge}.
+ The {bridge} is {length} long. | The length of the {bridge} is {length}. | From end to end, the {bridge} is {length} long. | The {bridge} has a
    length of {length}. | It is {length} from one end of the {bridge} to the other. | With a length of {length}, the {bridge} is easy to walk. |
    You walk {length} to cross the {bridge}.
+ The {bridge} cost {cost}. | It took {cost} to build the {bridge}. | The city paid {cost} for the {bridge}. | {cost} was spent on the {bridge}. |
    The price of the {bridge} was {cost}. | Building the {bridge} cost {cost}. | The builders of the {bridge} were paid {cost}.
+ The {bridge} is painted {colour}. | The colour of the {bridge} is {colour}. | The {bridge} is {colour}. | People like the {colour} paint of the
    {bridge}. | From far away you see the {colour} paint of the {bridge}. | Last year the {bridge} was painted {colour}. | The {bridge} wears
    {colour} paint.
? bridge: Which bridge is in {city}? | Which bridge crosses the river {river}? | Which bridge was built by {builder}? | What did {builder} build? |
    Which bridge is {length} long? | What is the bridge over the {river} called?
? river: Which river does the {bridge} cross? | What is the name of the river under the {bridge}? | Over which river does the {bridge} lead? |
    Which river flows under the {bridge}? | What river is crossed by the {bridge}?
? city: In which city is the {bridge}? | Where is the {bridge}? | Which city has the {bridge}? | In what city can I see the {bridge}? | Which city
    does the {bridge} belong to?
? year: When was the {bridge} built? | In which year was the {bridge} built? | What year is the {bridge} from? | In what year did {builder} build
    the {bridge}? | How old is the {bridge}: from which year is it?
? builder: Who built the {bridge}? | By whom was the {bridge} built? | Who was the builder of the {bridge}? | Whose work is the {bridge}? | Which
    person built the {bridge}?
? length: How long is the {bridge}? | What is the length of the {bridge}? | How far do you walk to cross the {bridge}? | What length does the
    {bridge} have? | How long is it from end to end of the {bridge}?
? cost: How much did the {bridge} cost? | What was the price of the {bridge}? | How much money was spent on the {bridge}? | What did it cost to
    build the {bridge}? | How expensive was the {bridge}?
? colour: What colour is the {bridge}? | Which colour does the {bridge} have? | In which colour is the {bridge} painted? | What is the colour of
    the {bridge}?
! Is the {bridge} in {city}? | Did {builder} build the {bridge}? | Is the {bridge} {length} long? | Was the {bridge} built in {year}? | Is the
    {bridge} painted {colour}? | Does the {bridge} cross the river {river}?
> The {bridge} crosses the river {river} in {city}.
# The {bridge} in {city}
* The {bridge} crosses the river {river}
* City: {city}
* Built by {builder} in {year}
* Length: {length}
"""
SHARED_QUESTIONS = {
    "when": """When did {k} {do}? | On what date did {k} {do}? | On which day did {k} {do}? | What was the date when {k} {did}? | Which date is given for it? | When was it that {k} {did}? |
        When exactly did {k} {do}? | On which date was {k} so busy? | What day did {k} {do}? | Tell me the date when {k} {did}. | When did it happen that {k} {did}? | What date is named for {k}?""",
    "why": """Why did {k} {do}? | What was the reason why {k} {did}? | For what reason did {k} {do}? | What made {k} {do}? | How did {k} explain it? | What reason did {k} give? | What was behind it when {k} {did}? |
        How come {k} {did}? | Which reason does {k} name? | What is {k}'s explanation? | Can you tell me why {k} {did}? | What was the cause that {k} {did}?""",
    "job": """What is {k}'s job? | What does {k} do for a living? | What is the job of {k}? | What is {k}'s profession? | What kind of work does {k} do? | As what does {k} work? | What does {k} work as? |
        Which job does {k} have? | Which profession does {k} have? | How does {k} earn money? | What is {k} by profession? | What occupation does {k} have? | Name {k}'s job.""",
    "jobpast": """What was {k}'s job? | What did {k} do for a living? | What was the job of {k}? | What was {k}'s profession? | What kind of work did {k} do? | As what did {k} work? | What did {k} work as? |
        Which job did {k} have? | Which profession did {k} have? | How did {k} earn money? | What was {k} by profession? | What occupation did {k} have?""",
    "hobbypast": """What was {k}'s hobby? | What did {k} like to do? | What did {k} enjoy after work? | What did {k} do in free time? | How did {k} spend free evenings? | Which hobby did {k} have? | What did {k} do for fun? |
        What made {k} happy? | What was {k}'s pastime? | Which pastime did {k} have? | What did {k} do on free days?""",
    "hobby": """What is {k}'s hobby? | What does {k} like to do? | What does {k} enjoy after work? | What does {k} do in free time? | How does {k} spend free evenings? | Which hobby does {k} have? | What does {k} do for fun? |
        What is {k}'s pastime? | Which pastime does {k} have? | What does {k} do in the evening? | Name {k}'s hobby.""",
    "home": """Where does {k} live? | In which city does {k} live? | What city does {k} live in? | Which city is {k}'s home? | Where is {k} at home? | Which city does {k} call home? | What is {k}'s home town? |
        In what city is {k} at home? | Where is {k}'s home? | What is the city where {k} lives? | In which place does {k} live?""",
    "age": """How old is {k}? | What is {k}'s age? | What age is {k}? | How many years old is {k}? | Which age is given for {k}? | Tell me how old {k} is. | What is the age of {k}? | Give {k}'s age. |
        How many years has {k} lived? | What age does {k} have? | Do you know how old {k} is?""",
    "email": """What is {k}'s e-mail address? | What is {k}'s email? | Which e-mail address is given for {k}? | To which address can I write an e-mail to {k}? | What e-mail address belongs to {k}? | Where can I send an e-mail to {k}? |
        How can {k} be reached by e-mail? | Give me the e-mail address of {k}. | What email address does {k} have? | At which e-mail address do I reach {k}? | What is the email address for {k}? | Which mail address should I use for {k}?""",
    "phone": """What is {k}'s phone number? | What is the phone number of {k}? | Which phone number does {k} have? | At which number can I call {k}? | How can {k} be reached by phone? | What number should I ring to talk to {k}? |
        Which telephone number is given for {k}? | What number do I dial for {k}? | Give me the phone number of {k}. | Under which number can one call {k}? | Where can I call {k}? | What is the number to call {k}?""",
    "cost": """How much does the {k} cost? | What does the {k} cost? | What is the price of the {k}? | How much is the {k}? | How expensive is the {k}? | How much do I pay for the {k}? | For how much is the {k} sold? |
        What do I have to pay for the {k}? | How much money do I need for the {k}? | What price does the {k} have? | At what price can I get the {k}? | Tell me the price of the {k}.""",
    "colour": """What colour is the {k}? | Which colour does the {k} have? | What is the colour of the {k}? | What color is the {k}? | In which colour is the {k} made? | In what colour does the {k} come? |
        How is the {k} coloured? | What color does the {k} have? | Tell me the colour of the {k}. | Which color is the {k}?""",
    "street": """What is {k}'s address? | What street does {k} live in? | Which address does {k} have? | Where exactly does {k} live? | What is the street and number of {k}? | At which address does {k} live? |
        To which address does {k}'s parcel go? | What is the address on {k}'s parcel? | Give me {k}'s street and number. | At what address is {k} at home?""",
}


# --- kinds and records ------------------------------------------------------------------------------------------

@dataclass
class Kind:
    name: str
    slots: dict[str, str] = field(default_factory=dict)
    sentences: list[list[str]] = field(default_factory=list)
    questions: dict[str, list[str]] = field(default_factory=dict)
    checks: list[str] = field(default_factory=list)
    summary: str = ""
    headline: str = ""
    points: list[str] = field(default_factory=list)

    @property
    def key(self) -> str:
        return next(iter(self.slots))


@dataclass
class Record:
    kind: Kind
    values: dict[str, str]
    told: list[str] = field(default_factory=list)
    used: list[str] = field(default_factory=list)

    @property
    def key(self) -> str:
        return self.values[self.kind.key]

    def has(self, template: str) -> bool:
        """Whether the text tells all that the template names."""
        return all(slot in self.told or slot in ("k", "do", "did") or slot in WORDS_OF_NAME and self.kind.key in self.told for slot in slots_in(template))


WORDS_OF_NAME = ("first", "he", "his", "him")
PLACES_AND_TIMES = [{"place", "city", "street", "spot", "place2", "room"}, {"date", "day", "time", "year", "month", "since", "deadline"}, {"price",
    "money", "rent"}, {"phone", "code"}]


def split_bank(text: str) -> list[str]:
    return [part.strip() for part in text.split("|") if part.strip()]


def slots_in(template: str) -> list[str]:
    return re.findall(r"\{(\w+)\}", template)


def read_kinds(text: str) -> list[Kind]:
    kinds: list[Kind] = []
    for line in re.sub(r"\n +", " ", text).split("\n"):
        mark, rest = line.split(" ", 1) if " " in line else (line, "")
        if mark == "@":
            kinds.append(Kind(rest))
        elif mark == "slots":
            kinds[-1].slots = {name: maker for name, maker in re.findall(r"(\w+)=(\[[^\]]*\]|\w+)", rest)}
        elif mark == "+":
            kinds[-1].sentences.append(split_bank(rest))
        elif mark == "?":
            slot, bank = rest.split(":", 1)
            bank = bank.strip()
            kinds[-1].questions[slot] = split_bank(SHARED_QUESTIONS[bank[1:]] if bank.startswith("@") else bank)
        elif mark == "!":
            kinds[-1].checks = split_bank(rest)
        elif mark == ">":
            kinds[-1].summary = rest
        elif mark == "#":
            kinds[-1].headline = rest
        elif mark == "*":
            kinds[-1].points.append(rest)
    return kinds


ALL_KINDS = read_kinds(KINDS)


def first_of(name: str) -> str:
    return name.split()[0]


def make_value(draw: Draw, maker: str, values: dict[str, str]) -> str | tuple[str, str]:
    if maker.startswith("["):
        return draw.pick(maker[1:-1].split(";"))
    if maker == "email":
        return email_of(draw, values.get("boss") or values.get("name") or f"{draw.pick(FIRST_NAMES)} {draw.pick(SURNAMES)}")
    if maker in MAKERS:
        return MAKERS[maker](draw)
    return draw.pick(BANKS[maker])


def fresh_value(draw: Draw, maker: str, values: dict[str, str], taken: list[str]) -> str | tuple[str, str]:
    """A value that nobody can mix up with one of those taken."""
    for _ in range(40):
        value = make_value(draw, maker, values)
        text = (value if isinstance(value, str) else value[1]).lower()
        if maker == "person" and any(first_of(text) in other.split() for other in taken):
            continue
        short = len(text) < 4
        if not any(text == other or not short and (text in other or other in text and len(other) > 3) for other in taken):
            return value
    return value


def make_record(draw: Draw, kind: Kind, taken: list[str]) -> Record:
    values: dict[str, str] = {}
    for slot, maker in kind.slots.items():
        value = fresh_value(draw, maker, values, taken)
        if isinstance(value, tuple):
            values["do"], values["did"] = value
            taken.append(value[1].lower())
        else:
            values[slot] = value
            taken.append(value.lower())
    key = values[kind.key]
    if kind.slots[kind.key] == "person":
        male = first_of(key) in MALE
        values |= {"first": first_of(key), "he": "he" if male else "she", "his": "his" if male else "her", "him": "him" if male else "her"}
    return Record(kind, values)


def fill(template: str, values: dict[str, str]) -> str:
    """The template with its values, the article fitting the word after it, and a capital at the start."""
    text = re.sub(r"\b([Aa]) \{(\w+)\}", lambda m: m[1] + a(values[m[2]])[1:], template)
    text = re.sub(r"\{(\w+)\}", lambda m: values[m[1]], text)
    text = re.sub(r"\bthe the\b", "the", text)
    text = re.sub(r"(?<=[.!?] )[a-z]", lambda m: m[0].upper(), text)
    return text[0].upper() + text[1:]


NOISE = """Many thanks to everyone. | More news will follow soon. | That is all for today. | Please tell your friends. | We wish everybody a pleasant time. | Thank you for reading. | Details may still change. |
    This was checked by the office. | There is nothing else to report. | Some people were surprised. | It was a long story in short words. | Not everybody had heard of it. | We will keep you informed. |
    Most people found this interesting. | Please read this with care. | Nobody had any further questions. | All went well so far. | The rest is small talk. | That was the plan, at least. | A short note for the files."""


def tell(draw: Draw, record: Record, most: int) -> list[str]:
    first, *others = record.kind.sentences
    chosen = [first] + [bank for bank in others if draw.chance(0.75)][:most - 1]
    lines = []
    for bank in chosen:
        template = draw.wording(bank)
        record.used.append(template)
        record.told += [slot for slot in slots_in(template) if slot in record.values]
        lines.append(fill(template, record.values))
    return lines


def tell_all(draw: Draw, count: int | None = None) -> tuple[list[Record], str]:
    """One to three records of a kind and the text that tells them."""
    kind = draw.pick(ALL_KINDS)
    count = count or draw.pick([1, 1, 1, 2, 2, 3])
    taken: list[str] = []
    records = [make_record(draw, kind, taken) for _ in range(count)]
    parts = [tell(draw, record, {1: 6, 2: 3, 3: 2}[count]) for record in records]
    if draw.chance(0.2):
        parts[draw.number(0, count - 1)].append(draw.wording(split_bank(NOISE)))
    separator = draw.pick([" ", " ", "\n", "\n\n"]) if count > 1 else " "
    return records, separator.join(" ".join(lines) for lines in parts)


# --- requests ---------------------------------------------------------------------------------------------------

USUAL_FORM = "Read the text and answer the question.\n\n{text}\n\nQuestion: {question}"
LEADS = ["Read the text and answer the question.", "Answer the question about the text.", "", "Use the text to answer the question.",
    "Answer from the text.", "", "Please read this and answer my question.",
         "Find the answer in the text.", "Here is a text and a question about it.", "", "Answer with words from the text.",
         "Answer the question with the help of the passage.", "Look at this text.", "",
         "Read this carefully.", "I have a question about this text.", "Give a short answer based on the text.",
         "Can you answer this from the text?", "", "Read the following passage and answer.",
         "Use only the text below.", "Take the answer from the passage.", "What does the text say?", "Based on the text, answer the question.", "",
         "Answer briefly, using the text.", "Please help me with this text.",
         "Read and answer.", "Reading task.", "Context question.", "Tell me the answer that the text gives.", "", "Reply with a short answer.",
         "Check the text and answer.", "I need a fact from this text."]
TEXT_FRAMES = ["{text}", "Text: {text}", "{text}", "Text:\n{text}", '"{text}"', "{text}", "Passage: {text}", '"""\n{text}\n"""', "Context: {text}",
    "{text}", "The text:\n{text}", "Message:\n{text}", "Here is the text: {text}",
               "{text}", "Document:\n{text}", "Context:\n{text}", "<text>\n{text}\n</text>", "---\n{text}\n---", "{text}", "Note: {text}",
               "Article: {text}", "This is the text:\n\n{text}"]
QUESTION_FRAMES = ["{question}", "Question: {question}", "{question}", "Q: {question}", "Question: {question}\nAnswer:", "My question: {question}",
    "{question}", "Now tell me: {question}", "Question:\n{question}",
                   "{question}", "Q: {question}\nA:", "I want to know: {question}", "{question} Please answer briefly.",
                   "The question is: {question}", "So, {question}", "{question}"]
SYSTEMS = ["You answer questions about texts. Answer briefly.", "Answer with words from the text.", "You are a helpful assistant.",
    "Answer the user's question from the text. If the text does not say it, say so.",
           "You are a careful reader.", "Keep your answers short.", "You help people to find facts in texts.",
           "Read the text the user gives you and answer.", "Give only the answer.", "You are a reading helper.",
           "Answer as shortly as you can.", "Use only what the text says.", "You work in an office and look up facts in messages.", "Be brief.",
           "You are a friendly assistant."]
TYPOS = {"what": "waht", "which": "wich", "where": "were", "when": "wehn", "the": "teh", "does": "dose", "name": "nmae", "number": "numer",
    "address": "adress", "price": "prize", "much": "mcuh", "people": "poeple"}


def careless(draw: Draw, question: str) -> str:
    """The question as people type it in a hurry, some of the time."""
    if not draw.chance(0.15):
        return question
    question = question.rstrip("?.") if draw.chance(0.6) else question
    question = question.lower() if draw.chance(0.6) else question
    wrong = [word for word in TYPOS if f" {word} " in question]
    if wrong and draw.chance(0.4):
        word = draw.pick(wrong)
        question = question.replace(f" {word} ", f" {TYPOS[word]} ", 1)
    return question


def ask_on(draw: Draw, text: str, question: str) -> str:
    """A request with the text and the question about it."""
    question = careless(draw, question)
    if draw.chance(0.3):
        return USUAL_FORM.format(text=text, question=question)
    lead, shown, asked = draw.wording(LEADS), draw.wording(TEXT_FRAMES).format(text=text), draw.wording(QUESTION_FRAMES)
    asked = asked.format(question=question[0].lower() + question[1:] if asked.startswith("So,") else question)
    parts = [lead, shown, asked] if draw.chance(0.7) or asked.endswith((":", "Answer:", "A:")) else draw.pick([[lead, asked, shown], [asked, shown]])
    return draw.pick(["\n\n", "\n\n", "\n"]).join(part for part in parts if part)


def some_system(draw: Draw, chance: float = 0.12) -> str | None:
    return draw.wording(SYSTEMS) if draw.chance(chance) else None


def order_on(draw: Draw, text: str, request: str) -> str:
    """A request to do something with a text, before or after it."""
    shown, between = draw.wording(TEXT_FRAMES).format(text=text), draw.pick(["\n\n", "\n\n", "\n"])
    if draw.chance(0.65):
        return request + between + shown
    return shown + between + request


# --- questions --------------------------------------------------------------------------------------------------

def shown_key(draw: Draw, record: Record) -> str:
    return record.values["first"] if "first" in record.values and draw.chance(0.4) else record.key


def question_for(draw: Draw, record: Record, slot: str, alone: bool) -> str | None:
    """A question template for the slot that names nothing the text leaves out and fits one record only."""
    for _ in range(12):
        template = draw.wording(record.kind.questions[slot])
        if record.has(template) and (alone or slots_in(template)):
            return template
    return None


def answers_to(slot_type: str, value: str) -> list[str]:
    word = {"day": "on", "day2": "on", "date": "on", "date_y": "on", "time": "at", "city": "in", "city2": "in", "year": "in", "month": "in",
        "room": "in"}.get(slot_type)
    return [value, f"{word} {value}"] if word else [value]


def asked_record(draw: Draw) -> tuple[Record, list[Record], str, str, str, str]:
    """Records, their text, and a question on one of them with its slot and answer."""
    while True:
        records, text = tell_all(draw)
        record = draw.pick(records)
        slots = [slot for slot in record.kind.questions if slot in record.told]
        slot = draw.pick(slots)
        template = question_for(draw, record, slot, len(records) == 1)
        if template and len(text) < 1300 and record.values[slot].lower() in text.lower():
            return record, records, text, slot, template, record.values[slot]


def ask(draw: Draw, record: Record, template: str) -> str:
    return fill(template, {**record.values, "k": shown_key(draw, record)})


def reading_question(draw: Draw) -> dict:
    record, _, text, slot, template, value = asked_record(draw)
    return row("reading_question", ask_on(draw, text, ask(draw, record, template)), value, system=some_system(draw),
        answers=answers_to(record.kind.slots[slot], value), text=text)


NEVER_SAID = """What is {k}'s shoe size? | What colour is {k}'s car? | What is the name of {k}'s uncle? | How tall is {k}? | Who is {k} married to? | How many brothers does {k} have? | What does {k} like to drink? |
    What is {k}'s middle name? | Which school did {k} go to? | What music does {k} listen to? | When is {k}'s birthday? | What languages does {k} speak? | What is {k}'s favourite season? | Who is {k}'s best friend at school? |
    How much money does {k} have in the bank? | What is {k}'s nickname? | What does {k} dream of? | How many cousins does {k} have? | What colour are {k}'s eyes? | What sport did {k} play as a child?"""


def other_group(slot: str, told: list[str]) -> bool:
    """Whether the text tells nothing of a like kind that might pass for the slot."""
    return not any(slot in group and group & set(told) for group in PLACES_AND_TIMES)


def reading_not_said(draw: Draw) -> dict:
    question = None
    while not question:
        records, text = tell_all(draw)
        record = draw.pick(records)
        missing = [slot for slot in record.kind.questions if slot not in record.told and other_group(slot, record.told) and slot in record.kind.slots]
        how = draw.number(1, 10)
        if len(text) > 1300:
            continue
        if how <= 6 and missing:
            template = draw.wording(record.kind.questions[draw.pick(missing)])
            if record.has(template) and "{k}" in template + "{k}" * any(slot in template for slot in ("{first}", "{" + record.kind.key + "}")):
                question = ask(draw, record, template)
        elif how <= 8 and "first" in record.values:
            question = ask(draw, record, draw.wording(split_bank(NEVER_SAID)))
        else:
            stranger = make_record(draw, record.kind, [value.lower() for one in records for value in one.values.values()])
            asked = [slot for slot in record.kind.questions if slot in record.told and slot != record.kind.key]
            template = draw.wording(record.kind.questions[draw.pick(asked)])
            named = set(slots_in(template)) - set(WORDS_OF_NAME)
            if named == {"k"} or named == {record.kind.key} or named and named <= {"k", "do", "did"}:
                question = ask(draw, stranger, template)
    return row("reading_question", ask_on(draw, text, question), NOT_SAID, system=some_system(draw), answers=[NOT_SAID], text=text)


STATEMENT_FRAMES = ["Does the text say that {low}?", "Is it true that {low}?", "According to the text, is this right? {s}",
    "True or not? {s} Answer yes or no.", "Is this statement right? {s}", "Answer yes or no: is it true that {low}?",
                    "Does the text say this? {s}", "Is the following sentence correct? {s}", "Yes or no: {s}",
                    "Does the passage tell us that {low}?", "Is that right: {s}", "Does this agree with the text? {s}", "Is it correct that {low}?",
                    "Would you say from the text that {low}?", "{s} Is that so?", "{s} Yes or no?", "Can we read in the text that {low}?",
                    "Do I understand it well that {low}?", "I think {low}. Is that right?", "{s} Is this true?"]
YES_NO_SUFFIXES = ["", "", " Answer yes or no.", " Yes or no?", "", " Answer with yes or no.", "", " Just say yes or no.", " (yes/no)", ""]
PLAIN_STATEMENT = re.compile(r"^(?!.*(\?|!|:|;|\bI\b|\b[Mm]y\b|\b[Mm]e\b|[Pp]lease|Dear|Do not|[Aa]sk |Call|Write|Send|Ring|Go to|Expect|You |\byour?\b|They |This |These |[Ii]t |Tell |Put |More about|First |Last |Room for|Price |Use |Leave|\. ))")


def swapped(draw: Draw, record: Record, records: list[Record], template: str) -> dict[str, str] | None:
    """The record's values with one of those that the template names made wrong."""
    named = [slot for slot in slots_in(template) if slot in record.kind.slots and slot != record.kind.key]
    others = [one for one in records if one is not record]
    if not named:
        return None
    slot = draw.pick(named)
    taken = [value.lower() for value in record.values.values()]
    told = [one.values[slot] for one in others if slot in one.told]
    wrong = draw.pick(told) if told and draw.chance(0.6) else fresh_value(draw, record.kind.slots[slot], {}, taken)
    if not isinstance(wrong, str) or wrong.lower() in record.values[slot].lower() or record.values[slot].lower() in wrong.lower():
        return None
    if record.values[slot].isdigit() != wrong.isdigit() and record.kind.slots[slot] == "few":
        return None
    return {**record.values, slot: wrong}


def reading_yes_no(draw: Draw) -> dict:
    right = draw.chance(0.5)
    while True:
        records, text = tell_all(draw)
        record = draw.pick(records)
        key = record.kind.key
        names_key = ("{k}", "{first}", "{" + key + "}")
        direct = [one for one in record.kind.checks if record.has(one) and any(name in one for name in names_key)]
        said = [one for bank in record.kind.sentences for one in bank
                if one not in record.used and record.has(one) and any(name in one for name in names_key) and PLAIN_STATEMENT.match(one) and "{he}" not in one and "{his}" not in one]
        if draw.chance(0.5) and direct:
            template, statement = draw.wording(direct), False
        elif said:
            template, statement = draw.wording(said), True
        else:
            continue
        values = record.values if right else swapped(draw, record, records, template)
        if values is None or len(text) > 1300:
            continue
        sentence = fill(template, {**values, "k": shown_key(draw, record)})
        if statement:
            low = sentence if template.startswith("{") and not record.kind.slots.get(slots_in(template)[0], "") in ("items", "hobby", "work",
                "winwork", "place_the", "spot", "habitat", "enemy", "pay", "few") else sentence[0].lower() + sentence[1:]
            question = draw.wording(STATEMENT_FRAMES).format(s=sentence, low=low.rstrip("."))
        else:
            question = sentence + draw.wording(YES_NO_SUFFIXES)
        return row("reading_yes_no", ask_on(draw, text, question), "Yes" if right else "No", system=some_system(draw),
            answers=["Yes" if right else "No"], text=text)


CHAT_STARTS = ["", "Also, ", "And ", "", "OK, and ", "Next question: ", "", "Thanks. ", "One more thing: ", "And also: ", "", "Good. ", "I see. ",
    "", "Right, and "]
TEXT_SYSTEMS = ["Answer questions about this text:\n{text}", "You know only this text: {text}",
    "Text:\n{text}\n\nAnswer the user's questions about it.", "Use this text for your answers.\n\n{text}",
    "Here is a text. The user will ask about it.\n\n{text}",
                "Context:\n{text}", "The user asks about the following text. Answer briefly.\n\n{text}", "{text}\n\nAnswer from this text only.",
                "You help people with this notice:\n{text}", "Your notes: {text}", "Information:\n{text}\nAnswer the questions.",
                "Answer from these notes.\n{text}", "You answer questions. Here is all you know:\n{text}",
                "Read this text; questions follow.\n{text}", "This is your only source: {text}"]


def follow_up(question: str, record: Record) -> str:
    """The question with the person it asks about as "he" or "she", where that reads well."""
    for name in (record.values["name"], record.values["first"]):
        question = re.sub(rf"\b(did|does|is|was|will|has|can|should|must) {name}(?!['\w])", rf"\1 {record.values['he']}", question)
        question = re.sub(rf"\b{name}'s\b", record.values["his"], question)
    return question


def reading_chat(draw: Draw) -> dict:
    turns: list[str] = []
    while len(turns) < 4:
        turns = []
        records, text = tell_all(draw)
        if len(text) > 900:
            continue
        in_system, before, asked = draw.chance(0.3), None, set()
        for _ in range(draw.number(2, 4)):
            record = before if before and draw.chance(0.6) else draw.pick(records)
            open_slots = [slot for slot in record.kind.questions if slot in record.told and (id(record), slot) not in asked]
            if not open_slots:
                continue
            slot = draw.pick(open_slots)
            template = question_for(draw, record, slot, len(records) == 1)
            if not template:
                continue
            asked.add((id(record), slot))
            question = ask(draw, record, template)
            if record is before and "name" in record.values and slot != "name" and draw.chance(0.6):
                question = follow_up(question, record)
            if turns:
                start = draw.wording(CHAT_STARTS)
                question = careless(draw, start + (question[0].lower() + question[1:] if start.endswith(("nd ", "so, ",
                    "Also, ")) and not question.startswith(record.key) else question))
            turns += [question if turns or in_system else ask_on(draw, text, question), record.values[slot]]
            before = record
    return row("reading_chat", *turns, system=draw.wording(TEXT_SYSTEMS).format(text=text) if in_system else None, answers=[turns[-1]], text=text)


# --- fields -----------------------------------------------------------------------------------------------------

FIELD_WORDS = {"person": ["name", "person", "name of the person"], "job": ["job", "profession"], "city": ["city"], "date": ["date"],
    "date_y": ["date"], "day": ["day", "weekday", "day of the week"], "time": ["time"],
               "price": ["price", "amount of money", "sum of money"], "email": ["e-mail address", "email", "email address"],
               "phone": ["phone number", "telephone number"], "items": ["goods"],
               "company": ["company", "company name"], "year": ["year"], "colour": ["colour"], "food": ["food", "dish"], "street": ["address",
               "street and number"], "month": ["month"], "room": ["room"], "rent": ["rent"]}
PLURALS = {"person": ["names", "people", "persons"], "city": ["cities"], "price": ["prices", "amounts of money"], "company": ["companies",
    "company names"], "date": ["dates"], "job": ["jobs"], "phone": ["phone numbers"],
           "email": ["e-mail addresses", "email addresses"], "time": ["times"], "items": ["goods"], "year": ["years"], "street": ["addresses"],
           "colour": ["colours"]}
EXTRACT_ONE = ["Extract the {f}.", "What {f} is given?", "Give me the {f} in this text.", "Find the {f}.", "Which {f} is mentioned?",
    "Write only the {f}.", "Pull out the {f}.", "What {f} does the text mention?", "Copy the {f} from the text.",
               "I only need the {f}.", "Tell me the {f}.", "Name the {f} in the text.", "Please extract the {f} from this text.", "{F}?",
               "Show me the {f}.", "Take the {f} out of this message.", "Return the {f} only.", "What is the {f}?",
               "Could you find the {f} in here?", "Just the {f}, please.", "Look for the {f}.", "Get the {f} from the text."]
EXTRACT_ALL = ["List all {f} in this text.", "Extract all {f}.", "Which {f} are mentioned?", "Write down all the {f}.",
    "Give me all the {f} in the text.", "Find every one of the {f} in this text.", "What {f} does the text mention?",
               "List the {f}, separated by commas.", "Which {f} does the text name?", "Name all the {f}.", "Pull out all {f}.", "All {f}, please.",
               "Show me all {f} from the text.", "Collect the {f} in this text.", "Please list the {f}.",
               "What are the {f} in this text?"]
EXTRACT_LINES = ["Extract these fields, one per line: {f}.", "Give {f}, one on each line.", "Fill in the form: {f}.", "Extract {f}.",
    "Write the following as lines of \"Field: value\": {f}.", "Find {f}.", "From the text, take {f}. One line each.",
                 "List {f} as key: value lines.", "I need {f} from this message.", "Make a short form with {f}.",
                 "Please extract {f} from the text.", "Put {f} on separate lines.", "Get the following from the text: {f}.", "Note down {f}.",
                 "Which {f} does the text give? Answer line by line."]
EXTRACT_JSON = ["Extract {f} as JSON.", "Return a JSON object with the keys {f}.", "Give me JSON with {f}.", "Answer only with JSON. Keys: {f}.",
    "Write {f} as a JSON object.", "Turn the text into JSON with the keys {f}.", "JSON please: {f}.",
                "Fill a JSON object with these keys: {f}.", "Extract the data as JSON (keys: {f}).",
                "Make a JSON object out of the text. Use the keys {f}.", "Output JSON with exactly these keys: {f}.", "Put {f} into JSON.",
                "I need {f} in JSON format.",
                "Read the text and return JSON: {f}.", "Create JSON from the message. The keys are {f}."]


def typed(record: Record) -> dict[str, list[str]]:
    """The told slots by type, dates of all sorts being one type."""
    slots: dict[str, list[str]] = {}
    for slot, maker in record.kind.slots.items():
        if slot in record.told:
            slots.setdefault({"date_y": "date", "city2": "city", "person2": "person", "day2": "day"}.get(maker, maker), []).append(slot)
    return slots


def joined(things: list[str], last: str = " and ") -> str:
    return ", ".join(things[:-1]) + last + things[-1] if len(things) > 1 else things[0]


def extraction(draw: Draw) -> dict:
    while True:
        records, text = tell_all(draw, draw.pick([1, 1, 1, 2, 3]))
        if len(text) > 1300:
            continue
        if len(records) > 1:
            made = extract_all(draw, records, text)
        else:
            fields = {draw.pick(FIELD_WORDS[one]): records[0].values[slots[0]] for one,
                slots in typed(records[0]).items() if one in FIELD_WORDS and len(slots) == 1}
            made = draw.pick([extract_one, extract_lines, extract_json])(draw, fields, text) if len(fields) > 1 else None
        if made:
            return made


def extract_one(draw: Draw, fields: dict[str, str], text: str) -> dict:
    name = draw.pick(list(fields))
    request = careless(draw, draw.wording(EXTRACT_ONE).format(f=name, F=name[0].upper() + name[1:]))
    return row("extraction", order_on(draw, text, request), fields[name], slots={name: fields[name]}, answers=[fields[name]], text=text)


def extract_all(draw: Draw, records: list[Record], text: str) -> dict | None:
    kinds = [one for one, slots in typed(records[0]).items() if one in PLURALS]
    if not kinds:
        return None
    wanted = draw.pick(kinds)
    values = [record.values[slot] for record in records for slot in typed(record).get(wanted, [])]
    if len(values) < 2 or any(text.count(value) == 0 for value in values):
        return None
    values.sort(key=text.index)
    request = careless(draw, draw.wording(EXTRACT_ALL).format(f=draw.pick(PLURALS[wanted])))
    return row("extraction", order_on(draw, text, request), ", ".join(values), slots={str(i): value for i, value in enumerate(values, 1)},
        answers=[", ".join(values)], text=text)


def extract_lines(draw: Draw, fields: dict[str, str], text: str) -> dict:
    names = draw.sample(list(fields), min(len(fields), draw.number(2, 4)))
    absent = draw.pick([word for words in FIELD_WORDS.values() for word in words[:1] if word in ("e-mail address", "phone number", "company", "year",
        "month", "colour")])
    with_absent = absent not in fields and draw.chance(0.2) and not {"e-mail address": "email", "phone number": "telephone number",
        "company": "company name"}.get(absent) in fields
    shown = names + [absent] if with_absent else names
    request = draw.wording(EXTRACT_LINES).format(f=joined(["the " + name for name in shown] if draw.chance(0.5) else shown))
    request += " Write \"not given\" where the text does not say it." if with_absent else ""
    lines = [f"{name[0].upper()}{name[1:]}: {fields.get(name, 'not given')}" for name in shown]
    return row("extraction", order_on(draw, text, request), "\n".join(lines), slots={name: fields[name] for name in names}, text=text)


def extract_json(draw: Draw, fields: dict[str, str], text: str) -> dict:
    names = draw.sample(list(fields), min(len(fields), draw.number(2, 4)))
    keys = {name: re.sub(r"\W+", "_", name.replace("e-mail", "email")) for name in names}
    shown = [f'"{key}"' for key in keys.values()] if draw.chance(0.6) else list(keys.values())
    request = draw.wording(EXTRACT_JSON).format(f=joined(shown) if draw.chance(0.6) else ", ".join(shown))
    answer = json.dumps({keys[name]: fields[name] for name in names}, ensure_ascii=False)
    return row("extraction", order_on(draw, text, request), answer, slots={name: fields[name] for name in names}, answers=[answer], text=text)


# --- summaries --------------------------------------------------------------------------------------------------

SUMMARY_ASKS = ["Summarise this text in one sentence.", "Summarize in one sentence:", "Give a one-sentence summary.", "TL;DR:",
    "What is the main point of this text?", "Sum this up in one sentence.", "Write a very short summary.",
                "Can you summarise this for me?", "Please sum up the text.", "What is this text about? One sentence.",
                "Shorten this text to one sentence.", "In one sentence, what does the text say?", "Short summary please.", "Give me the gist.",
                "Tell me in one sentence what this says.", "tl;dr", "Make this shorter: one sentence.", "Summary in one sentence, please.",
                "Boil this down to one sentence.", "Give the main idea in a sentence.", "Summarise:", "Briefly, what happened?",
                "I have no time to read this. What does it say?", "Reduce this to its main fact.", "What should I know from this text? One sentence."]
HEADLINE_ASKS = ["Write a headline for this text.", "Give this text a title.", "Suggest a headline.", "What would be a good headline?",
    "Make a headline out of this.", "Title, please.", "Write a short title for the text.", "Find a headline for this.",
                 "Headline:", "Put a headline over this text.", "I need a title for this.", "Which headline fits this text?",
                 "Please write a headline.", "Give me a newspaper headline for this.", "How would you title this text?",
                 "One headline for this text, please.",
                 "Create a title for this message.", "What title would you give this?"]
POINT_ASKS = ["List the key points.", "Give the key points as bullets.", "What are the main points? Use bullet points.",
    "Turn this into bullet points.", "Write the main facts as a list.", "Key points please.", "Summarise this in bullet points.",
              "Make a short list of the key facts.", "Bullet points:", "Write notes on this text.", "Put the facts into a bulleted list.",
              "Take notes: key points only.", "List the most important facts.", "What are the key facts? Answer as a list.",
              "Show the main points as a list.", "Extract the key points.", "Make bullets out of this text.", "Give me the facts as bullets."]


def told_alone(draw: Draw) -> tuple[Record, str]:
    while True:
        (record,), text = tell_all(draw, 1)
        if record.has(record.kind.summary) and len(text) < 1300:
            return record, text


def told_slots(record: Record, template: str) -> dict[str, str]:
    return {slot: record.values[slot] for slot in slots_in(template)}


def summary(draw: Draw) -> dict:
    record, text = told_alone(draw)
    return row("summary", order_on(draw, text, careless(draw, draw.wording(SUMMARY_ASKS))), fill(record.kind.summary, record.values),
               system=some_system(draw, 0.05), slots=told_slots(record, record.kind.summary), text=text)


def headline(draw: Draw) -> dict:
    while True:
        record, text = told_alone(draw)
        if record.has(record.kind.headline):
            break
    return row("headline", order_on(draw, text, careless(draw, draw.wording(HEADLINE_ASKS))), fill(record.kind.headline, record.values),
        slots=told_slots(record, record.kind.headline), text=text)


def key_points(draw: Draw) -> dict:
    while True:
        record, text = told_alone(draw)
        points = [point for point in record.kind.points if record.has(point)]
        if len(points) > 2:
            break
    slots = {slot: value for point in points for slot, value in told_slots(record, point).items() if slot != "first"}
    return row("key_points", order_on(draw, text, careless(draw, draw.wording(POINT_ASKS))), "\n".join("- " + fill(point,
        record.values) for point in points), slots=slots, text=text)


# --- dialogues --------------------------------------------------------------------------------------------------

@dataclass
class Scene:
    """A talk of two: exchanges in order, what was agreed, and questions about it. {A} and {B} speak; {old…} is what was turned down; the second begins after "<"."""
    slots: dict[str, str]
    exchanges: list[list[str]]
    agreed: str
    questions: dict[str, list[str]]


def read_scenes(text: str) -> list[Scene]:
    scenes: list[Scene] = []
    for line in re.sub(r"\n +", " ", text).split("\n"):
        mark, rest = line.split(" ", 1) if " " in line else (line, "")
        if mark == "slots":
            scenes.append(Scene({name: maker for name, maker in re.findall(r"(\w+)=(\[[^\]]*\]|\w+)", rest)}, [], "", {}))
        elif mark == "+":
            scenes[-1].exchanges.append(split_bank(rest))
        elif mark == "?":
            slot, bank = rest.split(":", 1)
            scenes[-1].questions[slot] = split_bank(bank)
        elif mark == ">":
            scenes[-1].agreed = rest
    return scenes


SCENES = read_scenes("""
slots plan=plan place=place_the day=day oldday=day time=time bring=food
+ Shall we {plan} this week? / Good idea. | I would love to {plan} with you. / Me too! | Do you want to {plan}? / Yes, gladly. | It is time that we
    {plan} again. / You are right. | How about this: we {plan}. / I like that.
+ Does {oldday} suit you? / Sorry, not that day. Could you do {day}? // Yes, {day} is fine. | Can you come on {oldday}? / I am busy then. {day}
    would be better. // All right, {day}. | I am free on {oldday}. / I have to work then. What about {day}? // {day} it is. |
  Let's say {oldday}. / That is too early for me. Let's take {day}. // Okay, {day} works for me.
+ Where shall we meet? / Let's meet {place} at {time}. // Fine. | I can be there at {time}. / Good. We meet {place}. // Perfect. | What about
    {time}? / Good for me. I will wait {place}. // See you there. | We could meet {place}. / Yes, at {time}. // Great.
+ Should I bring something? / I will bring {bring}, so just come. // How kind. | I will be hungry. / Then I bring {bring}. // Lovely. | What do we
    eat? / I can make {bring}. // That sounds tasty. | Who cares for the food? / I do. I will bring {bring}. // Thank you.
> {A} and {B} will {plan} on {day} at {time}. They meet {place}, and {B} brings {bring}.
? day: On which day will {A} and {B} {plan}? | When will they {plan}: on which day? | What day did they agree on? | On what day do they meet? |
    Which day suits both?
? time: At what time will they meet? | What time do {A} and {B} meet? | At what time do they want to be there? | What time did they agree on?
? place: Where will they meet? | Where do {A} and {B} meet? | What is the meeting place? | Where will {B} be?
? bring: What will {B} bring? | What is there to eat? | What food does {B} bring? | Which food was promised?

slots restaurant=restaurant people=few day=day oldtime=time time=time name=person
+ Good evening, {restaurant}. How can I help? / I would like to book a table. | Hello, this is {restaurant}. / Hi, do you still have a table? |
    {restaurant}, good day. / Good day. I need a table, please. | Welcome to {restaurant}. / Hello! I want to reserve a table.
+ For how many people? / For {people}. | How many will you be? / We are {people}. | How many guests? / There will be {people} of us. | How many
    chairs do you need? / {people}, please.
+ And for which day? / For {day} at {oldtime}. // At {oldtime} we are full. {time} is possible. / Then {time}, please. | When do you want to come?
    / On {day} at {oldtime}, if possible. // Sorry, only {time} is free. / All right, {time}. |
  Which day? / {day}, please, at {oldtime}. // We only have {time} left. / That is fine, {time}. | When? / {day}, around {oldtime}. // I can offer
    {time}. / I will take {time}.
+ May I have your name? / My name is {name}. | Under which name? / {name}. | What name should I write down? / Please write {name}. | Your name,
    please? / It is {name}.
> {name} booked a table for {people} at {restaurant} on {day} at {time}.
? people: For how many people is the table? | How many people will come? | How many guests are there? | How many seats are needed?
? day: On which day is the table booked? | For which day is the table? | What day will the guests come? | On what day do they want to eat?
? time: For what time is the table? | At what time will the guests come? | What time was booked in the end? | What time did they agree on?
? name: Under which name is the table booked? | Who booked the table? | What is the name of the guest? | Whose table is it?
? restaurant: Which restaurant is it? | At which restaurant is the table? | What is the restaurant called? | Where will they eat?

slots item=items count=few price=price day=day oldcount=few street=street
+ Hello, do you sell {item}? / Yes, we do. | I am looking for {item}. / You have come to the right shop. | Hi, do you have {item}? / Of course. |
    Good morning, I need {item}. / We have some here. | I would like to order {item}. / With pleasure.
+ I would like {oldcount}. Oh wait, I need {count}. / {count} {item}, noted. That makes {price}. | Please give me {oldcount}. No, make it {count}.
    / So {count}. You pay {price}. | First I wanted {oldcount}, but now I need {count}. / No problem. {count} {item} cost {price}. |
  {oldcount}, please. Sorry, I mean {count}. / All right, {count}. The price is {price}.
+ When can you deliver them? / On {day}. // Good, my address is {street}. | Can you send them to {street}? / Yes, they will be there on {day}. | I
    live at {street}. / Then we bring them on {day}. // Thank you. | Do you deliver to {street}? / Yes, on {day}. // Very good.
> {A} ordered {count} {item} from {B} for {price}. They will be delivered to {street} on {day}.
? count: How many {item} did {A} order in the end? | How many {item} will {A} get? | What number of {item} did {A} take? | How many {item} does {A}
    buy?
? price: How much does {A} pay? | What is the price? | What do the {item} cost? | How much are the {item} in all?
? day: On which day will the {item} be delivered? | When does {A} get the {item}? | What day is the delivery? | On what day does {B} deliver?
? street: What is {A}'s address? | Where will the {item} be brought? | To which address does {B} deliver? | At which address does {A} live?
? item: What did {A} order? | What does {A} buy? | Which goods does {A} want? | What does {A} need?

slots doctor=[dentist;hairdresser;doctor;eye doctor;vet;physiotherapist;tax adviser;skin doctor;music teacher;driving teacher;lawyer;photographer]
    day=day oldday=day time=time bring=[the insurance card;the old glasses;a photo;the letter;the X-ray picture;a list of medicines;the
    passport;the contract;a towel;the test results] phone=phone
+ Hello, I need an appointment with the {doctor}. / Of course. | Good morning. Can I see the {doctor}? / Let me look. | I would like to come to the
    {doctor}. / Certainly. | Hi, is there a free appointment with the {doctor}? / One moment, please.
+ Is {oldday} possible? / No, {oldday} is full. I can offer {day} at {time}. // I will take it. | Could I come on {oldday}? / I am afraid not.
    {day} at {time} is free. // Good. | I am free on {oldday}. / We are closed then. Does {day} at {time} work? // Yes, it does. |
  What about {oldday}? / Sorry, no. We have {day} at {time}. // That is fine.
+ Do I have to bring anything? / Yes, please bring {bring}. | What should I bring? / Only {bring}. | Is there anything I need? / Please do not
    forget {bring}. | Shall I bring something along? / {bring}, please.
+ < What is your phone number? / It is {phone}. | < How can we reach you? / Call me at {phone}. | < May I have your number? / Yes, {phone}. | <
    Your phone number, please? / {phone}.
> {A} has an appointment with the {doctor} on {day} at {time} and should bring {bring}.
? doctor: Whom does {A} want to see? | With whom is the appointment? | Who will see {A}? | To whom does {A} want to go?
? day: On which day is the appointment? | What day should {A} come? | On what day does {A} go to the {doctor}? | Which day did they agree on?
? time: At what time is the appointment? | What time should {A} be there? | At what time must {A} come? | What time did they agree on?
? bring: What should {A} bring? | What must {A} not forget? | What does {A} need to bring along? | What does {B} tell {A} to bring?
? phone: What phone number is given? | At which number can the person be called? | Which number was named? | What is the phone number in this talk?

slots item=device fault=fault code=code day=day time=time worker=person
+ Hello, my {item} {fault}. / I am sorry to hear that. | I have a problem: my {item} {fault}. / Let us see what we can do. | Can you help me? My
    {item} {fault}. / Yes, I can. | Good day. The {item} I bought {fault}. / Oh, that is not good.
+ < What is the order number? / It is {code}. | < Do you have the order number? / Yes, {code}. | < Please give me the number of your order. /
    {code}. | < I need your order number. / Here it is: {code}.
+ < We will send {worker} to you. Is {day} at {time} good? / Yes, that is good. | < {worker} can come and look at it on {day} at {time}. / That
    suits me. | < Our technician {worker} is free on {day} at {time}. / Good, please come. | < I can send {worker} on {day} at {time}. / Thank you,
    I will be at home.
> The {item} of {X} {fault}. {worker} will come on {day} at {time}; the order number is {code}.
? item: Which device is the talk about? | What does not work well? | Which thing makes trouble? | What did the customer buy?
? fault: What is wrong with the {item}? | What is the problem with the {item}? | What does the {item} do? | Which fault does the {item} have?
? code: What is the order number? | Which order number is given? | What number does the order have? | Give the order number.
? day: On which day will {worker} come? | What day was agreed? | When is {worker} coming: on which day? | On what day will somebody look at the
    {item}?
? time: At what time will {worker} come? | What time was agreed? | At what time should the customer be at home? | When on {day} does {worker} come?
? worker: Who will come to look at the {item}? | Who is the technician? | Who will be sent? | Which person comes on {day}?

slots task=task oldtask=task day=day time=time room=room
+ Do you have a minute? / Sure, what is it? | Can we talk about work? / Yes, go on. | There is a lot to do this week. / I know. How can I help? | I
    need your help with something. / Tell me.
+ Could you {oldtask}? / That is already done. // Then please {task}. / Yes, I will {task}. | Somebody has to {task}. / I can do that. // Thank
    you. I will {oldtask} myself. | Would you rather {oldtask} or {task}? / I will {task}. // Good. |
  I cannot {task} myself. / No problem, I will {task}. // Thanks a lot.
+ < By when do you need it? / By {day}, please. // I can do that. | < When must it be ready? / On {day}. // All right. | < Is {day} early enough? /
    Yes, {day} is fine. | < I can have it ready by {day}. / Good, {day} is fine. | < And the deadline? / It is {day}. // Okay.
+ Let us meet in {room} at {time} then. / I will be there. | We can talk in {room} at {time} that day. / Agreed. | Come to {room} at {time} and
    show me. / Okay. | At {time} I am in {room}. We can meet there. / See you then.
> They agreed to {task} by {day}. They meet in {room} at {time}.
? task: What did they agree to do? | What has to be done by {day}? | Which task was taken on? | What must be ready on {day}?
? day: By which day must it be done? | What day was agreed? | On which day must the work be ready? | By when is it needed?
? room: Where will they meet? | In which room do they meet? | Which room was named? | What is the meeting place?
? time: At what time will they meet? | What time was agreed? | At what time do they want to talk again? | What time is the meeting?

slots thing=[ladder;drill;tent;bicycle;sewing machine;car;lawn mower;guitar;camera;suitcase;cake tin;wheelbarrow;sleeping
    bag;projector;hammer;canoe;trailer;toolbox] day=day until=day2 place=place_the reason=[the cellar must be tidied up;a lamp has to be hung
    up;there is a trip to the lake;the garden looks wild;there is a party;friends are coming;the roof has a hole;the school has asked for it;a film
    is being made;the old one broke]
+ Can I borrow your {thing}? / Why do you need it? | Do you still have that {thing}? / Yes, why? | I have a question about your {thing}. / What is
    it? | Could you lend me your {thing}? / Maybe. What for?
+ I need it because {reason}. / I see. Then you can have it. | Well, {reason}. / In that case, of course. | Because {reason}. / Then take it. | You
    know, {reason}. / All right then.
+ When can I have it? / On {day}. I will be {place}. // Good, I come there. | Can I pick it up on {day}? / Yes, {place}. // Perfect. | I have time
    on {day}. / Then meet me {place}. // Okay. | Shall I come on {day}? / Yes, come and find me {place}. // I will.
+ And when do you want it back? / By {until}, please. | I will bring it back on {until}. / Good, not later. | Is it all right if I return it on
    {until}? / Yes, {until} is fine. | You get it back on {until}. / Thank you, {until} is good.
> {A} borrows {B}'s {thing} because {reason}. {A} gets it on {day} {place} and returns it on {until}.
? thing: What does {A} want to borrow? | What does {B} lend {A}? | Which thing does {A} need? | What will {A} get from {B}?
? day: On which day does {A} get the {thing}? | What day will {A} pick up the {thing}? | When does {B} hand over the {thing}: on which day? | On
    what day do they meet?
? until: On which day will {A} return the {thing}? | When does {B} get the {thing} back? | By which day must the {thing} be back? | What day will
    {A} bring back the {thing}?
? place: Where do they meet? | Where does {A} pick up the {thing}? | Where will {B} be? | At which place does {A} get the {thing}?
? reason: Why does {A} need the {thing}? | What is the {thing} needed for? | What reason does {A} give? | Why does {A} want to borrow the {thing}?

slots company=company job=job day=day time=time oldtime=time boss=person city=city
+ Hello, this is {company}. You wrote to us about a job. / Yes, I would like to work as a {job}. | Good morning, {company} here. Are you still
    looking for a job as a {job}? / Yes, I am. | I am calling from {company}. You want to be our new {job}, right? / Yes, that is right. | This is
    {company}. We need a {job}. / I am very interested.
+ Can you come for a talk on {day}? / Yes, gladly. At what time? // {oldtime} or {time}? / {time}, please. | We would like to meet you on {day}. /
    Good. Is {oldtime} possible? // No, but {time} is. / Then {time}. |
  Are you free on {day}? / Yes, but at {oldtime} I have a class. // What about {time}, then? / {time} is good. | Does {day} suit you? / Yes, but
    not at {oldtime}. // What about {time}? / {time} is fine.
+ You will talk to {boss} in {city}. / Thank you, I will be there. | Please come to our office in {city} and ask for {boss}. / I will do that. |
    {boss} waits for you at the office in {city}. / I look forward to it. | The talk is in {city}, with {boss}. / All right, thank you.
> {B} has a job talk with {boss} at {company} in {city} on {day} at {time}.
? job: What job is it about? | As what does {B} want to work? | Which job does {B} want? | What kind of worker is needed?
? company: Which company is calling? | For which company does {A} speak? | Which company needs a {job}? | Where does {B} want to work?
? day: On which day is the job talk? | What day should {B} come? | On what day do they want to meet {B}? | Which day was agreed?
? time: At what time is the job talk? | What time was agreed in the end? | At what time should {B} be there? | What time did {B} take?
? boss: With whom will {B} talk at the office? | Who waits for {B}? | Whom should {B} ask for? | Who will meet {B}?
? city: In which city is the talk? | Which city must {B} go to? | In what city is the office? | Where is the office?
""")
MAKERS["plan"] = lambda d: d.pick("""go to the cinema;play table tennis;visit the museum;go swimming;cook together;go for a walk;ride our bikes;watch the match;go to the concert;paint the fence;play chess;learn for the test;go shopping;
    go bowling;fly a kite;visit the castle;go fishing;bake a cake;go hiking;play cards;look at the stars;clean the boat;go to the fair""".replace("\n    ", "").split(";")).replace("our bikes", "bikes")
GREETINGS = ["Hi {B}!/Hello {A}!", "Hello {B}, how are you?/I am fine, thanks.", "Hey {B}./Oh, hi {A}.", "Good morning, {B}./Good morning, {A}.",
    "Hi, it's {A}./Nice to hear from you, {A}.", "Hello {B}, do you have time?/Yes, of course.",
             "{B}, good to see you!/You too, {A}.", "Hi {B}, all well?/Yes, thank you, {A}."]
CHATTER = ["What weather!/Yes, it is terrible.", "I slept badly./Oh no, I am sorry.", "The bus was late again./That happens often.",
    "I love this song./Me too.", "Wait, my coffee is getting cold./Take your time.", "Sorry, the line is bad./I can hear you.",
           "My cat is on the table./How funny!", "It is so loud here./I understand you all the same.",
           "I have so much to do today./I know the feeling.", "By the way, thank you for the card./You are welcome.",
           "The garden looks lovely now./That is nice to hear.", "I am so tired today./Then rest a little."]
FAREWELLS = ["Thank you. Bye!/Bye!", "See you then./See you!", "Great, thanks./You are welcome.", "Have a nice day./You too.",
    "Perfect. Goodbye!/Goodbye!", "Thanks a lot./My pleasure.", "Good, until then./Until then!", "Bye, take care./You too, bye."]
AGREED_ASKS = ["Summarise this conversation.", "What did they agree on?", "Sum up the conversation.",
    "Summarize the dialogue in one or two sentences.", "What is the result of this conversation?", "What was agreed?",
    "Give a short summary of the chat.",
               "Summarise the chat.", "Write a short summary of this dialogue.", "What came out of this talk?", "TL;DR of this conversation:",
               "Can you summarise this chat for me?", "Please sum up what they said.", "What is the outcome of the conversation?",
               "Summary of the dialogue, please.", "In short, what do they plan?", "Briefly, what did they decide?",
               "What happens in this conversation?", "Note down what was agreed.", "Give me the result of the talk in a sentence or two.",
               "Summarize this chat.",
               "What did the two settle?", "I missed this call. What was agreed?", "Make a short note of this conversation.",
               "Read the conversation and write a summary."]


def talk(draw: Draw) -> tuple[Scene, dict[str, str], str]:
    """A scene, its values, and the conversation."""
    scene = draw.pick(SCENES)
    taken: list[str] = []
    first, second = draw.sample(CLEAR_NAMES, 2)
    values = {"A": first, "B": second}
    taken += [first.lower(), second.lower()]
    for slot, maker in scene.slots.items():
        values[slot] = fresh_value(draw, maker, values, taken)
        taken.append(values[slot].lower())
    values["X"] = first
    exchanges = [draw.wording(bank) for bank in scene.exchanges]
    strangers = {"restaurant", "boss", "code", "doctor", "street"} & set(scene.slots)
    asker_of = [first, second]
    lines: list[tuple[str, str]] = []

    def say(exchange: str, speakers: list[str]) -> None:
        for i, said in enumerate(part.strip() for part in re.split(r"//|/", exchange)):
            speaker, said = speakers[i % 2], fill(said, values)
            if lines and lines[-1][0] == speaker:
                lines[-1] = (speaker, f"{lines[-1][1]} {said}")
            else:
                lines.append((speaker, said))

    if draw.chance(0.4) and not strangers:
        say(draw.wording(GREETINGS), asker_of)
    noise_at = draw.number(1, len(exchanges)) if draw.chance(0.35) else 0
    for i, exchange in enumerate(exchanges):
        if i == noise_at and i:
            say(draw.wording(CHATTER), asker_of)
        say(exchange.removeprefix("< "), asker_of[::-1] if exchange.startswith("<") else asker_of)
    if draw.chance(0.4):
        say(draw.wording(FAREWELLS), asker_of)
    frame = draw.pick(["{}: {}", "{}: {}", "{} - {}", "[{}] {}"])
    return scene, values, "\n".join(frame.format(*line) for line in lines)


DIALOGUE_FRAMES = ["{text}", "Conversation:\n{text}", "Dialogue:\n{text}", "{text}", "Chat:\n{text}", '"""\n{text}\n"""',
    "Here is a conversation:\n\n{text}", "{text}", "Text:\n{text}", "Chat log:\n{text}", "---\n{text}\n---", "This is the talk:\n{text}",
                   "Call notes:\n{text}", "{text}", "Messages:\n{text}"]


def on_dialogue(draw: Draw, text: str, request: str) -> str:
    shown = draw.wording(DIALOGUE_FRAMES).format(text=text)
    return f"{request}\n\n{shown}" if draw.chance(0.6) else f"{shown}\n\n{request}"


def dialogue_summary(draw: Draw) -> dict:
    scene, values, text = talk(draw)
    slots = {slot: values[slot] for slot in slots_in(scene.agreed)}
    return row("dialogue_summary", on_dialogue(draw, text, careless(draw, draw.wording(AGREED_ASKS))), fill(scene.agreed, values),
        system=some_system(draw, 0.04), slots=slots, text=text)


def dialogue_question(draw: Draw) -> dict:
    scene, values, text = talk(draw)
    slot = draw.pick(list(scene.questions))
    question = fill(draw.wording(scene.questions[slot]), values)
    request = ask_on(draw, text, question) if draw.chance(0.5) else on_dialogue(draw, text, careless(draw, question))
    return row("reading_question", request, values[slot], answers=answers_to(scene.slots[slot], values[slot]), text=text)


# --- look-up ----------------------------------------------------------------------------------------------------

# What the rows are, how the column is called, how a row's name and value are made, questions for the value and for the name.
TABLES = [
    ("Price list", "Item", "Price", "items", "price", "How much are the {n}?|What do {n} cost?|What is the price of {n}?|How much do I pay for {n}?|Price of {n}?", "Which item costs {v}?|What can I get for {v}?|What costs {v}?|Which goods have the price {v}?"),
    ("Phone list", "Name", "Phone", "person", "phone", "What is {n}'s phone number?|Which number does {n} have?|How can I call {n}?|What is the number of {n}?|Phone number of {n}?", "Whose number is {v}?|Who has the number {v}?|Who answers at {v}?|To whom does {v} belong?"),
    ("Menu", "Dish", "Price", "food", "price", "What do I pay for the {n}?|What price does the menu give for {n}?|What is the price of the {n}?|How much must I pay for {n}?|Price of the {n}?", "Which dish costs {v}?|What can I eat for {v}?|Which dish is {v}?|What food costs {v}?"),
    ("Rooms", "Name", "Room", "person", "room", "In which room is {n}?|Where does {n} sit?|What is {n}'s room?|Which room is {n} in?|Where can I find {n}?", "Who is in {v}?|Who sits in {v}?|Whose room is {v}?|Whom do I find in {v}?"),
    ("Timetable", "Course", "Time", "hobby", "time", "At what time is {n}?|When does {n} start?|What time is {n}?|When is {n}?|Time of {n}?",
    "What starts at {v}?|Which course is at {v}?|What is on at {v}?|Which course begins at {v}?"),
    ("Departures", "City", "Time", "city", "time", "When does the train to {n} leave?|At what time does the train go to {n}?|What time is the train to {n}?|When can I go to {n}?|Departure time for {n}?", "Which train leaves at {v}?|To which city does the train at {v} go?|Where does the {v} train go?|Which city can I go to at {v}?"),
    ("Stock", "Item", "Pieces", "items", "count", "How many {n} are there?|How many {n} do we have?|What is the number of {n}?|How many {n} are in stock?|Number of {n}?", "Of which item are there {v}?|Which item do we have {v} of?|What do we have {v} of?|Which goods have the number {v}?"),
    ("Jobs", "Name", "Job", "person", "job", "What is {n}'s job?|What does {n} do?|What does {n} work as?|Which job does {n} have?|Job of {n}?",
    "Who is the {v}?|Who works as {av}?|Which person is {av}?|Whose job is {v}?"),
    ("Members", "Name", "City", "person", "city", "Where does {n} live?|Which city does {n} live in?|What is {n}'s city?|In which city does {n} live?|City of {n}?", "Who lives in {v}?|Which person lives in {v}?|Who is from {v}?|Whose city is {v}?"),
    ("Orders", "Name", "Number", "person", "code", "What is {n}'s order number?|Which order number does {n} have?|What is the number of {n}'s order?|Order number of {n}?|Under which number is {n}'s order?", "Whose order is {v}?|Who has the order number {v}?|To whom does {v} belong?|Which person ordered under {v}?"),
    ("Contacts", "Name", "E-mail", "person", "email", "What is {n}'s e-mail address?|How can I write to {n}?|Which email address does {n} have?|Where do I send an e-mail to {n}?|Email of {n}?", "Whose address is {v}?|Who has the e-mail address {v}?|Who reads mail at {v}?|To whom does {v} belong?"),
    ("Points", "Team", "Points", "team", "count", "How many points do {n} have?|What are the points of {n}?|How many points did {n} get?|Points of {n}?|What is the number of points of {n}?", "Which team has {v} points?|Who has {v} points?|Which team got {v}?|Who got {v} points?"),
    ("Birthdays", "Name", "Date", "person", "date", "When is {n}'s birthday?|What is {n}'s birthday?|On what date is {n}'s birthday?|When does {n} have birthday?|Birthday of {n}?", "Whose birthday is on {v}?|Who has birthday on {v}?|Who was born on {v}?|Which person has birthday on {v}?"),
    ("Opening hours", "Shop", "Opens at", "company", "time", "When does {n} open?|At what time does {n} open?|What time does {n} open?|From what time is {n} open?|Opening time of {n}?", "Which shop opens at {v}?|What opens at {v}?|Which company opens at {v}?|Which shop is open from {v}?"),
]
TABLE_LEADS = ["Answer from the list.", "", "Look it up in the list below.", "Here is a list.", "", "Use the table to answer.",
    "Find the answer in the list.", "", "Read the list and answer the question.", "Look at this table.", "", "Check the list.",
               "Please look this up for me.", "", "Here are our notes.", "I have a question about this list.", "Take the answer from the table.", "",
               "Search the list.", "Use the data below.", "Answer with the value only."]


def show_table(draw: Draw, title: str, heads: list[str], rows: list[list[str]]) -> str:
    shape = draw.number(1, 6)
    if shape == 1:
        lines = ["| " + " | ".join(cells) + " |" for cells in [heads, ["---"] * len(heads), *rows]]
    elif shape == 2:
        lines = [",".join(heads), *(",".join(f'"{cell}"' if "," in cell else cell for cell in cells) for cells in rows)]
    elif shape == 3:
        lines = [" | ".join(cells) for cells in ([heads] if draw.chance(0.6) else []) + rows]
    elif shape == 4:
        lines = ["- " + cells[0] + ": " + ", ".join(cells[1:]) for cells in rows]
    else:
        mark = draw.pick([": ", " - ", " = ", ": "])
        lines = [cells[0] + mark + ", ".join(cells[1:]) for cells in rows]
    return "\n".join(([title + ":"] if draw.chance(0.4) else []) + lines)


def lookup(draw: Draw) -> dict:
    title, name_head, value_head, name_maker, value_maker, forward, backward = draw.pick(TABLES)
    taken: list[str] = []
    rows: list[list[str]] = []
    for _ in range(draw.number(4, draw.pick([6, 8, 12]))):
        name = fresh_value(draw, name_maker, {}, taken)
        value = fresh_value(draw, value_maker, {"name": name} if name_maker == "person" else {}, taken)
        if name.lower() in taken or value.lower() in taken:
            continue
        taken += [name.lower(), value.lower()]
        rows.append([name, value])
    heads = [name_head, value_head]
    if draw.chance(0.25):
        heads.append("Day")
        rows = [[*cells, draw.pick(WEEKDAYS)] for cells in rows]
    table, (name, value, *_) = show_table(draw, title, heads, rows), draw.pick(rows)
    if draw.chance(0.08):
        absent = fresh_value(draw, name_maker, {}, taken)
        question, answer = draw.wording(forward.split("|")).format(n=absent), "The list does not say."
    elif draw.chance(0.65):
        question, answer = draw.wording(forward.split("|")).format(n=name), value
    else:
        question, answer = draw.wording(backward.split("|")).format(v=value, av=a(value)), name
    question, lead = careless(draw, question), draw.wording(TABLE_LEADS)
    if draw.chance(0.15):
        return row("lookup", question, answer, system=f"{lead or 'Answer from this list.'}\n\n{table}", answers=[answer], text=table)
    parts = draw.pick([[lead, table, question], [lead, table, "Question: " + question], [question, table], [lead, question, table]])
    return row("lookup", "\n\n".join(part for part in parts if part), answer, answers=[answer], text=table)


# --- the order of things ----------------------------------------------------------------------------------------

ORDINALS = "first second third fourth fifth sixth seventh eighth ninth".split()
POSITION_ASKS = ["What is the {o} {t}?", "Which {t} comes {o}?", "Name the {o} {t}.", "Give me the {o} {t} in the list.", "Which is the {o} {t}?",
    "What is the {o} {t} in the list?", "Tell me the {o} {t}.", "Which {t} is {o}?", "Write only the {o} {t}.",
                 "I want the {o} {t}.", "What {t} stands in the {o} place?", "Which {t} is in {o} place?", "Find the {o} {t}.",
                 "Read out the {o} {t}.", "Show the {o} {t}.", "The {o} {t}, please."]
COUNT_ASKS = ["How many {ts} are in the list?", "How many {ts} are there?", "Count the {ts}.", "What is the number of {ts}?",
    "How many {ts} does the list have?", "Give me the number of {ts}.", "How many {ts} do you see?", "How long is the list of {ts}?",
              "Number of {ts}?", "How many {ts} are listed?", "Tell me how many {ts} there are.", "How many {ts} can you count?",
              "Please count the {ts} here.", "What is the count of {ts}?", "How many {ts} does it name?"]
NEXT_ASKS = ["Which {t} comes right after {x}?", "What comes directly after {x}?", "Which {t} follows {x}?", "What stands right behind {x}?",
    "Which {t} is next after {x}?", "Name the {t} after {x}.", "After {x}, what is next?", "What is the next {t} after {x}?"]
BEFORE_ASKS = ["Which {t} comes right before {x}?", "What comes directly before {x}?", "Which {t} is just before {x}?",
    "What stands right in front of {x}?", "Name the {t} before {x}.", "Which {t} stands one place before {x}?",
               "What is the {t} just before {x}?", "Right before {x}, what is there?"]
SERIES = [("item", "items", "items"), ("name", "names", "first"), ("city", "cities", "city"), ("food", "foods", "food"), ("animal", "animals",
    "animal"), ("colour", "colours", "colour"), ("job", "jobs", "job"), ("hobby", "hobbies", "hobby"),
          ("name", "names", "person"), ("company", "companies", "company")]
MAKERS["first"] = lambda d: d.pick(FIRST_NAMES)


def position(draw: Draw) -> dict:
    one, many, maker = draw.pick(SERIES)
    things: list[str] = []
    for _ in range(draw.number(3, 9)):
        value = fresh_value(draw, maker, {}, [thing.lower() for thing in things])
        if value not in things:
            things.append(value)
    where = draw.number(0, len(things) - 1)
    how = draw.pick(["place"] * 5 + ["last", "last", "count", "next", "before"])
    if how == "next" and where == len(things) - 1 or how == "before" and where == 0:
        how = "place"
    if how == "place":
        question, answer = draw.wording(POSITION_ASKS).format(o=ORDINALS[where], t=one), things[where]
    elif how == "last":
        question, answer = draw.wording(POSITION_ASKS).format(o="last", t=one), things[-1]
    elif how == "count":
        question, answer = draw.wording(COUNT_ASKS).format(ts=many), str(len(things))
    elif how == "next":
        question, answer = draw.wording(NEXT_ASKS).format(t=one, x=things[where]), things[where + 1]
    else:
        question, answer = draw.wording(BEFORE_ASKS).format(t=one, x=things[where]), things[where - 1]
    shape = draw.number(1, 6)
    shown = {1: ", ".join(things), 2: "\n".join(f"- {thing}" for thing in things), 3: "\n".join(f"{i}. {thing}" for i, thing in enumerate(things,
        1)), 4: "\n".join(things),
             5: joined(things), 6: "; ".join(things)}[shape]
    intro = draw.pick(["", "", f"{many.capitalize()}: ", f"Here are some {many}: ", "List: ", f"My list of {many}: "])
    if shape in (2, 3, 4) and intro:
        intro = intro.rstrip() + "\n"
    question = careless(draw, question)
    parts = [intro + shown, question] if draw.chance(0.5) else [question, intro + shown]
    return row("position", draw.pick(["\n\n", "\n\n", "\n"]).join(parts), answer, answers=[answer], text=shown)


GENERATORS = [(reading_question, 30), (reading_not_said, 6), (reading_yes_no, 7), (extraction, 10), (reading_chat, 8), (summary, 5), (headline, 2),
    (key_points, 3), (dialogue_summary, 18), (dialogue_question, 4), (lookup, 7),
              (position, 4)]
