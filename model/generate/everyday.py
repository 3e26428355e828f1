"""Short everyday requests in many wordings: lists, names of things, a few sentences, messages, rewriting, rules, easy facts, advice. No command of its own.

A request is a verb ("list three fruits") or a thing ("three fruits") in a frame ("Can you …?", "I need …"); both come from banks with held-out entries.
"""
from .chat import (ADVICE, RELATIVES, Slots, a_fact, bank, capital, exchanges, fill, lines_of, mend, pairs, slots,
                   small_sum, yes_no)
from .draw import Draw, row
from .words import COLOURS, COUNTRIES, FIRST_NAMES, WEEKDAYS, a, clock

# --- how people ask ---------------------------------------------------------------------------------------------

VERB_FRAMES = bank("""{R}. | Please {r}. | Can you {r}? | {R}, please. | Could you {r}? | {R} please | {R} for me. | {R}! | Can you please {r}? |
    Would you {r}? | I want you to {r}. | {R} | Could you please {r}? | I'd like you to {r}. | Hey, {r}. | Hi, can you {r}? | Just {r}. |
    Will you {r}? | Hello, please {r}. | I need you to {r}. | Can you quickly {r}? | Would you please {r}? | Go ahead and {r}. |
    Let's see you {r}. | OK, {r}. | Quick, {r}. | Are you able to {r}? | Help me and {r}. | Could you {r} for me? | Can u {r} | pls {r} |
    Next, {r}. | Try to {r}. | Do me a favour and {r}. | Would you mind? Please {r}. | Can you {r} for me please? | So, {r}. | Kindly {r}. |
    Your task: {r}. | It would be nice if you could {r}. | Please could you {r}?""")
THING_FRAMES = bank("""Give me {r}. | I need {r}. | {R}, please. | {R} please | Can you give me {r}? | Could I have {r}? | I'd like {r}. | {R}. |
    Please give me {r}. | I want {r}. | Can I get {r}? | Tell me {r}. | Let me have {r}. | Can you think of {r}? | I'm looking for {r}. |
    Could you give me {r}? | May I have {r}? | {R}! | I could use {r}. | Show me {r}. | Do you have {r}? | Can I have {r}, please? |
    Hi, I need {r}. | Gimme {r} | Please help me with {r}. | I would like {r}, please. | Hey, give me {r}. | Can you come up with {r}? | {R} |
    Would you give me {r}? | Just {r}. | Any chance of {r}? | Quick, {r}! | I am after {r}. | Give me {r}, will you? | What I need is {r}.""")


def loose(draw: Draw, text: str) -> str:
    """As people type: a third of the requests lose their capital, their last mark or both."""
    kind = draw.rng.random()
    if kind < 0.24 and not text.startswith(("I ", "I'", *FIRST_NAMES)):
        text = text[0].lower() + text[1:]
    if 0.12 < kind < 0.36:
        text = text.rstrip("?.!") or text
    return text


def request(draw: Draw, verbs: list[str], things: list[str], values: dict) -> str:
    wishes, frames = draw.pick([(verbs, VERB_FRAMES), (things or verbs, THING_FRAMES if things else VERB_FRAMES)])
    return loose(draw, fill(draw.wording(frames), {"r": fill(draw.wording(wishes), values)}))


def ask(draw: Draw, wordings: list[str], values: dict) -> str:
    return loose(draw, mend(fill(draw.wording(wordings), values)))


# --- lists ------------------------------------------------------------------------------------------------------

# one | many | members
CATEGORIES = [(one, many, members.split(", ")) for one, many, members in (line.split(" | ") for line in lines_of("""
fruit | fruits | apple, banana, pear, cherry, plum, orange, grape, mango, peach, lemon, kiwi, strawberry, melon, pineapple, apricot, fig
vegetable | vegetables | carrot, potato, onion, cabbage, spinach, broccoli, cauliflower, leek, pea, bean, celery, radish, turnip, beetroot
animal | animals | dog, cat, horse, lion, rabbit, elephant, fox, bear, sheep, monkey, tiger, giraffe, mouse, wolf, deer, zebra
farm animal | farm animals | cow, pig, sheep, goat, horse, chicken, duck, donkey, goose, turkey
wild animal | wild animals | lion, tiger, wolf, bear, fox, elephant, giraffe, deer, zebra, leopard, hippo
zoo animal | zoo animals | lion, elephant, giraffe, penguin, monkey, zebra, tiger, seal, bear, kangaroo
pet | pets | dog, cat, hamster, rabbit, goldfish, parrot, guinea pig, budgie, tortoise
bird | birds | robin, eagle, sparrow, owl, duck, swan, crow, pigeon, penguin, parrot, blackbird, stork, gull, finch
sea animal | sea animals | whale, dolphin, shark, octopus, crab, seal, jellyfish, lobster, squid, starfish
fish | fish | salmon, trout, tuna, cod, herring, carp, pike, mackerel, eel, perch
insect | insects | ant, bee, fly, beetle, butterfly, wasp, mosquito, moth, grasshopper, ladybird, dragonfly
reptile | reptiles | snake, lizard, crocodile, turtle, gecko, iguana, chameleon, alligator
animal with four legs | animals with four legs | dog, cat, horse, cow, sheep, lion, fox, pig, goat, deer
animal that can fly | animals that can fly | eagle, bat, bee, butterfly, sparrow, owl, crow, swan, moth
animal that can swim | animals that can swim | duck, whale, dolphin, seal, shark, otter, frog, penguin, beaver
big animal | big animals | elephant, whale, hippo, giraffe, rhino, bear, bison, moose
small animal | small animals | mouse, ant, ladybird, hamster, snail, bee, shrew, sparrow
flower | flowers | rose, tulip, daisy, sunflower, lily, daffodil, violet, poppy, orchid, carnation, iris, crocus
tree | trees | oak, birch, pine, maple, beech, willow, ash, chestnut, fir, cedar, elm, poplar
colour | colours | red, blue, green, yellow, orange, purple, pink, brown, black, white, grey
bright colour | bright colours | yellow, orange, pink, red, turquoise, lime
dark colour | dark colours | black, dark blue, dark green, brown, dark red, dark grey
shape | shapes | circle, square, triangle, rectangle, oval, star, pentagon, hexagon
country | countries | France, Germany, Italy, Spain, Japan, China, India, Brazil, Canada, Mexico, Egypt, Kenya, Norway, Poland, Peru, Greece
European country | European countries | France, Germany, Italy, Spain, Portugal, Norway, Sweden, Poland, Greece, Austria, Ireland, Finland
country in Europe | countries in Europe | France, Germany, Italy, Spain, Portugal, Denmark, Hungary, Poland, Greece, Austria, Ireland
country in Asia | countries in Asia | Japan, China, India, Thailand, Vietnam, Nepal, Mongolia, Pakistan, Indonesia
country in Africa | countries in Africa | Egypt, Kenya, Ghana, Nigeria, Morocco, Senegal, Uganda, Ethiopia, Zambia
country in South America | countries in South America | Brazil, Argentina, Chile, Peru, Colombia, Ecuador, Uruguay
African country | African countries | Egypt, Kenya, Ghana, Nigeria, Morocco, Senegal, Uganda, Ethiopia
Asian country | Asian countries | Japan, China, India, Thailand, Vietnam, Nepal, Mongolia
city | cities | London, Paris, Rome, Berlin, Madrid, Vienna, Tokyo, Cairo, Oslo, Lisbon, Sydney, Toronto, Dublin, Athens
big city | big cities | London, Tokyo, New York, Cairo, Delhi, Mexico City, Paris, Istanbul, Lagos
capital city | capital cities | London, Paris, Rome, Berlin, Madrid, Vienna, Tokyo, Cairo, Oslo, Lisbon, Dublin, Athens, Warsaw
city in Europe | cities in Europe | London, Paris, Rome, Berlin, Madrid, Vienna, Oslo, Lisbon, Dublin, Athens, Prague
city in Italy | cities in Italy | Rome, Milan, Naples, Turin, Venice, Florence, Bologna, Genoa
city in Germany | cities in Germany | Berlin, Hamburg, Munich, Cologne, Frankfurt, Leipzig, Dresden, Bremen
city in France | cities in France | Paris, Lyon, Marseille, Lille, Nantes, Toulouse, Bordeaux, Strasbourg
river | rivers | Nile, Rhine, Danube, Thames, Amazon, Seine, Volga, Ganges, Mississippi, Congo
ocean | oceans | Atlantic, Pacific, Indian Ocean, Arctic Ocean, Southern Ocean
continent | continents | Europe, Asia, Africa, North America, South America, Australia, Antarctica
planet | planets | Mercury, Venus, Earth, Mars, Jupiter, Saturn, Uranus, Neptune
language | languages | English, French, Spanish, German, Italian, Japanese, Chinese, Arabic, Polish, Greek, Turkish, Dutch
sport | sports | football, tennis, swimming, basketball, hockey, rugby, golf, running, volleyball, skiing, rowing, judo
team sport | team sports | football, basketball, hockey, rugby, volleyball, handball, cricket, baseball
ball game | ball games | football, tennis, basketball, volleyball, golf, handball, cricket, rugby
winter sport | winter sports | skiing, ice skating, snowboarding, ice hockey, curling, sledging
water sport | water sports | swimming, sailing, surfing, rowing, diving, canoeing
hobby | hobbies | reading, painting, cooking, gardening, dancing, fishing, hiking, knitting, chess, photography, singing, cycling
musical instrument | musical instruments | piano, guitar, violin, flute, drum, trumpet, cello, harp, clarinet, saxophone, organ
instrument | instruments | piano, guitar, violin, flute, drum, trumpet, cello, harp, clarinet
string instrument | string instruments | violin, guitar, cello, harp, viola, double bass, banjo
job | jobs | teacher, doctor, nurse, baker, farmer, pilot, cook, driver, engineer, painter, lawyer, plumber, judge
job in a hospital | jobs in a hospital | doctor, nurse, surgeon, cleaner, cook, pharmacist
drink | drinks | water, milk, coffee, tea, juice, lemonade, cocoa, beer, wine
hot drink | hot drinks | coffee, tea, hot chocolate, mulled wine, hot milk, espresso
cold drink | cold drinks | lemonade, iced tea, apple juice, cold milk, mineral water, orange juice
food | foods | bread, rice, cheese, soup, pasta, eggs, potatoes, fish, salad, beans
breakfast food | breakfast foods | porridge, toast, eggs, cereal, pancakes, yoghurt, fruit, muesli
healthy snack | healthy snacks | nuts, carrots, apple slices, yoghurt, berries, grapes, cucumber sticks
snack | snacks | crisps, nuts, popcorn, crackers, pretzels, a sandwich, an apple
dessert | desserts | ice cream, apple pie, chocolate cake, pudding, fruit salad, pancakes, cheesecake
kind of cake | kinds of cake | chocolate cake, carrot cake, cheesecake, lemon cake, sponge cake, apple cake
ice cream flavour | ice cream flavours | vanilla, chocolate, strawberry, lemon, pistachio, coffee, mango, coconut
pizza topping | pizza toppings | cheese, mushrooms, olives, ham, peppers, onions, tomatoes, salami
soup | soups | tomato soup, onion soup, chicken soup, lentil soup, pumpkin soup, pea soup
spice | spices | pepper, cinnamon, ginger, paprika, cumin, nutmeg, saffron, cloves, turmeric
herb | herbs | basil, parsley, mint, thyme, oregano, rosemary, sage, dill, chives
nut | nuts | walnut, hazelnut, almond, cashew, peanut, pecan, pistachio
berry | berries | strawberry, raspberry, blueberry, blackberry, cranberry, gooseberry
dairy product | dairy products | milk, cheese, butter, yoghurt, cream, quark
red thing | red things | tomato, strawberry, cherry, fire engine, blood, poppy, rose, stop sign
green thing | green things | grass, leaf, frog, cucumber, lettuce, pea, lime, cactus
yellow thing | yellow things | banana, lemon, sun, sunflower, butter, canary, corn
white thing | white things | snow, milk, salt, swan, rice, sugar, flour, polar bear
blue thing | blue things | sky, sea, blueberry, sapphire, jeans, cornflower
cold thing | cold things | ice, snow, ice cream, winter, frost, a freezer
hot thing | hot things | fire, the sun, lava, an oven, boiling water, a candle flame
round thing | round things | ball, wheel, coin, ring, plate, orange, globe, button
sweet thing | sweet things | sugar, honey, chocolate, cake, candy, jam, syrup
soft thing | soft things | pillow, cotton, feather, wool, blanket, teddy bear, cushion
piece of furniture | pieces of furniture | table, chair, sofa, bed, wardrobe, desk, shelf, armchair, bookcase, stool
room in a house | rooms in a house | kitchen, bathroom, bedroom, living room, dining room, hall, study, attic, cellar
thing in a kitchen | things in a kitchen | oven, fridge, knife, pan, spoon, plate, kettle, sink, bowl
thing in a bathroom | things in a bathroom | towel, soap, shower, mirror, toothbrush, bath, comb, sink
thing in a classroom | things in a classroom | board, desk, chair, book, pencil, map, ruler, chalk
thing in a garden | things in a garden | flower, tree, bench, fence, grass, path, pond, shed
thing in an office | things in an office | desk, computer, printer, phone, chair, lamp, folder, stapler
thing you find on a beach | things you find on a beach | sand, shells, stones, waves, towels, seaweed, umbrellas
thing to take to the beach | things to take to the beach | towel, sun cream, hat, water, sunglasses, ball, book
thing to pack for a trip | things to pack for a trip | clothes, toothbrush, passport, towel, charger, book, shoes, umbrella
thing to take on a picnic | things to take on a picnic | blanket, sandwiches, fruit, lemonade, cups, napkins, cake
thing you need for camping | things you need for camping | tent, sleeping bag, torch, matches, stove, blanket, water bottle
kitchen tool | kitchen tools | knife, whisk, spoon, grater, peeler, ladle, sieve, rolling pin
tool | tools | hammer, saw, screwdriver, drill, pliers, spanner, axe, file, chisel
garden tool | garden tools | spade, rake, hoe, shears, watering can, fork, wheelbarrow
piece of clothing | pieces of clothing | shirt, trousers, dress, coat, skirt, jumper, sock, jacket, scarf, hat, glove
item of clothing | items of clothing | shirt, dress, coat, skirt, jumper, jacket, scarf, hat, sock
kind of shoe | kinds of shoes | boot, sandal, slipper, trainer, clog, high heel
thing made of wood | things made of wood | table, chair, door, pencil, shelf, fence, spoon
thing made of glass | things made of glass | window, bottle, vase, mirror, jar, lens
thing made of metal | things made of metal | key, coin, knife, nail, spoon, bell, chain
thing with wheels | things with wheels | car, bicycle, bus, train, wheelbarrow, skateboard, pram, tractor
vehicle | vehicles | car, bus, train, bicycle, lorry, tram, motorbike, van, tractor, plane
means of transport | means of transport | car, bus, train, bicycle, plane, ship, tram, ferry
way to travel | ways to travel | by car, by train, by plane, by bus, by ship, by bicycle, on foot
part of the body | parts of the body | arm, leg, head, hand, foot, knee, ear, nose, shoulder, back, finger
body part | body parts | arm, leg, head, hand, foot, knee, ear, nose, elbow, finger
part of a car | parts of a car | wheel, engine, door, brake, seat, windscreen, boot, tyre
part of a tree | parts of a tree | root, trunk, branch, leaf, bark, twig
member of the family | members of the family | mother, father, sister, brother, aunt, uncle, grandmother, grandfather, cousin
day of the week | days of the week | Monday, Tuesday, Wednesday, Thursday, Friday, Saturday, Sunday
month | months | January, February, March, April, May, June, July, August, September, October, November, December
summer month | summer months | June, July, August
season | seasons | spring, summer, autumn, winter
school subject | school subjects | maths, history, biology, music, art, geography, physics, chemistry, English, sport
metal | metals | iron, gold, silver, copper, tin, lead, zinc, aluminium, nickel
gemstone | gemstones | diamond, ruby, emerald, sapphire, opal, topaz, amethyst
material | materials | wood, glass, steel, plastic, cotton, leather, paper, wool, stone
kind of weather | kinds of weather | rain, snow, sunshine, fog, wind, hail, thunderstorm, frost
feeling | feelings | joy, anger, fear, sadness, surprise, love, envy, pride, hope
good quality in a friend | good qualities in a friend | honesty, kindness, humour, patience, loyalty, trust
toy | toys | ball, doll, puzzle, kite, teddy bear, yo-yo, building blocks, toy car, train set
board game | board games | chess, draughts, ludo, backgammon, snakes and ladders, go
card game | card games | bridge, poker, rummy, solitaire, whist, snap
game for children | games for children | hide and seek, tag, hopscotch, musical chairs, skipping, marbles
building | buildings | school, church, hospital, library, house, castle, hotel, museum, station, tower
shop | shops | bakery, butcher's, bookshop, chemist's, florist's, supermarket, shoe shop, toy shop
place in a town | places in a town | park, station, library, market, school, bank, church, museum, post office
thing you can read | things you can read | book, newspaper, magazine, letter, poem, menu, map
thing you write with | things you write with | pen, pencil, chalk, crayon, marker, ballpoint pen
kind of book | kinds of books | novel, cookbook, dictionary, comic, travel guide, biography, picture book
kind of music | kinds of music | jazz, rock, pop, blues, folk, classical, reggae, country
dance | dances | waltz, tango, samba, polka, salsa, foxtrot, rumba
kind of film | kinds of films | comedy, western, thriller, cartoon, documentary, horror film, love story
cheese | cheeses | cheddar, gouda, brie, feta, mozzarella, parmesan, camembert
kind of bread | kinds of bread | white bread, rye bread, baguette, toast, pitta, flatbread, sourdough
dog breed | dog breeds | poodle, beagle, terrier, dachshund, boxer, collie, labrador, greyhound
name for a dog | names for a dog | Max, Luna, Rocky, Bella, Buddy, Daisy, Charlie, Rex, Toby
name for a cat | names for a cat | Misty, Felix, Luna, Tiger, Snowy, Coco, Simba, Milo
girl's name | girls' names | Anna, Emma, Laura, Sofia, Lucy, Clara, Nina, Julia, Ella
boy's name | boys' names | Paul, Leo, Adam, Tom, Felix, Jonas, Max, Oscar, David
birthday present for a child | birthday presents for a child | book, puzzle, ball, kite, paint box, board game, teddy bear
present for my mother | presents for my mother | flowers, a scarf, a book, chocolates, a nice cup, perfume
present for a friend | presents for a friend | a book, a plant, a candle, concert tickets, a box of chocolates, a mug
thing to do on a rainy day | things to do on a rainy day | read a book, bake a cake, watch a film, play a board game, paint a picture, tidy up
thing to do at the weekend | things to do at the weekend | go for a walk, meet friends, read a book, visit a museum, cook a meal, go swimming
thing to do in summer | things to do in summer | go swimming, have a picnic, ride a bicycle, eat ice cream, go camping
thing to do in winter | things to do in winter | build a snowman, go skiing, drink hot chocolate, bake biscuits, go skating
way to relax | ways to relax | take a bath, listen to music, read a book, go for a walk, breathe slowly, do yoga
way to save energy | ways to save energy | switch off lights, take shorter showers, close the windows, use the stairs, wear a warm jumper
way to save water | ways to save water | take short showers, turn off the tap, fix leaks, collect rain water
way to stay healthy | ways to stay healthy | sleep enough, eat vegetables, drink water, go for walks, do sport
way to say hello | ways to say hello | hello, hi, good morning, good evening, hey, good day
way to say goodbye | ways to say goodbye | goodbye, bye, see you later, take care, see you soon, so long
polite word | polite words | please, thanks, sorry, welcome, pardon
word that rhymes with cat | words that rhyme with cat | hat, mat, bat, rat, flat, fat
word that rhymes with day | words that rhyme with day | play, way, say, stay, grey, may
word that rhymes with tree | words that rhyme with tree | bee, sea, key, me, free, three
word that rhymes with night | words that rhyme with night | light, bright, right, fight, white, kite
question word | question words | who, what, where, when, why, how, which
verb | verbs | run, eat, sleep, read, write, sing, jump, swim, walk, drink
adjective | adjectives | big, small, happy, old, cold, green, quiet, fast, soft, clean
even number | even numbers | 2, 4, 6, 8, 10, 12, 14, 16, 20
odd number | odd numbers | 1, 3, 5, 7, 9, 11, 13, 15, 21
punctuation mark | punctuation marks | comma, full stop, question mark, exclamation mark, colon, semicolon
holiday | holidays | Christmas, Easter, New Year's Day, Halloween, Mother's Day
sense | senses | sight, hearing, smell, taste, touch
electrical device | electrical devices | fridge, toaster, television, lamp, kettle, washing machine, computer
thing in the sky | things in the sky | sun, moon, cloud, star, plane, bird, rainbow
thing that flies | things that fly | plane, bird, kite, bee, balloon, helicopter, rocket
thing that makes a noise | things that make a noise | bell, drum, dog, alarm clock, engine, radio, whistle
thing that gives light | things that give light | sun, lamp, candle, torch, fire, lighthouse
"""))]
NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six"}
LIST_VERBS = bank("""list {n} {x} | name {n} {x} | write down {n} {x} | tell me {n} {x} | think of {n} {x} | give me {n} {x} | mention {n} {x} |
    write {n} {x} | suggest {n} {x} | name me {n} {x} | find {n} {x} | list any {n} {x} | come up with {n} {x} | make a list of {n} {x} |
    give an example list of {n} {x} | enumerate {n} {x} | list me {n} {x} | pick {n} {x} | say {n} {x} | type {n} {x} | name any {n} {x} |
    write a list of {n} {x} | note down {n} {x} | show me {n} {x} | recommend {n} {x} | put down {n} {x} | create a list with {n} {x} |
    give me a list of {n} {x} | state {n} {x}""")
