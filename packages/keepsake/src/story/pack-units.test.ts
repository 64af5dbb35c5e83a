import { describe, expect, it } from 'vitest'
import { InvalidInputError } from '@keepsake/text'
import { makeTurn } from '../turns/turn-fixture.ts'
import type { Round } from '../turns/rounds.ts'
import { packLevels, packUnits, type StoryUnit } from './pack-units.ts'

const rounds = (count: number, from = 1): Round[] =>
  Array.from({ length: count }, (_, index) => ({
    number: from + index,
    turns: [makeTurn({ id: `t${from + index}` })],
  }))

describe('packUnits', () => {
  it('makes a unit every six rounds and a summary every thirty', () => {
    const { plans, waiting } = packUnits([], rounds(31), [6, 5, 5])
    expect(plans.map((plan) => plan.level)).toEqual([1, 1, 1, 1, 1, 2])
    expect(plans.at(-1)).toMatchObject({ units: ['new:0', 'new:1', 'new:2', 'new:3', 'new:4'] })
    expect(waiting.map((round) => round.number)).toEqual([31])
  })

  it('builds 600 rounds round by round as it would at once, making nothing twice', () => {
    const made: StoryUnit[] = []
    let waiting: readonly Round[] = []
    const childrenOf = new Map<string, number>()
    for (const round of rounds(600)) {
      const packing = packUnits(made, [...waiting, round], [6, 5, 5])
      const names = new Map<string, string>()
      for (const plan of packing.plans) {
        names.set(plan.ref, `unit${made.length}`)
        made.push({ ref: `unit${made.length}`, level: plan.level })
        if ('units' in plan)
          for (const child of plan.units) {
            const name = names.get(child) ?? child
            childrenOf.set(name, (childrenOf.get(name) ?? 0) + 1)
          }
      }
      waiting = packing.waiting
    }
    const count = (level: number): number => made.filter((unit) => unit.level === level).length
    expect([count(1), count(2), count(3)]).toEqual([100, 20, 4])
    expect([...childrenOf.values()].every((times) => times === 1)).toBe(true)
    expect(childrenOf.size).toBe(120)
  })

  it('works with other numbers of levels', () => {
    const levels = (thresholds: number[]): number[] =>
      packUnits([], rounds(16), thresholds).plans.map((plan) => plan.level)
    expect(levels([2, 2, 2, 2])).toEqual([1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 4])
    expect(levels([8])).toEqual([1, 1])
  })

  it('goes on from the units that are made, on every level', () => {
    const made = ['a', 'b', 'c'].map((ref) => ({ ref, level: 1 }))
    const { plans, waiting } = packUnits([...made, { ref: 'd', level: 2 }], rounds(3), [2, 2, 2])
    expect(plans).toEqual([
      { ref: 'new:0', level: 1, rounds: rounds(2) },
      { ref: 'new:1', level: 2, units: ['c', 'new:0'] },
      { ref: 'new:2', level: 3, units: ['d', 'new:1'] },
    ])
    expect(waiting).toEqual(rounds(1, 3))
  })

  it.each([[[]], [[0]], [[2.5]], [[2, 0]]])('refuses the thresholds %j', (thresholds) => {
    const refused = new InvalidInputError(
      `A story's thresholds are whole numbers from 1, one a level; not [${thresholds.join(', ')}].`,
    )
    expect(() => packUnits([], [], thresholds)).toThrow(refused)
    expect(() => packLevels([], thresholds)).toThrow(refused)
  })
})

describe('packLevels', () => {
  it('piles up units that were made elsewhere', () => {
    const made = ['a', 'b', 'c', 'd', 'e'].map((ref) => ({ ref, level: 1 }))
    expect(packLevels(made, [9, 2, 2])).toEqual([
      { ref: 'new:0', level: 2, units: ['a', 'b'] },
      { ref: 'new:1', level: 2, units: ['c', 'd'] },
      { ref: 'new:2', level: 3, units: ['new:0', 'new:1'] },
    ])
    expect(packLevels(made.slice(0, 1), [9, 2, 2])).toEqual([])
    expect(packLevels([{ ref: 'x', level: 2 }, ...made.slice(0, 3)], [9, 2])).toEqual([])
  })
})
