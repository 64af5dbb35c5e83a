// Rewrites casual English as whole sentences, so that the rules can read them.
import { either, pattern } from '../../pattern.ts'
import { readEndings } from './endings.ts'
import { ENGLISH_PHRASES } from './phrases.ts'
import { isGivenName, WORD_KINDS } from './word-kinds.ts'

/** Rewrites casual forms as whole statements: “got a cat named Miso” is “I got a cat named Miso”. */
export function spellOutCasual(written: string, before: string | null): string {
  if (TAKEN_BACK.test(written)) return ''
  let sentence = (SHOUTED.test(written) ? written.toLowerCase() : written)
    .replace(HESITATIONS, ' ')
    .trimStart()
  for (const [form, plain] of PLAIN_FORMS) sentence = sentence.replace(form, plain)
  sentence = sentence.replace(SETTLED, (words) =>
    tellsOfMove(`${before ?? ''}; ${written}`) ? 'living in ' : words,
  )
  return wholeStatement(sentence) ?? withSubject(sentence)
}

/** Returns the statement that a casual introduction or a reaction makes; `null` for another sentence. */
function wholeStatement(sentence: string): string | null {
  const name = nameIn(sentence)
  if (name !== null) return `My name is ${name.replace(/^\p{Ll}/u, (letter) => letter.toUpperCase())}.`
  const reaction = REACTS.exec(sentence)?.groups
  const cause = reaction?.['cause'] ?? reaction?.['from']
  return cause === undefined ? null : `I am allergic to ${cause}.`
}

/** Removes remarks around a statement, and adds a missing subject: “btw adopted a cat lol” is “I adopted a cat”. */
function withSubject(sentence: string): string {
  const plain = sentence
    .replace(TRAILS_OFF, '')
    .replace(LEADS_IN, '')
    .replace(AND_NOW, 'I ')
    .replaceAll(EMOJI_BETWEEN, '; ')
  const dropped = DROPPED.find(([form]) => form.test(plain))
  if (dropped === undefined) return plain
  return plain
    .replace(dropped[0], dropped[1])
    .replace(/(?<=^I (?:am )?)\p{Lu}/u, (first) => first.toLowerCase())
}

function tellsOfMove(text: string): boolean {
  return readEndings(text).some(({ kind, isOwn }) => kind === 'moving' && isOwn)
}

/** Reports whether a word is like a name. It is tested in lower case, since a capital is no sign here: “it's Friday btw”. */
function isCalled(name: string): boolean {
  const text = name.toLowerCase()
  return WORD_KINDS['CALLED']?.({ text, lower: text, lemma: text, pos: '', before: '' }) === true
}

/** Reports whether a text may describe its speaker without “I”. */
export function mayDropI(text: string): boolean {
  const forms = [NAMES, GREETS, ...DROPPED.map(([pattern]) => pattern)]
  return text.split(/(?<=[.!?\n])\s*/).some((sentence) => forms.some((form) => form.test(sentence)))
}

/** Returns the name that a casual introduction states; `null` for another sentence. */
function nameIn(sentence: string): string | null {
  const name = NAMES.exec(sentence)?.groups?.['name']
  if (name !== undefined && isCalled(name)) return name
  const greets = GREETS.exec(sentence)?.groups
  const [greetedName = '', nameBeforeHere] = [greets?.['name'], greets?.['here']]
  // Rules read a name with a capital after “I'm”, so only a name in lower case must be a known one.
  const firstName = /^\p{Ll}/u.test(greetedName) ? greetedName : nameBeforeHere
  return firstName !== undefined && isGivenName(firstName.toLowerCase()) ? firstName : null
}