LIST_THINGS = bank("""{n} {x} | a list of {n} {x} | {n} examples of {x} | any {n} {x} | {n} {x}, any you like | the names of {n} {x} | {n} different {x} |
    a short list of {n} {x} | {n} common {x} | exactly {n} {x} | {n} well-known {x}""")
LIST_QUESTIONS = bank("""What are {n} {x}? | Which {n} {x} come to mind? | What {n} {x} do you know? | Do you know {n} {x}? | What are some {x}? {N} are enough. |
    Which {x} do you know? Name {n}. | {x}: {n} examples? | Know any {x}? I need {n}. | What could be {n} {x}? | {n} {x}? | Can you name {n} {x}? |
    Examples of {x}? Give me {n}. | Can you list {n} {x} for me? | I need ideas: {n} {x}. | My homework: {n} {x}.""")
SHAPES = {
    "bullets": bank("""as bullet points | as a bullet list | with bullets | in bullet points | one bullet each | with a dash in front of each |
        as a bulleted list | use bullet points"""),
    "lines": bank("""one per line | each on its own line | one on each line | in separate lines | line by line | one under the other |
        put each on a new line | every one on a new line"""),
    "numbers": bank("""numbered | as a numbered list | with numbers | number them | in a numbered list | numbered from 1 | with a number in front of each"""),
    "commas": bank("""separated by commas | with commas | in one line | comma separated | with commas between them | as a comma list | in a single line"""),
    "sentence": bank("""in a sentence | in one sentence | as a sentence | as a full sentence | in a short sentence"""),
}
MORE_ONE = bank("""Another one? | One more. | Another one, please. | And another one? | one more please | Give me another one. | Another? |
    Can you name another one? | And one more? | Tell me one more. | Name another. | And another. | Yet another one? | Next one? |
    Can I have one more? | Do you know another one? | What about another one? | Just one more. | Another one | A different one? | Any other? |
    One more, please! | And a further one? | again, another one | Give me one more. | Could you give me another? | I need one more.""")
MORE_MANY = bank("""{N} more. | {n} more please | Give me {n} more. | And {n} more? | {N} others? | Can you name {n} more? | {N} more, please. |
    Now {n} other ones. | I need {n} more. | Tell me {n} more. | Another {n}. | Another {n}, please. | Add {n} more. | {n} different ones please |
    Could you add {n} more? | Name {n} others.""")
NAME_VERBS = bank("""name {a_x} | tell me {a_x} | think of {a_x} | name one {x} | give me {a_x} | say {a_x} | give an example of {a_x} | name any {x} |
    mention {a_x} | pick {a_x} | suggest {a_x} | come up with {a_x} | name me {a_x} | write down {a_x} | choose {a_x} | tell me one {x} |
    give me one {x} | find {a_x} | list one {x} | say the name of {a_x} | tell me the name of {a_x}""")
NAME_THINGS = bank("""{a_x} | one {x} | the name of {a_x} | an example of {a_x} | any {x} | some {x}, just one | one example of {a_x} | just one {x}""")
NAME_QUESTIONS = bank("""What is {a_x}, for example? | Which {x} comes to mind? | What {x} do you know? | Do you know {a_x}? | Can you name {a_x}? |
    {A_x}? | What would be {a_x}? | {A_x}, any. | Which {x} can you name? | Can you think of {a_x}? | What's an example of {a_x}? |
    What is an example of {a_x}? | Quick: {a_x}! | Any {x}? | Do you know any {x}?""")


def shaped(things: list[str], shape: str | None) -> str:
    if shape == "bullets":
        return "\n".join(f"- {thing}" for thing in things)
    if shape == "lines":
        return "\n".join(things)
    if shape == "numbers":
        return "\n".join(f"{i}. {thing}" for i, thing in enumerate(things, 1))
    return ", ".join(things)


def listed(things: list[str]) -> str:
    return ", ".join(things[:-1]) + " and " + things[-1] if len(things) > 1 else things[0]


def list_some(draw: Draw) -> dict:
    """List some of a kind, perhaps in a given form, perhaps with more asked for."""
    _, many, members = draw.pick(CATEGORIES)
    count = min(draw.pick([2, 3, 3, 3, 3, 4, 4, 5, 5, 6]), len(members))
    things = draw.sample(members, len(members))
    values = {"n": draw.pick([str(count), NUMBERS[count]]), "x": many}
    text = request(draw, LIST_VERBS, LIST_THINGS, values) if draw.chance(0.8) else ask(draw, LIST_QUESTIONS, values)
    shape = draw.pick(list(SHAPES)) if draw.chance(0.35) else None
    if shape == "sentence" and many.startswith(("way", "thing")):
        shape = "commas"
    if shape:
        wish = draw.wording(SHAPES[shape])
        text = draw.pick([f"{text.rstrip('.!')}, {wish}." if text[-1] != "?" else f"{text} {capital(wish)}.", f"{text.rstrip('.!?')}, {wish}",
                          f"{text.rstrip('.!?')} {wish}"])
    chosen = things[:count]
    reply = f"{capital(NUMBERS[count])} {many} are {listed(chosen)}." if shape == "sentence" else shaped(chosen, shape)
    turns, rest = [text, reply], things[count:]
    while rest and draw.chance(0.3):
        more = min(draw.pick([1, 1, 2, 3]), len(rest))
        values = {"n": draw.pick([str(more), NUMBERS.get(more, "one")])}
        turns += [ask(draw, MORE_ONE, {}) if more == 1 else ask(draw, MORE_MANY, values),
                  f"{capital(rest[0])}." if more == 1 else shaped(rest[:more], shape if shape != "sentence" else None)]
        rest = rest[more:]
    return row("list", *turns, count=count, kind=many, shape=shape or "commas")


def name_one(draw: Draw) -> dict:
    """Name one of a kind, and another, and one more."""
    turns = []
    for one, many, members in draw.sample(CATEGORIES, draw.pick([1, 1, 2])):
        if one == "means of transport":
            continue
        things = draw.sample(members, len(members))
        values = Slots(x=one)
        text = request(draw, NAME_VERBS, NAME_THINGS, values) if draw.chance(0.8) else ask(draw, NAME_QUESTIONS, values)
        turns += [mend(text), f"{capital(things.pop())}."]
        while things and draw.chance(0.4):
            if len(things) > 3 and draw.chance(0.2):
                turns += [ask(draw, MORE_MANY, {"n": draw.pick(["2", "two"])}), f"{things.pop()}, {things.pop()}"]
            else:
                turns += [ask(draw, MORE_ONE, {}), f"{capital(things.pop())}."]
    return row("list", *turns) if turns else name_one(draw)


# --- what is what -----------------------------------------------------------------------------------------------

CLEAR = [(one, members) for one, _, members in CATEGORIES if one in ("fruit", "vegetable", "bird", "insect", "tree", "colour", "sport", "metal",
         "musical instrument", "country", "city", "planet", "tool", "month", "vehicle", "language")]
NO_ARTICLE = ("colour", "sport", "metal", "country", "city", "planet", "month", "language")
WHAT_ASKS = bank("""What is {it}? | What's {it}? | {It}: what is that? | What kind of thing is {it}? | Tell me what {it} is. | Do you know what {it} is? |
    Can you tell me what {it} is? | Explain what {it} is. | What do we mean by {it}? | what sort of thing is {it} | Say what {it} is. |
    Please tell me what {it} is. | I don't know what {it} is. Do you? | Define: {it}.""")
