import { expect, test } from 'vitest'
import { openMemory } from 'keepsake'
import { HYBRID, withoutParts, type RetrievalPart } from 'keepsake/preset'
import { findPreset } from '@keepsake/papers'

const DAY = 86_400_000
const NOW = Date.UTC(2026, 5, 15, 12)

interface Said {
  readonly id: string
  readonly text: string
  /** One of its own when absent. */
  readonly session?: string
  readonly speaker?: string
  /** Days before the question; two when absent. Turns of one day follow each other by a minute. */
  readonly daysAgo?: number
}

interface Scenario {
  readonly turns: readonly Said[]
  readonly question: string
  /** The turn that the part raises above `other`, which stands above it without the part. */
  readonly raised: string
  readonly other: string
}

/** Turns of one session that hold nothing of any question here. */
const WEEK: readonly Said[] = [
  { id: 'tuesday', text: 'Tuesdays are slower.', session: 'talk' },
  { id: 'wednesday', text: 'Wednesdays drag.', session: 'talk' },
  { id: 'thursday', text: 'Thursdays crawl.', session: 'talk' },
  { id: 'friday', text: 'Fridays fly.', session: 'talk' },
  { id: 'monday', text: 'Mondays are slow.', session: 'talk' },
]

/** For each part of the recipe a talk in which it alone decides who of two stands first. */
const SCENARIOS: Readonly<Record<RetrievalPart, Scenario>> = {
  lexical: {
    turns: [
      { id: 'terse', text: 'Sourdough, sourdough, sourdough.' },
      {
        id: 'long',
        text: 'On Saturday my cousin Berta opened a bakery in Ghent that sells rye, spelt and one sourdough loaf a day.',
      },
    ],
    question: 'sourdough',
    raised: 'terse',
    other: 'long',
  },
  semantic: {
    turns: [
      { id: 'leash', text: 'The leash ripped the sofa.', daysAgo: 5 },
      { id: 'ladder', text: 'The ladder scratched the sofa.' },
    ],
    question: 'What did the dog do to the sofa?',
    raised: 'leash',
    other: 'ladder',
  },
  neighbours: {
    turns: [
      { id: 'left', text: 'The schooner left the harbour.', session: 'talk' },
      { id: 'answer', text: 'Bergen, in thick fog.', session: 'talk' },
      { id: 'harbour', text: 'The harbour was empty.' },
    ],
    question: 'Which harbour did the schooner leave from?',
    raised: 'answer',
    other: 'harbour',
  },
  coverage: {
    turns: [
      { id: 'topic', text: 'The regatta needs a sponsor.', session: 'talk' },
      ...WEEK.slice(0, 4),
      { id: 'half', text: 'A sponsor paid.' },
    ],
    question: 'regatta sponsor',
    raised: 'thursday',
    other: 'half',
  },
  session: {
    turns: [
      { id: 'earlier', text: 'We ate plums.', daysAgo: 14 },
      { id: 'topic', text: 'The regatta needs a sponsor.', session: 'talk' },
      ...WEEK,
      { id: 'beside', text: 'We ate plums.', session: 'talk' },
      { id: 'apart', text: 'We ate plums.', daysAgo: 0 },
    ],
    question: 'regatta sponsor',
    raised: 'beside',
    other: 'apart',
  },
  speaker: {
    turns: [
      { id: 'nadia', text: 'I adore jazz records.', speaker: 'Nadia', daysAgo: 14 },
      { id: 'tom', text: 'I adore jazz records.', speaker: 'Tom' },
    ],
    question: 'What does Tom adore?',
    raised: 'tom',
    other: 'nadia',
  },
  time: {
    turns: [
      { id: 'may', text: 'I cooked a stew.', daysAgo: 42 },
      { id: 'june', text: 'I cooked a stew.', daysAgo: 1 },
    ],
    question: 'What did I cook on June 14th?',
    raised: 'june',
    other: 'may',
  },
  expected: {
    turns: [
      { id: 'when', text: 'I repaired the roof in October.' },
      { id: 'how', text: 'I repaired the roof with tiles.' },
    ],
    question: 'When did I repair the roof?',
    raised: 'when',
    other: 'how',
  },
  exchange: {
    turns: [
      { id: 'asked', text: 'How was the bicycle race?', session: 'talk' },
      { id: 'answer', text: 'Muddy, I think.', session: 'talk' },
    ],
    question: 'How was the bicycle race?',
    raised: 'answer',
    other: 'asked',
  },
  length: {
    turns: [
      { id: 'earlier', text: 'Nettle tea.', daysAgo: 14 },
      { id: 'ferry', text: 'The ferry is late.' },
      { id: 'long', text: 'Nettle tea, nettle tea, nettle tea.', daysAgo: 6 },
      { id: 'short', text: 'Nettle tea.' },
    ],
    question: 'ferry',
    raised: 'long',
    other: 'short',
  },
  novelty: {
    turns: [
      { id: 'first', text: 'The regatta starts at the lighthouse.' },
      { id: 'again', text: 'The regatta starts at the lighthouse.', daysAgo: 0 },
    ],
    question: 'Where does the regatta start?',
    raised: 'first',
    other: 'again',
  },
  asking: {
    turns: [
      { id: 'asks', text: 'Is the ferry late?', daysAgo: 14 },
      { id: 'says', text: 'The ferry is late.' },
    ],
    question: 'ferry',
    raised: 'says',
    other: 'asks',
  },
  recency: {
    turns: [
      { id: 'old', text: 'I picked plums.', daysAgo: 130 },
      { id: 'new', text: 'I picked pears.', daysAgo: 0 },
    ],
    question: 'What did I pick?',
    raised: 'new',
    other: 'old',
  },
}

async function recallWithout(parts: readonly RetrievalPart[], { turns, question }: Scenario) {
  const recipe = withoutParts(HYBRID, parts)
  const preset = { ...findPreset('keepsake'), ranking: { kind: 'hybrid', recipe } as const }
  const memory = await openMemory({ path: ':memory:', preset, now: () => NOW })
  try {
    const ana = memory.scope({ user: 'ana' })
    for (const [index, { id, text, speaker, session = id, daysAgo = 2 }] of turns.entries()) {
      const at = NOW - daysAgo * DAY - (turns.length - index) * 60_000
      const said = { id, role: 'user', text, at, ...(speaker === undefined ? {} : { speaker }) } as const
      await ana.remember(said, { session })
    }
    for (const session of new Set(turns.map((turn) => turn.session ?? turn.id))) await ana.endSession(session)
    await memory.drain()
    const { memories } = await ana.recall(question, { now: NOW, limit: 50, reinforce: false })
    return memories.filter((found) => found.memory.form === 'utterance')
  } finally {
    await memory.close()
  }
}

test.each(Object.entries(SCENARIOS))('%s changes the order of what is recalled', async (name, scenario) => {
  const part = name as RetrievalPart
  const order = (found: Awaited<ReturnType<typeof recallWithout>>) =>
    found
      .flatMap(({ evidence }) => evidence.map(({ turn }) => turn))
      .filter((turn) => turn === scenario.raised || turn === scenario.other)

  const all = await recallWithout([], scenario)
  expect(order(all)).toEqual([scenario.raised, scenario.other])
  for (const { score, parts } of all) {
    const sum = Object.values(parts).reduce((total, value) => total + value, 0)
    expect(score).toBeCloseTo(sum, 12)
  }

  const without = await recallWithout([part], scenario)
  expect(order(without)).toEqual([scenario.other, scenario.raised])
  expect(without.filter(({ parts }) => part in parts)).toEqual([])
})
