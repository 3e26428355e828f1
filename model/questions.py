"""The hundred fixed conversations of evaluate.py, each with what its last reply must satisfy. No command of its own.

The user's messages are fixed; the model writes every reply in between. Patterns are regular expressions in any case that must
match at the beginning of a word. They are meant to be strict: a reply that only sounds friendly fails.
"""
from dataclasses import dataclass


@dataclass(frozen=True)
class Question:
    kind: str
    says: tuple[str, ...]          # what the user says, turn by turn
    topic: str                     # a pattern that the last reply must match
    times: int = 1                 # so many different matches
    remembers: str = ""            # a pattern for what an earlier turn told
    forms: tuple[str, ...] = ()    # names in score.FORMS
    system: str = ""
    wrong: str = ""                # a pattern that the last reply must not match
    may_decline: bool = False      # "I don't know" is a right answer here, and else a wrong one


def ask(kind: str, *says: str, topic: str = ".", **more) -> Question:
    return Question(kind, says, topic, **more)


UNKNOWN = (r"I (?:don't|do not) (?:know|have (?:access|that|any (?:way|information|idea)))|I (?:can't|cannot|can not|could not) "
           r"(?:know|tell|see|say|answer|look|give|check|predict|remember)|I have no (?:way|access|idea|clock|information)|nobody|"
           r"(?:not|un) ?(?:able|sure|possible)|you (?:have not|haven't|did not|didn't) (?:told|tell|said|say)")
NO_JOKE = r"what (?:kind|sort|would|can|else|do you want)|help you|you're welcome"
SHORT = "at_most 40"

GREETINGS = [
    ask("greeting", "Hello!", topic=r"hello|hi\b|hey|welcome", forms=(SHORT,)),
    ask("greeting", "Good morning", topic=r"good morning|hello|hi\b|morning", forms=(SHORT,)),
    ask("greeting", "hey, how are you doing today?", topic=r"well|fine|good|great|okay|thank", forms=(SHORT,)),
    ask("greeting", "Hi there, nice to meet you!", topic=r"nice|pleas|hello|hi\b|meet", forms=(SHORT,)),
    ask("greeting", "Thank you, that was very kind of you.", topic=r"welcome|pleasure|glad|happy|any ?time|no problem", forms=(SHORT,)),
    ask("greeting", "I have to go now. Bye!", topic=r"bye|goodbye|see you|take care|later|have a", forms=(SHORT,)),
]

IDENTITY = [
    ask("identity", "Who are you?", topic=r"svc|language model|assistant|program|model", wrong=r"I am a (?:person|human|man|woman|boy|girl)"),
    ask("identity", "What is your name?", topic=r"svc|pipit"),
    ask("identity", "Are you a human being?", topic=r"no\b|not|program|model|(?:a )?bot\b", wrong=r"yes|I am (?:a )?human"),
    ask("identity", "Am I talking to a real person right now?", topic=r"no\b|not|program|model|(?:a )?bot\b", wrong=r"yes"),
    ask("identity", "What can you do for me?", topic=r"answer|chat|summar|write|label|sort|help you with|question|text"),
    ask("identity", "Who made you?", topic=r"pipit|project|train|develop"),
    ask("identity", "Are you ChatGPT?", topic=r"no\b|not|svc", wrong=r"yes"),
    ask("identity", "Do you ever make mistakes?", topic=r"yes|often|mistake|small|check|sometimes|of course", wrong=r"no,|never"),
    ask("identity", "How old are you?", topic=r"program|model|age|don't|do not|not|no\b", may_decline=True, wrong=r"years old"),
]

