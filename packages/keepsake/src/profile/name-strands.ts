import type { Strand } from './strands.ts'

/** People told of by name: each is a strand of its own, since whom somebody names often matters to them. */
const MOST_NAMES = 12
/** A name said in fewer turns is somebody met once. */
const LEAST_TURNS = 2

/** A capitalised word inside a sentence, or one after a title. */
const ENGLISH_NAME =
  /(?:(?<=[\p{Ll},;:'’)]\s)|(?<=\b(?:Mr|Mrs|Ms|Miss|Dr|Aunt|Auntie|Uncle)\.?\s))\p{Lu}\p{Ll}{2,}/gu
const SMALL_WORD = /(?<!\p{L})\p{Ll}{3,}(?!\p{L})/gu
const NO_NAME = new Set(
  `Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June July August September October
  November December Christmas Easter English`.split(/\s+/),
)
/** Forms of address made of a surname or a given name: 小方, 老严, 阿芸, 秀珍姐, 贺叔. */
const CHINESE_NAME =
  /(?:[小老阿](?=\p{Script=Han})(?![时候说师板家公婆妈爸人区学心是去来家乡头大子])\p{Script=Han}|\p{Script=Han}{1,2}(?:姐|哥|叔|姨|婶|伯|总)(?!姐|哥|弟|妹|夫|母|们))/gu
/** 叫…: who or what is told by its name. */
const CALLED = /(?:叫做?|全名|名叫)(?!我|你|他|她|什么|啥|人|车|外卖)(\p{Script=Han}{2,3})/gu

function namesIn(text: string): Set<string> {
  const english = [...text.matchAll(ENGLISH_NAME)].map(([name]) => name).filter((name) => !NO_NAME.has(name))
  const chinese = [...text.matchAll(CHINESE_NAME)].map(([name]) => name)
  const called = [...text.matchAll(CALLED)].map(([, name = '']) => name)
  return new Set([...english, ...chinese, ...called])
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
}

/** What people talk of, as far as it is looked at for names. */
export interface Talked {
  /** What the person said. */
  readonly said: readonly string[]
  /** What the agent said, who names them as well. */
  readonly heard: readonly string[]
  /** Names of the person, which are nobody else's. */
  readonly own: readonly string[]
}

/** A strand for each name that the person says again and again, the most often said first. */
export function nameStrands({ said, heard, own }: Talked): Strand[] {
  const mine = new Set(own.map((name) => name.toLowerCase()))
  const small = new Set(said.flatMap((text) => text.match(SMALL_WORD) ?? []))
  const names = new Set([...said, ...heard].flatMap((text) => [...namesIn(text)]))
  return [...names]
    .filter((name) => !mine.has(name.toLowerCase()) && !small.has(name.toLowerCase()))
    .map((name) => ({ name, turns: said.filter((text) => text.includes(name)).length }))
    .filter(({ turns }) => turns >= LEAST_TURNS)
    .sort((one, other) => other.turns - one.turns)
    .slice(0, MOST_NAMES)
    .map(({ name }) => ({ id: 'named', keys: [], cues: new RegExp(escaped(name), 'u') }))
}
