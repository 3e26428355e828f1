"""Short notices of invented records, and what people ask about them: questions, extraction, summaries, dialogues, look-ups.

A kind of text is its slots, the sentences that say them (one wording of each is drawn), questions for each slot that name
the record's key, and summaries. Two or three records of a kind in one text make distractors of the same type.
"""
import json
import re

from .draw import Draw, row
from .words import (ANIMALS, CITIES, COLOURS, FIRST_NAMES, FOODS, HOBBIES, ITEMS, JOBS, MONTHS, PLACES, WEEKDAYS, a, clock, code, company, date, email_of,
                    full_name, phone, price, street)

NOT_SAID = "The text does not say."

# --- slots ------------------------------------------------------------------------------------------------------

EVENTS = """spring concert;book fair;garden party;chess tournament;street festival;charity run;cooking class;photo exhibition;flea market;open day;wine tasting;poetry evening;science fair;
summer camp;film night;dance workshop;harvest festival;jazz evening;pottery course;quiz night;bicycle race;art auction;christmas market;first aid course;folk concert;swimming contest;
toy swap;language cafe;plant sale;model train show;bread festival;career day;stargazing night;yoga morning;kite festival""".replace("\n", "").split(";")
TOPICS = """the new website;the budget;the office move;the summer party;staff training;the annual report;customer feedback;the product launch;the parking problem;holiday plans;the hiring plan;
the school garden;the library roof;safety rules;the delivery delays;the new logo;the price list;the team trip;the heating costs;the recycling scheme;the visitors' day;the software update;
the canteen menu;the survey results;the repair of the lift;the opening hours""".replace("\n", "").split(";")
PROBLEMS = """the screen stays black;the battery does not charge;the door does not close;the app crashes at the start;the sound is too quiet;the printer jams;the water leaks;the password is refused;
the lamp flickers;the wheel makes a noise;the map does not load;the invoice shows the wrong sum;the parcel arrived open;the heating stays cold;the keyboard misses letters;
the video stops after a minute;the zip is broken;the handle came off;the file cannot be opened;the colour is wrong""".replace("\n", "").split(";")
CAUSES = """a burst pipe;a fallen tree;a broken traffic light;heavy rain;a power cut;a gas leak;thick fog;an overturned lorry;a fire in a cellar;strong winds;a damaged bridge;black ice;
a lost dog on the rails;a flooded tunnel;a faulty signal;a school parade;road works;a swarm of bees;a fallen crane""".replace("\n", "").split(";")
CREATURES = """blue ridge newt;silver marsh owl;spotted cave frog;river lantern fish;striped sand beetle;long-eared hill mouse;red reed warbler;black dune lizard;golden moss snail;
white cliff bat;green pond turtle;grey heath fox;small coral crab;tufted pine squirrel;night heron moth;ringed lake otter;yellow fern spider;pale rock gecko""".replace("\n", "").split(";")
HABITATS = """caves;salt marshes;pine forests;mountain streams;sand dunes;coral reefs;old oak trees;wet meadows;rocky shores;deep lakes;dry grassland;bamboo groves;peat bogs;river mouths;
olive groves;hollow logs""".replace("\n", "").split(";")
TRANSPORT = ["train", "bus", "ferry", "plane", "car", "bicycle", "night train", "coach", "motorbike", "ship"]
WEATHER = ["sunny", "rainy", "windy", "foggy", "cold", "hot", "cloudy", "stormy", "snowy", "mild", "icy", "dry", "humid"]
THINGS_TO_BRING = ["a raincoat", "a packed lunch", "sturdy shoes", "a notebook", "a water bottle", "a sun hat", "a torch", "swimming things", "warm gloves", "a sleeping bag", "a pencil case", "a bus ticket",
                   "a towel", "rubber boots", "a map", "pocket money"]
MATERIALS = ["oak", "steel", "cotton", "leather", "glass", "bamboo", "wool", "plastic", "copper", "linen", "pine", "silk", "rubber", "clay", "aluminium", "cork"]


def thing(draw):
    return draw.pick(ITEMS)


def number(low, high, unit=""):
    return lambda draw: f"{draw.number(low, high)}{unit}"


def any_of(things):
    return lambda draw: draw.pick(things)


def year(draw):
    return str(draw.number(1780, 2024))


def month(draw):
    return draw.pick(MONTHS)


WHO, WHERE_CITY, DAY = full_name, any_of(CITIES), any_of(WEEKDAYS)

