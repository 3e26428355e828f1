"""Sums and dates: small arithmetic, word problems, money, percentages, weekdays, months, clock times and units. Numbers stay small mostly."""
from .chat import asks, bank, capital, fill, says
from .draw import Draw, row
from .words import FIRST_NAMES, ITEMS, MONTHS, WEEKDAYS

ONLY = bank("""Only the number. | Answer with a number. | Just the number, please. | Give only the number. | Reply with the number only. |
    Number only. | Write only the number. | Only the result, please. | The number alone is enough. | Answer with the number alone. |
    No words, just the number. | Respond with a number. | I need only the number. | Say just the number. | Only a number as answer.""")
PLAIN = bank("""What is {s}? | What's {s}? | How much is {s}? | Calculate {s}. | {s} | {s} = ? | {s}? | Work out {s}. | Tell me {s}. |
    Can you calculate {s}? | Please calculate {s}. | Solve {s}. | Compute {s}. | What do you get for {s}? | {s} equals? | {s} = |
    What does {s} make? | I need the result of {s}. | What is the result of {s}? | How much does {s} make? | Give me {s}. | Sum: {s} |
    My homework says {s}. What is it? | Could you work out {s}? | What would {s} be? | what is {s} | whats {s} | what's {s} | how much is {s} |
    {s} please | Do you know what {s} is? | Quick, what is {s}? | Can you tell me what {s} is? | {s} is? | {s} makes? | {s} is what? | so what is {s} |
    Hey, what's {s}? | and {s}? | Please tell me {s}. | What number is {s}? | The answer to {s}? | I forgot what {s} is. | Say what {s} is. |
    Tell me how much {s} is. | What do I get for {s}? | can you do {s} | Do the sum: {s} | Answer this: {s} | If I work out {s}, what do I get?""")
SPOKEN = {"+": ["{a} plus {b}", "{a} and {b} together", "the sum of {a} and {b}", "{b} added to {a}"],
          "-": ["{a} minus {b}", "{a} less {b}", "the difference of {a} and {b}"],
          "*": ["{a} times {b}", "{a} multiplied by {b}", "the product of {a} and {b}"], "/": ["{a} divided by {b}", "{a} over {b}"]}
SIGNS = {"+": ["+"], "-": ["-"], "*": ["*", "x", "×"], "/": ["/", "÷", ":"]}


def operands(draw: Draw) -> tuple[int, str, int, int]:
    """Left side, sign, right side and result; most numbers lie below 13."""
    sign = draw.rng.choices("+-*/", [40, 30, 20, 10])[0]
    if sign == "*":
        left, right = draw.number(0 if draw.chance(0.1) else 2, 12), draw.number(1, 12)
        return left, sign, right, left * right
    if sign == "/":
        right, result = draw.number(1 if draw.chance(0.1) else 2, 10), draw.number(1, 12)
        return right * result, sign, right, result
    top = draw.rng.choices([6, 12, 60, 500], [20, 50, 20, 10])[0]
    left, right = draw.number(0, top), draw.number(0, top)
    if sign == "+":
        return left, sign, right, left + right
    left, right = max(left, right), min(left, right)
    return left, sign, right, left - right


def asked(draw: Draw, bank_of: list[str], values: dict, full: str, number: object) -> tuple[str, str]:
    """The question, and the full reply or the bare number where that is what the question asks for."""
    question = asks(draw, bank_of, values)
    if draw.chance(0.2):
        return after_end(question, draw.wording(ONLY)), str(number)
    return question, full


def after_end(question: str, words: str) -> str:
    return f"{question} {words}" if question[-1] in "?.!" else f"{question}\n{words}"


def plain_sum(draw: Draw) -> dict:
    turns = []
    for _ in range(draw.pick([1, 1, 1, 2])):
        left, sign, right, result = operands(draw)
        spoken = draw.chance(0.45) and (sign == "+" or left != right)
        expression = draw.pick(SPOKEN[sign]).format(a=left, b=right) if spoken else draw.pick(["{} {} {}", "{} {} {}", "{}{}{}"]).format(left,
                draw.pick(SIGNS[sign]), right)
        turns += asked(draw, PLAIN, {"s": expression}, f"{left} {sign} {right} = {result}", result)
    return row("sums", *turns)


THREE = bank("""What is {a} + {b} + {c}? | {a} + {b} + {c} | How much is {a} + {b} + {c}? | Add {a}, {b} and {c}. |
    What is the sum of {a}, {b} and {c}? | {a} plus {b} plus {c}? | Calculate {a}+{b}+{c}. | {a}, {b} and {c} together make what? |
    Please add up {a}, {b} and {c}. | Sum up {a}, {b}, {c}. | What do {a}, {b} and {c} make? | Total of {a}, {b} and {c}? |
    I have {a}, {b} and {c}. What is the total? | Work out {a} + {b} + {c}. | Add these numbers: {a}, {b}, {c}""")
