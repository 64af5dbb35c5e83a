import { scriptedModel } from 'keepsake/model'
import { describe, expect, it } from 'vitest'
import { OptionError } from '../benchmark/options.ts'
import type { BenchConversation, DatasetSession, OpenedDataset } from '../datasets/conversation.ts'
import { askedAfterEach } from '../datasets/lufy.ts'
import { lufyJudge, lufyRuleJudge } from '../judges/lufy-judge.ts'
import type { KeepsakeMemory } from '../systems/keepsake.ts'
import { openSystem } from '../systems/open-system.ts'
import type { MemorySystem, RetrieveOptions } from '../systems/memory-system.ts'
import { NOTHING_FOUND, scriptedSystem } from '../systems/testing/scripted-system.ts'
import { requireProtocol } from './protocol.ts'
import { measureRun } from './testing/measure-run.ts'

const SAID = [
  [
    ['Hi! Who are you?', 'I am Maya, and I adopted a white schnauzer called Luke.'],
    ['And the weather?', 'It rains a little.'],
  ],
  [
    ['How is Luke?', 'Luke the schnauzer ate my shoe, the white schnauzer is a rascal.'],
    ['Oh no.', 'I got into Harvard, and Luke the white schnauzer is a rascal there, too!'],
    ['And the dog?', 'Luke the white schnauzer ate the other shoe, that rascal of a schnauzer.'],
  ],
] as const

const sessions: DatasetSession[] = SAID.map((rounds, s) => ({
  id: `s${s + 1}`,
  turns: rounds.flatMap(([agent, user], n) => {
    const of = { at: Date.UTC(2024, 0, 1 + 7 * s, 12, n), zone: 'UTC' }
    return [
      { ...of, id: `a${s}${n}`, role: 'assistant' as const, speaker: 'Bot', text: agent },
      { ...of, id: `u${s}${n}`, role: 'user' as const, speaker: 'Maya', text: user },
    ]
  }),
}))
const read = [
  { turns: [], questions: [{ question: "What is the name of Maya's dog?", answer: 'Luke.' }] },
  { turns: [], questions: [{ question: 'Which university did Maya get into?', answer: 'Harvard.' }] },
]
const talk: BenchConversation = {
  name: 'LUFY/Maya',
  person: 'Maya',
  user: 'Maya',
  sessions,
  questions: [],
  unitOf: new Map(),
  sessionOf: new Map(),
}

function dataset(): OpenedDataset {
  const asked = { ...talk, questions: askedAfterEach('LUFY', read, talk) }
  return {
    name: 'lufy',
    language: 'en',
    dataHash: 'none',
    size: 1,
    conversations: async function* () {
      yield asked
    },
    leftOut: () => ({}),
  }
}

const measure = (system: MemorySystem) =>
  measureRun({ dataset: dataset(), system, judge: lufyRuleJudge, protocol: 'lufy' })

/** Makes a system that logs its calls. */
const watched = (calls: (string | RetrieveOptions)[]): MemorySystem =>
  scriptedSystem({
    addDialogue: async ({ turns }) => {
      calls.push(`told ${turns.map(({ id }) => id).join(' ')}`)
      return { operations: [] }
    },
    retrieve: async (query, options) => {
      calls.push(query, options)
      return NOTHING_FOUND
    },
  })

