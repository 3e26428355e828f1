"""The word lists that the generators share, and makers of names, prices, times, dates and codes."""
from .draw import Draw

WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"]

FIRST_NAMES = """Aaron Abena Adam Adele Aditya Agnes Ahmed Aiko Aisha Akira Alan Alba Albert Alejandro Alice Alma Amadou Amara Amelia Amina Amir Ana Andre Andrea Angela Anika
Anita Anna Anton Antonio Arjun Arthur Asha Astrid Axel Ayla Barbara Basil Beatrice Ben Benedict Bianca Bjorn Boris Brenda Brian Bruno Camila Carla Carlos Carmen Caroline Cecilia
Cedric Chen Chidi Chiara Chloe Clara Claude Colin Cora Cyrus Dalia Dana Daniel Daria David Deborah Delia Dennis Derek Diana Diego Dina Dmitri Dora Edgar Edith Edwin Eileen Elena
Elias Elif Elisa Ella Emeka Emil Emily Emma Enrique Eric Erika Esther Ethan Eva Fatima Felix Fernando Fiona Flora Florian Frank Freya Gabriel Gemma George Gita Giulia Gloria
Grace Greta Gustav Hadi Hamid Hana Hannah Hans Harold Hassan Hazel Heidi Helena Henry Hiro Hugo Ibrahim Ida Igor Imani Ines Ingrid Irene Iris Isaac Isabel Ivan Ivy Jacob Jade
James Jana Jasmine Javier Jean Jenna Jens Joan Joel Johan Jonas Jorge Josef Julia Julian June Kai Kamal Karen Karim Karl Katya Keiko Kenji Kevin Khalid Kira Kofi Kwame Lara
Larissa Lars Laura Layla Lena Leo Leon Liam Lila Lina Linus Lisa Lorenzo Lucas Lucia Lucy Luis Luka Lydia Mabel Magda Maja Malik Manuel Mara Marco Margaret Maria Marie Marina
Mario Mark Marta Martin Mateo Matilda Maya Mei Melissa Mia Miguel Mila Milan Miriam Mohamed Mona Nadia Naomi Natalia Nathan Nell Nelson Nia Nicolas Nils Nina Noah Noor Nora
Norman Odette Olga Oliver Olivia Omar Oscar Otto Pablo Paloma Patrick Paul Paula Pedro Penelope Petra Philip Pia Pierre Priya Quentin Rachel Rafael Rahul Ramona Rania Rashid
Ravi Rebecca Rene Rita Robert Robin Rocco Rohan Rosa Rose Ruben Ruth Sabine Salma Samir Samuel Sandra Sanjay Sara Sasha Selma Simon Sofia Soren Stella Stefan Sunita Sven Sylvia
Tamar Tara Tariq Tess Theo Thomas Tilda Tobias Tom Tomas Ulla Uma Valentina Vera Victor Vikram Viola Vivian Wanda Wei Wilma Xavier Yara Yasmin Yuki Yusuf Zara Zelda Zoe""".split()

