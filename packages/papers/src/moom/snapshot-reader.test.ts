import { describe, expect, it } from 'vitest'
import { checkCandidate, type Candidate, type Segment } from 'keepsake/preset'
import { scriptedAsk } from '../../../keepsake/src/models/scripted-ask-fixture.ts'
import { keyTable } from '@keepsake/text'
import type { Turn } from 'keepsake'
import { makeTurn } from '../../../keepsake/src/turns/turn-fixture.ts'
import { snapshotReader } from './snapshot-reader.ts'

function segmentOf(turns: readonly Turn[]): Segment {
  return { scope: 1, session: 's1', sessionNumber: 1, round: 10, turns }
}

const talk = [
  makeTurn({ id: 'u1', speaker: 'Maya', text: 'I adore ramen, and I work as a nurse.', at: 1_000 }),
  makeTurn({ id: 'a1', role: 'assistant', speaker: 'Iris', text: 'I come from the north.', at: 2_000 }),
]

async function read(
  people: unknown,
  turns = talk,
): Promise<{ candidates: readonly Candidate[]; problems: readonly string[] }> {
  const ask = scriptedAsk({ people })
  const { candidates } = await snapshotReader({ table: keyTable() }).extract(segmentOf(turns), {
    ask,
    related: [],
  })
  return { candidates, problems: ask.asked[0]?.problems ?? [] }
}

describe('snapshotReader', () => {
  it('makes a candidate of each entry, for each person who speaks', async () => {
    const { candidates, problems } = await read([
      { person: 'Maya', entries: [{ key: 'favourite food', value: 'ramen', turns: [1] }] },
      { person: 'agent', entries: [{ key: 'origin', value: 'the north', turns: [2] }] },
    ])
    expect(problems).toEqual([])
    expect(candidates).toMatchObject([
      {
        subject: 'Maya',
        type: 'persona',
        key: 'favourite-food',
        value: 'ramen',
        text: 'Maya, favourite food: ramen.',
        evidence: [{ turn: 'u1', quote: null }],
        validFrom: 1_000,
      },
      { subject: 'Iris', key: 'origin', value: 'the north', validFrom: 2_000 },
    ])
    expect(candidates.map((one) => checkCandidate(one, talk).outcome)).toEqual(['grounded', 'grounded'])
  })

  it('reads Chinese names of keys, and keeps keys of the model’s own', async () => {
    const turns = [makeTurn({ text: '我叫小林，最近迷上了攀岩，属兔' })]
    const { candidates } = await read(
      [
        {
          person: 'user',
          entries: [
            { key: '姓名', value: '小林', turns: [1] },
            { key: '口头禅', value: '随缘', turns: [1] },
          ],
        },
      ],
      turns,
    )
    expect(candidates).toMatchObject([
      { subject: 'user', key: 'name', text: '用户的姓名：小林。' },
      { subject: 'user', key: '口头禅', type: 'persona', text: '用户的口头禅：随缘。' },
    ])
  })

  it('gives relations their type, drops empty entries, and names what is wrong', async () => {
    const { candidates, problems } = await read([
      {
        person: 'user',
        entries: [
          { key: 'siblings', value: 'a sister', turns: [1, 8] },
          { key: 'name', value: ' ', turns: [1] },
          { key: 'age', value: '30', turns: [] },
        ],
      },
    ])
    expect(candidates).toMatchObject([
      { type: 'relationship', evidence: [{ turn: 'u1' }] },
      { key: 'age', evidence: [] },
    ])
    expect(problems).toEqual([
      expect.stringContaining('turn 8'),
      expect.stringContaining('empty'),
      expect.stringContaining('names no turn'),
    ])
  })
})
