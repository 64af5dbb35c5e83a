import { type LanguageRequest, scriptedModel } from 'keepsake/model'
import { describe, expect, it } from 'vitest'
import { OptionError } from '../benchmark/options.ts'
import { runBenchmark } from '../benchmark/run-benchmark.ts'
import { ALONE } from '../benchmark/testing/run-alone.ts'
import { openDataset } from '../datasets/open-dataset.ts'
import { fixtureFile } from '../datasets/testing/edit-fixture.ts'
import { halumemJudge } from '../judges/halumem-judge.ts'
import { halumemReader } from '../readers/halumem-reader.ts'
import type { MemorySystem, RetrieveOptions } from '../systems/memory-system.ts'
import { NOTHING_FOUND, scriptedSystem } from '../systems/testing/scripted-system.ts'
import { UNCUT_TOKENS } from './protocol.ts'
import { run } from './run.ts'
import { measureRun, runsFolder } from './testing/measure-run.ts'

const HALUMEM = fixtureFile('halumem.jsonl')

const VERDICTS: Readonly<Record<string, object>> = {
  'halumem-integrity': { reason: 'in part', score: '1' },
  'halumem-accuracy': { score: '2', included: true, reason: 'said' },
  'halumem-update': { reason: 'made', outcome: 'correct' },
  'halumem-answer': { reason: 'same', outcome: 'correct' },
  'halumem-read': { answer: 'old clocks' },
}

/** Makes a system with one memory of the session and one earlier memory. It composes its own context. */
function system(asked: RetrieveOptions[]): MemorySystem {
  const left = { id: 'm1', text: 'Ilse restores old clocks', turns: null }
  const before = { id: 'm0', text: 'Ilse lives in Bremen', turns: null }
  const found = Array.from({ length: 20 }, (_, place) => ({
    ...left,
    id: `f${place}`,
    text: `found ${place}`,
    score: 1,
  }))
  return scriptedSystem({
    answer: async () => 'its own reply',
    dialogueMemories: async () => [left],
    memories: async () => [before, left],
    retrieve: async (_query, options) => {
      asked.push(options)
      return { ...NOTHING_FOUND, memories: found.slice(0, options.limit), context: 'composed its own way' }
    },
  })
}

async function byPaper() {
  const requests: LanguageRequest[] = []
  const retrievals: RetrieveOptions[] = []
  const model = scriptedModel((request) => {
    requests.push(request)
    return JSON.stringify(VERDICTS[request.prompt?.split('/')[0] ?? ''])
  })
  const { log, summary } = await measureRun({
    dataset: await openDataset('halumem', HALUMEM),
    system: system(retrievals),
    reader: halumemReader({ model, language: 'en' }),
    judge: halumemJudge({ model, language: 'en' }),
    contextTokens: UNCUT_TOKENS,
    protocol: 'paper',
  })
  const shown = (prompt: string) =>
    requests.flatMap((one) =>
      one.prompt?.startsWith(prompt) === true ? [one.messages.map(({ text }) => text).join()] : [],
    )
  return { log, summary, shown, retrievals }
}

describe("the paper's protocol", () => {
  it('retrieves ten memories for an update and twenty for a question, as services were asked there', async () => {
    const { retrievals } = await byPaper()
    expect(new Set(retrievals.map(({ limit }) => limit))).toEqual(new Set([10, 20]))
    expect(retrievals.every(({ asPublished }) => asPublished === true)).toBe(true)
  })

  it('shows the reader every memory that was retrieved, uncut, and neither a context nor the time', async () => {
    const { shown, log } = await byPaper()
    const [read] = shown('halumem-read')
    expect(read?.match(/found \d+/g)).toHaveLength(20)
    expect(read).not.toContain('composed its own way')
    expect(read).not.toMatch(/now:/)
    const answers = log.filter((entry) => entry.entry === 'answer')
    expect(answers.map(({ answer }) => answer)).toEqual(answers.map(() => 'old clocks'))
    expect(answers[0]?.context.split('\n')).toHaveLength(20)
  })

  it("judges integrity against the session's own memories alone", async () => {
    const { shown, log } = await byPaper()
    const integrity = shown('halumem-integrity')
    expect(integrity.length).toBeGreaterThan(0)
    for (const request of integrity) {
      expect(request).toContain('Ilse restores old clocks')
      expect(request).not.toContain('Ilse lives in Bremen')
    }
    const scored = log.filter((entry) => entry.entry === 'integrity')
    expect(scored.every(({ score, scoreOfSession }) => score === 1 && scoreOfSession === 1)).toBe(true)
  })

  it('judges accuracy by the dialogue with the time and role of each turn, and the gold set without false memories', async () => {
    const [request = ''] = (await byPaper()).shown('halumem-accuracy')
    expect(request).toMatch(/\[[^\]]*2025[^\]]*18:42[^\]]*\]user: /)
    expect(request).toContain('assistant: ')
    expect(request).not.toContain('Ilse Brandt (')
    expect(request).toContain('Ilse Brandt restores old clocks')
    expect(request).not.toContain('Ilse Brandt collects music boxes')
  })

  it('does not tell the judge of an answer that nothing is known but by the reference', async () => {
    const requests = (await byPaper()).shown('halumem-answer')
    const unknown = requests.find((request) => request.includes('she never mentioned one'))
    expect(unknown).not.toContain('Nothing is known about this.')
  })

  it('says what still differs from the paper, and whose conditions they are', async () => {
    const { summary } = await byPaper()
    expect(summary.config).toMatchObject({ protocol: 'paper', contextTokens: UNCUT_TOKENS })
    expect(summary.remarks.join(' ')).toMatch(/GPT-4o; here .+ reads and .+ judges/)
  })
})

describe('--protocol paper', () => {
  const asked = { dataset: 'halumem' as const, path: HALUMEM, protocol: 'paper' as const }
  type More = Partial<Parameters<typeof runBenchmark<typeof run.options.shape>>[1]>
  const start = ({ system = ['none'], ...more }: More) =>
    runBenchmark(run, { ...asked, ...more, system }, { ...ALONE, runs: runsFolder() })

  it('is refused where it would not be the paper’s, in a sentence', async () => {
    await expect(start({ dataset: 'locomo' })).rejects.toThrow(/that of HaluMem: locomo has another/)
    await expect(start({ contextTokens: 500, ownAnswers: true })).rejects.toThrow(
      /leave out --context-tokens, --own-answers/,
    )
    await expect(start({ memories: 9 })).rejects.toThrow(OptionError)
    await expect(start({ tasks: ['retrieval', 'answering'] })).rejects.toThrow(/leave out retrieval/)
  })

  it('runs without a model by rules, and says so', async () => {
    const [finished] = await start({ system: ['bm25'] })
    expect(finished?.summaries[0]?.remarks.join(' ')).toContain('a rule (deterministic) judges')
    expect(finished?.summaries[0]?.figures.some(({ metric }) => metric === 'published.recall')).toBe(true)
  })

  it('is what keeps a run from being compared with one of ours', async () => {
    const config = async (protocol: 'own' | 'paper') =>
      (await start({ protocol, system: ['none'] }))[0]?.summaries[0]?.config
    expect((await config('paper'))?.['protocol']).toBe('paper')
    expect((await config('own'))?.['protocol']).toBeUndefined()
  })
})
