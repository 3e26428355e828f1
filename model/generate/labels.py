"""Classification rows: label sets drawn afresh for each row, in many families, under many requests.

Each family is a text of blocks. A block starts with "# name / synonym / synonym : description"; its sentences follow,
parted by "|" or new lines, with slots in braces that `fill` fills.
"""
import re

from .draw import Draw, row
from .words import (ANIMALS, CITIES, COLOURS, COUNTRIES, FIRST_NAMES, FOODS, HOBBIES, ITEMS, JOBS, MONTHS, PLACES, SURNAMES, WEEKDAYS,
                    clock, code, company, date, price)

TOPICS = """
# sports / sport / athletics : matches, players and races
{name} scored the winning goal in the last minute. | The team from {city} won the match {n} to 1. | The tennis final was moved to {day}.
The coach praised the players after the game. | {name} broke the national record in the 400 metres. | The referee sent two defenders off.
The goalkeeper {name} saved a penalty. | {city} reached the semi-finals of the cup. | The swimmers train twice a day for the championship.
The marathon was won by a runner from {country}. | The striker is injured and will miss {n} matches.
The basketball club signed {name} for two seasons.
Our hockey side lost again, this time by {n} goals. | The crowd cheered as {name} crossed the finishing line.
# politics / government / political news : parliaments, elections and ministers
The parliament in {city} voted on the new law on {day}. | {name} {surname} was elected mayor of {city}. | The minister resigned after the election.
The opposition party wants a vote of no confidence. | The president met the prime minister of {country}. | Voters will choose a new senate in {month}.
The coalition agreed on a tax reform. | The candidate promised lower taxes and more police. | The government of {country} has called a referendum.
Members of the council argued about the new constitution. | The ambassador left {country} after the diplomatic row.
The party leader gave a speech to supporters.
The cabinet met on {day} to discuss the new bill. | Polls show that {name} {surname} may lose her seat in parliament.
# cooking / food / cuisine : dishes, ingredients and kitchens
Chop the onions and fry them in butter. | {name} cooked {food} for dinner. | Add a pinch of salt and stir the sauce.
Let the dough rise for an hour before baking.
The soup needs more pepper and a little cream. | Roast the vegetables with olive oil and garlic. | This {food} needs {n} eggs and some flour.
Simmer the stew until the beans are soft. | The chef served {food} with a spicy sauce. | Whisk the egg whites until they are stiff.
Boil the potatoes, then mash them with milk. | My grandmother's {food} tastes best with fresh herbs.
Bake the pie for {big} minutes until it is golden.
Marinate the chicken overnight in lemon juice.
# astronomy / space / stars and planets : planets, stars and telescopes
The telescope took a picture of a distant galaxy. | The comet will be visible to the naked eye in {month}. | {name} watched the eclipse of the moon.
Saturn's rings are made of ice and rock. | The rocket carried {n} astronauts into orbit. | A new planet was found around a far-off star.
The probe landed on an asteroid on {day}. | Jupiter has dozens of moons. | Light from that star takes {big} years to reach us.
The observatory near {city} studies black holes. | A meteor shower will light up the night sky. | {name} named every constellation above us.
The space station circles the Earth many times a day. | The rover sent photographs from the surface of Mars.
# music / songs and bands / concerts and songs : songs, bands and instruments
The band from {city} released a new album. | {name} plays the violin in an orchestra. | The concert began with a long guitar solo.
The choir sang in four-part harmony.
The singer hit every high note. | Her new song has a slow melody and a soft piano. | The drummer kept a steady beat. | {name} is learning the cello.
The jazz trio played until midnight. | The composer finished his third symphony in {month}. | The single has topped the charts for {n} weeks.
The pianist played a waltz as an encore. | They tuned their instruments before the performance. | The chorus of this tune is easy to sing.
# weather / climate report / weather forecast : rain, sun, wind and temperatures
Heavy rain is expected in {city} on {day}. | It will be sunny with a light breeze. | Temperatures will fall below zero tonight.
Snow covered the hills near {city}.
A storm is moving in from the west. | The fog will clear by midday. | Expect showers in the morning and sunshine later.
The heatwave in {country} goes on.
Strong winds and hail hit {city} last night. | It was cloudy and cool all of {day}. | There may be thunder and lightning this evening.
The coldest night of {month} brought hard frost. | Drizzle and grey skies will stay until {day}. | Highs of {big} degrees are forecast.
# gardening / garden / plants and flower beds : flower beds, seeds and pruning
Plant the tulip bulbs before the first frost. | {name} pruned the roses on {day}. | Water the tomatoes early in the morning.
The lawn needs mowing again.
Sow the carrot seeds in rows, a finger deep. | Pull up the weeds before they spread. | Add compost to the flower bed in {month}.
Slugs have eaten all our lettuce seedlings.
The hedge should be trimmed twice a year. | Repot the geraniums in fresh soil. | {name} grows beans and herbs on the balcony.
Cut back the lavender after it has flowered. | The greenhouse is full of young cucumber plants. | A sunny border is ideal for these lilies.
# health / medicine / medical : illness, doctors and treatment
The doctor told {name} to rest and drink water. | The nurse gave the patient some medicine. | A new vaccine protects against the flu.
The surgeon operated on his knee on {day}. | She has had a fever and a cough for {n} days. | The hospital in {city} opened a new ward.
Take one tablet after each meal.
The blood test showed a lack of iron. | High blood pressure raises the risk of heart disease. | The dentist filled two of {name}'s teeth.
The patients were treated with antibiotics. | {name} broke an arm and needs a plaster cast. | The clinic offers free eye tests.
The rash went away with a cream from the pharmacy.
# technology / computers / it and gadgets : computers, phones and software
The new phone has a faster chip and a better camera. | {company} released an update for its software. | {name} wrote a small computer program.
Hackers attacked the website of {company}. | The laptop's battery lasts {n} hours. | The browser now blocks tracking cookies.
The server crashed and the data had to be restored.
The robot is controlled by a neural network. | Install the driver, then restart the computer. | The tablet has a {n}-inch touch screen.
Programmers found a bug in the operating system. | The router sends the wireless signal through two walls. | {company} stores its files in the cloud.
The chip maker doubled the memory of its processors.
# travel / tourism / holidays : trips, hotels and sights
We flew to {city} and stayed in a small hotel. | Tourists love the old streets of {city}. | Pack light if you are backpacking through {country}.
The tour guide showed us the castle of {city}. | I need a visa and a passport to visit {country}.
{name} spent {n} weeks travelling around {country}.
Our hostel in {city} was close to the beach. | The package holiday includes flights and {n} nights in {city}.
The best time for a trip to {country} is {month}.
Visitors can take a sightseeing bus through {city}. | We booked a holiday cottage in {country}. | The travel guide lists the top sights of {city}.
Our suitcases got lost on the way to {city}. | The resort in {country} has {n} swimming pools for its guests.
# pets / pet care / cats and dogs : animals kept at home
My cat sleeps in a basket next to the heater. | The puppy has chewed {name}'s slippers. | Clean the hamster's cage once a week.
{name} walks the dog before breakfast.
The kitten is afraid of the vacuum cleaner. | Our parrot can say {n} words. | Brush your dog's coat every day. | The vet clipped our rabbit's claws.
A goldfish should not be kept in a small bowl. | Which food is best for an old cat? | {name} taught her dog to sit and stay.
We adopted two guinea pigs from the shelter.
The litter box has to be cleaned daily. | Our tortoise likes to eat lettuce from my hand.
# cinema / films / movies : films, directors and actors on screen
The film opens in cinemas on {day}. | The director shot the last scene in {city}. | {name} {surname} plays the villain in the new thriller.
The movie won {n} awards at the film festival. | The sequel was filmed in {country}. | The trailer shows a car chase and an explosion.
The special effects filled the whole screen.
The actress was praised for her part in the silent movie. | The camera work makes this film remarkable.
The screenplay was written by {name} {surname}.
It is a black and white movie about two sailors. | The final credits of the film rolled in silence. | The cartoon was the biggest film of {month}.
We saw the new western at the cinema on {day}.
# finance / money / banking and shares : shares, loans and savings
Shares of {company} fell by {n} per cent. | The central bank raised interest rates. | {name} put her savings into a fund.
The stock market closed higher on {day}.
Inflation in {country} reached {n} per cent. | The loan must be paid back within {n} years. | Investors bought bonds and gold.
The currency of {country} lost value.
The mortgage costs {price} a month. | The bank offers {n} per cent on savings. | The company's debts have doubled since {month}.
The dividend will be {price} per share.
Put a tenth of your wages aside as savings. | Traders expect the euro to rise against the dollar.
# education / school / learning : schools, teachers and exams
The pupils handed in their homework on {day}. | {name} passed the final exam with top marks. | The teacher wrote the lesson plan on the board.
The university in {city} offers {n} new courses.
The primary school needs more classrooms. | Students may borrow textbooks for the term. | The headmaster welcomed the new class.
She is studying for her degree in {city}.
The lecture begins at {clock} in hall {n}. | The school year in {country} starts in {month}. | The tutor marked {big} essays.
Class {n} went over its spelling test.
Children learn to read in the first grade. | The college gave {name} a scholarship.
# motoring / cars / automobiles : cars, engines and garages
The car needs new brakes and an oil change. | {name} bought a used estate car with a diesel engine. | The gearbox makes a grinding noise.
Check the tyre pressure once a month.
The new convertible goes from zero to sixty in {n} seconds. | The mechanic replaced the clutch. | The hatchback has a large boot and {n} seats.
Her car failed its inspection because of a cracked windscreen. | The engine will not start on cold mornings.
{company} showed its electric saloon at the motor show.
The headlights of my van are too dim. | He parked the sports car in the garage. | The exhaust pipe has rusted through.
{name} passed the driving test on {day}.
# fashion / clothes / style : clothes, designers and trends
Long coats are back in style this winter. | The designer showed {colour} dresses on the catwalk. | {name} wore a {colour} silk scarf.
Wide trousers go well with a short jacket.
The models walked the runway in {city}. | This season's shirts have large collars. | A {colour} belt completes the outfit.
The boutique sells hand-made skirts.
High heels were paired with simple linen suits. | The new collection is all about denim. | Stripes and dots are the trend of {month}.
The tailor shortened the sleeves of the blazer.
{name} matched {colour} boots with a wool dress. | Her wardrobe is full of vintage gowns.
# history / the past / historical : past ages, kings and ruins
The Romans built this wall almost two thousand years ago. | The castle was besieged in the Middle Ages. | The king signed the treaty in 1648.
Archaeologists dug up a bronze sword.
The empire fell after a long war. | In the 18th century {city} was a small trading post. | The pharaohs were buried with their treasure.
The revolution began in 1789.
Knights and monks lived in the old fortress. | The queen's reign lasted {big} years. | Vikings raided the coast a thousand years ago.
The museum shows coins from ancient Greece.
The old chronicle tells of a plague in 1348. | The first settlers reached the valley in 1620.
# careers / jobs / employment : jobs, applications and work life
{company} is looking for a {job} in {city}. | {name} sent her CV to {n} employers. | The interview for the post is on {day}.
Applicants need {n} years of work experience.
{name} was promoted to team leader. | The vacancy for a {job} is still open. | Ask your boss for a rise when the year ends.
Write a cover letter for every application.
{company} hired {big} new workers. | He handed in his notice and left the firm. | The internship pays {price} a day.
More people in {city} were out of work in {month}.
The trainee will get a permanent contract. | Part-time staff may work from home on {day}.
# nature / wildlife / wild animals : wild animals and their habitats
The wolves hunt deer in the northern forest. | An eagle circled above the valley. | Salmon swim up the river to lay their eggs.
The bear sleeps in its den all winter.
A herd of elephants crossed the savanna. | Swallows fly south in the autumn. | The otter built its home in the river bank.
The fox caught a mouse in the meadow.
Whales feed on tiny shrimps. | A rare butterfly was seen in the marsh. | The owl hunts at night and sleeps by day.
Badgers dig their tunnels at the edge of the wood.
Hundreds of geese rested on the lake. | The lioness guarded her cubs in the tall grass.
# crime / law and order / police and courts : police, courts and thieves
The police arrested two men on {day}. | A thief stole {n} paintings from a gallery in {city}. | The jury found the accused guilty.
The judge sent him to prison for {n} years.
Detectives are looking for witnesses of the robbery. | Burglars broke into a house in {city}. | The lawyer asked the court for bail.
The stolen necklace was found by the police.
The trial of the bank robbers begins in {month}. | A fraudster cheated {big} people out of their money. | Officers chased the suspect through {city}.
The forger was caught with false passports. | The prosecutor called {n} witnesses. | The pickpocket was handcuffed on the spot.
# literature / books / reading : novels, poets and authors
The novel tells of two sisters in {city}. | The poet {name} {surname} published a new volume. | Chapter {n} is the best part of the book.
The author signed copies of her bestseller.
I finished reading the story in one evening. | The book club discussed a novel from {country}. | The narrator of the tale is an old {job}.
The short stories were printed in one volume.
The publisher turned down his first manuscript. | The library lends {n} books at a time. | Her memoir has {n}0 pages.
The plot of this novel is full of surprises.
The writer won a prize for his second book. | The sonnet has fourteen lines that rhyme.
# art / painting / visual arts : paintings, sculptures and galleries
The gallery shows {big} landscapes in oil. | {name} painted the portrait in {month}. | The sculptor carved a horse out of marble.
The watercolour was sold for {price}.
The painter mixed {colour} and {colour2} on the palette. | The exhibition of drawings opens on {day}. | The artist works in a studio in {city}.
The fresco on the ceiling was restored.
{name} sketched the harbour with charcoal. | The still life shows a jug and {n} apples. | The brush strokes are thick and bold.
A bronze statue stands in the gallery.
The art museum in {city} bought an etching. | The canvas was stretched over a wooden frame.
# farming / agriculture / farm life : crops, cattle and tractors
The farmer milks {big} cows every morning. | The wheat harvest in {country} was poor. | The tractor pulled the plough across the field.
{name} keeps sheep and hens on a farm.
The barn is full of hay. | The maize fields need rain soon. | Fertiliser prices worry the growers of {country}.
The cattle graze on the upper pasture.
The combine harvester broke down in the barley. | The dairy farm sells its own butter. | The piglets were born in the stable on {day}.
The farmers sprayed the potato fields.
The crop was stored in the silo. | Shepherds bring their flocks down in {month}.
# architecture / buildings / building design : houses, towers and architects
The architect designed a glass tower for {city}. | The dome of the cathedral is {big} metres high. | The bridge rests on {n} stone arches.
The new town hall has a wooden roof.
The facade is made of {colour} brick. | Tall columns stand on both sides of the entrance. | {name} {surname} drew the plans for the museum building.
The skyscraper has {big} floors.
The old factory was turned into flats. | The tower of the church leans a little. | The building has round windows and a flat roof.
A spiral staircase leads to the gallery floor.
The villa was built of concrete and steel. | The arches and vaults of the hall are Gothic.
# public transport / trains and buses / rail and bus travel : trains, buses and timetables
The train to {city} is {big} minutes late. | The bus number {n} stops at the town hall. | The underground line will be closed on {day}.
Monthly passes for the tram cost {price}.
The conductor checked the tickets. | The last bus leaves at {clock}. | Passengers waited on platform {n}.
The new tram line links the station and the hospital.
The night train to {city} has sleeping cars. | Commuters complained about crowded trains. | Change at {city} and take the local train.
The timetable of the buses changes in {month}.
The railway bridge was closed, so buses replaced trains. | The metro runs every {n} minutes.
# photography / photos / cameras and pictures : cameras, lenses and pictures
Use a long exposure to photograph the waterfall. | {name} took {big} photos with a wide lens. | The picture is out of focus.
A tripod keeps the camera still.
The photographer developed the film in a darkroom. | Turn off the flash when you photograph glass. | The portrait lens blurs the background.
I shoot in black and white with an old camera.
The photo was taken at sunset with a filter. | A fast shutter freezes the movement. | {name} printed the snapshots in large format.
Clean the lens before you take pictures.
The aperture was too small, so the photo is dark. | The zoom brings the bird close in the viewfinder.
# mathematics / maths / numbers and geometry : sums, proofs and equations
The sum of the angles in a triangle is 180 degrees. | Solve the equation for x. | Seven is a prime number. | {name} proved the theorem in {n} steps.
The area of a circle depends on its radius. | Multiply both sides by {n}. | Ten divided by five is two. | The square root of 81 is 9.
The graph of the function is a straight line. | An even number can be divided by two. | Add the fractions and simplify.
The cube has six equal faces and twelve edges.
The average of the three numbers is {n}. | Algebra uses letters for unknown numbers.
# video games / gaming / computer games : players, levels and consoles
I am stuck on level {n} of the game. | The new console comes with two controllers. | {name} beat the final boss at last.
The game has {big} levels and hidden bonus stages.
The players explore an open world full of dragons. | My character needs a better shield and more health points.
The racing game supports split screen. | You earn {big} coins for each quest.
{name} holds the high score in the arcade. | The update adds new maps to the shooter. | Press the jump button twice to reach the platform.
The multiplayer mode needs a fast connection.
Our clan won the online tournament. | The puzzle game is free on all consoles.
# energy / power supply / electricity : power stations, fuels and grids
The wind farm supplies {big} villages with electricity. | The power station burns gas and coal. | Solar panels were fitted on {n} roofs in {city}.
The dam drives {n} turbines.
The oil price rose after the pipeline was closed. | The reactor will be shut down in {month}. | The grid was overloaded and {city} was without power.
{country} imports most of its gas.
The new battery stores power from the wind turbines. | The electricity bill is high because of the old boiler.
Engineers repaired the power line on {day}. | Fuel is getting dearer in {country}.
The generator gives {big} kilowatts. | Hydrogen could heat whole towns one day.
# seafaring / ships and sailing / the sea : ships, harbours and sailors
The ship dropped anchor off the island. | The captain steered the yacht into the harbour. | The sailors hoisted the main sail.
The lighthouse guides ships past the rocks.
The ferry rolled in the high waves. | The crew mended the nets on deck. | The cargo ship left the port of {city} on {day}.
{name} sailed round the world alone.
The tide was too low for the trawler. | The lifeboat rescued {n} fishermen. | The helmsman saw the reef too late. | The schooner has {n} masts.
A rope held the boat to the pier. | The navigator marked their course on the sea chart.
# theatre / stage / plays and stage : plays, stages and curtains
The curtain rose on the first act. | {name} forgot her lines on stage. | The play runs at the theatre in {city} until {month}.
The audience applauded as the actors bowed.
The stage set was a simple wooden room. | The second act of the drama is rather long. | The rehearsals for the play start on {day}.
The prompter whispered the next line.
The understudy took over the part of the king on stage. | The tragedy was performed by a travelling company.
The props and costumes were kept behind the stage.
{name} {surname} wrote a comedy in three acts. | The box office of the theatre opens at {clock}. | The puppets bowed and the curtain fell.
# environment / ecology / pollution and recycling : pollution, waste and climate
Plastic waste is killing the fish in the bay. | {city} wants to recycle half of its rubbish. | The river was polluted by a chemical plant.
Cutting down the rainforest harms the climate.
Volunteers collected {big} bags of litter on the beach. | Carbon emissions rose by {n} per cent. | The air in {city} is thick with smog.
Separate glass and paper for recycling.
The glaciers are melting because of global warming. | Activists demand a ban on plastic bags. | {company} was fined for dumping toxic waste.
Less traffic would mean cleaner air.
The landfill near {city} is full. | Re-use the bottles to avoid waste.
# home repairs / diy / handyman work : fixing things about the house
The kitchen tap drips and needs a new washer. | Drill a hole and put in a wall plug. | {name} painted the fence and fixed the gate latch.
Sand the shelf before you varnish it.
The bathroom tiles have to be grouted. | Hang the wallpaper from top to bottom. | Tighten the loose screws of the door hinge.
The blocked drain can be cleared with a plunger.
{name} mended the squeaking floorboard. | Fill the crack in the wall with plaster. | You need a hammer, nails and a spirit level.
The gutter came loose and has to be screwed on.
Turn off the water before you change the pipe. | The doorbell needs a new wire.
# languages / language learning / linguistics : grammar, words and translation
The noun is followed by an adjective in this language. | {name} learns ten new words every day. | The verb comes at the end of the sentence.
This word has {n} syllables.
The dialect of the valley is hard to understand. | The interpreter spoke {n} languages. | The past tense of this verb is irregular.
The vowel is pronounced long.
The dictionary gives {n} meanings for the word. | Her accent shows that she comes from {country}. | The plural takes another ending.
The phrase has no exact translation.
He practises pronunciation in front of a mirror. | The grammar book explains the use of commas.
"""
TOPIC_CLASHES = [("finance", "careers"), ("pets", "nature"), ("cinema", "theatre"), ("motoring", "public transport"), ("environment", "energy"),
                  ("gardening", "farming"), ("literature", "education"), ("art", "photography"), ("architecture", "home repairs"),
                  ("travel", "public transport"), ("travel", "seafaring"), ("pets", "farming"), ("nature", "farming"), ("nature", "environment"),
                  ("weather", "environment"), ("education", "languages"), ("education", "careers"), ("literature", "languages"),
                  ("pets", "health"), ("nature", "gardening"), ("cinema", "literature"), ("theatre", "literature"), ("cinema", "photography"),
                  ("art", "architecture"), ("history", "architecture"), ("history", "politics"), ("technology", "video games"), ("technology",
                  "photography"),
                  ("nature", "seafaring"), ("energy", "home repairs"), ("energy", "technology"), ("environment", "seafaring"), ("education",
                  "mathematics"),
                  ("crime", "finance"), ("crime", "politics"), ("crime", "art"), ("politics", "finance"), ("theatre", "music"), ("cinema", "music"),
                  ("history", "literature"), ("history", "art"), ("history", "seafaring"), ("careers", "technology")]

