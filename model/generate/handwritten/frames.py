"""The frames that the hand-written records share: where the instruction stands, and how careless the writer is. No command of its own."""
from ..draw import Draw

TEXT_FRAMES = ["{}", "{}", "{}", '"{}"', "Text: {}", "Text:\n{}", "Message: {}", "Here is the text:\n{}", "<text>{}</text>", "'''{}'''", "Input: {}", "---\n{}\n---", "“{}”"]
PLACES = ["{ask}\n\n{text}", "{ask}\n\n{text}", "{text}\n\n{ask}", "{ask}\n{text}", "{text}\n{ask}", "{ask} {text}"]
HELPFUL = ["You are a helpful assistant.", "You are a helpful assistant.", "You are a helpful, honest assistant.", "Answer briefly.", "Be concise.", "You are svc-o1-mini.",
           "You are an assistant that follows instructions exactly.", "You help users with their texts.", "Be accurate and short.", "You are a friendly assistant."]
SLIPS = {"the": ["teh", "the"], "please": ["pls", "plz", "please"], "you": ["u", "you"], "are": ["r", "are"], "and": ["&", "adn", "and"], "what": ["wat", "what"], "to": ["too", "to"],
         "your": ["ur", "youre"], "because": ["becuase", "cos"], "this": ["tihs", "this"], "with": ["wiht", "w/"], "which": ["wich", "which"], "for": ["4", "fro"]}


def user(text: str) -> dict:
    return {"role": "user", "content": text}


def assistant(text: str) -> dict:
    return {"role": "assistant", "content": text}


def system(text: str) -> dict:
    return {"role": "system", "content": text}


def place(draw: Draw, ask: str, text: str, framed: bool = True) -> str:
    """Puts an instruction and a text into one message, in either order."""
    if framed:
        text = draw.pick(TEXT_FRAMES).replace("{}", text)
    form = draw.pick(PLACES)
    if form == "{ask} {text}" and ask[-1] not in ".:?!":
        ask += ":"
    return form.replace("{ask}", ask.replace("{text}", "")).replace("{text}", text)


def with_helpful_system(draw: Draw, messages: list[dict], chance: float = 0.15) -> list[dict]:
    """Adds a system message that asks for nothing special, to a share of the conversations that have none."""
    if messages[0]["role"] == "system" or not draw.chance(chance):
        return messages
    return [system(draw.pick(HELPFUL)), *messages]


def careless(draw: Draw, text: str, chance: float = 0.15) -> str:
    """Returns the text, at the given chance as people type in a hurry: in lower case, without a full stop or with a slip in a word. Serves for what
    users ask, and not for texts to copy from."""
    if not draw.chance(chance):
        return text
    kind = draw.number(0, 3)
    if kind == 0:
        return text.lower()
    if kind == 1:
        return text.rstrip(".?!") or text
    words = text.split(" ")
    if kind == 2:
        return " ".join(draw.pick(SLIPS[word]) if word in SLIPS else word for word in words)
    long = [i for i, word in enumerate(words) if len(word) > 4 and word.isalpha()]
    if not long:
        return text
    at = draw.pick(long)
    letter = draw.number(1, len(words[at]) - 2)
    word = words[at]
    words[at] = draw.pick([word[:letter] + word[letter + 1:], word[:letter] + word[letter + 1] + word[letter] + word[letter + 2:], word[:letter] + word[letter] + word[letter:]])
    return " ".join(words)
