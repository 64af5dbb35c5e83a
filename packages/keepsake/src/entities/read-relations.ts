// Reads relations between people from sentences, and follows chains of relations in questions.
import { escapePattern, splitSentences } from '@keepsake/text'

/** A statement that relates one entity to another: Mia – husband → Paul. */
export interface EntityEdge {
  readonly from: string
  readonly to: string
  /** The relation of `to` to `from`, such as `husband`. */
  readonly relation: string
  /** The memories that state the relation, with quotes. */
  readonly evidence: readonly {
    readonly memory: string
    readonly turn: string | null
    readonly quote: string
  }[]
  /** Time of the first statement, milliseconds since 1970. */
  readonly validFrom: number
}

/** The relations that live memories state at a time. */
export interface RelationGraph {
  readonly edges: readonly EntityEdge[]
  /** All names of each entity, by its full name. */
  readonly aliases: ReadonlyMap<string, ReadonlySet<string>>
}

/** A relation that a sentence states: Mia's husband is Paul. */
export interface StatedRelation {
  /** A name, or `user`. */
  readonly from: string
  /** The word for the relation of `to` to `from`: husband, 老公. */
  readonly relation: string
  readonly to: string
  readonly quote: string
}

/** Groups of words that name the same relation. A question may use another word than the statement. */
const SYNONYMS: readonly (readonly string[])[] = [
  'husband|spouse|partner|hubby|fiancé|丈夫|老公|先生|爱人|未婚夫',
  'wife|spouse|partner|missus|fiancée|妻子|老婆|太太|爱人|媳妇|未婚妻',
  'boyfriend|partner|男朋友|男友|对象',
  'girlfriend|partner|女朋友|女友|对象',
  'mother|mum|mom|mummy|parent|妈妈|妈|母亲|老妈',
  'father|dad|daddy|parent|爸爸|爸|父亲|老爸',
  'sister|sibling|姐姐|姐|妹妹|妹',
  'brother|sibling|哥哥|哥|弟弟|弟',
  'daughter|child|kid|女儿|闺女|孩子',
  'son|child|kid|儿子|孩子',
  'friend|best friend|bestie|buddy|朋友|好朋友|闺蜜|死党|哥们',
  'boss|manager|supervisor|老板|领导|上司|经理',
  'colleague|coworker|co-worker|同事',
  'flatmate|roommate|housemate|室友|舍友',
  'neighbour|neighbor|邻居',
  'teacher|老师|班主任',
  'tutor|mentor|导师|师父|教练|coach',
  'landlord|landlady|房东',
  'business partner|associate|合伙人',
  'aunt|auntie|阿姨|姑姑|姨妈|舅妈',
  'uncle|叔叔|舅舅|伯伯|姑父',
  'cousin|表哥|表姐|表弟|表妹|堂哥|堂姐|堂弟|堂妹',
  'grandmother|grandma|granny|gran|nana|奶奶|外婆|姥姥',
  'grandfather|grandpa|grandad|爷爷|外公|姥爷',
  'nephew|侄子|外甥',
  'niece|侄女|外甥女',
  'doctor|dentist|医生|牙医',
  'dog|狗|狗狗',
  'cat|猫|猫咪',
  'classmate|同学',
].map((words) => words.split('|'))

/** Chinese words for relations of two steps: 姐夫 is a sister's husband. */
export const TWO_STEP_RELATIONS: Readonly<Record<string, readonly string[]>> = {
  姐夫: ['姐姐', '老公'],
  妹夫: ['妹妹', '老公'],
  嫂子: ['哥哥', '老婆'],
  弟妹: ['弟弟', '老婆'],
  儿媳: ['儿子', '老婆'],
  女婿: ['女儿', '老公'],
}

/** Joins words to alternatives of a pattern, the longest first, so that “best friend” is found before “friend”. */
const joinByLength = (words: readonly string[]): string =>
  [...new Set(words)].sort((first, second) => second.length - first.length).join('|')
const WORDS = SYNONYMS.flat()
/** Words for relations in English and in Chinese, the longest first. */
export const RELATION_WORDS = {
  en: joinByLength(WORDS.filter((word) => /^[a-zé -]+$/u.test(word))),
  zh: joinByLength([
    ...WORDS.filter((word) => /\p{Script=Han}/u.test(word)),
    ...Object.keys(TWO_STEP_RELATIONS),
  ]),
}

/** Checks whether the word of a question and the word of a statement may name the same relation. */
export function isSameRelation(asked: string, stated: string): boolean {
  return asked === stated || SYNONYMS.some((words) => words.includes(asked) && words.includes(stated))
}

