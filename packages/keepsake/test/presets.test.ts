import { lufy, memoryBank } from '@keepsake/papers'
import { describe, expect, it } from 'vitest'
import { MEMORY_FORMS, type MemoryForm, type ScopedMemory } from 'keepsake'
import { PRESET_NAMES, type PresetName } from '@keepsake/papers'
import { openForTest, stoppedClock } from './open-for-test.ts'

const DAY = 86_400_000

/** Rounds of talk of one session: the agent asks, the user answers. */
function session(day: number, answers: readonly string[]) {
  const start = Date.parse('2024-03-04T18:00:00Z') + day * DAY
  return answers.flatMap(
    (text, index) =>
      [
        { role: 'assistant', text: `And then? (${day}.${index})`, at: start + index * 60_000 },
        { role: 'user', text, at: start + index * 60_000 + 20_000 },
      ] as const,
  )
}

const PLAIN = [
  'It was an ordinary day.',
  'Nothing much.',
  'I had some tea.',
  'The bus was late.',
  'It rained a little.',
]
const TELLING = [
  'My sister Nadia had a baby girl, I cried with joy!',
  'I live in Ghent.',
  'I work as a stonemason.',
  'I am allergic to walnuts.',
  'I love sea shanties.',
]

async function live(preset: PresetName, days = 4) {
  const clock = stoppedClock('2024-03-04T18:00:00Z')
  const keepsake = await openForTest({ preset, now: clock.now })
  const ana = keepsake.scope({ user: 'ana' })
  for (let day = 0; day < days; day += 1) {
    await ana.remember(session(day, [...PLAIN, ...TELLING, ...PLAIN, ...PLAIN]), { session: `day-${day}` })
    await ana.endSession(`day-${day}`)
    await keepsake.drain()
    clock.forward(DAY)
  }
  return { keepsake, ana }
}

async function count(scope: ScopedMemory, forms: Parameters<ScopedMemory['memories']>[0]): Promise<number> {
  return (await scope.memories(forms)).length
}

/**
 * What four days of twenty rounds leave beside the facts, and how many a recall hands out: rounds (of MOOM's those that no summary
 * tells of yet), a summary a day, units of six rounds and summaries of five units, a portrait a day; after LUFY's, MemoryBank's and FIFO's forgetting a tenth.
 * The default writes no summaries and no story without a model.
 */
const LEFT: Record<PresetName, { readonly [form in MemoryForm]?: number } & { readonly found: number }> = {
  keepsake: { utterance: 80, found: 10 },
  moom: { utterance: 20, story: 15, found: 9 },
  comedy: { summary: 4, portrait: 4, found: 1 },
  mmm: { found: 5 },
  lufy: { utterance: 7, summary: 1, portrait: 4, found: 2 },
  'memory-bank': { utterance: 8, summary: 1, found: 5 },
  resum: { summary: 4, portrait: 4, found: 1 },
  'comedy-retrieval': { found: 3 },
  memochat: { summary: 4, found: 4 },
  'naive-rag': { utterance: 80, found: 5 },
  'first-in-first-out': { utterance: 8, found: 5 },
}

describe.each(PRESET_NAMES)('preset %s', (preset) => {
  it('runs end to end: remembers, consolidates, recalls, forgets, explains', async () => {
    const { ana } = await live(preset)
    const { found, ...left } = LEFT[preset]
    const all = await ana.memories({ forms: MEMORY_FORMS })
    const forms: Partial<Record<MemoryForm, number>> = {}
    for (const { form } of all) if (form !== 'fact') forms[form] = (forms[form] ?? 0) + 1
    expect(forms).toEqual(left)
    expect((await ana.recall('Where do I live? Ghent')).memories).toHaveLength(found)
    const explanation = await ana.explain(all[0]?.id ?? '')
    expect(explanation.sentences.join(' ')).toContain(preset)
    expect((await ana.runForgetting({ dryRun: true })).dryRun).toBe(true)
  })
})