IS_ASKS = bank("""Is {it} {a_x}? | {It} is {a_x}, right? | Would you say that {it} is {a_x}? | Do we call {it} {a_x}? | Tell me, is {it} {a_x}? |
    Is it true that {it} is {a_x}? | Can you tell me if {it} is {a_x}? | {It} is {a_x}, true or not? | Is {it} really {a_x}? | so is {it} {a_x} |
    Does {it} count as {a_x}? | Quick question: is {it} {a_x}?""")
WHICH_ASKS = bank("""Which of these is {a_x}: {l}? | Which one is {a_x}: {l}? | Find the {x}: {l} | {l}: which is {a_x}? | Which word is {a_x}? {l} |
    Pick the {x}: {l} | One of these is {a_x}: {l}. Which one? | Tell me which of these is {a_x}: {l} | Only one is {a_x}: {l} |
    Where is the {x}? {l} | Which of the words is {a_x}: {l}? | Choose the {x}: {l} | What of this is {a_x}: {l}?""")


def thing_of(draw: Draw, one: str, member: str) -> str:
    return member if one in NO_ARTICLE else a(member)


def kind_question(draw: Draw) -> tuple[str, str, str]:
    """Question, answer, short answer about what is what."""
    (one, members), (other, others) = draw.sample(CLEAR, 2)
    member = draw.pick(members)
    it = thing_of(draw, one, member)
    kind = draw.pick(["what", "is", "is", "which"])
    if kind == "what":
        return ask(draw, WHAT_ASKS, Slots(it=it, x=one)), f"{capital(it)} is {a(one)}.", capital(one)
    if kind == "which":
        third = draw.pick([members for name, members in CLEAR if name not in (one, other)])
        words = draw.sample([member, draw.pick(others), draw.pick(third)], 3)
        if len(set(words)) < 3 or sum(word in members for word in words) > 1:
            return kind_question(draw)
        return ask(draw, WHICH_ASKS, Slots(l=", ".join(words), x=one)), f"{capital(member)} is {a(one)}." if one in NO_ARTICLE else \
            f"{capital(it)} is {a(one)}.", capital(member)
    if draw.chance(0.5):
        return ask(draw, IS_ASKS, Slots(it=it, x=one)), f"Yes, {it} is {a(one)}.", "Yes"
    if member in others:
        return kind_question(draw)
    return ask(draw, IS_ASKS, Slots(it=it, x=other)), f"No, {it} is {a(one)}.", "No"


# --- what every child knows -------------------------------------------------------------------------------------

# question wordings | answer | x = y, …
CHILD_FACTS = [(bank(block[0]), block[1].strip(), pairs(block[2])) for block in (text.strip().split("\n<") for text in """
what colour is {x} | What colour does {x} have? | tell me the colour of {x} | {X} is what colour? | Which colour is {x}? | What's the colour of {x}? |
    What colour would you paint {x}? | {x}, what colour? | If I draw {x}, which colour do I take? | Colour of {x}? | Do you know what colour {x} is? |
    Which colour has {x}? | Name the colour of {x}. | say what colour {x} is | What colour is {x} usually?
< {X} is {y}.
< the sky on a sunny day = blue | grass = green | snow = white | a banana = yellow | a ripe tomato = red | blood = red | coal = black | milk = white |
    a carrot = orange | chocolate = brown | a lemon = yellow | a frog = green | the sun = yellow | a crow = black | a swan = white |
    a strawberry = red | an elephant = grey | a pumpkin = orange | a cucumber = green | salt = white | a fire engine = red | a flamingo = pink |
    a polar bear = white | spinach = green | a pig = pink | a blueberry = blue | a cherry = red | butter = yellow | a pea = green
@@
What sound does {a_x} make? | What does {a_x} say? | Which noise does {a_x} make? | what noise does {a_x} make | How does {a_x} sound? | {A_x} goes how? |
    Which sound does {a_x} make? | Tell me what {a_x} says. | What do you hear from {a_x}? | {A_x} makes what sound? | How do we call the sound of {a_x}? |
    What kind of sound does {a_x} make? | The sound of {a_x}? | {A_x} says what? | Do you know the sound of {a_x}?
< {A_x} says {y}.
< dog = woof | cat = meow | cow = moo | sheep = baa | duck = quack | pig = oink | horse = neigh | owl = hoot | lion = roar | bee = buzz | frog = croak |
    snake = hiss | mouse = squeak | chick = cheep | crow = caw | donkey = hee-haw | wolf = howl | rooster = cock-a-doodle-doo | goat = maa | dove = coo
@@
How many legs does {a_x} have? | How many legs has {a_x}? | {A_x} has how many legs? | Number of legs of {a_x}? | how many legs on {a_x} | Legs of {a_x}? |
    On how many legs does {a_x} stand? | Tell me how many legs {a_x} has. | What number of legs does {a_x} have? | How many legs are there on {a_x}? |
    Count the legs of {a_x}. | Do you know how many legs {a_x} has? | how many legs does a normal {x} have | {A_x}: how many legs?
< {A_x} has {y} legs.
< dog = four | cat = four | cow = four | horse = four | spider = eight | ant = six | bee = six | chicken = two | bird = two | fly = six | beetle = six |
    sheep = four | lion = four | duck = two | butterfly = six | rabbit = four | elephant = four | mouse = four | penguin = two | crab = ten | snake = no |
    frog = four | person = two | pig = four | fish = no
@@
What day comes after {x}? | Which day is after {x}? | What is the day after {x}? | {X} is over. Which day is next? | what comes after {x} |
    After {x} comes which day? | Today is {x}. What day is tomorrow? | If today is {x}, what is tomorrow? | The day after {x}? | Which day follows {x}? |
    What's the next day after {x}? | {X}, and then? | What weekday comes after {x}? | name the day after {x} | Which weekday follows {x}?
< The day after {x} is {y}.
< Monday = Tuesday | Tuesday = Wednesday | Wednesday = Thursday | Thursday = Friday | Friday = Saturday | Saturday = Sunday | Sunday = Monday
@@
What day comes before {x}? | Which day is before {x}? | What is the day before {x}? | what comes before {x} | Before {x} comes which day? |
    Today is {x}. What day was yesterday? | If today is {x}, what was yesterday? | The day before {x}? | Which weekday comes before {x}? |
    What's the day just before {x}? | name the day before {x} | Tell me the day before {x}.
< The day before {x} is {y}.
< Monday = Sunday | Tuesday = Monday | Wednesday = Tuesday | Thursday = Wednesday | Friday = Thursday | Saturday = Friday | Sunday = Saturday
@@
What month comes after {x}? | Which month is after {x}? | What is the month after {x}? | what comes after {x} | After {x} comes which month? |
    Which month follows {x}? | It is {x}. What month is next? | The month after {x}? | {X}, and which month then? | name the month after {x} |
    What's the next month after {x}? | Now it's {x}. And next month? | Tell me which month follows {x}.
< The month after {x} is {y}.
< January = February | February = March | March = April | April = May | May = June | June = July | July = August | August = September |
    September = October | October = November | November = December | December = January
@@
What month comes before {x}? | Which month is before {x}? | What is the month before {x}? | The month before {x}? | Before {x} comes which month? |
    It is {x}. What was last month? | name the month before {x} | Tell me the month before {x}. | What's the month just before {x}?
< The month before {x} is {y}.
< February = January | March = February | April = March | May = April | June = May | July = June | August = July | September = August |
    October = September | November = October | December = November | January = December
@@
What season comes after {x}? | Which season is after {x}? | What is the next season after {x}? | which season follows {x} | After {x} comes what season? |
    {X} ends. Which season begins? | The season after {x}? | name the season after {x} | Tell me which season comes after {x}. | What follows {x}?
< After {x} comes {y}.
< spring = summer | summer = autumn | autumn = winter | winter = spring
@@
What is the opposite of {x}? | opposite of {x} | Tell me the opposite of {x} | What's the reverse of {x}? | The opposite of {x} is? | {x} - opposite? |
    Not {x} but? Say the opposite. | the opposite word for {x}? | Which word is the opposite of {x}? | What is the opposite word of {x}? |
    Say the opposite of {x}. | Please give me the opposite of {x}. | Can you tell me the opposite of {x}? | And what's the opposite of {x}? |
    Complete: the opposite of {x} is | What word means the contrary of {x}?
< The opposite of {x} is {y}.
< hot = cold | cold = hot | big = small | small = big | tall = short | fast = slow | slow = fast | old = young | young = old | rich = poor | happy = sad |
    sad = happy | day = night | up = down | left = right | open = closed | full = empty | empty = full | high = low | long = short | heavy = light |
    hard = soft | wet = dry | dry = wet | clean = dirty | strong = weak | loud = quiet | early = late | good = bad | first = last | near = far |
    thick = thin | wide = narrow | deep = shallow | true = false | easy = difficult | cheap = expensive | black = white | always = never |
    start = end | win = lose | buy = sell | push = pull | love = hate | yes = no | light = dark | brave = afraid | sweet = sour | friend = enemy |
    question = answer | come = go | give = take | laugh = cry | begin = stop | remember = forget | top = bottom | inside = outside | same = different |
    new = old | awake = asleep | before = after | more = less | noisy = quiet | alive = dead | right = wrong | polite = rude | sharp = blunt
@@
Where does {a_x} live? | Where do you find {a_x}? | What is the home of {a_x}? | where would I see {a_x} | In what place does {a_x} live? |
    The home of {a_x}? | Tell me where {a_x} lives. | Where is {a_x} at home? | Where can I find {a_x}? | {A_x} lives where?
< {A_x} lives {y}.
< fish = in the water | bee = in a hive | whale = in the sea | cow = on a farm | camel = in the desert | penguin = in the cold south | bird = in a nest |
    spider = in a web | polar bear = in the Arctic | mole = under the ground | shark = in the sea | monkey = in the jungle | horse = in a stable |
    dog = in a house or a kennel | squirrel = in the trees | lion = in the grasslands of Africa | crab = by the sea | frog = by a pond
@@
What does {a_x} eat? | What do you feed {a_x}? | what food does {a_x} like | Which food does {a_x} eat? | {A_x} eats what? | Tell me what {a_x} eats. |
    What is the food of {a_x}? | What would {a_x} eat? | What can I give {a_x} to eat? | Food for {a_x}?
< {A_x} eats {y}.
< rabbit = grass and carrots | cow = grass | lion = meat | horse = grass and hay | cat = meat and fish | panda = bamboo | squirrel = nuts and seeds |
    mouse = grain and seeds | sheep = grass | shark = fish | koala = leaves | bear = fish, berries and honey | hen = grain | goat = grass and leaves |
    giraffe = leaves | seal = fish | frog = insects | wolf = meat
@@
What do you do with {a_x}? | What is {a_x} for? | What do we use {a_x} for? | why do people need {a_x} | What can I do with {a_x}? | {A_x} is for what? |
    What's the use of {a_x}? | For what do I need {a_x}? | Tell me what {a_x} is for. | What is the purpose of {a_x}? | What does one do with {a_x}? |
    How do people use {a_x}?
< You use {a_x} to {y}.
< knife = cut things | pen = write | spoon = eat soup | key = open a door | broom = sweep the floor | towel = dry yourself | umbrella = stay dry in the rain |
    hammer = hit nails | needle = sew | camera = take photos | comb = tidy your hair | clock = tell the time | saw = cut wood | phone = call people |
    ruler = measure and draw lines | bed = sleep | cup = drink | oven = bake | fridge = keep food cold | torch = see in the dark | ladder = climb up |
    toothbrush = clean your teeth | map = find the way | thermometer = measure the temperature | kettle = boil water | wallet = keep your money
@@
Who {x}? | What do you call someone who {x}? | Which job does a person have who {x}? | Name the person who {x}. | What is the job of somebody who {x}? |
    which person {x} | A person who {x} is called what? | Someone who {x} is a what? | What job is that: somebody {x}? | Tell me who {x}.
< {A_y} {x}.
< bakes bread = baker | teaches children = teacher | flies planes = pilot | puts out fires = firefighter | grows crops = farmer | repairs cars = mechanic |
    cuts hair = hairdresser | catches fish = fisherman | looks after teeth = dentist | brings letters = postman | paints pictures = painter |
    treats sick animals = vet | builds houses = builder | sells meat = butcher | repairs pipes = plumber | writes books = author | plays in films = actor |
    takes photos = photographer | sells flowers = florist | works with wood = carpenter | drives a bus = bus driver | designs buildings = architect
@@
How many {x} are there in {z}? | {Z} has how many {x}? | How many {x} does {z} have? | how many {x} in {z} | Number of {x} in {z}? | How many {x} make {z}? |
    Tell me how many {x} {z} has. | {X} in {z}, how many? | What number of {x} does {z} have? | Do you know how many {x} are in {z}?
< {Z} has {y} {x}.
< days/a week = seven | months/a year = twelve | hours/a day = 24 | minutes/an hour = 60 | seconds/a minute = 60 | seasons/a year = four |
    weeks/a year = 52 | days/a year = 365 | legs/a table = four | wheels/a car = four | wheels/a bicycle = two | fingers/a hand = five |
    toes/a foot = five | sides/a triangle = three | sides/a square = four | corners/a triangle = three | eggs/a dozen = twelve | years/a century = 100 |
    letters/the alphabet = 26 | players/a football team = eleven | strings/a violin = four | strings/a normal guitar = six | days/a leap year = 366 |
    colours/a rainbow = seven | years/a decade = ten | wheels/a tricycle = three | centimetres/a metre = 100 | metres/a kilometre = 1000
""".split("@@"))]
CAPITAL_WORDINGS = bank("""capital of {country} | What's the capital city of {country}? | what is the capital of {country} | Which city is the capital of {country}? |
    The capital of {country} is? | Name the capital of {country}. | {Country}'s capital? | tell me {country}'s capital | What is {country}'s capital? |
    {Country}: capital? | Do you know the capital of {country}? | Which is the capital of {country}? | capital city of {country}? | Give me the capital of {country}.""")


def child_fact(draw: Draw) -> tuple[str, str, str]:
    """Question, answer, short answer."""
    if draw.chance(0.12):
        country, city, _, _ = draw.pick(COUNTRIES)
        return ask(draw, CAPITAL_WORDINGS, Slots(country=country)), f"The capital of {country} is {city}.", city
    wordings, answer, known = draw.pick(CHILD_FACTS)
    x, y = draw.pick(known)
    x, _, z = x.partition("/")
    values = Slots(x=x, y=y, z=z)
    return ask(draw, wordings, values), mend(fill(answer, values)), capital(y)