/** An English name: “Maria”, “Dr. Maria da Silva”. */
const NAME_EN = String.raw`(?:(?:Mr|Mrs|Ms|Dr|Prof|Aunt|Uncle)\.? )?\p{Lu}[\p{L}'-]*\p{Ll}(?: (?:de |van |von |da )?\p{Lu}[\p{L}'-]*\p{Ll})?`
/** An English word for a relation, with its adjective: “older sister”. */
const KIN_EN = String.raw`(?:(?:older|younger|elder|little|big|twin|best|late) )?(${RELATION_WORDS.en})`
/** The owner of a relation: “my”, “my sister's”, “Mia's”. */
const OWNER_EN = String.raw`(?:(?<mine>[Mm]y|[Oo]ur)|(?<owner>[Mm]y (?:${RELATION_WORDS.en})|${NAME_EN})['’]s)`
/** Capitalised words that are no names: first words of sentences, days and months. */
const NO_NAMES: ReadonlySet<string> = new Set(
  [
    'I The This That And But So My Our His Her Their He She They It We You There',
    'Not Just Now Also Then When If What Who Where How Today Tomorrow Yesterday',
    'Monday Tuesday Wednesday Thursday Friday Saturday Sunday',
    'January February March April May June July August September October November December',
  ].flatMap((words) => words.split(' ')),
)

/** Checks whether the subject of a fact is a name, and not `user` or a word for a relation. */
export function isName(subject: string): boolean {
  if (NO_NAMES.has(subject) || ALL_RELATION_WORDS.has(subject) || /^[我用]/u.test(subject)) return false
  return new RegExp(String.raw`^(?:${NAME_EN}|\p{Script=Han}{2,4})$`, 'u').test(subject)
}

/** A pattern of sentences that state a relation. Its groups are `mine` or `owner`, the word for the relation, and `to`. */
interface Pattern {
  readonly pattern: RegExp
  /** The relation that the pattern states, if it has no word for it. */
  readonly relation?: string
}

const ENGLISH: readonly Pattern[] = [
  // “Mia's husband is called Paul”, “my boss is Ingrid”.
  {
    pattern: new RegExp(
      String.raw`\b${OWNER_EN} ${KIN_EN}(?:['’]s name is| is called| is named| is|, named|,) (?<to>${NAME_EN})(?=[\s,.;!]|$)`,
      'gu',
    ),
  },
  // “my sister Mia”, “Karl's colleague Sven”.
  { pattern: new RegExp(String.raw`\b${OWNER_EN} ${KIN_EN} (?<to>${NAME_EN})(?=[\s,.;!'’]|$)`, 'gu') },
  // “Omar has a sister called Leila”.
  {
    pattern: new RegExp(
      String.raw`(?:\b(?<mine>I)|(?<owner>${NAME_EN})) (?:has|have|['’]ve got|has got) (?:an?|one) ${KIN_EN} (?:called|named) (?<to>${NAME_EN})`,
      'gu',
    ),
  },
  // “Paul is Mia's husband”.
  {
    pattern: new RegExp(
      String.raw`(?<![\p{L}'’] )(?<to>${NAME_EN}) is ${OWNER_EN} ${KIN_EN}(?=[\s,.;!]|$)`,
      'gu',
    ),
  },
  // “Tom is married to Elena”.
  {
    pattern: new RegExp(
      String.raw`(?:(?<mine>\bI)(?: am|['’]m)|(?<owner>${NAME_EN}) is) (?:married|engaged) to (?<to>${NAME_EN})`,
      'gu',
    ),
    relation: 'partner',
  },
]

/** A Chinese name: 老王, 小丽, 大刘, or up to three other characters. */
const NAME_ZH = String.raw`(?:[老小阿大]\p{Script=Han}(?!\p{Script=Han})|\p{Script=Han}{1,3}?|\p{Lu}\p{L}+)`
/** The owner of a relation: 我, 我家, 小丽, 同事大刘. */
const OWNER_ZH = String.raw`(?:(?<mine>我[们]?)(?:家)?|(?<owner>(?:(?:${RELATION_WORDS.zh}))?${NAME_ZH}))`
const KIN_ZH = `(${RELATION_WORDS.zh})`
/** The end of a Chinese name: a punctuation mark, or a word that cannot be part of it. */
const END_ZH = String.raw`(?=[，。！；,.!;、]|$|在|是|会|住|今年)`

const CHINESE: readonly Pattern[] = [
  // “小丽的老公叫王强”.
  {
    pattern: new RegExp(
      String.raw`(?<=^|[，。；、]|我)(?:${OWNER_ZH})(?:最好)?的${KIN_ZH}(?:的名字)?(?:叫|是|名叫)(?<to>\p{Script=Han}{2,4}?|\p{Lu}\p{L}+)${END_ZH}`,
      'gu',
    ),
  },
  // “我姐姐叫王芳”.
  {
    pattern: new RegExp(
      String.raw`(?<=^|[，。；、])(?<mine>我)(?:家|的|大|小|二)?${KIN_ZH}(?:的名字)?(?:叫|是|名叫)(?<to>\p{Script=Han}{2,4}?|\p{Lu}\p{L}+)${END_ZH}`,
      'gu',
    ),
  },
  // “我同事大刘的妹妹…”
  {
    pattern: new RegExp(
      String.raw`(?<=^|[，。；、])(?<mine>我)(?:的)?${KIN_ZH}(?<to>[老小阿大]\p{Script=Han}|\p{Script=Han}{2,3}?|\p{Lu}\p{L}+)的`,
      'gu',
    ),
  },
]

