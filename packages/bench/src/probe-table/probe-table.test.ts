import { describe, expect, it } from 'vitest'
import type { BenchConversation, DatasetTurn } from '../datasets/conversation.ts'
import { gatherUnits } from '../datasets/gather-units.ts'
import { insertProbes } from './insert-probes.ts'
import { readProbeTable, type Probe } from './probe-table.ts'

/** Words that do not distinguish one topic from another. */
const GRAMMAR = new Set(
  'the a an of in on by to he is and his it was that after under called which with for at i am'.split(' '),
)

/** Splits English into words. Splits Chinese, which has no spaces, into pairs of characters and numbers. */
function contentWords(text: string, language: 'en' | 'zh'): string[] {
  if (language === 'zh')
    return (text.match(/\p{Script=Han}+|\d+/gu) ?? []).flatMap((run) =>
      /\d/.test(run) ? [run] : Array.from(run.slice(1), (_, place) => run.slice(place, place + 2)),
    )
  const segments = new Intl.Segmenter(language, { granularity: 'word' }).segment(text.toLowerCase())
  return [...segments].flatMap(({ segment, isWordLike }) =>
    isWordLike === true && !GRAMMAR.has(segment) ? [segment] : [],
  )
}

describe.each(['en', 'zh'] as const)('the probe table in %s', (language) => {
  const table = readProbeTable(language)

  it('has thirty items with ids of their own', () => {
    expect(table).toHaveLength(30)
    expect(new Set(table.map(({ id }) => id)).size).toBe(30)
  })

  it('keeps its items independent: no word of an answer occurs in another item', () => {
    for (const item of table) {
      const words = contentWords(item.a, language)
      expect(words, item.a).not.toEqual([])
      for (const other of table) {
        if (other.id === item.id) continue
        const said = new Set(contentWords(`${other.p} ${other.q} ${other.a}`, language))
        expect(
          words.filter((word) => said.has(word)),
          `${item.id} in ${other.id}`,
        ).toEqual([])
      }
    }
  })

  it('tells the answer in what is said, and not in what is asked', () => {
    for (const { p, q, a } of table) {
      const [said, asked] = [contentWords(p, language), contentWords(q, language)]
      const words = contentWords(a, language)
      expect(
        words.some((word) => said.includes(word)),
        a,
      ).toBe(true)
      expect(
        words.every((word) => asked.includes(word)),
        a,
      ).toBe(false)
    }
  })
})

const at = Date.UTC(2026, 0, 5)

function turn(id: string, role: DatasetTurn['role'], text: string): DatasetTurn {
  const speaker = role === 'user' ? 'Ana' : 'agent'
  return { id, role, speaker, text, at: at + Number(id.slice(1)) * 60_000, zone: 'UTC' }
}

const sessions: BenchConversation['sessions'] = [
  {
    id: 's1',
    turns: [
      turn('t00000', 'user', 'Hello'),
      turn('t00001', 'assistant', 'Hi'),
      turn('t00002', 'user', 'I row.'),
    ],
    operations: [{ turn: 't00002', kind: 'add', target: null, text: 'Ana rows.' }],
  },
  { id: 's2', turns: [turn('t00003', 'user', 'Back again'), turn('t00004', 'assistant', 'Good')] },
]
const question = { id: 'q', text: 'What does Ana do?', askedAt: at, category: 'x', evidence: ['t00002'] }
const conversation: BenchConversation = {
  name: 'talk',
  person: 'Ana',
  user: 'Ana',
  sessions,
  questions: [{ ...question, answerable: true }],
  ...gatherUnits(sessions, 'rounds'),
}

const probes: Probe[] = [
  { id: 'a', p: 'My umbrella is red.', q: 'What colour is my umbrella?', a: 'Red.' },
  { id: 'b', p: 'I was born on a ship.', q: 'Where was I born?', a: 'On a ship.' },
  { id: 'c', p: 'I never eat figs.', q: 'What do I never eat?', a: 'Figs.' },
]

describe('insertProbes', () => {
  const result = insertProbes(conversation, probes, { seed: 4 })
  const turns = result.sessions.flatMap((session) => session.turns)
  const textOf = (id: string | undefined) => turns.find((one) => one.id === id)?.text

  it('says every probe once, in ids and times that rise, and spreads them over the sessions', () => {
    for (const { p } of probes) expect(turns.filter(({ text }) => text === p)).toHaveLength(1)
    expect(turns.map(({ id }) => id)).toEqual(turns.map((_, index) => `t0000${index}`))
    expect([...turns].sort((a, b) => a.at - b.at)).toEqual(turns)
    expect(result.sessions.map((session) => session.turns.length)).toEqual([5, 3])
  })

  it('asks every question later, with its turn as the evidence', () => {
    const asked = result.questions.filter(({ category }) => category === 'probe-table')
    expect(asked.map(({ evidence }) => textOf(evidence[0]))).toEqual(probes.map(({ p }) => p))
    expect(asked.map(({ answer }) => answer)).toEqual(probes.map(({ a }) => a))
    for (const { evidence } of asked) {
      const unit = result.unitOf.get(evidence[0] ?? '')
      expect(result.sessionOf.get(unit ?? '')).toMatch(/^s[12]$/)
    }
  })

  it('keeps what named a turn before on that turn', () => {
    expect(textOf(result.questions[0]?.evidence[0])).toBe('I row.')
    expect(textOf(result.sessions[0]?.operations?.[0]?.turn)).toBe('I row.')
    const unit = result.unitOf.get(turns.find(({ text }) => text === 'Good')?.id ?? '')
    expect(textOf(unit)).toBe('Back again')
  })

  it('lets one of two who talk with each other say them, not a third', () => {
    const two = insertProbes({ ...conversation, user: 'conv-1' }, probes, { seed: 4 })
    const said = two.sessions.flatMap((session) => session.turns).filter(({ text }) => text === probes[0]?.p)
    expect(said.map(({ speaker }) => speaker)).toEqual(['Ana'])
  })

  it('does the same for the same seed, and refuses a conversation without turns', () => {
    expect(insertProbes(conversation, probes, { seed: 4 })).toEqual(result)
    expect(() => insertProbes({ ...conversation, sessions: [] }, probes, { seed: 1 })).toThrow(/no turns/)
  })
})
