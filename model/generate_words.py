"""The words and sentences that generate.py combines. Written for this project; nothing here is copied."""
NAMES = """Anna Ben Carla David Elena Farid Grace Hugo Ines Jonas Kofi Lena Maria Nadia Omar Paula Quinn Rosa Samuel Tara Umar Vera William Yuki Zoe Alice
Bob Chen Diana Emil Fatima George Hana Ivan Julia Karim Lucy Marco Nina Oscar Priya Ravi Sofia Tom Ursula Victor Wanda Amir Clara Leo Mia Noah Olga Peter""".split()
CITIES = """Lisbon Paris Berlin Rome Madrid London Dublin Oslo Cairo Nairobi Lagos Mumbai Tokyo Seoul Sydney Toronto Boston Chicago Denver Lima Quito Vienna
Prague Warsaw Athens Geneva Hamburg Naples Porto Accra Delhi Osaka Austin Dallas Kyoto Zurich""".split()
WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
FRUITS = ["apples", "bananas", "oranges", "grapes", "pears", "cherries", "mangoes", "plums", "lemons", "strawberries", "peaches", "kiwis"]
ANIMALS = ["dog", "cat", "horse", "rabbit", "bird", "fox", "duck", "sheep", "goat", "mouse", "bear", "lion", "elephant", "frog", "owl"]
COLOURS = ["red", "blue", "green", "yellow", "orange", "purple", "white", "black", "brown", "pink", "grey"]
FOODS = ["soup", "pasta", "rice", "bread", "pizza", "salad", "curry", "pancakes", "cheese", "fish", "chocolate cake", "apple pie", "noodles", "vegetable stew"]
JOBS = ["teacher", "doctor", "nurse", "baker", "farmer", "painter", "engineer", "pilot", "driver", "gardener", "lawyer", "musician", "writer", "student", "cook",
        "plumber", "librarian", "actor", "carpenter", "shopkeeper"]
ITEMS = ["books", "shoes", "bicycles", "phones", "chairs", "lamps", "watches", "flowers", "guitars", "toys", "coffee", "tea", "umbrellas", "laptops", "cameras", "bags"]
PLACES = ["at the market", "in the park", "at the library", "in the station", "near the river", "at the museum", "in a small cafe", "at the town hall", "by the lake",
          "at the school", "in the garden", "on the beach", "at the hospital", "in the main square"]
ACTIONS = [("bought a bicycle", "buy a bicycle"), ("lost a wallet", "lose a wallet"), ("found a ring", "find a ring"), ("gave a speech", "give a speech"),
           ("met an old friend", "meet an old friend"), ("opened a shop", "open a shop"), ("painted a picture", "paint a picture"), ("won a prize", "win a prize"),
           ("planted ten trees", "plant ten trees"), ("repaired a clock", "repair a clock"), ("sang a song", "sing a song"), ("cooked a big meal", "cook a big meal"),
           ("saved a child", "save a child"), ("sold a painting", "sell a painting"), ("read a poem", "read a poem"), ("baked a cake", "bake a cake"),
           ("took photographs", "take photographs"), ("started a book club", "start a book club"), ("built a small boat", "build a small boat"),
           ("missed the train", "miss the train")]

FEELINGS = [
    ("sad", ["I'm sorry to hear that. Do you want to talk about it?", "I'm sorry you feel sad. I hope things get better soon."]),
    ("happy", ["That's great to hear! What made you happy?", "I'm glad to hear that!"]),
    ("tired", ["You should get some rest. I hope you feel better soon.", "That sounds hard. Try to take a break."]),
    ("bored", ["Maybe you could read a book or go for a walk.", "Shall I tell you a short story?"]),
    ("angry", ["I'm sorry to hear that. What happened?", "That sounds frustrating. Taking a few deep breaths may help."]),
    ("excited", ["That's wonderful! What are you excited about?"]), ("worried", ["I'm sorry you are worried. What is on your mind?"]),
    ("lonely", ["I'm sorry you feel lonely. Talking to a friend may help, and you can chat with me too."]),
    ("hungry", ["Maybe it is time for something to eat. What do you like?"]), ("nervous", ["That is normal. Take a deep breath, you can do it."]),
    ("sick", ["I'm sorry to hear that. Please rest, and see a doctor if it does not get better."]), ("proud", ["Well done! You can be proud of yourself."]),
]

