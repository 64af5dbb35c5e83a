import { analyseText } from '@keepsake/text'
import { blankMarks, findDenials, findDislikings, findLikings, isHedged } from './find-marks.ts'
import { readQuantities, type Quantity } from './read-quantities.ts'

/** A content word: its stem in English, itself in Chinese. */
export interface ContentWord {
  readonly key: string
  /** As in the text, for reasons. */
  readonly surface: string
  /** A single Chinese character carries about half of a word's meaning. */
  readonly weight: number
  /** Whether it is affirmed (`false`) or denied (`true`); both when the text does both. */
  readonly denied: ReadonlySet<boolean>
  /** An English word capitalised inside a sentence. */
  readonly isName: boolean
  /** Among the first words of an English text when capitalised: mostly the subject. */
  readonly isLeading: boolean
}

export interface Content {
  readonly words: ReadonlyMap<string, ContentWord>
  readonly quantities: readonly Quantity[]
  /** NFKC, lower case, without spaces between Chinese characters, for finding Chinese words. */
  readonly plain: string
  readonly isHedged: boolean
  /** Whether it begins with a word for the memory's user: “the user”, “she”, 用户. */
  readonly hasGenericSubject: boolean
  /** The relative or friend that it begins with, if any: “the user's sister”. */
  readonly relation: string | null
}

const CHARACTER_WEIGHT = 0.5
const LIKE_KEY = 'like'
/** Names of roles, by which systems call the user. */
const ROLE_WORD = /^(?:users?|speaker|用户)$/
const GENERIC_SUBJECT =
  /^\s*(?:the\s+)?(?:users?|speaker|i|he|she|they|we|my|his|her|their)\b|^\s*(?:用户|我|他|她|他们|她们)/i
const RELATION =
  /^\s*(?:(?:the\s+)?[\p{L}]+['’]s|my|his|her|their|(?:用户|我|他|她)的?)\s*(?:older |younger |elder |best |ex-)?(wife|husband|partner|girlfriend|boyfriend|mother|mom|mum|father|dad|sister|brother|son|daughter|aunt|uncle|cousin|niece|nephew|grandmother|grandma|grandfather|grandpa|friend|colleague|boss|neighbou?r|roommate|dog|cat|妻子|老婆|丈夫|老公|女朋友|男朋友|女友|男友|妈妈|母亲|爸爸|父亲|姐姐|妹妹|哥哥|弟弟|儿子|女儿|奶奶|爷爷|外婆|外公|阿姨|叔叔|舅舅|表妹|表哥|朋友|同事|老板|邻居|室友)/iu
const CLAUSE_END =
  /[.;:!?。；：！？，\n]|,(?![^,.;]*\b(?:or|nor)\b)|\b(?:but|however|though|although|while|yet|because|and(?=\s+(?:i|he|she|they|we|it|is|was|has|had|now|[a-z]{2,}ed|[a-z]{2,}[^s\W]s)\b))\b|但是?|可是|然而|而且|因为|所以/giu

/** The cache is cleared at this size. It helps because a session's memories are compared with each of its turns. */
const CACHE_LIMIT = 2_000
const cache = new Map<string, Content>()

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' })

/**
 * Content words, numbers and dates of a text, and which of them are denied. Function words are the engine's own. No synonyms: “car” and
 * “automobile” are two words; only words of liking, and of disliking with a denial, are one.
 *
 * @example
 * readContent('She does not like opera.').words // like, opera: both denied
 */
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

/** Whether a content has a word. Chinese words are searched in its characters, since their boundaries vary. */
export function hasWord({ words, plain }: Content, key: string): boolean {
  return words.has(key) || isInPlain(plain, key)
}

/** Whether a Chinese word stands somewhere in a plain text. */
export function isInPlain(plain: string, key: string): boolean {
  return /\p{Script=Han}/u.test(key) && plain.includes(key)
}

/** A normal form for equality: compatibility forms, case, spaces and marks removed. */
export function plainOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, ' ')
    .replace(/(?<=\p{Script=Han}) | (?=\p{Script=Han})/gu, '')
    .trim()
}

/** The clauses of a text, which limit a denial. */
export function clauseTexts(text: string): string[] {
  return clausesOf(text).flatMap((clause) => (clause.text.trim() === '' ? [] : [clause.text.trim()]))
}

interface Clause {
  readonly start: number
  readonly text: string
}

function clausesOf(text: string): Clause[] {
  const ends = [...text.matchAll(CLAUSE_END)].map(
    ({ 0: mark, index }) => [index, index + mark.length] as const,
  )
  const starts = [0, ...ends.map(([, end]) => end)]
  return starts.map((start, place) => ({ start, text: text.slice(start, ends[place]?.[0]) }))
}

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
  const isDenied = (place: number): boolean => reversals.filter((at) => at <= place).length % 2 === 1
  const add = (word: Omit<ContentWord, 'denied'>, place: number): void =>
    addWord(words, word, isDenied(place))
  for (const { start: at, end } of likings)
    add({ key: LIKE_KEY, surface: text.slice(at, end), weight: 1, isName: false, isLeading: false }, at)
  const remaining = blankMarks(text, [...likings, ...denials])
  for (const { segment, index, isWordLike } of segmenter.segment(remaining)) {
    if (isWordLike !== true) continue
    const at = start + index
    const place = { isName: isNameAt(whole, at), isLeading: at < leadingEnd }
    for (const [key, weight] of keysOf(segment)) add({ key, surface: segment, weight, ...place }, index)
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

/** 住在 → 住; empty when every character is grammar. */
function withoutGrammar(word: string): string {
  const isGrammar = (character: string): boolean => analyseText(character).terms.length === 0
  const characters = Array.from(word)
  if (characters.every(isGrammar)) return ''
  while (isGrammar(characters.at(-1) ?? '')) characters.pop()
  return characters.join('')
}

/** A capital after a word of the same sentence. */
function isNameAt(text: string, at: number): boolean {
  return (
    /^\p{Lu}/u.test(text.slice(at, at + 2)) &&
    /[\p{L}\p{N},;'’)]\s+["“'(]?$/u.test(text.slice(0, at)) &&
    text.slice(at, at + 2) !== 'I '
  )
}

function endOfLeadingName(text: string): number {
  return (
    /^\s*(?:\p{Lu}[\p{L}.-]*\s+){1,3}(?=\p{Ll})|^\s*(?:\p{Lu}[\p{L}.-]*\s*){1,3}(?='s\s)/u.exec(text)?.[0]
      .length ?? 0
  )
}
