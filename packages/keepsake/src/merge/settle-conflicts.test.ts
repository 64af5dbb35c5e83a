import { describe, expect, it } from 'vitest'
import type { CheckedOperation, DeleteProposal, ModifyProposal } from '../memories/check-operation.ts'
import type { Evidence } from '../memories/evidence.ts'
import { makeCandidate, makeFact } from '../memories/memory-fixture.ts'
import { settleConflicts } from './decide-operations.ts'

const LYON = makeFact({ id: 'lyon' })
const HEARD = [{ turn: 't9', quote: 'so it is' }]

type Modify = Extract<CheckedOperation, { kind: 'modify' }>
type Delete = Extract<CheckedOperation, { kind: 'delete' }>

function modify(text: string, validFrom: number, evidence: readonly Evidence[] = HEARD): Modify {
  const candidate = makeCandidate({ text, validFrom, evidence })
  const proposed: ModifyProposal = { kind: 'modify', index: 1, candidate }
  return { kind: 'modify', proposed, candidate, target: LYON }
}

function remove(why: DeleteProposal['why'], at: number): Delete {
  const proposed: DeleteProposal = { kind: 'delete', index: 1, why, at, evidence: HEARD }
  return { kind: 'delete', proposed, target: LYON, at }
}

const NOTHING = { drop: null, modify: null, end: null, rejected: [] }
const OUTDONE =
  'the same answer changes that memory to something that holds from later on, or was stated last'
const DROPPED = 'the same answer drops that memory because the user asked for it'

describe('what an answer proposes for one memory', () => {
  it('is nothing when it proposes nothing', () => {
    expect(settleConflicts([])).toEqual(NOTHING)
  })

  it('comes to the drop that was asked for, the first of two, and to nothing else', () => {
    const first = remove('asked', 300)
    const change = modify('The user lives in Oslo.', 900)
    const operations = [remove('no-longer-so', 400), change, first, remove('asked', 500)]
    expect(settleConflicts(operations)).toEqual({
      ...NOTHING,
      drop: first,
      rejected: [{ operation: change.proposed, reason: DROPPED }],
    })
  })

  it('comes to the change that holds from latest, wherever it stands in the answer', () => {
    const early = modify('The user lives in Rome.', 200)
    const latest = modify('The user lives in Oslo.', 300)
    const rejected = [{ operation: early.proposed, reason: OUTDONE }]
    expect(settleConflicts([early, latest])).toEqual({ ...NOTHING, modify: latest, rejected })
    expect(settleConflicts([latest, early])).toEqual({ ...NOTHING, modify: latest, rejected })
  })

  it('comes to the change that was told last when two hold from the same time', () => {
    const [first, last] = [modify('The user lives in Rome.', 300), modify('The user lives in Oslo.', 300)]
    expect(settleConflicts([first, last])).toEqual({
      ...NOTHING,
      modify: last,
      rejected: [{ operation: first.proposed, reason: OUTDONE }],
    })
  })

  it('counts a change told twice once, with the evidence of both, each piece once and in order', () => {
    const early = modify('the user lives in oslo', 200, [{ turn: 't3', quote: 'in Oslo' }, ...HEARD])
    const other = modify('The user lives in Rome.', 250, [{ turn: 't4', quote: null }])
    const late = modify('The user lives in Oslo.', 300, [...HEARD, { turn: 't3', quote: 'Oslo it is' }])
    const settled = settleConflicts([early, other, late])
    const evidence = [{ turn: 't3', quote: 'in Oslo' }, ...HEARD, { turn: 't3', quote: 'Oslo it is' }]
    expect(settled.modify).toEqual({ ...late, candidate: { ...late.candidate, evidence } })
    expect(settled.rejected).toEqual([{ operation: other.proposed, reason: OUTDONE }])
  })

  it('leaves a change that was told once as it is', () => {
    const change = modify('The user lives in Oslo.', 300)
    expect(settleConflicts([change]).modify).toBe(change)
  })

  it('comes to a change and the last of the ends, for the rules to weigh', () => {
    const change = modify('The user lives in Oslo.', 300)
    const ends = [remove('no-longer-so', 250), remove('no-longer-so', 270), remove('no-longer-so', 260)]
    expect(settleConflicts([change, ...ends])).toEqual({ ...NOTHING, modify: change, end: ends[2] })
  })
})
