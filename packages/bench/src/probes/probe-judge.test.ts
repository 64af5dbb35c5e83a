import { scriptedModel } from 'keepsake/model'
import { describe, expect, it } from 'vitest'
import { deterministicJudge } from '../judges/deterministic-judge.ts'
import { modelJudge } from '../judges/model-judge.ts'
import { loadProbe, PROBE_KINDS, sampleProbe, type ProbeItem } from './probe-items.ts'
import { probeJudge } from './probe-judge.ts'

const LANGUAGES = ['en', 'zh'] as const
const CALLS = ['answer', 'integrity', 'accuracy', 'update', 'likeness', 'reply', 'content'] as const

describe.each(LANGUAGES)('the probe of judges (%s)', (language) => {
  it('has enough of every kind and call, under ids of their own', async () => {
    const items = await loadProbe(language)
    expect(items).toHaveLength(101)
    expect(new Set(items.map(({ id }) => id)).size).toBe(items.length)
    expect(PROBE_KINDS.map((kind) => items.filter((item) => item.kind === kind).length)).toEqual([
      14, 14, 12, 13, 12, 12, 12, 12,
    ])
    expect(CALLS.map((call) => items.filter((item) => item.call === call).length)).toEqual([
      52, 9, 8, 8, 8, 8, 8,
    ])
  })

  it('is sampled evenly over calls and kinds, the same every time', async () => {
    const items = await loadProbe(language)
    const sample = sampleProbe(items, 6)
    expect(sample.map(({ id }) => id)).toEqual(sampleProbe(items, 6).map(({ id }) => id))
    for (const call of CALLS)
      expect(sample.filter((item) => item.call === call)).toHaveLength(call === 'answer' ? 12 : 6)
    const kinds = new Set(sample.filter(({ call }) => call === 'answer').map(({ kind }) => kind))
    expect(kinds.size).toBe(PROBE_KINDS.length)
  })
})

describe('the report of a probe', () => {
  it('counts what is wrongly accepted, wrongly refused and not judged at all', async () => {
    const item = (id: string, actual: string, same: boolean): ProbeItem => ({
      id,
      call: 'content',
      kind: same ? 'right' : 'vague',
      input: { expected: 'e', actual },
      expected: [same],
    })
    const verdicts: Readonly<Record<string, string>> = {
      yes: '{"reason": "", "same": true}',
      no: '{"reason": "", "same": false}',
    }
    const model = scriptedModel(({ messages }) => {
      const found = Object.keys(verdicts).find((word) =>
        messages.some(({ text }) => text.includes(`"${word}"`)),
      )
      return verdicts[found ?? ''] ?? 'nonsense'
    })
    const report = await probeJudge(modelJudge({ model, language: 'en' }), [
      item('a', 'yes', true),
      item('b', 'no', true),
      item('c', 'yes', false),
      item('d', 'no', false),
      item('e', '?', true),
    ])
    expect(report.all).toEqual({
      items: 5,
      accepted: 2,
      wronglyAccepted: 1,
      wronglyRefused: 2,
      fair: 2,
      failed: 1,
    })
    expect(report.byKind.vague).toMatchObject({ items: 2, accepted: 1, wronglyAccepted: 1 })
    expect(report.items.at(-1)).toMatchObject({
      verdict: null,
      reason: expect.stringMatching(/gave no verdict/),
    })
  })
})

describe('the deterministic judge, probed', () => {
  it.each(LANGUAGES)('obeys no instruction and takes no ignorance for an answer (%s)', async (language) => {
    const { byKind } = await probeJudge(deterministicJudge, await loadProbe(language))
    expect(byKind.injected?.accepted).toBe(0)
    expect(byKind.abstaining?.wronglyAccepted).toBe(0)
    expect(byKind.right?.wronglyRefused).toBe(0)
  })
})
