import { statSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ModelError } from '../errors/model-error.ts'
import { packagedDataPath } from '../terms/read-packaged-data.ts'
import { chooseUpdate, readUpdate } from './choose-update.ts'
import { KIND_FEATURES } from './kind-features.ts'
import { decodeUpdaterWeights, embeddedUpdaterWeights, UPDATER_WEIGHTS_FILE } from './updater-weights.ts'

const EN = [
  'I drive a rusty blue van.',
  'The user plays the cello.',
  'My best friend Odile lives in Nantes.',
  "I'm learning Portuguese at the moment.",
]
const ZH = [
  '我开一辆蓝色的面包车。',
  '用户会拉大提琴。',
  '我最好的朋友小岚住在青岛。',
  '我最近在学葡萄牙语。',
]

describe('chooseUpdate', () => {
  it.each([
    ["I no longer learn Portuguese, I've switched to Japanese now.", EN, 'modify', 3],
    ["I've given up the cello.", EN, 'delete', 1],
    ['Please forget my best friend Odile, what I said about Odile no longer counts.', EN, 'delete', 2],
    ['葡萄牙语我不学了，改学日语了。', ZH, 'modify', 3],
    ['大提琴我放弃了。', ZH, 'delete', 1],
  ] as const)('%s', (said, known, kind, target) => {
    expect(chooseUpdate(said, known)).toMatchObject({ kind, target })
  })

  it.each([
    ['The van needs new tyres before the winter.', EN],
    ['Do you think the cello is harder than the violin?', EN],
    ['Odile sent me a postcard from Nantes.', EN],
    ['面包车该换轮胎了吗？', ZH],
    ['小岚从青岛给我寄了张明信片。', ZH],
  ])('names something known and changes nothing: %s', (said, known) => {
    expect(chooseUpdate(said, known).target).toBeNull()
  })

  it('tells what is new from what is nothing', () => {
    expect(chooseUpdate("I'm taking a course in bookkeeping on Tuesdays.", EN).kind).toBe('add')
    expect(chooseUpdate('How are you today?', EN).kind).toBe('none')
  })

  it('changes nothing where nothing is known, or nothing that is named', () => {
    expect(chooseUpdate("I've given up the cello.", []).target).toBeNull()
    expect(chooseUpdate("I've given up the trombone.", ['I live in Ghent.']).target).toBeNull()
  })

  it('acts only when it is as sure as it must be', () => {
    const said = "I've given up the cello."
    expect(chooseUpdate(said, EN, { from: { modify: 1, delete: 1 } }).target).toBeNull()
    expect(chooseUpdate(said, EN, { from: { modify: 0, delete: 0 } }).target).toBe(1)
  })

  it('finds what is meant among many that say the same words', () => {
    const known = [
      ...Array.from({ length: 60 }, (_, n) => `On day ${n + 1} I went for a run in the park.`),
      ...EN,
    ]
    expect(chooseUpdate("I've given up the cello.", known).target).toBe(61)
  })

  it('gives chances that come to one', () => {
    const { chances } = chooseUpdate('I sold the van.', EN)
    expect(Object.values(chances).reduce((sum, one) => sum + one, 0)).toBeCloseTo(1)
  })

  it('reads as many features as there are weights', () => {
    const { target } = embeddedUpdaterWeights()
    expect(readUpdate('I sold the van.', EN, { target }).features).toHaveLength(KIND_FEATURES.length)
  })
})

describe('the packaged weights', () => {
  it('are under a megabyte and say what they were learned from', () => {
    expect(statSync(packagedDataPath(UPDATER_WEIGHTS_FILE)).size).toBeLessThan(1_000_000)
    expect(embeddedUpdaterWeights()).toMatchObject({ licence: 'Apache-2.0', seed: 7 })
    expect(embeddedUpdaterWeights().source).toContain('train split')
  })

  it.each(['', '{}', '{"version":2}'])('are refused when they are something else: %s', (text) => {
    expect(() => decodeUpdaterWeights(text)).toThrow(ModelError)
  })
})