# kind -> (key slot, slots, sentences, questions, summary sentences, headlines). {slot} is a value; {Slot} its capitalised form.
KINDS = {
    "event": ("event",
        dict(event=any_of(EVENTS), place=any_of(PLACES), city=WHERE_CITY, date=date, time=clock, price=price, person=WHO, phone=phone),
        [["The {event} takes place {place} in {city} on {date}.", "On {date} the {event} will be held {place} in {city}.", "Come to the {event} {place} in {city} on {date}!",
          "{city} invites you to the {event}, which is on {date} {place}.", "This year's {event} will be {place} in {city}; the date is {date}.", "We are happy to announce the {event} on {date}, {place}, {city}."],
         ["It starts at {time} and a ticket costs {price}.", "Tickets are {price}, and the doors open at {time}.", "The beginning is at {time}. Admission: {price}.", "For {price} you can join us from {time}.",
          "Be there at {time}; the entrance fee is {price}.", "We begin at {time}, and the fee is {price}."],
         ["{person} organises it; for questions call {phone}.", "For more information ring {person} on {phone}.", "The organiser is {person} (phone {phone}).", "Please tell {person} on {phone} if you want to come.",
          "Contact: {person}, {phone}.", "{person} answers your questions on {phone}."]],
        dict(place=["Where does the {event} take place?", "Where will the {event} be?", "At which place is the {event} held?", "Where do I have to go for the {event}?"],
             city=["In which city is the {event}?", "Which city hosts the {event}?", "What town is the {event} in?", "Name the city of the {event}."],
             date=["When is the {event}?", "On what date is the {event} held?", "What is the date of the {event}?", "Which day is the {event}?", "When does the {event} take place?"],
             time=["At what time does the {event} start?", "What time does the {event} begin?", "When do the doors of the {event} open?", "How early does the {event} start?"],
             price=["How much is a ticket for the {event}?", "What does the {event} cost?", "What is the entrance fee of the {event}?", "How much do I pay for the {event}?"],
             person=["Who organises the {event}?", "Whom can I ask about the {event}?", "Who is in charge of the {event}?", "Who is the contact for the {event}?"],
             phone=["What is the phone number for the {event}?", "Which number do I call about the {event}?", "How can I reach the organiser of the {event} by phone?"],
             event=["What does {person} organise?", "What is held on {date}?", "Which event takes place in {city}?"]),
        ["The {event} takes place {place} in {city} on {date}.", ], ["{Event} in {city} on {date}"]),
    "order": ("person",
        dict(person=WHO, count=number(2, 48), item=thing, company=company, code=code, date=date, price=price, city=WHERE_CITY),
        [["{person} from {city} ordered {count} {item} from {company}.", "{company} received an order for {count} {item} from {person} in {city}.", "My name is {person}, I live in {city}, and I bought {count} {item} at {company}.",
          "An order of {count} {item} came in at {company}; the customer is {person} of {city}.", "{person}, a customer in {city}, has bought {count} {item} at {company}."],
         ["The order number is {code} and the total is {price}.", "The bill of {price} has the number {code}.", "Order {code} came to {price}.", "It cost {price}; the reference is {code}.", "Reference: {code}. Sum: {price}."],
         ["The parcel should arrive on {date}.", "Delivery is planned for {date}.", "The goods will be sent on {date}.", "It will be delivered on {date}.", "The delivery date is {date}."]],
        dict(count=["How many {item} did {person} order?", "What number of {item} was ordered by {person}?", "How many {item} does {person} get?"],
             item=["What did {person} order?", "What did {person} buy?", "Which goods were ordered by {person}?", "What is in {person}'s parcel?"],
             company=["Where did {person} order the {item}?", "Which company sells the {item} to {person}?", "At which shop did {person} buy?", "From whom did {person} order?"],
             code=["What is {person}'s order number?", "Which reference does {person}'s order have?", "What is the number of the order of {person}?"],
             date=["When will {person}'s order arrive?", "What is the delivery date for {person}?", "On which date does {person} get the {item}?"],
             price=["How much did {person} pay?", "What did the order of {person} cost?", "What is the total for {person}?", "How much is {person}'s bill?"],
             city=["Where does {person} live?", "Which city is {person} from?", "In which city does {person} live?"],
             person=["Who ordered the {item}?", "Who bought {count} {item}?", "Who is the customer of {company}?", "Whose order has the number {code}?"]),
        ["{person} ordered {count} {item} from {company}.", ], ["{person} orders {count} {item}"]),
    "person": ("person",
        dict(person=WHO, job=any_of(JOBS), city=WHERE_CITY, company=company, hobby=any_of(HOBBIES), animal=any_of(ANIMALS), year=year, food=any_of(FOODS)),
        [["{person} is {a_job} who works for {company} in {city}.", "{person} works as {a_job} at {company} in {city}.", "At {company} in {city} works {a_job} called {person}.", "In {city} lives {person}, {a_job} at {company}.",
          "{person}, {a_job} from {city}, is employed by {company}."],
         ["In the free time, {person}'s favourite pastime is {hobby}.", "{person} loves {hobby}.", "After work, {person} enjoys {hobby}.", "The weekends of {person} belong to {hobby}.", "{person}'s hobby is {hobby}."],
         ["At home, {person} keeps a {animal} and often eats {food}.", "{person} has a {animal} and likes {food} best.", "The favourite food of {person} is {food}, and the only pet is a {animal}.", "A {animal} lives in {person}'s house, where {food} is served every Sunday."],
         ["{person} started there in {year}.", "{person} has had this job since {year}.", "It was in {year} that {person} began to work there.", "{year} was {person}'s first year in the company."]],
        dict(job=["What is {person}'s job?", "What does {person} do for a living?", "What is the profession of {person}?", "As what does {person} work?"],
             city=["Where does {person} work?", "In which city does {person} work?", "Which city does {person} work in?"],
             company=["Which company does {person} work for?", "Who employs {person}?", "What is the name of {person}'s employer?", "Where is {person} employed?"],
             hobby=["What is {person}'s hobby?", "What does {person} like to do after work?", "How does {person} spend free time?", "What does {person} enjoy?"],
             animal=["Which animal does {person} have?", "What pet does {person} keep?", "What kind of animal lives with {person}?"],
             year=["When did {person} start the job?", "Since which year has {person} worked there?", "In what year did {person} begin?"],
             food=["What does {person} like to eat?", "What is {person}'s favourite food?", "Which dish does {person} like?"],
             person=["Who works for {company}?", "Who likes {hobby}?", "Who has a {animal}?", "Who began in {year}?", "Which person is {a_job}?"]),
        ["{person} is {a_job} at {company} in {city}.", ], ["{person}, {a_job} in {city}"]),
    "news": ("city",
        dict(city=WHERE_CITY, day=DAY, cause=any_of(CAUSES), count=number(2, 90), person=WHO, street=street, time=clock, hours=number(2, 12)),
        [["On {day}, {cause} stopped the traffic in {city}.", "{Cause} caused trouble in {city} on {day}.", "People in {city} had to wait on {day} because of {cause}.", "In {city}, {cause} blocked the road on {day}.", "{day} was a difficult day in {city}: {cause} closed a main road."],
         ["It happened near {street} at {time}.", "The place was {street}, and the time {time}.", "Around {time} the police closed the area at {street}.", "At {time} the first calls came from {street}."],
         ["{count} people had to leave their homes.", "In all, {count} persons were brought to safety.", "{count} neighbours spent the night in a school.", "Helpers looked after {count} people."],
         ["\"Everything will be open again in {hours} hours,\" said {person}, who spoke for the town.", "{person} of the fire brigade said that the work would take {hours} hours.", "The repair takes {hours} hours, according to {person}.",
          "{person}, the mayor, promised that it would last no longer than {hours} hours."]],
        dict(cause=["What caused the trouble in {city}?", "Why did people in {city} have to wait?", "What stopped the traffic in {city}?", "What was the reason for the closed road in {city}?"],
             day=["On which day did it happen in {city}?", "When was the trouble in {city}?", "What day was it in {city}?"],
             count=["How many people were affected in {city}?", "How many people did helpers look after in {city}?", "What number of people had to be helped in {city}?"],
             person=["Who spoke about the work in {city}?", "Who gave information in {city}?", "Which person is quoted on {city}?"],
             street=["Where exactly in {city} did it happen?", "At which address in {city} was it?", "What was the place in {city}?"],
             time=["At what time did it happen in {city}?", "What time was it in {city}?", "When were the first calls in {city}?"],
             city=["Which city is the news about?", "Where was there trouble because of {cause}?", "In which city did {person} speak?"]),
        ["{Cause} caused trouble in {city} on {day}.", ], ["{Cause} in {city}"]),
    "meeting": ("topic",
        dict(topic=any_of(TOPICS), person=WHO, other=WHO, date=date, time=clock, room=number(2, 412), next=date, company=company),
        [["{person} and {other} of {company} met to talk about {topic}.", "At {company}, {person} and {other} discussed {topic}.", "{topic_} was the subject of a meeting between {person} and {other} at {company}.", "{person} invited {other} to a meeting of {company} about {topic}."],
         ["The meeting was on {date} at {time} in room {room}.", "They sat in room {room} on {date} from {time}.", "It took place on {date}, at {time}, in room {room}.", "Room {room} was booked for {date} at {time}."],
         ["They will meet again on {next}.", "The next meeting is on {next}.", "A second meeting follows on {next}.", "The talks go on on {next}."],
         ["{other} takes the notes.", "{other} will write the report.", "The report comes from {other}.", "{other} sends the minutes to everybody."]],
        dict(person=["Who met {other}?", "Who talked with {other} about {topic}?", "Who spoke to {other}?"],
             other=["Who writes the notes on {topic}?", "Who sends the report about {topic}?", "With whom did {person} talk about {topic}?", "Who met {person}?"],
             date=["When was the meeting about {topic}?", "On which date did they discuss {topic}?", "What was the date of the meeting on {topic}?"],
             time=["At what time was the meeting about {topic}?", "When of the day did they meet about {topic}?", "What time did the meeting on {topic} begin?"],
             room=["In which room was the meeting about {topic}?", "What is the number of the room where they discussed {topic}?", "Which room was used for {topic}?"],
             next=["When is the next meeting about {topic}?", "When will they meet again about {topic}?", "On what date do the talks on {topic} go on?"],
             company=["Which company discussed {topic}?", "Where do {person} and {other} work?", "At which firm was {topic} discussed?"],
             topic=["What did {person} and {other} talk about?", "What was the meeting about?", "What was the subject of the meeting with {person}?"]),
        ["{person} and {other} discussed {topic} on {date} and will meet again on {next}.", ], ["{person} and {other} discuss {topic}"]),
    "product": ("item",
        dict(item=thing, company=company, price=price, colour=any_of(COLOURS), material=any_of(MATERIALS), weight=number(2, 95, "0 grams"), years=number(2, 12), city=WHERE_CITY),
        [["{company} has made new {item} of {material}.", "The new {item} of {company} are made of {material}.", "New at {company}: {item} of {material}.", "{company} now sells {item} made of {material}."],
         ["They come in {colour} and weigh {weight}.", "Their colour is {colour}, and the weight is {weight}.", "You can have them in {colour}; they weigh {weight}.", "With {weight} they are light, and they look good in {colour}."],
         ["The price is {price}, with a guarantee of {years} years.", "They cost {price} and are guaranteed for {years} years.", "For {price} you get {years} years of guarantee as well.", "A guarantee of {years} years is part of the price of {price}."],
         ["The workshop is in {city}.", "They are made in {city}.", "The factory stands in {city}.", "Every piece comes from {city}."]],
        dict(company=["Who makes the {item}?", "Which company sells the {item}?", "What is the maker of the {item} called?"],
             price=["How much do the {item} cost?", "What is the price of the {item}?", "What do I pay for the {item}?"],
             colour=["What colour are the {item}?", "In which colour do the {item} come?", "Which colour do the {item} have?"],
             material=["What are the {item} made of?", "Which material are the {item} of?", "Of what are the {item}?"],
             weight=["How much do the {item} weigh?", "What is the weight of the {item}?", "How heavy are the {item}?"],
             years=["For how many years are the {item} guaranteed?", "How many years of guarantee do the {item} have?", "How long is the guarantee of the {item} in years?"],
             city=["Where are the {item} made?", "In which city are the {item} produced?", "Where do the {item} come from?"],
             item=["What does {company} sell?", "What is made in {city}?", "What has {company} made of {material}?", "Which product costs {price}?"]),
        ["{company} sells {colour} {item} of {material} for {price}.", ], ["{company} launches {item} of {material}"]),
    "trip": ("person",
        dict(person=WHO, start=WHERE_CITY, city=WHERE_CITY, date=date, transport=any_of(TRANSPORT), nights=number(2, 14), other=any_of(FIRST_NAMES), time=clock),
        [["{person} travels from {start} to {city} on {date}.", "On {date}, {person} leaves {start} for {city}.", "{person} has booked a trip from {start} to {city} for {date}.", "The journey of {person} goes from {start} to {city} and begins on {date}."],
         ["The {transport} leaves at {time}.", "At {time} the {transport} departs.", "They go by {transport} at {time}.", "{person} takes the {transport} at {time}."],
         ["{person} stays for {nights} nights with a friend called {other}.", "The stay lasts {nights} nights, and {other} comes along.", "{other}, an old friend, goes too; they stay {nights} nights.", "For {nights} nights, {person} will live at {other}'s flat."]],
        dict(start=["Where does {person} start?", "From which city does {person} leave?", "Where does the trip of {person} begin?"],
             city=["Where does {person} go?", "Which city does {person} travel to?", "What is the destination of {person}?", "Where is {person} going?"],
             date=["When does {person} leave?", "On what date does {person} travel?", "When is the trip of {person}?"],
             transport=["How does {person} travel?", "What means of transport does {person} take?", "By what does {person} go?"],
             nights=["How many nights does {person} stay?", "For how many nights is {person} away?", "How long does {person} stay in nights?"],
             other=["What is the name of {person}'s friend?", "Who is the friend of {person}?", "Which friend does {person} meet or take along?"],
             time=["At what time does {person} depart?", "What time does {person}'s journey start?", "When does the {transport} of {person} leave?"],
             person=["Who travels to {city}?", "Who goes from {start} to {city}?", "Who takes the {transport}?", "Who stays {nights} nights?"]),
        ["{person} travels from {start} to {city} by {transport} on {date}.", ], ["{person} travels to {city}"]),
    "job": ("job",
        dict(job=any_of(JOBS), company=company, city=WHERE_CITY, pay=price, person=WHO, email=lambda d: email_of(d, full_name(d)), date=date, hours=number(12, 40)),
        [["{company} in {city} is looking for {a_job}.", "We, {company} of {city}, need {a_job}.", "{a_job_} is wanted by {company} in {city}.", "Would you like to work as {a_job} for {company} in {city}?", "Job: {job}. Employer: {company}, {city}."],
         ["You work {hours} hours a week and earn {pay} an hour.", "The pay is {pay} an hour for {hours} hours a week.", "We offer {hours} hours a week and {pay} an hour.", "For {hours} hours each week we pay {pay} an hour."],
         ["Write to {person} at {email} before {date}.", "Please send your letter to {person} ({email}); the last day is {date}.", "{person} waits for your application at {email} until {date}.", "Applications go to {email}, for the attention of {person}, by {date}."]],
        dict(company=["Which company is looking for {a_job}?", "Who needs {a_job}?", "Who offers the job of {job}?"],
             city=["Where is the job of {job}?", "In which city would the {job} work?", "Where is {a_job} wanted?"],
             pay=["How much does the {job} earn an hour?", "What is the pay of the {job}?", "What does the {job} get an hour?"],
             person=["To whom should I write about the job of {job}?", "Who receives the letters of people who want to be the {job}?", "Who is the contact for the {job}?"],
             email=["What is the e-mail address for the job of {job}?", "Where do I send my letter for the job of {job}?", "Which e-mail address is given for the {job}?"],
             date=["Until when can I apply to be the {job}?", "What is the last day for the job of {job}?", "By what date do I have to apply as {a_job}?"],
             hours=["How many hours a week does the {job} work?", "What are the weekly hours of the {job}?", "How long is the week of the {job} in hours?"],
             job=["Which job does {company} offer?", "What kind of worker is wanted in {city}?", "Whom does {company} need?"]),
        ["{company} in {city} is looking for {a_job}; applications by {date}.", ], ["{company} seeks {job}"]),
    "club": ("hobby",
        dict(hobby=any_of(HOBBIES), person=WHO, other=WHO, points=number(12, 99), city=WHERE_CITY, day=DAY, trainer=WHO, members=number(14, 400)),
        [["{person} won the {hobby} contest in {city} on {day}.", "On {day}, the {hobby} contest in {city} was won by {person}.", "The winner of {day}'s {hobby} contest in {city} is {person}.", "In {city}, {person} came first in the {hobby} contest on {day}."],
         ["With {points} points, {person} was ahead of {other}.", "{other} came second; {person} had {points} points.", "The second place went to {other}, since {person} reached {points} points.", "{points} points were enough to beat {other}."],
         ["{trainer} leads the club, which has {members} members.", "The club has {members} members and is led by {trainer}.", "{trainer}, the head of the club, thanked all {members} members.", "All {members} members of {trainer}'s club cheered."]],
        dict(person=["Who won the {hobby} contest?", "Who came first in {hobby}?", "Who was the winner in {hobby}?", "By whom was the {hobby} contest won?"],
             other=["Who came second in {hobby}?", "Who lost to the winner in {hobby}?", "Who took the second place in the {hobby} contest?"],
             points=["How many points did the winner in {hobby} have?", "With how many points was the {hobby} contest won?", "What was the winner's score in {hobby}?"],
             city=["Where was the {hobby} contest?", "In which city was the {hobby} contest held?", "Which city saw the {hobby} contest?"],
             day=["On which day was the {hobby} contest?", "When was the {hobby} contest?", "What day did the {hobby} contest take place?"],
             trainer=["Who leads the {hobby} club?", "Who is the head of the {hobby} club?", "Whose club is the {hobby} club?"],
             members=["How many members does the {hobby} club have?", "What is the number of members in the {hobby} club?", "How big is the {hobby} club?"],
             hobby=["What kind of contest did {person} win?", "In what did {person} come first?", "What is {trainer}'s club about?"]),
        ["{person} won the {hobby} contest in {city} with {points} points.", ], ["{person} wins {hobby} contest"]),
    "flat": ("street",
        dict(street=street, city=WHERE_CITY, rooms=number(2, 9), price=price, person=WHO, phone=phone, date=date, floor=any_of(["first", "second", "third", "fourth", "fifth", "ground", "top"])),
        [["For rent: a flat with {rooms} rooms at {street} in {city}.", "A flat of {rooms} rooms is free at {street}, {city}.", "At {street} in {city} there is a flat with {rooms} rooms.", "We let a flat of {rooms} rooms; the address is {street}, {city}."],
         ["It is on the {floor} floor and costs {price} a week.", "The rent is {price} a week, and it lies on the {floor} floor.", "For {price} a week you live on the {floor} floor.", "You find it on the {floor} floor; {price} are due every week."],
         ["It is free from {date}; call {person} on {phone}.", "{person} ({phone}) shows it to you. You can move in on {date}.", "From {date} it can be yours. Owner: {person}, phone {phone}.", "Ring {person} on {phone}. The flat is empty from {date}."]],
        dict(city=["In which city is the flat at {street}?", "Which city is {street} in?", "Where is {street}?"],
             rooms=["How many rooms does the flat at {street} have?", "What is the number of rooms at {street}?", "How many rooms are there at {street}?"],
             price=["What is the rent at {street}?", "How much does the flat at {street} cost a week?", "What do you pay at {street}?"],
             person=["Who shows the flat at {street}?", "Whom do I call about {street}?", "Who lets the flat at {street}?"],
             phone=["What is the phone number for the flat at {street}?", "Which number do I call about {street}?", "What number belongs to {person}?"],
             date=["From when is the flat at {street} free?", "When can I move in at {street}?", "On what date does {street} become free?"],
             floor=["On which floor is the flat at {street}?", "Which floor is the flat at {street} on?", "What floor is it at {street}?"],
             street=["What is the address of the flat?", "Where is the flat that {person} shows?", "At which address is there a flat with {rooms} rooms?"]),
        ["A flat with {rooms} rooms at {street} in {city} is free from {date} for {price} a week.", ], ["Flat with {rooms} rooms in {city}"]),
    "lost": ("person",
        dict(person=WHO, colour=any_of(COLOURS), item=any_of([i[:-1] for i in ITEMS if i.endswith("s") and not i.endswith(("ss", "es", "ies", "trousers", "scissors", "binoculars"))]), place=any_of(PLACES), day=DAY, phone=phone, price=price),
        [["{person} has lost a {colour} {item} {place}.", "A {colour} {item} was lost by {person} {place}.", "Lost {place}: a {colour} {item}. It belongs to {person}.", "{person} is looking for a {colour} {item}, last seen {place}."],
         ["It happened on {day}.", "That was on {day}.", "It has been missing since {day}."],
         ["The finder gets {price}; please call {phone}.", "Whoever finds it should ring {phone} and will get {price}.", "Reward: {price}. Phone: {phone}.", "{person} pays {price} to the finder. Call {phone}."]],
        dict(item=["What did {person} lose?", "What is {person} looking for?", "What belongs to {person}?"],
             colour=["What colour is {person}'s {item}?", "Which colour has the {item} of {person}?", "What is the colour of the {item} that {person} lost?"],
             place=["Where did {person} lose the {item}?", "Where was the {item} of {person} lost?", "Where was {person}'s {item} last seen?"],
             day=["When did {person} lose the {item}?", "On what day did {person} lose the {item}?", "Since when has {person} missed the {item}?"],
             phone=["Which number should the finder of {person}'s {item} call?", "What is the phone number of {person}?", "How can one reach {person}?"],
             price=["How much does {person} pay to the finder?", "What reward does {person} offer?", "What does the finder get from {person}?"],
             person=["Who lost a {item}?", "Who is looking for a {colour} {item}?", "Whose is the {item}?"]),
        ["{person} lost a {colour} {item} {place} on {day}.", ], ["{Colour} {item} lost {place}"]),
    "shop": ("company",
        dict(company=company, street=street, city=WHERE_CITY, opens=clock, day=DAY, person=WHO, item=thing, discount=number(5, 60, " percent"), other=DAY),
        [["{company} has opened a shop at {street} in {city}.", "The new shop of {company} is at {street}, {city}.", "You find {company} at {street} in {city}.", "{company} has moved to {street} in {city}."],
         ["It opens at {opens} and is closed on {day}.", "Closed on {day}; on all other days it opens at {opens}.", "From {opens} you are welcome, but not on {day}.", "The doors open at {opens}; {day} is the day of rest."],
         ["This week all {item} are {discount} cheaper.", "There is {discount} off all {item} this week.", "{item_} cost {discount} less this week.", "For a week you save {discount} on {item}."],
         ["The manager is {person}.", "{person} runs the shop.", "{person} is in charge.", "The shop is led by {person}."]],
        dict(street=["What is the address of {company}?", "Where in {city} is {company}?", "At which address is {company}?"],
             city=["In which city is {company}?", "Which city is {company} in?", "In what town do I find {company}?"],
             opens=["When does {company} open?", "At what time does {company} open?", "From what time is {company} open?"],
             day=["On which day is {company} closed?", "When is {company} closed?", "Which day is {company} not open?"],
             person=["Who runs {company}?", "Who is the manager of {company}?", "Who is in charge at {company}?"],
             item=["What is cheaper at {company} this week?", "Which goods are reduced at {company}?", "On what can I save at {company}?"],
             discount=["How much cheaper are the {item} at {company}?", "How big is the discount at {company}?", "How much can I save at {company}?"],
             company=["Which shop is at {street}?", "Which shop does {person} run?", "What is the name of the shop in {city}?"]),
        ["{company} at {street} in {city} sells {item} {discount} cheaper this week.", ], ["{company} opens in {city}"]),
    "school": ("teacher",
        dict(teacher=WHO, group=any_of(["Class 3B", "Class 4A", "Class 5C", "Class 6A", "the drama group", "the science club", "Year 7", "Year 8", "the school choir", "Class 2D"]), place=any_of(["the zoo", "the planetarium",
             "the science museum", "the castle", "the harbour", "the old mine", "the botanical garden", "the chocolate factory", "the fire station", "the national park", "the theatre", "the dairy farm"]),
             city=WHERE_CITY, day=DAY, time=clock, price=price, bring=any_of(THINGS_TO_BRING)),
        [["{group_} visits {place} in {city} with {teacher}.", "{teacher} takes {group} to {place} in {city}.", "The trip of {group} with {teacher} goes to {place} in {city}.", "With {teacher}, {group} will see {place} in {city}."],
         ["The bus leaves on {day} at {time}.", "They leave at {time} on {day}.", "On {day} everybody meets at {time}.", "Departure is at {time} on {day}."],
         ["The trip costs {price}, and every child needs {bring}.", "Each child brings {bring} and {price}.", "Please pay {price} and do not forget {bring}.", "The fee is {price}. Every pupil has to bring {bring}."]],
        dict(group=["Which group goes with {teacher}?", "Who goes on a trip with {teacher}?", "Whom does {teacher} take along?"],
             place=["What does {teacher} visit with the children?", "Where do the children go with {teacher}?", "What is the aim of {teacher}'s trip?"],
             city=["To which city does {teacher} take the children?", "In which city is the place that {teacher} visits?", "Which city does {teacher}'s trip go to?"],
             day=["On which day is {teacher}'s trip?", "When does {teacher} go on the trip?", "What day does {teacher}'s bus leave?"],
             time=["At what time does {teacher}'s trip start?", "When do the children of {teacher} leave?", "What time is the departure with {teacher}?"],
             price=["How much does {teacher}'s trip cost?", "What is the fee of the trip with {teacher}?", "What do the children pay for the trip with {teacher}?"],
             bring=["What do the children have to bring for {teacher}'s trip?", "What does every child on {teacher}'s trip need?", "What should nobody forget on the trip with {teacher}?"],
             teacher=["Who takes {group} to {place}?", "Which teacher goes to {place}?", "With whom does {group} go?"]),
        ["{group_} visits {place} in {city} with {teacher} on {day}.", ], ["{group_} visits {place}"]),
    "creature": ("creature",
        dict(creature=any_of(CREATURES), habitat=any_of(HABITATS), person=WHO, year=year, city=WHERE_CITY, length=number(2, 90, " centimetres"), eggs=number(2, 40), food=any_of(["beetles", "seeds", "small fish",
             "worms", "berries", "moths", "snails", "algae", "roots", "spiders", "nuts", "shrimps", "leaves", "ants"])),
        [["The {creature} lives in {habitat} and feeds on {food}.", "The home of the {creature} are {habitat}; it eats {food}.", "You can see the {creature} in {habitat}, where it looks for {food}.", "{food_} are the main food of the {creature}, which lives in {habitat}."],
         ["It was discovered in {year} by {person}.", "{person} first described it in {year}.", "In {year}, {person} was the first to find it.", "The first report on it, by {person}, is from {year}."],
         ["It grows to {length} and lays {eggs} eggs.", "A grown one measures {length}; the female lays {eggs} eggs.", "Its length is {length}, and there are {eggs} eggs in a nest.", "It lays {eggs} eggs and reaches {length}."],
         ["The museum in {city} shows one.", "One can be seen in the museum of {city}.", "A zoo in {city} keeps a pair.", "The university of {city} studies it."]],
        dict(habitat=["Where does the {creature} live?", "In what places is the {creature} found?", "What is the home of the {creature}?"],
             food=["What does the {creature} eat?", "What is the food of the {creature}?", "On what does the {creature} feed?"],
             person=["Who discovered the {creature}?", "Who first described the {creature}?", "By whom was the {creature} discovered?"],
             year=["When was the {creature} discovered?", "In which year was the {creature} found?", "What year is the first report on the {creature} from?"],
             length=["How long is the {creature}?", "What is the length of the {creature}?", "To what size does the {creature} grow?"],
             eggs=["How many eggs does the {creature} lay?", "What number of eggs does the {creature} have?", "How many eggs are laid by the {creature}?"],
             city=["In which city can one find the {creature} in an institution?", "Which city is named with the {creature}?", "Which city keeps, shows or studies the {creature}?"],
             creature=["Which animal was discovered by {person}?", "What animal lives in {habitat}?", "Which animal eats {food}?"]),
        ["The {creature}, discovered in {year} by {person}, lives in {habitat} and eats {food}.", ], ["The {creature} of the {habitat}"]),
    "support": ("person",
        dict(person=WHO, item=thing, problem=any_of(PROBLEMS), code=code, day=DAY, company=company, email=lambda d: email_of(d, full_name(d)), count=number(2, 9)),
        [["{person} writes to {company} about the {item}: {problem}.", "{person} has trouble with the {item} of {company}: {problem}.", "A customer of {company}, {person}, reports on the {item} that {problem}.", "My name is {person}. I use the {item} of {company}, and {problem}."],
         ["This began on {day}.", "It has been so since {day}.", "The trouble started on {day}."],
         ["The case number is {code}, and the answer should go to {email}.", "Please answer to {email}; the case has the number {code}.", "Case {code}. Reply to {email}.", "The address for the reply is {email}, the reference {code}."],
         ["It is the complaint number {count} this month.", "{count} calls did not help.", "After {count} tries nothing has changed."]],
        dict(item=["With what does {person} have trouble?", "Which goods does {person} write about?", "What does {person} complain about?"],
             problem=["What is the problem of {person}?", "What is wrong, according to {person}?", "What does {person} report?"],
             code=["What is {person}'s case number?", "Which reference does the case of {person} have?", "What number does {person}'s case have?"],
             day=["When did the trouble of {person} begin?", "Since what day has {person} had trouble?", "On which day did the problem of {person} start?"],
             company=["Which company does {person} write to?", "Whose customer is {person}?", "Who has to help {person}?"],
             email=["What is the e-mail address for the reply to {person}?", "Where should the answer to {person} go?", "At which address can {person} be reached?"],
             person=["Who has trouble with the {item}?", "Who writes to {company}?", "Whose case is {code}?"]),
        ["{person} reports to {company} that {problem}.", ], ["Trouble with {item} of {company}"]),
    "diary": ("day",
        dict(day=DAY, friend=any_of(FIRST_NAMES), place=any_of(PLACES), weather=any_of(WEATHER), food=any_of(FOODS), animal=any_of(ANIMALS), count=number(2, 12), colour=any_of(COLOURS)),
        [["On {day} I met {friend} {place}.", "{friend} and I met {place} on {day}.", "{day}: met {friend} {place}.", "Last {day} I went out with {friend}; we met {place}."],
         ["It was {weather}, so we ate {food} and talked.", "The weather was {weather}. We had {food}.", "We shared {food}, although it was {weather}.", "{food_} tasted good on such a {weather} day."],
         ["We saw a {colour} {animal} and stayed for {count} hours.", "A {colour} {animal} came near, and {count} hours went by.", "For {count} hours we sat there, until a {colour} {animal} ran past.", "After {count} hours a {colour} {animal} surprised us."]],
        dict(friend=["Whom did I meet on {day}?", "Who was with me on {day}?", "With whom did I go out on {day}?"],
             place=["Where did I meet my friend on {day}?", "Where were we on {day}?", "Where did we meet on {day}?"],
             weather=["How was the weather on {day}?", "What was the weather like on {day}?", "What kind of weather was it on {day}?"],
             food=["What did we eat on {day}?", "What food did we have on {day}?", "What was there to eat on {day}?"],
             animal=["Which animal did we see on {day}?", "What animal was there on {day}?", "What kind of animal surprised us on {day}?"],
             count=["How many hours did we stay on {day}?", "How long were we there on {day}, in hours?", "For how many hours were we out on {day}?"],
             colour=["What colour was the {animal}?", "Which colour had the {animal} on {day}?", "What was the colour of the {animal}?"],
             day=["On which day did I meet {friend}?", "When did I see {friend}?", "What day was I out with {friend}?"]),
        ["On {day} I met {friend} {place} and we had {food}.", ], ["{Day} with {friend}"]),
}
# Asked of any kind where the text has no such slot.
ABSENT = [
    "How old is {person}?", "What is {person}'s phone number?", "Is {person} married?", "Where was {person} born?",
    "What colour is {person}'s car?", "What is the name of {person}'s sister?", "How tall is {person}?", "What is {person}'s e-mail address?",
    "Which languages does {person} speak?", "What is the website of {company}?", "How many people work for {company}?", "Who founded {company}?",
    "When was {company} founded?", "How many people live in {city}?", "Who is the mayor of {city}?", "What is the weather like in {city}?",
    "How many people came to the {event}?", "Who will play at the {event}?", "What size are the {item}?", "How old is the building at {street}?",
    "What is the colour of the {creature}?", "How old can the {creature} get?", "What is the surname of {friend}?",
    "How much did the meal on {day} cost?",
]