CUSTOMER = """
# refund / money back / refund request : the customer wants the money back
I would like my money back for the {item}. | Please refund order {code}. | When will I get my refund of {price}?
I want you to return the {price} I paid.
The {item} were not what I hoped for, I'd like a refund. | Can you pay back the {price} for my order? | I still have not received my refund.
How do I get a refund for {code}?
Please transfer the money back to my account. | I am asking for a full refund. | You promised to pay me back {price}, but nothing has come.
Could I have my money back, please? | I'd like to be refunded for the {item}. | Is the refund for order {code} on its way?
# delivery / shipping / delivery status : where the parcel is, when it comes
Where is my parcel? | My order {code} has not arrived yet. | When will the {item} be delivered? | The tracking page says nothing about my package.
How long does shipping to {city} take? | The courier did not come on {day}. | Has order {code} been shipped?
I have been waiting for my package for {n} days.
Can you tell me where my {item} are at the moment? | Do you deliver to {country}? | My package seems to be lost in the post.
Which day will my parcel reach {city}?
The driver left without ringing the bell, where is my parcel now? | Please tell me the delivery date for {code}.
# login problem / sign-in trouble / account access : the customer cannot log in
I cannot log in to my account. | I forgot my password. | The site says that my password is wrong. | How do I reset my password?
My account is locked after {n} attempts. | I never get the code to sign in. | The login page keeps sending me back. | My user name is not accepted.
Please unlock my account, I can't sign in. | The link to set a new password does not work. | I can't get into my account since {day}.
Signing in fails each time I try.
Where can I change a forgotten password? | My login details are not recognised.
# cancel order / order cancellation / cancellation : the customer wants to cancel an order
Please cancel my order {code}. | I ordered {item} by mistake, please stop the order. | I no longer need the {item}, cancel them please.
How can I cancel an order?
Can I still cancel order {code}? | I would like to cancel what I ordered on {day}. | Stop order {code}, I have changed my mind.
I want to withdraw my order for {n} {item}.
Don't send the {item}, I'd like to cancel. | I placed the order twice, please cancel one of them. | Cancel everything I ordered yesterday.
Is it too late to cancel order {code}?
My order should be cancelled, please. | We have to cancel our order for {item}.
# complaint about staff / rude staff / staff complaint : someone on the staff behaved badly
Your colleague {name} was very rude to me. | The man at the counter shouted at us. | I was treated badly by your salesman on {day}.
The waiter in your {city} branch ignored us.
Your agent hung up on me. | The lady at the till laughed at my question. | I want to complain about the behaviour of your driver.
{name} in your shop was unfriendly and impatient.
The assistant rolled her eyes at me. | Your employee was impolite on the phone. | The receptionist was arrogant and did not greet us.
I found the manner of your staff member {name} unacceptable.
The guard spoke to my mother in a nasty way. | Your colleague insulted me when I asked for help.
# praise / compliment / positive feedback : the customer is pleased
Your service was excellent, well done! | I just want to say that I love my new {item}. | {name} in your shop was so kind and helpful.
Everything was perfect, keep it up!
The best shop in {city}! | I am delighted with my order. | What a wonderful team you have. | I will recommend {company} to all my friends.
The {item} are even nicer than in the picture. | Great job, everything came on time. | You made my day, thank you so much!
I have rarely had such good service.
Many compliments to your friendly staff. | Five stars for {company}, I am very happy.
# billing problem / wrong invoice / billing : wrong sums and invoices
You charged me twice for order {code}. | My invoice shows {price} too much. | There is a mistake on my bill. | Why is my bill higher than last month?
I was billed {price} for something I never had. | The sum on invoice {code} is wrong. | The discount is missing from my bill.
My card was debited two times for one order.
The tax on the invoice is not correct. | I am being charged {price} instead of the price we agreed. | Please check my bill, it does not add up.
The bill for {month} lists {n} items instead of two.
I was charged the wrong amount. | Please correct invoice {code}.
# change of address / new address / address update : the customer has moved
I have moved, please change my address. | My new address is in {city}. | How do I update my address? | Please note that we moved to {city} in {month}.
I need to correct the street in my profile. | The house number you have for me is out of date. | Can you change the address on my account?
From {month} on I live in {city}, please update my records.
We are moving house, where can I tell you our new address? | I want to enter another postal address. | My postcode has changed.
Please replace my old address with the new one.
You still have my old address in {city}. | Our office has a new address.
# damaged goods / damaged item / broken product : the goods came broken
The {item} arrived broken. | The box was crushed and the {item} inside are damaged. | One of the {item} is cracked.
My order {code} came with a big scratch.
Everything in the parcel was smashed. | The {item} were torn when I opened the package. | The glass was in pieces when it came.
I received {item} with dents.
There is a hole in the {item} you sent. | The parcel was wet and the {item} are ruined. | Two of my {item} were shattered on arrival.
My new {item} are already broken.
The lid was split when I unpacked it. | It was damaged in transit.
# booking / appointment / make a booking : the customer wants to book
I would like to book a table for {n} on {day}. | Can I make an appointment for {day}? | Please reserve a room for {n} nights.
Do you have a free slot on {day} at {clock}?
I'd like to book two seats for {month}. | We want to reserve a table for tonight. | Is there an appointment free next week?
Can I book a consultation with {name}?
I need a reservation for {n} people. | Please put me down for the course on {day}. | Could you reserve the hall for our party?
I want to book a double room in {month}.
May I make a booking by phone? | Please book me in for {clock} on {day}.
# opening hours / opening times / business hours : when the shop is open
When do you open on {day}? | Are you open on public holidays? | What are your opening hours? | Until what time is the shop in {city} open?
Do you close for lunch? | At what time do you close on {day}? | Is the store open on Sundays? | Are you open at {clock} tomorrow?
When does your branch in {city} open in the morning? | Is your office open in the evening? | How late are you open tonight?
Will the shop be closed in {month}?
From when to when are you open? | Do you open before nine?
# price question / price enquiry / cost : how much something costs
How much are the {item}? | What does it cost to send a parcel to {country}? | What is the price of {n} {item}?
Could you tell me what you charge for a repair?
How much would {n} {item} cost? | Is the price per piece or per box? | What do the {colour} {item} cost? | I'd like to know the price of item {code}.
Please send me a price list. | How much do you charge per hour? | What would I pay for {big} {item}? | Can you give me a quote for {item}?
Does the price include tax? | What is the monthly fee?
# wrong item / wrong product received / incorrect item : something else was sent
I ordered {item} but got something else. | You sent me the wrong {item}. | I received {colour} {item} instead of {colour2} ones.
This is not what I ordered.
The parcel contained somebody else's order. | Instead of {item} there were books in the box. | You have mixed up my order with another.
I was sent the wrong model.
My order {code} was for {item}, not for lamps. | The colour is not the one I chose, I ordered {colour}.
I got a different product from the one on my order. | The {item} in the box are not mine.
Order {code} contained the wrong thing. | I asked for size {big} and you sent another one.
# technical problem / app error / bug report : the app or site does not work
The app crashes whenever I open it. | Your website shows an error message. | The search button does nothing. | The page stays blank on my phone.
The app has been freezing since the update. | The pictures on your site do not load. | I get error {big}4 when I open the basket.
The app closes by itself after {n} seconds.
The menu overlaps the text on my screen. | Your website is extremely slow today. | The upload stops at {big} per cent.
The video on your page does not play.
There is a bug in the calendar of your app. | The screen of the app turns black.
# exchange / swap / exchange request : another size or colour wanted
The {item} are too small, can I swap them? | I'd like to exchange the {item} for a larger size. | Can I change the {colour} one for a {colour2} one?
Is it possible to swap my {item} for another model?
I need them one size bigger, can you exchange them? | Could I exchange order {code} for {item}?
The size is wrong for me, I want a smaller one instead. | I would rather have them in {colour}, can we swap?
How do I exchange something that does not fit? | May I swap the gift for another one? | Please exchange the {item} for a medium.
Can I trade these for the {colour} version?
The shoes pinch, I would like another size instead. | I want to swap the {item} for a different colour.
# discount / voucher / promo code : vouchers and codes
My voucher {code} is not accepted. | Do you have a discount for students? | Where do I enter the promo code? | Is my gift card still valid?
Can I get a discount if I buy {n} {item}? | The code {code} has expired, can I have a new one? | How can I use my voucher for {price}?
Do pensioners get a reduction?
The coupon from the newspaper does not work. | Are there any special offers this week? | Can I combine two vouchers?
I was promised {n} per cent off.
Do members get a discount? | I have a gift voucher, how do I redeem it?
# stock / availability / in stock : whether something is available
Are the {item} in stock? | When will the {colour} {item} be available again? | Do you have any {item} left? | Is item {code} sold out?
Do you have {n} {item} in your shop in {city}? | Will you get more {item} in? | Is this model still available in {colour}?
The site says out of stock, when do you expect new ones?
Do you still carry {item}? | Could you check whether you have size {big} in store? | Are there any {item} left in {colour}?
Is the {colour} one available in {city}?
Tell me as soon as the {item} are back in stock. | Do you have this in store right now?
# unsubscribe / stop newsletter / newsletter opt-out : no more mailings wanted
Please take me off your mailing list. | I don't want your newsletter any more. | How do I unsubscribe? | Stop sending me advertising e-mails.
Remove my address from your newsletter. | I get {n} mails a day from you, please stop them. | The unsubscribe link does not work.
I never signed up for your newsletter.
No more promotional messages, please. | I wish to stop receiving your weekly mailing. | Delete me from your e-mail list.
Please do not send me any more catalogues.
I want to opt out of your mailings. | Your newsletters fill my inbox, take me off the list.
# payment method / ways to pay / payment options : how one can pay
Can I pay by card? | Do you accept cash? | Is it possible to pay in {n} instalments? | Which cards do you take?
Can I pay on delivery? | May I pay by bank transfer? | Can I use two cards for one order? | Do you take cheques?
Can I pay in the currency of {country}? | Is paying by phone possible in your shop? | I'd rather pay by invoice, is that possible?
Do I have to pay in advance or later?
What ways of paying do you offer? | Can I split the payment with a friend?
# warranty / guarantee / repair under warranty : repairs and guarantees
How long is the guarantee on the {item}? | Is the repair covered by the warranty? | My two-year warranty, does it include the battery?
The motor stopped after {n} months, is that under guarantee?
Do I need the receipt for the warranty? | Can I extend the guarantee? | Is there a warranty on used {item}? | When does my warranty end?
Does the guarantee cover water damage? | I'd like to claim on the warranty for item {code}. | The warranty card was missing, am I still covered?
Is the guarantee valid in {country}?
What does the warranty include? | I want to have it mended under the guarantee.
# close account / delete account / account deletion : the customer wants to leave
Please delete my account. | I want to close my account with {company}. | How do I delete my profile for good?
Remove all my data and close the account.
I no longer want to be a member, close my account. | Can I delete my account myself? | Please erase my profile.
I'm leaving, so please shut down my account.
Where is the button to delete my account? | I ask you to close customer account {code}. | My account should be deleted by {month}.
I don't use my account any more, delete it.
Terminate my membership and delete my profile. | Please deactivate my account for ever.
# missing part / incomplete order / missing item : something was not in the box
One part was missing from the box. | The parcel had only {n} of the {big} {item} in it. | The screws were not included.
My order {code} is incomplete.
There was no manual in the package. | I paid for {big} {item} but only {n} were in the box. | The charger is missing.
Half of my order was not in the parcel.
The bag with the small parts is not there. | The lid of the pot was not in the box. | The cable that should come with it is missing.
We unpacked everything, but one leg of the table was not there.
You forgot to put the batteries in. | Two {item} are missing from my parcel.
# speak to a person / human agent / talk to someone : the customer wants to talk to a human
I want to talk to a real person. | Can someone call me back? | Please put me through to an employee. | Is there a human I can speak to?
I don't want to chat with a machine. | Connect me with an agent, please. | Let me speak to your manager.
May I have the number of a person I can ring?
I would like to speak to somebody in your team. | Please have a colleague phone me on {day}. | Can I talk to a member of staff?
I need a human, not a bot.
Transfer me to a representative. | Could {name} from your team call me?
# lost property / left behind / lost and found : something was left behind
I left my umbrella in your shop. | Did anyone find a {colour} scarf? | I forgot my bag at your restaurant on {day}.
My son lost his cap in your store.
Have you found a set of keys? | I think my wallet is still lying at your counter. | My glasses were left in room {big}.
Has a {colour} glove been handed in?
I must have left my phone on the table by the window. | Our daughter left her teddy bear in your hotel.
I can't find my ring, perhaps I lost it at your place. | Someone may have handed in my watch on {day}.
I forgot my coat in the cloakroom. | Has anybody found a {colour} purse?
# reschedule / change booking / move appointment : a booking is to be moved
Can I move my appointment to {day}? | I need to change my booking from {day} to another day. | Could we make it {clock} instead?
I can't come on {day}, is another day possible?
Please shift our reservation by one hour. | I'd like to postpone my appointment. | Can booking {code} be moved to {month}?
Is it possible to come earlier than planned?
We will be late, can you change our table to {clock}? | Something came up, can we reschedule? | I want a later date for my appointment.
My train is late, could we push the meeting back?
Please change the date of my booking. | Can my appointment be brought forward to {day}?
# invoice copy / send receipt / receipt request : the customer needs a document
Please send me a receipt for order {code}. | I need an invoice for my tax return. | Could I have a copy of the invoice?
I did not get a receipt for the {item}.
Where can I download my invoice? | Please e-mail me the bill for {month}. | I have lost my receipt, can you send it again?
My firm needs an invoice in its name.
May I have a printed receipt? | Can you send the invoice for {code} to my office? | I need proof of purchase.
Please issue an invoice with our company name on it.
The invoice was not attached, please send it. | A copy of the receipt for {price}, please.
# ingredients / allergy question / allergens : what is in the food
Are there nuts in the {food}? | Is the {food} vegan? | I am allergic to eggs, what can I eat? | Does the {food} contain milk?
Which of your dishes are gluten-free? | Is there any soya in the sauce? | What is in the {food}? | My son can't have peanuts, is the cake safe?
Do you cook with butter or with oil? | Can you make the {food} without dairy? | Is there alcohol in the dessert?
Does this chocolate contain traces of nuts?
Are the sausages made with pork? | I cannot eat wheat, is the bread all right for me?
# directions / parking / how to get there : how to find the place
How do I get to your shop from the station? | Is there a car park near your shop? | Where exactly is your branch in {city}?
Which bus stops near you?
Can I park in front of the hotel? | What is the quickest way to your office from the airport? | Is your entrance on the main road?
Where can I leave my car?
On which floor is your showroom? | I can't find your shop, where are you? | Is there a lift for wheelchairs at the entrance?
How far is it on foot from the centre?
Do you have parking for bicycles? | Which exit should I take to reach you?
"""
CUSTOMER_CLASHES = [("refund", "cancel order"), ("billing problem", "invoice copy"), ("price question", "discount"), ("stock", "price question"),
                    ("damaged goods", "missing part"), ("damaged goods", "warranty"), ("wrong item", "exchange"), ("wrong item", "missing part"),
                    ("booking", "reschedule"), ("refund", "billing problem"), ("speak to a person", "complaint about staff"), ("exchange", "refund"),
                    ("delivery", "missing part"), ("login problem", "technical problem"), ("unsubscribe", "close account"), ("cancel order",
                    "close account")]

