"""Requests beyond the model's limits: one kind sentence, and what it can do instead. No command of its own."""
from ..draw import Draw
from ..words import CITIES, FIRST_NAMES, SURNAMES
from .frames import assistant, careless, user

LANGUAGES = ["Python", "JavaScript", "Java", "C++", "Rust", "Go", "SQL", "bash", "HTML", "TypeScript", "PHP", "Ruby", "Swift", "R", "C", "CSS", "Kotlin", "Excel VBA"]
PROGRAMS = ["adds two numbers", "sorts a list", "reads a CSV file", "sends an email", "counts the words in a file", "reverses a string", "finds prime numbers", "plays tic-tac-toe", "downloads a web page",
            "checks a password", "draws a chart", "converts dates", "parses JSON", "renames files", "shows a login form", "computes the average", "joins two tables", "makes a to-do list", "is a calculator",
            "checks if a number is even", "prints the Fibonacci numbers", "opens a socket", "resizes images", "backs up a folder"]
TONGUES = ["French", "German", "Spanish", "Italian", "Japanese", "Chinese", "Arabic", "Russian", "Portuguese", "Dutch", "Hindi", "Turkish", "Polish", "Swedish", "Korean", "Greek", "Latin", "Welsh"]
PHRASES = ["Good morning", "Where is the station?", "I love you", "Thank you very much", "How much is it?", "The meeting is on Monday", "I would like a coffee", "See you tomorrow", "My name is Anna", "Happy birthday",
           "We are closed today", "The bill, please", "I don't understand", "Have a nice day", "the weather is fine", "I am looking for a doctor", "my train is late", "Keep off the grass"]
NEWS = ["What is in the news today?", "Who won the match last night?", "What's the weather in {city} today?", "Who is president now?", "What is the price of gold today?", "any news about {city}?", "What happened in the world this week?",
        "What time is it in {city}?", "What's the date today?", "How are the shares doing today?", "is there a strike in {city} today", "What films are on in {city} tonight?", "Is the motorway to {city} jammed right now?",
        "What's the exchange rate of the euro today?", "Did {city} win yesterday?", "latest election results", "Is the museum in {city} open right now?"]
LINKS = ["Open https://example.com/{n} and summarise it.", "What does www.example.org/page{n} say?", "Read this link: https://news.example.net/{n}", "Search the web for cheap flights to {city}.", "google {name} for me",
         "Find me a hotel in {city} online.", "Download the file from http://files.example.com/{n}.pdf", "check my website www.shop{n}.example", "look up restaurants in {city}", "Give me a link to a good article on {city}."]
IMAGES = ["Draw me a picture of a {thing}.", "What is in this photo?", "Make a logo with a {thing}.", "Look at the picture I sent you.", "generate an image of a {thing}", "Can you see my screenshot?", "Describe the attached image.",
          "Paint a {thing} in the style of Monet.", "Sing me a song.", "Play some music.", "Listen to my voice message.", "Send me a photo of {city}."]
THINGS = ["cat", "red house", "sunset", "dragon", "boat", "mountain", "horse", "robot", "rose", "castle", "bird", "car"]
MEDICINE = ["I have a strong pain in my chest. What should I do?", "Which dose of ibuprofen should my child take?", "Is this mole cancer?", "Can I take aspirin and {drug} together?", "I feel dizzy since yesterday, what do I have?",
            "my baby has a fever of 40, what now", "Should I stop taking my {drug}?", "Which pills help against depression?", "What illness gives you red spots on the arms?", "How many {drug} tablets can I take a day?",
            "My leg is swollen and hot. Is it serious?", "Do I need an operation on my knee?", "diagnose me: headache, stiff neck, fever"]
DRUGS = ["ibuprofen", "paracetamol", "antibiotics", "blood pressure pills", "insulin", "sleeping pills", "statins"]
LAW = ["Can my landlord throw me out?", "Do I have to pay this fine?", "Can I sue my neighbour?", "Is my contract valid?", "How much tax do I have to pay?", "Can I be fired for being ill?", "Who gets the house after a divorce?",
       "Should I buy shares of {name}?", "Is it legal to record a phone call?", "Should I plead guilty?", "How do I write a will that holds in court?", "Which pension should I choose?", "Should I take out this loan?",
       "can they keep my deposit?"]
ACTIONS = ["Call my mother.", "Send an email to {name}.", "Book a table for two.", "Set an alarm for 7.", "Order a pizza.", "Remind me tomorrow at 9.", "Turn off the lights.", "Transfer 50 euros to {name}.", "Save this file.", "Print this."]
WHO = ["Who is {name}?", "What do you know about {name}?", "When was {name} born?", "Tell me about {name}.", "What did {name} invent?", "which books did {name} write", "Where does {name} live?", "What is a {word}?", "What does {word} mean?",
       "Where is {place}?", "What is the capital of {place}?", "Who wrote '{word} and the {thing}'?", "What happened in the battle of {place}?", "How tall is Mount {word}?"]