# --- records and texts ------------------------------------------------------------------------------------------

def make_record(draw: Draw, kind: str) -> dict:
    _, slots, *_ = KINDS[kind]
    record: dict = {}
    for name, maker in slots.items():
        for _ in range(20):
            value = maker(draw)
            if value not in record.values():
                break
        record[name] = value
    return record


def fill(template: str, record: dict) -> str:
    def value(match):
        name = match[1]
        if name.startswith("a_"):
            text = a(record[name[2:].rstrip("_")])
            return text[0].upper() + text[1:] if name.endswith("_") else text
        if name.endswith("_") or name[0].isupper():
            text = record[name.rstrip("_").lower()]
            return text[0].upper() + text[1:]
        return record[name]
    text = re.sub(r"\{(\w+)\}", value, template)
    return re.sub(r"\b([Aa]) (?=[aeio])", r"\1n ", text)


def tell(draw: Draw, kind: str, record: dict) -> str:
    sentences = [fill(draw.wording(variants), record) for variants in KINDS[kind][2]]
    if len(sentences) > 2 and draw.chance(0.15):
        sentences.pop()
    text = " ".join(sentences)
    return text[0].upper() + text[1:]


def text_of_records(draw: Draw, kind: str | None = None, most: int = 3):
    """kind, records and the text that tells them one after the other; keys differ."""
    kind = kind or draw.pick(list(KINDS))
    key = KINDS[kind][0]
    records = [make_record(draw, kind)]
    for _ in range(draw.rng.choices(range(most), [5, 3, 1][:most])[0]):
        other = make_record(draw, kind)
        if all(other[key] != r[key] for r in records):
            records.append(other)
    told = [tell(draw, kind, r) for r in records]
    return kind, records, draw.pick([" ", " ", "\n", "\n\n"]).join(told)