SURNAMES = """Abbott Adeyemi Ahmed Akhtar Alvarez Amari Andersen Arnold Asante Bailey Baker Banerjee Barnes Becker Bell Bennett Berg Bianchi Blake Boateng Bondar Bowen Brandt
Brennan Brooks Burke Bystrom Cairns Calder Campos Carey Carlsen Carter Castro Chandra Chang Chavez Cohen Colombo Conti Cooper Costa Cruz Dahl Dalton Danso Davies Delgado Demir
Dhillon Diaz Dixon Dubois Duarte Dvorak Eaton Edwards Egan Eklund Ellis Engel Esposito Evans Farrell Farouk Ferreira Fields Fischer Fleming Flores Forster Fournier Fox Franco
Fraser Fujita Gallo Garcia Garner Gibbs Goldberg Gomez Grant Greco Green Griffin Gruber Gupta Haas Hadley Hale Hall Hamdan Hansen Harper Hassan Hayashi Hayes Heller Hernandez
Hill Hoang Hoffman Holm Horvat Howell Huang Hughes Hussain Ibarra Ibrahim Ito Ivanov Jansen Jensen Johansson Jones Jovanovic Kamara Kapoor Karlsson Kaya Keller Kelly Khan
Kim Kimura Klein Kovacs Kowalski Kramer Kruger Kumar Lam Lang Larsen Laurent Lee Lehmann Leone Lewis Lindgren Lopez Lowe Lund Macleod Maier Malik Marino Markovic Marsh Martins
Mason Massey Matsuda Mbeki Mehta Mendes Mendoza Meyer Miller Minh Molina Moore Morales Moreau Moretti Morgan Mori Moss Mueller Murphy Mwangi Nagy Nair Nakamura Navarro Nelson
Newman Nguyen Nielsen Nkosi Noble Novak Nwosu Obi Ochoa Okafor Olsen Omondi Ortega Osei Owens Ozturk Pace Palmer Papadakis Park Parker Patel Pavlov Peck Pereira Perez Petrov
Pham Phillips Pinto Popescu Porter Pratt Quinn Raman Ramos Rana Rao Reed Reid Reyes Ricci Rivera Robertson Rojas Romano Rossi Roth Rowe Ruiz Russell Salazar Sanders Santos Sato
Sauer Schmidt Schneider Schulz Serrano Shah Sharma Shaw Silva Singh Sokolov Soto Stein Stone Suarez Sutton Suzuki Svensson Takeda Tan Tanaka Taylor Tembo Thorne Todorov Torres
Tran Turner Ueda Valdez Vargas Varga Vasquez Vega Vogel Wagner Walsh Wang Ward Watts Weber Webb Weiss Wells West White Winter Wolf Wong Wood Wright Yamada Yang Yilmaz Young
Zhang Ziegler Zimmer Achebe Barros Chaudhry Dimitrov Eriksen Fontaine Hashimoto Iqbal Jankowski Kariuki Lindqvist Macdonald Nowak Oliveira""".split()

CITIES = """Aarhus;Aberdeen;Accra;Adelaide;Algiers;Amsterdam;Ankara;Antwerp;Athens;Atlanta;Auckland;Austin;Baku;Baltimore;Bangkok;Barcelona;Basel;Bath;Beirut;Belfast;Belgrade;Bergen;
Berlin;Bern;Bilbao;Birmingham;Bogota;Bologna;Bordeaux;Boston;Bratislava;Bremen;Bristol;Brno;Brussels;Bucharest;Budapest;Buenos Aires;Cairo;Calgary;Cambridge;Canberra;Cape Town;
Caracas;Cardiff;Casablanca;Charleston;Chester;Chicago;Cleveland;Cologne;Copenhagen;Cordoba;Cork;Dakar;Dallas;Delhi;Denver;Detroit;Dhaka;Dresden;Dubai;Dublin;Dundee;Durban;
Edinburgh;Essen;Exeter;Faro;Florence;Frankfurt;Freetown;Galway;Gdansk;Geneva;Genoa;Ghent;Glasgow;Gothenburg;Granada;Graz;Grenoble;Halifax;Hamburg;Hanoi;Hanover;Harare;Havana;
Helsinki;Hobart;Hong Kong;Honolulu;Houston;Hull;Innsbruck;Istanbul;Izmir;Jakarta;Jaipur;Johannesburg;Kampala;Karachi;Kathmandu;Kyoto;Kingston;Krakow;Lagos;La Paz;Lausanne;Leeds;
Leicester;Leipzig;Lille;Lima;Limerick;Lincoln;Linz;Lisbon;Liverpool;Ljubljana;London;Lucerne;Lusaka;Luxembourg;Lyon;Madrid;Malaga;Malmo;Manchester;Manila;Maputo;Marseille;
Medellin;Melbourne;Memphis;Mexico City;Miami;Milan;Minneapolis;Mombasa;Montevideo;Montreal;Mumbai;Munich;Nagoya;Nairobi;Nantes;Naples;Nashville;New Orleans;New York;Newcastle;
Nice;Norwich;Nottingham;Odense;Oporto;Osaka;Oslo;Ottawa;Oxford;Padua;Palermo;Panama City;Paris;Perth;Philadelphia;Phoenix;Pisa;Plymouth;Portland;Porto;Prague;Pune;Quebec;Quito;
Rabat;Reykjavik;Riga;Rome;Rosario;Rotterdam;Salzburg;San Diego;San Jose;Santiago;Sao Paulo;Sapporo;Sarajevo;Seattle;Seoul;Seville;Sheffield;Singapore;Skopje;Sofia;Split;
Stavanger;Stockholm;Strasbourg;Stuttgart;Sydney;Taipei;Tallinn;Tampa;Tampere;Tbilisi;The Hague;Thessaloniki;Tokyo;Toledo;Toronto;Toulouse;Trieste;Tunis;Turin;Turku;Uppsala;
Utrecht;Valencia;Valletta;Vancouver;Venice;Verona;Vienna;Vilnius;Warsaw;Wellington;Winnipeg;Worcester;Wroclaw;York;Zagreb;Zurich;
Ajaccio;Bandung;Bari;Brisbane;Cagliari;Canterbury;Catania;Colombo;Constanta;Derby;Edmonton;Fremantle;Inverness;Ipswich;Kaunas;Maribor;Parma;Pecs;Rijeka;Tartu""".replace("\n", "").split(";")