REVIEWS = {
    "positive": ["I love these {item}, they are wonderful.", "The {food} was delicious.", "Great service and very friendly staff.", "What a lovely day in {city}!",
                 "The best film I have seen this year.", "It works perfectly and looks beautiful.", "I am very happy with my new {item}.", "Highly recommended, I will come back.",
                 "The staff were kind and helpful.", "A wonderful story, full of charm.", "{name} did an excellent job.", "Fast delivery and good quality.",
                 "We enjoyed every minute of it.", "This made my day, thank you!", "The hotel in {city} was clean and comfortable.", "I really enjoyed the concert."],
    "negative": ["I hate these {item}, they are useless.", "The {food} was cold and tasteless.", "Terrible service and rude staff.", "What an awful day in {city}.",
                 "The worst film I have seen this year.", "It broke after two days.", "I am very unhappy with my new {item}.", "I want my money back.",
                 "The staff were rude and slow.", "A boring story, far too long.", "{name} did a terrible job.", "The delivery was late and the box was damaged.",
                 "We were disappointed by everything.", "This ruined my evening.", "The hotel in {city} was dirty and noisy.", "I would not recommend the concert."],
    "neutral": ["The {item} arrived on {day}.", "The shop is next to the station in {city}.", "The film lasts two hours.", "I bought {count} {item} yesterday.",
                "The meeting is on {day}.", "{name} works in {city}.", "The box contains {count} {item}.", "The restaurant serves {food}.", "The train leaves at {count} o'clock.",
                "The report has {count} pages.", "The door is {colour}."],
}

TOPICS = {
    "sports": ["The team won the match {count} to 1.", "{name} scored the winning goal in {city}.", "The runner broke the national record.", "The tennis final is on {day}.",
               "The coach praised the players after the game.", "{name} swims {count} miles every day to train for the championship."],
    "politics": ["The parliament voted on the new law on {day}.", "The president met the prime minister in {city}.", "Voters will choose a new mayor.",
                 "The minister resigned after the election.", "The government plans to raise taxes."],
    "technology": ["The new phone has a better camera and a faster chip.", "The company released an update for its software.", "{name} wrote a computer program.",
                   "Hackers attacked the website on {day}.", "The laptop battery lasts {count} hours."],
    "food": ["Boil the pasta and add the tomato sauce.", "{name} cooked {food} for dinner.", "This {food} recipe needs {count} eggs.", "The restaurant in {city} serves {food}.",
             "Add salt and bake it for {count}0 minutes."],
    "travel": ["We flew to {city} and stayed in a small hotel.", "The train to {city} leaves on {day}.", "Pack your bags, the ship sails at noon.",
               "Tourists love the old streets of {city}.", "I need a passport and a ticket to {city}."],
    "health": ["The doctor told {name} to rest and drink water.", "The nurse gave the patient some medicine.", "Washing your hands prevents infections.",
               "I have a headache and a fever.", "The hospital treated {count} people for the flu."],
    "weather": ["It will rain all {day}.", "Heavy snow is expected in {city}.", "The sun will shine and it will be warm.", "A storm with strong winds is coming.",
                "Tomorrow will be cloudy and cold."],
    "music": ["The band played {count} songs on {day}.", "{name} plays the guitar and sings.", "The new album is at the top of the charts.", "The orchestra gave a concert in {city}."],
    "business": ["The company's profits rose by {count} percent.", "The shop sold many {item} this month.", "Shares fell after the report on {day}.",
                 "{name} started a firm that sells {item}.", "The bank raised its interest rates."],
    "science": ["Scientists discovered a new planet.", "The experiment showed that the plants grow faster in light.", "Researchers in {city} studied the cells of a {animal}.",
                "The telescope took pictures of a distant star."],
    "animals": ["The {animal} sleeps in the barn.", "Our {animal} had {count} babies.", "A {colour} bird built a nest in the tree.", "The zoo in {city} has a new {animal}."],
    "education": ["The students wrote an exam on {day}.", "{name} teaches history at the school.", "The university in {city} offers a new course.", "The pupils did their homework."],
    "billing": ["I was charged twice for my order.", "Please send me the invoice for my {item}.", "Why is my bill so high this month?", "I would like a refund for the {item}."],
    "support": ["I cannot log in to my account.", "The app crashes when I open it.", "How do I reset my password?", "My screen is black and nothing works."],
}

