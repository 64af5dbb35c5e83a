import type { EmbeddingModel } from 'keepsake'
import type { TokenEmbeddingModel } from '@keepsake/models'
import { embeddedWordVectors } from '@keepsake/text'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { BenchContext } from '../benchmark/benchmark.ts'
import { describeOptions } from '../benchmark/options.ts'
import { runBenchmark } from '../benchmark/run-benchmark.ts'
import { ALONE, readLog } from '../benchmark/testing/run-alone.ts'
import { fixtureFile, writeScratch } from '../datasets/testing/edit-fixture.ts'
import { findFigure } from '../results/plain-figures.ts'
import { run } from './run.ts'

const LOCOMO = [
  {
    sample_id: 'conv-x',
    conversation: {
      session_1_date_time: '12:05 am on 3 March, 2024',
      session_1: [
        { speaker: 'Nadia', dia_id: 'D1:1', text: 'I live in Porto and I restore old boats.' },
        { speaker: 'Tom', dia_id: 'D1:2', text: 'My dog is called Biscuit.' },
      ],
    },
    observation: { session_1_observation: { Nadia: [['Nadia restores old boats.', 'D1:1']] } },
    event_summary: { events_session_1: { Tom: ['Tom introduces his dog Biscuit.'], date: '3 March, 2024' } },
    qa: [{ question: 'Where does Nadia live?', answer: 'Porto', category: 4, evidence: ['D1:1'] }],
  },
]

async function measured(options: object, context: Partial<BenchContext> = {}) {
  const runs = mkdtempSync(join(tmpdir(), 'bench-runs-'))
  const [finished] = await runBenchmark(run, options as never, { ...ALONE, runs, ...context })
  if (finished === undefined) throw new Error('nothing was measured')
  const [summary] = finished.summaries
  return { log: readLog(finished.folder), summary, figures: summary?.figures ?? [] }
}

const locomo = () => writeScratch('locomo.json', JSON.stringify(LOCOMO))

/** Gives each letter its own vector, independent of the letters around it. */
const LETTERS: TokenEmbeddingModel = {
  id: 'letters',
  embedTokens: async (texts) =>
    texts.map((text) =>
      Array.from(text, (letter) =>
        Float32Array.from({ length: 64 }, (_, at) => Number(letter.charCodeAt(0) % 64 === at)),
      ),
    ),
}

describe("LoCoMo's observations and event summaries", () => {
  it('are labels that memories are held against, each kind apart, by the judge and without one', async () => {
    const { log, figures } = await measured({ dataset: 'locomo', path: locomo(), system: ['keepsake'] })
    const labels = log.filter((entry) => entry.entry === 'label')
    expect(labels.map(({ kind, text }) => [kind, text])).toEqual([
      ['observation', 'Nadia restores old boats.'],
      ['event-summary', 'Tom introduces his dog Biscuit.'],
    ])
    const of = (metric: string, slice: string) => findFigure(figures, 'labels', metric, slice)
    for (const slice of ['all', 'kind:observation', 'kind:event-summary']) {
      expect(of('mem_score', slice)).toMatchObject({ judge: 'deterministic', unit: 'score' })
      expect(of('rougeL', slice)).toMatchObject({ judge: null })
    }
    expect(of('rougeL', 'kind:observation')?.value).toBeGreaterThan(0)
  })

  it('are no list of all that a session may leave: nothing is said false or missing by them', async () => {
    const { log } = await measured({ dataset: 'locomo', path: locomo(), system: ['keepsake'] })
    expect(log.filter(({ entry }) => entry === 'accuracy' || entry === 'integrity')).toEqual([])
  })
})

