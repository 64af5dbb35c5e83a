import type { Strand } from './strands.ts'

/** People told of by name: each is a strand of its own, since whom somebody names often matters to them. */
const MOST_NAMES = 12
/** A name said in fewer turns is somebody met once. */
const LEAST_TURNS = 2

/** A capitalised word inside a sentence, or one after a title. */
const ENGLISH_NAME =
  /(?:(?<=[\p{Ll},;:'’)]\s)|(?<=\b(?:Mr|Mrs|Ms|Miss|Dr|Aunt|Auntie|Uncle)\.?\s))\p{Lu}\p{Ll}{2,}/gu
const NO_NAME = new Set(
  `Monday Tuesday Wednesday Thursday Friday Saturday Sunday January February March April May June July August September October
  November December Christmas Easter English`.split(/\s+/),
)
/** Forms of address made of a surname or a given name: 小何, 老周, 阿棠, 桂兰姐, 马叔. */
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

/**
 * A strand for each name that is said again and again, the most often said first.
 *
 * @param texts what the person said
 * @param own names of the person and the agent, which are nobody else's
 */
export function nameStrands(texts: readonly string[], own: readonly string[]): Strand[] {
  const turns = new Map<string, number>()
  for (const text of texts) for (const name of namesIn(text)) turns.set(name, (turns.get(name) ?? 0) + 1)
  const all = texts.join('\n')
  const mine = new Set(own.map((name) => name.toLowerCase()))
  return [...turns]
    .filter(([name]) => !mine.has(name.toLowerCase()))
    .map(([name]): readonly [string, number] => {
      const said = texts.filter((text) => text.includes(name)).length
      return [name, said]
    })
    .filter(
      ([name, said]) =>
        said >= LEAST_TURNS &&
        !new RegExp(`(?<!\\p{L})${name.toLowerCase()}(?!\\p{L})`, 'u').test(all.replaceAll(name, '')),
    )
    .sort(([, one], [, other]) => other - one)
    .slice(0, MOST_NAMES)
    .map(([name]) => ({ id: 'named', keys: [], cues: new RegExp(escaped(name), 'u') }))
}