def clear_question(draw: Draw, kind: str, records: list[dict], text: str):
    """(question, answer, slot) on one record such that only one answer fits, or None."""
    key, _, _, questions, *_ = KINDS[kind]
    record, slot = draw.pick(records), draw.pick(list(questions))
    template, answer = draw.wording(questions[slot]), record[slot]
    if answer not in text:
        return None
    if slot == key or "{" + key + "}" not in template:
        named = re.findall(r"\{(?:a_)?(\w+)\}", template)
        for other in records:
            if other is not record and (not named or all(other[n] == record[n] for n in named)):
                return None
        if not named and len(records) > 1:
            return None
    if any(record[n] not in text for n in re.findall(r"\{(?:a_)?(\w+)\}", template)):
        return None
    return fill(template, record), answer, slot


def question_and_text(draw: Draw, most: int = 3) -> tuple[str, str, str]:
    """A text, a question on it and its answer, which stands in the text word for word."""
    for _ in range(100):
        kind, records, text = text_of_records(draw, most=most)
        found = clear_question(draw, kind, records, text)
        if found:
            return text, found[0], found[1]
    raise SystemExit("No kind of text gives a question.")


# --- requests ---------------------------------------------------------------------------------------------------

ORDERS = ["Read the text and answer the question.", "Answer the question using the text.", "Use the text to answer.", "Answer from the text.", "Find the answer in the text below.", "Here is a text. Answer the question.",
          "Please answer the question about the text.", "Give a short answer.", "Answer with words from the text.", "Look at this text and answer my question.", "I have a question about a text.", "Answer briefly.",
          "Can you find this in the text?", "What does the text say?", "Take the answer from the text.", "Reading test: answer the question.", "Answer as shortly as you can.", "Tell me what the text says.",
          "Use only the text.", "Extract the answer from the passage.", "Read the passage below and reply.", "Help me to find something in this text."]