/** Matches words after a relation that are no name: 个好人 in 我老板是个好人 (my boss is a good person). */
const NO_HAN_NAME = /^(?:个|一|很|非常|不|在|谁|做|当|什么|哪|的|这|那|我|你|他|她)|[师员人生家长]$(?<!老师)/u

/**
 * Reads the relations that a text states between names, or between the user and a name. Rules know words for kin, friends,
 * work and pets.
 *
 * @example
 * readRelations("My sister Mia is here. Mia's husband is called Paul.")
 * // [{ from: 'user', relation: 'sister', to: 'Mia', … }, { from: 'Mia', relation: 'husband', to: 'Paul', … }]
 */
export function readRelations(text: string): StatedRelation[] {
  return splitSentences(text).flatMap(({ text: quote }) =>
    RELATION_HINT.test(quote) && !/[?？]\s*$/u.test(quote) ? readSentence(quote) : [],
  )
}

/** Matches a part that every pattern needs: an owner before a relation, a name after “called”, a marriage. */
const RELATION_HINT = new RegExp(
  String.raw`(?:\b(?:[Mm]y|[Oo]ur)|['’]s) ${KIN_EN}(?!\p{L})|(?:called|named) \p{Lu}|(?:married|engaged) to|${RELATION_WORDS.zh}`,
  'u',
)

/** Checks whether a text may state a relation. Most texts do not, and are skipped. */
export const mayRelate = (text: string): boolean => RELATION_HINT.test(text)

