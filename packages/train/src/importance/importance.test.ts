import { InvalidInputError } from 'keepsake'
import { lufyForgetting as lufy } from '@keepsake/papers'
import { seededRandom } from '@keepsake/bench/parts'
import { describe, expect, it } from 'vitest'
import { markedOf, readAnnotations, writeAnnotations, type Marked } from './annotation.ts'
import { crossValidate } from './cross-validate.ts'
import { fitWeights } from './fit-weights.ts'
import { plotFit } from './plot-fit.ts'

/** People who mark by importance alone, whatever the arousal. */
function marksOf(people: readonly string[], perSession = 30, wasRetrieved = true): Marked[] {
  const draw = seededRandom(1)
  return people.flatMap((person) =>
    ['s1', 's2'].flatMap((session) =>
      Array.from({ length: perSession }, (): Marked => {
        const importance = 1 + 9 * draw()
        const signals = { arousal: 2 + 2 * draw(), surprise: 400 * draw(), importance }
        const use = { first: wasRetrieved && draw() < 0.3 ? 1 : 0, second: 0 }
        const said = { person, session: `${person}/${session}`, agent: 'And?', user: 'Well.' }
        return { ...said, signals, use, important: importance > 8.5 ? 1 : 0 }
      }),
    ),
  )
}

describe('fitting on marks', () => {
  it('finds what people mark by, and brings the maps along', () => {
    const { weights, calibration, source } = fitWeights(marksOf(['Ana', 'Bo']), { source: 'two people' })
    expect(weights.importance).toBeGreaterThan(Math.abs(weights.arousal))
    expect(weights.importance).toBeGreaterThan(Math.abs(weights.surprise))
    expect(source).toBe('two people, 120 memories')
    expect(calibration.importance.slope).toBeGreaterThan(0)
    expect(lufy({ weights: { weights, calibration, source } }).formula).toContain(`${weights.importance} L`)
  })

  it('leaves the paper’s weights of retrievals where nothing was ever retrieved', () => {
    const { weights } = fitWeights(marksOf(['Ana'], 30, false), { source: 'untouched' })
    expect([weights.first, weights.second]).toEqual([1.02, -0.012])
  })

  it('is judged on people who had no part in it, beside the paper’s weights', () => {
    const checked = crossValidate(marksOf(['Ana', 'Bo', 'Cleo']), {})
    expect(checked.by).toBe('person')
    expect(checked.folds.map(({ heldOut }) => heldOut)).toEqual(['Ana', 'Bo', 'Cleo'])
    expect(checked.folds[0]?.weights.source).toBe('all but Ana, 120 memories')
    expect(checked.lead.agreement.low).toBeGreaterThan(0)
    expect(checked.lead.auroc.value).toBeGreaterThan(0.2)
    expect(checked.weights.importance.low).toBeGreaterThan(0)
    const again = crossValidate(marksOf(['Ana', 'Bo', 'Cleo']), {})
    expect(again.lead).toEqual(checked.lead)
  })

  it('is judged by session where one person marked, and refuses a single session', () => {
    const own = marksOf(['Ana'])
    expect(crossValidate(own, {}).by).toBe('session')
    const one = own.filter(({ session }) => session === 'Ana/s1')
    expect(() => crossValidate(one, {})).toThrow(/mark two sessions/)
  })

  it('is drawn, with every weight and everybody held out', async () => {
    const marks = marksOf(['Ana', 'Bo'], 20)
    const svg = await plotFit(fitWeights(marks, { source: 'test' }), crossValidate(marks, {}))
    expect(svg).toMatch(/^<svg[^>]*xmlns="http:\/\/www\.w3\.org\/2000\/svg"/)
    for (const label of ['R1', 'R2', 'Ana', 'Bo', 'all', 'fitted', 'paper'])
      expect(svg).toContain(`>${label}<`)
  })
})

describe('a file of annotations', () => {
  it('comes back as it was written, those without a mark told apart', () => {
    const [first, ...rest] = marksOf(['Ana'], 2)
    const all = first === undefined ? rest : [{ ...first, important: null }, ...rest]
    const read = readAnnotations(`${writeAnnotations(all)}\n`, 'marks.jsonl')
    expect(read).toEqual(all)
    expect(markedOf(read)).toEqual(rest)
  })

  it.each(['{', '{"person": "Ana"}', '"important"'])('refuses %j, naming file and line', (line) => {
    const asked = () => readAnnotations(`\n${line}\n`, 'marks.jsonl')
    expect(asked).toThrow(InvalidInputError)
    expect(asked).toThrow(/Line 2 of marks\.jsonl/)
  })
})