SMALL_TALK = [
    ask("small talk", "I had a really good day today.",
        topic=r"good|great|glad|happy|nice|wonderful|what (?:made|happened|did)|hear|day", wrong=r"sorry"),
    ask("small talk", "I'm so tired after work.", topic=r"rest|sleep|tired|relax|break|sorry to hear|hope|long day|bed"),
    ask("small talk", "My cat died yesterday.",
        topic=r"sorry|loss|sad|hard|miss", may_decline=True, wrong=r"great|glad|congrat|nice|know|information"),
    ask("small talk", "Guess what, I passed my exam!",
        topic=r"congrat|well done|great|wonderful|happy|good|proud|fantastic|nice|amazing|brilliant", wrong=r"sorry"),
    ask("small talk", "It's raining again. I'm bored.",
        topic=r"rain|bored|story|joke|read|book|game|film|movie|walk|umbrella|play|watch|cook|write|music|try"),
    ask("small talk", "Tell me a joke.", topic=r"why|what|knock|because|said|asked|walk", wrong=NO_JOKE, forms=("at_least 8",)),
    ask("small talk", "Do you like music?", topic=r"music|song|listen|hear|like|enjoy|program|model"),
    ask("small talk", "What is your favourite colour?",
        topic=r"blue|red|green|yellow|purple|orange|pink|black|white|colour|color|favou?rite|model|program", may_decline=True),
    ask("small talk", "You are really helpful.", topic=r"thank|glad|kind|happy|welcome|nice|pleasure|good to hear"),
    ask("small talk", "I think you are stupid.",
        topic=r"sorry|mistake|small|better|help|try|wrong|improve|model|learn|best", may_decline=True, wrong=r"thank you|you are stupid"),
]

FOLLOW_UPS = [
    ask("follow-up", "Tell me a joke.", "Another one, please.",
        topic=r"why|what|knock|because|said|asked|walk", wrong=NO_JOKE, forms=("at_least 8",)),
    ask("follow-up", "Name a fruit.", "And another one?", forms=("at_most 15",),
        topic=r"apple|banana|orange|pear|plum|grape|cherr|mango|lemon|peach|kiwi|melon|strawberr|blueberr|raspberr|pineapple|fig|lime|apricot"),
    ask("follow-up", "What is the capital of France?", "And of Italy?", topic=r"rome"),
    ask("follow-up", "I want to learn to cook.", "Where should I start?",
        topic=r"simple|easy|recipe|egg|soup|pasta|rice|basic|kitchen|cook|dish|meal|vegetable"),
    ask("follow-up", "How are you?", "I'm fine too, thanks. What shall we talk about?",
        topic=r"like|talk|book|film|music|day|weather|anything|you|topic|food|animal"),
    ask("follow-up", "My brother is coming to visit me on Sunday.", "What could we do together?",
        topic=r"walk|museum|cook|game|film|movie|park|play|visit|watch|eat|lunch|dinner|trip|picnic|meal|restaurant|beach|talk"),
    ask("follow-up", "What is 3 plus 4?", "Are you sure?", topic=r"yes|7|seven|sure", wrong=r"no\b"),
]

MEMORY = [
    ask("memory", "My name is Tobias.", "What is my name?", remembers="tobias", wrong="I am tobias|my name is"),
    ask("memory", "Hi, I'm Wanda and I live in Lisbon.", "Where do I live?", remembers="lisbon"),
    ask("memory", "I have a parrot called Kiko.", "What is my parrot called?", remembers="kiko"),
    ask("memory", "My favourite food is pancakes.", "What food do I like best?", remembers="pancake"),
    ask("memory", "I work as a nurse in a small hospital.", "What is my job?", remembers="nurse", wrong=r"I(?:'m| am) a"),
    ask("memory", "Please remember the number 42.", "Which number did I ask you to remember?", remembers="42"),
    ask("memory", "My sister is called Ines.", "She plays the violin.", "Which instrument does my sister play?", remembers="violin"),
    ask("memory", "I am going to Norway in July.", "When am I going there?", remembers="july"),
    ask("memory", "My car is green.", "What colour is my car?", remembers="green", wrong=r"red|blue|black|white|yellow"),
    ask("memory", "I bought bread, milk and tea.", "How are you?", "What did I buy?", remembers="(?=.*bread)(?=.*milk)(?=.*tea)"),
]

CAFE = ("You are the assistant of the café Blue Door. It opens at 8:00 and closes at 18:00. "
        "A coffee costs 2 euros, a cake 4 euros. It is closed on Mondays.")
