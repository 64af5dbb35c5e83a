import { describe, expect, it } from 'vitest'
import { lifeSkeletonPrompt, type LifeSkeletonAnswer, type TasteChange } from './life-skeleton.ts'

const input = {
  persona: 'Ana',
  tastes: [{ category: 'food', likes: ['rye bread'], dislikes: ['brie'] }],
  after: '2025-09-06',
  until: '2026-12-01',
  stages: 0,
  tasteSteps: 0,
}

const events = (...days: string[][]): LifeSkeletonAnswer['careerEvents'] =>
  days.map((list, place) => ({
    name: `Event ${place}`,
    stages: list.map((day) => ({ name: 'A stage', day, changes: `Now ${day}.` })),
  }))

const planned = (...days: string[][]): readonly string[] | undefined =>
  lifeSkeletonPrompt.problems?.(
    { careerEvents: events(...days), tasteSteps: [] },
    { ...input, stages: days.flat().length },
  )

const step = (
  attitude: TasteChange['attitude'],
  before: string | null,
  after: string | null,
  day = '2025-10-01',
): TasteChange => ({ category: 'food', attitude, before, after, day })

const changed = (...tasteSteps: TasteChange[]): readonly string[] | undefined =>
  lifeSkeletonPrompt.problems?.({ careerEvents: [], tasteSteps }, { ...input, tasteSteps: tasteSteps.length })

describe('the plan of a life', () => {
  it('has events of three to five stages, or one shorter event if it has fewer stages in all', () => {
    expect(planned(['2025-10-01', '2025-11-01', '2025-12-01'])).toEqual([])
    expect(planned(['2025-10-01', '2025-11-01'])).toEqual([])
    expect(planned(['2025-10-01'], ['2025-11-01'])).toHaveLength(2)
    expect(planned(['2025-10-01', '2025-11-01', '2025-12-01'], ['2025-12-02'])).toEqual([
      'The event "Event 1" must have 3 to 5 stages.',
    ])
  })

  it('has existing days after the introductions, in order, each once', () => {
    expect(planned(['2025-09-31'])).toEqual(['There is no day 2025-09-31.'])
    expect(planned(['2025-09-06'])).toEqual(['A day is not after 2025-09-06.'])
    expect(planned(['2026-12-02'])).toEqual(['A day is after 2026-12-01.'])
    expect(planned(['2025-11-01', '2025-10-01'])).toEqual(['The stages are not in the order of their days.'])
    expect(changed(step('likes', null, 'leek'), step('likes', null, 'kale'))).toEqual([
      'A day comes twice, among the stages and taste steps.',
    ])
  })

  it('changes only tastes of that time', () => {
    expect(changed(step('likes', 'rye bread', 'malt bread'))).toEqual([])
    expect(changed(step('dislikes', 'brie', null))).toEqual([])
    expect(changed(step('likes', 'brie', null))).toHaveLength(1)
    expect(changed(step('likes', null, null))).toHaveLength(1)
    expect(changed(step('likes', null, 'rye bread'))).toHaveLength(1)
    expect(changed({ ...step('likes', null, 'tea'), category: 'drinks' })).toHaveLength(1)
  })

  it('changes a thing again only in its new form', () => {
    const first = step('likes', 'rye bread', 'malt bread')
    expect(changed(first, step('likes', 'malt bread', null, '2025-10-02'))).toEqual([])
    expect(changed(first, step('likes', 'rye bread', null, '2025-10-02'))).toHaveLength(1)
  })
})
