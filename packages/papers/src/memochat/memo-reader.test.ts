import { describe, expect, it } from 'vitest'
import { InvalidInputError } from '@keepsake/text'
import { scriptedAsk } from '../../../keepsake/src/models/scripted-ask-fixture.ts'
import { makeTurn } from '../../../keepsake/src/turns/turn-fixture.ts'
import type { Turn } from 'keepsake'
import type { Segment } from 'keepsake/preset'
import { memoReader } from './memo-reader.ts'

const talk = ['We adopted Milo.', 'A dog! Lovely.', 'I start at the museum in May.', 'Congratulations!']
const segmentOf = (texts: readonly string[]): Segment => ({
  scope: 1,
  session: 's1',
  sessionNumber: 1,
  round: 2,
  turns: texts.map((text, at): Turn => makeTurn({ id: `t${at + 1}`, text, at: 1_000 * at })),
})
const memo = (topic: string, summary: string, first: number, last: number): object => ({
  topic,
  summary,
  first,
  last,
})

describe('the memo reader', () => {
  it('makes a memo of each topic that rests on all its turns', async () => {
    const ask = scriptedAsk({
      memos: [
        memo('Puppy Milo', 'The user adopted Milo.', 1, 2),
        memo('New job', 'The user starts at the museum in May 2026.', 3, 4),
      ],
    })
    const { candidates, requests } = await memoReader().extract(segmentOf(talk), { ask, related: [] })
    expect(requests).toEqual([])
    expect(candidates).toMatchObject([
      { form: 'summary', type: 'event', text: 'Puppy Milo: The user adopted Milo.', validFrom: 0 },
      { text: 'New job: The user starts at the museum in May 2026.', validFrom: 2_000 },
    ])
    expect(candidates[1]?.evidence).toEqual([
      { turn: 't3', quote: null },
      { turn: 't4', quote: null },
    ])
    expect(ask.asked[0]?.problems).toEqual([])
  })

  it('reports turns that do not exist, are shared, or hold nothing, and makes no memo of the first and last', async () => {
    const ask = scriptedAsk({
      memos: [
        memo('Puppy', 'A puppy came.', 1, 3),
        memo('Job', 'A job.', 3, 4),
        memo('More', 'More.', 4, 5),
        memo('Back', 'Backwards.', 2, 1),
        memo('Empty', ' ', 1, 1),
      ],
    })
    const { candidates } = await memoReader().extract(segmentOf(talk), { ask, related: [] })
    expect(candidates.map((one) => one.text)).toEqual(['Puppy: A puppy came.', 'Job: A job.'])
    const problems = ask.asked[0]?.problems.join('\n')
    expect(problems).toContain('"More" covers turns 4 to 5')
    expect(problems).toContain('"Back" covers turns 2 to 1')
    expect(problems).toContain('"Puppy" and "Job" share turn 3')
    expect(problems).toContain('"Empty" has an empty topic or summary')
  })

  it('reads Chinese', async () => {
    const ask = scriptedAsk({ memos: [memo('小狗米洛', '用户领养了米洛。', 1, 1)] })
    const { candidates } = await memoReader().extract(segmentOf(['我们领养了米洛。']), { ask, related: [] })
    expect(candidates[0]?.text).toBe('小狗米洛：用户领养了米洛。')
    expect(ask.asked[0]?.language).toBe('zh')
  })

  it('needs a language model', async () => {
    for (const options of [undefined, { ask: null, related: [] }])
      await expect(async () => memoReader().extract(segmentOf(talk), options)).rejects.toThrow(
        InvalidInputError,
      )
  })
})
