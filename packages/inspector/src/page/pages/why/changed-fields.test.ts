import { describe, expect, it } from 'vitest'
import { changedFields } from './changed-fields.ts'

describe('what an operation changed', () => {
  it('is told field by field, in words', () => {
    expect(
      changedFields({
        before: { text: 'Lives in Porto.', status: 'live', pinned: false, round: 1 },
        after: { text: 'Lives in Lyon.', status: 'live', pinned: true, round: 4 },
      }),
    ).toEqual([
      { name: 'text', before: 'Lives in Porto.', after: 'Lives in Lyon.' },
      { name: 'pinned', before: null, after: '✓' },
    ])
  })

  it('of one that made a memory is what it was made with', () => {
    const made = changedFields({
      before: null,
      after: {
        text: 'Keeps bees.',
        evidence: [
          { turn: 't1', quote: 'bees' },
          { turn: 't2', quote: null },
        ],
        value: '',
      },
    })
    expect(made).toEqual([
      { name: 'text', before: null, after: 'Keeps bees.' },
      { name: 'evidence', before: null, after: '“bees”\nt2' },
    ])
  })
})
