import { globSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { fill } from './texts.ts'

const PAGE = new URL('..', import.meta.url)
const read = (file: string): unknown => JSON.parse(readFileSync(new URL(file, PAGE), 'utf8'))
const CATALOGS = globSync('pages/**/*words.json', { cwd: PAGE }).map(
  (file) => read(file) as { readonly en: unknown; readonly zh: unknown },
)
CATALOGS.push({ en: read('words/en.json'), zh: read('words/zh.json') })

/** Each text by its key; the forms of a text by count are one. */
function textsOf(catalog: unknown, key = ''): readonly (readonly [key: string, text: string])[] {
  if (typeof catalog === 'string') return [[key, catalog]]
  const fields = Object.entries(catalog as object)
  if (fields.some(([name]) => name === 'many'))
    return [[key, fields.map(([, text]) => String(text)).join(' | ')]]
  return fields.flatMap(([name, inner]) => textsOf(inner, `${key}.${name}`))
}

it('what can be undone is “forget”, what cannot is “erase”, in both languages', () => {
  const texts = CATALOGS.flatMap(({ en, zh }) => [...textsOf(en), ...textsOf(zh)])
  // The key of the page, messages of another program and words of a portrait are no memories.
  const others = texts.filter(
    ([, text]) =>
      /\b(?:[Dd]elet|[Rr]emov)|删除|移除|忘掉/u.test(text) &&
      !/the key|deleted messages|已删除的消息|^removed$/.test(text),
  )
  expect(others).toEqual([])
})

it('both languages have the same texts, and put no value into one that English does not', () => {
  expect(CATALOGS.length).toBeGreaterThan(8)
  const valuesIn = (text: string): string[] => text.match(/\{\w+\}/g) ?? []
  for (const { en, zh } of CATALOGS) {
    const english = new Map(textsOf(en))
    expect(textsOf(zh).map(([key]) => key)).toEqual([...english.keys()])
    const unknown = textsOf(zh).flatMap(([key, text]) =>
      valuesIn(text).filter((value) => !(english.get(key) ?? '').includes(value)),
    )
    expect(unknown).toEqual([])
  }
})

it('fills in values by count, with a space before Latin letters alone', () => {
  const text = { zero: 'none', one: '{count} user', many: '{count} users' }
  expect([0, 1, 2].map((count) => fill(text, { count }))).toEqual(['none', '1 user', '2 users'])
  expect(['Ana', '小安'].map((name) => fill('关于 {name}', { name }))).toEqual(['关于 Ana', '关于小安'])
})