DOUBLE = bank("""What is double {a}? | What is twice {a}? | Double {a}. | What is the double of {a}? | How much is two times {a}? |
    Twice {a} is what? | What do I get if I double {a}? | Double the number {a}. | {a} doubled? | Tell me the double of {a}. |
    Calculate twice {a}. | Please double {a}. | How much is {a} doubled? | If I have twice {a}, how much is it?""")
HALF = bank("""What is half of {a}? | Half of {a}? | Halve {a}. | How much is half of {a}? | What is {a} divided in two? | Calculate half of {a}. |
    What do I get if I halve {a}? | {a} halved? | Tell me half of {a}. | Divide {a} by two. | What's one half of {a}? |
    Please halve {a}. | The half of {a} is what? | If I cut {a} in two equal parts, how big is one?""")


def small_steps(draw: Draw) -> dict:
    kind = draw.pick(["three", "double", "half"])
    if kind == "three":
        a, b, c = (draw.number(1, draw.pick([9, 9, 20])) for _ in range(3))
        return row("sums", *asked(draw, THREE, {"a": a, "b": b, "c": c}, f"{a} + {b} + {c} = {a + b} + {c} = {a + b + c}", a + b + c))
    a = draw.number(1, draw.pick([12, 50, 50, 120]))
    if kind == "double":
        return row("sums", *asked(draw, DOUBLE, {"a": a}, f"2 * {a} = {2 * a}", 2 * a))
    return row("sums", *asked(draw, HALF, {"a": 2 * a}, f"{2 * a} / 2 = {a}", a))


LARGER = bank("""Which is larger, {a} or {b}? | Which number is bigger: {a} or {b}? | What is more, {a} or {b}? | Is {a} or {b} the larger number? |
    Tell me the bigger number: {a}, {b}. | Which is greater, {a} or {b}? | {a} or {b}: which is more? | Compare {a} and {b}. Which is larger? |
    Find the larger one of {a} and {b}. | What is the maximum of {a} and {b}? | Which of the two is larger, {a} or {b}? |
    Take the bigger number from {a} and {b}. | Of {a} and {b}, which is the greater?""")
SMALLER = bank("""Which is smaller, {a} or {b}? | Which number is smaller: {a} or {b}? | What is less, {a} or {b}? |
    Is {a} or {b} the smaller number? | Tell me the smaller number: {a}, {b}. | Which is lower, {a} or {b}? | {a} or {b}: which is less? |
    Compare {a} and {b}. Which is smaller? | Find the smaller one of {a} and {b}. | What is the minimum of {a} and {b}? |
    Which of the two is smaller, {a} or {b}? | Take the lower number from {a} and {b}.""")
LARGEST = bank("""Which is the largest: {l}? | What is the biggest of these numbers: {l}? | Find the largest number: {l} |
    Which number is the highest? {l} | The maximum of {l}? | Tell me the largest of {l}. | Pick the biggest number from {l}. |
    {l}: which is the greatest? |
    Give me the highest of these: {l} | Which of {l} is the largest?""")
SMALLEST = bank("""Which is the smallest: {l}? | What is the lowest of these numbers: {l}? | Find the smallest number: {l} |
    Which number is the lowest? {l} | The minimum of {l}? | Tell me the smallest of {l}. | Pick the lowest number from {l}. |
    {l}: which is the least? |
    Give me the smallest of these: {l} | Which of {l} is the smallest?""")
SORT_UP = bank("""Sort these numbers: {l} | Put the numbers in order: {l} | Order from small to large: {l} | Sort {l}, the smallest first. |
    Arrange {l} from lowest to highest. | Sort in rising order: {l} | Bring these numbers into order: {l} | {l}: sort them, please. |
    Write these numbers in order: {l} | Can you sort {l}?""")
EVEN = bank("""Is {a} even or odd? | Even or odd: {a}? | Is the number {a} odd or even? | {a}: even or odd? | Tell me if {a} is even or odd. |
    Would you say {a} is even or odd? | What is {a}, even or odd? | Check whether {a} is even or odd. | Odd or even? {a} |
    Say if {a} is odd or even. |
    Do we call {a} even or odd?""")


