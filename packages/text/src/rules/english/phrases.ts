// All signs of patterns are explained in ../matching/rule.ts.
// How to read a phrase, such as `noun: 'NOUN|PROPN|&VERB -ing'`: patterns use it as `<noun>`, and it matches “dog”, “Lyon” or “swimming”.
// `[a]` may be absent. `<weekday>` is another phrase of this file. `{core/!vague}` is a `core` whose main noun is not a `vague` one.
/** Closed classes of English and phrases built from them, in the notation of `matching/rule.ts`. Values are never listed. */
export const ENGLISH_PHRASES = {
  we: 'I|we',
  my: 'my|our',
  subject: '<we>|<my>',
  a: 'a|an',
  verb: 'VERB|AUX',

  // Nouns and their modifiers.
  pointing: `this|that|these|those|it|such|another|other|same|his|her|their|its|your|every|each|any|what|which|similar`,
  determiner: 'a|an|the|my|our|some|many|several|both|all|two|DET',
  vague: `thing|stuff|one|way|lot|bit|something|anything|everything|nothing|someone|anyone|everyone|kind|sort|type|idea
    |question|point|problem|issue|time|moment|case|part|reason|feeling|sense|place|rest|fact|truth|sound|look|sight|word
    |mind|while|fun|shot|try|chance|break|few|ton|bunch|load|plenty|couple|handful|experience|most`,
  timed: `today|yesterday|tomorrow|tonight|now|(last|next|this|every|each|a|few|couple|several|NUM) <period>`,
  period: `night|day|week|weekend|month|year|summer|winter|spring|fall|autumn|morning|evening|afternoon|time|<weekday>`,
  weekday: `monday|tuesday|wednesday|thursday|friday|saturday|sunday|mondays|tuesdays|wednesdays|thursdays|fridays|saturdays|sundays`,
  month: 'january|february|march|april|may|june|july|august|september|october|november|december',
  noun: 'NOUN|PROPN|&VERB -ing',
  modifier: 'ADJ|NUM|ADV &ADJ|-',
  joint: '(, and|,|and|or) !no',
  core: '!- <modifier>* <noun> <further>* !<further>',
  further: "!<timed> ['s] (!<timed> <modifier>)* !<timed> <noun>",
  /** Matches a noun phrase with a meaning of its own, with “of …” and “and …”. */
  thing: `!<pointing> [<determiner>] !(same|other|latter|former) ({core} of <thing>|{core/!vague} !of) !(/|-)[<joint> <thing>]`,
  capital: 'CAPITAL',
  some: '!the <determiner>',
  given: '!(PRON|DET|I) CAPITAL',
  /** Matches a bare name, without a word that marks it as one. */
  alone: '&PROPN !-ed CAPITAL [&PROPN CAPITAL]',
  called: 'CALLED',
  particle: 'de|da|do|du|di|del|della|la|le|van|von|der|den|upon|al|el|bin|ibn',
  name: '<given> [<given>] (<particle>+ <given>|[<given>] [<given>])',
  'name-list': '<name> (, <name>)* [,] and <name>',
  located: 'PLACE',
  compass: `north|south|east|west|central|upper|lower|greater|new|san|santa|los|las|saint|st|el|la|cape|tel|hong|buenos|rio|northern|southern|eastern|western`,
  unplaced:
    'city|town|downtown|suburb|suburbs|village|part|full|half|step|stage|level|department|group|division|team|school|university|<calendar>|<timed>',
  saint: "(st|saint) CAPITAL ['s] [CAPITAL]",
  area: `(<saint>|[the] <name/located> [city]) !'s|!<unplaced> [<compass>] PLACE`,
  city: '<area> [, &REGION (<name>|REGION)]',
  nearby: '(near|outside|close to|not far from) <city>',
  settlement:
    'village|town|city|suburb|hamlet|island|farm|valley|cottage|flat|house|apartment|studio|room|place',
  settled: '<a> [_] [_] <settlement> (near|in|outside|by|of|close to) <city>',
  solo: 'alone|on my own|by myself',
  mate: '<my> <relative> <name>|<name> &(.|PUNCT|in|and|since|now|at)',
  aim: 'TOWN',
  /** Matches the place to which someone moves. */
  town: '[the] <name/aim> [, &REGION (<name>|REGION)]|!<unplaced> [<compass>] TOWN',
  /** Matches the rest of the clause. */
  rest: '_+ .',
  blur: `it|this|that|these|those|them|him|her|there|here|one|something|anything|everything|stuff|thing|way|he|she|they|his|their|its|same|such|what`,
  empty:
    'time|day|lot|thing|idea|word|sure|today|tomorrow|yesterday|others|people|someone|thanks|!INFLECTED <brief>',
  brief: `bit|while|way|point|fun|sense|moment|kind|sort|week|month|year|night|morning|evening|weekend|part|end|start|feeling|mind|minute|second`,
  vain: '<empty>|<brief>',
  /** Matches the rest of the clause if it names something, and not only pronouns. */
  matter: '!(_* <blur>) &(_* (PROPN|!<empty> NOUN)) <rest>',
  answer: '<thing>|<name>|NUM _*',
  /** Matches a title or names up to their end: “The Good, the Bad and the Ugly”. */
  titles:
    "([the] CAPITAL (CAPITAL|'s|,|and|or|of|the|a|in|on|to|NUM)*|(the _ ,)* the _ and the _) &(.|;|, !([the] CAPITAL)|by|but|because)",
  pick: '<titles>|<answer>|_ [_] [_] .',

  till: 'until|till',
  /** Matches the place or state in which someone is for a time: “in Lisbon”, “on call”. */
  stay: '!(on [_] [_] <drug>) (in|at|on|with|away|abroad|off|out|without) _*',
  arranged:
    '(!(VERB|AUX|did|will) _)* <appointment> (!(VERB|AUX|did) _)* [will] be (on|at|in|next|this|tomorrow|tonight) _*',
  jubilee: '[!did _] anniversary be [on|in] <date>',
  dated: '<weekday>|<month>|tomorrow|tonight|next',
  appointment:
    'appointment|interview|exam|check-up|checkup|surgery|operation|flight|viewing|reservation|audition|meeting',
  booked: '<a> [_] [_] [_] <appointment> <rest>',

  // Relationships and roles.
  partner:
    'wife|husband|spouse|partner|other half|better half|boyfriend|girlfriend|fiancé|fiancée|fiance|fiancee|hubby|wifey|gf|bf|missus',
  parents: `mother|father|mom|mum|mam|mama|papa|dad|daddy|mommy|mummy|parent|stepmother|stepfather|stepmom|stepdad`,
  siblings: 'brother|sister|sibling|twin|stepbrother|stepsister|bro|sis',
  children: 'son|daughter|child|kid|baby|toddler|stepson|stepdaughter',
  relatives: `nan|nana|gran|grandmother|grandfather|grandma|grandpa|granny|grandparent|grandson|granddaughter|grandchild|uncle|aunt
    |auntie|cousin|nephew|niece|godmother|godfather`,
  friends: 'friend|bestie|buddy|pal|mate|roommate|flatmate|housemate|neighbour|neighbor',
  colleagues: `colleague|coworker|co-worker|boss|manager|classmate|mentor|supervisor`,
  pets: `dog|cat|puppy|kitten|pet|hamster|rabbit|bunny|parrot|turtle|tortoise|goldfish|horse|pony|ferret|canary|budgie
    |snake|lizard|gecko|budgerigar|parakeet|cockatiel|chinchilla|hedgehog|axolotl|iguana|tarantula|gerbil|guinea pig
    |greyhound|labrador|terrier|poodle|spaniel|collie|beagle|dachshund|whippet|tomcat|hen|donkey`,
  beast: '<pets>|!(boy|girl|kid|baby|toddler|lad|doll|toy|robot|thing|monster|ghost|song) PET',
  herd: 'hen|chicken|goat|sheep|alpaca|llama|duck|pigeon|pig|cow|horse|rabbit|donkey|quail|ferret',
  brood: `[little|older|younger|small|young|teenage] (NUM|<number>) [little|older|small|young|teenage] (boy|girl) [and NUM (boy|girl)] <by-name>
    |twins <by-name>|twin (boys|girls) <by-name>`,
  'by-name': '[, <name> (, <name>)* [[,] and <name>]]',
  relation: '<partner>|<parents>|<siblings>|<children>|<relatives>|<friends>|<colleagues>|<pets>',
  /** Matches up to the word for the relation: “older brother”. */
  kin: "(!(VERB|AUX|ex|'s) !<relation> _)* <relation>",
  named: 'named|called',
  /** Matches lasting statements about a relative. */
  tale: `(live|life|be base) (in|near) <city>|be <a> <thing/trade> [(at|for|in) <rest>]|be (#|{number}) [<years>] (.|,|now|today)
    |work (as <rest>|(at|for) <workplace>)|be (allergic|intolerant) to <substances>|have <ailment> .|speak <tongue>|be [<a>] (<diet>|<impaired>|<unwell>) <ended>`,
  departure: '(retire|graduate) [<rest>]',
  death: '(die|pass away) [<rest>]',
  lone: 'single (mum|mom|dad|mother|father|parent)',
  marital: 'married|single|engaged|divorced|widowed|separated',
  diet: '(vegan|vegetarian|pescatarian|halal|kosher|teetotal|(lactose|gluten) [-] (free|intolerant)) [<exception>]',
  exception: 'except [for] <thing>',
  regimen: '!(strict|crash|new|good|special|different|weird) _ [- _] diet',
  allergy: 'allergy',
  condition: `-itis|-osis|-emia|-aemia|-algia|-phobia|-plegia|-pathy|-betes|-lepsy|asthma|adhd|autism|insomnia|migraine
    |epilepsy|cancer|depression|anxiety|ptsd|ocd|dyslexia|eczema|vertigo|anorexia|bulimia|parkinson|coeliac|celiac|crohn|lupus
    |-iasis|-pnoea|-pnea|fibromyalgia|hypothyroidism|hyperthyroidism|glaucoma|tinnitus|sciatica|angina|gout|ibs|pcos|hiv
    |copd|reflux|hypertension|hernia|ulcer|bipolar|schizophrenia|dyspraxia|tourette|alzheimer|dementia|haemophilia|hemophilia|rosacea|pacemaker|stoma`,
  /** Matches “type 1 diabetes”, “a bad knee” and “high blood pressure”. */
  ailment: `[<a>|some] [type _] (!(PRON|VERB|AUX|ADP|the|no|any|my|and|,|;|to) _)* (<condition> ['s] [disease|syndrome|disorder]
    |(bad|dodgy|weak|dicky) (knee|back|hip|heart|shoulder|ankle)|high blood pressure|hay fever|long covid|panic attack
    |(heart|kidney|liver|thyroid|lung|autoimmune) (condition|disease|problem|murmur|failure|disorder))((, and|,|and) <condition>)*`,
  drug: `insulin|penicillin|antibiotic|ibuprofen|codeine|morphine|paracetamol|sulfa|metformin|lithium|warfarin|aspirin|statin|steroid|antidepressant|antidepressants|thyroxine|levothyroxine|prednisolone
    |-formin|-pril|-sartan|-statin|-olol|-prazole|-zepam|-zolam|-cillin|-oxetine|-traline|-dipine|-triptan|-gabalin|-gabapentin
    |blocker|thinner|thinners|blockers|antihistamine|inhaler|painkiller|hrt|ssri|methotrexate`,
  food: 'dairy|gluten|lactose|wheat|nut|peanut|soy|soya|shellfish|egg|milk|sugar|caffeine|seafood',
  business: `shop|bakery|cafe|café|restaurant|business|company|studio|salon|farm|bar|pub|hotel|agency|practice|clinic|nursery|garage
    |store|stall|gallery|bookshop|barbershop|brewery|vineyard|workshop|startup|start-up|charity|hostel`,
  /** Working hours between the verb and the occupation. */
  hours: 'night|day|shift|weekend|evening|part-time|full-time|part - time|full - time|freelance',
  opening: '[_] [_] (job|position|role|gig|internship|placement|apprenticeship)',
  several: 'two|three|four|five|six|seven|eight|nine|ten|##|#',
  unwell:
    '[a] [type _] diabetic|coeliac|celiac|anaemic|anemic|bipolar|hard of hearing|in remission|hiv positive',
  expecting: '[_ [_] (week|month)|newly|heavily] pregnant',
  bond: 'married|engaged|divorced',
  trading: '!(not|can|did|will|be|have) _ _+ &(for a living)',
  pastime: '!<still> !(not|can|did|will|be|have) _ _+ &(in my (free|spare) time)',
  running: '(run|own) &<a> <thing/business>',
  teaching: 'teach !(PRON|DET|my|our) &<thing> <rest>',
  /** Matches occupations named by the vehicle driven or the object made or mended. */
  plying: `drive <a> [_] (bus|coach|lorry|truck|taxi|cab|tram|train|forklift|crane|ambulance) [<rest>]
    |(repair|restore|tune|upholster|weld) !(PRON|DET|my|our|NUM) &<thing> <rest>`,
  retired: '<a> retired <thing>',
  grade: '(first|second|third|fourth|fifth|final|last|1st|2nd|3rd|4th|5th) (year|semester|term)',
  degree: `(<a>|my) [_] [_] <qualification> [<rest>]`,
  qualification: `phd|doctorate|masters|master|mba|degree|bachelor|diploma|apprenticeship|internship|residency|-levels|traineeship`,
  school: 'university|college|school|uni|academy|conservatoire|conservatory|polytechnic',
  pursuit: `!(nothing|something|anything|everything|thing|morning|evening|being|going) -ing|yoga|pilates|karate|judo|ballet
    |taekwondo|jiu-jitsu|crossfit|parkour|improv|pottery|stand-up|calligraphy|archery|capoeira|gymnastics|athletics`,
  lessons: 'lesson|class',
  someone: 'guy|girl|man|woman|bloke|lad|lass|someone|somebody',
  rank: 'youngest|oldest|eldest|middle',
  /** Endings of occupations, and common occupations without them. Others are stored as identity. */
  trade: `-eer|-ologist|-ician|-ographer|-onomist|-terian|-dentist|-therapist|-pharmacist|-chemist|-physicist|-scientist
    |-journalist|-receptionist|-stylist|-psychiatrist|-librarian|-attendant|-accountant|-consultant|-assistant|-officer
    |-worker|-manager|-developer|-designer|-programmer|-teacher|-professor|-lecturer|-writer|-editor|-driver|-actor
    |-doctor|-surgeon|-director|manager|developer|attorney|builder|baker|butcher|barber|broker|trader|director|actress
    |inspector|operator|counsellor|cook|pilot|coach|soldier|sailor|vet|freelancer|salesperson|model|barista|analyst
    |principal|judge|guard|secretary|freshman|sophomore|retiree|attendant|worker
    |surveyor|auditor|curator|tiler|plasterer|roofer|miller|glazier|weaver|potter|jeweller|jeweler|chiropodist|osteopath|masseur
    |masseuse|childminder|caretaker|cleaner|bouncer|brewer|courier|postman|stevedore|docker|beekeeper|vicar|imam|notary|proofreader
    |luthier|stagehand|referee|jockey|lifeguard|archivist|registrar|conservator|undertaker|phlebotomist|anaesthetist|(estate) agent
    |<student>|!<relation> !expert !(lover|planner) JOB`,
  student: '!INFLECTED student',
  worker: '<thing/trade> [(at|for) <rest>]',
  placed: '<thing> (at|for) <workplace> [<rest>]',
  attending: `regular|member|patient|guest|visitor|customer|client|fan|speaker|volunteer|student|pupil|newcomer|stranger|passenger
    |user|finalist|mess|wreck|winner|resident`,
  /** Words that show that a job is meant as a joke or is none: “basically a nurse”. */
  hedge:
    'basically|practically|essentially|virtually|sorta|kinda|(sort|kind) of|glorified|walking !tour|unpaid !(carer|caregiver|intern)|in this (house|family)',
  jobless: 'retired|unemployed|self-employed|jobless',
  pupil: '<thing/student> [(at|for) <rest>]',
  demonym: '-ish|-ese|-ian|-ean|-ican|french|dutch|czech|german|korean|indian|christian',
  years: '(year|yrs) old|year of age|yo|y [/] o',
  recently: 'now|today|yesterday|already|(this|last) (year|week|month)',
  number: `5|6|7|8|9|##|10#|110|<tens> [-] [one|two|three|four|five|six|seven|eight|nine]
    |ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen`,
  tens: 'twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety',

  birth: 'born [and raised] in <city>',
  impaired:
    'deaf|blind|disabled|dyslexic|asthmatic|autistic|epileptic|(color|colour) [-] blind|colorblind|colourblind',
  handed: '(left|right) [-] handed',
  aided:
    'use <a> (wheelchair|walker|rollator|cane|walking stick|mobility scooter)|wear (<a>|NUM) hearing aid|wear hearing aids',
  propped: 'on crutches|in a wheelchair|on dialysis',
  date: '&(_* <month>) <rest>|DIGITS / DIGITS [/ DIGITS]',
  kind: '(-ing|!(<verb>|did) _)+',
  is: 'be|have been',
  part: 'part|thing|one|time|moment|memory',
  inviting: '[so|but|and|please] [you (can|may)|everyone|people|[my] friends] [please|just]',
  favourite: 'favourite|favorite|fave|fav',
  pointed: 'that|this|it|when|how|what|the (one|part|same)',
  attribute: 'age|height|nickname|nationality|zodiac sign|religion',
  group: '(a|b|ab|o) [positive|negative|pos|neg|plus|minus]',

  // Activities.
  live: 'live|reside',
  move: '(move|relocate) [back|home|house|over|out|up|down|away|here|recently] [from <city>] (to|near|into)',
  childhood: 'grow up (in|on|near|outside) (<city>|<settled>|<a> <thing>)',
  calendar: '<weekday>|<month>|christmas|easter|summer|winter|spring|autumn',
  unspecific:
    'room|building|basement|garden|kitchen|city|town|village|area|neighborhood|neighbourhood|office|home|company|place|firm|business|store|shop|group|agency|job|factory',
  firm: 'council|government|police|army|navy|nhs|charity|railway|!<unspecific> WORKPLACE|(NOUN|PROPN) <unspecific>',
  workplace: "[the] !<calendar> <name> [of [the] <name>] !'s|!(PRON|my|our) <thing/firm>",
  field: 'FIELD',
  /** Matches an occupation with its complements, without the time it began. */
  task: '&<thing> (!(<timing>+ .) _)+',
  timing: `[on|in|at|since|from|as|of|over|early|late|back] (<timed>|<month> [NUM]|<weekday>|these days|the <timed>)
    |(in|since) NUM|(a|NUM|few|a few|couple of|a couple of) <period> ago|recently`,
  study: '(study|major) [in|at] !(for|hard|<some>) &<thing>',
  tongue: '<thing/capital>|<name>',
  model: '!(uber|lyft|deliveroo|doordash) CAPITAL (CAPITAL|DIGITS)*',
  vehicle: 'car|van|motorbike|motorcycle|motorhome|campervan|caravan|boat|narrowboat|dinghy|e-bike|allotment',
  drilling:
    'train for !<determiner> <thing>|train for <a> <thing>|train for the CAPITAL _*|train for the _ (marathon|triathlon|race)',
  caring: '(look after|care for) <my> <relative> !(today|tonight|this|for) [<rest>]',
  outing: '!(-thing|going) -ing|to the gym|to church|to mass|to yoga',
  often: 'every|once|twice|(NUM|a few) time|on <weekday>|most <period>',
  shift: 'progress|way|team|morning|evening|night|weekend',
  graduation: 'graduate from <rest>',
  like: 'love|like|enjoy|adore',
  dislike: 'hate|dislike|detest|despise|loathe',
  /** Matches the end of a value that is whole: no further words, or a mark or connective. */
  ended:
    '.|PUNCT|any more|anymore|and|but|so|too|since|for|now|as|which|because|at (the moment|school|university|college)|(in|at) [the] CAPITAL|with my|ADV .|<timed>',
  allergen: 'SUBSTANCE|-nut|-nuts|-berries|-seeds',
  substances: '!(the|PRON|my|our) <thing/allergen> [<exception>]',
  dread: '!(<determiner>|PRON|-ing) <thing>|the dark|flying|driving|drowning|swimming',
  played: 'PLAYED',
  edible: 'FOOD',
  meal: 'breakfast|lunch|dinner|supper|food|much|any',
  lesson: '!(<determiner>|NUM) <thing>|to VERB [<thing>]|how to VERB [<thing>]',
  trip: 'trip|holiday|vacation|wedding|visit|party|honeymoon',
  company: '<relation>|flatmates|housemates|people|family|student|students|in-laws|folks|ex',
  liked: `to &VERB _ [<thing>]|!(making|seeing|knowing|being|finding|having) -ing [up|out|down|ADV|ADP] [ADV|ADJ|!the <thing>
    |(to|in|at|on|with|for|of|about) !the <thing>]|!(the !CAPITAL) <thing>`,
  act: '!(not|can|did|will|be|have) _',
  leaving: `(move|travel|fly|visit|start|leave|get (married|engaged|divorced|a)|go (to|on) !VERB|expect|join|attend|host|run)!(to bed|bed|crazy|mad) <matter>`,
  ahead: 'next|tomorrow|soon|tonight|weekend|upcoming|coming|<month>',
  still: `be|feel|think|want|need|know|wonder|forget|find|get|say|tell|believe|hope|wish|seem|mean|guess|remember|have|try
    |end|make|love|like|enjoy|hate|struggle|look|see|hear|dream|keep|appreciate|admire|learn|do|give|put|take|come|support|strive`,

  // How sentences begin.
  opener: `and|but|so|because|cause|cuz|cos|also|plus|though|although|since|now|well|yes|yeah|yep|no|nope|ok|okay|oh|ah
    |actually|anyway|anyways|honestly|currently|recently|lately|basically|luckily|fortunately|unfortunately|sadly|hi|hello
    |hey|personally|originally|previously|normally|usually|sometimes|today|yesterday|tonight|finally|then|afterwards|later
    |however|besides|right|sure|lol|haha|hmm|apparently`,
  clock: `yesterday|today|tonight|tomorrow|morning|afternoon|evening|night|day|week|weekend|month|year|summer|winter|spring
    |fall|autumn|ago|now|moment|christmas|easter|<weekday>|<month>|19##|20##`,
  unreal: `role [-] play|roleplay|if|unless|would|could|might|should|wish|suppose|supposing|!imagined imagine|pretend|maybe|perhaps|probably
    |possibly|hypothetically|whether|otherwise|almost|nearly|joke|joking|kidding|supposed|seem|seems|seemed|lest|ought`,
  nominative: 'I|we|he|she|they|it|my|our|that|this|there|these|those|you',
  asking: `[(and|but|so|well|ok|okay) [,]] ((do|be|can|could|would|should|shall|may|have|will) [not]
    (I|you|we|he|she|it|they|my|there|this|that)|what|who|where|why|how|which|whose)`,
  /** Matches affiliations, which may be capitalised but are no names. */
  belonging: `<demonym>|<impaired>|<relative>|catholic|muslim|sikh|hindu|buddhist|baptist|methodist|protestant|orthodox|mormon|quaker
    |agnostic|atheist|pagan|aries|taurus|gemini|cancer|leo|virgo|libra|scorpio|sagittarius|capricorn|aquarius|pisces
    |black|white|latino|latina|hispanic|queer|trans|gay|bi|gen|team|vegan|vegetarian|republican|democrat|labour|tory|liberal`,
  /** Matches a lower-case name: no other word fits after “I am”. */
  lower:
    '!(<weekday>|<month>|ADJ|ADV|VERB|AUX|PRON|DET|ADP|SCONJ|CCONJ|NUM|INTJ|home|back|same|right|still|over|everyone|somebody|someone|nobody|nothing|something|<trade>|<student>|<marital>|<diet>) (NOUN|PROPN)',
  relative: '(!(VERB|AUX|,|;) !<relation> _)* <relation>',
  'several-kin': '(!(VERB|AUX|,|;) !<relation> _)* &INFLECTED <relation>',
  greeting: 'hi|hello|hey|hiya|greetings|good (morning|afternoon|evening|day)|(nice|pleased) to meet',
  item: `NOUN|PROPN|ADJ|NUM|&VERB -ing`,
  /** Words that end a clause at their start. */
  ending: `;|but|because|since|although|though|while|when|which|who|until|till|thats|whose|cuz|cos|then|where|why|how
    |what|whom|lol|haha|btw|fyi|tbh|hence|thus|whereas|otherwise|unlike|ever|cause <nominative>|as <nominative>|so !(ADJ|ADV|VERB|much|many|few|little|far|that)|so (maybe|perhaps|naturally|obviously|now|then|yes|no)
    |, !(REGION (.|PUNCT|ADP|CCONJ|ADV|SCONJ)|, and !<another>|and !<another>|<item> (<item>|DET|,)* (and|or) !<another>)|(and|or) !(CAPITAL .) <another>`,
  /** Words that end a clause after its first word: “a fan I have to say”, “for money No one does”. */
  flowing: `(NOUN|PROPN|ADJ|ADV|PRON) (I|we|he|she|they)|(NOUN|ADJ|PRON|ADV) !I &CAPITAL (DET|PRON|AUX|ADV|SCONJ|CCONJ)`,
  /** The start of another clause: “and the kids loved it”. */
  another: `.|PUNCT|<nominative>|ADV !ADJ|AUX|SCONJ|ADP|INTJ|!-ing VERB|[_] (!(PUNCT|ADP|CCONJ|AUX) (-ing|!VERB _))* (AUX|!-ing VERB)`,
  /** Words before a statement that attribute it to another person or make it hypothetical. */
  distancing: `if|unless|whether|suppose|supposing|imagine|wish|pretend|could|might|should have|would|kidding|joking|dreamt
    |dreamed|say|tell|think|claim|ask|write|when|whenever|until|before|after|while|since|because|not`,
  /** Matches a remark to the listener, which is no quotation: “Funny you ask”, “now that you mention it”. */
  addressed: `!(if|unless|when|whenever|do|did|why|what|how|you) (_ [,])+ you (would|should|have|had|just|did)*
    (ask|mention|say|bring) [<blur>|me|up|about] [up|about] [it|that] .`,
} as const