COUNTRIES = [tuple(line.split(",")) for line in """France,Paris,French,Europe;Germany,Berlin,German,Europe;Italy,Rome,Italian,Europe;Spain,Madrid,Spanish,Europe;Portugal,Lisbon,Portuguese,Europe;
Greece,Athens,Greek,Europe;Austria,Vienna,German,Europe;Poland,Warsaw,Polish,Europe;Hungary,Budapest,Hungarian,Europe;Norway,Oslo,Norwegian,Europe;Sweden,Stockholm,Swedish,Europe;
Denmark,Copenhagen,Danish,Europe;Finland,Helsinki,Finnish,Europe;Iceland,Reykjavik,Icelandic,Europe;Ireland,Dublin,English,Europe;the United Kingdom,London,English,Europe;
the Netherlands,Amsterdam,Dutch,Europe;Romania,Bucharest,Romanian,Europe;Bulgaria,Sofia,Bulgarian,Europe;Croatia,Zagreb,Croatian,Europe;Serbia,Belgrade,Serbian,Europe;
Slovakia,Bratislava,Slovak,Europe;Slovenia,Ljubljana,Slovene,Europe;the Czech Republic,Prague,Czech,Europe;Ukraine,Kyiv,Ukrainian,Europe;Estonia,Tallinn,Estonian,Europe;
Latvia,Riga,Latvian,Europe;Lithuania,Vilnius,Lithuanian,Europe;Albania,Tirana,Albanian,Europe;Russia,Moscow,Russian,Europe;Japan,Tokyo,Japanese,Asia;China,Beijing,Chinese,Asia;
South Korea,Seoul,Korean,Asia;India,New Delhi,Hindi,Asia;Thailand,Bangkok,Thai,Asia;Vietnam,Hanoi,Vietnamese,Asia;Mongolia,Ulaanbaatar,Mongolian,Asia;Iran,Tehran,Persian,Asia;
Iraq,Baghdad,Arabic,Asia;Jordan,Amman,Arabic,Asia;Lebanon,Beirut,Arabic,Asia;Saudi Arabia,Riyadh,Arabic,Asia;Pakistan,Islamabad,Urdu,Asia;Bangladesh,Dhaka,Bengali,Asia;
Nepal,Kathmandu,Nepali,Asia;Indonesia,Jakarta,Indonesian,Asia;Turkey,Ankara,Turkish,Asia;Egypt,Cairo,Arabic,Africa;Morocco,Rabat,Arabic,Africa;Tunisia,Tunis,Arabic,Africa;
Algeria,Algiers,Arabic,Africa;Kenya,Nairobi,Swahili,Africa;Ethiopia,Addis Ababa,Amharic,Africa;Ghana,Accra,English,Africa;Nigeria,Abuja,English,Africa;Senegal,Dakar,French,Africa;
Uganda,Kampala,English,Africa;Zambia,Lusaka,English,Africa;Canada,Ottawa,English,North America;the United States,Washington,English,North America;
Mexico,Mexico City,Spanish,North America;Cuba,Havana,Spanish,North America;Jamaica,Kingston,English,North America;Brazil,Brasilia,Portuguese,South America;
Argentina,Buenos Aires,Spanish,South America;Chile,Santiago,Spanish,South America;Peru,Lima,Spanish,South America;Colombia,Bogota,Spanish,South America;
Ecuador,Quito,Spanish,South America;Uruguay,Montevideo,Spanish,South America;Venezuela,Caracas,Spanish,South America;Australia,Canberra,English,Oceania;
New Zealand,Wellington,English,Oceania""".replace("\n", "").split(";")]