COMMANDS = """
# set alarm / alarm / wake-up call : wake me at a time
Wake me at {clock}. | Set an alarm for {clock}. | I have to get up at {clock} on {day}, wake me please. | Turn off my alarm for {day}.
Let the alarm ring every weekday at {clock}. | Snooze the alarm. | What time is my alarm set for? | Can you wake me half an hour earlier tomorrow?
Delete all my alarms. | Get me out of bed at {clock}. | I need an alarm tomorrow morning. | Make my alarm ring at {clock} instead.
Change my wake-up time to {clock}. | Put the alarm on for {day}.
# play music / music / start music : songs and playlists
Play some jazz. | Put on my party playlist. | I want to hear a song by {name} {surname}. | Play the latest album of the {animal} brothers.
Skip this song. | Shuffle my favourite tunes. | Play something slow for dinner. | Start the next track.
Can you play classical music? | Add this song to my playlist. | Put some rock music on. | I'm in the mood for the blues, play some.
Play the song from the start. | Let me hear piano music.
# weather / forecast / weather report : the weather
Will it rain in {city} tomorrow? | What's the weather like on {day}? | Do I need an umbrella today? | How cold is it outside?
Is it going to snow in {city}? | What will the temperature be in {city} tonight? | Tell me the forecast for {day}. | Is it windy in {city} right now?
Will the sun shine at the weekend? | How hot will it get in {city}? | Are there storms coming? | Is it foggy on the coast today?
What's the humidity in {city}? | Should I take a warm coat today?
# translate / translation / put into another language : say it in another language
How do you say good morning in Spanish? | Translate "{item}" into French. | What is the Italian word for bread? | Say thank you in German.
Put this sentence into Portuguese for me. | What does this Dutch word mean in English? | I need the Spanish for "{food}".
How would a French person say see you soon?
Can you translate my note to {name} into Italian? | What's goodbye in Japanese? | Turn this line into German. | Give me the French word for {animal}.
How is "where is the station" said in Italian? | Translate the last message into English.
# lights / switch lights / smart lights : lamps on and off
Turn on the lights in the kitchen. | Switch off the lamp. | Dim the lights a little. | Make the bedroom light {colour}.
It's too dark in here. | Lights out, please. | Set the living room lamps to {big} per cent. | Turn the light in the hall off.
Brighten the lamp on the desk. | Is the light in the cellar still on? | Leave only the {colour} light on. | Light up the garden.
Make it brighter in the study. | Turn all the lamps off at {clock}.
# phone call / make a call / call someone : ring somebody
Call {name}. | Ring my mother on her mobile. | Dial the number of {company}. | Phone {name} at work.
I want to speak to {name} on the phone. | Give the dentist a ring. | Start a video call with {name}. | Call back the last number.
Put me through to {name} {surname}. | Hang up. | Redial. | Answer the phone, please.
Place a call to my brother. | Get {name} on the line.
# send message / text message / messaging : write a text to somebody
Text {name} that I am late. | Send a message to my sister. | Write to {name}: see you at {clock}. | Tell {name} by text that I'm at the station.
Read me my new messages. | Reply "yes, gladly" to {name}. | Send {name} an e-mail about the {item}. | Drop {name} a line to say that I am home.
Message the group that dinner is at {clock}. | Did {name} text me? | Answer his mail with "thank you". | Send our photo to {name}.
Show my unread e-mails. | Write {name} a short text about {day}.
# shopping list / grocery list / list of things to buy : things to buy
Put milk on the shopping list. | Add {item} to my list. | What is on my shopping list? | Take the eggs off the list.
We need bread, write it down for the shop. | Clear my grocery list. | Add {n} lemons to the things to buy. | Is cheese on the list already?
Remind me what I have to buy: read out the list. | We have run out of rice, put it on the list. | Remove butter from the grocery list.
Start a new list for the supermarket.
Put batteries on the list of things to buy. | Add two packets of tea to the shopping list.
# reminder / remind me / set a reminder : remind me of something
Remind me to water the plants on {day}. | Don't let me forget to call {name}. | Remind me at {clock} to take the cake out.
Set a reminder for the rent.
I must not forget the {item}, remind me tonight. | Remind me of {name}'s birthday. | What reminders do I have? | Delete my reminder about the bins.
Remind me in {n} hours to stretch. | Please remind me to lock the shed. | Nudge me about the tax form on {day}.
Create a reminder to feed the {animal}.
When I get home, remind me to wash up. | Give me a reminder to post the letter.
# navigation / directions / find the way : the way to a place
How do I get to {city} from here? | Show me the way to the library. | Take me to the nearest petrol station. | Navigate home.
What is the shortest way to {city}? | Guide me to {name}'s house. | Which road leads to the castle? | How far is it to {city}?
Avoid the motorway on the way to {city}. | Where is the closest chemist? | Give me directions to the stadium. | Find a route to {city} without tolls.
Walk me to the museum. | Do I turn left or right at the church?
# table booking / restaurant reservation / book a restaurant : a table in a restaurant
Book a table for {n} at {clock}. | Reserve a place at an Italian restaurant on {day}. | I need a table for two tonight.
Find a bistro in {city} and book it for {n} people.
Get us a table by the window. | We want to eat at the steak house on {day}, please reserve. | Book a vegan restaurant for my family.
Make a dinner reservation in {city}.
Can you get me a seat at the sushi bar at {clock}? | Reserve a terrace table at the pizzeria. | Book the tavern for {n} guests.
Is there a free table at the {colour} {animal} tonight?
Please reserve brunch for {n} on {day}. | A table for {name} and me at {clock}, please.
# joke / tell a joke / make me laugh : something funny
Tell me a joke. | Make me laugh. | Do you know a funny story about a {animal}? | Say something funny.
I need a good laugh. | Have you got a joke about {job}s? | Knock knock. | Cheer me up with a pun.
Another joke, please. | Do you know any riddles that are funny? | Tell us your best joke. | Give me a silly one-liner.
Crack a joke for {name}. | I want to hear something hilarious.
# calculator / do a sum / maths : work out numbers
What is {big} times {n}? | Add {big} and {n}. | How much is {n} per cent of {big}0? | Divide {big} by {n}.
What's the square root of {big}? | Work out {n} plus {n} plus {big}. | Take {n} away from {big}. | How much is {big} minus {n}?
Multiply {n} by {big}. | What is half of {big}? | Is {big} a multiple of {n}? | Sum up {n}, {big} and {n}.
Calculate the average of {n} and {big}. | What do you get if you double {big}?
# calendar / add event / schedule : meetings and dates
Put the meeting with {name} in my calendar for {day}. | What is in my diary on {day}? | Am I free on {day} at {clock}? | Cancel the event on {day}.
When is my next meeting? | Schedule lunch with {name} at {clock}. | Enter a dentist's appointment on {day}. | What have I planned for {month}?
Move the team meeting to {clock}. | Clear my calendar for {day}. | How many appointments do I have this week? | Show me my schedule for tomorrow.
Block {day} afternoon for {hobby}. | Is there anything in my calendar at {clock}?
# news / headlines / news update : what has happened
What's new in the world? | Read me the headlines. | Give me the latest news from {country}. | Are there any news reports about {company}?
What happened in {city} today? | Tell me the top stories. | Any breaking news? | I want the business news.
What do the papers say about {country}? | Start my morning news briefing. | Update me on current affairs. | What are today's main stories?
Show the news of the day. | Read the local news for {city}.
# volume / louder or quieter / change volume : sound level
Turn it up. | Louder, please. | Make it quieter. | Set the volume to {big} per cent.
Mute the speaker. | It's too loud. | Lower the sound. | I can't hear you, raise the volume.
Turn the sound off for a while. | Volume down by {n}. | Not so loud! | Unmute.
Put the speaker at half volume. | Increase the volume a bit.
# heating / thermostat / room temperature : warmer or cooler rooms
Make it warmer in the bedroom. | Set the heating to {n} degrees above normal. | Turn down the thermostat. | I'm freezing in here, heat up the room.
Switch the radiators off. | Keep the living room at twenty-one degrees. | Turn on the air conditioning. | Start heating the bathroom at {clock}.
It is too warm in the office, cool it down. | What is the thermostat set to? | Lower the heating at night. | Raise the room temperature a little.
Turn the heater in the study on. | Cool the nursery down.
# travel booking / book a trip / flights and trains : tickets for a journey
Book a flight to {city} on {day}. | I need a train ticket to {city}. | Find a cheap flight from {city} to {city2}.
Get me two seats on the coach to {city}.
Are there any flights to {country} in {month}? | Buy a return ticket to {city}. | Reserve a seat on the {clock} train.
I want to fly to {city} with {name}.
Which airlines fly to {city}? | Book the ferry to the island for {n} people. | Find me a night train to {city}.
One first-class ticket to {city}, please.
Please get me a plane ticket for {month}. | Book us a journey by rail through {country}.
# definition / dictionary / meaning of a word : what a word means
What does "meander" mean? | Define the word "frugal". | Explain the meaning of "harbinger". | What is the definition of "ambiguous"?
Look up "brisk" in the dictionary. | What is meant by the term "equinox"? | I don't know the word "quaint", what is it?
Give me a definition of "candid".
What's the meaning of this expression? | Can you define "solitude"? | Tell me what "to dither" means. | What is the sense of the word "nimble"?
How would a dictionary explain "robust"? | Which meanings does "bank" have?
# recipe / cooking help / how to cook : how to cook a dish
How do I make {food}? | Find a recipe for {food}. | What can I cook with {n} eggs and some cheese? | How long do I have to boil potatoes?
Which ingredients go into {food}? | Show me how to bake a loaf. | Give me an easy recipe for dinner. | How much salt goes into the dough?
What's the next step of the recipe? | Can I use honey instead of sugar in the cake? | I want to cook {food} for {n} people.
Suggest a dish with mushrooms.
How hot must the oven be for a quiche? | Find a vegan dish that takes {big} minutes to cook.
# time / clock / what time is it : the present time
What time is it? | What's the time in {city}? | How late is it now? | Tell me the time in {country}.
Is it past {clock} already? | What is the hour in {city} right now? | How many hours is {city} ahead of us? | Can you tell me the time?
Which time zone is {city} in? | What does the clock say? | Current time, please. | Give me the exact time.
What time is it over in {city}? | Do you have the time?
# traffic / road report / traffic jams : jams on the roads
How is the traffic on the way to {city}? | Are there any jams on the motorway? | Is the bridge to {city} blocked? | How bad is the rush hour today?
Is there an accident on my road to work? | What's the traffic like in {city}? | Is the ring road busy right now? | Are the roads to the airport clear?
Any road works near {city}? | Will I get stuck in a jam at {clock}? | How much delay is there on the coast road? | Check the traffic in the tunnel.
Is the traffic moving in the centre? | Tell me about hold-ups around {city}.
# currency / exchange rate / convert money : one money into another
How many euros are {big} dollars? | What is the pound worth today? | Convert {big} francs into yen. | What's the exchange rate for the dollar?
How much is {price} in the money of {country}? | Change {big} pesos into euros. | What do I get for {big} yen? | Is the euro stronger than the pound?
What is {big} dollars in rupees? | Tell me the rate between pound and franc. | Convert {price} to dollars. | How many crowns do I get for {big} euros?
What's one dollar in yen? | How does the peso stand against the dollar?
# audiobook / podcast / listen to a book : spoken books and podcasts
Read my audiobook. | Play the next episode of the podcast. | Go on with the novel where I stopped listening. | Start the podcast about {hobby}.
Go to chapter {n} of the audiobook. | Play the history podcast from {day}. | Jump back {big} seconds in the audiobook.
I want to listen to a detective story, read it to me.
Which podcast episodes are new? | Read the book faster. | Find a podcast with {name} {surname}. | Continue the audiobook from last night.
Subscribe to the podcast on {city}. | Resume chapter {n} of my talking book.
# takeaway / order food / food delivery : food brought to the door
Order a pizza for me. | I'd like {food} delivered at {clock}. | Get me a takeaway curry. | Order {n} portions of {food} to my place.
Bring me sushi, the usual. | Does the burger place deliver? | Order lunch for the office, {n} wraps please. | Have the noodle bar send a large soup.
Please order Chinese food. | How long until my pizza is here? | Get {food} from the place round the corner. | I'm hungry, order me a kebab.
Ask for my {food} to be delivered to {name}'s house. | Two salads to go, please order them.
# cinema times / film showings / what is on at the cinema : films now showing
What's on at the cinema tonight? | When is the new film shown in {city}? | Which films are playing on {day}? | Find showings of the latest thriller.
Is there a cartoon at the picture house? | At what time does the late film start? | Which cinema in {city} shows old films?
Get the film times for {day}.
Are there any comedies at the movies? | Show me the cinema programme. | When does the movie start at the Palace? | Which movie theatres are near me?
What movies are out this week? | Is the film about the {animal} still showing?
# random choice / coin flip / dice : chance decides
Flip a coin. | Heads or tails? | Roll a die. | Give me a random number from 1 to {big}.
Throw two dice for me. | Pick a number at random. | Toss a coin for {name} and me. | Roll a die with {n} sides.
Choose one of us at random. | Let chance decide: {name} or {name2}? | Draw a random card. | Spin the wheel for us.
I need a random number. | Flip the coin again.
# rate a book / book rating / give stars : stars for a book
Give this novel {n} stars. | Rate the current book {n} out of 10. | I'd give the saga one star. | My rating for the memoir is {n} points.
This textbook gets {n} out of 10 from me. | Add {n} stars to the chronicle I just read. | The essay deserves a rating of {n}.
Mark the last book with zero stars.
Rate that book for me: {n} points. | I want to give "The {animal}" a {n}. | Put down {n} of 10 points for the series.
Score the poetry book with {n}.
Save my rating of {n} stars for the novel. | The guide book was good, {n} stars.
# photo / take a picture / camera : take a photograph
Take a picture. | Open the camera. | I want a selfie. | Take a photo of us in {n} seconds.
Switch to the front camera. | Snap a group photo. | Turn the flash on and take a shot. | Take {n} pictures in a row.
Start the camera timer. | Photograph this page. | One more photo, please. | Zoom in and snap the bird.
Take a snapshot of the {animal}. | Capture this view in a picture.
# hoovering / robot vacuum / clean the floor : the cleaning robot
Start the vacuum cleaner. | Send the robot to clean the hall. | Hoover the living room at {clock}. | Stop vacuuming.
The carpet is dirty, let the robot clean it. | Send the cleaning robot back to its dock. | Mop the kitchen floor. | Is the robot vacuum charged?
Vacuum under the sofa. | Clean the bedroom floor on {day}. | Let the robot hoover while I'm out. | Pause the floor cleaning.
Run the vacuum twice in the corridor. | Sweep up the crumbs in the dining room.
"""
COMMAND_CLASHES = [("reminder", "calendar"), ("reminder", "set alarm"), ("navigation", "traffic"), ("phone call", "send message"), ("definition",
    "translate"),
                   ("takeaway", "table booking"), ("recipe", "takeaway"), ("lights", "photo"), ("joke", "definition"), ("shopping list", "reminder"),
                   ("calculator", "random choice"), ("calculator", "currency"), ("play music", "audiobook"), ("volume", "play music"), ("weather",
                   "heating"),
                   ("reminder", "phone call"), ("reminder", "send message"), ("set alarm", "calendar"), ("time", "set alarm")]

BANKING = """
# lost card / stolen card / card missing : the card is gone
I have lost my bank card. | My card was stolen in {city}. | Please block my card, it is gone. | Somebody took my purse with the card in it.
I can't find my debit card anywhere. | My card has been missing since {day}. | I left my card in a shop in {city} and it's not there any more.
Freeze my card, I was robbed.
What should I do if my card is stolen? | I dropped my card somewhere in {city}. | My wallet and my card are gone. | I want to report a lost card.
A thief has my credit card. | My card vanished from my bag.
# card declined / payment refused / declined payment : a payment with the card is refused
My card was declined at the till. | The shop could not take my card, why? | My payment of {price} was refused. | Why does my card not work when I pay?
I tried to pay in {city} and it was rejected. | The terminal said "declined". | My online payment did not go through.
The restaurant would not accept my card, it was refused.
Each time I pay, my card is rejected. | My card payment at {company} failed. | Why was I turned down when I paid for {item}?
Paying by card failed again today.
The machine in the shop refused my card. | I was embarrassed when my card got declined.
# exchange rate / foreign currency / currency exchange : changing money
What is the rate for euros today? | I want to change {price} into yen. | Which rate do you use for dollars?
Can I hold pounds and euros in one account?
How do I exchange money for my trip to {country}? | The exchange rate you used looks wrong. | Do you sell the currency of {country}?
At what rate do you convert my holiday spending?
I need Swiss francs. | Can I change currencies in the app? | How often are your exchange rates updated?
What do I get for {big} dollars at your counter?
Is your rate for the peso good? | I'd like to convert my dollars to euros.
# change pin / new pin / pin : the PIN of a card
I want another PIN. | How do I change my PIN? | I have forgotten the PIN of my card. | Where can I see my PIN?
My PIN letter has not come. | I typed the PIN wrong {n} times. | Can I choose my own PIN? | My PIN is blocked.
I would like to set a PIN that I can remember. | Is it possible to change the four digits at a machine? | Please unblock my PIN.
Somebody has seen my PIN, I need a new one.
What is the PIN of my new card? | Send me a new PIN, please.
# transfer not arrived / missing transfer / transfer delay : a transfer has not come
My transfer to {name} has not arrived. | I sent {price} on {day} and it is not there yet. | Where is the money I transferred?
How long does a transfer take to {country}?
{name} has not received my transfer. | The transfer has been pending for {n} days. | Money sent to me from {country} is not in my account.
I am still waiting for a transfer from {company}.
My wages should have come on {day}. | Why has my bank transfer been delayed? | The {price} I sent never reached {name}.
A transfer to my account seems to be stuck.
When will my transfer be there? | The transfer left my account but did not arrive.
# cash machine / atm problem / withdrawal problem : trouble at the cash machine
The cash machine gave me less than I asked for. | The ATM kept my money but booked {price}. | I could not get cash in {city}.
The machine swallowed my notes.
I asked for {price} at the cash point and got nothing. | The ATM in {city} was out of order and still charged me. | Where is the next cash machine?
How much cash can I get at a machine in {country}?
My withdrawal shows up twice. | The cash machine paid out only half. | I got torn notes from the ATM. | The cash point did not give me any money.
Can I take out cash at any ATM? | The withdrawal at the machine failed.
# unknown charge / fraud / strange payment : a payment the customer did not make
I don't know a payment of {price} on my statement. | Someone paid with my account in {city}. | There is a charge from {company} that I did not make.
A stranger has used my card number.
I never bought anything for {price} on {day}. | What is this debit from {company}? I don't know it. | My statement shows purchases that are not mine.
I think somebody is misusing my account.
A payment in {country}? I have never been there. | I did not authorise the {price} to {company}. | There are strange bookings in my account.
Who took {price} from my account without asking?
I see a charge that I do not recognise. | I suspect fraud on my account.
# top-up / add money / load money : putting money on the account
How can I top up my account? | My top-up of {price} was not added. | Can I load money with a credit card? | I want to put {price} on my prepaid card.
Is there a limit for top-ups? | Top up my balance automatically every {day}. | My top-up is still pending. | May a friend load money onto my card?
Can I top up with cash? | Why was my top-up reversed? | I'd like to add {price} to my account by card. | The app does not let me top up.
What is the smallest amount I can load? | Which cards can I use for topping up?
# open account / new account / become a customer : a new account
I would like to open an account. | What do I need to open an account? | Can my daughter have an account with you?
Do you offer accounts for students?
I live in {country}, can I become a customer? | How old must you be to open an account? | I want a second account for the household.
My husband and I want to open a joint account.
How long does it take to set up an account? | Can I open an account online? | I'd like to bank with you, how do I start?
Is it possible to open a business account for {company}?
Please open a current account for me. | Which papers do I need to become a customer?
# card not arrived / waiting for card / card delivery : the new card has not come
My new card has not come yet. | When will my card be delivered? | I ordered a card {n} weeks ago and still have none.
Where is the card you were going to post?
How long does it take to send a card to {city}? | I'm still waiting for my first card. | Has my card been posted?
The card should have been in the letter box on {day}.
Can I track the card you sent? | My replacement card did not arrive. | Can you send my new card by express?
You said {n} days, but the card is not here.
Is my card on its way? | No card in the post so far.
# loan / credit / borrow money : borrowing
I would like to borrow {price}. | What is the interest on a loan? | Can I get a mortgage for a flat in {city}? | How much may I borrow with my income?
I need a loan for a new car. | Can I pay back my loan early? | Do you lend money to students? | How long may I take to repay a credit of {price}?
I want to apply for a home loan. | What would the monthly instalment be for a loan? | We'd like to finance our kitchen with a loan.
Was my loan application approved?
Could I borrow some more? | I'd like a quote for a house loan.
# standing order / direct debit / regular payment : regular payments
Please stop the direct debit to {company}. | I want to set up a standing order for my rent. | Change my standing order to {price}.
How do I cancel a direct debit?
My monthly payment to {company} should go out on {day}. | When is the next direct debit due? | Set up a regular payment to {name}.
The standing order was carried out twice.
A direct debit was taken although I had cancelled it. | I'd like to pay my gas bill by direct debit. | Can I pause a standing order in {month}?
End my standing order for the gym.
Which direct debits do I have? | I need a monthly payment to my landlord.
# identity check / verification / prove identity : proving who one is
Why do you need my passport? | My identity check failed. | How do I prove who I am? | The app does not accept the photo of my ID.
Do I have to verify my identity? | Which documents count as proof of identity? | My selfie was rejected by the check.
I was asked to show my passport on video.
How long does the identity check take? | Can I use my driving licence as proof? | I could not verify my name. | The check of my ID is stuck.
I uploaded my passport, what now? | Why was my proof of identity refused?
# balance / account balance / how much is left : how much money is there
How much money do I have? | What is my balance? | Tell me what is left on my account. | Is there more than {price} in my account?
Show me my current balance. | How much is in my savings account? | Am I overdrawn? | What was my balance on {day}?
I want to know how much is left this month. | Check my balance, please. | Do I have enough on my account for {item}? | My balance looks too low today.
Where do I see the balance? | How much have I got in the bank?
# fees / charges / bank fees : what the bank charges
What does the account cost per month? | Why did you take a fee of {price}? | Is there a charge for paying abroad?
How much do you charge for a transfer?
I was charged a fee for cash. | Are there any hidden fees? | What is the fee for a second card? | Do you take a fee if I go overdrawn?
I'd like to know your charges for {country}. | Please explain the fee of {price}. | Is the account free of charge? | What are the yearly fees?
Why are your fees so high? | How can I avoid the monthly fee?
# spending limit / card limit / raise limit : the limit of the card
Please raise the limit of my card. | What is my daily limit? | I want to spend more than my limit on {day}. | Can I set a limit of {price}?
My limit is too low for {item}. | How do I change my spending limit? | Lower the limit on my daughter's card. | Is there a limit for payments abroad?
Set my weekly limit to {price}. | I have reached my limit. | Can the limit be lifted for my trip to {country}? | How high is my credit limit?
I need a higher limit. | What is the most I can spend in a day?
# update details / change personal details / new phone number : name, phone and e-mail
I have a new phone number. | I got married and my surname is now {surname}. | How do I change my e-mail address?
Please correct the spelling of my name.
My mobile number has changed. | Update my contact details, please. | My date of birth is wrong in your files.
I want to use another e-mail for my account.
I am no longer called {surname}. | Please note my new telephone number. | Can I edit my personal data in the app?
The name on my account is misspelt.
My title is missing from my name. | I need to change my name with the bank.
# savings / savings interest / put money aside : saving
What interest do I get on savings? | I want to put aside {price} every month. | Do you have an account for saving?
How can I save for a holiday in {country}?
When is interest paid on my savings? | What is the best way to save {price}? | I'd like to start a savings plan.
Is there a bonus if I save for {n} years?
Can I get at my savings at any time? | I would like to lay some money by for my child. | What rate do savers get?
Move what is left each month into savings.
Do you offer fixed-term savings? | I want to save up for {item}.
"""
BANKING_CLASHES = [("lost card", "card not arrived"), ("lost card", "unknown charge"), ("card declined", "spending limit"), ("fees", "cash machine"),
                   ("fees", "unknown charge"), ("balance", "savings"), ("loan", "savings"), ("top-up", "card declined"), ("standing order",
                   "unknown charge"),
                   ("spending limit", "cash machine"), ("transfer not arrived", "unknown charge"), ("fees", "exchange rate"), ("fees",
                   "transfer not arrived"),
                   ("cash machine", "change pin"), ("open account", "savings"), ("balance", "cash machine"), ("loan", "fees"), ("savings", "fees")]

