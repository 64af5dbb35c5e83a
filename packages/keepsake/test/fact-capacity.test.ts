import { describe, expect, it } from 'vitest'
import type { MemoryForm, OpenOptions, ScopedMemory } from 'keepsake'
import { findPreset, PAPERS } from '@keepsake/papers'
import { MOOM_THRESHOLDS } from 'keepsake/preset'
import { openForTest, stoppedClock } from './open-for-test.ts'

const ROOM = 12
/** Things that nobody likes twice. */
const THINGS = Array.from({ length: 40 }, (_, at) => `hobby${at}`)

async function open(options: OpenOptions = {}) {
  const clock = stoppedClock()
  const keepsake = await openForTest({
    retention: { when: 'capacity', memories: ROOM },
    now: clock.now,
    ...options,
  })
  const ana = keepsake.scope({ user: 'ana' })
  const tell = async (...said: string[]): Promise<void> => {
    for (const text of said) {
      clock.forward(60_000)
      await ana.remember({ role: 'user', text, at: clock.now() }, { session: 's1' })
      await ana.drain()
    }
  }
  return { keepsake, ana, tell }
}

const likings = (things: readonly string[]): string[] => things.map((thing) => `I like ${thing}.`)

async function textsOf(scope: ScopedMemory, forms: readonly MemoryForm[] = ['fact']): Promise<string[]> {
  return (await scope.memories({ forms })).map(({ text }) => text)
}

const likesIn = (texts: readonly string[]): string[] =>
  texts.flatMap((text) => /hobby\d+/.exec(text)?.[0] ?? [])