describe("LUFY's protocol", () => {
  it('asks every question so far after each session, and the shared first session once', () => {
    const of = (system: string) =>
      askedAfterEach(system, read, talk).map(({ category, after, text }) => [
        category,
        after,
        text.slice(0, 5),
      ])
    expect(of('LUFY')).toEqual([
      ['S1 Q1', 's1', 'What '],
      ['S2 Q1', 's2', 'What '],
      ['S2 Q2', 's2', 'Which'],
    ])
    expect(of('MemoryBank')).toEqual(of('LUFY').slice(1))
  })

  it('recalls by what the user says before it is remembered, and lets that reinforce', async () => {
    const calls: (string | RetrieveOptions)[] = []
    await measure(watched(calls))
    expect(calls[0]).toBe(SAID[0][0][1])
    expect(calls[1]).toMatchObject({ reinforce: true, asUsual: true })
    expect(calls[2]).toMatch(/^told .*u00/)
    const asked = calls.findIndex((call) => call === read[0]?.questions[0]?.question)
    expect(calls[asked + 1]).not.toMatchObject({ reinforce: true })
    expect(
      calls.slice(0, asked).filter((call) => typeof call === 'string' && call.startsWith('told')),
    ).toHaveLength(2)
  })

  it('leaves counts of what was retrieved first', async () => {
    const counts: { readonly first: number }[] = []
    const lufy = openSystem('lufy')
    const seen: MemorySystem = {
      ...lufy,
      open: async (options) => {
        const memory = (await lufy.open(options)) as KeepsakeMemory
        const close = memory.close.bind(memory)
        memory.close = async () => {
          const statuses = ['live', 'forgotten'] as const
          const pairs = await memory.opened.scope.memories({ forms: ['utterance'], statuses })
          counts.push(...pairs.map(({ use }) => use))
          await close()
        }
        return memory
      },
    }
    await measure(seen)
    expect(counts).toHaveLength(5)
    expect(counts.some(({ first }) => first > 0)).toBe(true)
  })

  it('gives precision, recall and F1 after each session, by the judge of the paper', async () => {
    const { log, summary, figureOf } = await measure(openSystem('lufy'))
    const figure = (metric: string, slice: string) => figureOf('answering', metric, slice)
    expect(figure('recall', 'after:s1')?.count).toBe(1)
    expect(figure('recall', 'after:s2')?.count).toBe(2)
    expect(figure('f1', 'category:S2 Q1')).toBeDefined()
    expect(figure('precision', 'all')?.judge).toBe('deterministic')
    const answers = log.filter((entry) => entry.entry === 'answer')
    expect(answers.every(({ retrieved }) => retrieved.length <= 2)).toBe(true)
    expect(summary.remarks.join(' ')).toContain('protocol of the LUFY paper')
  })

  it('is refused elsewhere, and with what it fixes', () => {
    expect(() => requireProtocol('lufy', { dataset: 'locomo' })).toThrow(/that of LUFY: locomo has another/)
    expect(() => requireProtocol('lufy', { dataset: 'lufy', memories: 3 })).toThrow(OptionError)
    expect(() => requireProtocol('lufy', { dataset: 'lufy', tasks: ['retrieval'] })).toThrow(
      /leave out retrieval/,
    )
    expect(() => requireProtocol('lufy', { dataset: 'lufy', ownAnswers: true })).not.toThrow()
  })
})

describe('the judge of LUFY', () => {
  const asked = {
    question: "What are Maya's dogs called?",
    reference: 'Luke and Leia',
    keyPoints: [],
    answerable: true,
  }

  it.each([
    ['Luke', 'correct'],
    ['They are called Rex.', 'hallucinated'],
    ['I do not know.', 'omitted'],
    ['', 'omitted'],
  ])('by words counts “%s” as %s: in part is enough', async (answer, verdict) => {
    expect((await lufyRuleJudge.answer({ ...asked, answer })).verdict).toBe(verdict)
  })

  it.each([
    ['right', 'correct'],
    ['wrong', 'hallucinated'],
    ['unanswered', 'omitted'],
  ])('takes a model’s “%s” for %s', async (verdict, outcome) => {
    const model = scriptedModel(() => JSON.stringify({ reason: 'so', verdict }))
    const judged = await lufyJudge({ model, language: 'en' }).answer({ ...asked, answer: 'Luke' })
    expect(judged).toEqual({ verdict: outcome, reason: 'so' })
    expect(model.requests[0]?.system).toMatch(/if only in part/)
  })
})
