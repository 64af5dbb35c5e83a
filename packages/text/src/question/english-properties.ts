// Properties that English questions ask for, such as a job or an age, and the words by which a text has one.
import { pattern } from '../pattern.ts'
import type { Property } from './property.ts'

const NUMBER = String.raw`(?:\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|\w+teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:[- ]\w+)?|hundred)`
const MONTH =
  'january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec'

const JOBS =
  'nurse|teacher|driver|doctor|dentist|vet|engineer|welder|plumber|electrician|carpenter|joiner|builder|bricklayer|painter|baker|butcher|cook|chef|waiter|waitress|barista|clerk|cashier|cleaner|carer|midwife|paramedic|surgeon|pharmacist|optician|lawyer|solicitor|judge|accountant|bookkeeper|banker|librarian|journalist|editor|translator|interpreter|writer|programmer|developer|designer|architect|surveyor|mechanic|pilot|sailor|fisherman|farmer|gardener|florist|hairdresser|barber|tailor|seamstress|cobbler|jeweller|potter|photographer|musician|actor|actress|dancer|lecturer|professor|researcher|scientist|chemist|physicist|biologist|geologist|priest|pastor|vicar|imam|rabbi|soldier|policeman|policewoman|firefighter|guard|postman|courier|porter|receptionist|secretary|consultant|salesman|shopkeeper|landlady of|publican|foreman|miner|docker|roofer|plasterer|glazier|technician|economist|therapist|psychologist|physio\\w*|social worker|civil servant|estate agent|pastry chef|bus driver|taxi driver'

/** Returns a pattern that matches whole words. It has no flag `u`, since V8 runs the pattern about ten times faster without it. */
function words(...alternatives: string[]): RegExp {
  return new RegExp(String.raw`\b(?:${alternatives.join('|')})\b`, 'i')
}