MESSAGES = """
# invitation / invite / party invitation : somebody is invited
We would love to see you at our party on {day}. | {name} and {name2} invite you to their wedding in {city}. | Come to dinner at our place at {clock}!
Will you join us for a picnic on {day}?
You are warmly invited to the opening of {company}. | We are celebrating my birthday on {day}, please come. | Do come to our concert in {city}.
It would be lovely if you came to tea on {day}.
Our club invites all neighbours to the summer party. | Would you like to come to the cinema with me? | Please be our guest on {day} at {clock}.
I'm having some friends over on {day}, come too!
Join us for the house-warming at {clock}. | We request the pleasure of your company on {day}.
# apology / saying sorry / excuse : somebody says sorry
I am so sorry that I forgot your birthday. | Please forgive me for being late. | I apologise for my mistake. | Sorry, I should not have said that.
We regret the delay and ask for your patience. | I'm sorry I broke your {colour} cup. | Please accept our apologies for the noise.
It was my fault, I am very sorry.
I didn't mean to upset you, forgive me. | Sorry for not writing back sooner. | I feel bad about what I said, I'm sorry.
We apologise to all passengers.
My apologies for the mix-up on {day}. | Can you forgive me for missing your call?
# thanks / thank-you note / gratitude : somebody says thank you
Thank you very much for the lovely flowers. | Many thanks for your help, {name}. | I am grateful for all you have done. | Thanks a lot for the {item}!
We thank you for your kind letter. | How kind of you to look after our cat, thank you! | Thank you for a wonderful evening.
A big thank you to {name} for the {food}.
Thanks for giving me a lift on {day}. | I can't thank you enough. | We are thankful for your support. | It was so nice of you to help, thanks!
Thank you for the lovely present. | My heartfelt thanks to everyone at {company}.
# recipe / cooking instructions / how to cook it : how a dish is made
Mix flour, eggs and milk, then fry the batter on both sides. | Boil the rice for {big} minutes and stir in the peas.
Peel the apples, slice them and cover them with dough. | Preheat the oven, grease the tin and bake for an hour.
Fry the onion until soft, add tomatoes and simmer. | Whip the cream and fold in the berries. | Season with salt and pepper and serve hot.
Beat the butter and sugar, then add {n} eggs.
Cut the bread into cubes and toast it in oil. | Knead the dough and leave it to rise. | Melt the chocolate and pour it over the cake.
Soak the lentils overnight, then cook them with carrots.
Stir the soup and let it cook for {big} minutes. | Roll out the pastry and fill it with jam.
# job advert / vacancy notice / job offer : an employer looks for someone
{company} is looking for a {job}. | We are hiring! Apply now to work as a {job} in {city}. | Wanted: friendly {job} for weekends.
We offer a {job} a permanent post with good pay.
Join our team as a {job}, starting in {month}. | Vacancy: {job}, full time, in {city}. | Are you a trained {job}? Then send us your CV.
Our firm seeks a part-time {job}.
{company} is recruiting {n} new workers. | Help wanted in our kitchen, no experience needed. | We need a {job} with {n} years of experience.
Position open: {job}, apply by {day}.
Start your career at {company} and apply as a trainee. | Seeking a reliable {job}, salary to be agreed.
# congratulations / good wishes / well done : somebody is congratulated
Congratulations on your new job! | Happy birthday, dear {name}! | Well done on passing your exam! | We wish the newly-weds every happiness.
Happy anniversary to {name} and {name2}! | Congratulations, it's a girl! | Hooray, you won! We're so pleased for you. | All the best on your birthday!
You got the promotion, congratulations! | Our warmest congratulations on the birth of {name}. | Three cheers for the winner, {name}!
Many happy returns, {name}!
Congrats on finishing your marathon! | Best wishes on your wedding day.
# reminder / friendly reminder / don't forget : something must not be forgotten
Don't forget that your library books are due on {day}. | Just a reminder: the rent has to be paid by {day}. | Remember to bring your passport.
Your appointment is tomorrow at {clock}, please don't forget.
A gentle reminder that the forms are due on {day}. | Please remember that the course starts at {clock}.
This is to remind you of our meeting on {day}. | Remember: the bins are collected on {day}.
We remind you that your payment of {price} is still open. | Don't forget to put the clocks back. | Reminder: bring your sports shoes on {day}.
Please remember to switch off the lights.
This is to remind members of the fee for {month}. | Your {item} are still waiting for you, don't forget to pick them up.
# warning / danger notice / safety alert : a danger is pointed out
Caution: wet floor! | Danger! High voltage behind this door. | Beware of the dog. | Do not swim here, the current is dangerous.
Warning: the ice on the lake is thin. | Keep out, the building may collapse. | Watch your step, the stairs are slippery. | Do not touch, hot surface!
Storm alert: stay away from the coast. | Danger of falling rocks on the road to {city}. | Poison! Keep away from children.
Take care, there are pickpockets in this area.
Attention: do not drink this water, it is not safe. | Keep your distance, the machine starts without notice.
# advertisement / advert / sales offer : something is to be sold
Buy two {item} and get one free! | Now at {company}: {item} for only {price}! | Big summer sale, everything must go!
Try the new {food} from {company}, you'll love it.
Save {big} per cent on {item} this week only. | The softest {item} you can buy, now half price. | Order today and get free delivery!
Treat yourself to our new {colour} {item}.
Nothing washes whiter than our powder. | Special offer: {n} {item} for {price}. | Visit our shop in {city} and discover low prices.
{company}: quality that you can afford.
Don't miss our bargains this {day}! | Our {item} make life easier, get yours now.
# application / applying for a job / cover letter : somebody applies for something
I would like to apply for the post of {job}. | Please find my CV attached, I hope to be considered for the position.
I am a trained {job} and would like to work for {company}. | With {n} years of experience as a {job}, I believe I fit your vacancy.
I am writing to apply for a place on your course. | I saw your vacancy and wish to put myself forward.
Please accept my application for the internship. | I would be glad to introduce myself in an interview.
Enclosed are my certificates for the post of {job}. | I hereby apply for the scholarship.
As a hard-working {job} I would be a good addition to your team. | I am interested in the position at {company} and enclose my references.
I would like to be considered as a candidate. | My skills match your post in {city}, and I could start in {month}.
# condolences / sympathy / words of comfort : comfort after a loss
We were so sorry to hear of your grandmother's death. | Our thoughts are with you in this sad time. | Please accept our deepest sympathy.
{name} was a dear friend and will be missed.
We mourn with you. | May your happy memories of {name} comfort you. | I was shocked to hear that {name} has passed away. | We share in your grief.
My heart goes out to you and your family after your loss. | I wish you strength in these days of mourning.
With deep sympathy on the loss of your father. | No words can ease your sorrow, but we are with you.
We will always remember {name}, may she rest in peace. | Our sincere condolences to the family.
# greeting / hello / saying hello : somebody says hello
Hello, {name}! | Good morning, everyone. | Hi there, how are you? | Hey {name}, nice to see you.
Good evening, ladies and gentlemen. | Hello and welcome! | Hi, what's up? | Good afternoon, {name}.
Hey, long time no see! | Greetings from {city}! | Hi {name}, how are things? | Hello, it's me, {name}.
Morning, all! | Good day to you, {name}.
# farewell / goodbye / saying goodbye : somebody takes leave
Goodbye, {name}, have a safe trip. | See you on {day}! | Bye for now, take care. | Farewell, my friends.
I have to leave now, see you soon. | Good night and sleep well. | So long, {name}! | Bye-bye, until next week.
See you later! | Take care, {name}, see you in {city}. | It's time to go, goodbye. | Cheerio, I'm off!
Have a nice evening, bye! | Till we meet again.
# news report / news item / report : something that happened is reported
A fire destroyed a warehouse in {city} on {day}. | The bridge in {city} was opened by the mayor.
{n} people were hurt when a bus left the road near {city}. | A strike stopped all trains in {country} on {day}.
Firefighters saved {n} people from a flooded house. | {company} announced that it will close its factory in {city}.
Thousands marched through {city} on {day}. | An earthquake shook the north of {country} last night.
The airport of {city} was closed for {n} hours on {day}. | A lorry lost its load of {item} on the motorway.
The city council of {city} decided to build a new school. | Police in {city} caught a runaway {animal} on {day}.
A storm tore the roof off a school in {city}. | The museum in {city} reported a record number of visitors.
# instructions / manual / how to use it : how a device is used
Press the {colour} button for {n} seconds to switch the device on. | Insert the batteries as shown and close the cover.
Plug the cable into the socket on the back. | To reset the clock, hold both keys down.
Remove the filter and rinse it under warm water. | Turn the knob to the left to lower the heat. | Fold the legs out and lock them.
Slide the lid open and put in the paper.
Connect the printer, then follow the steps on the display. | Screw part {n} to the side panel. | Charge the device for {n} hours before first use.
Push the lever down until it clicks.
Unplug the machine before you clean it. | Attach the hose to the tap and switch on the pump.
# complaint / letter of complaint / dissatisfied letter : somebody is not satisfied
I am very unhappy with your service. | The heating in our room has been broken for {n} days and nobody cares!
I must complain about the noise from your bar. | Your {item} are of very poor quality.
This is the third time that my delivery is late. | I expected much better from {company}. | The room was dirty, and that is unacceptable.
Nobody answers my calls, and I find that outrageous.
I wish to protest against the new fees. | The food was cold and the waiter was rude. | I am disappointed with the {item} you sold me.
It is a scandal that the lift is out of order again.
We are not satisfied with the repair. | Your builders left a terrible mess in our hall.
# horoscope / star sign reading / fortune : what the stars are said to bring
Leo: a happy surprise awaits you on {day}. | Your lucky number this week is {n}. | The stars advise Virgos to rest in {month}.
Pisces will meet an old friend.
Venus brings luck in love to all Libras. | Aries, be careful with money this week. | Mercury is on your side, Gemini.
Capricorns should wait before making decisions.
Scorpio: your colour of the day is {colour}. | Taurus can look forward to a romantic {day}. | The moon in your sign makes you dreamy, Cancer.
Sagittarius, the planets favour a new start.
Aquarius: Saturn asks you for patience. | Your star sign promises success in {month}.
# lost and found notice / lost item notice / search notice : something lost is searched for
Lost: a {colour} cat, answers to the name of {name}. | Found near the church: a bunch of keys. | Have you seen our {animal}? It ran away on {day}.
I lost a {colour} purse at the market, reward offered.
Missing since {day}: a silver ring. | Found on the bus: a {colour} umbrella, ask at the office. | Whoever finds my {colour} scarf, please ring me.
Lost between the station and the park: a gold watch.
A {colour} glove was found on the stairs. | Our parrot flew away on {day}, please look out for it.
Wanted back: a notebook with a {colour} cover, lost in {city}. | Found: one child's shoe, {colour}.
Missing: our dog {name}, last seen in {city}. | Lost my phone at the playground, please call if you find it.
"""
MESSAGE_CLASHES = [("recipe", "instructions"), ("job advert", "advertisement"), ("job advert", "application"), ("warning", "reminder"),
                   ("greeting", "farewell"), ("congratulations", "thanks"), ("news report", "advertisement"), ("warning", "instructions"),
                   ("invitation", "advertisement"), ("congratulations", "invitation"), ("news report", "lost and found notice"), ("job advert",
                   "invitation")]

EMOTIONS = """
# joy / happiness / happy : 
I can't stop smiling today! | What a wonderful day, I could dance! | I am so happy that you came. | Hooray, it's my birthday!
I laughed with delight the whole evening. | We had so much fun at the fair. | Life is beautiful! | My heart is full of joy.
I'm in such a good mood today. | The children cheered and jumped with joy. | This is the best day of my life!
I'm singing all day because I feel so good.
We giggled and danced until midnight. | I'm over the moon!
# sadness / sorrow / sad : 
I cried all night. | My dog died on {day} and my heart is heavy. | I feel so down these days. | Tears ran down my cheeks when she left for ever.
Nothing can cheer me up. | It breaks my heart to sell the old house. | I am deeply sad about the news. | We wept at the funeral.
I feel miserable since {name} went away. | My eyes fill with tears when I think of him. | I'm so unhappy that I could cry.
Everything seems grey and gloomy.
The loss of my friend hurts so much. | I sobbed when I read your letter.
# anger / rage / angry : 
How dare you speak to me like that! | I'm furious that he lied again. | That makes my blood boil! | I slammed the door in rage.
He is driving me mad with that noise! | I'm so cross with {name}! | She shouted that she had had enough. | I could scream, they cheated us again!
That is outrageous, I won't stand for it! | I'm fed up with these lies! | He kicked the bin in fury. | I am really angry about the broken promise.
What an impudence, I'm seething! | Leave me alone, you make me so angry!
# fear / being afraid / scared : 
I'm scared of the dark. | My knees are shaking, there is someone at the door. | I was terrified during the storm.
Don't leave me alone, I'm frightened.
She screamed when she saw the snake. | I dread going down to the cellar. | My hands were trembling with fear. | I'm afraid of flying.
He ran away in panic. | The thought of the operation frightens me. | I daren't look down from this tower.
I'm so afraid that something will happen to {name}.
A cold shiver ran down my back in the empty house. | The noise at night gave me a terrible fright.
# surprise / amazement / astonished : 
What? You are already here? | I never expected to see you in {city}! | I can't believe my eyes! | Wow, I had no idea that you can sing!
That came completely out of the blue. | My jaw dropped when I heard the price. | I was stunned to find {name} at my door.
Really? I would never have guessed that!
To my amazement the old car started. | Who would have thought it? | Goodness, is that really you? | I was speechless, nobody had told me.
How unexpected, a letter after {big} years! | We were astonished to meet them there.
# disgust / revulsion / grossed out : 
Yuck, there is mould on the bread! | The smell of the rubbish made me feel sick. | Ugh, a hair in my soup! | The dirty bathroom turned my stomach.
I can't look at that slimy thing. | Eww, the milk is sour and lumpy. | That rotten fish is revolting. | It makes me want to vomit.
How disgusting, he spat on the floor! | The kitchen was so filthy that I felt sick. | I find slugs absolutely gross.
Yuck, don't put that in your mouth!
The stench of the drain was nauseating. | I gagged when I opened the bin.
# pride / being proud / proud : 
I did it all by myself! | I am so proud of my daughter. | We can hold our heads high after that game. | Look, I built this table with my own hands!
My son is the best pupil in his class. | I never gave up, and now I have my diploma. | We are proud of what our team has achieved.
I wear this medal with my head held high.
I finished the marathon, I'm rather pleased with myself. | {name} showed everybody her certificate again and again.
Our little firm has won the big prize, and we earned it. | I ran faster than ever before, what an achievement of mine!
He beamed as he showed us the chair he had made. | I worked hard for this success, and I'm proud.
# love / affection / in love : 
I love you with all my heart. | I can't live without you. | You are the light of my life. | I think of you every minute.
I'm head over heels in love with {name}. | I want to hold you in my arms. | You mean the world to me. | My heart beats faster when I see {name}.
I adore you, my darling. | Kiss me once more, my dearest. | I long to marry {name}, I love her so. | You and me for ever.
Sweetheart, you are everything to me. | I fell for {name} at first sight.
# gratitude / thankfulness / thankful : 
Thank you so much for your help. | I don't know how to thank you. | I'm deeply grateful to the nurses. | I owe you so much, {name}.
How kind of you to carry my bags, thanks! | I will never forget what you did for me. | Without your help I would be lost, thank you.
Thanks to you I could finish in time.
I really appreciate your support. | Bless you for looking after me. | My thanks to everybody who helped. | We are so thankful for your advice.
I am indebted to you for the lift. | Thank you for always listening to me.
# boredom / being bored / bored : 
There's nothing to do here. | The lecture dragged on and I yawned. | Are we there yet? This drive is endless. | Nothing ever happens in this town.
I've been staring at the wall for hours. | The same dull work day after day. | I'm so bored, give me something to do.
I counted the tiles on the ceiling to pass the time.
The speech was so dull that I nearly fell asleep. | How tedious, another long meeting. | I don't know what to do with myself.
Time passes so slowly in the waiting room.
It's always the same programme, yawn. | Watching paint dry would be more exciting.
# loneliness / feeling alone / lonely : 
Nobody ever calls me. | I sit at home by myself every evening. | I have no friends in this big city. | All the others have someone, only I am alone.
I wish there was somebody to talk to. | I ate my birthday cake all alone. | Since I moved to {city}, I don't know anyone.
The house is so empty now that I live on my own.
No one sits next to me at lunch. | I feel left out, nobody asks me to join. | I talk to my plants because nobody else is here.
No visitor has come for weeks.
I long for company. | Another weekend without seeing a soul.
# envy / jealousy / jealous : 
Why does {name} get everything and I don't? | I wish I had a house like hers. | He always gets the best presents, it's not fair!
I can't bear that {name} got the job I wanted.
She has a new car again, and I have to walk. | If only I had his talent! | Everybody admires {name}, what about me?
I turned green when I saw her holiday photos.
I want what they have. | I hate it when my boyfriend looks at {name}. | Her garden is nicer than mine, and it gnaws at me.
Why should my brother have the bigger room?
I envy {name} her success. | He is so lucky, I wish it were me.
# shame / guilt / ashamed : 
I blush when I think of what I did. | I should never have lied to {name}. | I have a bad conscience about it. | I wanted to sink into the ground.
I can't look {name} in the eye after what I did. | It was so embarrassing to be caught. | I'm ashamed of my behaviour.
I feel guilty because I forgot her.
It was all my fault, I regret it so much. | I hid my face, it was so embarrassing. | I'm sorry that I cheated, I feel awful about it.
I hope nobody ever finds out how badly I behaved.
I feel guilty for breaking my promise. | My cheeks turned red when everyone heard of my mistake.
# hope / being hopeful / hopeful : 
I'm sure that things will get better soon. | Fingers crossed for {day}! | Perhaps the letter will come tomorrow.
There is light at the end of the tunnel.
I believe that we can still make it. | Next year will be our year! | I keep hoping that they will find {name}.
Maybe the doctors can help, I won't give up.
The new job may change everything for the better. | One day my dream will come true. | I trust that spring will come.
With a bit of luck I will pass.
I'm optimistic about the future. | The first green shoots give me new confidence.
# confusion / being puzzled / confused : 
I don't understand this at all. | What is that supposed to mean? | Which of the two forms do I need? I'm lost.
I've read it three times and it makes no sense.
First they say yes, then no, I'm all mixed up. | I can't make head or tail of this map. | Wait, who is {name} again? | I'm puzzled by this message.
How does that fit together? I don't get it. | Your explanation left me baffled. | Is it on {day} or not? I don't know what to believe.
My head is spinning with all these numbers.
I have no clue what he wants to tell me. | These instructions only muddle me.
# relief / being relieved / relieved : 
Phew, that was close! | Thank goodness, nothing happened. | A weight fell from my shoulders. | At last the exam is over and I can breathe again.
The test came back clear, what a load off my mind! | Luckily the keys were in my coat all along. | I can finally sleep again now that it's over.
We found {name} safe and sound, thank heavens!
The storm passed and our house is still standing, phew. | It was only a false alarm, thank goodness. | I sighed with relief when the plane landed.
I'm so glad that the danger is over.
Thank God the brakes worked. | Good thing that nobody was hurt, I can relax now.
# tiredness / exhaustion / tired : 
I can hardly keep my eyes open. | I need to go to bed. | After {n} night shifts I am worn out. | My legs feel like lead, I must lie down.
I could sleep for a week. | I'm exhausted from the long march. | I nodded off at my desk. | She yawned and rubbed her eyes after the long drive.
I have no energy left today. | Wake me in an hour, I must sleep. | The baby kept us up all night, and now we are dead on our feet.
I'm too weary to cook tonight.
I fell asleep in my clothes. | This long day has drained me.
# nostalgia / longing for the past / nostalgic : 
How I miss the summers at my grandmother's farm. | Those were the days! | When we were young, we danced every {day}.
The old song takes me back to my school days.
I wish I could be a child again for a day. | Remember how we used to play by the river? | The smell of apple pie reminds me of my childhood.
Life was simpler back then.
I often look through the old photo albums. | I think back fondly to my first years in {city}.
The old cinema of our youth is gone, what times we had there! | In those days we knew every neighbour.
My first bicycle, how long ago that was! | I still dream of the old village where I grew up.
"""
EMOTION_CLASHES = [("joy", "pride"), ("joy", "gratitude"), ("joy", "relief"), ("joy", "love"), ("joy", "hope"), ("sadness", "loneliness"), ("sadness",
    "nostalgia"),
                   ("joy", "surprise"), ("sadness", "shame"), ("relief", "gratitude"), ("anger", "envy"), ("anger", "disgust"), ("sadness", "envy"),
                   ("loneliness", "nostalgia"), ("loneliness", "boredom"), ("fear", "surprise"), ("boredom", "tiredness"), ("love", "nostalgia"),
                   ("anger", "shame"),
                   ("loneliness", "envy"), ("relief", "tiredness"), ("surprise", "confusion"), ("joy", "nostalgia"), ("love", "gratitude"), ("love",
                   "envy"),
                   ("sadness", "love"), ("hope", "love")]