def comparing(draw: Draw) -> dict:
    kind = draw.pick(["larger", "smaller", "larger", "smaller", "largest", "smallest", "sort", "even"])
    a, b = draw.sample(range(1, draw.pick([20, 100, 100, 1000])), 2)
    if kind == "even":
        return row("sums", asks(draw, EVEN, {"a": a}), f"{a} is {('even', 'odd')[a % 2]}.")
    if kind in ("larger", "smaller"):
        chosen = max(a, b) if kind == "larger" else min(a, b)
        return row("sums", *asked(draw, LARGER if kind == "larger" else SMALLER, {"a": a, "b": b}, f"{chosen} is {kind}.", chosen))
    numbers = draw.sample(range(1, draw.pick([20, 100, 500])), draw.number(3, 5))
    listed = ", ".join(map(str, numbers))
    if kind == "sort":
        return row("sums", says(draw, SORT_UP, {"l": listed}), ", ".join(map(str, sorted(numbers))))
    chosen = max(numbers) if kind == "largest" else min(numbers)
    return row("sums", *asked(draw, LARGEST if kind == "largest" else SMALLEST, {"l": listed}, f"{chosen} is the {kind}.", chosen))


COUNT_UP = bank("""Count from {a} to {b}. | Please count from {a} to {b}. | Count up from {a} to {b}. | Write the numbers from {a} to {b}. |
    List the numbers {a} to {b}. | Can you count from {a} to {b}? | Give me all numbers from {a} to {b}. | Numbers {a} to {b}, please. |
    Start at {a} and count to {b}. | Say the numbers between {a} and {b}, with both ends. | Which numbers go from {a} to {b}?""")
COUNT_DOWN = bank("""Count down from {b} to {a}. | Count backwards from {b} to {a}. | Please count down from {b} to {a}. |
    Write the numbers from {b} down to {a}. | Do a countdown from {b} to {a}. | List the numbers from {b} back to {a}. |
    Can you count backwards from {b} to {a}? |
    Start at {b} and count down to {a}. | Countdown: {b} to {a} | Numbers from {b} down to {a}, please.""")
NEXT = bank("""What comes next: {l}? | Which number comes next? {l} | Continue: {l} | What is the next number: {l}, ...? | {l}, ... what follows? |
    Find the next number in {l}. | Complete the sequence: {l}, ? | Next number? {l} | How does it go on: {l}? | {l} and then? |
    Which number follows: {l}? | The sequence is {l}. What is next? | What should come after {l}? | Carry on: {l}""")
BEFORE_AFTER = bank("""Which number comes {w} {a}? | What number is {w} {a}? | What comes right {w} {a}? | Tell me the number {w} {a}. |
    The number {w} {a}? | Which number is directly {w} {a}? | Name the number {w} {a}. | When counting, what comes {w} {a}? |
    Say the number just {w} {a}.""")


def counting(draw: Draw) -> dict:
    kind = draw.pick(["up", "down", "next", "next", "beside"])
    a = draw.number(0, draw.pick([5, 30, 90]))
    b = a + draw.number(3, 10)
    if kind == "up":
        return row("sums", says(draw, COUNT_UP, {"a": a, "b": b}), ", ".join(map(str, range(a, b + 1))))
    if kind == "down":
        return row("sums", says(draw, COUNT_DOWN, {"a": a, "b": b}), ", ".join(map(str, range(b, a - 1, -1))))
    if kind == "next":
        step = draw.pick([1, 2, 2, 3, 4, 5, 5, 10, 10, 20, 100, -1, -2, -5, -10])
        start = draw.number(1, 20) if step > 0 else draw.number(5 * -step, 5 * -step + 30)
        return row("sums", *asked(draw, NEXT, {"l": ", ".join(str(start + i * step) for i in range(4))}, f"{start + 4 * step} comes next.",
                                  start + 4 * step))
    word, step = draw.pick([("before", -1), ("after", 1)])
    a = draw.number(1, draw.pick([20, 100, 999]))
    return row("sums", *asked(draw, BEFORE_AFTER, {"w": word, "a": a}, f"{a + step} comes {word} {a}.", a + step))


# story | sign | the reply's words after the number
ADDING = bank("""{name} has {a} {item}. {other} gives {name} {b} more. How many {item} does {name} have now? |
    {name} buys {a} {item} on {day} and {b} on {day2}. How many {item} is that? | There are {a} {item} on the table and {b} in a box. How many
    {item} are there in all? |
    I have {a} {item} and get {b} more. How many {item} do I have? | {name} has {a} {item} and {other} has {b}. How many {item} do they have
    together? | In the first shop there are {a} {item}, in the second {b}. How many {item} in both shops? |
    {name} found {a} {item} in the cellar and {b} in the attic. How many {item} did {name} find? |
    A van brings {a} {item} in the morning and {b} in the evening. How many {item} does it bring? |
    {name} sold {a} {item}. Later {name} sold {b} more. How many {item} were sold? |
    On the shelf stand {a} {item}. {name} adds {b}. How many {item} are on the shelf now? |
    {other} collected {a} {item} last year and {b} this year. How many {item} are that? | My bag holds {a} {item}, yours holds {b}. How many {item}
    do we have? |
    {a} {item} are red and {b} are blue. How many {item} are there? | We ordered {a} {item} and then {b} more. How many {item} did we order? |
    {name} had {a} {item} and got {b} for a birthday. How many {item} are there now?""")
