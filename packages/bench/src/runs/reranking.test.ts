import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ModelError, type LanguageModel } from 'keepsake'
import { scriptedModel } from 'keepsake/model'
import { describe, expect, it } from 'vitest'
import { runAlone } from '../benchmark/testing/run-alone.ts'
import { run } from './run.ts'

const AT = '2025-03-02T19:04:00Z'
const QUESTION = { asked_at: '2025-03-09T12:00:00Z', answer: '-' }
const QUESTIONS = [
  { id: 'q1', text: 'What colour is my boat?', kind: 'never-said', answerable: false, evidence: [] },
  { id: 'q2', text: 'What did I sell?', kind: 'first-person', answerable: true, evidence: [['t1']] },
]

function talk(): string {
  const folder = mkdtempSync(join(tmpdir(), 'everyday-'))
  const turn = { id: 't1', session: 's1', at: AT, role: 'user', text: 'I sold the boat.' }
  writeFileSync(join(folder, 'bea.turns.jsonl'), JSON.stringify(turn))
  const lines = QUESTIONS.map((one) => JSON.stringify({ ...QUESTION, ...one }))
  writeFileSync(join(folder, 'bea.questions.jsonl'), lines.join('\n'))
  return folder
}

const measure = (reranking: LanguageModel, system: 'keepsake' | 'bm25' = 'keepsake') =>
  runAlone(
    run,
    { dataset: 'everyday', path: talk(), system: [system], tasks: ['everyday'], reranking: 'reader:x' },
    reranking,
  )

describe('bench run --reranking', () => {
  it('lets a model say what is known, and counts what it was asked', async () => {
    const model = scriptedModel(({ messages }) =>
      JSON.stringify({
        answering: messages.some(({ text }) => text.includes('colour')) ? [] : [{ text: 1, sure: 99 }],
      }),
    )
    const { log } = await measure(model)
    const asked = log.filter((entry) => entry.entry === 'everyday')
    expect(asked.map(({ known }) => known)).toEqual([false, true])
    expect(model.requests.length).toBeGreaterThanOrEqual(2)
    expect(log.find((entry) => entry.entry === 'done')).toMatchObject({
      usage: { calls: model.requests.length },
    })
  })

  it('counts a question that the model could not be asked as a failure, not as one without it', async () => {
    const { log } = await measure(scriptedModel(() => new ModelError('away')))
    const asked = log.filter((entry) => entry.entry === 'everyday')
    expect(asked.map(({ failure }) => failure)).toEqual(['away', 'away'])
  })

  it('is refused for a system that ranks by itself', async () => {
    await expect(measure(scriptedModel([]), 'bm25')).rejects.toThrow(/bm25 has its own ranking/)
  })
})