DEPARTMENTS = """
# accounts / finance department / bookkeeping : 
The invoice of {company} has not been paid. | Please pay back my travel costs of {price}. | The sum in the yearly accounts does not match.
When will the tax papers be ready?
We need a second copy of invoice {code}. | Please book the {price} under office costs. | Which cost centre should I put on this bill?
The payment of {price} from {company} has come in.
My expenses for {month} are still open. | Could you check the balance sheet again? | The supplier wants his {price}.
A client paid too little, please send a payment reminder.
# it support / technical support / computer help desk : 
My laptop will not start. | I need a new password for the network. | The printer on floor {n} is offline. | My screen stays black.
Please install the new software on my computer. | I can't open my e-mails. | The server is down again. | My mouse has stopped working.
I think my computer has a virus. | The wireless network keeps dropping. | I deleted a folder by mistake, can you restore it?
I need access to the shared drive.
# sales / sales team / orders desk : 
We would like to order {big} {item}. | Please send us an offer for {n} {item}. | What discount do you give on large orders?
A new customer from {city} wants to buy {item}.
Could your representative visit us in {city}? | We are interested in buying your products. | How many {item} must we order to get a lower price?
{company} wants a quote by {day}.
We want to place an order. | Can we get samples before we buy? | The buyer from {company} wants to sign the contract for {big} {item}.
We'd like a price for {big} {item}.
# human resources / personnel / staff department : 
I would like to apply for the post of {job}. | How many days of holiday do I have left? | I'm ill and can't come to work.
I'd like to work part time from {month}.
Whom do I tell that I am expecting a baby? | {name} starts work here on {day}, is her contract ready? | I need a reference from my employer.
I want to hand in my notice.
When is the interview with the new {job}? | I have a question about my working hours. | Where do I send my CV?
My employment contract ends in {month}.
# shipping / dispatch / delivery department : 
The pallet for {city} must leave on {day}. | The lorry is at gate {n}. | Which carrier takes the parcel to {country}?
Order {code} has to be packed today.
The customer in {city} has not received his parcel. | We need {big} boxes loaded on the van. | Please track the shipment to {company}.
The driver asks for the delivery note.
The parcels have to be labelled. | When will the container reach the port? | The courier will collect the packages at {clock}.
{n} crates are missing from the lorry.
# marketing / advertising / advertising department : 
The new brochure is ready to print. | We need a slogan for our {item}. | The campaign starts on {day}.
Please post the picture on our social media pages.
Who designs the poster for the trade fair? | We should place an advert in the {city} newspaper. | The newsletter goes out on {day}.
How many people saw our advert?
The logo needs a stronger {colour}. | Let us film a clip for our new {item}. | Our brand should become better known in {country}.
The press would like a picture of our new {item}.
# legal / legal department / lawyers : 
Our lawyers must look at this contract. | A rival is using our patent. | {company} is suing us. | Is this clause in the contract valid?
We need a new privacy policy. | The court hearing is on {day}. | May we use this name, or is it a protected trademark?
The licence agreement has to be checked by a lawyer.
A customer threatens to take us to court. | Does this law apply in {country}? | The judge has asked for documents.
Please draw up a non-disclosure agreement.
# building services / facilities / caretaker : 
The light in corridor {n} is broken. | It's too cold in room {big}. | The lift is stuck. | There is a leak in the roof.
The toilet on floor {n} is blocked. | My office door does not lock. | Please bring {n} more chairs to the hall.
The window in room {big} will not close.
The heating makes a strange noise. | The carpet in the hall must be cleaned. | A pipe has burst in the cellar. | I need another key for the gate.
# canteen / staff restaurant / catering : 
The {food} today was too salty. | Is there a vegan lunch on {day}? | Please set out coffee and cake for {big} guests. | What's for lunch on {day}?
We need sandwiches for the meeting. | The soup was cold. | Could you serve more salads? | We have run out of plates at the lunch counter.
Please order {n} crates of lemonade for the party. | The menu for {month} is not posted yet. | Are there nuts in the dessert?
Can we have breakfast served at {clock}?
# training / staff training / courses department : 
Which courses are there in {month}? | I would like to improve my Spanish. | Please sign me up for the first-aid course.
The workshop on {day} is full.
Who teaches the computer course? | I did not get my certificate for the seminar. | Our apprentices need lessons in maths.
Is there an evening class in public speaking?
We need a trainer for {n} new colleagues. | I had to miss the second lesson, can I repeat it? | When does the next seminar begin?
The learning materials have not come.
# security / guards / safety and security : 
A stranger is walking about in the building. | My visitor needs a pass. | The alarm went off at {clock}. | My bag was stolen from the changing room.
The camera at gate {n} has been turned away. | Someone tried to force the back door. | I've lost my entry badge.
Who let the man into the store room?
Please escort our guests through the gate. | The guard at night saw a light in hall {n}. | There was a break-in at the store.
A car without a permit stands in our yard.
# research / development / laboratory : 
The experiment has to be repeated. | Our new material withstands great heat. | The prototype failed the stress test. | The samples are in the lab.
We are developing a lighter battery. | The measurements from {day} look wrong. | The microscope has to be set up again.
The chemists found a new dye.
Let us test the formula with less acid. | The new design of the engine is still at an early stage. | We need {n} more test tubes.
The scientists will publish their results in {month}.
"""
DEPARTMENT_CLASHES = [("shipping", "sales"), ("human resources", "training"), ("building services", "security"), ("accounts", "sales"), ("it support",
    "training"),
                      ("legal", "sales"), ("marketing", "legal")]

PRODUCTS = """
# shoes / footwear / boots : 
They fit well and the soles are soft. | The laces are too short. | The heels came off after a week. | I wear them for walking in the hills.
Size {big} was too tight for my toes. | The leather uppers are waterproof. | They rub at the ankles. | I can run for hours in them.
The soles have a good grip. | They need polishing once a week. | My feet stay dry in the rain. | The left one squeaks when I walk.
# phone / mobile phone / smartphone : 
The battery lasts two days and the calls are clear. | The ringtone is far too quiet. | The touch screen broke when it fell. | It takes good selfies.
I can't hear the caller properly. | The SIM card does not fit. | It is easy to type messages on it. | Reception is poor when I call from the cellar.
The speaker crackles when I talk to people. | I use it to ring my children. | The screen lock opens with my thumb. | It vibrates when someone calls.
# tent / camping tent / camping gear : 
The poles snapped in the wind. | It keeps us dry when we camp in the rain. | There is room for {n} sleeping bags.
It's quick to put up at the campsite.
The pegs bend in hard ground. | The zip of the entrance got stuck. | We slept well in it at the lake. | The flysheet has a hole.
The groundsheet let in water. | You can hang a lamp from the ridge. | It folds into a small bag for camping.
Rain ran down the canvas, but inside we were dry.
# lamp / light / desk lamp : 
The bulb gives a warm glow. | It is too bright for the bedside table. | The shade is made of {colour} glass. | The switch is on the cord.
It flickers when I turn it on. | The bulb burned out after {n} days. | It can be dimmed in the evening. | It lights up the whole desk.
The arm can be bent to shine on my book. | The shade got dusty. | I bought a {big}-watt bulb for it. | It shines in {n} colours.
# book / novel / paperback : 
The story is gripping from the first chapter. | The pages came loose. | The author writes with humour. | The print is so small that I can't read it.
I could not put it down until the last page. | The cover is torn. | Chapter {n} was too long. | The plot is easy to guess.
It has {big}0 pages and a map of the island. | The hero of the tale is a {job}. | I read it in two evenings. | The ending of the story is sad.
# umbrella / brolly / rain umbrella : 
It turned inside out in the wind. | It keeps two people dry. | One of the ribs is bent. | The handle is made of wood.
It opens at the press of a button. | It folds up small enough for my handbag. | Rain drips through the cloth. | I always carry it when clouds gather.
I left it on the bus on a rainy day. | It also works as a parasol. | The wind tore the cloth from the ribs. | It was open when the shower started.
# kettle / tea kettle / water boiler : 
It boils a litre of water in {n} minutes. | The water for my tea is hot at once. | It whistles when it boils.
The lid does not close, so steam comes out.
The spout drips when I pour. | It switches itself off at boiling point. | Lime has built up inside. | I use it for tea and instant soup.
The base gets hot on the stove. | The handle is too hot when the water boils. | You can see how much water is in it.
It hums loudly before the tea water boils.
# bed / mattress / bed and mattress : 
I sleep much better on it. | It is too soft for my back at night. | The slats creak when I turn over. | The pillow end can be raised.
We wake up without back pain. | It is wide enough for two sleepers. | The springs poke through. | The headboard is padded.
I slept badly on it for {n} nights. | Our son fell out of it in his sleep. | The sheets slip off its corners.
It took us an hour to put the slats in.
# bicycle / bike / city bike : 
The chain came off on the first ride. | The saddle is comfortable. | It has {n} gears and good brakes. | The front tyre is flat.
I ride it to work. | The pedals squeak. | The handlebars are too low. | It rolls well on forest tracks.
The bell and the mudguards were missing. | One of the spokes is broken. | I cycled {big} miles on it.
The brakes squeal downhill, but I love to pedal.
# camera / digital camera / photo camera : 
The pictures are sharp even at night. | The zoom is excellent. | The lens cap is missing. | The flash does not fire.
My holiday photos came out blurred. | You can change lenses quickly. | The viewfinder is small. | It takes {n} pictures per second.
The shutter is stuck. | The memory card holds {big}0 photos. | I mounted it on a tripod. | The self-timer is handy for group photos.
# guitar / acoustic guitar / musical instrument : 
The strings sound bright. | It is hard to tune. | The neck is smooth, and chords are easy to play. | The sixth string broke.
I play it in a band. | The sound is warm and full. | The frets buzz. | My daughter is learning her first chords on it.
It came with a set of plectrums. | The tuning pegs slip. | I strum it by the fire. | The body has a crack, so it sounds dull.
# washing machine / washer / laundry machine : 
My shirts come out clean. | It jumps about when it spins. | Water runs out of the door. | The drum holds eight kilos of laundry.
The wool programme shrank my jumper. | The spin cycle is loud. | It takes two hours for the whites. | The powder drawer sticks.
I can wash all our towels at once. | It did not rinse the soap out of my socks. | The drum stopped turning. | Our laundry smells fresh.
# coat / jacket / winter coat : 
It keeps me warm in the snow. | The zip got stuck. | The sleeves are too long. | It has two deep pockets and a hood.
A button came off. | The lining is torn. | I wear it over a thick jumper. | The collar is made of fake fur.
It is too tight across the shoulders. | The hood keeps my ears warm. | I hung it on a hook in the hall. | The sleeves have {colour} cuffs.
# watch / wristwatch / wrist watch : 
It loses {n} minutes a day. | The strap is too wide for my wrist. | The hands glow in the dark. | It shows the date too.
I wind it every evening. | The glass over the dial is scratched. | It ticks quietly on my wrist. | It stopped at {clock}.
The strap is made of leather. | I can read the time without my glasses. | It is water-resistant, so I swim with it on my wrist.
The second hand fell off the dial.
# soap / hand soap / soap bar : 
It smells of lavender and lathers well. | It makes my hands dry. | It slips out of my fingers in the bath. | The bar is used up quickly.
It foams nicely in warm water. | It is made from olive oil and smells fresh. | It left a {colour} film on the basin.
Good for washing off garden dirt.
My skin feels soft after washing with it. | The scent is too strong for my hands. | It washed the ink off my fingers. | The bar melts if it stays wet.
# knife / kitchen knife / chef's knife : 
It cuts tomatoes into thin slices. | The blade is blunt. | I sharpened it twice. | The handle lies well in the hand when chopping.
It slices bread without crumbs. | The blade rusted. | I cut my finger with it. | It is good for carving the roast.
The tip broke off when I chopped a pumpkin. | The edge stays sharp for weeks. | It is too short to slice a melon.
Keep the sharp blade in its sheath.
# backpack / rucksack / hiking bag : 
The straps are well padded. | I carried it on my back for {n} days. | It has many side pockets for bottles. | One of the shoulder straps tore.
It holds all that I need for a week's hike. | It hurts my shoulders when it is full. | The rain cover is in the bottom pocket.
My school books fit into it.
The chest strap keeps it steady on my back. | The zip of the top pocket is broken. | I packed it for our walk in the mountains.
It weighs little when empty.
# headphones / earphones / headset : 
The sound is clear and the bass is deep. | They press on my ears. | The cable is too short to reach the stereo. | Only the left ear plays.
They shut out the noise of the train. | The ear pads wear out. | I listen to music with them at night. | The bass is weak.
They fall out of my ears when I jog. | The sound cuts out when I move my head. | My ears get hot under them.
You hear every instrument of the orchestra.
"""
PRODUCT_CLASHES = [("phone", "camera"), ("shoes", "coat"), ("umbrella", "coat"), ("tent", "umbrella"), ("tent", "backpack"), ("guitar", "headphones"),
                   ("kettle", "lamp"), ("phone", "headphones"), ("shoes", "backpack"), ("coat", "backpack"), ("bed", "tent"), ("soap",
                   "washing machine"),
                   ("shoes", "bicycle"), ("phone", "lamp"), ("watch", "lamp"), ("watch", "coat"), ("book", "lamp"), ("bed", "lamp"), ("tent", "coat"),
                   ("umbrella", "backpack")]

GENRES = """
# fairy tale / magic tale / children's tale : 
Once upon a time a princess lived in a glass castle. | The fairy waved her wand and granted three wishes. | The frog turned into a prince.
The witch locked the children in a gingerbread house.
The dwarf spun straw into gold. | The wicked stepmother asked her magic mirror.
The youngest son married the princess and they lived happily ever after. | A talking {animal} led the poor girl to the enchanted spring.
The giant guarded a hen that laid golden eggs. | A spell made the whole castle sleep for a hundred years.
The {colour} dragon gave back the king's crown and became a kind friend. | The good fairy dressed the maid in silver for the royal ball.
# detective story / crime story / whodunit : 
Inspector {surname} found a second glass on the table of the victim. | Who had a motive to kill the banker? | The detective compared the fingerprints.
"The murderer is in this room," said {name}.
The alibi of the gardener was false. | A bloodstained glove was the only clue. | The inspector questioned the butler again.
The detective followed the suspect through {city}.
The poison was in the tea, the inspector was sure. | {name} {surname}, private eye, took on the case of the stolen pearls.
The body in the library had been moved, the detective noticed. | All clues pointed to the chauffeur, but Inspector {surname} had doubts.
# science fiction / sci-fi / future story : 
The spaceship left the orbit of Mars. | The robot opened its eyes and asked for its name. | Captain {surname} switched on the warp drive.
In the year 2450 people live under glass domes.
The aliens sent a signal to the Earth. | The time machine landed in the age of dinosaurs. | The android had learned to feel.
The colony on the moon ran out of oxygen.
The ship's computer refused to open the airlock. | Laser beams hit the shield of the starship. | {name} was cloned in a laboratory on planet {n}.
A cyborg with {colour} eyes guarded the space port.
# horror / horror story / ghost story : 
Something scratched at the coffin from inside. | The ghost rose from the grave at midnight. | The vampire bent over her throat.
Blood dripped from the ceiling of the haunted house.
A pale face stared through the window of the empty crypt. | The zombies broke down the door. | She heard the dead woman breathe behind her.
The doll's eyes moved when nobody was looking, and it raised the knife.
The werewolf howled, and the villagers barred their doors in terror. | An icy hand came out of the grave.
The cellar door creaked, and the thing with no face came closer. | No one who slept in room {big} of the haunted inn was seen alive again.
# romance / love story / romantic story : 
Their eyes met across the ballroom, and her heart stood still. | {name} had loved her since the first dance. | He kissed her under the cherry tree.
She read his love letter again and again.
Would he ever ask her to marry him? | {name} took her hand and whispered "I love you". | They fell in love on a bench in {city}.
Her heart ached for {name}, but he was engaged to another.
He went down on one knee and held out a ring. | After years apart, the lovers fell into each other's arms.
She blushed when {name} asked her to walk with him in the moonlight. | On their wedding day {name} knew that she had found true love.
# western / cowboy story / wild west story : 
The sheriff drew his gun. | The cowboy rode into town at noon. | The outlaws robbed the stagecoach.
The saloon fell silent when {name} pushed the swing doors open.
The cattle were driven across the prairie. | The gunman tied his horse in front of the saloon. | A bounty was put on the head of the outlaw.
The gold diggers shot at the rustlers.
The rancher saddled his mustang. | The deputy waited for the stagecoach with a rifle.
The duel was to take place in the main street in front of the saloon. | The cowboy threw his lasso round the bull.
# comedy / funny story / humorous tale : 
{name} slipped on the banana skin and landed in the wedding cake.
The parrot repeated every silly word to the vicar, and all the guests roared with laughter.
Uncle {name} wore his trousers back to front the whole day and wondered why people giggled.
The goat ate the mayor's speech, so he had to sing instead.
He put salt into his coffee and shampoo on his toothbrush, as on every {day}.
The twins glued the teacher's hat to the chair, and the whole class burst out laughing.
Grandpa mistook the postman for the king and bowed until his wig fell off.
The waiter tripped and the soup landed on the hat of the fat general, to everybody's amusement.
Aunt {name} tried to iron the cat, which she took for a blouse without her glasses.
The chicken drove the tractor into the pond, and the farmer could only laugh.
# war story / soldier story / military story : 
The soldiers crouched in the trench. | The general ordered the attack at dawn. | Shells burst around the bunker.
The platoon lost {n} men in the battle.
The tanks rolled towards the front. | The young recruit wrote home from the trench. | The enemy's cannons fell silent.
The medic crawled to the wounded corporal under fire.
The regiment held the bridge for {n} days. | The bombers flew over the lines of the enemy.
The sergeant loaded his rifle and looked across the battlefield. | The army surrendered after the last battle.
# pirate story / sea adventure / pirate adventure : 
The pirates buried the treasure on the island. | "Hoist the black flag!" cried the captain. | The one-legged buccaneer drew his cutlass.
They boarded the Spanish galleon.
The parrot on his shoulder squawked "Pieces of eight!" | The cabin boy found the treasure map. | The captain made the traitor walk the plank.
The pirate ship fired its cannons.
The crew drank rum and counted the stolen doubloons. | A cross on the map marked where the gold of the pirates lay.
The mutiny broke out on the pirate ship at night. | The buccaneers sailed to the island of skulls.
# fable / animal fable / story with a moral : 
The proud hare lost the race, and the slow tortoise taught him not to boast.
The fox flattered the raven until it dropped the cheese. Moral: beware of flatterers.
The ant worked all summer, the cricket sang. In winter the cricket learned its lesson.
The lion spared the mouse, and later the mouse gnawed him free: no friend is too small.
The greedy dog snapped at its reflection and lost its bone. | The donkey in the lion's skin was known by his voice. Clothes do not make the lion.
The frog wanted to be as big as the ox and burst, so are boasters punished. | The wolf blamed the lamb, for bullies always find a reason.
The stork and the fox each learned to treat a guest as they wished to be treated.
The crow dropped pebbles into the jug: little by little does the trick.
# spy story / secret agent story / spy thriller : 
Agent {surname} hid the microfilm in a pen. | The secret service had a mole in its ranks. | The double agent met her contact in {city}.
{name} decoded the message and burned it.
The spy changed his passport and his wig. | "The password is {animal}," whispered the agent. | The secret documents were swapped on the night train.
The embassy was bugged, and Agent {surname} knew it.
The agent swallowed the coded note before the guards came. | The master spy was waiting in a safe house in {city}.
Headquarters sent Agent {n} on a new mission. | A dead drop in the park held the plans of the secret submarine.
"""
GENRE_CLASHES = [("detective story", "spy story"), ("war story", "spy story"), ("fairy tale", "fable"), ("comedy", "fable"), ("horror",
    "detective story"), ("comedy", "fairy tale")]