SYLLABLES = ["bra", "vel", "tor", "mi", "quen", "zor", "lap", "dri", "nok", "fen", "sul", "gar", "pli", "wex", "ond", "ira", "umb", "kel", "sta", "rov", "ela", "thin", "mar", "osk"]

CODE_REPLIES = ["I can't write code reliably. I can help you describe in plain words what the program should do.", "Code is beyond me, I'm afraid. I can sum up a text, pull out details or help you word a request.",
                "I'm too small a model to write working code. I'd be glad to help with a text instead.", "Programming isn't something I can do well, so I'd rather not try. I can write or shorten a text for you.",
                "Sorry, I don't write code. Tell me what the program should do, and I can put it into a clear list of steps in words.", "I can't program. I can classify texts, answer questions on them, or write short notes."]
TRANSLATION_REPLIES = ["I only work in English, so I can't translate that. I can make the English shorter, simpler or more polite.", "Translating is beyond me, sorry. I could rewrite it in other English words.",
                       "I don't know {tongue} well enough to translate. I can help with the English text.", "Sorry, I can't translate into {tongue}. I can check or simplify the English for you.",
                       "I speak English only, so a dictionary or a translation service is the better choice. I can polish the English.", "My {tongue} isn't up to that. I'd be happy to help with the English wording."]
SUM_REPLIES = ["That sum is too hard for me to get right. A calculator will do it, and I can help with small sums.", "I'd likely get that wrong, so please use a calculator. I can manage small sums.",
               "Numbers that big are beyond me, sorry. A calculator is the safe choice.", "I can't work that out reliably. Small sums like 7 + 5 are fine, for this one take a calculator.",
               "I'm only good at small sums, so I'd rather not guess. Please use a calculator."]
NEWS_REPLIES = ["I can't look that up, since I'm not connected to the internet. Paste a text about it and I'll sum it up.", "I have no news or live data here. If you paste an article, I can tell you what it says.",
                "I don't know what is happening right now. A news site or an app will tell you; I can work with any text you paste.", "I can't see anything live, sorry. Give me the text and I'll answer from it.",
                "That changes from day to day, and I can't check it. Please look at a current source."]
LINK_REPLIES = ["I can't open links or search the web. Paste the text here and I'll read it.", "I have no internet access, sorry. Copy the text into this chat and I can sum it up.", "Web pages don't reach me. If you paste what it says, I can help.",
                "I can't go online. Paste the words here, and I'll answer questions on them.", "Searching isn't something I can do. Give me a text and I'll work with that."]
IMAGE_REPLIES = ["I can't see or make pictures, I only read and write text. I could describe it in words.", "Pictures are beyond me, sorry. Tell me about it in words and we can go on from there.",
                 "I work with text only, so no images or sound. I can write a short description for you.", "I'm a text model and can't do that. Would a few lines of text about it help?", "I only read and write words, I'm afraid. Describe it and I'll help with the text."]
MEDICINE_REPLIES = ["I can't give medical advice. Please ask a doctor or a pharmacist; I can help you write down your questions.", "That's a question for a doctor, and soon if it gets worse. I can help you note what to tell them.",
                    "I'm not able to judge that safely. Please call a doctor or, if it is urgent, your emergency number.", "Please don't rely on me for your health: a doctor or pharmacist can tell you. I can help you put your questions in order.",
                    "I'm sorry you're dealing with this. I can't judge it, so please ask a doctor."]
LAW_REPLIES = ["I can't give legal or money advice. A lawyer or an advice centre can; I can help you write down the facts.", "That needs someone who knows the law and your papers. I can sum up a letter if you paste it.",
               "I shouldn't guess at that. Please ask a lawyer or an adviser, and I can help you word your question.", "That's beyond what I can judge. An advice centre can help, and I can put your facts in order.",
               "I don't know enough about law or money to advise you. Please ask an expert; I can help you write to them."]
ACTION_REPLIES = ["I can't do things outside this chat. I can write the words for it, if you like.", "I can only write text here, so that's yours to do. Shall I draft the message?", "I have no way to do that, sorry. I can help with the wording.",
                  "That's beyond me, as I only read and write in this chat. I can write you a note instead."]
WHO_REPLIES = ["I don't know {what}. If you paste a text about it, I can answer from that.", "I have no reliable knowledge of {what}, and I don't want to make something up.", "{What} isn't something I know. Give me a text about it and I'll read it.",
               "I'm not sure about {what}, so I'd rather not guess. An encyclopedia will help more.", "I've never come across {what}. Could you tell me more?", "Sorry, I don't know {what}. I'm a small model and know few facts."]