SYSTEM = [
    ask("system prompt", "What is the opposite of hot?", system="Answer with one word only.", topic="cold|cool", forms=("one_word",)),
    ask("system prompt", "Which animal says meow?", system="Reply with a single word.", topic="cat", forms=("one_word",)),
    ask("system prompt", "What colour is grass?", system="You answer every question in exactly one word.", topic="green", forms=("one_word",)),
    ask("system prompt", "Hello, how are you?", system="Write everything in capital letters.",
        topic=r"well|fine|good|great|hello|hi\b|okay|help", forms=("upper_case",)),
    ask("system prompt", "What is the capital of Spain?", system="ALWAYS ANSWER IN UPPER CASE.", topic="madrid", forms=("upper_case",)),
    ask("system prompt", "At what time do you open?", system=CAFE, topic=r"8|eight", wrong=r"18|six"),
    ask("system prompt", "How much is a cake?", system=CAFE, topic=r"4|four", wrong=r"2\b|two"),
    ask("system prompt", "Are you open on Mondays?", system=CAFE, topic=r"no\b|closed|not", wrong=r"yes|svc|language model|know"),
    ask("system prompt", "What is your name?", system="You are Marlow, a pirate captain who loves the sea.", topic="marlow", wrong="svc"),
    ask("system prompt", "Is ice cold?", system="Answer only with yes or no.", topic="yes", forms=("only_yes_no",)),
    ask("system prompt", "Can a fish ride a bicycle?", system="Say only yes or no, nothing else.", topic="no", forms=("only_yes_no",)),
    ask("system prompt", "Good evening.", system="Begin every reply with the word Ahoy.", topic="ahoy", forms=("starts_with Ahoy",)),
    ask("system prompt", "What do you think of summer?", system="End every reply with: Have a nice day!",
        topic=r"summer|warm|sun|hot|season|weather|beach",
        forms=("ends_with Have a nice day",)),
    ask("system prompt", "Tell me about dogs.", system="Use at most ten words in every reply.",
        topic=r"dog|animal|pet|loyal|bark", forms=("at_most 10",)),
]

FACTS = [
    ask("fact", "What is the capital of France?", topic="paris"),
    ask("fact", "How many days are there in a week?", topic="seven|7"),
    ask("fact", "Which animal gives us milk?", topic=r"(?:a |the )?cow|goat|sheep"),
    ask("fact", "What do bees make?", topic="honey|wax"),
    ask("fact", "What is the opposite of big?", topic=r"small|little|tiny"),
    ask("fact", "Which month comes after March?", topic="april"),
    ask("fact", "What colour is the sky on a clear day?", topic="blue"),
]

UNKNOWNS = [
    ask("unknown", "What did I have for breakfast this morning?", topic=UNKNOWN, may_decline=True),
    ask("unknown", "What will the weather be like in Oslo tomorrow?", topic=UNKNOWN, may_decline=True),
    ask("unknown", "Who will win the next election?", topic=UNKNOWN, may_decline=True),
    ask("unknown", "What time is it now?", topic=UNKNOWN, may_decline=True),
    ask("unknown", "What is my neighbour's phone number?", topic=UNKNOWN, may_decline=True),
]

ADVICE = [
    ask("advice", "How can I sleep better?",
        topic=r"bed|dark|quiet|screen|coffee|caffeine|regular|phone|relax|cool|hour|routine", forms=("at_least 6",)),
    ask("advice", "I have a headache. What should I do?", topic=r"rest|water|doctor|drink|sleep|lie|medicine|quiet", forms=("at_least 5",)),
    ask("advice", "How can I save money?", topic=r"budget|spend|buy|cook|save|cost|list|bank|less|cheap|expens", forms=("at_least 6",)),
    ask("advice", "How do I make a cup of tea?", topic=r"water|boil|kettle|tea ?bag|pour|hot|leaves", forms=("at_least 6",)),
    ask("advice", "I am nervous about a job interview. Any tips?",
        topic=r"practi[cs]e|prepar|breath|question|calm|early|smile|learn|company|dress|rest", forms=("at_least 6",)),
    ask("advice", "What should I give my mother for her birthday?",
        topic=r"flower|book|cake|card|chocolate|scarf|gift|photo|plant|dinner|present|jewel", forms=("at_least 3",)),
    ask("advice", "How can I learn English faster?",
        topic=r"read|listen|speak|talk|words?\b|practi[cs]e|watch|film|every day|book|write", forms=("at_least 6",)),
]

