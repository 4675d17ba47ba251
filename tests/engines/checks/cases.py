"""Pairs written by hand, by check: those on which it must fire, and near misses on which it must not."""

from __future__ import annotations

Pair = tuple[str, str]

FIRES: dict[str, list[Pair]] = {
    "number": [
        ("NATO's 19 members met in Brussels.", "NATO has 16 members."),
        ("The bomb killed at least 164 people in the city.", "The bomb killed 11 people in the city."),
        ("The plane carried twenty-four passengers.", "The plane carried 46 passengers."),
        ("Inflation rose by 3 percent in Spain.", "Inflation rose by 5 percent in Spain."),
        ("The house was sold for $ 2 million.", "The house was sold for $ 3 million."),
        ("Fewer than 20 workers lost their jobs.", "More than 30 workers lost their jobs."),
    ],
    "date": [
        ("The bridge was built in 1932 by engineers.", "The bridge was built in 1950 by engineers."),
        ("Mozart was born in Salzburg in 1756.", "Mozart was born in Salzburg in 1791."),
        ("The treaty was signed on May 3 in Rome.", "The treaty was signed on May 9 in Rome."),
    ],
    "no_number": [
        ("Many people attended the concert.", "5,000 people attended the concert."),
        ("The company hired engineers.", "The company hired 40 engineers."),
        ("The bridge was built in 1932.", "The bridge was built in 1950."),
    ],
    "holder": [
        (
            "Police chief Joseph Stone spoke to reporters after a long day. A letter was written by Peter Wong.",
            "Peter Wong is a police chief.",
        ),
        (
            "The visit was praised by spokesman James Miller. Earlier in the week an envoy met Martin Erdmann.",
            "Martin Erdmann is a spokesman.",
        ),
        (
            "The show was opened by singer Anna Bell. Last month, in another town, people remembered Carl Low.",
            "Carl Low is a singer.",
        ),
    ],
    "negation": [
        ("Guatemala will not accept the passport.", "Guatemala accepts the passport."),
        ("Gandhi never received the Nobel Prize.", "Gandhi received the Nobel Prize."),
        ("The minister failed to sign the treaty.", "The minister signed the treaty."),
        ("Nobody survived the crash.", "Someone survived the crash."),
        ("The company bought the factory.", "The company did not buy the factory."),
        ("The senator refused to support the bill.", "The senator supported the bill."),
        ("Neither Tom nor Bill passed the exam.", "Bill passed the exam."),
        ("John won't buy the car.", "John will buy the car."),
    ],
    "antonym": [
        ("The council rejected the plan.", "The council accepted the plan."),
        ("Share prices rose sharply on Monday.", "Share prices fell sharply on Monday."),
        ("The museum is closed on Sundays.", "The museum is open on Sundays."),
        ("The team won the final in Madrid.", "The team lost the final in Madrid."),
        ("The suspect is alive.", "The suspect is dead."),
        ("John is older than Mary.", "John is younger than Mary."),
    ],
    "privative": [
        ("Police found a fake gun in the car.", "Police found a gun in the car."),
        ("The generals led a failed coup in Chad.", "The generals led a coup in Chad."),
        ("He showed the guards a counterfeit passport.", "He showed the guards a passport."),
    ],
    "swap": [
        ("Santer succeeded Delors in Brussels.", "Delors succeeded Santer in Brussels."),
        ("Google bought YouTube.", "YouTube bought Google."),
        ("The dog chased the cat.", "The dog was chased by the cat."),
        ("Mary gave Peter a book.", "Peter gave a book to Mary."),
        ("John is older than Mary.", "Mary is older than John."),
    ],
    "other_name": [
        ("The ship sailed to Hamburg with coal.", "The ship sailed to Lisbon with coal."),
        ("The prize was won by Anna Keller in 1999.", "The prize was won by Gustav in 1999."),
        ("Reporters met Smith in the hotel.", "Reporters met Petrov in the hotel."),
    ],
    "modality": [
        ("The bank may close ten branches.", "The bank closed ten branches."),
        ("The virus could spread to Europe.", "The virus spread to Europe."),
        ("The drug might cause headaches.", "The drug causes headaches."),
    ],
    "attitude": [
        ("Police believe that Jones robbed the bank.", "Jones robbed the bank."),
        ("The company plans to build a factory.", "The company built a factory."),
        ("Critics claim that the minister lied to parliament.", "The minister lied to parliament."),
        ("The rebels tried to capture the town.", "The rebels captured the town."),
        ("Critics say that the film is boring.", "The film is boring."),
        ("The mayor said that the law is dangerous.", "The law is dangerous."),
    ],
    "condition": [
        ("If the dam breaks, the valley floods.", "The valley floods."),
        ("The strike ends if the company raises wages.", "The company raises wages."),
        ("Unless it rains, the harvest fails.", "The harvest fails."),
    ],
    "future": [
        ("The president will visit Canada.", "The president visited Canada."),
        ("The factory will produce cars.", "The factory produces cars."),
        ("He said that the group would buy the newspaper.", "The group bought the newspaper."),
    ],
    "question": [
        ("Did the company sell its shares?", "The company sold its shares."),
        ("Is the treaty illegal?", "The treaty is illegal."),
        ("Who killed the senator?", "The senator was killed."),
    ],
    "alleged": [
        ("The alleged spy was seen in Vienna.", "The spy was seen in Vienna."),
        ("The proposed merger surprised investors.", "The merger surprised investors."),
        ("Soldiers questioned suspected rebels.", "Soldiers questioned rebels."),
    ],
    "former": [
        ("The former president spoke in Lima.", "The president spoke in Lima."),
        ("Retired general Hall lives in Texas.", "General Hall lives in Texas."),
        ("His ex wife lives in Rome.", "His wife lives in Rome."),
        ("The ex-president lives in Lima.", "The president lives in Lima."),
    ],
    "quantifier": [
        ("Some students passed the exam.", "All students passed the exam."),
        ("Most villages lost power.", "Every village lost power."),
        ("Few doctors supported the reform.", "Most doctors supported the reform."),
    ],
    "superlative": [
        ("Everest is a mountain in Asia.", "Everest is the highest mountain in Asia."),
        ("Maria won a medal in Sydney.", "Maria won the only medal in Sydney."),
        ("He was an astronaut from Poland.", "He was the first astronaut from Poland."),
    ],
    "part": [
        ("The company opened an office in France.", "The company opened an office in Paris."),
        ("The earthquake shook Japan.", "The earthquake shook Tokyo."),
        ("She was born in Italy.", "She was born in Florence."),
    ],
    "restriction": [
        ("The police arrested a man.", "The police arrested a young man."),
        ("The company sells cars.", "The company sells electric cars."),
        ("A woman wrote the book.", "A Norwegian woman wrote the book."),
    ],
    "kind": [
        ("The farmer bought an animal.", "The farmer bought a dog."),
        ("The thieves stole a vehicle.", "The thieves stole a truck."),
        ("She eats fruit.", "She eats apples."),
    ],
    "name": [
        ("The singer was born in Austria.", "The singer was born in Salzburg."),
        ("A minister resigned on Monday.", "Petrov resigned on Monday."),
        ("The firm makes engines for Boeing.", "The firm makes engines for Airbus."),
    ],
}

