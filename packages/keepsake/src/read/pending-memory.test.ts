import { describe, expect, it } from 'vitest'
import { makeMemory } from '../memories/memory-fixture.ts'
import { openEngine } from '../work/engine-fixture.ts'
import { pendingMemory } from './found-memory.ts'

describe('a turn that waits for consolidation', () => {
  const turn = { id: 't4', scope: 7, session: 's2', position: 4 }

  it.each([
    ['user', 'user', 'user-stated'],
    ['assistant', 'agent', 'agent-stated'],
    ['other', 'other', 'other'],
  ] as const)('of role %s is an utterance of the subject %s that is %s', async (role, subject, label) => {
    const { engine } = await openEngine()
    expect(pendingMemory(engine, { ...turn, role })).toEqual(
      makeMemory({
        id: 'pending:t4',
        scope: 7,
        subject,
        text: '',
        label,
        evidence: [{ turn: 't4', quote: null }],
        session: 's2',
        sessionNumber: 0,
        round: 0,
        use: { lastSession: 0 },
        origin: { preset: 'keepsake', step: 'pending', promptVersion: null, model: null },
      }),
    )
  })
})
