import { analyseText, pattern } from '@keepsake/text'
import { blankMarks, findDenials, findDislikings, findLikings, isHedged } from './find-marks.ts'
import { readQuantities, type Quantity } from './read-quantities.ts'

/** A word that carries meaning. */
export interface ContentWord {
  /** The stem of an English word, or a Chinese word itself. */
  readonly key: string
  /** The word as the text has it. Judges name it in their reasons. */
  readonly surface: string
  /** 1, or less for a single Chinese character. */
  readonly weight: number
  /** Contains `false` if the text affirms the word, and `true` if it denies the word. A text may do both. */
  readonly denied: ReadonlySet<boolean>
  /** Whether the word is English and has a capital inside a sentence. */
  readonly isName: boolean
  /** Whether the word is one of the capitalised words at the start of an English text. These are mostly the subject. */
  readonly isLeading: boolean
}

/** The words, numbers and dates of a text that are compared. */
export interface Content {
  readonly words: ReadonlyMap<string, ContentWord>
  readonly quantities: readonly Quantity[]
  /** The text in NFKC and lower case, without spaces between Chinese characters. Chinese words are searched in it. */
  readonly plain: string
  readonly isHedged: boolean
  /** Whether the text begins with a word for the memory's user: “the user”, “she”, 用户. */
  readonly hasGenericSubject: boolean
  /** The relative or friend with which the text begins, such as “sister” of “the user's sister”. `null`: there is none. */
  readonly relation: string | null
}

/** A single Chinese character carries about half of a word's meaning. */
const CHARACTER_WEIGHT = 0.5
/** The key of all words of liking. */
const LIKE_KEY = 'like'
/** Matches words by which memory systems call the user. */
const ROLE_WORD = /^(?:users?|speaker|用户)$/
const GENERIC_SUBJECT =
  /^\s*(?:the\s+)?(?:users?|speaker|i|he|she|they|we|my|his|her|their)\b|^\s*(?:用户|我|他|她|他们|她们)/i
const RELATION_WORDS = [
  'wife|husband|partner|girlfriend|boyfriend|mother|mom|mum|father|dad|sister|brother|son|daughter',
  'aunt|uncle|cousin|niece|nephew|grandmother|grandma|grandfather|grandpa',
  'friend|colleague|boss|neighbou?r|roommate|dog|cat',
  '妻子|老婆|丈夫|老公|女朋友|男朋友|女友|男友|妈妈|母亲|爸爸|父亲|姐姐|妹妹|哥哥|弟弟|儿子|女儿',
  '奶奶|爷爷|外婆|外公|阿姨|叔叔|舅舅|表妹|表哥|朋友|同事|老板|邻居|室友',
]
const OWNER = "(?:(?:the\\s+)?[\\p{L}]+['’]s|my|his|her|their|(?:用户|我|他|她)的?)"
/** Matches a relation at the start of a text: “the user's older sister”, 用户的妹妹. */
const RELATION = new RegExp(
  `^\\s*${OWNER}\\s*(?:older |younger |elder |best |ex-)?(${RELATION_WORDS.join('|')})`,
  'iu',
)
/** Matches ends of clauses: marks, conjunctions, and an “and” before a new verb. A comma in “tea, coffee or milk” ends none. */
const CLAUSE_END = pattern(
  'giu',
  /[.;:!?。；：！？，\n]|,(?![^,.;]*\b(?:or|nor)\b)/,
  /\b(?:but|however|though|although|while|yet|because)\b/,
  /\band(?=\s+(?:i|he|she|they|we|it|is|was|has|had|now|[a-z]{2,}ed|[a-z]{2,}[^s\W]s)\b)\b/,
  /但是?|可是|然而|而且|因为|所以/,
)

/** The size at which the cache is cleared. A cache saves time, because each memory of a session is compared with each turn. */
const CACHE_LIMIT = 2_000
const cache = new Map<string, Content>()

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' })

/** Reads content words, numbers, dates and denials. Synonyms differ, except words of liking, which are one word. Disliking is denied liking. */
export function readContent(text: string): Content {
  const cached = cache.get(text)
  if (cached !== undefined) return cached
  const content = analyse(text)
  if (cache.size >= CACHE_LIMIT) cache.clear()
  cache.set(text, content)
  return content
}

function analyse(original: string): Content {
  const text = original.normalize('NFKC').replace(/[’‘]/g, "'")
  const { quantities, rest } = readQuantities(text)
  const words = new Map<string, ContentWord>()
  const leadingEnd = endOfLeadingName(text)
  for (const clause of clausesOf(rest)) readClause(clause, rest, leadingEnd, words)
  return {
    words,
    quantities,
    plain: plainOf(text),
    isHedged: isHedged(text),
    hasGenericSubject: GENERIC_SUBJECT.test(text),
    relation: RELATION.exec(text)?.[1]?.toLowerCase() ?? null,
  }
}

