import { seededDraw } from '@keepsake/bench/parts'
import { describe, expect, it } from 'vitest'
import { allocateQuestions } from './allocate-questions.ts'
import { questionUnits } from './question-units.ts'

const MANY = Array.from({ length: 300 }, (_, seed) => seed)
const sum = (counts: ReadonlyMap<string, number>) =>
  [...counts.values()].reduce((all, count) => all + count, 0)

describe('allocateQuestions', () => {
  it('gives an event of one stage three questions of two to three types, each at least once', () => {
    for (const seed of MANY) {
      const counts = allocateQuestions(seededDraw(seed), { kind: 'daily', stages: 1 })
      expect(sum(counts)).toBe(3)
      expect(counts.size).toBeGreaterThanOrEqual(2)
      expect(counts.size).toBeLessThanOrEqual(3)
      expect(Math.min(...counts.values())).toBeGreaterThanOrEqual(1)
    }
  })

  it('gives a career event one to three more for each further stage, of two to four types', () => {
    const sums = MANY.map((seed) => allocateQuestions(seededDraw(seed), { kind: 'career', stages: 4 }))
    for (const counts of sums) {
      expect(sum(counts)).toBeGreaterThanOrEqual(6)
      expect(sum(counts)).toBeLessThanOrEqual(12)
      expect(counts.size).toBeLessThanOrEqual(4)
    }
    expect(new Set(sums.map(sum)).size).toBeGreaterThan(4)
  })

  it('asks an introduction, a change of taste and a career for what each may be asked', () => {
    const typesOf = (kind: 'init' | 'daily' | 'career') =>
      new Set(MANY.flatMap((seed) => [...allocateQuestions(seededDraw(seed), { kind, stages: 2 }).keys()]))
    expect(typesOf('init')).toEqual(new Set(['Basic Fact Recall', 'Memory Boundary', 'Memory Conflict']))
    expect(typesOf('daily').has('Dynamic Update')).toBe(false)
    expect(typesOf('daily').has('Generalization & Application')).toBe(true)
    expect(typesOf('career').size).toBe(6)
  })

  it('takes none that cannot be asked', () => {
    const possible = ['Memory Boundary'] as const
    expect([...allocateQuestions(seededDraw(1), { kind: 'career', stages: 3, possible }).keys()]).toEqual(
      possible,
    )
    expect(allocateQuestions(seededDraw(1), { kind: 'init', stages: 1, possible: [] }).size).toBe(0)
  })
})

describe('questionUnits', () => {
  it('takes the stages of a career event as one, after the last, whatever comes between them', () => {
    const event = (kind: 'career' | 'daily', unit?: string) => ({
      kind,
      name: '',
      at: 0,
      description: '',
      ...(unit === undefined ? {} : { unit }),
    })
    const life = [
      event('career', 'a'),
      event('daily'),
      event('career', 'b'),
      event('career', 'a'),
      event('daily'),
    ]
    expect([...questionUnits(life)].toSorted(([a], [b]) => a - b)).toEqual([
      [1, { kind: 'daily', places: [1] }],
      [2, { kind: 'career', places: [2] }],
      [3, { kind: 'career', places: [0, 3] }],
      [4, { kind: 'daily', places: [4] }],
    ])
  })
})