TAKING = bank("""{name} has {a} {item} and gives {b} to {other}. How many {item} does {name} have left? |
    There were {a} {item} in the box. {name} took {b}. How many {item} are left? | A shop has {a} {item}. It sells {b} on {day}. How many {item}
    remain? |
    I had {a} {item} and lost {b}. How many {item} do I still have? | {name} needs {a} {item} and already has {b}. How many {item} are missing? |
    Of {a} {item}, {b} are broken. How many {item} are whole? | {other} bought {a} {item} and gave back {b}. How many {item} did {other} keep? |
    {a} {item} were on the table, but {name} carried away {b}. How many {item} are still there? |
    {name} has {a} {item}, {other} has {b}. How many more {item} does {name} have? | From {a} {item} {name} sold {b}. How many {item} are left? |
    We had {a} {item}. On {day} we used {b}. How many {item} are left? | {name} packed {a} {item} and took {b} out again. How many {item} are still
    packed? | There are {a} {item} in the room. {b} of them belong to {name}. How many {item} belong to others? |
    {other} owns {a} {item} but can only find {b}. How many {item} are lost?""")
TIMES = bank("""{name} has {a} boxes with {b} {item} each. How many {item} are that? | There are {a} shelves with {b} {item} on each. How many
    {item} are there? | {a} people bring {b} {item} each. How many {item} do they bring? | {name} buys {b} {item} a day for {a} days. How many
    {item} is that? |
    Each of {a} friends has {b} {item}. How many {item} do they have together? | A bag holds {b} {item}. How many {item} are in {a} bags? |
    {name} packs {a} bags with {b} {item} each. How many {item} are packed? | In {a} rooms stand {b} {item} each. How many {item} are there in all? |
    {other} sells {b} {item} every day. How many {item} does {other} sell in {a} days? | {a} tables, {b} {item} on each table: how many {item}? |
    We have {a} rows of {b} {item}. How many {item} do we have? | One car carries {b} {item}. How many {item} do {a} cars carry?""")
SHARE = bank("""{name} shares {a} {item} equally among {b} friends. How many {item} does each friend get? |
    {a} {item} are put into {b} boxes, the same number in each. How many {item} are in one box? |
    {b} people share {a} {item} equally. How many {item} for each? |
    Divide {a} {item} among {b} children. How many {item} does each child get? | {name} packs {a} {item} into {b} equal parcels. How many {item} are
    in a parcel? | {a} {item} stand on {b} shelves, equally many on each. How many {item} are on one shelf? |
    There are {a} {item} for {b} rooms. How many {item} go into each room if all get the same? |
    {name} sells {a} {item} in {b} days, the same number every day. How many {item} a day? |
    A teacher gives {a} {item} to {b} groups in equal parts. How many {item} per group? |
    {a} {item} in {b} equal rows: how many {item} in a row?""")
MONEY_TIMES = bank("""{name} buys {a} {item} at {b} euros each. What does {name} pay? | One of the {item} costs {b} euros. What do {a} cost? |
    How much are {a} {item} at {b} euros each? | {a} {item} at {b} euros each, what is the total? |
    The {item} cost {b} euros each. {name} takes {a}. How much is it? |
    What do {a} {item} cost if one costs {b} euros? | I buy {a} {item} for {b} euros each. How much do I pay? |
    Price for {a} {item} at {b} euros each? | {name} earns {b} euros an hour and works {a} hours. How much is that? |
    A ticket costs {b} euros. What do {a} tickets cost? |
    {a} people pay {b} euros each. How much do they pay together? | {name} saves {b} euros a week. How much does {name} save in {a} weeks?""")
MONEY_CHANGE = bank("""{name} has {a} euros and spends {b}. How much is left? | I pay with {a} euros. The {item} cost {b} euros. How much do I get
    back? | {name} had {a} euros and bought {item} for {b} euros. How much money is left? |
    The {item} cost {a} euros, but {name} has only {b}. How much is missing? |
    From {a} euros {name} takes {b} for {item}. How many euros remain? | What is the change from {a} euros if I pay {b}? |
    {name} gives {other} {b} of {a} euros. How much does {name} keep? | A jacket costs {a} euros and is now {b} euros cheaper. What does it cost? |
    {name} wants {item} for {a} euros and has saved {b}. How much is still needed? | Bill: {b} euros. I hand over {a} euros. What is my change?""")