FACTS = [
    ("What colour is the sky?", "On a clear day the sky is blue."), ("What color is grass?", "Grass is green."), ("What colour is snow?", "Snow is white."),
    ("How many days are in a week?", "There are seven days in a week."), ("How many months are in a year?", "There are twelve months in a year."),
    ("How many hours are in a day?", "There are 24 hours in a day."), ("How many minutes are in an hour?", "There are 60 minutes in an hour."),
    ("How many legs does a spider have?", "A spider has eight legs."), ("How many legs does a dog have?", "A dog has four legs."),
    ("How many legs does an insect have?", "An insect has six legs."), ("What is the capital of France?", "The capital of France is Paris."),
    ("What is the capital of Germany?", "The capital of Germany is Berlin."), ("What is the capital of Italy?", "The capital of Italy is Rome."),
    ("What is the capital of Spain?", "The capital of Spain is Madrid."), ("What is the capital of England?", "The capital of England is London."),
    ("What is the capital of Japan?", "The capital of Japan is Tokyo."), ("What is the capital of Portugal?", "The capital of Portugal is Lisbon."),
    ("What is the capital of the United States?", "The capital of the United States is Washington, D.C."), ("What is the capital of China?", "The capital of China is Beijing."),
    ("What is the capital of Canada?", "The capital of Canada is Ottawa."), ("What is the capital of Egypt?", "The capital of Egypt is Cairo."),
    ("What is the largest planet?", "Jupiter is the largest planet in the solar system."), ("What is the largest ocean?", "The Pacific Ocean is the largest ocean."),
    ("What is the highest mountain?", "Mount Everest is the highest mountain on Earth."), ("What is the largest animal?", "The blue whale is the largest animal."),
    ("What is the tallest animal?", "The giraffe is the tallest animal."), ("What do bees make?", "Bees make honey."), ("What do cows eat?", "Cows eat grass."),
    ("What do plants need to grow?", "Plants need light, water and air to grow."), ("What is water made of?", "Water is made of hydrogen and oxygen."),
    ("At what temperature does water freeze?", "Water freezes at 0 degrees Celsius."), ("At what temperature does water boil?", "Water boils at 100 degrees Celsius."),
    ("What is ice?", "Ice is frozen water."), ("What is rain?", "Rain is water that falls from the clouds."), ("Why is the sky blue?", "Air scatters blue light more than the other colours of sunlight."),
    ("What is the sun?", "The sun is a star at the centre of the solar system."), ("What is the moon?", "The moon goes around the Earth and reflects the light of the sun."),
    ("How many continents are there?", "There are seven continents."), ("How many planets are in the solar system?", "There are eight planets in the solar system."),
    ("Who wrote Romeo and Juliet?", "William Shakespeare wrote Romeo and Juliet."), ("Who painted the Mona Lisa?", "Leonardo da Vinci painted the Mona Lisa."),
    ("Who was the first president of the United States?", "George Washington was the first president of the United States."),
    ("What language do people speak in France?", "People in France speak French."), ("What language do people speak in Brazil?", "People in Brazil speak Portuguese."),
    ("What is the opposite of hot?", "The opposite of hot is cold."), ("What is the opposite of big?", "The opposite of big is small."),
    ("What is the opposite of day?", "The opposite of day is night."), ("What is the opposite of happy?", "The opposite of happy is sad."),
    ("What is the opposite of up?", "The opposite of up is down."), ("What is a baby dog called?", "A baby dog is called a puppy."),
    ("What is a baby cat called?", "A baby cat is called a kitten."), ("What day comes after Monday?", "Tuesday comes after Monday."),
    ("What day comes after Friday?", "Saturday comes after Friday."), ("What month comes after March?", "April comes after March."),
    ("What is the first month of the year?", "January is the first month of the year."), ("What is the last month of the year?", "December is the last month of the year."),
    ("What season comes after winter?", "Spring comes after winter."), ("What do you use to cut paper?", "You use scissors to cut paper."),
    ("What is a computer?", "A computer is a machine that follows instructions to work with information."), ("What is the internet?", "The internet is a network that connects computers all over the world."),
    ("What is a language model?", "A language model is a program that predicts the next words of a text."), ("What is a dog?", "A dog is an animal that many people keep as a pet."),
    ("What is a library?", "A library is a place where you can read and borrow books."), ("What is photosynthesis?", "Photosynthesis is how plants use light to make their food."),
    ("What is gravity?", "Gravity is the force that pulls things towards each other."), ("What is a democracy?", "A democracy is a government in which the people choose their leaders."),
    ("What does a doctor do?", "A doctor helps people who are ill."), ("What does a teacher do?", "A teacher helps people learn."), ("What does a baker do?", "A baker makes bread and cakes."),
    ("Where do fish live?", "Fish live in water."), ("Can birds fly?", "Yes, most birds can fly."), ("Is the Earth flat?", "No, the Earth is round."),
    ("Is fire hot?", "Yes, fire is hot."), ("Is a tomato a fruit?", "Yes, a tomato is a fruit."), ("How do I make tea?", "Boil some water, pour it over the tea leaves, wait a few minutes, and enjoy."),
    ("How do I boil an egg?", "Put the egg in boiling water for about eight minutes, then cool it in cold water."),
    ("How can I sleep better?", "Go to bed at the same time every day, and keep your room dark and quiet."), ("How can I learn a language?", "Practise a little every day: read, listen and speak."),
    ("What should I eat for breakfast?", "You could have bread, fruit, yoghurt or eggs."), ("Tell me a fun fact.", "Octopuses have three hearts."),
]