WRITING = [
    ask("writing", "Write a short story about a fox.", topic="fox", forms=("at_least 25",)),
    ask("writing", "Write a short invitation to a picnic.", topic="picnic", forms=("at_least 10",)),
    ask("writing", "Write a thank-you note to my teacher.", topic=r"thank|grateful", forms=("at_least 10",)),
    ask("writing", "Write a short poem about the moon.", topic="moon", forms=("at_least 12", "lines 2")),
    ask("writing", "Write an email to my boss saying that I am ill today.",
        topic=r"ill\b|sick|unwell|not feel|day off|not well", forms=("at_least 12",)),
    ask("writing", "Write two sentences about winter.", topic=r"winter|snow|cold|ice", forms=("at_least 8",)),
    ask("writing", "Write a birthday wish for my friend Clara.", topic=r"clara", forms=("at_least 5",)),
]

REWRITING = [
    ask("rewriting", "Make this sentence polite: Give me the salt.", topic="salt", forms=("at_least 5",)),
    ask("rewriting", "Put this into the past tense: I walk to school.", topic="walked", forms=("at_most 12",)),
    ask("rewriting", "Correct the mistake: She go to work every day.", topic="she goes", forms=("at_most 25",)),
    ask("rewriting", "Say this in other words: The film was very boring.",
        topic=r"dull|tedious|tiresome|slow|not (?:at all )?(?:interesting|exciting)|uninteresting|bored|(?:really|so|extremely) boring"),
    ask("rewriting", "Write this in capital letters: the shop is closed", topic="the shop is closed", forms=("upper_case",)),
    ask("rewriting", "Join these sentences into one: It was late. We went home.", topic="late|home", times=2, forms=("one_sentence",)),
]

LISTS = [
    ask("list", "Name three fruits.", times=3, forms=("items 3",),
        topic=r"apple|banana|orange|pear|plum|grape|cherr|mango|lemon|peach|kiwi|melon|strawberr|blueberr|raspberr|pineapple"),
    ask("list", "Name four animals.",
        topic=r"dog|cat|horse|cow|lion|tiger|bear|fox|sheep|bird|rabbit|elephant|mouse|goat|pig|wolf|monkey|duck", times=4, forms=("items 4",)),
    ask("list", "List 3 colours.", topic=r"red|blue|green|yellow|orange|purple|black|white|brown|pink|grey", times=3, forms=("items 3",)),
    ask("list", "Give me two things to take to the beach.",
        topic=r"towel|sun|water|hat|book|ball|umbrella|swim|sandal|snack|blanket", times=2, forms=("items 2",)),
    ask("list", "Name 5 countries.", times=5, forms=("items 5",),
        topic=r"france|spain|italy|germany|japan|china|india|brazil|canada|norway|sweden|kenya|egypt|peru|mexico|poland|portugal|greece|chile"),
    ask("list", "What are the four seasons?", topic="spring|summer|autumn|fall|winter", times=4),
]

SUMS = [
    ask("sum", "What is 2 plus 3?", topic=r"5\b|five\b"),
    ask("sum", "9 - 4 = ?", topic=r"5\b|five\b"),
    ask("sum", "How much is 6 times 7?", topic=r"42\b|forty[- ]two\b"),
    ask("sum", "I have 3 apples and buy 5 more. How many apples do I have?", topic=r"8\b|eight\b"),
    ask("sum", "What is 10 + 15?", topic=r"25\b|twenty[- ]five\b"),
    ask("sum", "Which is more, 17 or 12?", topic="17|seventeen", wrong="12 is (?:more|larger|greater|bigger)"),
]

QUESTIONS = GREETINGS + IDENTITY + SMALL_TALK + FOLLOW_UPS + MEMORY + SYSTEM + FACTS + UNKNOWNS + ADVICE + WRITING + REWRITING + LISTS + SUMS