SILENT: dict[str, list[Pair]] = {
    "number": [
        ("NATO's 19 members met in Brussels.", "NATO has 19 members."),
        ("The bomb killed at least 164 people.", "The bomb killed more than 100 people."),
        ("Twenty-four people died.", "24 people died."),
        ("The firm has 1,500 workers and 20 offices.", "The firm has 1.5 thousand workers."),
        ("Inflation rose by 3.0 percent.", "Inflation rose by 3 percent."),
        ("The group owns 12 ships.", "The group has 40 workers."),
    ],
    "date": [
        ("The bridge was built in 1932.", "The bridge was built in 1932."),
        ("The bridge was built in 1932 and rebuilt in 1950.", "The bridge was rebuilt in 1950."),
        ("He sold 1932 books.", "He sold books."),
    ],
    "no_number": [
        ("About 5,000 people attended the concert.", "5,000 people attended the concert."),
        ("Two men were arrested.", "2 men were arrested."),
        ("The bridge was built in 1932.", "The bridge was built."),
    ],
    "holder": [
        ("Police chief Joseph Stone spoke.", "Joseph Stone is a police chief."),
        ("Peter Wong, a police chief, met Joseph Stone.", "Peter Wong is a police chief."),
        ("Peter Wong spoke to reporters.", "Peter Wong is a police chief."),
    ],
    "negation": [
        ("Guatemala will not accept the passport.", "Guatemala does not accept the passport."),
        ("The minister did not fail to sign the treaty.", "The minister signed the treaty."),
        ("The firm not only bought the factory but closed it.", "The firm bought the factory."),
        ("The man who did not win the race said that he was happy.", "The man said that he was happy."),
        ("Doctors Without Borders built a hospital.", "Doctors Without Borders built a hospital."),
        ("He managed to sign the treaty.", "He signed the treaty."),
    ],
    "antonym": [
        ("The council did not accept the plan.", "The council accepted the plan."),
        ("The council did not reject the plan.", "The council accepted the plan."),
        ("Share prices rose on Monday and fell on Tuesday.", "Share prices fell on Tuesday."),
        ("The team might lose the final.", "The team won the final."),
        ("John is older than Mary.", "Mary is younger than John."),
    ],
    "privative": [
        ("Police found a gun in the car.", "Police found a gun in the car."),
        ("Police found a fake gun in the car.", "Police found a fake gun in the car."),
        ("The plane has failed to contact the tower.", "The plane contacted the tower."),
    ],
    "swap": [
        ("Google bought YouTube.", "YouTube was bought by Google."),
        ("Google bought YouTube.", "Google bought YouTube."),
        ("Google bought YouTube.", "YouTube sold Google."),
        ("Mary gave Peter a book.", "Mary gave a book to Peter."),
        ("John married Mary.", "Mary married John."),
        ("Eye injuries caused by fireworks are serious.", "Fireworks cause injuries."),
    ],
    "other_name": [
        ("The ship sailed to Hamburg.", "The ship sailed to Hamburg."),
        ("Barack Obama visited Accra.", "Barak Obama visited Accra."),
        ("The Central Intelligence Agency opened an office.", "The CIA opened an office."),
    ],
    "modality": [
        ("The bank closed ten branches.", "The bank closed ten branches."),
        ("The bank may close ten branches.", "The bank may close ten branches."),
        ("The bank closed ten branches and may sell others.", "The bank closed ten branches."),
    ],
    "attitude": [
        ("Officials said that Jones robbed the bank.", "Jones robbed the bank."),
        ("Police know that Jones robbed the bank.", "Jones robbed the bank."),
        ("The company managed to build a factory.", "The company built a factory."),
    ],
    "condition": [
        ("The dam broke and the valley flooded.", "The valley flooded."),
        ("The company raised wages, and asked if workers were happy.", "The company raised wages."),
        ("If the dam breaks, the valley floods.", "If the dam breaks, the valley floods."),
    ],
    "future": [
        ("The president visited Canada.", "The president visited Canada."),
        ("The president will visit Canada.", "The president will visit Canada."),
        ("The president visited Canada and will meet farmers.", "The president visited Canada."),
    ],
    "question": [
        ("The company sold its shares. Who bought them?", "The company sold its shares."),
        ("The treaty is illegal.", "The treaty is illegal."),
        ("The company sold its shares!", "The company sold its shares."),
    ],
    "alleged": [
        ("The spy was seen in Vienna.", "The spy was seen in Vienna."),
        ("The alleged spy was seen in Vienna.", "The alleged spy was seen in Vienna."),
        ("The suspected leader met a minister.", "A minister was met."),
    ],
    "former": [
        ("The president spoke in Lima.", "The president spoke in Lima."),
        ("The former president spoke in Lima.", "A former president spoke in Lima."),
        ("The former mayor met the president.", "The president was met."),
        ("Lugo, the former bishop, spoke.", "Lugo was a bishop."),
    ],
    "quantifier": [
        ("All students passed the exam.", "Some students passed the exam."),
        ("All students passed the exam.", "All students passed the exam."),
        ("Some students met all teachers.", "All teachers met students."),
    ],
    "superlative": [
        ("Everest is the highest mountain in Asia.", "Everest is the highest mountain in Asia."),
        ("Everest is the highest mountain in Asia.", "Everest is a mountain in Asia."),
        ("He was the first astronaut from Poland.", "The first astronaut from Poland was a man."),
    ],
    "part": [
        ("The company opened an office in Paris.", "The company opened an office in France."),
        ("She was born in Italy.", "She was born in Italy."),
        ("She was born in Italy.", "She was born in Norway."),
    ],
    "restriction": [
        ("The police arrested a young man.", "The police arrested a man."),
        ("The police arrested a young man.", "The police arrested a young man."),
        ("The company sells cars.", "The company sells cars quickly."),
    ],
    "kind": [
        ("The farmer bought a dog.", "The farmer bought an animal."),
        ("The farmer bought a dog.", "The farmer bought a dog."),
        ("The thieves stole a painting.", "The thieves stole a truck."),
    ],
    "name": [
        ("The singer was born in Salzburg.", "The singer was born in Salzburg."),
        ("President Barack Obama spoke.", "Mr. Barak Obama spoke."),
        ("The United States signed the treaty.", "The U.S. signed the treaty."),
    ],
}