def easy_question(draw: Draw) -> tuple[str, str, str]:
    return draw.rng.choices([child_fact, kind_question, a_fact], [6, 2, 3])[0](draw)


def child_facts(draw: Draw) -> dict:
    questions = [easy_question(draw) for _ in range(draw.pick([1, 1, 2, 3]))]
    return row("fact", *[part for question in questions for part in question[:2]])


# --- a few sentences about something ------------------------------------------------------------------------------

TOPICS = {topic: told.split(" / ") for topic, told in (line.split(" = ") for line in lines_of("""
the sea = The sea is wide and blue. / Waves roll onto the beach all day long. / Many fish and plants live in the water. / People love to swim in it.
rain = Rain falls from dark clouds. / It makes the streets wet and the plants green. / Children like to jump in the puddles.
snow = Snow is white and cold. / It covers the roofs and trees in winter. / Children build snowmen and ride on sledges.
the sun = The sun gives us light and warmth. / It rises in the east and sets in the west. / Without it nothing could grow.
the moon = The moon shines at night. / It changes its shape during the month. / People have looked up at it for thousands of years.
spring = Spring comes after the long winter. / The days get warmer and flowers open. / Birds sing and build their nests.
summer = Summer is the warmest season. / People go swimming and eat ice cream. / The evenings are long and bright.
autumn = In autumn the leaves turn red and yellow. / The days become shorter and cooler. / Farmers bring in apples and pumpkins.
winter = Winter is the coldest season. / The nights are long and it often snows. / A warm cup of tea is welcome then.
cats = Cats are quiet and curious animals. / They like to sleep in warm places. / At night they see very well. / Many people keep one at home.
dogs = Dogs are loyal friends. / They love walks and like to play with a ball. / A dog needs food, water and company every day.
horses = Horses are strong and fast. / They eat grass and hay. / Many people enjoy riding them.
birds = Birds have feathers and two wings. / Most of them can fly. / They lay eggs and build nests.
bees = Bees fly from flower to flower. / They collect nectar and make honey. / Without bees there would be less fruit.
elephants = Elephants are the largest animals on land. / They use their trunk to drink and to pick up food. / They live together in families.
whales = Whales live in the sea but breathe air. / They are the largest animals of all. / Some of them sing long songs.
trees = Trees give us shade and clean air. / Birds build their nests in them. / Some trees live for hundreds of years.
flowers = Flowers bring colour to the garden. / Many of them smell sweet. / Bees visit them to find nectar.
apples = Apples grow on trees. / They can be red, green or yellow. / They taste good fresh, and also in a pie.
bread = Bread is made of flour, water and yeast. / It smells wonderful when it is fresh. / People all over the world eat it.
coffee = Coffee is a hot, dark drink. / Many people drink it in the morning. / It helps them to wake up.
tea = Tea is made with hot water and leaves. / Some people drink it with milk or lemon. / It warms you on a cold day.
chocolate = Chocolate is sweet and made from cocoa beans. / It melts slowly in the mouth. / Many people like it as a treat.
pizza = Pizza is a flat bread with tomato sauce and cheese. / It is baked in a very hot oven. / Everybody can choose a favourite topping.
breakfast = Breakfast is the first meal of the day. / Some people eat bread, others eat porridge or fruit. / It gives us energy for the morning.
music = Music can make us happy or calm. / People sing, dance and play instruments to it. / There is a song for every mood.
books = Books take us to other places. / You can learn from them and dream with them. / A good book makes a rainy day short.
reading = Reading opens the door to new worlds. / It trains the mind and gives us new words. / A quiet corner and a good book are enough.
sport = Sport keeps the body healthy. / It is more fun together with friends. / Even a short run helps.
football = Football is played by two teams with one ball. / Each team has eleven players. / The team with more goals wins.
swimming = Swimming is good for the whole body. / You can do it in a pool, a lake or the sea. / It is refreshing on a hot day.
cycling = Cycling is healthy and does not cost much. / A bicycle takes you quickly through the town. / Wear a helmet and enjoy the wind.
friends = Friends listen and help each other. / You can laugh and cry with them. / A good friend is worth more than gold.
friendship = Friendship is built on trust. / Friends share good days and bad days. / It grows when we take time for each other.
family = A family is a group of people who care for each other. / They share meals, worries and holidays. / Every family is a little different.
school = At school children learn to read, write and count. / They also meet friends there. / A good teacher makes learning fun.
teachers = Teachers help us to learn new things. / They explain, ask and listen. / A kind teacher is remembered for a long time.
work = Work takes up a large part of the day. / It is easier with kind colleagues. / After work everybody needs some rest.
holidays = Holidays give us time to rest. / Some people travel, others stay at home. / The best part is to have no plan at all.
travelling = Travelling shows us new places and people. / We taste new food and hear new languages. / At the end it is nice to come home.
trains = Trains take many people from city to city. / You can read or look out of the window. / They are often faster than a car.
cars = Cars take us where we want to go. / They need fuel or electricity. / In the city it is often hard to park them.
the city = The city is full of people and shops. / Buses and trams run all day. / In the evening the lights make it beautiful.
the countryside = The countryside is green and quiet. / Cows stand in the fields and birds sing. / The air smells of grass and flowers.
the forest = The forest is cool and quiet. / Deer, foxes and birds live between the trees. / A walk there is good for the mind.
mountains = Mountains rise high into the sky. / Their tops are often covered with snow. / The view from above is wonderful.
rivers = Rivers carry water from the mountains to the sea. / Fish live in them and boats travel on them. / Many cities stand beside a river.
the beach = The beach is covered with warm sand. / Children build castles and collect shells. / The sound of the waves is calming.
gardens = Gardens are full of flowers and vegetables. / They need water, sun and some work. / On a warm evening there is no better place.
gardening = Gardening keeps you busy in the fresh air. / You plant seeds, water them and wait. / Fresh tomatoes are the best reward.
cooking = Cooking is fun when you have time. / You need fresh food and a good recipe. / A meal tastes best when it is shared.
sleep = Sleep gives the body new strength. / Most adults need seven to nine hours. / A dark and quiet room helps.
water = All living things need water. / We drink it, cook with it and wash with it. / Clean water should not be wasted.
the weather = The weather changes from day to day. / It can be sunny, rainy, windy or cold. / People like to talk about it.
clouds = Clouds are made of tiny drops of water. / Some are white and soft, others are dark and heavy. / When they are full, it rains.
the stars = The stars shine in the night sky. / They are very far away. / Sailors once used them to find their way.
computers = Computers help us to write, count and play. / They are in offices, schools and homes. / They do what we tell them to do.
phones = Phones connect us with people far away. / We use them to talk, to write and to take photos. / Sometimes it is good to switch them off.
a rainy day = On a rainy day the sky is grey. / People carry umbrellas and hurry home. / It is a good time for tea and a book.
my weekend = On Saturday I slept long and met some friends. / On Sunday I cooked a good meal and read a book. / It was a quiet weekend.
a birthday party = The table was full of cake and candles. / Friends came with presents and sang a song. / Everybody stayed until late.
a market = The market opens early in the morning. / Farmers sell fruit, cheese and flowers. / People talk, laugh and fill their baskets.
Christmas = Christmas is a holiday in December. / Many families decorate a tree and give presents. / They eat a big meal together.
the morning = In the morning the sun comes up. / People get up, wash and have breakfast. / The day is still fresh and quiet.
the night = At night it is dark and quiet. / Most people sleep, but owls are awake. / The moon and the stars shine.
time = Time never stops. / It seems short when we are happy and long when we wait. / Use it well.
happiness = Happiness is often found in small things. / A smile, a song or a good meal can bring it. / It grows when we share it.
kindness = Kindness costs nothing. / A friendly word can change a whole day. / People remember it for a long time.
milk = Milk is white and comes from cows. / Cheese, butter and yoghurt are made from it. / Many children drink it in the morning.
farms = Farms have fields, barns and animals. / Farmers get up early and work hard. / They give us milk, eggs and bread.
museums = Museums keep old and beautiful things. / You can see paintings, tools and bones there. / A visit teaches you something new.
libraries = Libraries lend books to everybody. / They are quiet and friendly places. / You can read and study there.
a lake = The lake lies between green hills. / Ducks swim on it and people row small boats. / In the evening the water is still.
dreams = Dreams come while we sleep. / Some are funny, some are strange. / In the morning we often forget them.
penguins = Penguins are birds that can not fly. / They swim very well and catch fish. / Many of them live in the cold south.
spiders = Spiders have eight legs. / Many of them spin webs to catch insects. / Most spiders are harmless.
a good neighbour = A good neighbour is friendly and helpful. / They water your plants when you are away. / A short chat at the door makes the day better.
"""))}
ABOUT_VERBS = bank("""write {n} about {x} | tell me {n} about {x} | give me {n} about {x} | write me {n} about {x} | say {n} about {x} | compose {n} about {x} |
    describe {x} in {n} | write a text of {n} about {x} | put together {n} about {x} | explain {x} in {n} | make up {n} about {x} |
    use {n} to describe {x} | form {n} about {x} | write down {n} about {x} | create {n} about {x} | tell me something about {x} in {n} |
    write {n} on the topic of {x} | write {n} on {x} | talk about {x} in {n} | produce {n} about {x} | come up with {n} about {x}""")
ABOUT_THINGS = bank("""{n} about {x} | {n} on {x} | a text about {x}, {n} | a text of {n} about {x} | {n} for my homework about {x} | {n} on the topic of {x} |
    {n} that describe {x} | something about {x} in {n} | a description of {x} in {n} | {x} in {n}""")
SHORT_TEXT = bank("""write a short text about {x} | write something short about {x} | write a few sentences about {x} | tell me something about {x} |
    write a short paragraph about {x} | describe {x} | write a little about {x} | say something about {x} | write some lines about {x} |
    give me a short text about {x} | describe {x} briefly | write about {x} | tell me about {x} | make a small text about {x}""")
ONE_MORE_SENTENCE = bank("""One more sentence. | Add one sentence. | Write one more. | Another sentence, please. | And one more sentence? | Can you add a sentence? |
    Make it one sentence longer. | Go on with one more sentence. | Add another sentence. | one more sentence please | Continue. | A bit longer please. |
    Now add a sentence. | Go on. | Please add one more sentence.""")


def about(draw: Draw) -> dict:
    """One to three sentences about an everyday topic, perhaps one more afterwards."""
    topic = draw.pick(list(TOPICS))
    told = TOPICS[topic]
    count = draw.pick([1, 2, 2, 2, 3, 3])
    if draw.chance(0.25):
        text = request(draw, SHORT_TEXT, [], {"x": topic})
        count = 3
    else:
        number = {1: ["one sentence", "a sentence", "1 sentence"], 2: ["two sentences", "2 sentences", "two short sentences"],
                  3: ["three sentences", "3 sentences", "three short sentences"]}[count]
        text = request(draw, ABOUT_VERBS, ABOUT_THINGS if count > 1 else [], {"n": draw.pick(number), "x": topic})
    turns = [text, " ".join(told[:count])]
    if count < len(told) and draw.chance(0.3):
        turns += [ask(draw, ONE_MORE_SENTENCE, {}), told[count]]
    return row("story", *turns)


# --- messages -----------------------------------------------------------------------------------------------------

OCCASIONS = bank("""my birthday party | a barbecue | dinner | a picnic | our wedding | our summer party | a film night | a games evening | a house-warming party |
    breakfast | lunch | a concert | a garden party | a farewell party | a dance | a cup of coffee | a tea party | our school play | a bonfire |
    a walk in the forest | brunch | a pizza evening | New Year's Eve | a Halloween party | our choir concert | a quiz night | a surprise party""")
INVITED_TO = bank("""at my house | in the park | in my garden | on the beach | at the school | in our flat | in the community hall | by the lake | at my place |
    in the old barn | at the library | in the café on the corner | at our office | at the sports club""")
GIFTS = bank("""the flowers | the book | the lovely dinner | your help | the scarf | the present | the chocolates | the invitation | the cake | your advice |
    the concert tickets | your letter | the lift home | looking after my cat | watering my plants | your visit | the photos | the nice evening |
    helping me move | the birthday card | the plant | the warm gloves | your patience | the great weekend | the cup""")
LATE_FOR = bank("""work | school | the meeting | dinner | the lesson | our date | training | the party | the appointment | football practice""")
LATE_WHY = bank("""my train was late | I missed the bus | my alarm did not ring | there was a traffic jam | my bicycle had a flat tyre | I lost my keys |
    my car did not start | the road was closed | I had to see the doctor | I took the wrong bus | my dog ran away | it snowed all night""")
DONE_WRONG = bank("""forgetting your birthday | being late | breaking your cup | losing your book | the noise last night | missing the meeting |
    spilling the coffee | forgetting our lunch | eating your sandwich | the mistake in the letter""")
REMINDERS = bank("""buy milk | pay the rent | call the dentist | water the plants | bring the keys | feed the cat | take out the rubbish | bring an umbrella |
    return the library books | sign the form | lock the door | send the letter | charge the phone | book the tickets | pick up the parcel""")
WISHED = bank("""the new job | the wedding | the new baby |
    the new home | the driving licence | the first goal | the exam | the new car | the first prize | the new shop | the medal | the engagement""")