URGENCY = """
# urgent : 
Help, water is pouring through the ceiling! | We need the {item} today, otherwise we must close. | Call me back at once, it's an emergency.
The server is down and nobody can work, please act right now.
I smell gas in the hall, come immediately! | The patient is getting worse, send a doctor now.
My flight leaves in an hour and I still have no ticket! | This has to be solved within the hour.
The deadline is in {big} minutes, answer me quickly! | Please hurry, the pipe has burst. | We are locked out and the stove is on!
It cannot wait until tomorrow, I need the papers this minute.
Drop everything else, the customer is waiting at the door. | As soon as possible, please: the alarm won't stop. | There is smoke in the cellar, hurry!
My card was stolen just now, block it at once.
# not urgent : 
Take your time with the {item}. | There is no hurry with this. | Some time next month would be fine.
Whenever you have a spare moment, please look at the list.
It can wait until after the holidays. | Just an idea for next year: more plants in the office. | No rush, I only wanted to ask about the {item}.
Please read it when it suits you.
An answer in a few weeks is early enough. | If you ever have time, could you tidy the shelf? | I'm only curious, answer whenever you like.
We can talk about it at leisure in {month}.
For your information only, nothing has to be done now. | The small scratch does not bother us, fix it some day.
At your convenience, please send me a catalogue. | It is not pressing at all, the end of the year will do.
"""
SPAM = """
# spam : 
You have won {big}000 dollars! Click here to claim your prize! | Make money fast from home, no work needed!!!
Cheap watches, best price, buy now, click the link! | Dear friend, I am a prince and want to share my fortune with you.
Your account will be closed! Enter your password here at once. | Lose {big} pounds in a week with this secret pill!
Congratulations, you are our 1,000,000th visitor! Collect your gift now! | Hot offer!!! Free phone for everyone, just send your bank details.
Act now: earn {price} a minute on the internet! | You inherited two million, please send a fee of {price} to receive it.
Get rich with this one trick, banks hate it! | FREE FREE FREE: {item} for everyone who clicks here!
Your parcel is waiting, pay {price} at this strange link to get it. | Double your coins in one day, guaranteed, no risk!
Win a dream house, just confirm your card number! | Miracle cream removes all wrinkles overnight, order now!!!
# not spam : 
Hi {name}, shall we meet at {clock}? | The minutes of our meeting on {day} are attached. | Your library book is due on {day}.
Mum, I'll be home a bit later tonight.
Thanks for the photos of your trip to {city}, {name}. | Dear {name}, the team lunch is on {day}. | Can you send me the recipe for your {food}?
Your appointment with Dr {surname} is on {day} at {clock}.
{name} is ill today, could you take her class? | Here is the draft of chapter {n}, tell me what you think.
The {item} you asked about are on my desk. | See you at choir practice on {day}.
I've left the keys with {name} next door. | Our train gets in at {clock}, can you pick us up? | Happy birthday, {name}, see you on {day}!
Please bring the {item} to the office tomorrow.
"""
FORMS = """
# question : 
Where do you live? | How old is {name}? | Can you see the {animal} over there? | What did {name} buy {place}? | Why is the sky so dark?
Who ate the {food}? | When does the shop open?
Do you like {hobby}? | Is {name} coming on {day}? | Which of the {item} are yours? | Have you ever been to {city}? | Did the {job} call?
Are these {item} new? | How much was it?
# statement : 
{name} lives in {city}. | The shop opens at {clock}. | I bought {n} {item} {place}. | The {animal} is asleep. | It was dark when we arrived.
{name} works as a {job}. | The {food} is on the table.
My sister likes {hobby}. | We met {name} on {day}. | The {item} are on the shelf. | They moved to {city} last year. | The {job} arrived at {clock}.
There are {n} chairs in the room. | He has a {colour} coat.
# command : 
Close the door. | Give me the {item}. | Come here at once. | Put the {food} on the table. | Read page {big}. | Sit down and listen.
Call {name} on {day}.
Don't touch the {animal}. | Write your name on the line. | Take off your shoes. | Wait for me {place}. | Open the window. | Bring {n} chairs.
Be quiet.
# exclamation : 
What a beautiful {animal}! | How lovely! | Oh no, the {food}! | What luck! | Wow! | How big the {animal} is! | Hooray, we won!
What a pity! | Ouch! | Good heavens! | What a lovely {colour} coat! | How fast {name} runs! | What nice {item}! | Oh, what a surprise!
"""
TENSES = """
# past : 
{name} bought {n} {item}. | We went to {city} in {month}. | The {job} arrived late. | They ate {food} for dinner. | I saw a {animal} in the garden.
She lost her keys {place}. | It rained all day.
He worked in {city} for {n} years. | The children slept until noon. | {name} wrote a long letter. | We laughed a lot. | The train left at {clock}.
I was tired. | You forgot your {colour} coat. | They found the {item}.
# present : 
{name} lives in {city}. | I am reading a book. | The {animal} is sleeping. | She works as a {job}. | We are eating {food} right now.
He likes {hobby}. | It is raining.
The children are playing {place}. | I know {name} well. | They sell {item}. | The shop is open at the moment. | You speak very fast.
My coat is {colour}. | Birds have wings. | {name} is waiting for you.
# future : 
{name} will buy {n} {item}. | We are going to visit {city} next year. | I will call you tomorrow. | It is going to rain tonight.
She will become a {job}. | They will move to {country} next summer. | He is going to cook {food}.
The train will leave at {clock}. | You will like it there. | We shall see. | I'm going to sell my {item}. | {name} will be here soon.
The {animal} will come back one day. | The shop will close next week. | I won't forget you.
"""
FACTS = """
# fact : 
The shop opens at {clock}. | {name} bought {n} {item} on {day}. | The tower is {big} metres high. | A week has seven days.
The train to {city} took {n} hours. | Water freezes at zero degrees Celsius. | The book has {big}0 pages.
{company} was founded in {city}. | The {food} contains eggs. | A triangle has three sides. | The meeting was moved to {day}.
The ticket cost {price}. | Spiders have eight legs. | There are {n} windows in the room. | {name} was born in {month}.
# opinion : 
I think that {food} tastes awful. | {city} is the most beautiful town of all. | In my view, nothing is more fun than {hobby}.
Nobody should have to get up before nine. | The film was far too long for my taste. | {colour} is the prettiest colour.
I believe dogs are nicer than cats.
{name} is the funniest person I know. | Winter is much nicer than summer. | I find these {item} ugly. | The music in the cafe was dreadful.
To my mind, old houses are more charming than new ones. | It is wrong to keep birds in cages, I feel. | The {food} here is simply the best.
Books are always better than films.
"""
DAYTIMES = """
# morning : 
The sun has just risen. | I'm having breakfast. | The cock is crowing, time to get up. | The alarm clock rings and {name} gets out of bed.
The baker opens his shop at six. | The first birds are singing at dawn. | The milkman is on his round before school begins.
It's eight o'clock and I'm on my way to work with my first coffee. | Dew is still lying on the grass as the sun comes up.
Toast and jam before school. | {name} wakes up and draws the curtains. | We met at sunrise.
# afternoon : 
We had tea and cake at four o'clock. | After lunch {name} took a walk. | The children come home from school at three.
Lunch is over, and the office is hot and sleepy. | At half past two the sun burned on the square. | The after-lunch meeting starts at 2 pm.
It's 3 pm and the shops are busy. | {name} does her homework after lunch. | Coffee and biscuits at half past three.
The match kicks off at three in broad daylight. | We washed up after lunch and went for a swim. | Two hours after midday we reached {city}.
# evening : 
The sun is setting. | We are having dinner. | {name} comes home from work and lights the lamps. | Dusk falls over {city}.
The theatre play begins at half past seven. | At seven we sat down to supper. | The children have their bath and a story before bed.
The street lamps go on as it gets dark. | We watched the sunset. | Dinner is served at eight. | After work {name} meets her friends for dinner.
The six o'clock news after work, then supper.
# night : 
Everyone is fast asleep. | The clock struck midnight. | The moon shone at two o'clock while all slept. | {name} woke at 3 am and could not sleep.
The streets are empty, it's long past midnight. | Only the owls are awake.
The watchman makes his round at one in the darkness while the town sleeps.
I dreamed of {city} last time I slept. | It's 2 am and the stars are bright. | The baby cried at midnight. | The whole house is dark and asleep.
It was half past one, and only the moon lit our way.
"""
SEASONS = """
# spring : 
The snow is melting and the first flowers appear. | The lambs are born and the birds build nests. | The cherry trees are in blossom.
Easter is near and the tulips are out. | After the long cold the first green leaves open. | Daffodils bloom on the lawn.
The cuckoo is back and the buds open. | We are spring-cleaning the house.
# summer : 
It's so hot that we swim in the lake every day. | School is out and we are off to the seaside in the heat.
The ice-cream van is here, and the sun burns. | We had a barbecue on the longest day of the year. | My sunburn hurts after the day at the beach.
The wheat is ripe and the heat is great. | Put on sun cream, it's boiling hot. | We lie in the shade because of the heatwave.
# autumn : 
The leaves are turning red and falling. | We pick the last apples and rake the leaves. | The swallows gather to fly south.
Pumpkins are ripe, and the mornings are misty. | The grape harvest has begun. | Chestnuts lie under the trees.
The days are getting shorter and the trees lose their leaves. | We fly kites in the wind over the stubble fields.
# winter : 
The lake is frozen and we skate on it. | The children are building a snowman. | We light candles for Christmas. | Icicles hang from the roof.
{name} is clearing the snow from the path. | The trees are bare and snow is falling. | We went sledging down the white hill.
Put on your gloves and scarf, it is freezing.
"""
PERSONS_TONE = """
# formal : 
Dear Sir or Madam, I am writing to enquire about your {item}. | We regret to inform you that your application was unsuccessful.
Please find enclosed the documents you requested. | I should be most grateful for an early reply. | Yours faithfully, {name} {surname}
We kindly request that you confirm your attendance. | The undersigned hereby declares that the above is correct.
It is with great pleasure that we announce the appointment of Dr {surname}.
Guests are requested to be seated by {clock}. | Kindly acknowledge receipt of this letter. | We would appreciate your prompt attention to this matter.
Permit me to introduce our new director, Ms {surname}. | With reference to your letter of {day}, we confirm the order.
Passengers are advised to proceed to gate {n}. | I remain, Sir, your obedient servant.
# informal : 
Hey {name}, what's up? | Gonna grab some {food}, wanna come? | lol that's so cool | See ya at {clock}, mate! | Yeah, dunno, maybe later.
Guess what, I got the job, woohoo! | Can't make it tonight, soz! | Thanks a bunch, you're a star!
Nah, I'm good, cheers. | Hiya, fancy a coffee? | OMG, did you see that {animal}? | That film was, like, super weird. | Gotta run, talk later!
Mum's gonna be so mad, haha. | Yep, all sorted, no worries!
"""
LANGUAGES = """
# English : 
The weather is nice today. | Where is the station? | I would like a cup of tea. | My brother lives in a small house.
We are going to the cinema tonight. | How much is this book? | She reads a newspaper every morning. | The children are playing in the garden.
I have lost my key. | Good morning, how are you? | The train is late again. | He works in a large office. | They have two dogs and a cat.
What time is it? | The bread is on the table. | It is raining and I am cold. | Please close the window. | I do not understand you.
Our school begins at eight. | She has a red coat. | Thank you for your help. | Tomorrow we shall visit our aunt. | The soup is too hot.
Have you seen my glasses? | The shop is closed on Sunday.
# German : 
Das Wetter ist heute schön. | Wo ist der Bahnhof? | Ich möchte eine Tasse Tee. | Mein Bruder wohnt in einem kleinen Haus.
Wir gehen heute Abend ins Kino. | Wie viel kostet dieses Buch? | Sie liest jeden Morgen die Zeitung. | Die Kinder spielen im Garten.
Ich habe meinen Schlüssel verloren. | Guten Morgen, wie geht es Ihnen? | Der Zug hat wieder Verspätung. | Er arbeitet in einem großen Büro.
Sie haben zwei Hunde und eine Katze. | Wie spät ist es? | Das Brot liegt auf dem Tisch. | Es regnet und mir ist kalt.
Bitte schließen Sie das Fenster. | Ich verstehe dich nicht. | Unsere Schule beginnt um acht. | Sie hat einen roten Mantel. | Danke für deine Hilfe.
Morgen besuchen wir unsere Tante. | Die Suppe ist zu heiß. | Hast du meine Brille gesehen? | Das Geschäft ist am Sonntag geschlossen.
# French : 
Il fait beau aujourd'hui. | Où est la gare ? | Je voudrais une tasse de thé. | Mon frère habite dans une petite maison.
Nous allons au cinéma ce soir. | Combien coûte ce livre ? | Elle lit le journal tous les matins. | Les enfants jouent dans le jardin.
J'ai perdu ma clé. | Bonjour, comment allez-vous ? | Le train est encore en retard. | Il travaille dans un grand bureau.
Ils ont deux chiens et un chat. | Quelle heure est-il ? | Le pain est sur la table. | Il pleut et j'ai froid. | Fermez la fenêtre, s'il vous plaît.
Je ne te comprends pas. | Notre école commence à huit heures. | Elle a un manteau rouge. | Merci pour ton aide.
Demain, nous rendons visite à notre tante. | La soupe est trop chaude. | As-tu vu mes lunettes ? | Le magasin est fermé le dimanche.
# Spanish : 
Hoy hace buen tiempo. | ¿Dónde está la estación? | Quisiera una taza de té. | Mi hermano vive en una casa pequeña. | Esta noche vamos al cine.
¿Cuánto cuesta este libro? | Ella lee el periódico todas las mañanas. | Los niños juegan en el jardín. | He perdido mi llave.
Buenos días, ¿cómo está usted? | El tren llega tarde otra vez. | Él trabaja en una oficina grande. | Tienen dos perros y un gato. | ¿Qué hora es?
El pan está en la mesa. | Está lloviendo y tengo frío. | Cierre la ventana, por favor. | No te entiendo. | Nuestra escuela empieza a las ocho.
Ella tiene un abrigo rojo. | Gracias por tu ayuda. | Mañana visitamos a nuestra tía. | La sopa está demasiado caliente. | ¿Has visto mis gafas?
La tienda está cerrada los domingos.
# Italian : 
Oggi fa bel tempo. | Dov'è la stazione? | Vorrei una tazza di tè. | Mio fratello abita in una piccola casa. | Stasera andiamo al cinema.
Quanto costa questo libro? | Legge il giornale ogni mattina. | I bambini giocano in giardino. | Ho perso la mia chiave. | Buongiorno, come sta?
Il treno è di nuovo in ritardo. | Lui lavora in un grande ufficio. | Hanno due cani e un gatto. | Che ore sono? | Il pane è sul tavolo.
Piove e ho freddo. | Chiuda la finestra, per favore. | Non ti capisco. | La nostra scuola comincia alle otto. | Lei ha un cappotto rosso.
Grazie per il tuo aiuto. | Domani andiamo a trovare nostra zia. | La minestra è troppo calda. | Hai visto i miei occhiali?
Il negozio è chiuso la domenica.
# Dutch : 
Het is vandaag mooi weer. | Waar is het station? | Ik wil graag een kopje thee. | Mijn broer woont in een klein huis.
We gaan vanavond naar de bioscoop. | Hoeveel kost dit boek? | Ze leest elke ochtend de krant. | De kinderen spelen in de tuin.
Ik heb mijn sleutel verloren. | Goedemorgen, hoe gaat het met u? | De trein is weer te laat. | Hij werkt in een groot kantoor.
Ze hebben twee honden en een kat. | Hoe laat is het? | Het brood ligt op tafel. | Het regent en ik heb het koud. | Doe het raam dicht, alstublieft.
Ik begrijp je niet. | Onze school begint om acht uur. | Ze heeft een rode jas. | Bedankt voor je hulp. | Morgen bezoeken we onze tante.
De soep is te heet. | Heb je mijn bril gezien? | De winkel is op zondag gesloten.
# Portuguese : 
Hoje faz bom tempo. | Onde fica a estação? | Eu queria uma chávena de chá. | O meu irmão mora numa casa pequena. | Hoje à noite vamos ao cinema.
Quanto custa este livro? | Ela lê o jornal todas as manhãs. | As crianças brincam no jardim. | Perdi a minha chave. | Bom dia, como está?
O comboio está outra vez atrasado. | Ele trabalha num escritório grande. | Eles têm dois cães e um gato. | Que horas são? | O pão está na mesa.
Está a chover e tenho frio. | Feche a janela, por favor. | Não te entendo. | A nossa escola começa às oito. | Ela tem um casaco vermelho.
Obrigado pela tua ajuda. | Amanhã visitamos a nossa tia. | A sopa está quente demais. | Viste os meus óculos? | A loja está fechada ao domingo.
"""