MONEY_PLUS = bank("""{name} pays {a} euros for {item} and {b} euros for lunch. How much is it together? |
    I spent {a} euros on {day} and {b} on {day2}. How much in all? | {name} has {a} euros and gets {b} more. How much money is that? |
    The {item} cost {a} euros and the delivery {b}. What is the total? |
    {name} earns {a} euros and {other} earns {b}. How much do they earn together? | Bread costs {a} euros and cheese {b} euros. What do both cost? |
    {a} euros are in my purse and {b} in the drawer. How much money do I have? | A ticket for {a} euros and one for {b} euros, how much is that? |
    {name} saved {a} euros in {month} and {b} in the next month. How much is saved? | What do I pay for {item} at {a} euros and a bag at {b}
    euros?""")
DISTANCE = bank("""{name} walks {a} km in the morning and {b} km in the evening. How far is that? |
    It is {a} km to the lake and {b} km further to the village. How far is the village? | {name} cycled {a} km on {day} and {b} km on {day2}. How
    many km in all? |
    I ran {a} km yesterday and {b} km today. How many km is that? | A bus drives {a} km, makes a stop, and drives {b} km more. How far does it
    drive? | From my house to the shop it is {a} km, from there to work {b} km. How long is the way? |
    {name} drives {a} km to {other} and then {b} km to the sea. How far does {name} drive? |
    First {a} km by train, then {b} km on foot. How far is it in all?""")
STORIES = [(ADDING, "+", "{item}"), (TAKING, "-", "{item}"), (TIMES, "*", "{item}"), (SHARE, "/", "{item}"), (MONEY_TIMES, "*", "euros"),
           (MONEY_CHANGE, "-", "euros"),
           (MONEY_PLUS, "+", "euros"), (DISTANCE, "+", "km")]


def story(draw: Draw) -> dict:
    """A word problem of two or three sentences; the reply shows the sum."""
    wordings, sign, unit = draw.rng.choices(STORIES, [5, 5, 4, 3, 4, 4, 3, 2])[0]
    name, other = draw.sample(FIRST_NAMES, 2)
    day, day2 = draw.sample(WEEKDAYS, 2)
    top = draw.pick([12, 20, 20, 60])
    if sign == "+":
        a, b = draw.number(2, top), draw.number(2, top)
        result = a + b
    elif sign == "-":
        b = draw.number(2, top)
        result = draw.number(2, top)
        a = b + result
    elif sign == "*":
        a, b = draw.number(2, 9), draw.number(2, 10)
        result = a * b
    else:
        b, result = draw.number(2, 9), draw.number(2, 10)
        a = b * result
    values = {"name": name, "other": other, "day": day, "day2": day2, "item": draw.pick(ITEMS), "month": draw.pick(MONTHS), "a": a, "b": b}
    question = capital(fill(draw.wording(wordings), values))
    if draw.chance(0.2):
        return row("sums", f"{question} {draw.wording(ONLY)}", str(result))
    return row("sums", question, f"{a} {sign} {b} = {result} {unit.format(**values)}.")


PERCENT = bank("""What is {p}% of {a}? | How much is {p} percent of {a}? | {p}% of {a}? | Calculate {p}% of {a}. | What is {p} % of {a} euros? |
    Tell me {p} percent of {a}. | Find {p}% of {a}. | {p} percent of {a}, please. | I need {p}% of {a}. | How many are {p}% of {a}? |
    Work out {p}% of {a}. | What do I get for {p}% of {a}? | {p} % of {a} is what? | What is {p} percent of {a} people?""")