/** Requests to remember before a statement: “note that”, “don't forget”. */
const REMINDERS = String.raw`remember|note|keep in mind|bear in mind|(?:do not|don['’]?t|never) forget|(?:just )?so you know|(?:you )?should (?:also )?know|you know`
/** Words before a statement that comes late: “forgot to tell you”, “did I mention”. */
const MENTIONED_LATE = String.raw`(?:i )?(?:(?:totally |just |completely )?forgot to (?:say|tell (?:you|u)|mention)|should(?: have|['’]?ve) (?:said|told (?:you|u)|mentioned))|(?:did|have) i (?:ever )?(?:mention(?:ed)?|t(?:ell|old) (?:you|u))`
/** Words before a statement: “by the way”, “fun fact”, “turns out”. */
const ASIDES = either(
  String.raw`(?:${MENTIONED_LATE})(?:\s+that\b|[,:])?`,
  String.raw`(?:${REMINDERS})(?:\s+that\b|,)?`,
  /(?:as|like) i(?:['’]ve)? (?:just |already )?(?:said|told (?:you|u)|mentioned|wrote)(?: (?:before|earlier|already|yesterday|once))?/u,
  /by the way|btw|(?:just )?fyi|tl;?dr|tbh|ngl|fun fact|p\.?s\.?|(?:it )?turns out(?: that)?|(?:i )?forgot to (?:say|mention|add)(?: that)?/u,
)
/** Words and signs before a statement: an emoji, a date, “please note”. */
const LEADS = either(
  /[\p{So}\p{Extended_Pictographic}\uFE0F\u200D]{1,8}\s*|\[?\d{4}-\d\d-\d\d\]?[:,]?\s+|\d{1,2}:\d\d\s+/u,
  String.raw`(?:(?:edit|update)(?: ?\d)?:\s*)?(?:(?:please|and|also|so|oh|hey|(?:can|could|would|will) you)[,\s]\s*){0,2}(?:${ASIDES})[,:]?\s+`,
)
/** Matches prefixes that are no part of a statement: “📍 I moved …”, “2026-03-01 I moved …”, “btw I work …”. */
const LEADS_IN = new RegExp(String.raw`^(?:${LEADS})(?=(?:I|im|ive|my)\b)`, 'iu')
/** Matches a second verb without its subject, after a time: “I grew up in Kenya and now live in Toronto”. */
const AND_NOW =
  /(?<=^(?:I|we) (?:(?!(?:who|whose|which|that|they|he|she|people|friends|parents|kids|children|cousins|sisters|brothers|colleagues) )[^\s;.?!]+ ){1,16})(?<!(?:I|we) )(?=(?:now|currently|today|nowadays) (?:(?:live|stay|study|teach|volunteer) (?:in|near|at|with)|work (?:in|as|at|for|with)) )/iu
/** Matches remarks after a statement: “… btw”, “… lol”. */
const TRAILS_OFF =
  /(?:[\s,]+(?:btw|by the way|fyi|lol|lmao|haha+|tho|tbh|ngl|rn|atm|:\))|\s*[\p{Extended_Pictographic}\uFE0F\u200D]+)+[\s.!]*$/iu

/** Matches a joke that takes a statement back: “I love Mondays, not.” */
const TAKEN_BACK = /,\s*(?:not|psych|as if|said no one ever)[\s.!]*$/iu

const LINK = String.raw`(?:(?:so|oh|also|and|just|finally|recently|yeah|well|btw)[,\s]+)*`
/**
 * Statements without “I”, each with the words that must be added. A line begins with these words, and the rest is the pattern of the
 * statement: “adopted a cat” gets “I ”, “training for a race” gets “I am ”.
 */
const DROPPED = [
  String.raw`I (?=(?:got|adopted|rescued) (?:an?|one|two|three|\d|my own) |(?:moved|relocated) (?:back )?to |turned \d|can['’]?t (?:stand|have|eat|drink) |started (?:as|at) )`,
  'I am (?=(?:training for|looking after|caring for|learning|allergic to|living in|based in|working (?:as|at|for)|on [a-z]+ (?:for (?:the|my)|since|every|once|twice)) )',
  'I have (?=been (?:sober|vegan|vegetarian|pescatarian|gluten[- ]free|diabetic|married|divorced|retired|learning|studying|training|working (?:as|at|for)|living (?:in|with)) )',
  String.raw`I have (?:i )?(?:got|was) told\b[^,.]*?\b(?:it['’]?s|i have|i['’]ve got) (?!my|the|a )`,
].map((line): readonly [RegExp, string] => {
  const subject = /^[^(]+/u.exec(line)?.[0] ?? ''
  return [new RegExp(`^${LINK}${line.slice(subject.length)}`, 'i'), subject]
})
/** Allergic reactions: “hives”, “a rash”. */
const REACTIONS = 'hives|an? (?:bad |nasty )?rash|rashes|an allergic reaction|anaphylaxis'
/** Verbs of causing a reaction: “gives me”, “brings me out in”. */
const CAUSES = '(?:gives?|gave) me|brings? me out in|makes? me (?:break|come) out in'
/** Matches a reaction, which is how people speak of an allergy: “penicillin gives me hives”. */
const REACTS = pattern(
  'iu',
  String.raw`^(?:(?:and|but|also)[,\s]+)?(?<cause>[\p{L}-]+(?: [\p{L}-]+)?) (?:${CAUSES}) (?:(?:bad|terrible|awful|really bad) )?(?:${REACTIONS})\b`,
  /\bI (?:get|got|break out in|come out in) (?:hives|an? rash|anaphylaxis) (?:from|with) (?<from>[\p{L}-]+(?: [\p{L}-]+)?)[.!]*$/u,
)
const GREETING = String.raw`(?:hi+|hey+|hello|hiya|heya|yo)(?: (?:there|all|everyone))?[,!\s]+`
const NAME_LEAD = String.raw`(?:it['’]?s|this is|i['’]?m|i am|(?:my )?name['’]?s)\s+`
const NAME = String.raw`(?!(?:new|back|still|over|not|just|only|all|also|always)\b)(?<name>\p{L}[\p{L}\p{M}'’-]+)`
/** Matches a name at the end or before “here”: “it's Dre btw”, “this is Ana here”. */
const NAMES = new RegExp(
  String.raw`^(?:(?:${GREETING}|oh\s+))?${NAME_LEAD}${NAME},?\s+(?:btw|by the way|here|again)[\s.!]*$`,
  'iu',
)
/** Matches a greeting with a first name, which must be a known one: “hi im tommy”, “hey, jess here”. */
const GREETS = new RegExp(
  String.raw`^(?:${GREETING}${NAME_LEAD}(?<name>\p{L}{3,})|(?:${GREETING})?(?<here>\p{L}{3,}) here)(?:[\s.!,]|[\p{Extended_Pictographic}\uFE0F\u200D])*$`,
  'iu',
)

/** Matches a question that states something: “did I mention I am vegan?”. */
const ASKS_WHETHER_MENTIONED = new RegExp(
  String.raw`^(\W*(?:oh |and |so |btw )*(?:did|have) i (?:ever )?(?:mention|t(?:ell|old) (?:you|u))(?!.*\bor\b).*)\?+\s*$`,
  'isu',
)
/** Matches an exception to a diet: “vegetarian but I eat fish”. */
const BUT_EATS =
  /(?<=\b(?:vegan|vegetarian|veggie)),? but (?:i )?(?:(?:still|do|sometimes|also) )*(?:eat|have) (?=(?:fish|seafood|shellfish|eggs?|cheese|dairy|chicken|meat|bacon|honey|milk)\b)/iu
/** Matches the comma before the last name of a list of people: “two sisters, Kim and Jo, and a brother, Ed”. */
const NAME_AFTER_COMMA =
  /(?<=,? and (?:an?|one) (?:brother|sister|son|daughter|dog|cat)), (?=\p{Lu}\p{L}+[.!]*$)/u
/** Matches the source of a finding about the speaker, whose statement is a fact: “my doctor says I'm not allergic to …”. */
const FINDING =
  /^(?:(?:it )?turns out,? |so,? |and,? |well,? |today )*(?:(?:my|the|our) )?(?:new )?(?:doctors?|dr|gp|allergist|specialist|consultant|dermatologist|neurologist|cardiologist|psychiatrist|(?:blood |allergy |new )?(?:tests?|results?))(?: results?)? (?:just )?(?:says?|said|confirm(?:s|ed)|reckons|told me|show(?:s|ed)?)(?: that)?,? (?=I(?:['’]m| am| was| never| have| do| don['’]t)\b(?: \p{L}+)? (?!should|need|must))/iu
/** Names of illnesses, of which phrases.ts has endings too. */
const ILLNESS = ENGLISH_PHRASES.condition.replaceAll(/\s*\|\s*/g, '|').replaceAll('-', String.raw`\p{L}*`)
/** States that relatives and doctors know: “I have mild asthma”, “I'm allergic to latex”, “I was born in Leeds”. */
const KNOWN_STATE = either(
  String.raw`I (?:have|had|['’]ve got)(?: (?:got|a|an|the|mild|severe|chronic|some|type \d|high|low)){0,3} (?:\p{L}+ )?(?:${ILLNESS}|blood pressure)\b`,
  /I(?:['’]m| am) (?:\p{L}+ )?(?:allergic to|asthmatic|diabetic|ana?emic|dyslexic|epileptic|coeliac|celiac|autistic|bipolar|colou?r[- ]?blind|short-?sighted)\b|I was born\b/u,
)
/** Matches another source of such a state, whom the user believes: “my mum says”. Words of doubt may not follow. */
const KNOWN_BY_OTHERS = new RegExp(
  String.raw`^(?:(?:well|so|and|also),? )?(?:(?:my|our|the) (?:mum|mom|mam|mother|dad|father|parents|nan|gran|grandm\p{L}+|grandf\p{L}+|grandpa|aunt|uncle|sister|brother|wife|husband|partner|girlfriend|boyfriend|nurse|dentist|optician|therapist|psychologist|surgeon|paediatrician|hospital|clinic)|they) (?:says?|said|told me|tells? me)(?: that)? (?=(?:${KNOWN_STATE}))(?!.*\b(?:wrong|mistaken|nonsense|rubbish|joking|kidding|lying|disagree|doubt|but|not|n['’]t|if|might|may)\b)`,
  'iu',
)
/** Matches “I'm a nurse”, with as few words as the rest of a pattern allows. “I'm a fan of a band” is about another noun. */
const ROLE = String.raw`(?<role>\bI(?:['’]?m| am) (?:an? )?(?:(?!(?:an?|the|of|with|for|and|who|not)\b)[\p{L}\d-]+ ?){1,5}?(?:of (?:two|three|four|\d) ?)??(?:,? (?:originally )?(?:and I am )?from \p{Lu}[\p{L}'-]*(?: originally)?)??)`
/** Matches a role with the home beside it, which becomes a clause of its own: “I'm a nurse from Leeds living in Porto”. */
const HOME_BESIDE = new RegExp(
  String.raw`${ROLE}(?:,? (?:but|and|now|currently)){0,2},? ?(?<= )(?:(?:based|living|residing|settled) (?:out of|in)|now in) (?=(?:the )?\p{Lu})`,
  'u',
)
const ORIGIN_BESIDE =
  /(?<role>\bI(?:['’]?m| am) an? (?:(?!(?:an?|the|of|with|for|and)\b)[\p{L}\d-]+ ?){1,4}?),? (?:originally )?from (?=\p{Lu})/u
/** Matches “a 34-year-old” before an occupation. */
const AGED = /(?<=\bI(?:['’]?m| am)) an? (\d{2})[- ]years?[- ]old (?=\p{Ll})/u
/** Matches “I'm a Dublin-based designer”. */
const BASED =
  /(?<are>\bI(?:['’]?m| am) an?) (?<place>\p{Lu}[\p{L}'’]*(?: \p{Lu}[\p{L}'’]*)?)-based (?<job>\p{Ll}[\p{L}-]+(?: \p{Ll}[\p{L}-]+)?)(?=[\s\p{P}]*$)/u
/** Matches the last comma of a list of allergies without “and”. */
const LAST_COMMA =
  /(?<=\ballergic to (?:[\p{L}-]+(?: [\p{L}-]+)?, )+[\p{L}-]+(?: [\p{L}-]+)?), (?!(?:and|or|but|so|i|we|my)\b)(?=[\p{L}-]+(?: [\p{L}-]+)?[.!]*$)/iu
/** Matches “I'm in” before a place, which is a home after words about a move: “New flat! I'm in Perth now”. Otherwise it may be a visit. */
const SETTLED =
  /(?<=\b(?:i|we)(?:['’]?m|['’]?re| am| are) )(?:now )?in (?=(?!(?:the|a|an|my|our|bed)\b)\p{L}+(?: \p{L}+)?(?: now\b(?! (?:for|on|till?|until|visiting|with)\b)|[.!]*$))/iu

/** Matches the sounds of dictation: “I um live in, er, Derby”. */
const HESITATIONS = /(?:^|,?\s+)(?:u+m+|u+h+|erm+|er|uhm+),?\s+/gu
/** Matches a question in lower case behind a statement: “I live in Leeds. ok or boring?”. */
const ASKS_BEHIND = /(?<!\b(?:st|mr|mrs|ms|dr|no|vs|e\.g|i\.e|approx))\.\s+\p{Ll}[^.?!]*\?\s*$/iu

/** Matches emojis between words, which end a sentence. */
const EMOJI_BETWEEN = /(?<=[\p{L}\p{N}])\s*\p{Extended_Pictographic}+\uFE0F?\s+(?=\p{L}[^?]*$)/gu
/** Matches “was never” or “never was” before a condition: “I was never allergic to nuts”. */
const NEVER_WAS =
  /(?<=\bI) (?:was never|never was)(?= (?:actually |really )?(?:allergic|intolerant|diabetic|asthmatic|coeliac|celiac|epileptic))/iu
/** Matches “never had” before one or two words: “I never actually had asthma”. */
const NEVER_HAD = /(?<=\bI) never (?:actually |really )?had(?= \p{L}+(?: \p{L}+)?[.!]*$)/iu
/** Casual forms within a sentence, each with its plain form. They are replaced one after another. */
const PLAIN_FORMS: readonly (readonly [form: RegExp, plain: string])[] = [
  [ASKS_BEHIND, '.'],
  [ASKS_WHETHER_MENTIONED, '$1'],
  [BUT_EATS, ' except '],
  [NAME_AFTER_COMMA, ' '],
  [LAST_COMMA, ' and '],
  [FINDING, ''],
  [KNOWN_BY_OTHERS, ''],
  [AGED, ' $1 years old and I am a '],
  [BASED, '$<are> $<job> and I live in $<place>'],
  [HOME_BESIDE, '$<role> and I live in '],
  [ORIGIN_BESIDE, '$<role> and I am from '],
  [NEVER_WAS, ' am not'],
  [NEVER_HAD, ' do not have'],
]

/** Matches a sentence in capitals alone. */
const SHOUTED = /^(?!.*\p{Ll})(?:.*?\p{Lu}{2}){2}/su