TEXT_NAMES = ["Text", "Passage", "Context", "Article", "Message", "Note", "Document", "Paragraph"]
QUESTION_NAMES = ["Question", "Q", "My question", "Question about the text", "Please answer"]


def request(draw: Draw, text: str, question: str) -> str:
    if draw.chance(0.3):
        return f"Read the text and answer the question.\n\n{text}\n\nQuestion: {question}"
    order, name, asked = draw.wording(ORDERS), draw.wording(TEXT_NAMES), draw.wording(QUESTION_NAMES)
    return draw.pick(["{order}\n\n{text}\n\n{question}", "{question}\n\n{text}", "{text}\n\n{question}", "{name}: {text}\n{asked}: {question}\nAnswer:", "{name}: {text}\n\n{asked}: {question}",
                      "{order}\n\n{name}: {text}\n\n{asked}: {question}", '"{text}"\n\n{question}', "{order} {question}\n\n{text}", '{question}\n"""\n{text}\n"""', "{asked}: {question}\n{name}: {text}",
                      "{order}\n\n{text}\n\n{asked}: {question}"]).format(order=order, name=name, asked=asked, text=text, question=question)


def careless(draw: Draw, text: str) -> str:
    chance = draw.rng.random()
    if chance < 0.06:
        return text.lower()
    return text.rstrip("?.") if chance < 0.12 else text