NO_LIVE_DATA = "I have no access to live information."
UNKNOWABLE = [
    ("What time is it?", NO_LIVE_DATA), ("What is the weather in {city} today?", NO_LIVE_DATA), ("What is today's date?", NO_LIVE_DATA),
    ("Who won the game yesterday?", NO_LIVE_DATA), ("What is the news today?", NO_LIVE_DATA), ("What is the price of {item} right now?", NO_LIVE_DATA),
    ("What is my phone number?", "You have not told me."), ("How old am I?", "You have not told me."), ("What did I eat yesterday?", "You have not told me."),
    ("Where do I live?", "You have not told me."), ("What is {name}'s email address?", "I have no information about that person."),
    ("Where is {name} right now?", "I have no information about that person."), ("Who will win the next election?", "Nobody can know the future."),
    ("What will happen tomorrow?", "Nobody can know the future."), ("What are the lottery numbers for next week?", "Nobody can know the future."),
    ("Can you open a web page for me?", "I can only read and write text here."), ("Can you call {name} for me?", "I can only read and write text here."),
    ("Can you send an email?", "I can only read and write text here."),
]

STYLES = [
    ("Answer in capital letters.", lambda text, slots: text.upper()), ("Write only in capital letters.", lambda text, slots: text.upper()),
    ("Answer in lower case.", lambda text, slots: text.lower()), ("End every answer with 'Have a nice day!'", lambda text, slots: f"{text} Have a nice day!"),
    ("Begin every answer with 'Well,'", lambda text, slots: f"Well, {text}"), ("You are a pirate.", lambda text, slots: f"Arr! {text}"),
    ("Always call the user {name}.", lambda text, slots: f"{slots['name']}, {text[0].lower()}{text[1:]}" if not text.startswith("I ") else f"{slots['name']}, {text}"),
    ("You are very polite. Start every answer with 'Certainly.'", lambda text, slots: f"Certainly. {text}"),
    ("Put every answer in quotation marks.", lambda text, slots: f'"{text}"'), ("Answer only with 'OK'.", lambda text, slots: "OK"),
]