describe('preset lufy', () => {
  it('keeps a tenth of all pairs and summaries made so far, and never the profile', async () => {
    const { ana } = await live('lufy')
    const forgettable = { forms: ['utterance', 'summary'] } as const
    const kept = await count(ana, forgettable)
    const made = kept + (await count(ana, { ...forgettable, statuses: ['forgotten'] }))
    expect(made).toBe(4 * 21)
    expect(kept).toBe(Math.round(made * 0.1))
    expect(await count(ana, { forms: ['fact'], statuses: ['forgotten'] })).toBe(0)
    const facts = await ana.memories({ forms: ['fact'] })
    expect(facts.map(({ text }) => text)).toContain('The user lives in Ghent.')
  })

  it('does not recall what it forgot, neither by the pair nor by its turns', async () => {
    const { ana } = await live('lufy')
    const gone = await ana.memories({ forms: ['utterance'], statuses: ['forgotten'] })
    const goneIds = new Set(gone.map((memory) => memory.id))
    for (const question of ['tea', 'bus late', 'ordinary day', 'walnuts', 'shanties']) {
      const { memories } = await ana.recall(question, { limit: 50, reinforce: false })
      expect(memories.some((recalled) => goneIds.has(recalled.memory.id))).toBe(false)
    }
  })
})

describe('preset memory-bank', () => {
  it("pairs the user's turn with the reply that follows it", async () => {
    const keepsake = await openForTest({ preset: memoryBank, retention: { when: 'never' } })
    const ana = keepsake.scope({ user: 'ana' })
    await ana.remember([
      { role: 'user', text: 'Any book for me?', id: 'u1' },
      { role: 'assistant', text: 'Try Piranesi.', id: 'a1' },
      { role: 'user', text: 'Thanks!', id: 'u2' },
      { role: 'assistant', text: 'Enjoy.', id: 'a2' },
    ])
    await ana.endSession()
    await keepsake.drain()
    const pairs = (await ana.memories({ forms: ['utterance'] })).map((memory) =>
      memory.evidence.map((evidence) => evidence.turn),
    )
    expect(pairs).toEqual([
      ['u1', 'a1'],
      ['u2', 'a2'],
    ])
  })
})

describe('preset moom', () => {
  it('packs the story by its thresholds, six rounds a unit and five units a summary, never twice', async () => {
    const { ana } = await live('moom')
    const levels = await ana.story()
    const units = (level: number) => levels.find((one) => one.level === level)?.units.length ?? 0
    const statuses = ['live', 'forgotten'] as const
    const all = await ana.memories({ forms: ['story'], statuses })
    expect(all.filter((memory) => memory.level === 1)).toHaveLength(Math.floor(80 / 6))
    expect(all.filter((memory) => memory.level === 2)).toHaveLength(2)
    expect(units(2)).toBe(2)
  })

  it('keeps rounds as they were said until a summary tells of them, and not beyond', async () => {
    const { ana } = await live('moom')
    const rounds = await ana.memories({ forms: ['utterance'] })
    expect(Math.min(...rounds.map(({ round }) => round))).toBe(61)
    const { memories } = await ana.recall('walnuts allergic', { limit: 50, reinforce: false })
    const said = memories.filter(({ memory }) => memory.form === 'utterance')
    expect(said.every(({ memory }) => memory.round > 60)).toBe(true)
    const told = await ana.memories({ forms: ['utterance'], statuses: ['forgotten'] })
    expect(told).toHaveLength(60)
    expect(told[0]?.reason).toMatch(/^taken into the story \(/)
  })

  it('stays within its capacity in characters', async () => {
    const { ana } = await live('moom')
    const memories = await ana.memories({ forms: ['fact', 'story'] })
    expect(memories.reduce((sum, memory) => sum + memory.text.length, 0)).toBeLessThanOrEqual(6_000)
  })
})

describe('LUFY', () => {
  it('recalls by a threshold of the language of the question', async () => {
    const keepsake = await openForTest({ preset: lufy })
    const yu = keepsake.scope({ user: 'yu' })
    const at = Date.parse('2024-03-04T18:00:00Z')
    await yu.remember([
      { role: 'user', text: '我养了一只叫豆包的橘猫。', at },
      { role: 'user', text: '昨天我去看了一场电影。', at: at + 60_000 },
    ])
    const { memories } = await yu.recall('你还记得我家的猫吗?', { reinforce: false })
    expect(memories[0]?.memory.text).toContain('豆包')
  })
})