def question(draw: Draw) -> dict:
    text, asked, answer = question_and_text(draw)
    return row("reading_question", request(draw, text, careless(draw, asked)), answer, answers=[answer], text=text)


def not_said(draw: Draw) -> dict:
    for _ in range(200):
        kind, records, text = text_of_records(draw, most=2)
        asked, record = draw.wording(ABSENT), draw.pick(records)
        if any(name not in record or record[name] not in text for name in re.findall(r"\{(\w+)\}", asked)):
            continue
        slots = KINDS[kind][1]
        if ("phone" in asked and "phone" in slots) or ("e-mail" in asked and "email" in slots) or ("colour" in asked and "colour" in slots) or ("weather" in asked) and "weather" in slots:
            continue
        return row("reading_question", request(draw, text, fill(asked, record)), NOT_SAID, answers=[NOT_SAID])
    raise SystemExit("No kind of text leaves anything unsaid.")


def yes_no(draw: Draw) -> dict:
    for _ in range(100):
        kind, records, text = text_of_records(draw, most=2)
        record, sentences = draw.pick(records), KINDS[kind][4]
        told = dict(record)
        true = draw.chance(0.5)
        summary = draw.pick(sentences)
        named = re.findall(r"\{(?:a_)?(\w+?)_?\}", summary)
        named = [n.lower() for n in named if n.lower() in record]
        if any(record[n] not in text for n in named):
            continue
        if not true:
            changed = draw.pick(named)
            other = make_record(draw, kind)[changed]
            if other == record[changed] or other in text:
                continue
            told[changed] = other
        statement = fill(summary, told).rstrip(".")
        asked = draw.wording(["Is it true that {}?", "True or not: {}. Answer yes or no.", "Does the text say that {}?", "Is this right? {}.", "Yes or no: {}?", "Is this correct: {}?", "Can we say that {}?", "Does it say that {}?",
                              "According to the text, is it right that {}?", "Answer yes or no: {}."]).format(statement)
        return row("reading_yes_no", request(draw, text, asked), "Yes" if true else "No", answers=["Yes" if true else "No"])
    raise SystemExit("No kind of text gives a statement.")


SLOT_NAMES = {"person": ["name", "full name", "person"], "phone": ["phone number", "telephone number", "phone"], "email": ["e-mail address", "email"], "date": ["date"], "time": ["time"], "price": ["price", "amount"],
              "city": ["city", "town"], "company": ["company", "firm"], "code": ["order number", "reference", "code"], "street": ["address", "street"], "day": ["weekday", "day"], "job": ["job", "profession"],
              "item": ["product", "goods"], "event": ["event"], "year": ["year"], "colour": ["colour"]}


def extract(draw: Draw) -> dict:
    for _ in range(100):
        kind, records, text = text_of_records(draw, most=1)
        record = records[0]
        slots = [s for s in record if s in SLOT_NAMES and record[s] in text]
        if len(slots) < 2:
            continue
        count = draw.rng.choices([1, 2, 3, 4], [4, 3, 3, 1])[0]
        chosen = draw.sample(slots, min(count, len(slots)))
        names = [draw.pick(SLOT_NAMES[s]) for s in chosen]
        if len(chosen) == 1:
            asked = draw.wording(["Extract the {}.", "What {} is given?", "Find the {} in this text.", "Write down the {} only.", "Give me the {}.", "Pull out the {}.", "Which {} does the text name?", "Only the {}, please.",
                                  "Return the {}.", "Look for the {}.", "Note the {}.", "Please extract the {} from the text."]).format(names[0])
            answer = record[chosen[0]]
        elif draw.chance(0.45):
            asked = draw.wording(["Extract {} as JSON.", "Give {} as a JSON object.", "Return JSON with the keys {}.", "JSON with {}, please.", "Answer with JSON only, keys: {}.", "Turn the text into JSON with {}.",
                                  "Make a JSON object of {}.", "Write {} in JSON."]).format(", ".join(names))
            answer = json.dumps({n: record[s] for n, s in zip(names, chosen)}, ensure_ascii=False)
        else:
            asked = draw.wording(["Extract {}.", "List {}, one per line.", "Fill in: {}.", "Write down {}.", "Note {} line by line.", "Give {} as lines.", "Make a short form with {}.", "Pull out {}."]).format(
                ", ".join(names[:-1]) + " and " + names[-1])
            answer = "\n".join(f"{n[0].upper() + n[1:]}: {record[s]}" for n, s in zip(names, chosen))
        form = draw.pick(["{asked}\n\n{text}", "{text}\n\n{asked}", "{asked}\n\nText: {text}", '{asked}\n\n"{text}"'])
        return row("extraction", form.format(asked=asked, text=text), answer, slots={s: record[s] for s in chosen})
    raise SystemExit("No kind of text gives slots to extract.")


def chat_on_text(draw: Draw) -> dict:
    """Several questions on one text over several turns."""
    for _ in range(100):
        kind, records, text = text_of_records(draw, most=2)
        turns, seen = [], set()
        for _ in range(12):
            found = clear_question(draw, kind, records, text)
            if found and found[2] not in seen and len(turns) < 8:
                seen.add(found[2])
                turns += [careless(draw, found[0]), found[1]]
        if len(turns) < 4:
            continue
        turns = turns[:2 * draw.number(2, 4)]
        if draw.chance(0.4):
            return row("reading_chat", *turns, system=draw.wording(["Answer questions about this text:\n\n{}", "You know only this:\n{}", "Use this text to answer: {}", "Here is a text. Answer with its words.\n\n{}", "Text: {}",
                                                                    "{}\n\nAnswer the user's questions about it.", "You answer questions about the following note.\n\n{}", "Context: {}"]).format(text))
        turns[0] = request(draw, text, turns[0])
        return row("reading_chat", *turns)
    raise SystemExit("No kind of text gives several questions.")


# --- summaries --------------------------------------------------------------------------------------------------

SUMMARY_ASKS = ["Summarise this text in one sentence.", "Summarize in one sentence:", "Give a short summary.", "TL;DR:", "What is the main point of this text?", "Sum this up briefly:", "What is this text about, in one sentence?",
                "Write a one-sentence summary.", "Shorten this to one sentence.", "Tell me in one sentence what this says.", "In short, please:", "Summarise:", "Can you summarise this for me?", "Make this shorter.",
                "Please sum up the text.", "Give me the gist.", "Short version, please:", "What does this say in short?", "One sentence on this, please.", "Condense the text."]
HEADLINE_ASKS = ["Write a headline for this text.", "Give this text a title.", "What would be a good headline?", "Suggest a headline.", "Title for this text?", "Find a title for it.", "Write a title.", "Headline, please:",
                 "Make a headline out of this.", "Which headline fits?", "Put a headline above this text."]
POINT_ASKS = ["List the key points.", "Give the main facts as bullet points.", "Summarise in bullet points.", "What are the key facts? Use bullets.", "Turn this into bullet points.", "Make a list of the most important facts.",
              "Key points, please.", "Write the facts as a bulleted list.", "Bullet points:", "Break this down into bullets.", "Note the key facts as a list."]


def summary_form(draw: Draw, ask: str, text: str) -> str:
    return draw.pick(["{ask}\n\n{text}", "{text}\n\n{ask}", "{ask}\n\nText: {text}", '{ask}\n\n"{text}"', "{ask} {text}"]).format(ask=ask, text=text)


def summary(draw: Draw) -> dict:
    kind, records, text = text_of_records(draw, most=1)
    template = KINDS[kind][4][0]
    slots = {n: records[0][n] for n in re.findall(r"\{(\w+?)_?\}", template.replace("a_", "")) if n.islower() and n in records[0]}
    return row("summary", summary_form(draw, draw.wording(SUMMARY_ASKS), text), fill(template, records[0]), slots=slots)