JOBS = """accountant;actor;architect;artist;astronomer;author;baker;banker;barber;basket maker;beekeeper;biologist;blacksmith;boat builder;bookbinder;bookseller;botanist;bricklayer;
bus driver;butcher;cabinet maker;captain;caretaker;carpenter;cartoonist;cashier;chemist;chef;choir leader;cleaner;clerk;clown;coach;composer;conductor;cook;crane operator;curator;
cyclist;dancer;dentist;designer;detective;diver;doctor;drummer;economist;editor;electrician;engineer;farmer;film director;firefighter;fisherman;florist;forester;gardener;geologist;
glassblower;goldsmith;guide;guitarist;hairdresser;harbour master;historian;illustrator;interpreter;inventor;jeweller;journalist;judge;juggler;lawyer;lecturer;librarian;lifeguard;
lighthouse keeper;locksmith;machinist;magician;mathematician;mayor;mechanic;midwife;miller;miner;model maker;musician;neighbour;novelist;nurse;optician;organist;painter;
paramedic;park ranger;pastry cook;pharmacist;philosopher;photographer;physicist;pianist;pilot;plumber;poet;police officer;politician;porter;postman;potter;printer;programmer;
psychologist;publisher;receptionist;reporter;roofer;sailor;sculptor;secretary;shepherd;shoemaker;shopkeeper;singer;singing teacher;soldier;stonemason;student;surgeon;surveyor;
swimming teacher;tailor;taxi driver;teacher;technician;train driver;translator;tree surgeon;tutor;vet;violinist;waiter;watchmaker;weaver;web designer;window cleaner;
writer;yoga teacher;zookeeper;zoologist""".replace("\n", "").split(";")

ITEMS = """apples;armchairs;backpacks;baskets;batteries;bells;belts;benches;bicycles;binoculars;blankets;boots;bottles;bowls;boxes;bracelets;bricks;brooms;brushes;buckets;bulbs;buttons;
cables;calendars;cameras;candles;caps;cards;carpets;chairs;chargers;chess sets;clocks;coats;coins;combs;cups;curtains;cushions;desks;diaries;dictionaries;dishes;dolls;drums;
earrings;envelopes;erasers;fans;flags;flowers;flutes;folders;forks;frames;frying pans;garden chairs;gloves;guitars;hammers;handbags;hats;headphones;helmets;jackets;jars;jigsaws;
kettles;keyboards;keys;kites;knives;ladders;lamps;lanterns;laptops;lemons;letters;locks;magazines;magnets;mangoes;maps;markers;masks;mirrors;monitors;mugs;nails;necklaces;
needles;newspapers;notebooks;oranges;paintings;pans;paper bags;pears;pencils;pens;phones;photographs;pianos;pillows;plants;plates;pots;printers;puppets;purses;puzzles;radios;
raincoats;razors;rings;robots;ropes;rugs;rulers;sandals;saucepans;saws;scarves;scissors;screens;screws;seeds;shelves;shirts;shoes;shovels;skates;skirts;sleeping bags;slippers;
soaps;socks;sofas;spades;speakers;spoons;stamps;stickers;stools;stoves;suitcases;sunglasses;sweaters;tables;tablets;teapots;telescopes;tents;tickets;ties;tiles;toasters;toothbrushes;
torches;towels;toy cars;trousers;trumpets;tulips;tyres;umbrellas;vases;violins;wallets;watches;watering cans;wheels;whistles;wooden toys;wrenches;
alarm clocks;axes;balls;beads;bookshelves;brochures;cartons;drills;flower pots;footballs;hairbrushes;hoses;lampshades;lunch boxes;mattresses;microphones;mousetraps;napkins;paintbrushes;
picture frames;posters;postcards;projectors;rakes;sewing machines;snow boots;trays;vacuum cleaners""".replace("\n", "").split(";")