KINDS = {
    "fruit": "apple,banana,pear,plum,cherry,grape,mango,peach,apricot,kiwi,lemon,strawberry,raspberry,pineapple",
    "bird": "sparrow,eagle,robin,owl,swallow,pigeon,blackbird,parrot,penguin,stork,seagull,magpie,crow,woodpecker",
    "tool": "hammer,saw,screwdriver,drill,pliers,spanner,chisel,file,axe,crowbar,spirit level,sander,vice,mallet",
    "insect": "ant,bee,wasp,butterfly,beetle,fly,mosquito,grasshopper,ladybird,moth,dragonfly,cricket,flea,cockroach",
    "vehicle": "car,lorry,bus,bicycle,train,tram,motorbike,tractor,van,taxi,scooter,ambulance,minibus,fire engine",
    "vegetable": "carrot,onion,cabbage,leek,spinach,cauliflower,broccoli,potato,turnip,celery,lettuce,beetroot,parsnip,radish",
    "clothing": "shirt,trousers,skirt,coat,sock,jumper,dress,scarf,glove,blouse,jacket,hat,pyjamas,cardigan",
    "tree": "oak,beech,birch,willow,pine,fir,maple,ash,elm,poplar,larch,spruce,alder,yew",
    "furniture": "table,chair,sofa,wardrobe,bed,bookcase,armchair,desk,stool,chest of drawers,sideboard,bench,cupboard,couch",
    "fish": "trout,salmon,herring,cod,tuna,carp,eel,mackerel,sardine,pike,haddock,perch,plaice,halibut",
    "musical instrument": "violin,piano,trumpet,flute,drum,guitar,cello,harp,clarinet,trombone,oboe,saxophone,accordion,banjo",
    "drink": "tea,coffee,lemonade,beer,wine,cocoa,water,cider,milk,orange juice,whisky,cola,apple juice,mineral water",
    "flower": "rose,tulip,daisy,lily,daffodil,poppy,sunflower,violet,snowdrop,crocus,dandelion,carnation,bluebell,orchid",
    "colour": "red,blue,green,yellow,purple,pink,brown,grey,black,white,turquoise,scarlet,beige,crimson",
    "job": "teacher,baker,plumber,nurse,doctor,lawyer,farmer,carpenter,pilot,waiter,butcher,dentist,librarian,tailor",
    "country": "France,Japan,Brazil,Kenya,Canada,Norway,Italy,Peru,India,Egypt,Poland,Mexico,Spain,Vietnam",
    "body part": "arm,leg,nose,ear,knee,elbow,shoulder,finger,toe,neck,ankle,wrist,chin,hip",
    "shape": "circle,square,triangle,rectangle,oval,cube,pyramid,hexagon,cylinder,cone,pentagon,sphere,rhombus,octagon",
    "metal": "iron,copper,silver,gold,zinc,tin,lead,steel,aluminium,brass,bronze,nickel,platinum,titanium",
    "sport": "tennis,football,hockey,golf,rugby,basketball,judo,badminton,rowing,volleyball,table tennis,boxing,handball,fencing",
    "building": "church,castle,hospital,school,factory,museum,cathedral,skyscraper,warehouse,cottage,town hall,lighthouse,barn,palace",
    "language": "French,German,Spanish,Italian,Dutch,Portuguese,Swedish,Polish,Greek,Turkish,Hindi,Swahili,Danish,Finnish",
    "kitchen utensil": "saucepan,frying pan,whisk,ladle,grater,rolling pin,colander,corkscrew,spatula,peeler,tin opener,sieve,wooden spoon,kettle",
    "month": "January,February,March,April,June,July,August,September,October,November,December",
    "toy": "doll,teddy bear,spinning top,rocking horse,building blocks,yo-yo,marbles,toy train,hula hoop,jigsaw puzzle,rattle,tin "
    "soldier,skipping rope,jack-in-the-box",
    "number": "seven,twelve,forty,nineteen,three,eighty,fifteen,sixty-one,thirty,eleven,nine,two hundred,fifty,twenty-four",
}
KIND_NAMES = {"clothing": ["clothing", "clothes", "item of clothing"], "drink": ["drink", "beverage"], "fruit": ["fruit", "kind of fruit"],
    "job": ["job", "profession", "occupation"],
              "musical instrument": ["musical instrument", "instrument"], "furniture": ["furniture", "piece of furniture"], "colour": ["colour",
              "color"],
              "body part": ["body part", "part of the body"], "vehicle": ["vehicle", "means of transport"], "toy": ["toy", "plaything"],
              "kitchen utensil": ["kitchen utensil", "kitchen tool"]}
KIND_CLASHES = [("toy", "fruit"), ("tool", "kitchen utensil"), ("vehicle", "toy"), ("sport", "colour"), ("colour", "fruit"), ("colour", "flower"),
    ("metal", "colour"),
                ("insect", "sport"), ("country", "language"), ("flower", "fruit")]

SENTIMENT_THINGS = {
    "film": ("the film|this movie|the new comedy|this drama|the documentary|the thriller|the sequel",
             "the acting is superb|the jokes are clever and warm|a touching story with wonderful actors|every scene is a delight|a small "
             "masterpiece|it held me from start to finish|"
             "funny, fresh and full of charm|the ending moved me deeply|never boring for a second|a feast for eyes and ears|one of the finest "
             "films of the year|smart, tender and beautifully shot|"
             "i could watch it again tomorrow|not a single dull moment|a gripping tale, brilliantly told|a joy to watch|it is surprisingly sweet "
             "and honest|the cast is outstanding",
             "the acting is wooden|the jokes fall flat|a dull story with lifeless actors|every scene drags|a complete mess|i nearly fell "
             "asleep|tired, stale and without charm|the ending is laughable|"
             "a waste of two hours|ugly to look at and painful to hear|one of the worst films of the year|silly, cold and badly shot|i walked out "
             "before the end|not funny at all|"
             "a confusing plot, clumsily told|a bore from beginning to end|it is neither clever nor moving|the cast looks lost",
             "it lasts two hours|it was shot in {city}|it opens on {day}|the main character is a {job}|it is set in {country}|it is shown at "
             "{clock}|the story takes place in {month}|it has subtitles"),
    "book": ("the book|this novel|the new story by {name} {surname}|this crime story|the memoir",
             "i could not put it down|beautifully written|the characters feel alive|full of wit and wisdom|a page-turner|i was sorry when it "
             "ended|the plot is clever and full of surprises|"
             "i have already given it to three friends|far from boring|a wonderful read",
             "i gave up after {n} pages|badly written|the characters are flat|full of clichés|a real struggle to finish|i was glad when it "
             "ended|the plot makes no sense|i would not give it to anyone|"
             "not worth the paper|a terrible bore",
             "it has {big}0 pages|it was published in {month}|it is set in {city}|it is about a {job}|it comes in {n} volumes|the cover is {colour}"),
    "hotel": ("the hotel|our room|the guest house|the hostel in {city}|this little inn",
              "the bed was heavenly|spotlessly clean|the view was breathtaking|such friendly hosts|we slept like babies|breakfast was "
              "excellent|nothing was missing|we will certainly come back|"
              "quiet, cosy and good value|not a single complaint",
              "the bed was hard as stone|dirty from floor to ceiling|the noise kept us awake|such unfriendly hosts|we could not sleep at "
              "all|breakfast was awful|nothing worked|we will never come back|"
              "loud, cold and overpriced|not clean at all",
              "it has {big} rooms|breakfast is served from {clock}|it is near the station|we stayed for {n} nights|the walls are {colour}|check-in "
              "is at {clock}"),
    "food": ("the {food}|the meal|our dinner|the lunch at {company}|the dessert",
             "absolutely delicious|fresh and full of flavour|cooked to perfection|i licked my plate clean|the best i have had for years|worth "
             "every penny|a real treat|i want more of it",
             "cold and tasteless|far too salty|burnt on the outside and raw inside|i could not finish it|the worst i have had for years|not worth "
             "the money|greasy and stale|it made me feel ill",
             "it is served with rice|it costs {price}|it is on the menu every {day}|it comes in {n} sizes|it contains eggs"),
    "app": ("the app|this program|the website|the new version|the game",
            "easy to use and fast|it has made my life simpler|works like a charm|i love the clear design|no problems at all|exactly what i "
            "needed|i use it every day and enjoy it|brilliant, five stars",
            "slow and full of bugs|it has made my life harder|crashes all the time|i hate the cluttered design|nothing but problems|completely "
            "useless|i deleted it after a day|terrible, one star",
            "it needs {big} megabytes|it was updated on {day}|it runs on phones and tablets|it is available in {n} languages|the icon is {colour}"),
    "service": ("the service|the staff at {company}|the woman at the desk|the repair man|the support team",
                "friendly and quick|very helpful and patient|solved my problem at once|went out of their way to help|could not have been "
                "kinder|always polite|a great experience|my thanks and top marks",
                "rude and slow|unhelpful and impatient|did not solve my problem|let me wait for hours|could not have been ruder|never polite|a "
                "dreadful experience|nobody cared about us",
                "open from {clock}|reached by phone on weekdays|on floor {n}|wearing {colour} shirts|based in {city}"),
    "product": ("the {item}|my new {item}|these {item}|the {colour} {item}",
                "really well made|even better than expected|just perfect|i am delighted with the quality|great value for the price|i would buy the "
                "same again|a lovely surprise|so happy with this purchase",
                "really badly made|much worse than expected|broken after two days|i am disappointed with the quality|far too expensive for such "
                "rubbish|i want my money back|a nasty surprise|so unhappy with this purchase",
                "bought on {day}|sold in packs of {n}|made in {country}|priced at {price}|delivered in a {colour} box"),
}
SENTIMENT_WHOLE = {
    "positive": "I loved every minute of it.|What a wonderful evening!|Highly recommended, I'll be back.|Not bad at all, in fact really good.|I "
    "was never bored, it was great fun.|This made my day.|I can't praise it enough.|"
                "I had doubts, but I was completely won over.|There is nothing I would change.|You won't regret it.|It couldn't have been "
                "better.|Simply superb.|My new favourite!|I'm thrilled.|Everyone was pleased, and so was I.",
    "negative": "I hated every minute of it.|What an awful evening!|Stay away, I won't be back.|Not good at all, in fact really bad.|I was never "
    "amused, it was dreadful.|This ruined my day.|I can't warn you enough.|"
                "I had high hopes, but I was badly let down.|There is nothing I liked about it.|You will regret it.|It couldn't have been "
                "worse.|Simply terrible.|Never again!|I'm so disappointed.|Everyone was annoyed, and so was I.",
    "neutral": "I bought it on {day}.|It takes place in {city}.|The door is {colour}.|There are {n} of them in the box.|It starts at {clock}.|My "
    "number is {big}.|The next one is on {day}.|{name} works there.",
}
CONTRASTS = {
    "positive": "slow start, but in the end wonderful|the beginning drags, yet the rest is superb|i expected little and got a great deal|a bit "
    "pricey, but worth every penny|despite a few small flaws a real pleasure|"
                "the room was small, but we loved it all the same|at first i was sceptical, now i'm a big fan|the weather was poor, still we had a "
                "marvellous time|sometimes silly, but always charming and great fun",
    "negative": "good start, but in the end awful|the beginning is promising, yet the rest is a bore|i expected a great deal and got very "
    "little|cheap, but not even worth that|despite a few nice ideas a real disappointment|"
                "the view was pretty, but we hated the stay all the same|at first i was excited, now i regret buying it|the weather was lovely, "
                "still we had a miserable time|sometimes sweet, but mostly dull and annoying",
}
SENTIMENT_SETS = [("positive", "negative", "neutral"), ("good", "bad", "neither"), ("happy", "unhappy", "neutral"), ("thumbs up", "thumbs down",
    "no opinion"), ("pos", "neg", "neu"),
                  ("favourable", "unfavourable", "neutral"), ("satisfied", "dissatisfied", "neither"), ("likes it", "does not like it", "no opinion"),
                  ("praise", "criticism", "neutral"),
                  ("recommended", "not recommended", "no recommendation"), ("positive review", "negative review", "neutral review"), ("pleased",
                  "displeased", "neutral"), ("+", "-", "0"),
                  ("fan", "critic", "neither"), ("great", "terrible", "neutral"), ("enjoyed", "disliked", "no opinion"), ("content", "disappointed",
                  "neutral"),
                  ("approving", "disapproving", "neutral"), ("upbeat", "downbeat", "neutral"), ("positive opinion", "negative opinion", "no opinion"),
                  ("liked", "hated", "neutral"), ("5 stars", "1 star", "no stars")]
SMALL_SETS = {
    "urgency": [("urgent", "not urgent"), ("high", "low"), ("emergency", "no emergency"), ("now", "later"), ("high priority", "low priority"),
    ("pressing", "can wait"), ("immediate", "not immediate"),
                ("urgent", "normal"), ("express", "no hurry"), ("critical", "non-critical"), ("rush", "no rush")],
    "spam": [("spam", "not spam"), ("spam", "ham"), ("junk", "no junk"), ("unwanted", "wanted"), ("scam", "genuine"), ("spam", "normal"),
    ("junk mail", "real mail"), ("fake", "honest"), ("spam", "ok"),
             ("block", "keep"), ("suspicious", "harmless")],
    "sentence": [("question", "statement", "command", "exclamation"), ("question", "statement", "order", "exclamation"), ("asking", "telling",
    "ordering", "exclaiming"),
                 ("interrogative", "declarative", "imperative", "exclamatory"), ("a question", "a statement", "a request", "an exclamation"),
                 ("query", "statement", "instruction", "exclamation")],
    "tense": [("past", "present", "future"), ("past tense", "present tense", "future tense"), ("before", "now", "later"), ("in the past",
    "in the present", "in the future"), ("yesterday", "today", "tomorrow"),
              ("has happened", "is happening", "will happen")],
    "fact": [("fact", "opinion"), ("objective", "subjective"), ("factual", "personal view"), ("facts", "views"), ("a fact", "an opinion"),
    ("factual statement", "personal opinion")],
    "daytime": [("morning", "afternoon", "evening", "night")] * 4,
    "season": [("spring", "summer", "autumn", "winter"), ("spring", "summer", "fall", "winter")] * 2,
    "tone": [("formal", "informal"), ("formal", "casual"), ("official", "chatty"), ("formal tone", "casual tone"), ("stiff", "relaxed"),
    ("formal language", "everyday language"), ("official style", "private style")],
    "language": [("English", "German", "French", "Spanish", "Italian", "Dutch", "Portuguese"), ("en", "de", "fr", "es", "it", "nl", "pt"),
    ("english text", "german text", "french text", "spanish text", "italian text", "dutch text", "portuguese text"),
                 ("English", "German", "French", "Spanish", "Italian", "Dutch", "Portuguese"), ("England", "Germany", "France", "Spain", "Italy",
                 "the Netherlands", "Portugal")],
}

ASKS = """Classify this {kind}.|What is the {noun} of this {kind}?|Which label fits the {kind} best?|Pick the right {noun} for the {kind}.
Which {noun} fits?|Label this {kind}.
Choose the {noun} that matches the {kind}.|Sort the {kind} into one of the categories.|Assign one of the labels to the {kind}.
Decide which {noun} the {kind} belongs to.|Tell me the {noun} of the {kind}.
Find the best label for this {kind}.|Read the {kind} and name its {noun}.|I need the {noun} of this {kind}.
Give the {kind} a label.|Where does this {kind} belong?|Under which heading would you file this {kind}?
Which of the options describes the {kind}?|Can you classify this {kind} for me?|Please choose one {noun}.
Put the {kind} in the right group.|Mark the {kind} with the right {noun}.|Select the {noun}.|Categorise the {kind}.
Say which {noun} this {kind} has.|Match the {kind} to one of the options.|Determine the {noun} of the {kind}.
Could you tell me which category this {kind} falls into?|Name the {noun} that suits the {kind}.
What would you call this {kind}?|Help me sort this {kind}.|Work out the {noun} of the {kind}.|Tag the {kind}.
Which one is right for this {kind}?|Identify the {noun}.|Which {noun} would you give this {kind}?""".replace("\n", "|").split("|")
LEADS = """Options: |Labels: |Choose from: |Possible labels: |One of: |Choices: |Categories: |Pick one: |The options are: |Classes: |Available labels: |Select from: |Tags: |Use one of these: |Allowed answers: |Groups: |
Candidates: |These are the labels: |Your choices: |Take one of: |Only these are allowed: """.replace("\n", "").split("|")
ENDINGS = """Answer with the label only.|Reply with one label.|Just the label, please.|Only write the label.|Answer with nothing but the label.
Give the label and nothing else.|No explanation.|Use exactly one of the options.
Return only the category.|One answer only.|Write the label exactly as given.|Do not explain.|Output just the label.
Answer with one of the options.|The label is all I need.|Keep to the given labels.""".replace("\n", "|").split("|")
TEXT_LEADS = ["{Kind}: ", "{Kind}:\n", "Text: ", "Input: ", "\"\"\"", "The {kind}: ", "Here it is: ", "Here is the {kind}: ", "<text>", "'", "\"",
    "“", "Now the {kind}: ", "{Kind} - ", ">> ", "Read this: "]
GREETINGS = ["Hello, ", "Hi, ", "Good morning. ", "Hi there. ", "Dear team, ", "Hello! ", "Hey, ", "Good day, "]
CLOSINGS = [" Regards, {name}", " Kind regards, {name} {surname}", " {name}", " Please let me know.", " Best, {name}", " Yours, {name} {surname}",
    " I look forward to your answer."]
LONG_HEADS = ["customer", "banking"]
YES_NO = ["Does the label \"{label}\" fit this {kind}? {answer}", "{answer}: is the {noun} of this {kind} \"{label}\"?",
    "Would you file this {kind} under \"{label}\"? {answer}",
          "Is \"{label}\" the right {noun} for this {kind}? {answer}", "{answer} - does this {kind} belong to \"{label}\"?",
          "Check whether the {noun} is {label}. {answer}", "{noun}: {label}? {answer}",
          "Is this {kind} a case of \"{label}\"? {answer}", "Can this {kind} be labelled \"{label}\"? {answer}",
          "Tell me if the {kind} matches \"{label}\". {answer}", "Is the {noun} here {label}? {answer}",
          "Should this {kind} get the tag {label}? {answer}", "{answer}: the {noun} of the {kind} is {label}.",
          "Decide if \"{label}\" describes the {kind}. {answer}", "Would \"{label}\" be a good label for it? {answer}",
          "Does this {kind} fall under {label}? {answer}", "I think the {noun} is {label}. Am I right? {answer}",
          "Is it right to call the {noun} of this {kind} {label}? {answer}"]
ANSWERS = [("Yes or no?", "Yes", "No"), ("Answer yes or no.", "Yes", "No"), ("Yes/No", "Yes", "No"), ("Reply with Yes or No.", "Yes", "No"),
    ("Just yes or no.", "Yes", "No"), ("True or false?", "True", "False")]
OTHERS = ["other", "none of these", "something else", "none", "other topic", "no match", "anything else"]


def parse(text: str) -> list[dict]:
    concepts = []
    for block in re.split(r"(?m)^# ", text.strip())[0:]:
        if not block.strip():
            continue
        head, body = block.split("\n", 1)
        names, _, description = head.partition(" :")
        sentences = [sentence.strip() for sentence in re.split(r"[|\n]", body) if sentence.strip()]
        concepts.append({"names": [name.strip() for name in names.split(" / ")], "description": description.strip(), "sentences": sentences})
    return concepts


SLOTS = {
    "name": lambda d: d.pick(FIRST_NAMES), "name2": lambda d: d.pick(FIRST_NAMES), "surname": lambda d: d.pick(SURNAMES),
    "city": lambda d: d.pick(CITIES),
    "city2": lambda d: d.pick(CITIES), "item": lambda d: d.pick(ITEMS), "food": lambda d: d.pick(FOODS), "animal": lambda d: d.pick(ANIMALS),
    "job": lambda d: d.pick(JOBS),
    "day": lambda d: d.pick(WEEKDAYS), "month": lambda d: d.pick(MONTHS), "n": lambda d: str(d.number(2, 9)), "big": lambda d: str(d.number(11, 90)),
    "clock": clock, "code": code,
    "company": company, "price": price, "country": lambda d: d.pick(COUNTRIES)[0], "colour": lambda d: d.pick(COLOURS),
    "colour2": lambda d: d.pick(COLOURS),
    "hobby": lambda d: d.pick(HOBBIES), "place": lambda d: d.pick(PLACES), "date": date,
}


def fill(draw: Draw, text: str) -> str:
    text = re.sub(r"\{(\w+)\}", lambda match: SLOTS[match[1]](draw), text)
    text = re.sub(r"\b([Aa]) (?=[aeiou](?!ni[cfqtv]|ni\b|uro|ne\b|se[df]))", r"\1n ", text)
    return text[:1].upper() + text[1:]