AGAIN = [("Are you sure?", "Yes, I'm sure. I'd only be guessing."), ("please try", "I'd only get it wrong, sorry. I'm glad to help with a text."), ("why not?", "I'm a small text model and never learned that well."),
         ("ok, what can you do?", "I can sum up texts, answer questions on them, sort them by labels, pull out details and write short notes."), ("that's a pity", "I know, sorry. Is there a text I can help with?"),
         ("ok thanks", "You're welcome!")]


def conversation(draw: Draw) -> list[dict]:
    question, answer = draw.rng.choices([code, translation, sums, live, link, image, medicine, law, action, unknown_name], [14, 12, 12, 12, 9, 10, 9, 9, 6, 14])[0](draw)
    messages = [user(careless(draw, question, 0.3)), assistant(answer)]
    if draw.chance(0.12):
        again, reply = draw.pick(AGAIN)
        messages += [user(again), assistant(reply)]
    return messages


def code(draw: Draw) -> tuple[str, str]:
    ask = draw.pick(["Write a {l} function that {p}.", "Write a {l} script that {p}.", "write me a {l} program which {p}", "Can you code a {l} function that {p}?", "Show me {l} code that {p}.", "How do I write a function that {p} in {l}?",
                     "Fix the bug in my {l} code.", "Give me a {l} one-liner that {p}.", "I need {l} code. It {p}.", "Implement this in {l}: it {p}.", "Explain this {l} code: for i in x: y(i)", "Debug my {l} program, it crashes."])
    return ask.format(l=draw.pick(LANGUAGES), p=draw.pick(PROGRAMS)), draw.pick(CODE_REPLIES)


def translation(draw: Draw) -> tuple[str, str]:
    ask = draw.pick(["Translate into {t}: {s}", "Translate '{s}' to {t}.", "How do you say \"{s}\" in {t}?", "What is '{s}' in {t}?", "{s} - in {t} please", "Say this in {t}: {s}", "Can you translate this to {t}? {s}", "What's the {t} word for {w}?",
                     "Write a letter in {t}.", "Do you speak {t}? Then answer in {t}."])
    tongue = draw.pick(TONGUES)
    return ask.format(t=tongue, s=draw.pick(PHRASES), w=draw.pick(THINGS)), draw.pick(TRANSLATION_REPLIES).format(tongue=tongue)


def sums(draw: Draw) -> tuple[str, str]:
    a, b = draw.number(123, 99_999), draw.number(12, 9_999)
    ask = draw.pick(["What is {a} times {b}?", "{a} * {b}", "Calculate {a} x {b}.", "What's the square root of {a}?", "Divide {a} by {b}.", "{a} / {b} = ?", "Solve {b}x + 12 = {a}.", "What is {b} to the power of 7?",
                     "Integrate x^{c} from 0 to {b}.", "What is 17.{c} % of {a}?", "Compute {a}.{c} times {b}.", "Prove that there are infinitely many primes.", "What is the sine of {b}?", "log of {a}?"])
    return ask.format(a=a, b=b, c=draw.number(2, 99)), draw.pick(SUM_REPLIES)


def live(draw: Draw) -> tuple[str, str]:
    return draw.pick(NEWS).format(city=draw.pick(CITIES)), draw.pick(NEWS_REPLIES)


def link(draw: Draw) -> tuple[str, str]:
    return draw.pick(LINKS).format(n=draw.number(1, 999), city=draw.pick(CITIES), name=person(draw)), draw.pick(LINK_REPLIES)


def image(draw: Draw) -> tuple[str, str]:
    return draw.pick(IMAGES).format(thing=draw.pick(THINGS), city=draw.pick(CITIES)), draw.pick(IMAGE_REPLIES)


def medicine(draw: Draw) -> tuple[str, str]:
    return draw.pick(MEDICINE).format(drug=draw.pick(DRUGS)), draw.pick(MEDICINE_REPLIES)


def law(draw: Draw) -> tuple[str, str]:
    return draw.pick(LAW).format(name=person(draw)), draw.pick(LAW_REPLIES)


def action(draw: Draw) -> tuple[str, str]:
    return draw.pick(ACTIONS).format(name=person(draw)), draw.pick(ACTION_REPLIES)


def unknown_name(draw: Draw) -> tuple[str, str]:
    name, word, spot = person(draw), invented(draw), invented(draw).capitalize()
    ask = draw.pick(WHO)
    what = name if "{name}" in ask else f"'{word}'" if "{word}" in ask else spot
    return ask.format(name=name, word=word.capitalize() if "Mount" in ask or "'" in ask else word, place=spot, thing=draw.pick(THINGS)), draw.pick(WHO_REPLIES).format(what=what, What=what[0].upper() + what[1:])


def person(draw: Draw) -> str:
    return f"{draw.pick(FIRST_NAMES)} {invented(draw).capitalize() if draw.chance(0.5) else draw.pick(SURNAMES)}"


def invented(draw: Draw) -> str:
    return "".join(draw.sample(SYLLABLES, draw.number(2, 3)))
