// Reads which name a question asks for, and checks whether a text states it.
import { escapePattern } from '../pattern.ts'
import { embeddedWordTable } from '../vectors/word-vectors.ts'
import { embeddedChineseTable, segmentChinese } from '../vectors/chinese-words.ts'
import { isChineseFunctionCharacter, isEnglishFunctionWord } from '../terms/function-words.ts'

/** The name that a question asks for. */
export interface WantedName {
  /** The noun to be named, in lower case: “sister” of “What is Ana's sister called?”. In Chinese one word. */
  readonly head: string
  /** Words of the question, in lower case, which are no answer. */
  readonly given: ReadonlySet<string>
  readonly isChinese: boolean
  /** Whether the noun is for a place or an organisation. */
  readonly isPlace?: boolean
}

/** The context of a text. */
export interface TextPlace {
  /** Whether the text is the best match of the question. */
  readonly isFirst: boolean
  /** The preceding text. */
  readonly before?: string
}

/** Reads the name that a question asks for. Returns `null` if it asks for none. */
export function readWantedName(question: string): WantedName | null {
  const isChinese = /\p{Script=Han}/u.test(question)
  const readGiven = (): Set<string> => new Set(question.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])
  if (isChinese) {
    const found = ASKED_CHINESE.exec(question)?.groups
    const words = segmentChinese(found?.['head'] ?? found?.['owner'] ?? '')
    const head = words.findLast((word) => !Array.from(word).every(isChineseFunctionCharacter)) ?? ''
    return head === '' ? null : { head, given: readGiven(), isChinese }
  }
  for (const pattern of NAMING.test(question) ? ASKED_ENGLISH : []) {
    const phrase = pattern.exec(question)?.groups?.['head']
    if (phrase === undefined) continue
    const head = headOf(phrase)
    if (head !== null) return { head, given: readGiven(), isChinese }
  }
  const which = ASKS_WHICH.exec(question)?.groups?.['head']
  if (which === undefined) return null
  return { head: which.toLowerCase(), given: readGiven(), isChinese, isPlace: true }
}