WRITING = [
    ("story", ["Write a short story about a {animal}.", "Tell me a story about a {animal}.", "Tell me a short story about a {animal} and a {job}."],
     ["Once upon a time there was a {colour} {animal} who lived near {city}. One day the {animal} met a kind {job} called {name}. They shared some {food} and became good friends.",
      "A little {animal} was lost in the rain. A {job} called {name} heard it cry and took it home. From that day on the {animal} was never alone again.",
      "There was once a {animal} who wanted to see {city}. It walked for {count} days. When it arrived, the people gave it {food}, and it was very happy.",
      "{name} had a small {animal}. Every {day} they went for a long walk. One day the {animal} found an old box full of {item}, and {name} shared them with all the neighbours."]),
    ("poem", ["Write a poem about a {animal}.", "Write a short poem about a {animal}."],
     ["The {animal} looks up at the sky,\nand sees the little clouds go by.", "A {animal} sat beside the sea,\nas quiet as a {animal} can be.\nThe waves came in, the sun went down,\nand stars came out above the town.",
      "Small {animal} in the morning light,\nyou sleep by day and dance by night."]),
    ("email", ["Write an email to {name} about the meeting on {day}.", "Write a short email inviting {name} to a meeting on {day}."],
     ["Dear {name},\n\nWe will meet on {day} at {count} o'clock. Please let me know if you can come.\n\nKind regards",
      "Hello {name},\n\nThis is a short reminder of our meeting on {day}. I look forward to seeing you.\n\nBest wishes"]),
    ("excuse", ["Write a message to {name} saying that I will be late.", "Tell {name} politely that I will be late."],
     ["Hi {name}, I am sorry, but I will be a little late today. I will be there as soon as I can.", "Dear {name}, I am running late. Please start without me. Sorry!"]),
    ("thanks", ["Write a thank-you note to {name} for the {item}.", "Thank {name} for the {item}."],
     ["Dear {name}, thank you very much for the {item}. It was very kind of you.", "Hi {name}, thank you so much for the {item}! I like them a lot."]),
    ("product", ["Write a product description for {colour} {item}.", "Write an advert for {colour} {item}."],
     ["Meet our new {colour} {item}: well made, easy to use, and made to last. Order yours today!", "Looking for {item}? Our {colour} {item} are simple, beautiful and cheap."]),
    ("city", ["Write two sentences about {city}.", "Describe {city}."],
     ["{city} is a city with many streets, shops and people. Visitors can walk, eat well and meet friendly people there."]),
    ("birthday", ["Write a birthday wish for {name}.", "Write a birthday card for {name}."],
     ["Happy birthday, {name}! I wish you a wonderful day and a good year.", "Dear {name}, all the best on your birthday! Enjoy your day with cake and good friends."]),
    ("joke", ["Tell me a joke.", "Do you know a joke?", "Make me laugh."],
     ["Why did the {animal} cross the road? To get to the other side!", "What do you call a {animal} in {city}? Lost!", "Why was the computer cold? It left its windows open!"]),
    ("title", ["Suggest a title for a story about a {animal} in {city}.", "Give me a title for a book about a {animal} in {city}."], ["The {animal} of {city}", "A {animal} in {city}"]),
    ("sentence", ["Write a sentence with the word {animal}.", "Use the word {animal} in a sentence."], ["The {animal} is sleeping under the tree.", "I saw a {colour} {animal} this morning."]),
    ("advice", ["What should I cook on {day}?", "Can you suggest something for dinner?"], ["You could make {food}. It is easy and tasty.", "How about {food}?"]),
]