describe('facts under a capacity', () => {
  it('have room of their own, and the weakest go, the oldest of equals first', async () => {
    const { ana, tell } = await open()
    await tell(...likings(THINGS))
    expect(likesIn(await textsOf(ana))).toEqual(THINGS.slice(-ROOM))
    expect(await textsOf(ana, ['utterance'])).toHaveLength(ROOM)
  })

  it('stay whatever room there is where they are pinned, stated, names, anybody’s health, or what holds now', async () => {
    const { ana, tell } = await open()
    await tell('My name is Ana.', 'I am allergic to peanuts.', 'I live in Porto.', 'I like chess.')
    const [chess] = await ana.memories({ forms: ['fact'], contains: 'chess' })
    await ana.pin(chess?.id ?? '')
    await ana.addFact('The user prefers short answers.')
    const before = await textsOf(ana)
    await tell(...likings(THINGS))
    const after = await textsOf(ana)
    expect(after).toEqual(expect.arrayContaining(before))
    expect(likesIn(after)).toEqual(THINGS.slice(-ROOM))
    for (const [contains, why] of [
      ['Ana', 'a name'],
      ['peanuts', 'about health'],
      ['Porto', 'the current value'],
      ['short answers', 'application stated it'],
      ['chess', 'pinned'],
    ] as const) {
      const [fact] = await ana.memories({ forms: ['fact'], contains })
      const { sentences, strength } = await ana.explain(fact?.id ?? '')
      expect([sentences.join(' '), strength]).toEqual([expect.stringContaining(why), null])
    }
  })

  it('go sooner when they are over, and later when a recall used them', async () => {
    const { ana, tell } = await open()
    await tell(
      'I like kayaking.',
      ...likings(THINGS.slice(0, ROOM - 2)),
      'I live in Porto.',
      'I live in Lyon.',
    )
    await ana.recall('kayaking')
    await tell(...likings(THINGS.slice(ROOM, ROOM + 4)))
    const left = await textsOf(ana)
    expect(left.filter((text) => /Porto/.test(text))).toEqual([])
    expect(left.filter((text) => /Lyon|kayaking/.test(text))).toHaveLength(2)
  })

  it('are let go by an operation that says why, and come back when they are restored', async () => {
    const { ana, tell } = await open()
    await tell(...likings(THINGS.slice(0, ROOM + 1)))
    const [gone] = await ana.memories({ forms: ['fact'], statuses: ['forgotten'] })
    const history = await ana.admin.history(gone?.id ?? '')
    expect(history.at(-1)).toMatchObject({ kind: 'forget', origin: { step: 'policy:facts' } })
    expect(gone?.reason).toMatch(
      /^Forgotten in round 13: strength 5\.5 is 13th of 13, and 12 are kept .*By facts: \(L \+/,
    )
    const { strength } = await ana.explain(gone?.id ?? '')
    expect(strength).toBeNull()
    await ana.restore(gone?.id ?? '')
    expect(await textsOf(ana)).toHaveLength(ROOM + 1)
    expect((await ana.recall('What about hobby0?')).memories.map(({ memory }) => memory.id)).toContain(
      gone?.id,
    )
  })

  it('are told of before they go, by a run that changes nothing and by how they stand', async () => {
    const { ana, tell } = await open()
    await tell(...likings(THINGS.slice(0, ROOM)))
    const capacity = { memories: 5 }
    const preview = await ana.runForgetting({ capacity, dryRun: true })
    expect([preview.considered, preview.kept, preview.forgotten.length]).toEqual([2 * ROOM, 10, 14])
    const standing = await ana.admin.strengths({ policy: 'facts', capacity })
    expect(standing).toMatchObject({ policy: 'facts', considered: ROOM, kept: 5 })
    const goes = standing.items.flatMap(({ memory, kept }) => (kept ? [] : [memory.id]))
    expect(preview.forgotten.map(({ memory }) => memory)).toEqual(expect.arrayContaining(goes))
    expect(await textsOf(ana)).toHaveLength(ROOM)
    await ana.runForgetting({ policy: 'facts', capacity })
    expect([await textsOf(ana), await textsOf(ana, ['utterance'])].map(({ length }) => length)).toEqual([
      5,
      ROOM,
    ])
    const left = await ana.admin.strengths({ policy: 'facts', capacity: { memories: 9, facts: 3 } })
    expect([left.considered, left.kept]).toEqual([5, 3])
  })

  it('all stay where the application says so, also in a run with less room', async () => {
    const { ana, tell } = await open({ retention: { when: 'capacity', memories: ROOM, facts: 'all' } })
    await tell(...likings(THINGS))
    await ana.runForgetting({ capacity: { memories: 1 } })
    expect([await textsOf(ana), await textsOf(ana, ['utterance'])].map(({ length }) => length)).toEqual([
      THINGS.length,
      1,
    ])
    await ana.runForgetting({ capacity: { facts: 3 } })
    expect(await textsOf(ana)).toHaveLength(3)
  })

  it('have as much room as the application gives them', async () => {
    const { ana, tell } = await open({ retention: { when: 'capacity', memories: ROOM, facts: 4 } })
    await tell(...likings(THINGS.slice(0, 20)))
    expect([await textsOf(ana), await textsOf(ana, ['utterance'])].map(({ length }) => length)).toEqual([
      4,
      ROOM,
    ])
  })

  it('are kept by published systems as they were, under a capacity of the application’s', async () => {
    for (const preset of ['lufy', 'memory-bank'] as const) {
      const { ana, tell } = await open({ preset: PAPERS[preset] })
      await tell(...likings(THINGS.slice(0, ROOM + 8)))
      await ana.endSession('s1')
      await ana.drain()
      expect([preset, likesIn(await textsOf(ana)).length]).toEqual([preset, ROOM + 8])
    }
  })

  it('are judged once for many that go, not at each turn', async () => {
    const room = 120
    const { ana, tell } = await open({ retention: { when: 'capacity', memories: 10_000, facts: room } })
    await tell(likings(Array.from({ length: room + 40 }, (_, at) => `hobby${at}`)).join(' '))
    const gone = await ana.log({ kinds: ['forget'], limit: 1_000 })
    // Once over, a twentieth of the room goes too: 120 less 6 are left.
    expect([await textsOf(ana), gone].map(({ length }) => length)).toEqual([114, 46])
    await tell(...likings(['rowing', 'fencing', 'archery', 'sailing', 'juggling', 'pottery']))
    expect(await ana.log({ kinds: ['forget'], limit: 1_000 })).toHaveLength(46)
    await tell('I like origami.')
    expect(await ana.log({ kinds: ['forget'], limit: 1_000 })).toHaveLength(53)
  })
})

describe('the story under a capacity', () => {
  it('lets go of raw units whose talk is gone once a summary tells of them, and of no summary', async () => {
    // Rules write no story of their own, so the preset gets one.
    const plain = findPreset('keepsake')
    const branches = [...plain.branches, { kind: 'story', thresholds: MOOM_THRESHOLDS } as const]
    const { ana, tell } = await open({
      preset: { ...plain, branches },
      retention: { when: 'capacity', memories: 5 },
    })
    await tell(
      ...Array.from({ length: 48 }, (_, at) => `We talked of the weather again, day ${at}, and of boats.`),
    )
    const levels = (await ana.memories({ forms: ['story'] })).map(({ level }) => level)
    // 48 rounds make eight units of six; the first five are told by a summary, the last three wait for theirs.
    expect(levels.toSorted((one, other) => one - other)).toEqual([1, 1, 1, 2])
  })
})