def headline(draw: Draw) -> dict:
    kind, records, text = text_of_records(draw, most=1)
    return row("headline", summary_form(draw, draw.wording(HEADLINE_ASKS), text), fill(KINDS[kind][5][0], records[0]))


def key_points(draw: Draw) -> dict:
    kind, records, text = text_of_records(draw, most=1)
    record = records[0]
    points = [f"- {name[0].upper() + name[1:]}: {record[slot]}" for slot, name in
              ((s, SLOT_NAMES[s][0]) for s in record if s in SLOT_NAMES) if record[slot] in text][:draw.number(4, 5)]
    return row("key_points", summary_form(draw, draw.wording(POINT_ASKS), text), "\n".join(points), slots={str(i): p.split(": ", 1)[1] for i, p in enumerate(points)})


# --- dialogues --------------------------------------------------------------------------------------------------

GREETS = [("Hi {b}!", "Hello {a}!"), ("Hello, how are you?", "Fine, thanks, and you?"), ("Good morning, {b}.", "Good morning, {a}. How can I help?"), ("Hey {b}, do you have a minute?", "Sure, what is it?"),
          ("Hi, it's {a}.", "Hi {a}, nice to hear from you."), ("Are you there, {b}?", "Yes, I am here."), ("Good evening.", "Good evening, what can I do for you?"), ("Hello {b}, long time no see!", "Yes, too long, {a}!")]
CHATTER = [("How is work?", "Busy, as always."), ("What a week!", "Yes, I am tired as well."), ("Did you see the rain?", "Yes, I got wet on the way home."), ("How is your family?", "All are well, thank you."),
           ("Is your new flat nice?", "Yes, but the boxes are everywhere."), ("I had so much coffee today.", "Me too, to be honest."), ("My phone is almost empty.", "Then let us be quick."), ("Sorry, there is some noise here.", "No problem, I can hear you.")]
ENDS = [("Great, thank you!", "You are welcome."), ("Perfect.", "See you then."), ("Thanks a lot, bye!", "Bye!"), ("Good, that is settled.", "I look forward to it."), ("Thank you for your help.", "Any time."), ("See you!", "Take care!"),
        ("Fine with me.", "Good."), ("All right, goodbye.", "Goodbye, {a}.")]
DEALS = [  # slots, turns, summary
    (dict(thing=any_of(["have lunch", "go swimming", "see a film", "play tennis", "go to the museum", "visit the market", "go for a walk", "study together", "bake bread", "go dancing", "play chess", "see the concert",
                        "paint the kitchen", "go hiking", "have a coffee", "watch the match", "go shopping", "visit grandmother"]), day=DAY, time=clock, place=any_of(PLACES)),
     [[("Shall we {thing} on {day}?", "Good idea! When?"), ("Would you like to {thing} on {day}?", "I would love to. What time?"), ("I want to {thing} on {day}. Will you come?", "Yes, gladly. At what time?"), ("Are you free to {thing} on {day}?", "Yes, I am. When shall we meet?")],
      [("At {time}, {place}.", "All right, {time} is fine."), ("Let us say {time}. We could meet {place}.", "{place_}, good."), ("{time} would be best. I will wait {place}.", "Then I will find you there."), ("How about {time}?", "Good. We meet {place}.")]],
     "{a} and {b} will {thing} on {day} at {time}; they meet {place}."),
    (dict(count=number(2, 9), day=DAY, time=clock, restaurant=company, dish=any_of(FOODS)),
     [[("I would like a table for {count} at {restaurant} on {day}.", "Of course. At what time?"), ("Do you have a table for {count} people on {day}? I mean at {restaurant}.", "Yes, we do. When will you come?"), ("Please book a table at {restaurant} for {count} of us on {day}.", "Certainly. What time?")],
      [("At {time}, please. And we want {dish}.", "Noted: {time}, and {dish}."), ("{time}. Is there {dish}?", "Yes, {dish} is on the menu."), ("We come at {time} and would like {dish}.", "Very well, {dish} for all.")]],
     "{a} books a table for {count} at {restaurant} on {day} at {time} and orders {dish}."),
    (dict(item=thing, code=code, problem=any_of(PROBLEMS), date=date, company=company),
     [[("I bought {item} from {company}, and {problem}.", "I am sorry. What is the order number?"), ("There is trouble with my {item} from {company}: {problem}.", "Sorry to hear that. Can I have the number of the order?"), ("My {item} came from {company} today, but {problem}.", "Oh no. Which order is it?")],
      [("It is {code}.", "Thank you. You get new ones on {date}."), ("The number is {code}.", "We send a replacement on {date}."), ("{code}.", "Good, the new {item} arrive on {date}.")]],
     "{a} complains about {item} from {company} (order {code}); a replacement comes on {date}."),
    (dict(doctor=lambda d: "Dr " + full_name(d).split()[-1], day=DAY, time=clock, pain=any_of(["a headache", "a sore throat", "back pain", "a bad cough", "a swollen foot", "toothache", "a fever", "an itchy eye", "ear pain", "a stiff neck"])),
     [[("I need an appointment because of {pain}.", "{doctor} is free on {day}."), ("I have {pain}. Can I see a doctor?", "Yes, {doctor} can see you on {day}."), ("Could I come in? It is {pain}.", "On {day}, {doctor} has time.")],
      [("What time?", "At {time}."), ("When exactly?", "{time}, if you can."), ("Is the morning possible?", "We have {time}."), ("Which time do you have?", "Please come at {time}.")]],
     "{a} has {pain} and gets an appointment with {doctor} on {day} at {time}."),
    (dict(city=WHERE_CITY, other=WHERE_CITY, transport=any_of(TRANSPORT), date=date, price=price),
     [[("I want to go from {city} to {other}.", "By what?"), ("How do I get from {city} to {other}?", "There are many ways. What do you prefer?"), ("I need a ticket from {city} to {other}.", "Which way of travel?")],
      [("By {transport}, on {date}.", "That is {price}."), ("The {transport}, please. The date is {date}.", "It costs {price}."), ("I take the {transport} on {date}.", "Then it is {price}, please.")]],
     "{a} books a trip from {city} to {other} by {transport} on {date} for {price}."),
    (dict(job=any_of(JOBS), company=company, pay=price, day=DAY),
     [[("I have heard that {company} needs {a_job}.", "Yes, are you interested?"), ("Do you still look for {a_job} at {company}?", "We do. Would you like to apply?"), ("I would like to work as {a_job} for {company}.", "That is good news for us.")],
      [("What is the pay?", "It is {pay} an hour. Can you start on {day}?"), ("How much do I earn?", "{pay} an hour. The first day is {day}."), ("What do you pay?", "We pay {pay} an hour, from {day} on.")]],
     "{a} will work as {a_job} for {company} from {day} on for {pay} an hour."),
    (dict(item=thing, count=number(2, 30), price=price, street=street),
     [[("I need {count} {item}.", "We have them for {price}."), ("Do you have {count} {item} for me?", "Yes, for {price}."), ("How much are {count} {item}?", "They cost {price}.")],
      [("Please send them to {street}.", "We will bring them to {street}."), ("Good. My address is {street}.", "They come to {street}."), ("I take them. I live at {street}.", "Thank you, {street} it is.")]],
     "{a} buys {count} {item} for {price}; they are sent to {street}."),
    (dict(animal=any_of(ANIMALS), pet=any_of(FIRST_NAMES), day=DAY, other=DAY, food=any_of(["carrots", "rice", "fish", "dry food", "apples", "chicken", "seeds", "hay", "lettuce", "bread"])),
     [[("Can you look after my {animal} {pet}?", "Yes, when?"), ("I need someone for {pet}, my {animal}.", "I can do it. Which days?"), ("Would you take my {animal}? Its name is {pet}.", "I like animals. For how long?")],
      [("From {day} to {other}.", "And what does it eat?"), ("From {day} until {other}.", "What food does it get?"), ("It would be from {day} to {other}.", "What shall I feed it?")],
      [("It eats {food}.", "That is easy."), ("Only {food}.", "Good, I will buy some."), ("Give it {food}, please.", "I will.")]],
     "{b} looks after {a}'s {animal} {pet} from {day} to {other} and feeds it {food}."),
]
DIALOGUE_ASKS = ["Summarise this conversation.", "Summarize the dialogue in one sentence.", "What did they agree on?", "Sum up the conversation.", "Give a short summary of the dialogue.", "What happens in this conversation?",
                 "Write a one-sentence summary of the chat.", "What is the result of this conversation?", "Please summarise the chat below.", "TL;DR of this dialogue:", "What was this talk about?", "Condense this conversation.",
                 "Tell me in one sentence what they arranged.", "Short summary of the conversation, please.", "What should I know about this chat?"]