BIG = {
    "topic": (parse(TOPICS), TOPIC_CLASHES, ["topic", "subject", "theme", "category"], ["text", "sentence", "line", "snippet", "passage"]),
    "customer": (parse(CUSTOMER), CUSTOMER_CLASHES, ["intent", "request type", "category", "reason for writing"], ["message", "customer message",
    "e-mail", "ticket", "enquiry"]),
    "command": (parse(COMMANDS), COMMAND_CLASHES, ["intent", "action", "command type", "user's wish"], ["utterance", "command", "request", "sentence",
    "user input"]),
    "banking": (parse(BANKING), BANKING_CLASHES, ["intent", "category", "issue", "request type"], ["message", "bank customer's message", "query",
    "question", "chat message"]),
    "message": (parse(MESSAGES), MESSAGE_CLASHES, ["kind of message", "type of text", "category", "purpose"], ["message", "text", "note",
    "piece of writing"]),
    "emotion": (parse(EMOTIONS), EMOTION_CLASHES, ["emotion", "feeling", "mood"], ["sentence", "text", "line", "message"]),
    "department": (parse(DEPARTMENTS), DEPARTMENT_CLASHES, ["department", "responsible department", "team"], ["message", "e-mail", "ticket", "note"]),
    "product": (parse(PRODUCTS), PRODUCT_CLASHES, ["product", "type of product", "article"], ["review", "comment", "customer review", "text"]),
    "genre": (parse(GENRES), GENRE_CLASHES, ["genre", "kind of story", "type of story"], ["passage", "text", "story line", "sentence"]),
    "kind": ([{"names": KIND_NAMES.get(kind, [kind]), "description": "", "sentences": words.split(",")} for kind, words in KINDS.items()],
             KIND_CLASHES, ["kind", "category", "group"], ["word", "term", "thing"]),
}
SMALL = {
    "urgency": (parse(URGENCY), ["urgency", "priority"], ["message", "e-mail", "note"]), "spam": (parse(SPAM), ["category", "label"], ["message",
    "e-mail", "mail"]),
    "sentence": (parse(FORMS), ["kind of sentence", "sentence type"], ["sentence", "text", "line"]), "tense": (parse(TENSES), ["tense", "time"],
    ["sentence", "text"]),
    "fact": (parse(FACTS), ["kind of statement", "category"], ["statement", "sentence"]), "daytime": (parse(DAYTIMES), ["time of day",
    "part of the day"], ["text", "sentence", "scene"]),
    "season": (parse(SEASONS), ["season", "time of year"], ["text", "sentence", "scene"]), "tone": (parse(PERSONS_TONE), ["tone", "style"], ["text",
    "message", "sentence"]),
    "language": (parse(LANGUAGES), ["language"], ["text", "sentence", "line"]),
}


def side(draw: Draw, concepts: list[dict]) -> list[dict]:
    """The concepts of this side of the line; small families have them all on both sides."""
    held = concepts[3::7]
    if len(held) < 2:
        return concepts
    return held if draw.held_out else [concept for concept in concepts if concept not in held]


def clash(first: dict, second: dict, clashes: list) -> bool:
    return any({first["names"][0], second["names"][0]} == set(pair) for pair in clashes)


def choose(draw: Draw, concepts: list[dict], clashes: list, count: int) -> list[dict]:
    chosen = []
    for concept in draw.sample(concepts, len(concepts)):
        if len(chosen) < count and not any(clash(concept, other, clashes) for other in chosen):
            chosen.append(concept)
    return chosen


def sentence_of(draw: Draw, family: str, concept: dict) -> str:
    if family == "kind":
        return draw.pick(concept["sentences"])
    text = fill(draw, draw.pick(concept["sentences"]) if family in BIG else draw.wording(concept["sentences"]))
    if family in ("topic", "customer", "banking", "emotion", "product", "department", "genre") and draw.chance(0.25):
        second = fill(draw, draw.pick(concept["sentences"]))
        text = text if second == text else f"{text} {second}"
    if family in LONG_HEADS + ["department"] and draw.chance(0.25):
        text = draw.pick(GREETINGS) + text
    if family in LONG_HEADS + ["department"] and draw.chance(0.15):
        text += fill(draw, draw.pick(CLOSINGS))
    if family not in ("spam", "tone", "language", "kind") and draw.chance(0.12):
        text = careless(draw, text) if family not in ("sentence", "message", "genre") else text
    return text


def careless(draw: Draw, text: str) -> str:
    text = text[:1].lower() + text[1:] if not text.startswith("I ") else text
    text = text.lower() if draw.chance(0.4) else text
    return text.rstrip(".!") if draw.chance(0.7) else text


def review(draw: Draw, tone: str) -> str:
    if draw.chance(0.12):
        text = fill(draw, draw.wording(SENTIMENT_WHOLE[tone].split("|")))
    else:
        things, *banks = (bank.split("|") for bank in SENTIMENT_THINGS[draw.pick(list(SENTIMENT_THINGS))])
        fragments = banks[["positive", "negative", "neutral"].index(tone)]
        count = draw.pick([1, 1, 2, 2, 3])
        parts = []
        while len(parts) < count:
            part = draw.wording(fragments)
            if part not in parts:
                parts.append(part)
            elif draw.chance(0.5):
                break
        if tone != "neutral" and draw.chance(0.3):
            parts = [draw.wording(CONTRASTS[tone].split("|"))]
        thing = draw.pick(things)
        text = draw.pick([", ".join(parts), ". ".join(part[:1].upper() + part[1:] for part in parts), " and ".join(parts[:2]), "; ".join(parts)])
        lead = draw.pick(["", f"{thing}: ", f"{thing}? ", f"{thing} - ", f"about {thing}: ", f"my view of {thing}: "])
        text = fill(draw, lead + text)
        text = re.sub(r"\bi\b", "I", text) + draw.pick([".", ".", "!" if tone != "neutral" else "."])
    if draw.chance(0.3):
        text = re.sub(r"\s*([.,!?;:])(?=\s|$)", r" \1", text.lower())
    return text


STYLES = [lambda s: s] * 6 + [lambda s: s[:1].upper() + s[1:]] * 3 + [str.upper] * 2 + [lambda s: s.replace(" ", "_").replace("-", "_")] * 2 + [
    lambda s: s.replace(" ", "-"), lambda s: s.upper().replace(" ", "_").replace("-", "_"), str.title]


def style(draw: Draw, labels: list[str]) -> list[str]:
    """The labels in one way of writing; ways that would make two labels alike or spoil proper names are left out."""
    chosen = draw.pick(STYLES)
    styled = [chosen(label.replace("'", "’") if chosen is str.title else label).replace("’S", "’s").replace("’", "'") for label in labels]
    return styled if len(set(styled)) == len(styled) else labels


def listing(draw: Draw, labels: list[str]) -> tuple[str, list[str] | None]:
    """The labels written out, and the marks (letters or numbers) where they have them."""
    form = draw.number(0, 11)
    if form == 0:
        return "\n" + "\n".join(f"- {label}" for label in labels), None
    if form == 1:
        marks = [str(i + 1) for i in range(len(labels))]
        return "\n" + "\n".join(f"{mark}. {label}" for mark, label in zip(marks, labels)), marks
    if form == 2:
        marks = list("ABCDEFGH"[:len(labels)])
        return draw.pick(["\n", " "]).join(f"{mark}) {label}" for mark, label in zip(marks, labels)), marks
    if form == 3:
        return ", ".join(f'"{label}"' for label in labels), None
    if form == 4:
        return " / ".join(labels), None
    if form == 5:
        return " | ".join(labels), None
    if form == 6:
        return "[" + ", ".join(labels) + "]", None
    if form in (7, 8):
        return ", ".join(labels[:-1]) + " or " + labels[-1], None
    return ", ".join(labels), None


def quote(draw: Draw, kind: str, text: str) -> str:
    lead = draw.pick(TEXT_LEADS).format(kind=kind, Kind=kind[:1].upper() + kind[1:])
    closing = {"\"\"\"": "\"\"\"", "<text>": "</text>", "'": "'", "\"": "\"", "“": "”"}.get(lead, "")
    return (lead + text + closing) if '"' not in text or lead not in ("\"", "'", "“") else text


def request(draw: Draw, nouns: list[str], kinds: list[str], labels: list[str], descriptions: list[str]) -> tuple[str, str, list[str] | None]:
    """The instruction without the text, the name of the text, and marks where the answer is to be the mark."""
    noun, kind = draw.pick(nouns), draw.pick(kinds)
    ask = draw.wording(ASKS).format(noun=noun, kind=kind)
    ask = careless(draw, ask).rstrip("?") if draw.chance(0.15) else ask
    if all(descriptions) and draw.chance(0.15):
        shown, marks = "\n" + "\n".join(f"{label}: {description}" for label, description in zip(labels, descriptions)), None
    else:
        shown, marks = listing(draw, labels)
    parts = [ask, draw.wording(LEADS) + shown if not shown.startswith("\n") else draw.wording(LEADS).strip() + shown]
    by_mark = marks is not None and draw.chance(0.35)
    if by_mark:
        parts.append(f"Answer with the {'number' if marks[0] == '1' else 'letter'}" + draw.pick([".", " only.", ", please."]))
    elif draw.chance(0.5):
        parts.append(draw.wording(ENDINGS))
    if draw.chance(0.2):
        parts[0], parts[1] = parts[1], parts[0]
    glue = "\n" if any("\n" in part for part in parts) else draw.pick([" ", "\n"])
    if glue == " ":
        parts = [part if part.endswith((".", "?", "!", ":")) or part is parts[-1] else part + "." for part in parts]
    return glue.join(parts), kind, marks if by_mark else None


def build(draw: Draw, task: str, nouns: list[str], kinds: list[str], labels: list[str], descriptions: list[str], text_of) -> dict:
    """One row from labels and a function that gives a fresh text for the label of an index."""
    instruction, kind, marks = request(draw, nouns, kinds, labels, descriptions)
    answers = marks or labels
    right = draw.number(0, len(labels) - 1)
    text = text_of(right)
    meta = {"label": answers[right], "options": labels, "text": text}
    form = draw.number(0, 99)
    if form < 12:
        rights = [right] + [draw.number(0, len(labels) - 1) for _ in range(draw.number(2, 5))]
        turns, seen = [], set()
        for i, index in enumerate(rights):
            shown = text if i == 0 else text_of(index)
            if shown not in seen:
                turns += [shown, answers[index]]
                seen.add(shown)
        if draw.chance(0.6):
            return row("classification_session", *turns, system=instruction, **meta)
        turns[0] = f"{instruction}\n{quote(draw, kind, turns[0])}"
        return row("classification_session", *turns, **meta)
    if form < 22:
        examples = [(text_of(index), answers[index]) for index in [draw.number(0, len(labels) - 1) for _ in range(draw.number(2, 3))]]
        examples = [pair for pair in examples if pair[0] != text]
        head, tail = draw.pick([("Text", "Label"), ("Input", "Output"), ("Q", "A"), (kind.capitalize(), "Answer")])
        shots = "\n".join(f"{head}: {shown}\n{tail}: {answer}" for shown, answer in examples)
        return row(task, f"{instruction}\n{shots}\n{head}: {text}\n{tail}:", answers[right], **meta)
    if form < 50:
        shown = text if draw.chance(0.8) else quote(draw, kind, text)
        return row(task, shown, answers[right], system=instruction, **meta)
    quoted = quote(draw, kind, text)
    glue = draw.pick(["\n\n", "\n", "\n\n", " "]) if "\n" not in instruction else draw.pick(["\n", "\n\n"])
    prompt = f"{quoted}{glue if glue != ' ' else chr(10)}{instruction}" if draw.chance(0.3) else f"{instruction}{glue}{quoted}"
    return row(task, prompt, answers[right], **meta)


def big_family(draw: Draw, family: str) -> dict:
    concepts, clashes, nouns, kinds = BIG[family]
    pool = side(draw, concepts)
    chosen = choose(draw, pool, clashes, draw.pick([2, 3, 3, 4, 4, 5, 5, 6, 7]))
    if len(chosen) < 2:
        chosen = choose(draw, pool, clashes, 4)
    names = [draw.pick(concept["names"]) for concept in chosen]
    groups = [[concept] for concept in chosen]
    descriptions = [concept["description"] for concept in chosen]
    outside = [concept for concept in pool if concept not in chosen and not any(clash(concept, other, clashes) for other in chosen)]
    if outside and draw.chance(0.08):
        names.append(draw.wording(OTHERS))
        groups.append(outside)
        descriptions.append("nothing of the above fits")
    labels = style(draw, names)
    return build(draw, f"classification_{family}", nouns, kinds, labels, descriptions, lambda i: sentence_of(draw, family, draw.pick(groups[i])))


def topic(draw): return big_family(draw, "topic")
def customer(draw): return big_family(draw, "customer")
def command(draw): return big_family(draw, "command")
def banking(draw): return big_family(draw, "banking")
def message(draw): return big_family(draw, "message")
def emotion(draw): return big_family(draw, "emotion")
def department(draw): return big_family(draw, "department")
def product(draw): return big_family(draw, "product")
def genre(draw): return big_family(draw, "genre")
def kind_of_thing(draw): return big_family(draw, "kind")


def small(draw: Draw) -> dict:
    """One of the families with fixed concepts, where the names of the labels change."""
    family = draw.pick(list(SMALL))
    concepts, nouns, kinds = SMALL[family]
    names = draw.wording(SMALL_SETS[family])
    count = draw.number(2, len(names))
    if family == "sentence":
        count = min(count, 3)
    indices = draw.sample(range(len(names)), count)
    if family == "sentence" and set(indices) >= {0, 3}:
        indices = [i for i in indices if i != 3] if len(indices) > 2 else [0, 1]
    labels = [names[i] for i in indices]
    labels = labels if family == "language" else style(draw, labels)
    return build(draw, f"classification_{family}", nouns, kinds, labels, [""], lambda i: sentence_of(draw, family, concepts[indices[i]]))


def sentiment(draw: Draw) -> dict:
    names = draw.wording(SENTIMENT_SETS)
    indices = draw.sample(range(3), 3) if draw.chance(0.4) else draw.sample(range(2), 2)
    labels = style(draw, [names[i] for i in indices])
    tones = ["positive", "negative", "neutral"]
    return build(draw, "classification_sentiment", ["sentiment", "opinion", "attitude", "tone"], ["review", "comment", "text", "sentence",
        "film review", "opinion"],
                 labels, [""], lambda i: review(draw, tones[indices[i]]))


def yes_no(draw: Draw) -> dict:
    if draw.chance(0.25):
        names, nouns, kinds = draw.wording(SENTIMENT_SETS)[:2], ["sentiment", "opinion", "attitude"], ["review", "comment", "text"]
        right, other = draw.sample(range(2), 2)
        label, text, true = names[right], review(draw, ["positive", "negative"][right]), True
        if draw.chance(0.5):
            label, true = names[other], False
    else:
        family = draw.pick(list(BIG))
        concepts, clashes, nouns, kinds = BIG[family]
        pair = choose(draw, side(draw, concepts), clashes, 2)
        if len(pair) < 2:
            return yes_no(draw)
        true = draw.chance(0.5)
        label, text = draw.pick(pair[0]["names"]), sentence_of(draw, family, pair[0 if true else 1])
    wish, yes, no = draw.pick(ANSWERS)
    kind = draw.pick(kinds)
    question = draw.wording(YES_NO).format(label=label, noun=draw.pick(nouns), kind=kind, answer=wish.rstrip(".?"))
    question = question[:1].upper() + question[1:] + ("?" if question.endswith(("Yes or no", "True or false")) else "." if not question.endswith(("?",
        ".")) else "")
    answer = yes if true else no
    meta = {"label": answer, "options": [yes, no], "text": text}
    if draw.chance(0.25):
        return row("classification_yes_no", text, answer, system=question, **meta)
    quoted = quote(draw, kind, text)
    prompt = f"{quoted}\n{question}" if draw.chance(0.4) else f"{question}{draw.pick([chr(10), chr(10) * 2])}{quoted}"
    return row("classification_yes_no", prompt, answer, **meta)


WHICH = ["Which of these words is a kind of {kind}?", "Which word names a {kind}?", "Find the {kind}.", "One of these is a {kind}. Which?",
    "Pick the {kind} from the list.", "Which of these belongs to the group \"{kind}\"?",
         "Which word fits the category {kind}?", "Name the {kind} among these.", "Which one is the {kind}?", "Choose the word that is a {kind}.",
         "Can you spot the {kind}?", "Only one word is a {kind}. Tell me which.",
         "What is the {kind} here?", "Select the {kind}.", "Which is a {kind}?", "Give me the {kind} in this list.",
         "I am looking for a {kind}. Which word do I need?", "Which of the following is a {kind}?"]
FITTING = ["Which of these words fits the text best?", "Which word suits this text?", "Choose the word that goes with the text.",
    "Which word is closest in meaning to the text?", "Pick the word that sums up the text.",
           "What is the text about? Choose one word.", "Which heading would you give the text?", "Find the best keyword.",
           "Which of these would be a good title?", "One of these words fits. Which?",
           "Select the keyword for the text.", "What would be the best tag?", "Which term fits?", "Choose a heading.", "Match the text with a word."]


def which_word(draw: Draw) -> dict:
    concepts, clashes, _, _ = BIG["kind"]
    concepts = [concept for concept in concepts if concept["names"][0] not in ("clothing", "furniture")]
    chosen = choose(draw, side(draw, concepts), clashes, draw.number(3, 5))
    words = [draw.pick(concept["sentences"]) for concept in chosen]
    right = draw.number(0, len(chosen) - 1)
    question = fill(draw, draw.wording(WHICH).format(kind=draw.pick(chosen[right]["names"][:1])))
    shown, _ = listing(draw, words)
    prompt = draw.pick([f"{question} {shown.strip()}" if not shown.startswith("\n") else question + shown, f"{shown.strip()}\n{question}"])
    return row("classification_which_word", prompt, words[right], label=words[right], options=words, text=chosen[right]["names"][0])


def fitting_word(draw: Draw) -> dict:
    family = draw.pick(["topic", "topic", "emotion", "message", "product"])
    concepts, clashes, _, _ = BIG[family]
    chosen = choose(draw, side(draw, concepts), clashes, draw.number(3, 5))
    names = [draw.pick(concept["names"]) for concept in chosen]
    right = draw.number(0, len(chosen) - 1)
    text = sentence_of(draw, family, chosen[right])
    shown = draw.pick([", ".join(names), " / ".join(names), "\n" + "\n".join(names)])
    question = draw.wording(FITTING)
    prompt = draw.pick([f"{question} {shown}\n\n{text}" if not shown.startswith("\n") else f"{question}{shown}\n\n{text}",
        f"{text}\n\n{question} {shown}".replace(" \n", "\n")])
    return row("classification_fitting_word", prompt, names[right], label=names[right], options=names, text=text)


TRUTHS = [("true", "false"), ("correct", "incorrect"), ("right", "wrong"), ("True", "False"), ("yes", "no"), ("TRUE", "FALSE"), ("valid", "invalid"),
    ("correct", "wrong"), ("T", "F"), ("true", "not true"), ("right", "not right")]
TRUTH_ASKS = ["{t} or {f}?", "Is this {t} or {f}?", "Decide: {t} or {f}.", "Answer {t} or {f}.", "Label the statement {t} or {f}.", "Say {t} or {f}.",
    "Check the statement: {t} or {f}?", "Reply only with {t} or {f}.",
              "Judge the sentence as {t} or {f}.", "Which is it, {t} or {f}?", "Mark it {t} or {f}.", "Options: {t}, {f}.",
              "Would you say {t} or {f}?", "Classify as {t}/{f}."]


def true_false(draw: Draw) -> dict:
    concepts, clashes, _, _ = BIG["kind"]
    concepts = [concept for concept in concepts if concept["names"][0] not in ("clothing", "furniture", "number", "month", "colour", "metal")]
    pair = choose(draw, concepts, clashes, 2)
    yes, no = draw.wording(TRUTHS)
    true = draw.chance(0.5)
    kind, word = pair[0]["names"][0], draw.pick(pair[0 if true else 1]["sentences"])
    statement = fill(draw, draw.pick([f"\"{word}\" is a kind of {kind}.", f"The word \"{word}\" names a {kind}.", f"\"{word}\" stands for a {kind}.",
        f"{word}: a {kind}."]))
    ask = draw.wording(TRUTH_ASKS).format(t=yes, f=no)
    ask = ask[:1].upper() + ask[1:] if not ask.startswith(yes) else ask
    answer = yes if true else no
    meta = {"label": answer, "options": [yes, no], "text": statement}
    if draw.chance(0.25):
        return row("classification_true_false", statement, answer, system=ask, **meta)
    return row("classification_true_false", draw.pick([f"{ask} {statement}", f"{statement} {ask}", f"{ask}\n{statement}", f"{statement}\n{ask}"]),
        answer, **meta)


GENERATORS = [(topic, 5), (customer, 5), (command, 5), (banking, 3.5), (message, 3), (emotion, 3.5), (department, 2), (product, 1.5), (genre, 1.5),
    (kind_of_thing, 2), (small, 6),
              (sentiment, 6), (yes_no, 4), (which_word, 1.2), (fitting_word, 1.5), (true_false, 0.8)]