/** Properties that English questions ask for. The first whose `asks` matches is taken. */
export const ENGLISH_PROPERTIES: readonly Property[] = [
  {
    asks: words(
      'employers?',
      'where (?:do|does|did) (?:\\S+ ){1,3}?work(?= (?:now|these days|today)\\b|\\s*(?:[?,]|$))',
    ),
    holds: words(
      'work(?:s|ed|ing)? (?:at|for|in|with|from)',
      `(?:${JOBS}|job|shifts?|career) (?:at|in|with|for)`,
      '(?:employed|hired) (?:at|by|in)',
      '(?:start(?:s|ed|ing)?|joined|joining) (?:at|with)',
    ),
  },
  {
    asks: words(
      'for (?:work|a living)',
      // Excludes “What was the first job I did alone?”, which asks for a task.
      "(?:what(?:'s| is| was)|which) (?:\\S+ ){1,4}?(?<!first )(?:job|trade|profession|occupation|career)(?= (?:of|now|at|before|then|today|these)\\b|\\s*(?:[?,]|$))",
      'what job',
      'line of work',
      // Matches “What does Tom do?”, but not “What does it do?”.
      'what does (?!(?:it|this|that|the)\\b)(?:\\S+ ){1,2}?do(?= (?:now|these days)\\b|\\s*(?:[?]|$))',
    ),
    holds: words(
      // Requires more than the question's word, which alone is no answer: “hard work”, “it works”.
      'work(?:s|ed|ing)? (?:at|for|as|in|with|on|nights|days|part[- ]time)',
      '(?:job|shifts?|career) (?:at|in|as|is|was)',
      '(?:new|old|first|last|his|her|their|day|proper) (?:job|career)',
      'retired',
      'employed',
      'hired',
      'trained as',
      '(?:teach|drive|run|sell|repair|build|manage|own|bake|nurse|farm|fish|clean|deliver|cook|design|translate|research)(?:s|es)',
      '(?:taught|drove|ran|sold|fixes|fixed|built)',
      // What one does by trade: “I drive a delivery van for a bakery”.
      'drive (?:an? )?(?:[\\w-]+ )?(?:vans?|bus(?:es)?|lorr(?:y|ies)|trucks?|taxis?|cabs?|trams?|trains?|forklifts?)',
      'clean (?:offices|houses|schools|hotels?|hospitals?|rooms|windows|trains)',
      '(?:teach|sell|repair|fix|deliver|translate|design|build|manage|edit|nurse|stack|cut) (?:[\\w-]+ )?\\w+(?:s|ing)?(?= (?:for (?:an?|the)|at (?:an?|the|night)|in an?)\\b)',
      `(?:${JOBS})s?`,
      "(?:is|was|are|were|be|been|became|becoming|['’]s|as) (?:now |still |actually )?(?:an?|the) (?:[\\w-]+ ){0,2}?(?!(?:mother|father|sister|brother|daughter|other|bother|member|dinner|winter|summer|number|letter|answer|matter|monster|liar|winner|stranger|newcomer|teenager|toddler|foster|believer|lover|smoker|beginner|smart|human|woman|man|gentleman)\\b)\\w{2,}(?:er|or|ist|ian|man|woman|smith|wright)",
    ),
  },
  {
    asks: words(
      'how much (?:is|was|are|were|did|does|do) (?:\\S+ ){1,4}?(?:cost|be)',
      'how much (?:did|do) (?:i|we) pay',
      'price',
    ),
    leads: false,
    holds: /[£$€¥]|\d{2,}|\b(?:hundred|thousand|quid|grand|pounds?|euros?|dollars?|bucks|free)\b/i,
  },
  { asks: words('(?:phone|mobile|telephone|cell) numbers?'), leads: false, holds: /\d[\d -]{3,}\d/ },
  {
    asks: words('(?:am|is|are|was|were) \\S+ married'),
    leads: false,
    holds: words(
      'marr(?:y|ied|iage)|wife|husband|wedding|spouse|divorced?|widow(?:er|ed)?|engaged',
      'fianc(?:é|ée|e|ee)|honeymoon',
    ),
  },
  {
    asks: words(
      '(?:am|is|are|was|were) (?:\\S+ ){1,2}?(?:still |already )?(?:single|taken|seeing (?:any|some)one|dating(?: (?:any|some)one)?|in a relationship)(?=\\s*(?:[?,]|$))',
    ),
    leads: false,
    holds: words(
      'single|taken|dating|seeing (?:any|some)one|relationship|(?:boy|girl)friend|partner|husband|wife|spouse|fianc(?:é|ée|e|ee)',
      'married|engaged|divorced?|widow(?:er|ed)?|broke(?:n)? up|split up',
    ),
  },
  {
    asks: words('(?:do|did|does|have|has) \\S+ (?:still |ever )?smoked?(?=\\s*(?:[?,]|$))'),
    leads: false,
    // Requires a subject or a word for the habit, so that smoked food does not match.
    holds: words(
      "(?:i|we|he|she|they|['’]ve|['’]s) (?:\\S+ ){0,3}?smoked?|smok(?:es|ing|er|ers)|non-?smoker",
      'cig(?:s|gies|arettes?|ars?)?|fags?|vap(?:e|es|ing)|nicotine|tobacco',
    ),
  },
  {
    asks: words(
      '(?:go|went|been) to (?:university|uni|college)',
      'stud(?:y|ied) at (?:university|uni|college)',
    ),
    holds: words(
      'universit(?:y|ies)|uni|colleges?|polytechnic|campus|degree|graduat\\w+|undergrad\\w*',
      "bachelor\\S*|master['’]s|ph\\.?d|freshers?|dropped out",
    ),
  },
  {
    asks: words("(?:what|which)(?:['’]s)? (?:\\S+ ){0,4}?colou?rs?", 'what shade', 'colou?r of'),
    holds: words(
      '(?:dark |light |pale |bright |off-)?(?:red|blue|green|yellow|orange|purple|pink|brown|black|white|gr[ea]y|beige|cream|navy|turquoise|teal|maroon|gold(?:en)?|silver|lilac|violet|scarlet|crimson|khaki|mauve|ginger|blond|tan|burgundy|ivory)(?:ish)?',
      // Matches the name or number of a colour, as on a tin of paint: “in colour 512”.
      'in (?:the )?colou?r (?!of\\b|that\\b|i\\b|we\\b)\\S+',
      'colou?r (?:called|named|number)',
    ),
  },
  {
    asks: words('how old', 'what age', "(?:what(?:'s| is| was)) \\S+ age"),
    holds: new RegExp(
      String.raw`\b(?:i['’]?m|am|is|are|was|be|been|(?:she|he|it|they|who)['’](?:s|re)|turn(?:s|ed|ing)?|aged?|nearly|almost|over|past)\s+(?:(?:now|nearly|almost|only|just|about|over|already)\s+)?${NUMBER}\b(?!\s?(?:%|am|pm|km|kg|cm|years? (?:ago|later)|minutes?|hours?|days?|weeks?|miles?|euros?|pounds?|quid|people|times))|\b${NUMBER}[ -]?(?:years?|yrs?|months?|weeks?)?[ -](?:years? )?old\b|,\s*${NUMBER},(?!\d)|\bborn in (?:19|20)\d\d|^${NUMBER}\b`,
      'iu',
    ),
  },
  {
    asks: words('how (?:tall|high)', "(?:what(?:'s| is)) \\S+ height"),
    holds:
      /\b(?:\d[.,]\d+ ?m|\d+ ?cm|\d+ ?(?:ft|foot|feet)|(?:five|six) (?:foot|feet)|inch(?:es)?|met(?:re|er)s?|tall)\b|\d['’]\d/iu,
  },
  {
    asks: words('how heavy', 'how much does \\S+(?: \\S+)? weigh', 'weight'),
    holds:
      /\b(?:\d[\d.,]* ?(?:kg|kilos?|lbs?|pounds?|stone|g|grams?|tons?)|weigh\w*|kilos?|stone)\b|\d\d\.\d/iu,
  },
  {
    asks: words('what (?:strength|dose|dosage)', 'how many (?:mg|milligrams?)', 'dosage'),
    holds: /\d ?(?:mg|mcg|ml|µg|milligrams?|units)\b|\bmilligrams?\b/iu,
  },
  {
    asks: words(
      '(?:percent|per ?cent|percentage)',
      '(?:what|which|how many) (?:\\w+ )?(?:score|marks?|grades?|points?)',
    ),
    holds:
      /\d\s?%|\b(?:per ?cent|percent|out of|marks?|score[ds]?|grades?|distinction|merit|credit|points?)\b|\d+\/\d+/iu,
  },
  {
    asks: words('(?:when|what|which) (?:\\S+ ){1,4}?birthday(?=\\s*(?:[?,]|$))', 'date of birth', 'born on'),
    holds: words(
      'birthday',
      'bday',
      'born',
      `(?:${MONTH}) \\d{1,2}(?:st|nd|rd|th)?`,
      `\\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:${MONTH})`,
      `(?:be|turns?|turning) (?:\\S+ ){1,2}in (?:${MONTH})`,
    ),
  },
  {
    asks: words('surname', 'last name', 'family name', 'maiden name', 'full name'),
    holds:
      /\b(?:surname|last name|family name|maiden name|née|nee)\b|(?:^|[^.!?…\s]\s+|["“'(])(?:\p{Lu}[\p{Ll}’'-]+ ){1,2}\p{Lu}[\p{Ll}’'-]+/u,
  },
  {
    asks: words('(?:what|which) breed', 'breed of'),
    holds: words(
      'breed|cross(?:ed|breed)?|mongrel|mutt|\\w*poo|terrier|spaniel|collie|retriever|labrador|lab',
      'poodle|whippet|lurcher|greyhound|dachshund|sausage dog|beagle|husky|corgi|pug|bulldog|boxer',
      'mastiff|shepherd|alsatian|pointer|setter|hound|chihuahua|shih tzu|tabby|siamese|persian',
      'maine coon|moggy|bengal|ragdoll|tortoiseshell|short-?hair',
    ),
  },
  {
    asks: words('(?:which|what|name of (?:the|my|his|her)) (?:\\w+ )?(?:street|road|address)', 'address'),
    holds:
      /\b(?:\p{Lu}[\p{L}’'-]+ (?:street|road|lane|avenue|drive|close|terrace|crescent|square|row|hill|way|gardens|place|mews)|\p{Lu}\w+(?:straat|weg|laan|straße|strasse)|(?:st|rd|ave)\.|rue|via|calle)\b/iu,
  },
  {
    asks: words(
      'd(?:ie|ied|ying) (?:of|from)',
      'cause of (?:death|\\S+ death)',
      'how did \\S+(?: \\S+)? die',
    ),
    holds: words(
      'cancer|stroke|heart|attack|accident|crash|pneumonia|covid|tumou?r|disease|illness|kidneys?|liver',
      'lungs?|infection|dementia|leukaemia|overdose|drowned|fell|old age|in (?:his|her|their) sleep',
    ),
  },
  {
    asks: words('(?:play|which|what) (?:an? )?(?:musical )?instruments?'),
    holds: words(
      'pianos?|guitars?|violin|fiddle|cello|drums?|flute|sax(?:ophone)?|trumpet|organ|accordion|ukulele',
      'harp|clarinet|bass|keyboards?|recorder|banjo|trombone|horn|play(?:s|ed|ing)? the',
    ),
  },
  {
    asks: words('(?:what|which) (?:exact )?(?:date|day) (?:am|is|are|was|were|do|does|did|will)'),
    leads: false,
    holds: new RegExp(
      String.raw`\b(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days?|\d{1,2}(?:st|nd|rd|th)|(?:${MONTH}) \d{1,2}|\d{1,2} (?:of )?(?:${MONTH})|(?:on|the) (?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|\w+teenth|twentieth|twenty-\w+|thirtieth|thirty-first)(?: of|\b(?! week| time| one))|tomorrow|today|christmas|new year)\b`,
      'iu',
    ),
  },
  {
    asks: words(
      '(?:which|what) (?:\\w+ )?(?:song|film|movie|book|novel|album|show|series|magazine|newspaper|poem|game)',
    ),
    leads: false,
    holds:
      /["“][^"”]{2,60}["”]|\b(?:called|named|titled)\b|[\p{Ll},;:] (?!I\b)\p{Lu}\p{L}+|_[^_]+_|\*[^*]+\*/u,
  },
  {
    asks: words(
      'who (?:wrote|writes|directed|composed|painted|designed)',
      'whose (?:book|novel|film|song|painting)',
      'author of',
    ),
    leads: false,
    holds: pattern(
      'u',
      /\bby (?:an? |the |one )?(?:\w+ )?\p{Lu}/u,
      /\b(?:wrote|written|author|writer|writes|poet|novelist|directed|director|composed|composer|painter|painted)\b[^.!?]{0,40}[\p{Ll},] \p{Lu}\p{Ll}/u,
      /\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)? (?:wrote|writes|directed|composed|painted)|\p{Lu}\p{Ll}+['’]s (?:\w+ )?(?:book|novel|film|song|debut|first)/u,
    ),
  },
]