LOST = bank("""cat | dog | umbrella | scarf | wallet | key ring | bicycle | phone | backpack | watch | ring | parrot | camera""")
GOODS = {thing: told for thing, told in (line.split(" = ") for line in lines_of("""
backpack = strong and light, with room for everything you need
lamp = with warm light for long evenings
chair = soft, sturdy and made to last
bicycle = light and fast, for every road
mug = with a big handle that keeps your tea warm
umbrella = small in your bag and strong in the wind
blanket = soft and warm for cold nights
watch = simple, elegant and always on time
kettle = quick, quiet and easy to clean
pillow = soft as a cloud, for a good night's sleep
pair of boots = warm and dry on every path
water bottle = light, tight and easy to fill
notebook = with smooth pages for all your ideas
tent = quick to put up and dry inside
pan = nothing sticks, everything tastes good
coat = warm, light and good-looking
desk = with space for work and a drawer for the rest
soap = gentle to your skin and fresh like spring
toaster = golden toast in two minutes
pair of headphones = clear sound and no noise around you
sofa = wide, soft and ready for the whole family
candle = calm light and a sweet smell
""")
)}
# verbs | things | replies (without a name of the sender)
MESSAGES = lines_of("""
invite:
>write a short invitation to {event} | invite {name} to {event} | write an invitation to {event} for {name} | write a message inviting {name} to {event} |
    compose a short invitation for {event} | draft an invitation to {event} | write a note that invites {name} to {event} | word an invitation to {event} |
    send {name} an invitation to {event} | make an invitation for {event} | write a text to invite {name} to {event} | ask {name} to come to {event} |
    write a friendly invitation to {event} | help me invite {name} to {event}
>a short invitation to {event} | an invitation to {event} for {name} | a message that invites {name} to {event} | an invitation for {event} |
    a text to invite {name} to {event} | a few lines inviting {name} to {event} | a friendly invitation to {event}
<Dear {who}, you are invited to {event}. I hope you can come! | Hi {who}, would you like to come to {event}? It would be great to see you. |
    Dear {who}, please join us for {event}. We look forward to seeing you. | Hello {who}! Come to {event}. I would be very happy.
thanks:
>write a short thank-you note for {gift} | thank {name} for {gift} | write a thank-you message to {name} for {gift} | write a thank you card for {gift} |
    write a note to thank {name} for {gift} | say thanks to {name} for {gift} | compose a thank-you note for {gift} | draft a short thank you for {gift} |
    write {name} a thank-you note for {gift} | write a few words of thanks for {gift} | word a thank-you text for {gift} | express thanks for {gift}
>a thank-you note for {gift} | a short thank you message to {name} for {gift} | a few words to thank {name} for {gift} | a thank you card for {gift} |
    a short text to say thanks for {gift} | some words of thanks for {gift} | a thank-you text for {gift}
<Dear {who}, thank you so much for {gift}. It made me very happy. | Hi {who}, many thanks for {gift}! That was very kind of you. |
    Dear {who}, thank you for {gift}. You made my day. | Hello {who}, thanks a lot for {gift}. I really appreciate it.
birthday:
>write a birthday wish for {name} | write a birthday card for {name} | write a short birthday message to {name} | wish {name} a happy birthday |
    compose birthday wishes for {name} | write happy birthday wishes for my {relative} {name} | put together a birthday text for {name} | make a birthday greeting for {name} |
    draft a birthday text for {name} | write something nice for {name}'s birthday | send birthday wishes to {name} | write a birthday greeting to {name}
>a birthday wish for {name} | a birthday card text for {name} | birthday wishes for my {relative} {name} | a short birthday message for {name} |
    a birthday greeting for {name} | something to write on {name}'s birthday card | a nice birthday text for {name}
<Happy birthday, {name}! I wish you a wonderful day and a good new year. | Dear {name}, happy birthday! May all your wishes come true. |
    Happy birthday, {name}! I hope your day is full of cake, friends and laughter. | Dear {name}, all the best on your birthday. Enjoy your day!
late:
>write a message that I will be late for {late} because {why} | tell my boss I am late for {late} because {why} | write an excuse for being late for {late} |
    write a short note that I'm late for {late}: {why} | give an excuse for being late for {late} | excuse me for being late for {late} | find an excuse for being late for {late} |
    write an apology for coming late to {late} | write a text saying that I am late for {late} | invent an excuse for being late for {late} |
    let {name} know that I am late for {late} | think of an excuse for being late for {late}
>an excuse for being late for {late} | a good excuse, I'm late for {late} | a short message that I'm late for {late} | an apology for being late for {late} |
    a note that I will be late for {late} because {why} | an excuse because I am late for {late} | a text that says I'm late for {late}
<I am sorry that I am late for {late}. {Why}. | Sorry, I will be late for {late} because {why}. | I'm sorry for being late for {late}: {why}. |
    Please excuse me for being late for {late}. {Why}.
sorry:
>apologise to {name} for {wrong} | write a short apology for {wrong} | say sorry to {name} for {wrong} | write a note to say sorry for {wrong} |
    write {name} an apology for {wrong} | compose an apology for {wrong} | write a sorry message to {name} for {wrong} | draft an apology to {name} for {wrong} |
    write a few lines to apologise for {wrong} | word a short apology for {wrong} | tell {name} that I'm sorry for {wrong}
>an apology for {wrong} | a short apology to {name} for {wrong} | a sorry note for {wrong} | a message to say sorry for {wrong} |
    a few words to apologise for {wrong} | an apology to {name} for {wrong} | a text to say sorry for {wrong}
<Dear {who}, I am very sorry for {wrong}. It will not happen again. | Hi {who}, I'm sorry for {wrong}. Please forgive me. |
    Dear {who}, please excuse me for {wrong}. I did not mean it. | Hello {who}, I apologise for {wrong}. I hope you are not angry.
away:
>write an out-of-office note until {day} | write an out of office reply until {day} | write an automatic reply that I am away until {day} | draft an out-of-office message until {day} |
    write an away message, back on {day} | compose an out-of-office reply, I am back on {day} | write a holiday reply for my email until {day} | set up an out-of-office text until {day} |
    write an absence note for my mail until {day} | make an out of office message, back {day} | write that I am out of the office until {day}
>an out-of-office note until {day} | an out of office message, I'm back on {day} | an automatic email reply until {day} | an away message until {day} |
    an out-of-office text until {day} | an absence note for my email until {day} | a holiday auto-reply, back on {day}
<Thank you for your message. I am out of the office and will be back on {day}. | I am away at the moment. I will answer your message on {day}. |
    Thank you for your email. I am out of the office until {day} and will reply then. | I am not in the office until {day}. Thank you for your patience.
remind:
>write a reminder to {todo} | remind {name} to {todo} | write a note for {name}: {todo} | write a short reminder for {name} to {todo} |
    write a sticky note to {todo} | leave {name} a note to {todo} | write a message that reminds {name} to {todo} | tell {name} not to forget to {todo} |
    draft a reminder to {todo} | make a short reminder to {todo} | write a text reminding {name} to {todo}
>a reminder to {todo} | a short note reminding {name} to {todo} | a note for the fridge to {todo} | a reminder for {name} to {todo} |
    a message that reminds {name} to {todo} | a quick reminder to {todo} | a sticky note to {todo}
<Hi {who}, please remember to {todo}. Thank you! | Dear {who}, please don't forget to {todo}. | {Who}, a short reminder: please {todo}. Thanks! |
    Hello {who}, could you please {todo}? Thank you.
well:
>write a get-well message to {name} | write a get well card for {name} | wish {name} a quick recovery | write {name} a get-well wish | write get well soon wishes for {name} |
    compose a get-well note for {name} | write a note to my sick {relative} {name} | draft a get well message for {name} | write something kind to {name}, who is ill |
    cheer up {name}, who is sick in bed | write a few kind words for {name}, who is ill
>a get-well message for {name} | a get well card for {name} | a get-well wish for {name}, who is ill | some kind words for my sick {relative} {name} |
    a get well soon text for {name} | a short get-well note for {name} | a few lines for {name}, who is in bed with a cold
<Dear {name}, get well soon! I am thinking of you. | Hi {name}, I hope you feel better soon. Rest well! |
    Dear {name}, I wish you a quick recovery. We miss you. | Get well soon, {name}! Drink a lot of tea and sleep well.
congratulate:
>congratulate {name} on {good} | write a congratulation to {name} on {good} | write a short message to congratulate {name} on {good} | write {name} a card for {good} |
    compose congratulations for {name} on {good} | say congratulations to {name} on {good} | draft a note of congratulations on {good} | write congratulations on {good} |
    word a congratulation on {good} | send {name} congratulations on {good} | write a text congratulating {name} on {good}
>a congratulation to {name} on {good} | a short message of congratulations on {good} | a card text for {name} on {good} | congratulations for {name} on {good} |
    a few lines to congratulate {name} on {good} | a note of congratulations on {good} | a congratulation text on {good}
<Dear {who}, congratulations on {good}! I am very happy for you. | Hi {who}, congratulations on {good}! Well done. |
    Congratulations on {good}, {who}! You have earned it. | Dear {who}, I congratulate you on {good}. All the best!
lost:
>write a notice for my lost {lost} | write a lost and found notice for a {lost} | write a short notice that I lost my {lost} | make a poster for my lost {lost} |
    write a note about a lost {lost} | compose a notice: {lost} lost | draft a notice about my missing {lost} | write a message that my {lost} is lost |
    write a lost notice for my {lost} | word a notice for a lost {lost} | write a text for a poster: lost {lost}
>a notice for my lost {lost} | a poster text for my missing {lost} | a short note that I lost my {lost} | a lost and found notice for a {lost} |
    a text about my lost {lost} | a notice: {lost} lost | a message about my lost {lost}
<Lost: my {lost}. If you find it, please call me. Thank you! | Have you seen my {lost}? Please call me if you find it. |
    I have lost my {lost}. It is very dear to me. Please call if you find it. | Missing: a {lost}. Please call me if you have seen it. Thanks!
sale:
>write a short product description for a {good} | describe a {good} for a shop | write an advert for a {good} | write a blurb for a {good} | advertise a {good} |
    write one line to sell a {good} | write a product text for a {good} | write a short ad for a {good} | compose an advert for a new {good} |
    draft a product blurb for a {good} | promote a {good} in one or two sentences | make an ad for a {good} | write a slogan for a {good}
>a product description for a {good} | a short advert for a {good} | a blurb for a {good} | a product text for a new {good} |
    an ad for a {good} | a sales text for a {good} | one line to sell a {good}
<Meet our new {good}: {told}. | This {good} is what you need: {told}. Try it today! | Our {good}: {told}. Order yours now! | The {good} you have been waiting for: {told}.
""")
MESSAGES = {kind[:-1]: [bank(part[1:]) for part in parts] for kind, *parts in (MESSAGES[i:i + 4] for i in range(0, len(MESSAGES), 4))}
NAMELESS = [("Dear @", "Dear friend"), ("@, a short", "A short"), (", @", ""), (" @", "")]


def message(draw: Draw) -> dict:
    """An invitation, thanks, wishes, an excuse, a reminder, a notice or an advert in one or two sentences."""
    kind = draw.pick(list(MESSAGES))
    verbs, things, replies = MESSAGES[kind]
    event = draw.pick(OCCASIONS) + draw.pick(["", f" on {draw.pick(WEEKDAYS)}"]) + draw.pick(["", f" at {clock(draw)}"]) + \
        draw.pick(["", f" {draw.pick(INVITED_TO)}"])
    gift, wrong, good, article = draw.pick(GIFTS), draw.pick(DONE_WRONG), draw.pick(WISHED), draw.pick(list(GOODS))
    given = Slots(name=draw.pick(FIRST_NAMES), relative=draw.pick(RELATIVES), event=event, gift=gift.replace("your", "the"),
                  wrong=wrong.replace("your", "the"), good=article if kind == "sale" else good, told=GOODS[article], late=draw.pick(LATE_FOR),
                  why=draw.pick(LATE_WHY), todo=draw.pick(REMINDERS), day=draw.pick(WEEKDAYS), lost=f"{draw.pick(COLOURS[:12])} {draw.pick(LOST)}")
    text = request(draw, verbs, things, given)
    told = Slots(given, gift=gift, wrong=wrong, good=article if kind == "sale" else good.replace("the ", "your ", 1),
                 who=given["name"] if given["name"] in text else "@")
    reply = fill(draw.pick(replies), told)
    for written, better in NAMELESS:
        reply = reply.replace(written, better)
    turns = [mend(text), mend(reply)]
    if draw.chance(0.15):
        wishes, change = draw.pick(AGAIN)
        turns += [ask(draw, wishes, {}), change(mend(reply))]
    return row("blurb" if kind == "sale" else "email", *turns)


# --- changing a text ----------------------------------------------------------------------------------------------

WHO = ["Anna", "Paul", "my sister", "the teacher", "our neighbour", "Tom", "the old man", "the children", "my friend", "Maria", "we", "they", "I", "she", "he"]
PLURAL = ("the children", "we", "they", "I")
# verb past what
ACTIONS = [tuple(part.strip().split(" ", 2)) for part in """walk walked to school, play played football, read read a book, write wrote a letter, eat ate an apple, drink drank
    a cup of tea, buy bought some bread, go went to the park, see saw a bird, take took the bus, make made a cake, cook cooked dinner, clean cleaned the kitchen,
    sing sang a song, run ran to the station, sleep slept until noon, work worked in the garden, open opened the window, close closed the door, find found a coin,
    lose lost the keys, draw drew a picture, swim swam in the lake, drive drove to the city, meet met a friend, visit visited the museum, watch watched a film,
    bring brought some flowers, speak spoke very quietly, give gave the dog a bone, hear heard a noise, sit sat on the bench, wear wore a red hat,
    learn learned a new word, call called the doctor, help helped the farmer, wash washed the car, feed fed the cat, build built a house, win won the game,
    carry carried the bags, forget forgot the umbrella, come came home late, need needed more time, like liked the soup, want wanted a new bike,
    paint painted the fence, sell sold the old car, send sent a card, wait waited for the train, dance danced all night, laugh laughed at the joke,
    teach taught the class, catch caught a fish, break broke the vase, ride rode a horse, throw threw the ball, know knew the answer, stand stood at the door,
    fly flew to Rome, choose chose the blue shirt, lend lent me a pen, leave left the house, tell told a story, keep kept the secret""".replace("\n   ", "").split(",")]
VERB_FORMS = {verb: past for verb, past, _ in ACTIONS}
SAYINGS = bank("""good morning | hello world | happy birthday | see you soon | thank you | the cat sleeps | I love summer | please close the door | no entry |
    the train is late | we need more milk | keep quiet | welcome home | wet paint | no smoking | stop here | have a nice day | open daily | the shop is closed |
    dinner is ready | my name is Anna | it is raining | fresh bread | do not run | the sky is blue | dogs are friendly | winter is coming soon |
    mind the step | free coffee | today only | big sale | please wait here | I am hungry | let's go home | the bus is here | a cup of tea""")
ORDERS = bank("""open the window | close the door | give me the salt | send me the report | call me back | wait here | be quiet | help me | move your car |
    bring me some water | tell me the time | show me the way | come here | turn off the music | stop shouting | sit down | pay the bill | answer my letter |
    pass me the butter | hurry up | clean the table | speak louder | lend me your pen | hold this bag | switch on the light | sign this form | repeat that |
    leave the room | write it down | send the money | fix my computer | let me in | read this text | take your dog away | check my order""")