/** Returns the noun of a phrase: “woman” of “the woman who runs it”, “sister” of “Ana's sister”. `null` if there is none to name. */
function headOf(phrase: string): string | null {
  const bare = phrase
    .trim()
    .replace(/^(?:.*['’]s?\s+(?=\p{L})|(?:the|my|our|his|her|their|your|an?|that|this)\s+)+/iu, '')
  const [clause = ''] = `${bare} `.split(ENDS_HEAD)
  const [noun = ''] = clause.split(NAME_FOLLOWS)
  const words = noun.match(/[\p{L}-]+/gu) ?? []
  const last = words.at(-1) ?? ''
  const head = last.toLowerCase()
  // A proper name needs no further name.
  const hasName = /^\p{Lu}/u.test(last)
  return head.length < 2 || PRONOUN.test(head) || hasName ? null : head
}

const SENTENCE_ENDS = /(?<=[。！？!?.…\n])/u
const ASKS = /[?？]\s*$/u
/** Matches verbs of naming: “called”, “his name is”. */
const CALLED =
  /\b(?:called|named|names?(?:['’](?:s|re)| is| are|d)|call(?:s|ed)? (?:him|her|it|them)|goes by)\b/iu
/** Matches verbs of naming whose noun is a pronoun: “we call it”. */
const CALLS_IT = /\bcall(?:s|ed)? (?:it|them)\b|\bit['’]s called\b/iu
const CALLED_CHINESE =
  /(?:叫做?|名叫|取名|起名|大名|姓)(?:[“「『"《]|(?!什么|啥|我|你|他|她|人|车|外卖|做|苦|好)\p{Script=Han})/u
/** Matches names of the subject of the previous turn: “His name is Ed”, 叫明霞. */
const OF_THAT =
  /(?:^|[.!?…,;]\s*)(?:(?:his|her|its) names?(?:['’]s| is)|(?:he|she|it)(?:['’]s| is) (?:called|named)|called)\b/iu
const OF_THAT_CHINESE =
  /(?:^|[，。！？,.!?\s]|[他她它])(?:叫做?|名叫|姓)(?!什么|啥|我|你|他|她|人|车|外卖|做|苦|好)\p{Script=Han}/u
const TOKENS = /[\p{L}\p{M}]+(?:['’-][\p{L}\p{M}]+)*|[,;:.!?…—–(]/gu
/** Maximum distance in words between a name and its noun. In texts without capitals names are less certain. */
const MAX_DISTANCE = { withCapitals: 5, without: 2 } as const
/** Maximum probability of an English word that may be a name in a text without capitals. */
const MAX_NAME_PROBABILITY = 2e-6
/** Matches endings that names seldom have. */
const INFLECTED = /(?:ed|ing|ly|s|tion|ness)$/
/** Maximum probability of a Chinese character that may begin a name. */
const MAX_NAME_CHARACTER_PROBABILITY = 2e-4

/** Reports whether a text has the noun with a name near it. Only the best match may refer to the noun by “it”. */
export function statesName(wanted: WantedName, text: string, { isFirst, before = '' }: TextPlace): boolean {
  const statements = text
    .split(SENTENCE_ENDS)
    .filter((sentence) => !ASKS.test(sentence))
    .join('')
  if (wanted.isChinese)
    return (
      statesChineseName(wanted.head, statements) ||
      (OF_THAT_CHINESE.test(statements) && headsOf(wanted.head).test(before))
    )
  const { head, given, isPlace = false } = wanted
  const hasNamingVerb = CALLED.test(statements)
  if (OF_THAT.test(statements) && namedBy(head).test(before)) return true
  if (isFirst && CALLS_IT.test(statements)) return true
  if (isPlace && AT_ONE.test(statements)) return true
  const named = new RegExp(`^(?:${wordsFor(head)})$`, 'iu')
  const words = statements.match(TOKENS) ?? []
  const heads = words.flatMap((word, i) => (named.test(word.replace(/['’]s$/u, '')) ? [i] : []))
  if (heads.length === 0) return false
  if (hasNamingVerb || (isPlace && heads.some((i) => statesKind(words, i, given)))) return true
  const context = { given, hasCapitals: /\p{Lu}\p{Ll}/u.test(statements) }
  const isIntroduced = heads.some((i) => /^(?:he|she|it)['’]s an?$/iu.test(words.slice(i - 2, i).join(' ')))
  const maxDistance = context.hasCapitals ? MAX_DISTANCE.withCapitals : MAX_DISTANCE.without
  return words.some((word, place) => {
    const isRareWord = isRare(word.toLowerCase())
    const isNear = heads.some(
      (index) =>
        index !== place &&
        Math.abs(index - place) <= maxDistance &&
        (isRareWord || !hasSentenceEnd(words, index, place)),
    )
    return (isNear || isIntroduced) && mayBeName(words, place, context)
  })
}

/** Reports whether an adjective or noun before a noun identifies the thing, as a name would: “a shipping company”. */
function statesKind(words: readonly string[], index: number, given: ReadonlySet<string>): boolean {
  const kind = (words[index - 1] ?? '').toLowerCase()
  const isOne = /^(?:an?|the)$/i.test(words[index - 2] ?? '')
  return isOne && /^\p{L}{3,}$/u.test(kind) && !GENERIC.test(kind) && !given.has(kind)
}

/** Reports whether a sentence ends between two positions. */
function hasSentenceEnd(words: readonly string[], first: number, second: number): boolean {
  return words.slice(Math.min(first, second), Math.max(first, second)).some((word) => /^[.!?…]$/u.test(word))
}

function mayBeName(
  words: readonly string[],
  index: number,
  { given, hasCapitals }: { readonly given: ReadonlySet<string>; readonly hasCapitals: boolean },
): boolean {
  const word = (words[index] ?? '').replace(/['’]\p{L}+$/u, '')
  const lowerCase = word.toLowerCase()
  if (word.length < 2 || given.has(lowerCase) || isEnglishFunctionWord(lowerCase)) return false
  const isCapitalised = /^\p{Lu}/u.test(word)
  const startsSentence = index === 0 || /^[.!?…:]$/u.test(words[index - 1] ?? '')
  if (isCapitalised && !startsSentence) return true
  if (!isRare(lowerCase)) return false
  return hasCapitals ? startsSentence && isCapitalised : !INFLECTED.test(lowerCase)
}

function isRare(word: string): boolean {
  const { rows, probabilities } = embeddedWordTable()
  const row = rows.get(word)
  return row === undefined || (probabilities[row] ?? 0) < MAX_NAME_PROBABILITY
}

/** Returns the pattern of English words for a noun. */
function wordsFor(head: string): string {
  return RELATED[head] ?? RELATED[head.replace(/s$/, '')] ?? `${escapePattern(stemOf(head))}\\p{L}{0,3}`
}

/** Returns a pattern that matches a text that mentions a noun. */
function namedBy(head: string): RegExp {
  return new RegExp(String.raw`(?<!\p{L})(?:${wordsFor(head)})(?!\p{L})`, 'iu')
}

/** Returns a pattern that matches the Chinese words for a noun. */
function headsOf(head: string): RegExp {
  return new RegExp(RELATED_CHINESE[head] ?? [head, head.slice(-1)].map(escapePattern).join('|'), 'u')
}

/** Reports whether a Chinese text states a name after the noun. A name is segmented into rare single characters. */
function statesChineseName(head: string, stated: string): boolean {
  const heads = headsOf(head)
  if (!heads.test(stated)) return false
  if (CALLED_CHINESE.test(stated)) return true
  for (const { 0: found, index } of stated.matchAll(new RegExp(heads.source, 'gu'))) {
    const after =
      /^[，, ]?是?(?![一二三四五六七八九十两几])(\p{Script=Han}{2,8})/u.exec(
        stated.slice(index + found.length),
      )?.[1] ?? ''
    const [first = '', second = ''] = segmentChinese(after)
    const isName = [first, second].every(
      (piece) => piece.length === 1 && !isChineseFunctionCharacter(piece) && isRareCharacter(piece),
    )
    if (isName) return true
  }
  return false
}

function isRareCharacter(character: string): boolean {
  const { rows, probabilities } = embeddedChineseTable()
  const row = rows.get(character)
  return row === undefined || (probabilities[row] ?? 0) < MAX_NAME_CHARACTER_PROBABILITY
}

/** Returns the common stem of singular and plural. */
function stemOf(noun: string): string {
  const stem = noun.replace(/(?:ies|es|s|y)$/, '')
  return stem.length < 3 ? noun : stem
}

/** Matches a part of every question that {@link ASKED_ENGLISH} matches. It is tested first, since it is cheaper. */
const NAMING = /name|call|make|model|brand/i
/** Matches questions for a name, with the noun as `head`: “What is my sister called?”. */
const ASKED_ENGLISH = [
  /\bname(?:s)? of (?<head>[^?]+)/i,
  /\bwhat(?:['’]s| is| are| was| were) (?<head>[^?]+?)(?:['’]s?)? (?:called|named|(?:first |middle |full )?names?)\b/i,
  /\b(?:make|model|brand) of (?<head>[^?]+?)(?= (?:do|did|does|is|was|am|are|have|has)\b|\?|$)/i,
  /\bwhat (?:do|did|does|have|has|had) (?:\S+ ){1,2}?(?:call|called|name|named) (?<head>[^?]+)/i,
]
/** Nouns for things with proper names, which “which” asks for: “Which school …?”. */
const NAMED_THING =
  'school|college|university|uni|hospital|hotel|church|mosque|temple|company|firm|bank|insurer|publisher|airline|station|clinic|restaurant|pub|bar|café|cafe|bakery|shop|supermarket|team|club|band|choir|theatre|museum|library|gym|agency|charity|ship|boat'
const ASKS_WHICH = new RegExp(String.raw`\b(?:which|what) (?:\w+ )?(?<head>${NAMED_THING})\b`, 'iu')
/** Matches a name of a place after a preposition or a verb: “at Guy's”. */
const AT_ONE =
  /\b(?:at|with|for|into|joined|left) (?:the )?(?!(?:Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|Christmas|Easter|I)\b)\p{Lu}/u
const ASKED_CHINESE =
  /(?<head>\p{Script=Han}{1,12}?)的?(?:全名|大名|名字)?(?:叫做?|名叫|姓|取名)(?:什么|啥)|(?<owner>\p{Script=Han}{1,12}?)的?(?:名字|全名|大名)(?:是|叫)/u
/** Matches a word that ends the noun phrase: “sister | who lives in Rome”. */
const ENDS_HEAD =
  /\s(?:at|in|of|from|for|with|on|by|to|near|who|whom|whose|that|which|where|when|i|we|you|he|she|they|my|the)\s/i
/** Matches pronouns, which are no noun to be named. */
const PRONOUN = /^(?:its?|their|them|they|he|she|his|her|him|this|that|one|thing)$/
/** Matches adjectives that do not distinguish a thing: “a new company”. */
const GENERIC =
  /^(?:new|old|good|great|nice|bad|big|small|little|local|same|different|first|last|other|whole|next|best|worst|primary|secondary|high|middle|junior|only|real|own)$/
const NAME_FOLLOWS = /\s(?=\p{Lu})/u
/** Patterns of the words by which answers may name a noun. */
const RELATED: Readonly<Record<string, string>> = {
  mother: 'mum|mom|mam|mama|ma|mother',
  mum: 'mother|mom|mam|mama|mum',
  mom: 'mother|mum|mama|mom',
  father: 'dad|papa|pa|father',
  dad: 'father|papa|dad',
  niece: 'nieces?|bab(?:y|ies)|girls?',
  nephew: 'nephews?|bab(?:y|ies)|boys?',
  wife: 'wife|partner|missus|husband|married',
  husband: 'husband|partner|married',
  partner: 'partner|wife|husband|boyfriend|girlfriend',
  child: 'kids?|child|children|sons?|daughters?|boy|girl|bab(?:y|ies)|toddler|oldest|eldest|youngest',
  kid: 'kids?|child|children|sons?|daughters?|boy|girl|bab(?:y|ies)|toddler|oldest|eldest|youngest',
  kids: 'kids?|children|sons?|daughters?|boys?|girls?|oldest|eldest|youngest',
  children: 'kids?|children|sons?|daughters?|boys?|girls?|twins|bab(?:y|ies)|oldest|eldest|youngest',
  babies: 'bab(?:y|ies)|twins|girls?|boys?',
  grandmother: 'gran(?:ny|dma|dmother)?|nan(?:a|ny)?',
  gran: 'gran(?:ny|dma|dmother)?|nan(?:a|ny)?',
  university: 'university|uni|college',
  uni: 'university|uni|college',
  school: 'school|college|academy|primary|secondary|grammar|comprehensive|infants|juniors',
  boss: 'boss|manager|supervisor|head|master',
  manager: 'boss|manager|supervisor',
  pet: 'pets?|dogs?|cats?|rabbit|puppy|kitten|parrot|budgie|hamster|tortoise|fish|lizard|gecko',
  puppy: 'puppy|pup|dog',
  kitten: 'kitten|cat',
  dog: 'dogs?|puppy|pup|terrier|lurcher|collie|spaniel|greyhound|retriever|labrador|poodle|whippet',
  cat: 'cat|kitten|tabby|tomcat',
}
const RELATED_CHINESE: Readonly<Record<string, string>> = {
  女儿: '女儿|闺女|丫头|女娃',
  闺女: '女儿|闺女|丫头|女娃',
  儿子: '儿子|小子|男娃',
  孩子: '孩子|娃|宝宝|儿子|女儿|闺女',
  姐姐: '姐',
  哥哥: '哥',
  妹妹: '妹',
  弟弟: '弟',
  妈妈: '妈|母亲|娘',
  母亲: '妈|母亲|娘',
  爸爸: '爸|父亲|爹',
  父亲: '爸|父亲|爹',
  老公: '老公|丈夫|先生',
  丈夫: '老公|丈夫|先生',
  老婆: '老婆|妻子|媳妇|太太',
  妻子: '老婆|妻子|媳妇|太太',
  对象: '对象|男友|女友|男朋友|女朋友',
  宠物: '宠物|猫|狗|兔|龟|鸟|鱼|养',
}
