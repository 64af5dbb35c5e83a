import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ModelError, WORD_TABLE_FILE, readPackagedData, type WordTable } from '@keepsake/text'
import { readPackagedText } from './packaged/packaged-files.ts'
import {
  AROUSAL_WEIGHTS_FILE,
  BLOCK,
  FOURIER_FEATURES,
  decodeArousalWeights,
  embeddedArousal,
  embeddedArousalWeights,
  fourierFeatures,
  makeFourierBasis,
  predictArousal,
  walshHadamard,
} from './arousal.ts'
import { markArousal, readArousalFeatures, standardise } from './arousal-features.ts'

const NOTICE = new URL('../../NOTICE.md', import.meta.url)
const model = embeddedArousal()
const arousalOf = (text: string): number => model.arousal([text])[0] ?? Number.NaN

describe('embeddedArousal', () => {
  it.each([
    ['We won the championship!!!', 'We filed the form.'],
    ['I am furious, how dare you!', 'The bus stops near the library.'],
    ['Oh my god, the house is on fire!', 'The house is on a street.'],
    ['I love it!', 'I love it.'],
    ['太棒了！！', '太棒了'],
    ['非常开心', '开心'],
  ])('takes %j for more excited than %j', (excited, calm) => {
    expect(arousalOf(excited)).toBeGreaterThan(arousalOf(calm))
  })

  it.each(['', '  \n'])('gives the middle for %j', (text) => expect(arousalOf(text)).toBe(3))

  it.each([
    '🎉',
    '!!!',
    'שלום',
    '我',
    '\ud800',
    'x'.repeat(1 << 20),
    '!'.repeat(1 << 20),
    '好！'.repeat(1 << 19),
    `好${'!'.repeat(1 << 20)}`,
    '\0',
  ])('stays on the scale for any text (%#)', (text) => {
    expect(arousalOf(text)).toBeGreaterThanOrEqual(1)
    expect(arousalOf(text)).toBeLessThanOrEqual(5)
  })

  it('answers one value a text, in order, each whatever its neighbours', () => {
    const texts = ['I got the job!', '我在公园。', '']
    expect(model.arousal(texts)).toEqual(texts.map(arousalOf))
    expect(model.arousal([])).toEqual([])
  })
})

/** Two words of two dimensions: calm (1, 0), wild (0, 2); both rare. */
const table: WordTable = {
  dimensions: 2,
  rows: new Map([
    ['calm', 0],
    ['wild', 1],
  ]),
  probabilities: new Float32Array(2),
  scales: Float32Array.from([1, 2]),
  bytes: Int8Array.from([1, 0, 0, 1]),
}
const axes = Float32Array.from([1, 1, 0, 0, 0, 0, 0, 0])

describe('readArousalFeatures', () => {
  it('pools word vectors and their scores on an axis', () => {
    const { dense } = readArousalFeatures('calm wild unknown', table, axes)
    expect(Array.from(dense.slice(0, 6))).toEqual([0.5, 1, 1, 2, 0, 0]) // mean, maximum, minimum
    expect(Array.from(dense.slice(6, 11))).toEqual([2, 1, 0.5, 1.5, 1.5]) // highest, lowest, deviation, top two, top three
  })

  it('holds outliers at five deviations and ignores what never varied', () => {
    const { dense } = readArousalFeatures('wild', table, axes)
    const deviations = new Float32Array(dense.length)
    deviations[1] = 0.001
    const standard = standardise(dense, new Float32Array(dense.length), deviations)
    expect(standard[1]).toBeCloseTo(5 / Math.sqrt(330 / 0.4))
    expect(standard.filter((value) => value !== 0)).toHaveLength(1)
  })
})

describe('fourierFeatures', () => {
  const basis = makeFourierBasis(7)

  it('transforms as Walsh and Hadamard do', () => {
    const values = Float64Array.from([1, 2, 3, 4])
    walshHadamard(values)
    expect([...values]).toEqual([10, -2, -4, 0])
  })

  it.each([1, 2, 8, 16, 512])(
    'transforms %d values to the last bit as one step after the other does',
    (length) => {
      const values = Float64Array.from({ length }, (_, at) => Math.sin(at * 1.7) / 3)
      const plain = values.slice()
      for (let half = 1; half < length; half *= 2)
        for (let at = 0; at < length; at++) {
          if ((at & half) !== 0) continue
          const left = plain[at] ?? 0
          const right = plain[at + half] ?? 0
          plain[at] = left + right
          plain[at + half] = left - right
        }
      walshHadamard(values)
      expect(values).toEqual(plain)
    },
  )

  it.each([0.2, 0.7, 1.5])('has dot products near the Gaussian kernel at distance %d', (distance) => {
    const left = Float64Array.from({ length: 40 }, (_, at) => Math.sin(at))
    const right = left.map((value, at) => value + (distance * (at % 2 === 0 ? 1 : -1)) / Math.sqrt(40))
    const [a, b] = [fourierFeatures(left, basis), fourierFeatures(right, basis)]
    const product = a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)
    expect(product).toBeCloseTo(Math.exp(-(distance ** 2) / 2), 1)
  })

  it('is the same for a seed', () => {
    expect(makeFourierBasis(7)).toEqual(basis)
    expect(makeFourierBasis(8)).not.toEqual(basis)
    expect(BLOCK).toBeLessThan(FOURIER_FEATURES)
  })
})

describe('predictArousal', () => {
  it('adds intercept, kernel and grams weighted by rarity', () => {
    const basis = makeFourierBasis(7)
    const weights = {
      ...embeddedArousalWeights(),
      intercept: 3,
      fourier: new Float32Array(FOURIER_FEATURES),
      grams: Int8Array.from([10, -4, 100]),
      gramScale: 0.1,
      gramRarity: Uint8Array.from([3, 4, 0]),
    }
    const dense = readArousalFeatures('', table, axes).dense
    // (3·10 − 4·4) · 0.1 / √(9 + 16) = 0.28
    expect(predictArousal({ dense, grams: [0, 1, 2] }, weights, basis)).toBeCloseTo(3.28)
    expect(predictArousal({ dense, grams: [2] }, weights, basis)).toBeCloseTo(3)
  })
})

describe('markArousal', () => {
  const marks = { intercept: 3, weights: [0.4, 0.2, 0.1, 0.3, -0.1, 0.5] }
  it.each([
    ['明天见', 3],
    ['明天见！', 3.4],
    ['明天见！！', 3.6],
    ['什么？！', 3.8],
    ['嗯……', 2.9],
    ['非常非常非常非常好', 3.6],
  ])('%s: %d', (text, arousal) => expect(markArousal(text, marks)).toBeCloseTo(arousal))
})

describe('the packaged weights', () => {
  it('are those the recipe made, for the packaged word table, and NOTICE.md names them', () => {
    const file = readPackagedText(AROUSAL_WEIGHTS_FILE)
    const hash = (data: Uint8Array | string): string => createHash('sha256').update(data).digest('hex')
    expect(readFileSync(NOTICE, 'utf8')).toContain(hash(file))
    expect(JSON.parse(file)).toMatchObject({
      wordTable: hash(readPackagedData(WORD_TABLE_FILE)),
      licence: 'CC BY-SA 4.0',
    })
  })

  it.each(['', '{}', '[]'])('are refused as %j', (text) => {
    expect(() => decodeArousalWeights(text)).toThrow(ModelError)
  })
})