describe('how alike texts are', () => {
  it('is called BERTScore with an encoder alone, and the encoder stands in the settings', async () => {
    const asked = { dataset: 'locomo', path: locomo(), system: ['keepsake'], tasks: ['labels', 'answering'] }
    const plain = await measured(asked)
    expect(plain.figures.some(({ metric }) => metric === 'greedy_words')).toBe(true)
    expect(plain.figures.some(({ metric }) => metric === 'bertscore')).toBe(false)
    const opened: string[] = []
    const openTokens = async (spec: string) => (opened.push(spec), LETTERS)
    const scored = await measured({ ...asked, bertscore: 'transformers:m' }, { openTokens })
    expect(opened).toEqual(['transformers:m'])
    expect(scored.summary?.config['bertscore']).toBe('letters')
    for (const task of ['labels', 'answering'] as const)
      expect(findFigure(scored.figures, task, 'bertscore')).toMatchObject({ judge: null })
    const label = scored.log.find((entry) => entry.entry === 'label')
    expect(label?.overlap['bertscore']).toBeGreaterThan(0)
  })

  it('is measured with the embedder that --likeness names, which is declared', async () => {
    expect(describeOptions(run.options).map(({ flags }) => flags)).toContain('--likeness <spec>')
    const words = embeddedWordVectors()
    const { dimensions } = words
    const named: EmbeddingModel = { id: 'named', dimensions, embed: (texts) => words.embed(texts) }
    const asked = { dataset: 'locomo', path: locomo(), system: ['keepsake'], tasks: ['labels'] }
    const { summary } = await measured(
      { ...asked, likeness: 'openai:x' },
      { openEmbedding: async () => named },
    )
    expect(summary?.config['likeness']).toBe('named')
  })
})

describe('the probe table', () => {
  const asked = { dataset: 'zh-4o', path: fixtureFile('zh-4o'), system: ['bm25'] }

  it('is said in the talk and asked after it, and replies are scored from 0 to 5 beside their words', async () => {
    const { log, figures } = await measured({ ...asked, tasks: ['probe-table'] })
    const replies = log.filter((entry) => entry.entry === 'reply')
    expect(replies.length % 30).toBe(0)
    expect(replies.length).toBeGreaterThan(0)
    expect(new Set(replies.map(({ text }) => text)).size).toBe(30)
    // The words were said, and are found by the baseline of single turns.
    expect(replies.filter(({ score }) => score > 0).length).toBeGreaterThan(0)
    expect(replies.every(({ score }) => score >= 0 && score <= 5)).toBe(true)
    const of = (metric: string) => findFigure(figures, 'probe-table', metric)
    expect(of('reply_score')).toMatchObject({ judge: 'deterministic', unit: 'score', count: replies.length })
    expect(of('token_f1')).toMatchObject({ judge: null })
    expect(of('reply_score')?.value).toBeGreaterThan(0)
  })

  it('scores a system without a memory nothing, and is put in no other way', async () => {
    const tasks = ['probe-table', 'answering', 'retrieval', 'probes']
    const { log, figures } = await measured({ ...asked, system: ['none'], tasks })
    const score = figures.find((one) => one.metric === 'reply_score')
    expect(score?.value).toBe(0)
    const ids = new Set(log.flatMap((entry) => (entry.entry === 'reply' ? [entry.question] : [])))
    const others = log.flatMap((entry) =>
      entry.entry === 'answer' || entry.entry === 'retrieval' || entry.entry === 'probe'
        ? [entry.question]
        : [],
    )
    expect(others.filter((id) => ids.has(id))).toEqual([])
  })

  it('is left alone where nobody asks for it', async () => {
    const { log } = await measured(asked)
    expect(log.some(({ entry }) => entry === 'reply')).toBe(false)
    expect(log.some(({ entry }) => entry === 'probe')).toBe(true)
  })

  it('retrieves as many memories for a probe as are asked for', async () => {
    const of = async (memories: number | undefined) => {
      const { log } = await measured({ ...asked, tasks: ['probe-table'], memories })
      return Math.max(...log.map((entry) => (entry.entry === 'reply' ? entry.retrieved.length : 0)))
    }
    expect(await of(9)).toBe(9)
    expect(await of(undefined)).toBe(20)
  })
})