BLUNT = pairs("""I want a coffee. = I would like a coffee, please. | Give me the bill. = Could I have the bill, please? | What do you want? = How can I help you? |
    I don't like this soup. = I am afraid I don't like this soup very much. | You are late. = I am afraid you are a little late. | No. = No, thank you. |
    That is wrong. = I am afraid that is not quite right. | Go away. = Could you please leave me alone? | Be quiet! = Could you please be quiet? |
    I need your help. = Could you please help me? | Move! = Excuse me, could you please let me pass? | Where is the station? = Excuse me, could you tell me where the station is? |
    Tell me your name. = May I ask your name, please? | Shut up. = Could you please be quiet? | You made a mistake. = I think there may be a small mistake. |
    Where is my order? = Could you please tell me where my order is? | I want my money back. = I would like a refund, please. | Answer me. = Could you please answer me? |
    Your music is too loud. = Could you please turn your music down a little? | I can't come. = I am sorry, but I can not come. |
    Send me the file now. = Could you please send me the file? | Hurry up. = Could you please be a little faster? | I want to talk to the boss. = May I speak to the manager, please?""")
CASUAL = pairs("""hey, got a minute? = Good morning. Do you have a moment? | thanks a lot! = Thank you very much. | sorry, can't come = I am sorry, but I am unable to attend. |
    what's up? = How are you? | see you = I look forward to seeing you. | gimme a call = Please call me. | wanna meet on Monday? = Would you like to meet on Monday? |
    can you send me the stuff? = Could you please send me the documents? | no way = I am afraid that is not possible. | I'm gonna be late = I will be late. |
    hi guys = Dear all | bye = Kind regards | pls answer soon = I look forward to your reply. | the thing is broken = The device does not work. |
    yeah, that's fine = Yes, that is acceptable. | I dunno = I do not know. | got your mail = I have received your email. | need help with this = I would appreciate your help with this. |
    let me know = Please inform me. | it's a mess = The situation is difficult. | my boss is mad = My manager is displeased. | kids like it = Children enjoy it.""")
LONG_WAY = pairs("""I am writing to you because I would like to ask when you are open. = When are you open? | It is raining very, very hard outside at the moment. = It is raining hard. |
    The small dog that lives next door barks all night long. = The neighbour's dog barks all night. | At this point in time we do not have any bread. = We have no bread now. |
    I am of the opinion that the film was really very good. = I think the film was good. | Due to the fact that it was late, we went home. = We went home because it was late. |
    My brother, who is very tall, plays basketball every single day. = My tall brother plays basketball every day. | She is a person who likes to read a lot of books. = She likes to read. |
    We would like to inform you that the shop is closed on Sunday. = The shop is closed on Sunday. | In the event that it rains, the picnic will be moved to Friday. = If it rains, the picnic is on Friday. |
    The meeting, which was planned for Monday, will now take place on Tuesday instead. = The meeting is now on Tuesday. | I just wanted to say thank you very much for all of your help. = Thank you for your help. |
    He got up very early in the morning and then he went to work by bus. = He got up early and took the bus to work. | There are many people who think that cats are nice. = Many people like cats. |
    The train to the city was late again today because of the heavy snow. = The train was late because of the snow. | It would be great if you could maybe call me back some time soon. = Please call me back soon. |
    The soup that my grandmother makes is the best soup in the whole world. = My grandmother's soup is the best. | I can not come to the party because I have to work until late in the evening. = I can not come because I have to work late. |
    The hotel was clean, the people were friendly and the food was really delicious. = The hotel was clean, friendly and had good food. | We are going to travel to the coast by train next week. = We travel to the coast next week.""")
# what is asked for the text that follows
CHANGES = {
    "upper": bank("""put this in capital letters | write this in capitals | make this upper case | turn this into capital letters | write this in upper case | capitalise all of this |
        put this text in all caps | change this to uppercase | convert this to upper case | all caps | use capital letters for this | write the following in capital letters |
        in capitals | make everything capital letters | put the next line in capitals | this in big letters | upper case | rewrite in capital letters | make it all caps |
        put the following in upper case | say this in capital letters | convert the text to capitals"""),
    "lower": bank("""put this in small letters | write this in lower case | make this lowercase | turn this into small letters | no capitals | change this to lowercase |
        convert this to lower case | use small letters for this | write the following in lower case | lower case | rewrite in small letters | make it all small letters |
        put the following in lower case | without capital letters | put this text in lowercase | convert the text to lower case"""),
    "past": bank("""put this into the past tense | change this to the past | write this in the past tense | make this past tense | turn this into the past | say this in the past tense |
        past tense | put this sentence in the past | in the past tense | rewrite this in the past tense | use the past tense | change the verb to the past |
        what is this in the past tense | convert this to past tense | put the following in the past tense | the same in the past | tell this in the past"""),
    "future": bank("""put this into the future | change this to the future tense | write this in the future tense | make this future tense | turn this into the future | future tense |
        say this in the future tense | put this sentence in the future | rewrite this in the future | use will | use the future tense | convert this to future tense"""),
    "negative": bank("""make this negative | turn this into the negative | say the opposite with not | negate this | put a not into this | make this sentence negative | negative form |
        write this in the negative | change this to a negative sentence | put this into the negative | rewrite it as a negative sentence | say that it is not so"""),
    "question": bank("""make this a question | turn this into a question | change this to a question | write this as a question | rewrite this as a question | ask this as a question |
        put this as a question | form a question from this | convert this to a question | question form | make a question out of this | as a question"""),
    "polite": bank("""make this more polite | make this polite | say this politely | put this more politely | rewrite this politely | a polite version | how can I say this politely |
        write this more politely | make it sound nicer | turn this into a polite request | more polite | make this kinder | say it nicely | be more polite | friendlier |
        make this sound friendlier | write a politer version of this | rephrase this politely | how do I say this more politely | can this be said politely"""),
    "formal": bank("""make this more formal | make this formal | say this formally | put this formally | rewrite this formally | a formal version | how can I say this formally |
        write this more formally | more formal | write this for a business email | make it sound professional | turn this into formal English | rephrase this formally |
        make this sound more formal | say this in formal language"""),
    "shorter": bank("""make this shorter | shorten this | say this in fewer words | cut this down | write this shorter | a shorter version | make it short | put this more briefly |
        shorten this sentence | rewrite this more briefly | say it shorter | this is too long | shorter | trim this | can this be shorter | condense this | make this more concise"""),
}
PLACED = ["{ask}: {text}", "{ask}: {text}", "{ask}: {text}", "{ask}: \"{text}\"", "{ask}:\n{text}", "{ask}\n\n{text}", "{text}\n{ask}", "\"{text}\" - {ask}", "{ask} - {text}"]
CHANGE_FRAMES = bank("""{R} | {R} | {r} | Please {r} | Can you {r}? | Could you {r}? | {R}, please | Could you please {r}? | Can you please {r}? | I'd like you to {r} | Now {r} |
    Help me {r} | Would you {r}? | I need you to {r} | Just {r} | pls {r} | Hey, {r} | Hi, please {r}""")
STARTS = tuple("put write make turn change convert use rewrite say capitalise negate shorten cut trim condense rephrase form ask tell".split())
PAST_ASKS = bank("""What is the past tense of {x}? | past tense of {x} | What's the past of {x}? | {x} in the past tense? | Give me the past tense of "{x}". |
    What is the past form of {x}? | The past of {x}? | Tell me the past tense of {x}. | How do you say {x} in the past? | Past tense: {x} | Put {x} into the past. |
    Put the verb {x} into the past tense. | which form does {x} have in the past | Yesterday I ... ({x}). What goes in? | What is {x} in the past? | Past simple of {x}?""")
AGAIN = [(bank("""Now in capital letters. | Put that in capital letters. | In capitals please. | Same in upper case. | Can you write that in all caps? | Make it all capitals. |
    And in upper case? | Write it in capital letters, please. | Now all caps. | all caps please | Could I have it in capitals? | Repeat it in capital letters."""), str.upper),
         (bank("""Now in small letters. | Put that in lower case. | In lower case please. | Same in lowercase. | Can you write that without capitals? | Make it all small letters. |
    And in lower case? | Write it in small letters, please. | Now all lowercase. | Repeat it in lower case."""), str.lower)]


def sentence(draw: Draw) -> tuple[str, str, str, str, str]:
    """In the present, past and future, negative and as a question."""
    who, (verb, past, what) = draw.pick(WHO), draw.pick(ACTIONS)
    many = who in PLURAL
    third = f"{verb[:-1]}ies" if verb[-1] == "y" and verb[-2] not in "aeiou" else f"{verb}es" if verb.endswith(("s", "sh", "ch", "o", "x")) else f"{verb}s"
    present, do = (verb, "do") if many else (third, "does")
    subject, inside = capital(who), who
    return (f"{subject} {present} {what}.", f"{subject} {past} {what}.", f"{subject} will {verb} {what}.",
            f"{subject} {do} not {verb} {what}.", f"{capital(do)} {inside} {verb} {what}?")


def changed(draw: Draw, kind: str) -> tuple[str, str]:
    """A text and what becomes of it."""
    present, past, future, negative, question = sentence(draw)
    if kind in ("upper", "lower"):
        text = draw.pick([draw.pick(SAYINGS), draw.pick(SAYINGS), present, past, capital(draw.pick(ORDERS)) + "."])
        return (text, text.upper()) if kind == "upper" else (draw.pick([text.upper(), text.title() if "'" not in text else text.upper()]), text.lower())
    if kind == "polite":
        order = draw.pick(ORDERS)
        return draw.pick([(capital(order) + draw.pick([".", "!", ""]), f"Could you please {order}?"), draw.pick(BLUNT)])
    if kind in ("formal", "shorter"):
        return draw.pick(CASUAL if kind == "formal" else LONG_WAY)
    return present, {"past": past, "future": future, "negative": negative, "question": question}[kind]


def rewording(draw: Draw) -> dict:
    if draw.chance(0.1):
        verb = draw.pick(list(VERB_FORMS))
        return row("rewrite", ask(draw, PAST_ASKS, {"x": verb}), f"{capital(VERB_FORMS[verb])}.")
    kind = draw.rng.choices(list(CHANGES), [6, 3, 6, 2, 2, 2, 5, 3, 4])[0]
    wish = draw.wording(CHANGES[kind])
    frame = draw.wording(CHANGE_FRAMES) if wish.startswith(STARTS) else "{R}"
    text, answer = changed(draw, kind)
    asked = loose(draw, fill(frame, {"r": wish}) + ("?" if wish.startswith(("how", "what", "can")) else ""))
    shape = draw.pick(PLACED)
    if draw.chance(0.1):
        return row("rewrite", text, answer, *(changed(draw, kind) if draw.chance(0.5) else ()), system=f"{capital(wish.replace('this', 'every message', 1))}.", kind=kind)
    asked = asked.rstrip("?") if "?" in asked and shape.startswith("{ask}:") else asked
    turns = [shape.format(ask=asked, text=text), answer]
    if draw.chance(0.25):
        text, answer = changed(draw, kind)
        turns += [fill(draw.wording(NOW_THIS), {"t": text}), answer]
    elif kind not in ("upper", "lower") and draw.chance(0.1):
        wishes, change = draw.pick(AGAIN)
        turns += [ask(draw, wishes, {}), change(answer)]
    return row("rewrite", *turns, kind=kind)


NOW_THIS = bank("""Now this: {t} | And this one: {t} | The same with: {t} | Next: {t} | And: {t} | Do the same with this: {t} | Now: {t} | One more: {t} | This too: {t} |
    And what about this: {t} | Thanks. And this: {t} | {t} | Also this: {t} | Another one: {t}""")


# --- rules in the system message ----------------------------------------------------------------------------------

WORDS_TO_SAY = bank("""Yes | OK | Hello | Sure | Well | Right | Hey | Ahoy | Wow | Indeed | Look | Listen | Great | Fine | Good | Certainly | Bravo | Aha | Hmm | Splendid | Friend | Banana |
    Bingo | Super | Greetings | Thanks | Cheers | Moo | Meow | Bonjour | Captain | Roger | Beep | Sir | Boss | Hooray | Tada""")
RULES = {
    "word": bank("""Answer in one word. | One word answers only. | Reply with one word. | Always use just one word. | You answer with a single word. | One word, please. | Only ever say one word. |
        Answer each question in one word. | Every reply has one word. | Answer with one word and nothing else. | Say one word only. | Be brief: one word. | single-word answers |
        Your replies must be one word long. | You can only say one word at a time. | Use one word for the answer. | Give the answer as one word. | Reply using a single word only."""),
    "upper": bank("""Reply in upper case. | Answer in capitals. | Always write in capital letters. | All your replies are in upper case. | Use capital letters only. | REPLY IN CAPITALS. |
        Write all replies in uppercase letters. | Every answer must be in capital letters. | You always shout: use capital letters. | Everything you say is in capital letters. |
        Reply with capital letters. | You write only in capitals. | You speak in ALL CAPS. | Please answer in all caps. | Your messages are all upper case. | Type in capitals only."""),
    "lower": bank("""Reply in lower case. | Answer in small letters. | Always write in small letters. | All your replies are in lower case. | Use small letters only. | reply without capitals. |
        Write all replies in lowercase letters. | Every answer must be in lower case. | You never use capital letters. | Everything you say is in small letters. | Type in lower case only."""),
    "begin": bank("""Begin every reply with the word {w}. | Start every reply with {w}. | Every reply begins with the word {w}. | Begin each answer with {w}. | Start your answers with the word "{w}". |
        Your first word is always {w}. | Always start with the word {w}. | Each message of yours starts with {w}. | The first word of each reply is {w}. | Say {w} at the start of every reply. |
        Begin all replies with "{w}". | Every answer has to start with {w}. | Always say {w} first. | You start each sentence with {w}. | Open each answer with the word {w}. |
        Use {w} as the first word of every answer."""),
    "end": bank("""End every reply with the word {w}. | Finish every reply with {w}. | Every reply ends with the word {w}. | End each answer with {w}. | Close your answers with the word "{w}". |
        Your last word is always {w}. | Always end with the word {w}. | Each message of yours ends with {w}. | The last word of each reply is {w}. | Say {w} at the end of every reply. |
        End all replies with "{w}". | Every answer has to end with {w}. | Always say {w} last. | Close each answer with the word {w}. | Use {w} as the last word of every answer."""),
    "short": bank("""Answer briefly. | Keep your answers short. | Give short answers. | Be brief. | Short answers, please. | You are a man of few words. | Use very few words. | Be concise. |
        Answer in at most three words. | Never write more than a few words. | Reply as briefly as you can. | No long answers. | Your replies are short. | Answer in a few words only. |
        Keep it very short. | Just the answer, no sentence around it."""),
    "yes no": bank("""Answer only yes or no. | Answer with yes or no only. | You only say yes or no. | Reply yes or no. | Only yes or no. | Say yes or no and nothing else. | Every answer is yes or no. |
        You can only answer yes or no. | Use only the words yes and no. | Reply with just yes or no. | Give yes or no answers. | Your only answers are yes and no. | yes/no answers only |
        Answer each question with yes or no. | All you may say is yes or no."""),
    "sentence": bank("""Answer in full sentences. | Use complete sentences. | Reply with a full sentence. | Always write whole sentences. | Every answer is a complete sentence. | Speak in full sentences. |
        Give each answer as a full sentence. | One full sentence per reply. | Please write complete sentences. | No single words, use full sentences."""),
    "plain": bank("""You are a helpful assistant. | You are a friendly assistant. | Be friendly. | Help the user. | You are a teacher for small children. | You help children with homework. | You answer questions. |
        You are a quiz assistant. | You know a lot about everyday things. | Be kind and helpful. | You are a chatbot for everyday questions. | You are patient and friendly."""),
}
RULE_LEADS = ["", "", "", "", "You are a helpful assistant. ", "You are a friendly bot. ", "You are a chat assistant. ", "Be helpful. ", "Rules: ", "You talk to children. "]
RULE_ENDS = ["", "", "", "", " Always.", " No exceptions.", " Be friendly.", " This is important.", " Never break this rule."]
SMALL_TURNS = exchanges("""
> Hi | Hello | Hey | hello! | Good morning | Hi there | hi bot | Good evening | Hello there! | hey you | Good day
< Hello!
> Thanks | thank you | Thank you! | thx | Thanks a lot | Many thanks | Cheers | Great, thanks | ok thanks | Thank you very much | ty
< Welcome!
> Bye | Goodbye | bye bye | See you | See you later | Bye! | I have to go | Good night | cu | Take care | So long
< Goodbye!
""")