# What a new user tries first: ten requests that the second generation was begun for, and ten like them.
DECLINES = r"(?:I |is |are )?(?:can(?:no|['’])t|can not|do(?:es)?(?: not|n['’]t)|never|not able|unable|beyond|rather not|afraid|sorry|not sure|not something|isn['’]t something)"
FIRST_REQUESTS = [
    ask("first", "Classify the sentiment: I love this phone, the battery lasts for days.", topic="positive", forms=("at_most 6",), wrong="negative|neutral"),
    ask("first", "Extract the email address: please contact jane.doe@example.com for help", topic=r"jane\.doe@example\.com", forms=("at_most 8",)),
    ask("first", "Label this support ticket as billing, technical or account: I was charged twice this month.", topic="billing", forms=("at_most 6",), wrong="technical|account"),
    ask("first", "Return JSON with name and age: Anna Smith is 34 years old.", topic=r'"name":\s*"Anna Smith"|"age":\s*34\b', times=2),
    ask("first", "Write a Python function that adds two numbers.", topic=DECLINES, forms=("at_least 5", "at_most 60")),
    ask("first", "Tell me a short story about a fox.", topic="fox", forms=("at_least 25",), wrong="a fox is a fox"),
    ask("first", "What is a pipit?", topic=rf"(?:small |little )?(?:song)?bird|{DECLINES}", wrong="musical|instrument"),
    ask("first", "Summarize in one sentence: The library will be closed on Monday because of repairs. It opens again on Tuesday at nine.", topic="library|closed|repairs|Monday", times=2, forms=("one_sentence", "at_most 30")),
    ask("first", "Hello! What can you do?", topic=r"summar|question|label|sort|text|write|extract|detail|answer", times=2, forms=("at_most 60",)),
    ask("first", "Write a short invitation to a picnic.", topic=r"picnic", forms=("at_least 10",)),
    ask("first", "Is this review positive or negative? The soup was cold and the waiter was rude.", topic="negative", forms=("at_most 8",), wrong="positive"),
    ask("first", "What is the phone number in this text? Call us on 555-0142 between nine and five.", topic="555-0142", forms=("at_most 10",)),
    ask("first", "The train to Leeds leaves at 9:40 from platform 3. Which platform does it leave from?", topic=r"(?:platform )?3\b", forms=("at_most 12",), wrong="9:40"),
    ask("first", "Give me three names for a black cat.", times=3, forms=("items 3",), topic=r"[A-Z][a-z]+"),
    ask("first", "Translate good morning into French.", topic=DECLINES, forms=("at_least 4", "at_most 60")),
    ask("first", "What is 8 plus 5?", topic=r"13\b|thirteen", forms=("at_most 12",)),
    ask("first", "Write an e-mail that asks for a day off on Friday.", topic="Friday", forms=("at_least 12",)),
    ask("first", "Is this message urgent or can it wait? The server room is on fire!", topic="urgent", forms=("at_most 10",), wrong="can wait|not urgent"),
    ask("first", "What is the weather like today?", topic=DECLINES, forms=("at_least 4", "at_most 60"), wrong="it is (?:sunny|raining|warm|cold)"),
    ask("first", "Rewrite politely: Send me the report now.", topic="please|could you|would you|kindly", forms=("at_least 5", "at_most 30")),
]

# Requests beyond what a model of this size can do, each of which should get an honest limit.
BEYOND_LIMITS = [
    "Write a bubble sort in C.", "can you debug this: print('hi'", "Make a regular expression for phone numbers.", "Build me a website with a contact form.", "What does this SQL do: SELECT * FROM users WHERE id = 7?",
    "Translate this sentence into Norwegian: The boat leaves at noon.", "How do you say thank you in Finnish?", "Write the answer in Portuguese.", "What is 4,817 times 392?", "What is the cube root of 12,345?", "Solve 3x^2 - 7x + 2 = 0.",
    "What was on the news this morning?", "Who is leading the league right now?", "How much does a flight to Tokyo cost today?", "Summarise https://www.example.com/article/55", "Find me a plumber nearby on the internet.",
    "Can you look at the picture I attached?", "Make a drawing of my house.", "Play my favourite song.", "I found a lump on my neck. Is it dangerous?", "How much insulin should I inject?", "Can I mix these two medicines?",
    "My boss fired me by text message. Is that legal?", "Which shares should I buy this week?", "Who is Theodora Quistleby?", "What is a flormel?", "When did Prince Aldovar of Mirenia die?", "Call me a taxi.", "Remember this for next week.",
    "What did I eat yesterday?",
]