/** Reports whether a content has a word. Chinese words are searched among the characters, because their boundaries vary. */
export function hasWord({ words, plain }: Content, key: string): boolean {
  return words.has(key) || isInPlain(plain, key)
}

/** Reports whether a plain text contains a Chinese word. */
export function isInPlain(plain: string, key: string): boolean {
  return /\p{Script=Han}/u.test(key) && plain.includes(key)
}

/** Converts a text to a form in which case, punctuation, spaces and variants of characters do not matter. */
export function plainOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .replace(/(?<=\p{Script=Han}) | (?=\p{Script=Han})/gu, '')
    .trim()
}

/** Splits a text into clauses. A denial is valid until the end of its clause. */
export function clauseTexts(text: string): string[] {
  return clausesOf(text).flatMap((clause) => (clause.text.trim() === '' ? [] : [clause.text.trim()]))
}

interface Clause {
  readonly start: number
  readonly text: string
}

function clausesOf(text: string): Clause[] {
  const clauses: Clause[] = []
  let start = 0
  for (const { 0: mark, index } of text.matchAll(CLAUSE_END)) {
    clauses.push({ start, text: text.slice(start, index) })
    start = index + mark.length
  }
  return [...clauses, { start, text: text.slice(start) }]
}

/** Adds the words of a clause to `words`. */
function readClause(
  { start, text }: Clause,
  whole: string,
  leadingEnd: number,
  words: Map<string, ContentWord>,
): void {
  const dislikings = findDislikings(text)
  const likings = [...findLikings(text), ...dislikings]
  const denials = findDenials(blankMarks(text, dislikings))
  const reversals = [...denials, ...dislikings].map((mark) => mark.start)
  // Two denials affirm: “does not dislike opera”.
  const isDenied = (index: number): boolean => reversals.filter((start) => start <= index).length % 2 === 1
  const add = (word: Omit<ContentWord, 'denied'>, index: number): void =>
    addWord(words, word, isDenied(index))
  for (const liking of likings) {
    const surface = text.slice(liking.start, liking.end)
    add({ key: LIKE_KEY, surface, weight: 1, isName: false, isLeading: false }, liking.start)
  }
  const remaining = blankMarks(text, [...likings, ...denials])
  for (const { segment, index, isWordLike } of segmenter.segment(remaining)) {
    if (isWordLike !== true) continue
    const indexInText = start + index
    const role = { isName: isNameAt(whole, indexInText), isLeading: indexInText < leadingEnd }
    for (const [key, weight] of keysOf(segment)) add({ key, surface: segment, weight, ...role }, index)
  }
}

function addWord(
  words: Map<string, ContentWord>,
  word: Omit<ContentWord, 'denied'>,
  isDenied: boolean,
): void {
  const previous = words.get(word.key)
  const denied = new Set([...(previous?.denied ?? []), isDenied])
  words.set(word.key, {
    ...(previous ?? word),
    denied,
    isName: (previous?.isName ?? false) || word.isName,
    isLeading: (previous?.isLeading ?? true) && word.isLeading,
  })
}

function keysOf(segment: string): (readonly [key: string, weight: number])[] {
  const word = segment.toLowerCase().replace(/'s$/, '')
  if (ROLE_WORD.test(word)) return []
  if (!/\p{Script=Han}/u.test(word)) return analyseText(word).terms.map((term) => [term, 1] as const)
  const core = withoutGrammar(word)
  if (core === '') return []
  return [[core, Array.from(core).length === 1 ? CHARACTER_WEIGHT : 1]]
}

/** Removes particles from the end of a Chinese word: 住在 becomes 住. Empty: every character is a particle. */
function withoutGrammar(word: string): string {
  const isGrammar = (character: string): boolean => analyseText(character).terms.length === 0
  const characters = Array.from(word)
  if (characters.every(isGrammar)) return ''
  while (isGrammar(characters.at(-1) ?? '')) characters.pop()
  return characters.join('')
}

/** Reports whether a word begins with a capital inside a sentence. “I” is no name. */
function isNameAt(text: string, index: number): boolean {
  const start = text.slice(index, index + 2)
  const isInsideSentence = /[\p{L}\p{N},;'’)]\s+["“'(]?$/u.test(text.slice(0, index))
  return /^\p{Lu}/u.test(start) && isInsideSentence && start !== 'I '
}

/** Matches up to three capitalised words at the start: “Ada Bell works”, “Ada's”. */
const LEADING_NAME = /^\s*(?:\p{Lu}[\p{L}.-]*\s+){1,3}(?=\p{Ll})|^\s*(?:\p{Lu}[\p{L}.-]*\s*){1,3}(?='s\s)/u

function endOfLeadingName(text: string): number {
  return LEADING_NAME.exec(text)?.[0].length ?? 0
}