def obeyed(rule: str, word: str, question: tuple[str, str, str]) -> str:
    _, answer, short = question
    return {"word": short, "short": short, "yes no": short, "upper": answer.upper(), "lower": answer.lower(), "begin": f"{word}! {answer}",
            "end": f"{answer} {word}!"}.get(rule, answer)


def question_under(draw: Draw, rule: str) -> tuple[str, str, str]:
    """An easy question whose answer can be given under the rule."""
    while True:
        made = draw.pick([yes_no, kind_question])(draw) if rule == "yes no" else small_sum(draw) if draw.chance(0.15) else \
            yes_no(draw) if draw.chance(0.1) else easy_question(draw)
        if len(made[2].split()) <= {"word": 1, "short": 3}.get(rule, 99) and (rule != "yes no" or made[2] in ("Yes", "No")):
            return made


def rule_of(draw: Draw) -> dict:
    """A rule for every reply, kept over one to four easy questions and small talk."""
    rule = draw.rng.choices(list(RULES), [7, 5, 2, 5, 4, 3, 5, 2, 2])[0]
    word = draw.pick(WORDS_TO_SAY)
    questions = []
    for _ in range(draw.pick([1, 1, 2, 2, 3, 4])):
        if draw.chance(0.15) and rule not in ("yes no", "sentence"):
            said, replies = draw.pick(SMALL_TURNS)
            questions.append((draw.wording(said), replies[0], replies[0][:-1]))
            continue
        questions.append(question_under(draw, rule))
    text = fill(draw.wording(RULES[rule]), {"w": draw.pick([word, word, word.lower(), word.upper()]) if rule == "end" else word})
    turns = [part for question in questions for part in (question[0], obeyed(rule, word, question))]
    if draw.chance(0.12) and rule not in ("begin", "end", "plain"):
        return row("one_word" if rule == "word" else "format", draw.pick([f"{turns[0]}\n{text}", f"{text} {capital(turns[0])}", f"{text}\n\n{capital(turns[0])}"]), turns[1])
    return row("system_prompt", *turns, system=draw.pick(RULE_LEADS) + text + draw.pick(RULE_ENDS) if rule != "plain" else text)


TRADES = bank("""baker | gardener | fisherman | pilot | teacher | librarian | farmer | doctor | cook | tailor | plumber | painter | carpenter | sailor | shoemaker | postman | bus driver | waiter |
    florist | nurse | mechanic | barber | butcher | beekeeper | blacksmith | clockmaker | singer | train driver | dentist | shepherd | lighthouse keeper | astronaut | detective | firefighter |
    knight | wizard | clown | magician | zookeeper | dance teacher | piano teacher | football coach | hotel porter | tour guide | museum guard""")
PARTS = bank("""You are {name}, {a_job}. | Your name is {name} and you are {a_job}. | You are {a_job} named {name}. | You play {name}, {a_job}. | You are {a_job} called {name}. |
    Act as {name}, {a_job}. | Pretend to be {name}, {a_job}. | Your name is {name}. You work as {a_job}. | Be {name}, a friendly {job}. | You are the {job} {name}. |
    Role: {name}, {a_job}. | In this chat you are {name} the {job}. | Imagine you are {a_job}. Your name is {name}. | You are {name}. Your job is {job}. |
    You are {name}, an old {job}. | Speak as {name}, {a_job}. | You're {a_job} and your name is {name}.""")
PART_ASKS = [(bank("""What is your name? | Who are you? | what's your name | Your name? | Tell me your name. | How are you called? | Can you tell me your name? | What are you called? | Name? |
    What should I call you? | May I know your name? | And you are? | Do you have a name? | who is this | Who am I talking to?"""), bank("""I am {name}. | My name is {name}.""")),
    (bank("""What do you do? | What is your job? | What's your job? | what do you do for a living | What do you work as? | Your job? | Do you have a job? | What is your profession? | Tell me your job. |
    Which job do you have? | How do you earn your money? | What kind of work do you do? | What are you by trade? | Where do you make your money? | What are you?"""), bank("""I am {a_job}. | I work as {a_job}.""")),
    (bank("""Hello! | Hi | Good morning | hey | Hello there | Hi there! | hello | Good evening! | Good day. | Hey, hello | Greetings | hiya | Nice to meet you."""),
     bank("""Hello! I am {name}, {a_job}. How can I help you? | Hello, I am {name}. What can I do for you?""")),
    (bank("""Do you like your job? | Is your work fun? | Are you happy with your job? | Do you enjoy your work? | Is it nice to be {a_job}? | do you like being {a_job} | Is it a good job? |
    Do you love your work? | How do you like your job? | How is your work?"""), bank("""Yes, I like being {a_job}. | Yes, I love my work as {a_job}.""")),
    (bank("""Are you {a_job}? | Is it true that you are {a_job}? | You are {a_job}, right? | So you are {a_job}? | are you really {a_job} | Are you the {job}? | I heard you are {a_job}. Is that so?"""),
     ["Yes, I am {a_job}."]),
    (bank("""Introduce yourself. | Tell me about yourself. | Please introduce yourself. | Who are you and what do you do? | Your name and job? | Say who you are. | What's your name and what do you do? |
    Can you introduce yourself? | Tell me who you are and what you do. | Present yourself, please."""), ["I am {name}, {a_job}."]),
    (bank("""Are you {other}? | Is your name {other}? | You are {other}, right? | Hello {other}! | Hi, is this {other}? | Am I talking to {other}? | You must be {other}."""), ["No, I am {name}."])]


def part_played(draw: Draw) -> dict:
    """Someone with a name and a trade."""
    name, other = draw.sample(FIRST_NAMES, 2)
    given = Slots(name=name, other=other, job=draw.pick(TRADES))
    turns = []
    for wordings, replies in draw.sample(PART_ASKS, draw.pick([1, 2, 2, 3])):
        turns += [ask(draw, wordings, given), mend(fill(replies[0] if draw.chance(0.7) else draw.pick(replies), given))]
    if draw.chance(0.25):
        turns += child_fact(draw)[:2]
    return row("system_prompt", *turns, system=mend(fill(draw.wording(PARTS), given)) + draw.pick(["", "", "", " Be friendly.", " Stay in your role.", " Answer briefly."]))


# topic | questions = answers
SUBJECTS = [(topic, pairs(known)) for topic, known in (line.split(": ", 1) for line in lines_of("""
cooking: How do I boil an egg? = Put it into boiling water for about eight minutes. | What goes into a salad? = Lettuce, tomatoes, cucumber, oil and vinegar. | How long does pasta cook? = Usually eight to twelve minutes. | How do I make tea? = Pour boiling water on the tea and wait three minutes.
gardening: When do I plant tulips? = Plant tulip bulbs in autumn. | How often do I water tomatoes? = Water them nearly every day in summer. | What grows in the shade? = Ferns and ivy grow well in the shade. | When can I pick apples? = Most apples are ripe in autumn.
animals: How many legs does a spider have? = A spider has eight legs. | What do cows eat? = Cows eat grass and hay. | Which animal is the tallest? = The giraffe is the tallest animal. | What does a cat like? = Cats like warm places, fish and play.
music: How many strings does a violin have? = A violin has four strings. | What is a choir? = A choir is a group of people who sing together. | Who leads an orchestra? = A conductor leads an orchestra. | Is a flute a wind instrument? = Yes, a flute is a wind instrument.
sport: How many players are in a football team? = A football team has eleven players. | What do I need for tennis? = You need a racket and a ball. | Is swimming healthy? = Yes, swimming trains the whole body. | How long is a marathon? = A marathon is about 42 kilometres long.
travel: What should I pack? = Pack clothes, a toothbrush and your passport. | Do I need a passport? = For most foreign countries you need one. | Is the train better than the car? = The train is often calmer and cleaner. | When should I book? = Book early, then it is cheaper.
books: What is a novel? = A novel is a long made-up story. | Where can I borrow books? = You can borrow books at a library. | Who writes books? = An author writes books. | What is a dictionary? = A dictionary lists words and their meanings.
the weather: What is fog? = Fog is a cloud close to the ground. | When does it snow? = It snows when it is very cold. | What makes a rainbow? = Sun and rain together make a rainbow. | What is thunder? = Thunder is the sound of lightning.
"""))]
TOPIC_RULES = bank("""Talk only about {topic}. | You only answer questions about {topic}. | Keep to the topic of {topic}. | Only {topic}, nothing else. | Your only topic is {topic}. | You know everything about {topic} and nothing else. |
    Answer only if the question is about {topic}. | Stick to {topic}. | If it is not about {topic}, refuse politely. | You help with {topic} only. | Do not talk about anything but {topic}. |
    You are a helper for {topic}. Refuse other topics. | Speak only about {topic}. | Every other topic than {topic} is forbidden. | Stay on the topic of {topic}.""")


def topic_rule(draw: Draw) -> dict:
    topic, known = draw.pick(SUBJECTS)
    turns = []
    for question, answer in draw.sample(known, draw.pick([1, 1, 2])):
        turns += [loose(draw, question), answer]
    if draw.chance(0.75):
        _, others = draw.pick([subject for subject in SUBJECTS if subject[0] != topic])
        at = draw.pick([0, len(turns)])
        turns[at:at] = [loose(draw, draw.pick(others)[0]), f"I'm sorry, I can only talk about {topic}."]
    return row("system_prompt", *turns, system=draw.pick(RULE_LEADS) + fill(draw.wording(TOPIC_RULES), {"topic": topic}))


# --- what was said before -------------------------------------------------------------------------------------------

# tells | replies | asks | answer
TOLD = [tuple(bank(part) for part in lines_of(block)) for block in """
My {pet} is called {petname}. | I have {a_pet} named {petname}. | my {pet}'s name is {petname} | We have a new {pet}, {petname}. | This morning I fed {petname}, my {pet}. | {Petname} is my {pet}. | I got {a_pet}. I call it {petname}.
{Petname} is a nice name! | How nice!
What is my {pet} called? | What's my {pet}'s name? | what was the name of my {pet} | Do you remember my {pet}'s name? | How is my {pet} called? | Tell me the name of my {pet}. | And my {pet}'s name? | So what is my {pet} called?
Your {pet} is called {petname}.
@@
I live in {city}. | My home is in {city}. | I'm from {city}. | i live in {city} now | I have just moved to {city}. | My flat is in {city}. | {City} is where I live. | I come from {city}.
Nice! How do you like it there? | {City} is an interesting place.
Where do I live? | Which city do I live in? | where is my home | Do you remember where I live? | In which city am I at home? | What is my city? | Tell me where I live. | What city did I say?
You live in {city}.
@@
I work as {a_job}. | I am {a_job}. | My job is {job}. | i'm {a_job} | I have a new job as {a_job}. | I have been {a_job} for {n} years. | For a living I am {a_job}.
That sounds interesting. | A good job!
What is my job? | What do I do? | What do I work as? | what's my job | Do you remember my job? | Which job do I have? | Tell me what my job is. | What did I say about my job?
You are {a_job}.
@@
My favourite colour is {colour}. | I love the colour {colour}. | I like {colour} best. | {Colour} is my favourite colour. | the colour i like most is {colour} | Of all colours I like {colour} most.
A beautiful colour! | {Colour} is nice.
What is my favourite colour? | Which colour do I like? | What colour do I like best? | my favourite colour was? | Do you remember my favourite colour? | Tell me my favourite colour. | Which colour did I say?
Your favourite colour is {colour}.
@@
My name is {name}. | I'm {name}. | I am {name}. | Hi, {name} here. | call me {name} | You can call me {name}. | Hello, my name is {name}. | People call me {name}. | They call me {name}.
Nice to meet you, {name}! | Hello, {name}!
What is my name? | What's my name? | Who am I? | do you remember my name | What am I called? | Do you still know my name? | Say my name. | Tell me my name. | What did I say my name was? | And my name is?
Your name is {name}.
@@
I have {n} brothers. | I've got {n} brothers. | There are {n} brothers in my family besides me. | My parents had {n} more boys, my brothers. | i have {n} brothers
That must be fun. | A big family!
How many brothers do I have? | how many brothers did I say I have | Do you remember how many brothers I have? | Number of my brothers? | Tell me how many brothers I have.
You have {n} brothers.
@@
I am flying to {country} on {day}. | On {day} I travel to {country}. | I'm going to {country} on {day}. | my trip to {country} starts on {day} | I leave for {country} on {day}. | My holiday in {country} begins on {day}.
Have a good trip! | That sounds great.
Where am I going? | Which country am I travelling to? | where do i fly | What is the goal of my trip? | Do you remember where I travel? | Which country did I mention? | Where does my trip go?
You are going to {country}.
@@
I have a meeting with {other} on {day}. | On {day} I meet {other}. | I'm meeting {other} on {day}. | my date with {other} is on {day} | {Other} is coming to see me on {day}. | I will see {other} on {day}.
I hope it goes well. | That sounds good.
When do I meet {other}? | On which day do I see {other}? | which day was it with {other} | What day do I meet {other}? | Do you remember when I meet {other}? | When will I see {other}?
You meet {other} on {day}.
@@
I bought {item} today. | Today I bought {item}. | I have just bought {item}. | i got {item} in town today | I went to town and bought {item}. | My shopping today: {item}.
Good! I hope you like them. | A good buy, I hope.
What did I buy? | What did I buy today? | what have i bought | Do you remember what I bought? | Tell me what I bought. | What was my shopping? | Which things did I buy?
You bought {item}.
@@
I'm {age} years old. | I am {age}. | My age is {age}. | i turned {age} this year | I just turned {age}. | I am {age} years of age.
Thank you for telling me. | A good age!
How old am I? | What is my age? | my age? | Do you remember how old I am? | Tell me my age. | How old did I say I am? | What age am I?
You are {age} years old.
@@
My {relative} is called {other}. | My {relative}'s name is {other}. | {Other} is my {relative}. | I have to call my {relative} {other}. | my {relative} is named {other} | I visited my {relative} {other} yesterday.
That is a nice name. | I see.
What is my {relative} called? | What's my {relative}'s name? | what was my {relative}'s name | So what is my {relative} called? | Do you remember my {relative}'s name? | Name of my {relative}?
Your {relative} is called {other}.
""".split("@@")]


