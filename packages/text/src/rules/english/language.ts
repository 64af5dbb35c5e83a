// Puts the English rules, phrases and readers together.
import { either, pattern } from '../../pattern.ts'
import { goOnAbout, type GoingOn } from '../matching/go-on-about.ts'
import type { Language } from '../matching/language.ts'
import { wordsToText, type Word } from '../matching/word.ts'
import { answerWithSubject } from './answer-fragments.ts'
import { spellOutCasual } from './casual-forms.ts'
import { english } from './english.ts'
import { readEndings } from './endings.ts'
import { readClauses } from './read-clauses.ts'
import { ENGLISH_MATTERS, ENGLISH_REQUESTS } from './request-rules.ts'
import { BEING } from './rules-of-being.ts'
import { DOING } from './rules-of-doing.ts'
import { LIFE } from './rules-of-life.ts'
import { MINE } from './rules-of-mine.ts'
import { expandContractions, loadTagger, type Tagger } from './tag-words.ts'
import { flipPerson, sayInThirdPerson } from './third-person.ts'
import { ENGLISH_WIDE } from './wide-requests.ts'

/** Matches the first person, without which a sentence states nothing about its speaker. */
const FIRST_PERSON = /\b(?:i|im|ive|my|we|our|me)\b|^(?:\S+[\s,]+){1,3}here\b/i
/** Starts of a question: “what is”, “could you”. */
const QUESTION_STARTS = either(
  /(?:what|where|how|why)(?:['’]s| (?:else )?(?:is|are|can|could|should|would|do|does|to)\b)/u,
  /(?:can|could|should|would|do|does|is|are|will) (?:i|you|we|it|that|there)\b/u,
)
/** Questions with or without a mark: “Who is it?”, “where can I find …”. */
const QUESTION_ENDS = either(
  /(?:who|what|where|when|how|which|why|can|could|should|shall|may|do|does|is|are|will|would|any)(?:['’](?:s|re|d))?\s[^,?]*\?+\s*$/u,
  String.raw`(?:${QUESTION_STARTS})[^?]*$`,
)
/** Matches a question after a statement, also after an emoji: “My name is Ana, who do I call?”, “I'm vegan, what could I eat”. */
const ASKS_AFTER = new RegExp(
  String.raw`(?:[,.!]|[\p{Extended_Pictographic}\uFE0F\u200D]+)\s*(?:and |so |but )?(?:${QUESTION_ENDS})`,
  'iu',
)
/** Matches a request before a statement: “Can you find me a recipe, I'm vegan”. */
const ASKS_BEFORE =
  /^(?:[^,;?]*[,;] *)?(?:can|could|would|will) (?:you|u) (?!imagine|pretend|act|play|write|say|translate|tell)[^?]*?, (?=(?:and |because )?(?:i['’]?m|i am|i live|i have|i['’]ve|my)\b)/iu
/** Matches the “and” before a second person or pet with a name: “I have a cat called Tib and a dog called Moss”. */
const NAMED_TOO =
  /(?<=^(?:I|we)(?: have|['’]ve| got|['’]ve got) an? [\p{L} -]{2,30} (?:called|named) \p{Lu}[\p{L}'’-]+),? and (?=an? [\p{L} -]{2,30} (?:called|named) \p{Lu})/iu
/** Maximum characters of a sentence. Longer ones are lists, logs or poems without full stops. */
const LONGEST_SENTENCE = 500
/** Matches a statement that ends in the middle, since a quotation or another clause was cut off. */
const TRUNCATED =
  /(?<!\p{L})(?:called|named|titled|like|the|an?|and|or|to|of|for|with|from|by|such|as|my|their|is|are|was|than|very|so|that|how|what)\.$/iu

/** Relatives whom “she” and “he” can mean, and those whom either can mean. */
const HER =
  'sister|mother|mum|mom|mommy|mummy|aunt|auntie|grandmother|grandma|granny|nana|daughter|granddaughter|wife|girlfriend|niece|godmother|mother-in-law|sister-in-law|stepmother|stepsister'
const HIM =
  'brother|father|dad|daddy|uncle|grandfather|grandpa|grandad|son|grandson|husband|boyfriend|nephew|godfather|father-in-law|brother-in-law|stepfather|stepbrother'
const EITHER =
  'cousin|friend|best friend|partner|colleague|boss|flatmate|roommate|neighbour|neighbor|child|kid|baby|therapist'
const kin = (group: string, words: string): string =>
  String.raw`(?<${group}>(?:(?:older|younger|elder|little|big|twin|oldest|youngest|best|old) )?(?:${words}))`
/** Matches relatives whom the next sentence may continue: “My sister …”, “I have a brother”. */
const AROUND: GoingOn = {
  known: new RegExp(
    String.raw`\b(?:my|our|have an?|have one|got an?)\s+(?:${kin('she', HER)}|${kin('he', HIM)}|${kin('either', EITHER)})\b(?!['’-])`,
    'giu',
  ),
  my: 'My ',
  she: /^she(?=\s\p{L})/iu,
  he: /^he(?=\s\p{L})/iu,
}

let tag: Tagger | undefined

/** Verbs of requests to forget or remove: “erase”, “never mind”. */
const ENDING_VERBS = either(
  /forg[eo]t|eras|delet|remov|drop|disregard|scratch|strik|ignor|wip|rid of|tak|pretend|act (?:like|as)|never ?mind/,
  /off the (?:record|table)|scrub|purg|clear\b|clearing|reset|empty|los(?:e|ing) (?:what|every|all)|unhear|un-?remember/,
  /\bgone\b|discard|destroy|scrap|nuk|let(?:ting)? go of|burn|\bbin|ditch|dump|trash|throw|toss|chuck|shred|away with|unlearn/,
  /(?:start|begin)\w* (?:over|again|afresh|anew|fresh|from|with|all)|conversation never|this (?:conversation|talk|chat)|regret|out of your/,
)
/** English, whose words wink-nlp tags by part of speech. Its model takes about 100 ms to load. */
export const ENGLISH: Language = {
  id: 'en',
  grammar: english,
  rules: [...ENGLISH_REQUESTS, ...LIFE, ...BEING, ...DOING, ...MINE],
  unnamed: { user: 'The user', agent: 'The agent' },
  load: async () => {
    tag ??= await loadTagger()
  },
  read: (given, before) => {
    const sentence = goOnAbout(spellOutCasual(given, before), before, AROUND)
      .replace(ASKS_AFTER, '')
      .replace(ASKS_BEFORE, '')
      .replace(NAMED_TOO, ', I have ')
    const isQuestion = /\?\s*$/.test(sentence)
    if (tag === undefined || isQuestion || sentence.length > LONGEST_SENTENCE) return []
    return FIRST_PERSON.test(sentence) ? readClauses(tag(sentence)) : []
  },
  say: ({ said }, who) => {
    const text = sayInThirdPerson(said, who)
    return TRUNCATED.test(text) ? '' : text
  },
  value: (words) =>
    wordsToText(flipPerson(words))
      .replace(/^(?:(?:in|into|to) )?(?:an? |the |some )?/, '')
      .replace(/\s+(?:too|as well|either|anymore|any more|(?:right )?now)$/i, ''),
  endings: (given, before) => readEndings(goOnAbout(spellOutCasual(given, before), before, AROUND)),
  isOfKind,
  answerInFull,
  answerWithSubject,
  labelled: [
    [/^(?:food )?allerg(?:y|ies)$/i, 'I am allergic to {list}.'],
    [/^(?:current )?(?:job|occupation|profession)$/i, 'I work as a {}.'],
    [/^(?:full |first )?name$/i, 'My name is {}.'],
    [/^(?:current )?(?:city|location|place of residence|residence|home town|hometown)$/i, 'I live in {}.'],
    [/^(?:medical|health)(?: (?:history|info|conditions?))?$/i, '{states}'],
    ...'wife husband partner girlfriend boyfriend fiancé fiancée mum mom mother dad father sister brother son daughter dog cat'
      .split(' ')
      .map((kin): readonly [RegExp, string] => [
        new RegExp(`^${kin}(?:['’]?s)?(?: name)?$`, 'i'),
        `My ${kin} is called {name}.`,
      ]),
  ],
  split,
  longestRequest: LONGEST_SENTENCE,
  matters: ENGLISH_MATTERS,
  wide: ENGLISH_WIDE,
  please: 'please',
  hint: pattern(
    'i',
    String.raw`\b(?:${ENDING_VERBS})`,
    /(?:\b(?:not|dont|never|stop|need|please|pl[sz]|rather|prefer)\b|n['’]t\b).{0,300}\b(?:remember|stor|sav|keep|record|bring|mention|talk|speak|hold|retain)/,
    /(?:\b(?:not|dont|never|wish|rather|prefer)\b|n['’]t\b).{0,300}\b(?:heard?\b|know (?:anything )?(?:about|that)|remind|told you|ask me)/,
  ),
}

/** Refuses jokes such as “my blood type is coffee”, “my twins” as siblings (they are children), and “hard worker” as a job. */
function isOfKind(key: string, value: string): boolean {
  if (key === 'occupation')
    return !/^(?:very |really )?(?:hard|good|great|fast|slow|lazy|quick) worker$/i.test(value)
  if (key === 'siblings') return !/^twins\b/i.test(value)
  return key !== 'blood-type' || /^(?:a|b|ab|o)(?!\p{L})/iu.test(value)
}

/** Matches words before a question: “So, …”. */
const OPENING = /^(?:(?:so|then|ah|oh|and|wait|ok|okay|wow|great|nice|hmm|well)[\s,.!…]+)*/i
const TAG =
  /,?\s*(?:right|correct|yes|no|huh|eh|is that right|don't you|aren't you|haven't you|do you|are you|is it)?\s*\?+$/i
/** Starts of questions, and the starts of the statements that they become. */
const TURNED: readonly (readonly [RegExp, string])[] = [
  [/^do you (?:still |really |also |actually )?(?=\w)/i, 'I '],
  [/^are you (?:still |really |also |actually )?(?=\w)/i, 'I am '],
  [/^have you (?=got |been )/i, 'I have '],
  [/^is your name (?=\w)/i, 'my name is '],
  [/^you(?:'re| are) /i, 'I am '],
  [/^you /i, 'I '],
  [/^your /i, 'my '],
]

/** Rewrites a question as a statement: "So you live in Lyon, right?" → "I live in Lyon". */
function answerInFull(question: string): string | null {
  if (
    !/\?\s*$/.test(question) ||
    /\b(?:or|what|where|who|why|how|which|when|would|could|can)\b/i.test(question)
  )
    return null
  const plain = question.trim().replace(OPENING, '').replace(TAG, '').trim()
  const turned = TURNED.find(([pattern]) => pattern.test(plain))
  if (turned === undefined) return null
  const answer = plain.replace(turned[0], turned[1])
  return answer.replace(/\byour\b/gi, 'my').replace(/\byou\b/gi, 'me')
}

const WORD =
  /(\s*)((?:dr|mr|mrs|ms|prof|st)\.(?=\s)|[\p{L}\p{N}]+(?:['-][\p{L}\p{N}]+)*|[-–—]+|[.!?…]+|\S)/giu
const COMMA = /^[,，、]$/
const STOP = /^(?:[.!?…;:(；：。！？]+|[-–—]+)$/

/** Splits a sentence into words and expands contractions. */
function split(sentence: string): Word[] {
  const written = expandContractions(sentence.replace(/[‘’]/g, "'"))
    .replace(/\blet's\b/gi, 'let us')
    .replace(/\bu\b(?!\.)/g, 'you')
  return [...written.matchAll(WORD)].map(([, before = '', text = '']) => {
    const lower = text.toLowerCase()
    const wordOrStop = STOP.test(text) ? ';' : lower
    return { text, lower, lemma: COMMA.test(text) ? ',' : wordOrStop, pos: '', before }
  })
}