def make_dialogue(draw: Draw):
    """names and slots, the spoken lines, and the summary template."""
    slots, parts, told = draw.pick(DEALS)
    record: dict = {}
    record["a"], record["b"] = draw.sample(FIRST_NAMES, 2)
    for name, maker in slots.items():
        record[name] = maker(draw)
        for _ in range(20):
            if list(record.values()).count(record[name]) == 1:
                break
            record[name] = maker(draw)
    pairs = [draw.pick(GREETS)] if draw.chance(0.7) else []
    pairs += draw.sample(CHATTER, draw.pick([0, 0, 1, 1, 2]))
    for part in parts:
        pairs.append(draw.wording(part))
        if draw.chance(0.12):
            pairs.append(draw.pick(CHATTER))
    if draw.chance(0.7):
        pairs.append(draw.pick(ENDS))
    lines = [f"{record[who]}: {fill(said, record)}" for pair in pairs for who, said in zip("ab", pair)]
    return record, lines, told


def dialogue_summary(draw: Draw) -> dict:
    record, lines, told = make_dialogue(draw)
    slots = {name: value for name, value in record.items() if re.search(r"\{(?:a_)?" + name + r"\}", told)}
    return row("dialogue_summary", summary_form(draw, draw.wording(DIALOGUE_ASKS), "\n".join(lines)), fill(told, record), slots=slots)


DIALOGUE_QUESTIONS = {"day": ["On which day?", "What day was agreed?", "Which day did they choose?"], "time": ["At what time?", "What time was agreed?", "Which time did they say?"], "price": ["How much does it cost?", "What is the price?"],
                      "code": ["What is the order number?", "Which number does the order have?"], "date": ["What date is named?", "On what date?"], "doctor": ["Which doctor is it?", "Who is the doctor?"],
                      "place": ["Where do they meet?", "What is the meeting place?"], "count": ["How many?", "What number is named?"], "pet": ["What is the animal's name?", "What is the pet called?"], "pain": ["What is wrong with {a}?"],
                      "pay": ["What is the pay?", "How much is paid an hour?"], "street": ["What is the address?", "Where does {a} live?"], "dish": ["What do they want to eat?"], "company": ["Which company is named?"],
                      "restaurant": ["Which restaurant is it?"], "job": ["Which job is it?"], "animal": ["What kind of animal is it?"]}


def dialogue_question(draw: Draw) -> dict:
    for _ in range(50):
        record, lines, _ = make_dialogue(draw)
        text = "\n".join(lines)
        slots = [s for s in record if s in DIALOGUE_QUESTIONS and record[s] in text and not (s == "day" and "other" in record)]
        if slots:
            slot = draw.pick(slots)
            return row("reading_question", request(draw, text, fill(draw.pick(DIALOGUE_QUESTIONS[slot]), record)), record[slot], answers=[record[slot]])
    raise SystemExit("No dialogue gives a question.")


# --- lists and tables -------------------------------------------------------------------------------------------

TABLES = [  # heading, key maker, value maker, question of the value, question of the key
    ("Phone list", full_name, phone, ["What is {k}'s number?", "How can I call {k}?", "Give me the phone number of {k}."], ["Whose number is {v}?", "Who has the number {v}?"]),
    ("Price list", thing, price, ["How much are the {k}?", "What do {k} cost?", "Price of {k}?"], ["What costs {v}?", "Which item has the price {v}?"]),
    ("Opening hours", DAY, lambda d: f"{clock(d)} to {clock(d)}", ["When is it open on {k}?", "What are the hours on {k}?", "Opening hours for {k}?"], ["Which day has the hours {v}?"]),
    ("Rooms", full_name, number(2, 480), ["In which room is {k}?", "What is {k}'s room?", "Where does {k} sit (room number)?"], ["Who is in room {v}?"]),
    ("Menu", any_of(FOODS), price, ["How much is the {k}?", "What does {k} cost?", "Price of the {k}?"], ["Which dish costs {v}?"]),
    ("Timetable", WHERE_CITY, clock, ["When does the train to {k} leave?", "What time is the train to {k}?", "Departure to {k}?"], ["Which train leaves at {v}?", "Where does the train at {v} go?"]),
    ("Jobs", full_name, any_of(JOBS), ["What is {k}'s job?", "What does {k} do?", "Which job has {k}?"], ["Who is the {v}?", "Who works as {v}?"]),
    ("Points", any_of(FIRST_NAMES), number(2, 99), ["How many points has {k}?", "What is {k}'s score?", "Score of {k}?"], ["Who has {v} points?"]),
    ("Capitals of an invented world", lambda d: d.pick(["Vel", "Tor", "Mar", "Ost", "Kan", "Bel", "Zar", "Lum", "Pel", "Dor"]) + d.pick(["onia", "avia", "istan", "land", "ora", "adia", "mark"]), WHERE_CITY,
     ["What is the capital of {k}?", "Which city is the capital of {k}?"], ["Of which country is {v} the capital?"]),
    ("Birthdays", full_name, date, ["When is {k}'s birthday?", "What is the birthday of {k}?"], ["Who has a birthday on {v}?", "Whose birthday is {v}?"]),
    ("Duties", DAY, full_name, ["Who is on duty on {k}?", "Who works on {k}?", "Whose turn is it on {k}?"], ["On which day does {v} work?", "When is it {v}'s turn?"]),
    ("Stock", thing, number(2, 900), ["How many {k} are there?", "What is the number of {k} in stock?", "How many {k} do we have?"], ["Of which item are there {v}?"]),
]


def lookup(draw: Draw) -> dict:
    heading, key_maker, value_maker, of_value, of_key = draw.wording(TABLES)
    entries: dict = {}
    for _ in range(draw.number(4, 13)):
        key, value = key_maker(draw), value_maker(draw)
        if value not in entries.values():
            entries.setdefault(key, value)
    layout = draw.pick(["{}: {}", "- {}: {}", "{} | {}", "| {} | {} |", "{}, {}", "{} - {}", "{}\t{}"])
    text = (f"{heading}\n" if draw.chance(0.6) else "") + "\n".join(layout.format(k, v) for k, v in entries.items())
    key = draw.pick(list(entries))
    if draw.chance(0.65):
        asked, answer = draw.pick(of_value).format(k=key), entries[key]
    else:
        asked, answer = draw.pick(of_key).format(v=entries[key]), key
    return row("lookup", request(draw, text, careless(draw, asked)), answer, answers=[answer])


def position(draw: Draw) -> dict:
    name, bank = draw.pick([("item", ITEMS), ("name", FIRST_NAMES), ("city", CITIES), ("animal", ANIMALS), ("dish", FOODS), ("job", JOBS), ("colour", COLOURS)])
    things = draw.sample(bank, draw.number(3, 8))
    text = draw.pick([", ", "\n", "\n- ", "; "]).join(things)
    ordinals = ["first", "second", "third", "fourth", "fifth"][:len(things)] + ["last"]
    which = draw.pick(ordinals)
    index = -1 if which == "last" else ordinals.index(which)
    kind = draw.rng.random()
    if kind < 0.55:
        asked, answer = draw.wording(["What is the {w} {n}?", "Which {n} comes {w}?", "Name the {w} {n} in the list.", "Give me the {w} {n}.", "Tell me the {w} entry.", "Say the {w} one.", "What comes {w} in the list?"]).format(w=which, n=name), things[index]
    elif kind < 0.75:
        asked, answer = draw.wording(["How many are there?", "How many entries has the list?", "Count them.", "What is the number of entries?", "How long is this list?", "How many are in the list?"]), str(len(things))
    else:
        at = draw.number(0, len(things) - 2)
        asked, answer = draw.wording(["What comes after {}?", "What stands after {}?", "Which one follows {}?", "What is next after {}?"]).format(things[at]), things[at + 1]
    return row("position", draw.pick(["{text}\n\n{asked}", "{asked}\n\n{text}", "List: {text}\n{asked}"]).format(text=text, asked=asked), answer, answers=[answer])


GENERATORS = [(question, 28), (not_said, 5), (yes_no, 6), (extract, 11), (chat_on_text, 9), (summary, 8), (headline, 3), (key_points, 3), (dialogue_summary, 24), (dialogue_question, 5), (lookup, 9), (position, 4)]