def told_before(draw: Draw) -> dict:
    """Things the user said, something else between, then a question about them."""
    given = slots(draw)
    chosen = draw.sample(TOLD, draw.pick([1, 2, 2]))
    turns = []
    for tells, replies, _, _ in chosen:
        turns += [ask(draw, tells, given), mend(fill(draw.pick(replies), given))]
    for _ in range(draw.pick([0, 1, 1, 2])):
        turns += easy_question(draw)[:2]
    for _, _, asks, answers in draw.sample(chosen, draw.number(1, len(chosen))):
        turns += [ask(draw, asks, given), mend(fill(answers[0], given))]
    return row("memory", *turns)


# --- how it goes, and what helps ------------------------------------------------------------------------------------

CHATTER = exchanges("""
> I'm tired. | I am so tired | i'm tired today | I feel tired. | I am really sleepy. | so tired... | I can hardly keep my eyes open. | I did not sleep well. | I slept badly. | I'm exhausted. | What a long day, I'm tired. | I need some sleep.
< I'm sorry to hear that. Try to rest a little. | That sounds like you need some rest. Go to bed early tonight.
> I'm happy. | I am so happy today! | i feel great | I'm in a good mood. | Life is good. | I feel wonderful. | I am very happy | What a great day! | I'm so glad. | Today I am happy. | I feel fantastic today.
< That's great to hear! What made you happy? | I'm glad to hear that!
> I'm bored. | I am so bored | i'm bored, what can I do | Nothing to do here. | It is so boring today. | I have nothing to do. | boring... | I don't know what to do today. | I'm bored to death. | So bored right now. | What can I do against boredom? | Entertain me, I'm bored.
< You could read a book, go for a walk or call a friend. | How about a walk, a good book or some music?
> I'm sad. | I am sad today | i feel down | I feel sad. | I am so unhappy. | I had a bad day. | today was awful | I could cry. | I'm feeling low. | My day was terrible. | I feel blue today. | Nothing goes right.
< I'm sorry to hear that. Do you want to tell me more? | I'm sorry. I hope tomorrow is a better day.
> I'm hungry. | I am so hungry | i'm starving | I could eat a horse. | My stomach is rumbling. | I need food. | I haven't eaten all day. | I'm hungry, any ideas? | What can I eat? I'm hungry. | So hungry!
< How about a sandwich or some soup? | Then it is time for a good meal. What do you like?
> I'm thirsty. | I am so thirsty | i need a drink | My mouth is dry. | I want to drink something. | I'm thirsty, what can I drink? | So thirsty!
< Drink a glass of water. | Have a glass of water or some juice.
> I'm cold. | It is so cold today. | i'm freezing | I am cold. | Brr, it's cold. | My hands are cold. | I feel so cold. | It's freezing in here.
< Put on a warm jumper and have some tea. | A blanket and a hot drink will help.
> I'm sick. | I am ill. | i have a cold | I caught a cold. | I feel sick. | I don't feel well. | My nose is running. | I have a sore throat. | I've got the flu.
< I'm sorry to hear that. Rest and drink a lot. Get well soon! | Get well soon! Rest, and see a doctor if it gets worse.
> I'm nervous. | I am nervous about my exam. | i have an exam tomorrow | I have a test tomorrow. | I'm worried about tomorrow. | I am so nervous! | My exam is tomorrow and I'm scared. | I have a job interview tomorrow. | I'm afraid of the test.
< Take a deep breath. You can do it! | Good luck! Sleep well and stay calm.
> I'm lonely. | I feel lonely. | i have no friends | I am all alone. | Nobody calls me. | I feel so alone. | I've nobody to talk to.
< I'm sorry to hear that. You can talk to me, and perhaps call somebody you like. | I'm here to talk. What would you like to talk about?
> I passed my exam! | I got the job! | i won | We won the game! | I did it! | I passed the test. | I got a good mark today. | I won a prize. | I finally finished my work. | I learned to swim!
< Congratulations! Well done! | That's great! I am happy for you.
> It's my birthday! | It is my birthday today. | today is my birthday | My birthday is today. | I have my birthday today! | Guess what, it's my birthday. | I turn 30 today.
< Happy birthday! I wish you a wonderful day.
> Thanks! | thank you | Thank you so much. | thx | Thanks a lot | Many thanks! | That was helpful. | Thanks, that helps. | great, thanks | Thank you, you are very kind. | thanks for your help | ok thank you | Cheers! | perfect, thank you
< You're welcome! | You're welcome!
> You are great. | You're so nice. | you are the best | Well done! | Good job! | I like you. | You are funny. | You're smart. | good bot | You are really helpful.
< Thank you, that is kind of you! | Thank you! I'm glad to help.
> You are stupid. | That was wrong. | you're useless | That's not right. | Bad answer. | That is nonsense. | You don't understand me. | Wrong! | This is bad.
< I'm sorry. I am a small model and make mistakes. | I'm sorry about that. I can try again.
> How are you? | how are you today | How's it going? | How are things? | how do you do | Are you well? | You ok? | How do you feel? | how r u | What's up? | All good?
< I'm fine, thank you! How are you? | I'm well, thank you. And you?
> What are you doing? | what r u doing | What are you up to? | Are you busy? | Are you there? | Anybody there? | Can you hear me? | are you awake | Do you have time? | Hello? Are you there?
< I'm here and ready to help. | I'm here! What can I do for you?
> What can you do? | How can you help me? | what are you good at | What can I ask you? | Can you help me? | I need help. | help | Help me please | What do you know? | I have a question.
< I can answer easy questions, write short texts and chat with you. | Of course. What can I do for you?
> Nice weather today. | The sun is shining. | what a lovely day | It is so sunny! | Beautiful day, isn't it? | The weather is great today. | It's warm and sunny.
< That sounds lovely. Enjoy the sun! | How nice! Perfect for a walk.
> It's raining. | It rains all day. | so much rain | The weather is bad. | What terrible weather. | It is raining again. | It's grey and wet outside. | I hate this rain.
< Then take an umbrella, or stay in with a cup of tea. | A good day for a book and a cup of tea.
> It's Monday. | I hate Mondays. | monday again | Monday morning... | Oh no, it's Monday. | The weekend is over.
< Take it slowly. The next weekend will come!
> It's Friday! | finally friday | The weekend is here. | Weekend at last! | Tomorrow is Saturday! | The week is over.
< Enjoy the weekend! Do you have any plans?
> Good night. | good night! | I'm going to bed. | Time to sleep. | I am off to bed. | nighty night | I'll go to sleep now. | Sleep well!
< Good night! Sleep well.
> Bye! | goodbye | See you. | See you tomorrow. | I have to go. | bye for now | Gotta go | Talk to you later. | Until next time. | Farewell. | I'm leaving now. | cu
< Goodbye! Have a nice day. | Goodbye! Take care.
> I love you. | Will you marry me? | do you love me | Be my friend. | Can we be friends? | Are you my friend? | I like talking to you.
< That is kind of you! I am only a chatbot, but I like to help.
> OK | ok. | okay | I see. | Alright. | Fine. | all right | Good. | Got it. | Understood. | aha | Cool | nice
< Is there anything else I can do for you? | Good! Let me know if you need anything.
> I don't know. | no idea | Not sure. | I have no clue. | dunno | I can't say. | Maybe. | Hm. | hmm
< That's all right. Take your time.
> I'm on holiday! | I am going on holiday. | my holiday starts today | We leave for our holiday tomorrow. | I have a week off. | Vacation at last! | I'm going to the beach.
< Have a wonderful time! | Enjoy your holiday!
> I'm angry. | I am so angry! | i'm mad at my brother | My boss makes me angry. | I had a fight with my friend. | I am furious. | This makes me so angry. | My neighbour annoys me.
< I understand. Take a deep breath. What happened? | I'm sorry. A short walk may help you to calm down.
> I'm stressed. | I have too much work. | so much to do | Work is too much right now. | I am under stress. | I have no time for anything. | My desk is full of work. | I can't keep up.
< Take one thing at a time, and make short breaks. | That sounds hard. Do the most important thing first.
""")
HOW_TO = bank("""How can I {x}? | how do I {x} | How to {x}? | What helps me to {x}? | Give me a tip to {x}. | Any tips to {x}? | What can I do to {x}? | I want to {x}. What should I do? | how can i {x} | Tips to {x} please |
    I'd like to {x}. How? | What is a good way to {x}? | Can you help me {x}? | Do you have a tip? I want to {x}. | Tell me how to {x}. | What should I do to {x}? | Best way to {x}? | Please tell me how to {x}. |
    I need advice: how do I {x}? | What's the easiest way to {x}? | I'm trying to {x}. Any advice? | Help me {x}. | How would you {x}? | How could I {x}? | Is there a trick to {x}? | how does one {x} |
    Advice on how to {x}? | One tip to {x}, please. | I can't manage to {x}. What helps? | Explain how to {x}. | What do you suggest to {x}? | how should I {x}? | Would you tell me how to {x}?""")
MORE_ADVICE = pairs("""wake up early = Go to bed early and put the alarm clock far from your bed. | get up in the morning = Put the alarm clock far from the bed and let in some light. | sleep well = Keep the room dark and cool, and go to bed at the same time every night. |
    calm down = Breathe in slowly, count to ten, and breathe out slowly. | relax after work = Take a walk, listen to music or have a warm bath. | make new friends = Join a club or a class, be friendly and ask people about themselves. |
    lose weight = Eat more vegetables, fewer sweets, and move every day. | get fit = Walk every day, take the stairs and do a little sport. | be happier = Spend time with people you like, and enjoy the small things. |
    learn English = Read, listen and speak a little every day. | remember names = Repeat the name aloud and link it with a picture in your mind. | study better = Turn off your phone, work for half an hour and then take a short break. |
    spend less = Make a shopping list and buy only what is on it. | eat less sugar = Drink water, eat fruit and keep sweets out of sight. | drink more water = Keep a bottle of water on your desk and drink a glass at every meal. |
    stop being late = Set an alarm and leave ten minutes earlier. | clean windows = Use warm water with a little vinegar and dry the glass with newspaper. | get rid of a stain = Put cold water and soap on it at once and rub gently. |
    keep flowers fresh = Cut the stems, change the water every day and keep them cool. | stop hiccups = Hold your breath for a moment or drink a glass of water slowly. | fall asleep faster = Put away your phone, breathe slowly and think of something nice. |
    feel less nervous = Breathe slowly, prepare well and think of something nice. | stay awake = Open a window, drink water and move a little. | cook an egg = Put it into boiling water: six minutes for soft, ten for hard. |
    cheer up a friend = Listen, be kind and do something nice together. | get warm = Put on a jumper, drink hot tea and move about. | cool down on a hot day = Drink water, stay in the shade and take a cool shower. |
    find a job = Write a good letter, ask people you know and look at adverts every day. | write better = Read a lot, write every day and use short sentences. | read more = Read ten pages before you go to sleep. |
    use my phone less = Put it in another room and turn off the sounds. | keep my room tidy = Give everything a place and tidy up for ten minutes a day. | make good coffee = Use fresh coffee, hot water and a clean pot. |
    get over a cold = Rest, drink tea and sleep a lot. | help my back = Move often, sit straight and do easy exercises. | train my memory = Learn a short poem, do puzzles and sleep enough. | bake a cake = Mix butter, sugar, eggs and flour, and bake it for about 45 minutes. |
    peel an orange = Cut the skin from top to bottom and pull it off with your fingers. | tie a tie = Cross the wide end over the narrow one, go round it, and pull it down through the loop. | save electricity = Switch off the lights and unplug what you don't use. |
    say no politely = Say thank you, and then that you can not do it. | start a conversation = Ask a friendly question about the day or the place. | apologise = Say what you did wrong, say sorry, and mean it. | be on time = Plan ten extra minutes and prepare things the evening before.""")
ANOTHER_TIP = bank("""Another tip? | One more tip, please. | Anything else? | any other ideas | What else? | And what else can I do? | More tips? | Do you have another tip? | Something else? | another idea? | Give me one more tip. | That does not help. Another one? |
    What else helps? | And if that doesn't work?""")
GENERAL_TIPS = ["Take small steps and be patient.", "Ask a friend to do it with you.", "Start small and do it every day.", "Make a plan and write it down."]


def chatter(draw: Draw) -> dict:
    turns = []
    for said, replies in draw.sample(CHATTER, draw.pick([1, 1, 2, 3])):
        turns += [loose(draw, draw.wording(said)), draw.pick(replies)]
    return row("small_talk", *turns)


def advised(draw: Draw) -> dict:
    turns = []
    for wish, tip in draw.sample(draw.pick([MORE_ADVICE, MORE_ADVICE, ADVICE]), draw.pick([1, 1, 2])):
        turns += [ask(draw, HOW_TO, {"x": wish}), tip]
    if draw.chance(0.15):
        turns += [ask(draw, ANOTHER_TIP, {}), draw.pick(GENERAL_TIPS)]
    return row("advice", *turns)


GENERATORS = [(list_some, 14), (name_one, 10), (child_facts, 10), (about, 9), (message, 13), (rewording, 15), (rule_of, 20), (part_played, 6), (topic_rule, 3),
              (told_before, 8), (chatter, 8), (advised, 7)]
