// Reads relations between people from sentences, and follows chains of relations in questions.
import { splitSentences } from '@keepsake/text'

/** A statement that relates one entity to another: Mia – husband → Paul. */
export interface EntityEdge {
  readonly from: string
  readonly to: string
  /** What `to` is to `from`. */
  readonly relation: string
  /** The memories that state it, with their words. */
  readonly evidence: readonly {
    readonly memory: string
    readonly turn: string | null
    readonly quote: string
  }[]
  /** When it was first stated, milliseconds since 1970. */
  readonly validFrom: number
}

/** The relations that live memories state at a time. */
export interface RelationGraph {
  readonly edges: readonly EntityEdge[]
  /** Names by canonical name. */
  readonly aliases: ReadonlyMap<string, ReadonlySet<string>>
}

/** A relation that a sentence states: Mia's husband is Paul. */
export interface StatedRelation {
  /** A name, or `user`. */
  readonly from: string
  /** The word for what the second is to the first: husband, 老公. */
  readonly relation: string
  readonly to: string
  readonly quote: string
}

/** Words that name the same relation, the plain one first. A question may ask by any of them. */
const SAME: readonly (readonly string[])[] = [
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

/** Relations of two steps that have a word of their own. */
export const IN_TWO: Readonly<Record<string, readonly string[]>> = {
  姐夫: ['姐姐', '老公'],
  妹夫: ['妹妹', '老公'],
  嫂子: ['哥哥', '老婆'],
  弟妹: ['弟弟', '老婆'],
  儿媳: ['儿子', '老婆'],
  女婿: ['女儿', '老公'],
}

const byLength = (words: readonly string[]): string =>
  [...new Set(words)].sort((first, second) => second.length - first.length).join('|')
const WORDS = SAME.flat()
/** Words for relations in English and in Chinese, the longest first. */
export const RELATION_WORDS = {
  en: byLength(WORDS.filter((word) => /^[a-zé -]+$/u.test(word))),
  zh: byLength([...WORDS.filter((word) => /\p{Script=Han}/u.test(word)), ...Object.keys(IN_TWO)]),
}

/** Whether a question by one word may mean a relation that was stated by another. */
export function isSameRelation(asked: string, stated: string): boolean {
  return asked === stated || SAME.some((words) => words.includes(asked) && words.includes(stated))
}

const NAME = String.raw`(?:(?:Mr|Mrs|Ms|Dr|Prof|Aunt|Uncle)\.? )?\p{Lu}[\p{L}'-]*\p{Ll}(?: (?:de |van |von |da )?\p{Lu}[\p{L}'-]*\p{Ll})?`
const KIN = String.raw`(?:(?:older|younger|elder|little|big|twin|best|late) )?(${RELATION_WORDS.en})`
const WHO = String.raw`(?:(?<mine>[Mm]y|[Oo]ur)|(?<owner>[Mm]y (?:${RELATION_WORDS.en})|${NAME})['’]s)`
/** Names that are none: first words of sentences, days and months. */
const NO_NAME =
  /^(?:I|The|This|That|And|But|So|My|Our|His|Her|Their|He|She|They|It|We|You|There|Not|Just|Now|Also|Then|When|If|What|Who|Where|How|Today|Tomorrow|Yesterday|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|January|February|March|April|May|June|July|August|September|October|November|December)$/u

export function isName(subject: string): boolean {
  const isOther = NO_NAME.test(subject) || IS_WORD.has(subject) || /^[我用]/u.test(subject)
  return !isOther && new RegExp(String.raw`^(?:${NAME}|\p{Script=Han}{2,4})$`, 'u').test(subject)
}

interface Pattern {
  readonly pattern: RegExp
  /** The relation where the words name none. */
  readonly relation?: string
}

const ENGLISH: readonly Pattern[] = [
  // “Mia's husband is called Paul”, “my boss is Ingrid”.
  {
    pattern: new RegExp(
      String.raw`\b${WHO} ${KIN}(?:['’]s name is| is called| is named| is|, named|,) (?<to>${NAME})(?=[\s,.;!]|$)`,
      'gu',
    ),
  },
  // “my sister Mia”, “Karl's colleague Sven”.
  { pattern: new RegExp(String.raw`\b${WHO} ${KIN} (?<to>${NAME})(?=[\s,.;!'’]|$)`, 'gu') },
  // “Omar has a sister called Leila”.
  {
    pattern: new RegExp(
      String.raw`(?:\b(?<mine>I)|(?<owner>${NAME})) (?:has|have|['’]ve got|has got) (?:an?|one) ${KIN} (?:called|named) (?<to>${NAME})`,
      'gu',
    ),
  },
  // “Paul is Mia's husband”.
  { pattern: new RegExp(String.raw`(?<![\p{L}'’] )(?<to>${NAME}) is ${WHO} ${KIN}(?=[\s,.;!]|$)`, 'gu') },
  // “Tom is married to Elena”.
  {
    pattern: new RegExp(
      String.raw`(?:(?<mine>\bI)(?: am|['’]m)|(?<owner>${NAME}) is) (?:married|engaged) to (?<to>${NAME})`,
      'gu',
    ),
    relation: 'partner',
  },
]

const HAN = String.raw`(?:[老小阿大]\p{Script=Han}(?!\p{Script=Han})|\p{Script=Han}{1,3}?|\p{Lu}\p{L}+)`
const OWNER = String.raw`(?:(?<mine>我[们]?)(?:家)?|(?<owner>(?:(?:${RELATION_WORDS.zh}))?${HAN}))`
const ZH_KIN = `(${RELATION_WORDS.zh})`
const ZH_END = String.raw`(?=[，。！；,.!;、]|$|在|是|会|住|今年)`

const CHINESE: readonly Pattern[] = [
  {
    pattern: new RegExp(
      String.raw`(?<=^|[，。；、]|我)(?:${OWNER})(?:最好)?的${ZH_KIN}(?:的名字)?(?:叫|是|名叫)(?<to>\p{Script=Han}{2,4}?|\p{Lu}\p{L}+)${ZH_END}`,
      'gu',
    ),
  },
  {
    pattern: new RegExp(
      String.raw`(?<=^|[，。；、])(?<mine>我)(?:家|的|大|小|二)?${ZH_KIN}(?:的名字)?(?:叫|是|名叫)(?<to>\p{Script=Han}{2,4}?|\p{Lu}\p{L}+)${ZH_END}`,
      'gu',
    ),
  },
  // “我同事大刘的妹妹…”
  {
    pattern: new RegExp(
      String.raw`(?<=^|[，。；、])(?<mine>我)(?:的)?${ZH_KIN}(?<to>[老小阿大]\p{Script=Han}|\p{Script=Han}{2,3}?|\p{Lu}\p{L}+)的`,
      'gu',
    ),
  },
]

/** Words that are no name after a relation: 我老板是个好人. */
const NO_HAN_NAME = /^(?:个|一|很|非常|不|在|谁|做|当|什么|哪|的|这|那|我|你|他|她)|[师员人生家长]$(?<!老师)/u

/**
 * Reads the relations that a text states between names, or between the user and a name. Rules alone: words for kin, friends, work and pets.
 *
 * @example
 * readRelations("My sister Mia is here. Mia's husband is called Paul.")
 * // [{ from: 'user', relation: 'sister', to: 'Mia', … }, { from: 'Mia', relation: 'husband', to: 'Paul', … }]
 */
export function readRelations(text: string): StatedRelation[] {
  return splitSentences(text).flatMap(({ text: quote }) =>
    NAMES_RELATION.test(quote) && !/[?？]\s*$/u.test(quote) ? inSentence(quote) : [],
  )
}

/** A word without which a sentence states no relation. */
const NAMES_RELATION = new RegExp(`${RELATION_WORDS.en}|${RELATION_WORDS.zh}|married|engaged`, 'u')

function inSentence(quote: string): StatedRelation[] {
  const isChinese = /\p{Script=Han}/u.test(quote)
  const found = new Map<string, StatedRelation>()
  for (const { pattern, relation: fixed } of isChinese ? CHINESE : ENGLISH)
    for (const match of quote.matchAll(pattern)) {
      const { mine, owner = '', to: named = '' } = match.groups ?? {}
      const to = named.replace(/['’]s$/u, '')
      const unnamed = /^(?:[Mm]y |我)(\S.*)$/u.exec(owner)?.[1]
      const from =
        mine === undefined ? (unnamed === undefined ? withoutRelation(owner) : owner.toLowerCase()) : 'user'
      const relation = fixed ?? match.slice(1).find((part) => part !== undefined && IS_WORD.has(part)) ?? ''
      const isName = isChinese ? !NO_HAN_NAME.test(to) : !NO_NAME.test(to) && !NO_NAME.test(from)
      if (relation === '' || from === '' || !isName || from === to) continue
      // “My brother's wife is Elena”: the brother has no name yet.
      if (unnamed !== undefined)
        found.set(`user ${from}`, { from: 'user', relation: unnamed, to: from, quote })
      found.set(`${from} ${to}`, { from, relation, to, quote })
    }
  return [...found.values()]
}

/** 同事大刘 is 大刘. */
function withoutRelation(owner: string): string {
  return owner.replace(new RegExp(`^(?:${RELATION_WORDS.zh})(?=\\p{Script=Han}{2})`, 'u'), '')
}

const IS_WORD: ReadonlySet<string> = new Set([...WORDS, ...Object.keys(IN_TWO)])

/** A question whose chain of relations was followed: “my sister's husband” is Paul. */
export interface FollowedQuestion {
  readonly text: string
  readonly name: string
  readonly edges: readonly EntityEdge[]
  readonly asksName: boolean
}

/** Whether a question may hold a chain of relations, before anything is read for it. */
export const mayFollow = (question: string): boolean => CHAIN_HINT.test(question)

const CHAIN_HINT = new RegExp(
  String.raw`(?:\b(?:my|our)\b|['’]s) .*\b(?:${RELATION_WORDS.en})\b|(?:${RELATION_WORDS.zh})`,
  'iu',
)
const ASKS_NAME = /\bwho(?:['’]s| is| are)\b[^,]*$|\b(?:called|name)\b|叫什么|什么名字|是谁/iu
/** “Who is X's employer?” asks for more than the name behind its chain. */
const GOES_ON = /^['’]s\b|^的/u

const escaped = (name: string): string => name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)

/**
 * Follows a chain of relations in a question as far as it is known.
 *
 * @example
 * followRelations("Where does my sister's husband work?", graph) // { text: 'Where does Paul work?', name: 'Paul', … }
 */
export function followRelations(question: string, graph: RelationGraph): FollowedQuestion | null {
  const isChinese = /\p{Script=Han}/u.test(question)
  const names = [...graph.aliases].flatMap(([full, all]) => [...all].map((alias) => [alias, full] as const))
  const owners = names.map(([alias]) => escaped(alias)).sort((first, second) => second.length - first.length)
  const start = isChinese
    ? new RegExp(`我(?:们|家)?(?:的)?|${owners.map((owner) => `${owner}的`).join('|') || '(?!)'}`, 'gu')
    : new RegExp(
        String.raw`\b(?:my|our)\b ?|${owners.map((owner) => String.raw`\b${owner}['’]s `).join('|') || '(?!)'}`,
        'giu',
      )
  for (const match of question.matchAll(start)) {
    const owner = match[0].replace(/(?:['’]s|的)?\s*$/u, '')
    const isUser = /^(?:my|our|我(?:们|家)?)$/iu.test(owner)
    const from = isUser ? 'user' : names.find(([alias]) => alias.toLowerCase() === owner.toLowerCase())?.[1]
    if (from === undefined) continue
    const followed = walk(graph, from, question.slice(match.index + match[0].length), isChinese)
    if (followed === null) continue
    const { name, edges, length } = followed
    const rest = question.slice(match.index + match[0].length + length)
    const text = `${question.slice(0, match.index)}${name}${rest}`
    return { text, name, edges, asksName: ASKS_NAME.test(question) && !GOES_ON.test(rest) }
  }
  return null
}

const STEP = {
  en: new RegExp(
    String.raw`^(?:(?:older|younger|elder|little|big|twin|best|late) )?(${RELATION_WORDS.en})\b`,
    'iu',
  ),
  zh: new RegExp(`^(?:最好的)?(${RELATION_WORDS.zh})`, 'u'),
}

/** Walks the relations that a text names one after another. */
function walk(
  graph: RelationGraph,
  from: string,
  text: string,
  isChinese: boolean,
): { readonly name: string; readonly edges: EntityEdge[]; readonly length: number } | null {
  const edges: EntityEdge[] = []
  let place = from
  let read = 0
  for (let length = 0; ;) {
    const step = STEP[isChinese ? 'zh' : 'en'].exec(text.slice(length))
    const [whole = '', word = ''] = step ?? []
    const taken = step === null ? null : takeSteps(graph, place, IN_TWO[word] ?? [word.toLowerCase()])
    if (taken === null) break
    edges.push(...taken)
    place = taken.at(-1)?.to ?? place
    length += whole.length
    read = length
    const link = (isChinese ? /^的/u : /^['’]s /u).exec(text.slice(length))
    if (link === null) break
    length += link[0].length
  }
  // A place that only stands for the user's unnamed brother is no name to ask by.
  return edges.length === 0 || /^(?:my |我)/u.test(place) ? null : { name: place, edges, length: read }
}

/** The edges of one relation or of two, where each leads to one entity. */
function takeSteps({ edges }: RelationGraph, from: string, words: readonly string[]): EntityEdge[] | null {
  const taken: EntityEdge[] = []
  let places = [from]
  for (const word of words) {
    const found = edges.filter((edge) => places.includes(edge.from) && isSameRelation(word, edge.relation))
    const targets = new Set(found.map(({ to }) => to))
    if (found.length === 0) return null
    const named = [...targets].filter((name) => !/^(?:my |我)/u.test(name))
    if (named.length > 1) return null
    taken.push(...found.filter(({ to }) => to === (named[0] ?? to)).slice(0, 1))
    places = [...targets]
  }
  return taken
}
