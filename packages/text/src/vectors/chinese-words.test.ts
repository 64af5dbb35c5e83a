import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { embeddedChineseTable, segmentChinese } from './chinese-words.ts'
import { embeddedWordVectors } from './word-vectors.ts'

const model = embeddedWordVectors()
function cosine(one: string, other: string): number {
  const [left, right] = [model.embedNow(one), model.embedNow(other)]
  return left.reduce((sum, value, at) => sum + value * (right[at] ?? 0), 0)
}

describe('segmentChinese', () => {
  it.each([
    ['', []],
    ['我的老板很好', ['我', '的', '老板', '很', '好']],
    ['她妊娠五个月了', ['她', '妊娠', '五', '个', '月', '了']],
    ['昨天去医院看医生', ['昨天', '去', '医院', '看', '医生']],
  ])('divides %s', (run, words) => expect(segmentChinese(run)).toEqual(words))

  it('loses nothing of what is in no word, nor of characters of two units', () => {
    for (const run of ['龘𠮷龘', 'ひらがな老板', '𠮷野家的老板'])
      expect(segmentChinese(run).join('')).toBe(run)
  })
})

/** The same by trying every stretch of up to four characters, as plain as it can be said. */
function dividePlainly(run: string): string[] {
  const { rows, probabilities } = embeddedChineseTable()
  const characters = Array.from(run)
  const best: { cost: number; words: string[] }[] = [{ cost: 0, words: [] }]
  for (let from = 0; from < characters.length; from++)
    for (let to = from + 1; to <= Math.min(from + 4, characters.length); to++) {
      const word = characters.slice(from, to).join('')
      const row = rows.get(word)
      if (row === undefined && to > from + 1) continue
      const cost = (best[from]?.cost ?? 0) + (row === undefined ? 22 : -Math.log(probabilities[row] ?? 0))
      if (cost < (best[to]?.cost ?? Infinity))
        best[to] = { cost, words: [...(best[from]?.words ?? []), word] }
    }
  return best[characters.length]?.words ?? []
}

it('divides as trying every stretch does, the first time and again', () => {
  const words = [...embeddedChineseTable().rows.keys()]
  const piece = fc.oneof(
    fc.constantFrom('𠮷', '龘', 'ひ', '的', '了'),
    fc.integer({ min: 0, max: words.length - 1 }).map((at) => words[at] ?? ''),
  )
  const run = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(run, (text) => {
      const plain = dividePlainly(text)
      expect(segmentChinese(text)).toEqual(plain)
      expect(segmentChinese(text)).toEqual(plain)
    }),
    { numRuns: 1_000 },
  )
})

describe('Chinese words in the built-in embedder', () => {
  it.each([
    ['医生', '大夫', '番茄'],
    ['怀孕', '妊娠', '地铁'],
    ['他很害怕', '他感到恐惧', '他买了苹果'],
  ])('puts %s nearer to %s than to %s', (word, near, far) => {
    expect(cosine(word, near)).toBeGreaterThan(cosine(word, far) + 0.2)
  })

  it.each([
    ['医生', 'doctor', 'violin'],
    ['小提琴', 'violin', 'doctor'],
    ['我害怕狗', 'I am afraid of dogs', 'The invoice is overdue'],
  ])('puts %s nearer to “%s” than to “%s”, in another language', (word, near, far) => {
    expect(cosine(word, near)).toBeGreaterThan(cosine(word, far) + 0.2)
  })

  it('still tells the order of characters', () => expect(cosine('上海', '海上')).toBeLessThan(0.9))
})