FOODS = """apple pie;apricot jam;baked beans;baked potatoes;banana bread;barley soup;bean salad;beef stew;beetroot soup;blueberry muffins;bread and butter;broccoli soup;burritos;butter chicken;
carrot cake;cauliflower cheese;cheese sandwiches;cheesecake;cherry tart;chicken curry;chicken soup;chickpea stew;chocolate cake;cinnamon rolls;coconut rice;corn soup;couscous;
cucumber salad;custard;dumplings;egg salad;falafel;fish and chips;fish pie;fish soup;french fries;fried eggs;fried rice;fruit salad;garlic bread;ginger biscuits;goulash;granola;
grilled cheese;grilled fish;grilled vegetables;honey cake;hummus;ice cream;kebabs;lamb stew;lasagne;leek soup;lemon cake;lemon chicken;lentil soup;macaroni;meatballs;melon salad;
minestrone;mushroom risotto;mushroom soup;noodle soup;nut bread;oat biscuits;omelettes;onion soup;onion tart;orange cake;paella;pancakes;pasta;pasta salad;pea soup;peach cobbler;
pear tart;pepper stew;pesto pasta;pizza;plum cake;porridge;potato salad;potato soup;pumpkin pie;pumpkin soup;quiche;raspberry jam;ratatouille;ravioli;rice pudding;roast chicken;
roast potatoes;roast vegetables;salmon;sausages;scones;scrambled eggs;sesame noodles;spaghetti;spinach pie;spring rolls;stuffed peppers;sushi;sweet potato curry;tacos;
tomato salad;tomato sauce;tomato soup;tuna salad;vegetable curry;vegetable stew;waffles;walnut bread;watermelon;yoghurt with honey;
almond biscuits;bean soup;cabbage rolls;cheese toast;fig jam;nut cake;rice salad""".replace("\n", "").split(";")

ANIMALS = """ant;badger;bat;bear;beaver;bee;beetle;blackbird;butterfly;camel;canary;cat;chicken;cow;crab;crane;crocodile;crow;deer;dog;dolphin;donkey;dove;duck;eagle;elephant;falcon;
ferret;fish;fox;frog;giraffe;goat;goldfish;goose;hamster;hare;hawk;hedgehog;heron;horse;kangaroo;kitten;koala;lamb;leopard;lion;lizard;llama;lobster;magpie;mole;monkey;moth;mouse;
octopus;otter;owl;ox;panda;parrot;peacock;pelican;penguin;pig;pigeon;pony;puppy;rabbit;raccoon;rat;raven;robin;rooster;salmon;seagull;seal;shark;sheep;snail;snake;sparrow;spider;
squirrel;stork;swan;tiger;toad;tortoise;turkey;turtle;walrus;whale;wolf;woodpecker;zebra""".replace("\n", "").split(";")

COLOURS = ["red", "blue", "green", "yellow", "orange", "purple", "white", "black", "brown", "pink", "grey", "silver", "golden", "turquoise", "violet", "beige", "dark blue",
           "light blue", "dark green", "light green", "cream", "crimson", "navy", "olive", "maroon", "copper", "lilac", "scarlet"]

