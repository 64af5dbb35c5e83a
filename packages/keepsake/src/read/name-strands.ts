// Finds the people whom a user names again and again. An overview covers each of them.
import { escapePattern } from '@keepsake/text'
import type { Turn } from '../turns/turn.ts'
import type { Strand } from './life-areas.ts'

/** The id of each strand that is a name. */
export const NAMED_STRAND = 'named'
/** Maximum number of people with a strand of their ownNames. */
const MAX_NAMES = 12
/** A name in fewer turns belongs to a person met once. */
const MIN_TURNS = 2

/** Matches a capitalised word inside a sentence, or one after a title. */
const ENGLISH_NAME =
  /(?:(?<=[\p{Ll},;:'’)]\s)|(?<=\b(?:Mr|Mrs|Ms|Miss|Dr|Aunt|Auntie|Uncle)\.?\s))\p{Lu}\p{Ll}{2,}/gu
const LOWER_CASE_WORD = /(?<!\p{L})\p{Ll}{3,}(?!\p{L})/gu
const NOT_NAMES = new Set(
  `Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June July August September October
  November December Christmas Easter English`.split(/\s+/),
)
/** Matches forms of address made of a surname or a given name: 小方, 老严, 阿芸, 秀珍姐, 贺叔. */
const CHINESE_NAME =
  /(?:[小老阿](?=\p{Script=Han})(?![时候说师板家公婆妈爸人区学心是去来家乡头大子])\p{Script=Han}|\p{Script=Han}{1,2}(?:姐|哥|叔|姨|婶|伯|总)(?!姐|哥|弟|妹|夫|母|们))/gu
/** Matches 叫 (“is called”) and the name of a person or thing. */
const CALLED = /(?:叫做?|全名|名叫)(?!我|你|他|她|什么|啥|人|车|外卖)(\p{Script=Han}{2,3})/gu

/** Caches the names in turns, because every overview reads all turns. */
const namesOfTurns = new WeakMap<Pick<Turn, 'text'>, ReadonlySet<string>>()

function namesIn(turn: Pick<Turn, 'text'>): ReadonlySet<string> {
  const names = namesOfTurns.get(turn) ?? findNames(turn.text)
  namesOfTurns.set(turn, names)
  return names
}

function findNames(text: string): ReadonlySet<string> {
  const english = [...text.matchAll(ENGLISH_NAME)]
    .map(([name]) => name)
    .filter((name) => !NOT_NAMES.has(name))
  const chinese = [...text.matchAll(CHINESE_NAME)].map(([name]) => name)
  const called = [...text.matchAll(CALLED)].map(([, name = '']) => name)
  return new Set([...english, ...chinese, ...called])
}

/** The turns that are searched for names. */
export interface TalkTurns {
  readonly ofUser: readonly Pick<Turn, 'text'>[]
  /** Turns of the agent, who names people too. */
  readonly ofAgent: readonly Pick<Turn, 'text'>[]
  /** Names of the user. */
  readonly ownNames: readonly string[]
}

/** Makes a strand for each name that the user says in several turns, the most frequent first. */
export function nameStrands({ ofUser, ofAgent, ownNames }: TalkTurns): Strand[] {
  const ownNamesLower = new Set(ownNames.map((name) => name.toLowerCase()))
  // A word that the user also writes in lower case is no name.
  const lowerCaseWords = new Set(ofUser.flatMap(({ text }) => text.match(LOWER_CASE_WORD) ?? []))
  const names = new Set([...ofUser, ...ofAgent].flatMap((turn) => [...namesIn(turn)]))
  return [...names]
    .filter((name) => !ownNamesLower.has(name.toLowerCase()) && !lowerCaseWords.has(name.toLowerCase()))
    .map((name) => ({ name, turns: ofUser.filter(({ text }) => text.includes(name)).length }))
    .filter(({ turns }) => turns >= MIN_TURNS)
    .sort((a, b) => b.turns - a.turns)
    .slice(0, MAX_NAMES)
    .map(({ name }) => ({ id: NAMED_STRAND, keys: [], cues: new RegExp(escapePattern(name), 'u') }))
}
