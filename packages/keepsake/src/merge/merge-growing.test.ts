import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ChangedFacts } from '../facts/fact-lookup.ts'
import { StandingFacts } from '../facts/standing-facts.ts'
import type { Candidate } from '../memories/candidate.ts'
import { makeCandidate, makeFact } from '../memories/memory-fixture.ts'
import type { Memory } from '../memories/memory.ts'
import { keyTable } from '@keepsake/text'
import { mergeByKey } from './merge-facts.ts'
import { isSameThing } from './value-likeness.ts'

const OPTIONS = { table: keyTable(), isAlike: isSameThing }

const KEYS = ['likes', 'dislikes', 'home', 'job', 'age', 'hobbies', 'trips', 'pets', null]
const VALUES = [
  'tea',
  'green tea',
  'Green tea!',
  'Lyon',
  'Lyon, France',
  'a nurse',
  'nurse',
  'the Beatles',
  'hers',
  'aubergine',
  'eggplant',
  '34',
  '爬山',
  '登山',
]

const stated = fc.record({
  key: fc.constantFrom(...KEYS),
  value: fc.option(fc.constantFrom(...VALUES), { freq: 12 }),
  subject: fc.constantFrom('user', 'user', 'user', 'Anna'),
  validFrom: fc.integer({ min: 0, max: 40 }),
  lasts: fc.option(fc.integer({ min: 0, max: 10 }), { freq: 2, nil: null }),
})

function candidateFrom({
  key,
  value,
  subject,
  validFrom,
  lasts,
}: typeof stated extends fc.Arbitrary<infer One> ? One : never): Candidate {
  const text = `${subject} ${key ?? 'says'} ${value ?? 'it'}`
  const validUntil = lasts === null ? null : validFrom + lasts
  return makeCandidate({ key, value, subject, text, validFrom, validUntil })
}

/** Applies what merging decides to plain memories, as a unit of work does. */
class Told {
  readonly standing = new StandingFacts()
  readonly all = new Map<string, Memory>()

  set(memory: Memory): void {
    this.standing.set(memory)
    this.all.set(memory.id, memory)
  }

  get live(): Memory[] {
    return [...this.all.values()].filter(({ status }) => status === 'live')
  }

  take(candidates: readonly Candidate[], at: number): void {
    const decisions = mergeByKey(this.standing, candidates, OPTIONS)
    const ids = new Map<string, string>()
    for (const decision of decisions) {
      if (decision.kind === 'add') {
        const id = `m${at}.${ids.size}`
        ids.set(decision.ref, id)
        this.set(makeFact({ ...decision.candidate, id, learnedAt: at }))
        continue
      }
      const known = this.all.get(ids.get(decision.memory) ?? decision.memory)
      if (known === undefined) continue
      if (decision.kind === 'modify') this.set({ ...known, ...decision.change })
      if (decision.kind === 'delete') this.set({ ...known, status: 'deleted' })
    }
  }
}

describe('merging into facts that are looked up', () => {
  it('decides what it would having looked at every one, whatever was told before', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(stated, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 40 }),
        (rounds) => {
          const told = new Told()
          for (const [at, round] of rounds.entries()) {
            const candidates = round.map(candidateFrom)
            expect(mergeByKey(told.standing, candidates, OPTIONS)).toEqual(
              mergeByKey(told.live, candidates, OPTIONS),
            )
            told.take(candidates, at)
          }
        },
      ),
      { numRuns: 150 },
    )
  })

  it('sees what the same unit of work changed, in its place', () => {
    fc.assert(
      fc.property(
        fc.array(stated, { minLength: 6, maxLength: 30 }),
        fc.array(fc.tuple(fc.nat(29), fc.constantFrom('gone', 'over', 'other')), { maxLength: 6 }),
        stated,
        (before, changes, fresh) => {
          const told = new Told()
          for (const [at, one] of before.entries()) told.take([candidateFrom(one)], at)
          const changed = new Map<string, Memory | null>()
          for (const [place, what] of changes) {
            const fact = told.live[place % Math.max(1, told.live.length)]
            if (fact === undefined) continue
            if (what === 'gone') changed.set(fact.id, null)
            else
              changed.set(
                fact.id,
                what === 'over' ? { ...fact, validUntil: 41 } : { ...fact, value: 'green tea' },
              )
          }
          const list = told.live.flatMap((fact) => {
            const now = changed.get(fact.id)
            return now === undefined ? [fact] : (now ?? [])
          })
          const candidate = candidateFrom(fresh)
          expect(mergeByKey(new ChangedFacts(told.standing, changed), [candidate], OPTIONS)).toEqual(
            mergeByKey(list, [candidate], OPTIONS),
          )
        },
      ),
      { numRuns: 300 },
    )
  })
})
