import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { packagedDataPath, readPackagedData, readPackagedFile } from '../terms/read-packaged-data.ts'
import { DIMENSIONS, embeddedWordVectors, WORD_TABLE_FILE } from './word-vectors.ts'
import { CHARACTER_TABLE_FILE } from './character-table.ts'
import { CHINESE_WORD_TABLE_FILE } from './chinese-words.ts'

const NOTICE = new URL('../../NOTICE.md', import.meta.url)
const model = embeddedWordVectors()
const embed = (text: string) => model.embedNow(text)
const length = (vector: Float32Array) => Math.hypot(...vector)
const cosine = (left: string, right: string) => {
  const other = embed(right)
  return embed(left).reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0)
}

describe('embeddedWordVectors', () => {
  it.each([
    ['doctor', 'physician', 'violin'],
    ['puppy', 'dog', 'invoice'],
    ['We moved to a new flat', 'I changed apartments', 'The soup was salty'],
    ['He plays the guitar in a band', 'Her favourite music is rock', 'The tax office sent a letter'],
  ])('puts %j nearer to %j than to %j', (text, near, far) => {
    expect(cosine(text, near)).toBeGreaterThan(cosine(text, far) + 0.2)
  })

  it.each([
    ['我住在上海', '他上个月搬到上海了', '今天的晚饭很好吃'],
    ['她喜欢弹钢琴', '钢琴课每周三', '明天要去看医生'],
  ])('puts %j nearer to %j than to %j', (text, near, far) => {
    expect(cosine(text, near)).toBeGreaterThan(cosine(text, far) + 0.2)
  })

  it('tells unknown words from each other and knows them again', () => {
    expect(cosine('zorblaxia', 'zorblaxias')).toBeGreaterThan(0.6)
    expect(cosine('zorblaxia', 'quentherby')).toBeLessThan(0.4)
    expect(cosine('room 4711', 'room 4712')).toBeLessThan(0.9)
  })

  it('reads case, width, typographic apostrophes, possessives and drawls as the same word', () => {
    expect(cosine('ＤＯＧ’s', 'dog')).toBeCloseTo(1, 5)
    expect(cosine('Don’t worry', "don't worry")).toBeCloseTo(1, 5)
    expect(cosine('amaaaazing', 'amazing')).toBeCloseTo(1, 5)
  })

  it('hears a negation', () => {
    expect(embed("I can't swim")).not.toEqual(embed('I can swim'))
  })

  it.each(['', '   ', '!?…', '🎉🎉', '\0\u0001'])('has zeros for %j, in which there are no words', (text) => {
    expect(embed(text)).toEqual(new Float32Array(DIMENSIONS))
  })

  it.each(['שלום עולם', 'สวัสดีครับ', 'おはようございます', '\ud800 broken', 'é', 'a 上海 b'])(
    'gives %j a vector of length 1',
    (text) => {
      expect(length(embed(text))).toBeCloseTo(text === 'a' ? 0 : 1, 5)
    },
  )

  it('is the same every time, from embed and embedNow, and shares nothing between calls', async () => {
    const first = embed('We adopted a puppy 小狗 zorblax')
    const kept = first.slice()
    const [second] = await model.embed(['We adopted a puppy 小狗 zorblax'])
    expect(second).toEqual(kept)
    first.fill(0)
    expect(embed('We adopted a puppy 小狗 zorblax')).toEqual(kept)
  })

  it('reads no more of a huge text than it needs', () => {
    const head = 'puppy '.repeat(20_000)
    expect(embed(head + 'invoice '.repeat(200_000))).toEqual(embed(head))
    expect(length(embed('\u0000'.repeat(1 << 20)))).toBe(0)
    expect(length(embed('好'.repeat(1 << 20)))).toBeCloseTo(1, 5)
    expect(length(embed('x'.repeat(1 << 20)))).toBeCloseTo(1, 5)
  })

  it('stops between texts when aborted', async () => {
    const reason = new Error('stop')
    await expect(model.embed(['a'], { abortSignal: AbortSignal.abort(reason) })).rejects.toBe(reason)
  })
})

describe('the packaged files', () => {
  // Other bytes are other vectors: then the model's id must change too, and NOTICE.md with it.
  it.each([
    [WORD_TABLE_FILE, 'f9d86b9e8ab656fa1875be1852d52d4ad8635139b757a5f985d744449761de39'],
    [CHINESE_WORD_TABLE_FILE, '12ca10cc44b28a4c22f08c214cd28688264896b1a4fee6c5701796faed7d25e7'],
    [CHARACTER_TABLE_FILE, '32240f40a70f14164cba3f7f753f6b58767a4cb427f65387a1e0742ae5827ae3'],
  ] as const)('%s is the one the recipe made', (file, sha256) => {
    expect(createHash('sha256').update(readPackagedData(file)).digest('hex')).toBe(sha256)
    expect(readFileSync(NOTICE, 'utf8')).toContain(sha256)
  })

  it('are all there, and each has an address written out, which bundlers can read', () => {
    const source = readFileSync(new URL('../terms/read-packaged-data.ts', import.meta.url), 'utf8')
    const folder = dirname(packagedDataPath(WORD_TABLE_FILE))
    for (const file of readdirSync(folder).filter((name) => /\.(json|bin)$/.test(name)))
      expect(source).toContain(`new URL('../../data/${file}', import.meta.url)`)
  })

  it('is named when it is missing', () => {
    expect(() => readPackagedFile('/nowhere/absent.bin')).toThrow(/absent\.bin.*Reinstall/)
  })
})