HOBBIES = """acting;archery;baking;birdwatching;board games;bowling;boxing;camping;candle making;canoeing;carving wood;chess;climbing;collecting coins;collecting stamps;cooking;crochet;
cycling;dancing;darts;diving;drawing;embroidery;fencing;film photography;fishing;flower arranging;flying kites;folk dancing;football;gardening;golf;gymnastics;handball;hiking;
hockey;horse riding;ice skating;jogging;judo;juggling;karate;kayaking;knitting;learning languages;magic tricks;making jam;making pottery;martial arts;model trains;mountain biking;
origami;painting;photography;playing cards;playing the cello;playing the drums;playing the flute;playing the guitar;playing the piano;playing the violin;quilting;reading;
restoring furniture;rock climbing;rowing;rugby;running;sailing;sewing;singing;skateboarding;sketching;skiing;snowboarding;stargazing;surfing;swimming;table tennis;tennis;
theatre;trail running;travelling;volleyball;walking;watching films;weaving;woodwork;writing poems;writing stories;yoga""".replace("\n", "").split(";")

PLACES = """at the market;at the library;at the museum;at the station;at the town hall;at the school;at the hospital;at the airport;at the bakery;at the cinema;at the theatre;at the stadium;
at the swimming pool;at the harbour;at the hotel;at the farm;at the campsite;at the post office;at the bus stop;at the bank;at the bookshop;at the zoo;at the gym;at the church;
at the community centre;at the concert hall;at the university;at the fire station;at the sports ground;at the garage;at the office;at the flower shop;at the tea house;at the old mill;
at the garden centre;at the ferry port;at the city gate;at the art gallery;at the music school;at the youth club;at the lighthouse;at the ice rink;at the fish market;at the castle;
at the riverside cafe;at the corner shop;at the conference centre;at the village hall;at the botanical garden;at the observatory;in the park;in the main square;in the garden;
in a small cafe;in the forest;in the courtyard;in the old town;in the basement;in the attic;in the kitchen;in the waiting room;in the classroom;in the canteen;in the car park;
in the meeting room;in the workshop;in the greenhouse;in the lobby;in the laboratory;in the sports hall;in the reading room;in the back yard;in the shopping centre;
in the north wing;in the playground;in the orchard;in the vineyard;in the harbour office;in the town centre;in the tent;in the valley;in the west tower;in the studio;
in the dining hall;in the tunnel;near the river;near the fountain;near the bridge;near the lake;near the church;near the old tower;near the windmill;by the lake;by the sea;
by the canal;by the front gate;by the waterfall;by the statue;on the beach;on the roof;on the balcony;on the terrace;on the hill;on the island;on the pier;on the third floor;
on the ground floor;on the platform;on the ferry;outside the cinema;outside the court;outside the station;behind the house;behind the school;behind the barn;
opposite the bank;opposite the library""".replace("\n", "").split(";")

COMPANY_STEMS = """Alder Amber Apex Arbor Argo Aster Atlas Aurora Beacon Birch Blue Heron Bramble Bright Cedar Cinder Clear Water Cobalt Comet Copper Coral Crest Delta Drift Eagle Echo Elm
Ember Falcon Fern Flint Fox Glade Granite Green Leaf Harbor Hawk Hazel Heron Horizon Iris Iron Bridge Ivy Juniper Kestrel Lantern Larch Lark Lime Linden Lotus Lumen Lynx Maple
Marlin Meadow Mercury Mill Moss North Star Nova Oak Ocean Onyx Opal Orchid Osprey Otter Pebble Pine Pioneer Quartz Raven Red Stone Ridge River Rowan Sable Saffron Sage Silver
Lake Slate Solar Sparrow Spring Sterling Summit Swift Tamarind Terra Thistle Tidal Topaz Trident Vale Vega Velvet Verde Vista Walnut Willow Wren Zephyr""".split()
COMPANY_ENDINGS = ["Foods", "Books", "Motors", "Bank", "Travel", "Software", "Systems", "Energy", "Tools", "Furniture", "Garden Centre", "Bakery", "Media", "Insurance", "Hotels", "Labs", "Textiles",
                   "Logistics", "Cycles", "Optics", "Studios", "Pharmacy", "Telecom", "Clothing", "Coffee", "Electronics", "Toys", "Airlines", "Paper", "Sports", "Dental", "Design", "Fitness", "Farms"]