def percent(draw: Draw) -> dict:
    p, part = draw.pick([(10, 10), (10, 10), (50, 2), (50, 2), (25, 4), (20, 5), (100, 1)])
    a = draw.number(1, draw.pick([10, 10, 20])) * {10: 10, 2: 10, 4: 20, 5: 10, 1: 10}[part]
    return row("sums", *asked(draw, PERCENT, {"p": p, "a": a}, f"{p}% of {a} is {a // part}.", a // part))


# --- dates, times, units ----------------------------------------------------------------------------------------

DAY_BESIDE = bank("""Which day comes {w} {d}? | What day is {w} {d}? | What is the day {w} {d}? | Name the day {w} {d}. |
    Which weekday is {w} {d}? | The day {w} {d} is what? | What comes {w} {d}? | Tell me the day {w} {d}. | {w2} {d}, which day is it? |
    I forgot which day comes {w} {d}. |
    Which day of the week comes {w} {d}? | Do you know the day {w} {d}? | Say the weekday {w} {d}.""")
IN_DAYS = bank("""Today is {d}. Which day is it in {n} days? | It is {d}. What day will it be in {n} days? | What day is {n} days after {d}? |
    {n} days after {d}, which day is it? | Which day is it {n} days from {d}? | If today is {d}, what day is it in {n} days? |
    Today is {d} and the party is in {n} days. On which day is it? | {d} plus {n} days is which day? |
    Starting on {d}, which day comes {n} days later? | We have {d}. In {n} days it is what day? |
    My parcel comes in {n} days and today is {d}. On which day does it come? |
    Count {n} days on from {d}. Which day is it?""")
DAYS_AGO = bank("""Today is {d}. Which day was it {n} days ago? | What day was {n} days before {d}? | {n} days before {d}, which day was it? |
    It is {d}. What day was it {n} days ago? | If today is {d}, what day was it {n} days ago? | We have {d}. {n} days ago it was what day? |
    Which day was it {n} days before {d}? | {d} minus {n} days is which day? | Count {n} days back from {d}. Which day is it? |
    I came {n} days ago. Today is {d}. On which day did I come?""")
DAYS_BETWEEN = bank("""How many days is it from {d} to the next {e}? | How many days after {d} is {e}? | From {d} to {e}, how many days are that? |
    Today is {d}. In how many days is it {e}? | If today is {d}, how many days until {e}? | How many days from {d} until {e}? |
    It's {d}. How long is it until {e}? |
    The trip is on {e} and today is {d}. How many days are left? | Count the days from {d} to {e}. | {d} to {e}: how many days later is that?""")
MONTH_BESIDE = bank("""Which month comes {w} {m}? | What month is {w} {m}? | Name the month {w} {m}. | What comes {w} {m}? |
    The month {w} {m} is which? | Tell me the month {w} {m}. | What is the month {w} {m}? | Do you know which month is {w} {m}? |
    {w2} {m} comes which month? | Say the month {w} {m}.""")
NTH_MONTH = bank("""Which month is the {n} month of the year? | What is the {n} month? | Name the {n} month of the year. |
    The {n} month is called what? | What's the name of the {n} month? | Tell me the {n} month of the year. | Which one is the {n} month? |
    The {n} month? | Say the {n} month.""")
MONTH_NUMBER = bank("""Which number has the month {m}? | What number is {m}? | {m} is which month of the year, by number? |
    What is the number of {m}? | Which month of the year is {m}? | {m}: which number in the year? | Tell me the month number of {m}. |
    {m} is the how-many-th month?""")
MONTH_DAYS = bank("""How many days does {m} have? | How many days has {m}? | How many days are in {m}? | {m} has how many days? |
    Tell me how many days {m} has. | Number of days in {m}? | How long is {m}, in days? | Do you know how many days {m} has? |
    What is the number of days in {m}? | {m}: how many days?""")
SEASON = bank("""In which season is {m} in Europe? | Which season is {m} in the north? | To which season does {m} belong in Europe? |
    What season is it in {m} in Europe? | Season of {m} in the northern half of the world? | In the north, which season is {m} in? |
    What season has Europe in {m}? |
    Tell me the season of {m} in Europe. | Is it spring, summer, autumn or winter in Europe in {m}?""")
ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh", "twelfth"]
DAYS_OF_MONTH = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
SEASONS = ["winter", "winter", "spring", "spring", "spring", "summer", "summer", "summer", "autumn", "autumn", "autumn", "winter"]


def day_names(draw: Draw) -> dict:
    kind = draw.pick(["beside", "in", "in", "ago", "between"])
    i, n = draw.number(0, 6), draw.number(2, 6)
    day = WEEKDAYS[i]
    if kind == "beside":
        word, step = draw.pick([("before", -1), ("after", 1)])
        return row("dates", asks(draw, DAY_BESIDE, {"w": word, "w2": word.capitalize(), "d": day}), f"{WEEKDAYS[(i + step) % 7]} comes {word} {day}.")
    if kind == "in":
        n = draw.number(2, draw.pick([4, 6, 9]))
        return row("dates", asks(draw, IN_DAYS, {"n": n, "d": day}), f"{n} days after {day} is {WEEKDAYS[(i + n) % 7]}.")
    if kind == "ago":
        return row("dates", asks(draw, DAYS_AGO, {"n": n, "d": day}), f"{n} days before {day} is {WEEKDAYS[(i - n) % 7]}.")
    end = WEEKDAYS[(i + n) % 7]
    return row("dates", *asked(draw, DAYS_BETWEEN, {"d": day, "e": end}, f"From {day} to {end} it is {n} days.", n))


def month_names(draw: Draw) -> dict:
    kind = draw.pick(["beside", "beside", "nth", "number", "days", "season"])
    i = draw.number(0, 11)
    month = MONTHS[i]
    if kind == "beside":
        word, step = draw.pick([("before", -1), ("after", 1)])
        return row("dates", asks(draw, MONTH_BESIDE, {"w": word, "w2": word.capitalize(), "m": month}),
                   f"{MONTHS[(i + step) % 12]} comes {word} {month}.")
    if kind == "nth":
        return row("dates", asks(draw, NTH_MONTH, {"n": ORDINALS[i]}), f"{month} is the {ORDINALS[i]} month.")
    if kind == "number":
        return row("dates", asks(draw, MONTH_NUMBER, {"m": month}), f"{month} is month number {i + 1}.")
    if kind == "season":
        return row("dates", asks(draw, SEASON, {"m": month}), f"{month} is in {SEASONS[i]}.")
    days = "28 days, in a leap year 29" if i == 1 else f"{DAYS_OF_MONTH[i]} days"
    return row("dates", asks(draw, MONTH_DAYS, {"m": month}), f"{month} has {days}.")


CLOCK_LATER = bank("""It is {t}. What time is it in {n} {u}? | It's {t} now. What time will it be in {n} {u}? | What time is {n} {u} after {t}? |
    {t} plus {n} {u}? | The clock shows {t}. And in {n} {u}? | My train leaves at {t} and takes {n} {u}. When does it arrive? |
    The film starts at {t} and lasts {n} {u}. When does it end? | The meeting begins at {t} and takes {n} {u}. When is it over? |
    I start at {t} and need {n} {u}. When am I done? | If it is {t}, what time is it {n} {u} later? | Add {n} {u} to {t}. |
    The cake goes into the oven at {t} and needs {n} {u}. When is it ready? | Now: {t}. In {n} {u} it is what time? |
    A walk starts at {t} and lasts {n} {u}. When does it end?""")
CLOCK_EARLIER = bank("""It is {t}. What time was it {n} {u} ago? | What time is {n} {u} before {t}? | {t} minus {n} {u}? |
    I must be there at {t}. The way takes {n} {u}. When do I have to leave? | The clock shows {t}. What was it {n} {u} ago? |
    If it is {t}, what time was it {n} {u} earlier? |
    We arrived at {t} after {n} {u}. When did we start? | The film ended at {t} and lasted {n} {u}. When did it begin? |
    Subtract {n} {u} from {t}. | Now it is {t}. And {n} {u} ago?""")
TO_24 = bank("""What is {t} in 24-hour time? | Convert {t} to the 24-hour clock. | Write {t} in 24-hour format. | {t} in 24-hour time? |
    How do you write {t} in 24-hour form? | Turn {t} into 24-hour time. | 24-hour form of {t}? | Change {t} to 24-hour format. |
    Give me {t} as 24-hour time. | {t} on a 24-hour clock is what?""")
TO_12 = bank("""What is {t} in 12-hour time? | Convert {t} to am or pm. | Write {t} with am or pm. | {t} in 12-hour format? |
    How do you say {t} with am or pm? | Turn {t} into 12-hour time. | 12-hour form of {t}? | Change {t} to am/pm. |
    Give me {t} in the 12-hour form. | {t} on a 12-hour clock is what?""")


def shown(minutes: int) -> str:
    return f"{minutes // 60}:{minutes % 60:02d}"


def clock_sums(draw: Draw) -> dict:
    kind = draw.pick(["later", "later", "earlier", "24", "12"])
    if kind in ("24", "12"):
        hour, minute = draw.number(1, 23), draw.pick([0, 0, 15, 30, 45, 5 * draw.number(0, 11)])
        twelve = f"{(hour - 1) % 12 + 1}{f':{minute:02d}' if minute or draw.chance(0.5) else ''} {'am' if hour < 12 else 'pm'}"
        long = shown(60 * hour + minute)
        if kind == "24":
            return row("dates", asks(draw, TO_24, {"t": twelve}), f"{twelve} is {long}.")
        return row("dates", asks(draw, TO_12, {"t": long}), f"{long} is {(hour - 1) % 12 + 1}:{minute:02d} {'am' if hour < 12 else 'pm'}.")
    whole_hours = draw.chance(0.5)
    n = draw.number(2, 6) if whole_hours else draw.pick([5, 10, 15, 20, 25, 30, 30, 40, 45])
    start = 60 * draw.number(7, 16) + 5 * draw.number(0, 11) * draw.pick([0, 1, 1])
    step = n * 60 if whole_hours else n
    end = start + step if kind == "later" else start - step
    word = "after" if kind == "later" else "before"
    unit = "hours" if whole_hours else "minutes"
    wordings = CLOCK_LATER if kind == "later" else CLOCK_EARLIER
    return row("dates", asks(draw, wordings, {"t": shown(start), "n": n, "u": unit}), f"{n} {unit} {word} {shown(start)} is {shown(end)}.")


DATE_LATER = bank("""Which date is {n} days after {d}? | It is {d}. What is the date in {n} days? | {d} plus {n} days? |
    What is the date {n} days after {d}? | Today is {d}. I leave in {n} days. On which date? | Add {n} days to {d}. |
    If today is {d}, what date is it in {n} days? |
    The bill is from {d} and must be paid in {n} days. By which date? | {n} days after {d} is which date? |
    Starting on {d}, what is the date {n} days later?""")
DATE_EARLIER = bank("""Which date is {n} days before {d}? | It is {d}. What was the date {n} days ago? | {d} minus {n} days? |
    What is the date {n} days before {d}? | If today is {d}, what date was it {n} days ago? | Subtract {n} days from {d}. |
    {n} days before {d} is which date? |
    I arrived {n} days ago and today is {d}. On which date did I arrive?""")
DATE_FORMAT = bank("""Write {d} as {f}. | Convert {d} to {f}. | Change the date {d} into {f}. | {d} in the form {f}? |
    Give me {d} in the format {f}. | How do I write {d} as {f}? | Format {d} as {f}. | Put the date {d} into the form {f}. |
    What is {d} in the format {f}? | Turn {d} into {f}. |
    Rewrite the date as {f}: {d} | Date: {d}. Format: {f}.""")


def date_sums(draw: Draw) -> dict:
    i = draw.number(0, 11)
    month, last = MONTHS[i], DAYS_OF_MONTH[i]
    if draw.chance(0.45):
        n = draw.number(1, 10) + 1
        first = draw.number(1, last - n)
        if draw.chance(0.6):
            return row("dates", asks(draw, DATE_LATER, {"n": n, "d": f"{first} {month}"}), f"{n} days after {first} {month} is {first + n} {month}.")
        return row("dates", asks(draw, DATE_EARLIER, {"n": n, "d": f"{first + n} {month}"}),
                   f"{n} days before {first + n} {month} is {first} {month}.")
    day, year = draw.number(1, last), draw.number(1950, 2035)
    forms = {"YYYY-MM-DD": f"{year}-{i + 1:02d}-{day:02d}", "DD.MM.YYYY": f"{day:02d}.{i + 1:02d}.{year}", "day month year": f"{day} {month} {year}",
             "DD/MM/YYYY": f"{day:02d}/{i + 1:02d}/{year}"}
    given = draw.pick([f"{day} {month} {year}", f"{month} {day}, {year}", forms["YYYY-MM-DD"]])
    target = draw.pick(["YYYY-MM-DD", "YYYY-MM-DD", "DD.MM.YYYY", "DD/MM/YYYY"]) if month in given else draw.pick(["day month year",
            "day month year", "DD.MM.YYYY", "DD/MM/YYYY"])
    return row("dates", says(draw, DATE_FORMAT, {"d": given, "f": target}), forms[target])


UNIT_ASKS = bank("""How many {y} are {n} {x}? | Convert {n} {x} to {y}. | {n} {x} in {y}? | What is {n} {x} in {y}? | {n} {x} are how many {y}? |
    Change {n} {x} into {y}. | How many {y} do {n} {x} make? | Write {n} {x} in {y}. | Turn {n} {x} into {y}. | {n} {x}, how many {y} is that? |
    Give me {n} {x} in {y}. | I have {n} {x}. How many {y} are that? | Tell me how many {y} there are in {n} {x}.""")
UNITS = [("kilometres", "metres", 1000), ("kilograms", "grams", 1000), ("hours", "minutes", 60), ("minutes", "seconds", 60),
         ("metres", "centimetres", 100), ("centimetres", "millimetres", 10),
         ("litres", "millilitres", 1000), ("weeks", "days", 7), ("years", "months", 12), ("days", "hours", 24), ("euros", "cents", 100),
         ("tons", "kilograms", 1000), ("dozens", "pieces", 12),
         ("km", "m", 1000), ("kg", "g", 1000), ("cm", "mm", 10), ("m", "cm", 100)]


def units(draw: Draw) -> dict:
    x, y, factor = draw.pick(UNITS)
    n = draw.number(2, 12 if factor in (10, 100, 1000) else 6)
    if draw.chance(0.35):
        x, y, n, result = y, x, n * factor, n
    else:
        result = n * factor
    return row("dates", *asked(draw, UNIT_ASKS, {"x": x, "y": y, "n": n}, f"{n} {x} are {result} {y}.", result))


GENERATORS = [(plain_sum, 60), (small_steps, 8), (comparing, 9), (counting, 8), (story, 18), (percent, 3), (day_names, 7), (month_names, 6),
              (clock_sums, 6), (date_sums, 5), (units, 5)]