/** Reads the relations of one sentence, each pair of entities once. */
function readSentence(quote: string): StatedRelation[] {
  const isChinese = /\p{Script=Han}/u.test(quote)
  const found = new Map<string, StatedRelation>()
  for (const { pattern, relation: fixed } of isChinese ? CHINESE : ENGLISH)
    for (const match of quote.matchAll(pattern)) {
      const { mine, owner = '', to: named = '' } = match.groups ?? {}
      const to = named.replace(/['’]s$/u, '')
      const relationOfOwner = UNNAMED_OWNER.exec(owner)?.[1]
      let from = withoutRelation(owner)
      if (relationOfOwner !== undefined) from = owner.toLowerCase()
      if (mine !== undefined) from = 'user'
      const word = match.slice(1).find((part) => part !== undefined && ALL_RELATION_WORDS.has(part))
      const relation = fixed ?? word ?? ''
      const hasNames = isChinese ? !NO_HAN_NAME.test(to) : !NO_NAMES.has(to) && !NO_NAMES.has(from)
      if (relation === '' || from === '' || !hasNames || from === to) continue
      // “My brother's wife is Elena” relates the user to “my brother”, who has no name yet.
      if (relationOfOwner !== undefined)
        found.set(`user ${from}`, { from: 'user', relation: relationOfOwner, to: from, quote })
      found.set(`${from} ${to}`, { from, relation, to, quote })
    }
  return [...found.values()]
}

/** Matches an owner without a name, and captures the relation to the user: “my brother”, 我哥哥. */
const UNNAMED_OWNER = /^(?:[Mm]y |我)(\S.*)$/u

/** Removes the relation before a Chinese name: 同事大刘 becomes 大刘. */
function withoutRelation(owner: string): string {
  return owner.replace(new RegExp(`^(?:${RELATION_WORDS.zh})(?=\\p{Script=Han}{2})`, 'u'), '')
}

const ALL_RELATION_WORDS: ReadonlySet<string> = new Set([...WORDS, ...Object.keys(TWO_STEP_RELATIONS)])

/** A question in which a name replaces a chain of relations: “my sister's husband” becomes “Paul”. */
export interface FollowedQuestion {
  readonly text: string
  readonly name: string
  /** The relations of the chain. */
  readonly edges: readonly EntityEdge[]
  /** Whether the question asks for the name itself: “Who is my sister's husband?” */
  readonly asksName: boolean
}

/** Checks whether a question may contain a chain of relations, so that the graph is needed. */
export const mayFollow = (question: string): boolean => CHAIN_HINT.test(question)

const CHAIN_HINT = new RegExp(
  String.raw`(?:\b(?:my|our)\b|['’]s) .*\b(?:${RELATION_WORDS.en})\b|(?:${RELATION_WORDS.zh})`,
  'iu',
)
const ASKS_NAME = /\bwho(?:['’]s| is| are)\b[^,]*$|\b(?:called|name)\b|叫什么|什么名字|是谁/iu
/** Matches a continuation of the chain: “Who is my sister's husband's employer?” asks for more than a name. */
const CONTINUATION = /^['’]s\b|^的/u

/**
 * Follows a chain of relations in a question as far as the relations are known.
 *
 * @example
 * followRelations("Where does my sister's husband work?", graph) // { text: 'Where does Paul work?', name: 'Paul', … }
 */
export function followRelations(question: string, graph: RelationGraph): FollowedQuestion | null {
  const isChinese = /\p{Script=Han}/u.test(question)
  const names = [...graph.aliases].flatMap(([full, all]) => [...all].map((alias) => [alias, full] as const))
  const aliases = names.map(([alias]) => alias)
  for (const match of question.matchAll(matchChainStart(aliases, isChinese))) {
    const owner = match[0].replace(/(?:['’]s|的)?\s*$/u, '')
    const isUser = /^(?:my|our|我(?:们|家)?)$/iu.test(owner)
    const from = isUser ? 'user' : names.find(([alias]) => alias.toLowerCase() === owner.toLowerCase())?.[1]
    if (from === undefined) continue
    const followed = followChain(graph, from, question.slice(match.index + match[0].length), isChinese)
    if (followed === null) continue
    const { name, edges, length } = followed
    const rest = question.slice(match.index + match[0].length + length)
    const text = `${question.slice(0, match.index)}${name}${rest}`
    return { text, name, edges, asksName: ASKS_NAME.test(question) && !CONTINUATION.test(rest) }
  }
  return null
}

/** Makes a pattern for the beginning of a chain: “my ”, or a known name with “'s ”. */
function matchChainStart(names: readonly string[], isChinese: boolean): RegExp {
  const owners = names.map(escapePattern).sort((first, second) => second.length - first.length)
  // `(?!)` matches nothing.
  if (isChinese) {
    const possessives = owners.map((owner) => `${owner}的`).join('|') || '(?!)'
    return new RegExp(`我(?:们|家)?(?:的)?|${possessives}`, 'gu')
  }
  const possessives = owners.map((owner) => String.raw`\b${owner}['’]s `).join('|') || '(?!)'
  return new RegExp(String.raw`\b(?:my|our)\b ?|${possessives}`, 'giu')
}

/** Matches one relation of a chain. */
const STEP = {
  en: new RegExp(
    String.raw`^(?:(?:older|younger|elder|little|big|twin|best|late) )?(${RELATION_WORDS.en})\b`,
    'iu',
  ),
  zh: new RegExp(`^(?:最好的)?(${RELATION_WORDS.zh})`, 'u'),
}

/** Follows the relations that a text names one after another. @returns the last name, and how much of the text was read */
function followChain(
  graph: RelationGraph,
  from: string,
  text: string,
  isChinese: boolean,
): { readonly name: string; readonly edges: EntityEdge[]; readonly length: number } | null {
  const edges: EntityEdge[] = []
  let name = from
  let position = 0
  let readLength = 0
  for (;;) {
    const step = STEP[isChinese ? 'zh' : 'en'].exec(text.slice(position))
    if (step === null) break
    const [matched, word = ''] = step
    const stepEdges = findSteps(graph, name, TWO_STEP_RELATIONS[word] ?? [word.toLowerCase()])
    if (stepEdges === null) break
    edges.push(...stepEdges)
    name = stepEdges.at(-1)?.to ?? name
    readLength = position + matched.length
    const possessive = (isChinese ? /^的/u : /^['’]s /u).exec(text.slice(readLength))
    if (possessive === null) break
    position = readLength + possessive[0].length
  }
  return edges.length === 0 || isUnnamed(name) ? null : { name, edges, length: readLength }
}

/** Checks whether an entity is known only by its relation to the user: “my brother”. */
function isUnnamed(name: string): boolean {
  return /^(?:my |我)/u.test(name)
}

/** Finds the edges of relations in a row; `null` if a relation is unknown or leads to several names. */
function findSteps({ edges }: RelationGraph, from: string, words: readonly string[]): EntityEdge[] | null {
  const steps: EntityEdge[] = []
  let origins = [from]
  for (const word of words) {
    const matching = edges.filter(
      (edge) => origins.includes(edge.from) && isSameRelation(word, edge.relation),
    )
    const targets = new Set(matching.map(({ to }) => to))
    if (matching.length === 0) return null
    const names = [...targets].filter((target) => !isUnnamed(target))
    if (names.length > 1) return null
    steps.push(...matching.filter(({ to }) => to === (names[0] ?? to)).slice(0, 1))
    origins = [...targets]
  }
  return steps
}