STREET_NAMES = """Abbey Acorn Albion Ash Bakers Bell Birch Bridge Broad Brook Canal Castle Cedar Chapel Cherry Church Clover College Cross Dock East Elm Fern Field Forest Garden George Green
Grove Harbour Hazel High Hill Holly King Lake Lark Laurel Lime Linden Long Maple Market Meadow Mill Moss New North Oak Old Orchard Park Pear Pine Pond Poplar Port Quarry Queen
Railway River Rose Rowan School Shore Silver Smith South Spring Station Stone Summer Temple Thorn Tower Union Valley Victoria Vine Walnut Water West Willow Windmill Wood""".split()
MAIL_HOSTS = ["example.com", "example.org", "example.net", "mail.example.com", "post.example.org", "home.example.net", "office.example.com", "club.example.org"]


def full_name(draw: Draw) -> str:
    return f"{draw.pick(FIRST_NAMES)} {draw.pick(SURNAMES)}"


def company(draw: Draw) -> str:
    """The name of an invented company."""
    if draw.chance(0.15):
        return f"{draw.pick(SURNAMES)} & {draw.pick(SURNAMES)}"
    return f"{draw.pick(COMPANY_STEMS)} {draw.pick(COMPANY_ENDINGS)}"


def a(noun: str) -> str:
    """The noun after its indefinite article."""
    heard_as_consonant = noun.lower().startswith(("uni", "use", "uti", "eu", "one"))
    return ("an " if noun[0].lower() in "aeiou" and not heard_as_consonant else "a ") + noun


def price(draw: Draw) -> str:
    amount = draw.pick([draw.number(2, 20), draw.number(5, 99), draw.number(10, 40) * 5, draw.number(2, 30) * 50])
    cents = draw.pick(["", "", "", ".50", ".99", ".95"])
    return draw.pick([f"${amount}{cents}", f"£{amount}{cents}", f"{amount}{cents} euros", f"{amount} dollars", f"€{amount}{cents}"])


def clock(draw: Draw) -> str:
    hour, minute = draw.number(7, 21), draw.pick([0, 0, 15, 30, 30, 45, 5, 10, 20, 40, 50])
    if draw.chance(0.5):
        return f"{hour}:{minute:02}"
    half = "am" if hour < 12 else "pm"
    twelve = hour if hour <= 12 else hour - 12
    return f"{twelve} {half}" if minute == 0 else f"{twelve}:{minute:02} {half}"


def date(draw: Draw) -> str:
    day, month, year = draw.number(1, 28), draw.pick(MONTHS), draw.number(1995, 2026)
    return draw.pick([f"{day} {month}", f"{month} {day}", f"{day} {month} {year}", f"{month} {day}, {year}", f"the {ordinal(day)} of {month}"])


def ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{ending}"


def phone(draw: Draw) -> str:
    a_part, b_part, c_part = draw.number(100, 999), draw.number(100, 999), draw.number(1000, 9999)
    return draw.pick([f"555-{c_part}", f"0{a_part} {b_part} {c_part}", f"({a_part}) 555-{c_part}", f"+{draw.number(20, 98)} {a_part} {b_part}{draw.number(10, 99)}"])


def email_of(draw: Draw, name: str) -> str:
    """An address at an example domain (RFC 2606) made of the name."""
    first, *rest = name.lower().split()
    last = rest[-1] if rest else str(draw.number(10, 99))
    return f"{draw.pick([f'{first}.{last}', f'{first[0]}.{last}', f'{first}{draw.number(1, 99)}', f'{first}_{last}'])}@{draw.pick(MAIL_HOSTS)}"


def street(draw: Draw) -> str:
    """House number and street."""
    return f"{draw.number(1, 180)} {draw.pick(STREET_NAMES)} {draw.pick(['Street', 'Street', 'Road', 'Lane', 'Avenue', 'Square', 'Close'])}"


def code(draw: Draw) -> str:
    """An order or reference number."""
    letters = "ABCDEFGHJKLMNPRSTUVWXYZ"
    two = draw.pick(letters) + draw.pick(letters)
    return draw.pick([f"{two}-{draw.number(1000, 9999)}", f"{two}{draw.number(100, 999)}", f"{draw.number(10000, 99999)}", f"#{draw.number(1000, 9999)}", f"{two}-{draw.number(10, 99)}-{draw.number(100, 999)}"])
