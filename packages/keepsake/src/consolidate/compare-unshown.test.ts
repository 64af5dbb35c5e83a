import { describe, expect, it } from 'vitest'
import type { GroundedExtraction } from '../extraction/grounding/grounded-extraction.ts'
import { candidateOf, type Candidate } from '../memories/candidate.ts'
import { makeFact } from '../memories/memory-fixture.ts'
import { scriptedAsk } from '../models/scripted-ask-fixture.ts'
import { makeTurn } from '../turns/turn-fixture.ts'
import { openEngine, storeMemories } from '../work/engine-fixture.ts'
import { compareUnshown } from './compare-unshown.ts'

const JUNE = 'The yellow kiosk of the user at Larne harbour opens in June.'
const AGAIN = 'The user says that her yellow kiosk at Larne harbour opens in June.'
const AUGUST = 'The yellow kiosk of the user at Larne harbour no longer opens in June but in August.'
const AT = Date.parse('2024-03-04T18:00:00Z')

const stated = (text: string): Candidate =>
  candidateOf({ text, subject: 'user', validFrom: AT, evidence: [{ turn: 't1', quote: null }] })

/** Of the two that say the same, the reader was shown at most the first, unless told otherwise. */
async function settle(grounded: GroundedExtraction, ...verdicts: string[]) {
  return settleShown(grounded.operations.length > 0 ? 1 : 0, grounded, ...verdicts)
}

async function settleShown(shown: number, grounded: GroundedExtraction, ...verdicts: string[]) {
  return settleIn('t1', shown, grounded, ...verdicts)
}

async function settleIn(turn: string, shown: number, grounded: GroundedExtraction, ...verdicts: string[]) {
  const place = await openEngine()
  const known = [JUNE, AGAIN].map((text, n) => {
    const evidence = [{ turn: 't0', quote: null }]
    return makeFact({ id: `k${n}`, text, learnedAt: n + 1, evidence })
  })
  await storeMemories(place, ...known)
  const { engine, row } = place
  const segment = {
    scope: row.scope,
    session: 's1',
    sessionNumber: 1,
    round: 1,
    turns: [makeTurn({ id: turn, at: AT })],
  }
  const ask = scriptedAsk({ verdicts: verdicts.map((verdict, n) => ({ pair: n + 1, verdict })) })
  const related = known.slice(0, shown)
  const state = await engine.users.load(row.owner)
  const settled = await compareUnshown({ engine, state }, segment, { grounded, related }, ask)
  return { settled, ask }
}

describe('settling what was not shown', () => {
  it('holds changes against it as well: what says the same as what changed ends too', async () => {
    const candidate = stated(AUGUST)
    const change = { operation: { kind: 'modify', index: 1, candidate } as const, reason: null }
    const { settled, ask } = await settle({ candidates: [], operations: [change] }, 'past')
    expect(ask.asked[0]?.user).toContain(AGAIN)
    expect(ask.asked[0]?.user).not.toContain(JUNE)
    expect(settled.related.map(({ text }) => text)).toEqual([JUNE, AGAIN])
    expect(settled.grounded.operations).toMatchObject([
      change,
      { operation: { kind: 'delete', index: 2, why: 'no-longer-so', at: AT, successor: candidate } },
    ])
  })

  it('holds it against what was shown and let pass, where it is much alike', async () => {
    const candidate = stated(AUGUST)
    const change = { operation: { kind: 'modify', index: 1, candidate } as const, reason: null }
    const { settled, ask } = await settleShown(2, { candidates: [], operations: [change] }, 'past')
    expect(ask.asked[0]?.user).toContain(AGAIN)
    expect(ask.asked[0]?.user).not.toContain(JUNE)
    expect(settled.grounded.operations).toMatchObject([
      change,
      { operation: { kind: 'delete', why: 'no-longer-so', successor: candidate } },
    ])
    const far = stated('The kiosk of the user has a green roof now.')
    const other = await settleShown(2, { candidates: [{ candidate: far, reason: null }], operations: [] })
    expect(other.ask.asked).toEqual([])
  })

  it('asks nothing of what rules drew from the very turns while no model could read them', async () => {
    const candidate = stated(AUGUST)
    const { ask } = await settle({ candidates: [{ candidate, reason: null }], operations: [] }, 'past')
    expect(ask.asked).toHaveLength(1)
    const own = { ...candidate, evidence: [{ turn: 't0', quote: null }] }
    const again = await settleIn('t0', 0, { candidates: [{ candidate: own, reason: null }], operations: [] })
    expect(again.ask.asked).toEqual([])
  })

  it('has a statement take the place of one, and end the others that it makes untrue', async () => {
    const candidate = stated(AUGUST)
    const { settled } = await settle(
      { candidates: [{ candidate, reason: null }], operations: [] },
      'past',
      'past',
    )
    expect(settled.grounded.candidates).toEqual([])
    expect(settled.grounded.operations).toMatchObject([
      { operation: { kind: 'modify', index: 1, candidate } },
      { operation: { kind: 'delete', index: 2, why: 'no-longer-so', successor: candidate } },
    ])
    expect(settled.related.map(({ text }) => text).toSorted()).toEqual([AGAIN, JUNE].toSorted())
  })

  it('leaves a change as it is where both are so, and asks nothing of what is not believed', async () => {
    const candidate = stated(AUGUST)
    const change = { operation: { kind: 'modify', index: 1, candidate } as const, reason: null }
    const { settled } = await settle({ candidates: [], operations: [change] }, 'both')
    expect(settled.grounded.operations).toEqual([change])
    const doubted = await settle({ candidates: [{ candidate, reason: 'a joke' }], operations: [] })
    expect(doubted.ask.asked).toEqual([])
  })
})
