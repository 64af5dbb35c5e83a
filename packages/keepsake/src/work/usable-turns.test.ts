import { describe, expect, it } from 'vitest'
import { makeFact, makeMemory } from '../memories/memory-fixture.ts'
import type { Memory } from '../memories/memory.ts'
import { keepsake } from '../presets/keepsake.ts'
import type { Preset } from '../presets/preset.ts'
import { openEngine, storeMemories, storeTurns } from './engine-fixture.ts'
import { viewScope } from './scope-view.ts'
import { isForgotten, usableTurnsOfSession } from './usable-turns.ts'

const T1 = { evidence: [{ turn: 't1', quote: null }] }
const said = (traits: Partial<Memory> = {}) => makeMemory({ id: 'said', ...T1, ...traits })
const fact = (traits: Partial<Memory> = {}) => makeFact({ id: 'fact', ...T1, ...traits })

async function view(preset: Preset, ...memories: Memory[]) {
  const { engine, row } = await openEngine({ preset })
  await storeTurns({ engine, row }, {}, {}, { session: 's2' })
  await storeMemories({ engine, row }, ...memories)
  return viewScope(engine, row)
}

/** A preset that keeps facts and no utterances. */
const withoutUtterances = {
  ...keepsake(),
  branches: keepsake().branches.filter(({ kind }) => kind === 'facts'),
}

describe('a turn', () => {
  it.each<[string, boolean, Memory[]]>([
    ['nothing rests on it', false, []],
    ['an utterance keeps it', false, [said()]],
    ['its utterance was deleted, whyever', true, [said({ status: 'deleted', reason: 'removed' })]],
    ['its utterance was forgotten', false, [said({ status: 'forgotten' })]],
    [
      'a fact drawn from it is no longer so',
      false,
      [fact({ status: 'deleted', reason: 'something else is so' })],
    ],
    [
      'a fact drawn from it was asked to be dropped',
      true,
      [fact({ status: 'deleted', reason: 'asked to be forgotten' })],
    ],
    [
      'a fact drawn from it was asked to be dropped, and put back',
      false,
      [fact({ reason: 'asked to be forgotten' })],
    ],
    [
      'an utterance keeps it that took the place of one deleted',
      false,
      [said({ id: 'old', status: 'deleted' }), said()],
    ],
    [
      'only one of several facts was asked to be dropped',
      true,
      [fact(), fact({ id: 'b', status: 'deleted', reason: 'asked to be forgotten' })],
    ],
  ])('of which %s: dropped is %s', async (_, expected, memories) => {
    const { state } = await view(keepsake(), ...memories)
    expect(isForgotten(state, { id: 't1' })).toBe(expected)
  })
})

describe('the turns of a session that may be told', () => {
  it('are those that a live utterance keeps', async () => {
    const gone = makeMemory({ id: 'gone', status: 'forgotten', evidence: [{ turn: 't2', quote: null }] })
    const turns = usableTurnsOfSession(await view(keepsake(), said(), gone), 's1')
    expect(turns.map(({ id }) => id)).toEqual(['t1'])
  })

  it('are those that nobody asked to drop where no utterances are kept', async () => {
    const asked = fact({ status: 'deleted', reason: 'asked to be forgotten' })
    expect(usableTurnsOfSession(await view(withoutUtterances, asked), 's1').map(({ id }) => id)).toEqual([
      't2',
    ])
    expect(usableTurnsOfSession(await view(withoutUtterances), 's1').map(({ id }) => id)).toEqual([
      't1',
      't2',
    ])
  })
})
