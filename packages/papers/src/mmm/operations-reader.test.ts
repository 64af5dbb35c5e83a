import { describe, expect, it } from 'vitest'
import { InvalidInputError } from '@keepsake/text'
import { makeMemory } from '../../../keepsake/src/memories/memory-fixture.ts'
import { scriptedAsk } from '../../../keepsake/src/models/scripted-ask-fixture.ts'
import { makeTurn } from '../../../keepsake/src/turns/turn-fixture.ts'
import type { Extraction, Segment } from 'keepsake/preset'
import { operationsReader } from './operations-reader.ts'

const NOON = Date.UTC(2026, 2, 5, 12)
const turns = [
  makeTurn({ id: 'a1', role: 'assistant', text: 'How is the flat in Paris?' }),
  makeTurn({ id: 'u1', text: 'I moved to Lyon. And forget about my old bike.' }),
]
const segment: Segment = { scope: 1, session: 's1', sessionNumber: 1, round: 1, turns }
const related = [
  makeMemory({ id: 'm1', type: 'persona', subject: 'Maya', text: 'Maya lives in Paris.' }),
  makeMemory({ id: 'm2', text: 'Maya has an old bike.' }),
]

async function read(
  ...operations: Record<string, unknown>[]
): Promise<Extraction & { problems: readonly string[] }> {
  const ask = scriptedAsk({ operations })
  const extraction = await operationsReader().extract(segment, { ask, related })
  return { ...extraction, problems: ask.asked[0]?.problems ?? [] }
}

const code = (rest: Record<string, unknown>): Record<string, unknown> => ({
  type: 'add',
  content: 'The user moved to Lyon.',
  turn: 2,
  quote: 'I moved to Lyon',
  ...rest,
})

describe('operationsReader', () => {
  it('reads codes as proposals on the memories shown', async () => {
    const { operations, candidates, problems } = await read(
      code({}),
      code({ type: 'modify', index: 1, content: 'Maya lives in Lyon.' }),
      code({ type: 'delete', index: 2, content: null, why: 'asked', quote: 'forget about my old bike' }),
    )
    expect(problems).toEqual([])
    expect(candidates).toEqual([])
    expect(operations).toMatchObject([
      { kind: 'add', candidate: { text: 'The user moved to Lyon.', subject: 'user', validFrom: NOON } },
      {
        kind: 'modify',
        index: 1,
        candidate: { text: 'Maya lives in Lyon.', subject: 'Maya', type: 'persona' },
      },
      {
        kind: 'delete',
        index: 2,
        why: 'asked',
        at: NOON,
        evidence: [{ turn: 'u1', quote: 'forget about my old bike' }],
      },
    ])
  })

  it('takes none for an answer', async () => {
    expect((await read()).operations).toEqual([])
  })

  it('names invented indices, indices touched twice, empty contents and quotes nobody said', async () => {
    const { operations, problems } = await read(
      code({ type: 'modify', index: 7 }),
      code({ type: 'modify', index: 1 }),
      code({ type: 'delete', index: 1, why: null }),
      code({ content: ' ' }),
      code({ quote: 'I moved to Rome' }),
    )
    expect(problems).toEqual([
      'operation 3 does not say why it deletes.',
      'operation 4 has an empty content.',
      'The quote of operation 5 is not in turn 2; copy its words exactly.',
      'operation 1 names memory 7; there are memories 1 to 2 only.',
      'operation 3 touches memory 1, which operation 2 touched already.',
    ])
    // What is wrong is passed on for the rules to turn away; only what says nothing at all is left out.
    expect(operations?.map((one) => one.kind)).toEqual(['modify', 'modify', 'delete', 'add'])
  })

  it('asks nothing where no user speaks, and needs a model', async () => {
    const ask = scriptedAsk()
    const alone = { ...segment, turns: turns.slice(0, 1) }
    expect(await operationsReader().extract(alone, { ask, related })).toEqual({
      candidates: [],
      requests: [],
    })
    await expect(operationsReader().extract(segment, { ask: null, related })).rejects.toThrow(
      InvalidInputError,
    )
  })
})
