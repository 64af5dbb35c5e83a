import { describe, expect, it } from 'vitest'
import { InvalidInputError, NotFoundError, type Keepsake, type ScopedMemory } from 'keepsake'
import { openForTest } from './open-for-test.ts'

const DAY = 86_400_000
const START = Date.UTC(2026, 2, 2, 18)

const TALKS = [
  ['I live in Porto.', 'I keep bees on the roof.'],
  ['My sister Mia is a nurse.', 'I moved to Lyon last week.'],
  ['I adopted a parrot called Kiwi.'],
]

/** Three sessions of a person, a day apart, all consolidated. */
async function openTalk(): Promise<{ keepsake: Keepsake; ana: ScopedMemory }> {
  let now = START
  const keepsake = await openForTest({ now: () => now, retention: { when: 'capacity', memories: 50 } })
  const ana = keepsake.scope({ user: 'ana' })
  for (const [index, texts] of TALKS.entries()) {
    now = START + index * DAY
    const session = `s${index + 1}`
    for (const [place, text] of texts.entries())
      await ana.remember(
        { role: 'user', text, id: `${session}-${place + 1}`, at: now + place * 1000 },
        { session },
      )
    await ana.endSession(session)
    await ana.drain()
  }
  now += DAY
  return { keepsake, ana }
}

describe('turns', () => {
  it('are those of a session by its name', async () => {
    const { ana } = await openTalk()
    expect((await ana.turns('s2')).map(({ text }) => text)).toEqual(TALKS[1])
  })

  it('come page by page from either end, each once, though some come between two pages', async () => {
    const { ana } = await openTalk()
    const first = await ana.admin.turnPage({ limit: 2 })
    expect(first.items.map(({ id }) => id)).toEqual(['s1-1', 's1-2'])
    await ana.remember({ role: 'user', text: 'Later.', id: 's3-2' }, { session: 's3' })
    const rest = await ana.admin.turnPage({ limit: 9, cursor: first.next ?? '' })
    expect(rest.items.map(({ id }) => id)).toEqual(['s2-1', 's2-2', 's3-1', 's3-2'])
    expect(rest.next).toBeNull()
    const newest = await ana.admin.turnPage({ limit: 2, newestFirst: true })
    expect(newest.items.map(({ id }) => id)).toEqual(['s3-2', 's3-1'])
    const before = await ana.admin.turnPage({ limit: 2, newestFirst: true, cursor: newest.next ?? '' })
    expect(before.items.map(({ id }) => id)).toEqual(['s2-2', 's2-1'])
  })

  it('come by time where that is asked for: what was imported later stands where it was said', async () => {
    const { keepsake, ana } = await openTalk()
    const turns = await ana.turns()
    const early = turns.map(({ at }) => at - DAY / 2)
    const tutor = keepsake.scope({ user: 'ana', agent: 'tutor' })
    for (const [number, at] of early.entries())
      await tutor.remember(
        { role: 'user', text: `Exercise ${number}`, id: `x${number}`, at },
        { session: 'one' },
      )
    const walked: number[] = []
    for (let cursor: string | undefined; ;) {
      const from = cursor === undefined ? {} : { cursor }
      const page = await ana.admin.turnPage({ limit: 4, order: 'time', newestFirst: true, ...from })
      walked.push(...page.items.map(({ at }) => at))
      if (page.next === null) break
      cursor = page.next
    }
    expect(walked).toEqual([...early, ...turns.map(({ at }) => at)].toSorted((one, other) => other - one))
    const [first] = (await ana.admin.turnPage({ limit: 1, order: 'time' })).items
    expect(first?.id).toBe('x0')
  })

  it('can be walked through, whoever the agents are', async () => {
    const { keepsake, ana } = await openTalk()
    const tutor = keepsake.scope({ user: 'ana', agent: 'tutor' })
    for (let number = 1; number <= 5; number += 1)
      await tutor.remember({ role: 'user', text: `Exercise ${number}`, id: `x${number}` }, { session: 'one' })
    const all = (await ana.turns()).map(({ id }) => id)
    const walked: string[] = []
    for (let cursor: string | undefined; ;) {
      const page = await ana.admin.turnPage({ limit: 3, ...(cursor === undefined ? {} : { cursor }) })
      walked.push(...page.items.map(({ id }) => id))
      if (page.next === null) break
      cursor = page.next
    }
    expect(walked).toEqual(all)
    const { items } = await ana.admin.turnPage({ session: 'one' })
    expect(items.map(({ id }) => id)).toEqual(['x1', 'x2', 'x3', 'x4', 'x5'])
  })

  it('are told within their conversation', async () => {
    const { ana } = await openTalk()
    expect((await ana.admin.turnsAround('s2-1', 3)).map(({ id }) => id)).toEqual(['s2-1', 's2-2'])
    expect((await ana.admin.turnsAround('s1-2', 1)).map(({ id }) => id)).toEqual(['s1-1', 's1-2'])
    await expect(ana.admin.turnsAround('nowhere')).rejects.toThrow(NotFoundError)
  })

  it('need a cursor of their own', async () => {
    const { ana } = await openTalk()
    await expect(ana.admin.turnPage({ cursor: 'rubbish' })).rejects.toThrow('cursor is none of this list')
    await expect(ana.admin.turnPage({ limit: 0 })).rejects.toThrow(InvalidInputError)
  })
})

describe('sessions', () => {
  it('come page by page from either end', async () => {
    const { ana } = await openTalk()
    const latest = await ana.admin.sessionPage({ limit: 2, newestFirst: true })
    expect(latest.items.map(({ id }) => id)).toEqual(['s3', 's2'])
    const rest = await ana.admin.sessionPage({ newestFirst: true, cursor: latest.next ?? '' })
    expect(rest.items.map(({ id }) => id)).toEqual(['s1'])
  })
})

describe('figures of a person', () => {
  it('count what there is, what is read and what waits, and nobody else', async () => {
    const { keepsake, ana } = await openTalk()
    await keepsake.scope({ user: 'bob' }).remember({ role: 'user', text: 'I am Bob.' })
    const stats = await ana.admin.stats()
    expect(stats).toMatchObject({ sessions: 3, turns: 5, pending: 0, jobs: { queued: 0, parked: 0 } })
    expect([stats.startedAt, stats.lastAt]).toEqual([START, START + 2 * DAY])
    const utterances = stats.memories.filter(({ form }) => form === 'utterance')
    expect(utterances).toEqual([{ status: 'live', form: 'utterance', type: 'event', count: 5 }])
    const facts = await ana.memories({ forms: ['fact'] })
    expect(stats.live.find(({ form }) => form === 'fact')?.memories).toBe(facts.length)
    expect(await keepsake.scope({ user: 'nobody' }).admin.stats()).toMatchObject({ turns: 0, lastAt: null })
  })
})

describe('a list of memories', () => {
  it('can begin with the newest, and be narrowed by what they are about', async () => {
    const { ana } = await openTalk()
    const forms = ['utterance'] as const
    const all = await ana.memories({ forms })
    const newest = await ana.memories({ forms, newestFirst: true, limit: 2 })
    expect(newest.map(({ id }) => id)).toEqual(
      all
        .toReversed()
        .slice(0, 2)
        .map(({ id }) => id),
    )
    const next = await ana.memories({ forms, newestFirst: true, limit: 1, after: newest[1]?.id ?? '' })
    expect(next[0]?.id).toBe(all.at(-3)?.id)
    const residence = await ana.memories({ key: 'residence' })
    expect(residence.length).toBeGreaterThan(0)
    expect(residence.every(({ key }) => key === 'residence')).toBe(true)
    const bees = await ana.memories({ forms, contains: 'BEES', limit: 1 })
    expect(bees[0]?.text.toLowerCase()).toContain('bees')
    await ana.pin(bees[0]?.id ?? '')
    expect((await ana.memories({ forms, pinned: true })).map(({ id }) => id)).toEqual([bees[0]?.id])
    expect(await ana.memories({ subject: 'nobody we know' })).toEqual([])
  })
})

describe('the log', () => {
  it('tells what changed lately first, and of some kinds only', async () => {
    const { ana } = await openTalk()
    const [memory] = await ana.memories({ forms: ['utterance'] })
    const pinned = await ana.pin(memory?.id ?? '')
    const [latest, before] = await ana.log({ newestFirst: true, limit: 2 })
    expect(latest?.id).toBe(pinned.id)
    const [older] = await ana.log({ newestFirst: true, limit: 1, before: latest?.sequence ?? 0 })
    expect(older?.id).toBe(before?.id)
    expect((await ana.log({ kinds: ['modify'], newestFirst: true }))[0]?.id).toBe(pinned.id)
  })
})

describe('the life of a memory', () => {
  it('has the turns it rests on, its recalls, and its strength', async () => {
    const { ana } = await openTalk()
    await ana.recall('What lives on the roof?')
    const [bees] = await ana.memories({ forms: ['utterance'], contains: 'bees' })
    const life = await ana.admin.life(bees?.id ?? '')
    expect(life.turns.map(({ id }) => id)).toEqual(['s1-2'])
    expect(life.retrievals).toMatchObject([{ first: 1, second: 0 }])
    const [own] = life.policies
    expect(own).toMatchObject({ policy: 'keepsake', isOwn: true, of: 5, held: null })
    const { strength } = await ana.explain(bees?.id ?? '')
    expect(own?.strength).toEqual(strength)
  })

  it('says what holds it, whatever its strength', async () => {
    const { ana } = await openTalk()
    const facts = await ana.memories({ forms: ['fact'] })
    const lifeOf = async (words: string) =>
      (await ana.admin.life(facts.find(({ text }) => text.includes(words))?.id ?? '')).policies
    expect((await lifeOf('Lyon'))[0]).toMatchObject({
      policy: 'facts',
      isOwn: true,
      held: 'exempt',
      strength: null,
    })
    const [own, other] = await lifeOf('Kiwi')
    expect(own).toMatchObject({
      policy: 'facts',
      isOwn: true,
      held: null,
      strength: { value: expect.any(Number) },
    })
    expect(other).toMatchObject({ policy: 'keepsake', isOwn: false, held: 'exempt', strength: null })
    const [said] = await ana.memories({ forms: ['utterance'] })
    await ana.pin(said?.id ?? '')
    expect((await ana.admin.life(said?.id ?? '')).policies[0]?.held).toBe('pinned')
    await expect(ana.admin.life('nothing')).rejects.toThrow(NotFoundError)
  })

  it('says that it goes now where there is no room', async () => {
    const { ana } = await openTalk()
    const { items } = await ana.admin.strengths({ policy: 'first-in-first-out', capacity: { memories: 3 } })
    expect(items.map(({ memory, kept }) => [memory.text, kept])).toEqual([
      ['I live in Porto.', false],
      ['I keep bees on the roof.', false],
      ['My sister Mia is a nurse.', true],
      ['I moved to Lyon last week.', true],
      ['I adopted a parrot called Kiwi.', true],
    ])
  })
})

describe('what would be let go', () => {
  it('is told page by page before it is, and is what goes then', async () => {
    const { ana } = await openTalk()
    const room = { policy: 'first-in-first-out', capacity: { memories: 3 } } as const
    const told = await ana.admin.strengths({ ...room, limit: 1, offset: 1 })
    expect(told).toMatchObject({ considered: 5, kept: 3, items: [{ kept: false, rank: 4 }] })
    const preview = await ana.runForgetting({ ...room, dryRun: true, limit: 1 })
    expect([preview.considered - preview.kept, preview.forgotten.length]).toEqual([2, 1])
    const done = await ana.runForgetting(room)
    const all = await ana.admin.strengths(room)
    expect(done.forgotten).toHaveLength(2)
    expect(all.items.every(({ kept }) => kept)).toBe(true)
  })

  it('is refused for a policy that there is not, with the one that was likely meant', async () => {
    const { ana } = await openTalk()
    await expect(ana.admin.strengths({ policy: 'ebinghaus' })).rejects.toThrow('Did you mean "ebbinghaus"?')
    await expect(ana.runForgetting({ policy: 'x', dryRun: true })).rejects.toThrow('There are: keepsake')
  })
})

describe('what an erasure would remove', () => {
  it('is what it removes', async () => {
    const { ana } = await openTalk()
    const before = await ana.memories({ statuses: ['live', 'deleted', 'forgotten', 'quarantined'] })
    const preview = await ana.admin.previewErasure({ sessions: ['s1'] })
    expect(preview).toMatchObject({ isPerson: false, turns: 2, turnIds: ['s1-1', 's1-2'] })
    expect(await ana.turns('s1')).toHaveLength(2)
    const receipt = await ana.erase({ sessions: ['s1'] })
    expect([receipt?.turns, receipt?.memories]).toEqual([preview.turns, preview.memories])
    const left = await ana.memories({ statuses: ['live', 'deleted', 'forgotten', 'quarantined'] })
    const gone = new Set(preview.items.map(({ id }) => id))
    expect(left.map(({ id }) => id)).toEqual(before.map(({ id }) => id).filter((id) => !gone.has(id)))
    expect((await ana.admin.erasures()).map(({ id }) => id)).toEqual([receipt?.id])
  })

  it('counts the whole person, and names nobody who is not there', async () => {
    const { keepsake, ana } = await openTalk()
    const { isPerson, turns, memories } = await ana.admin.previewErasure()
    const receipt = await ana.erase({ everything: true })
    expect([isPerson, turns, memories]).toEqual([true, receipt?.turns, receipt?.memories])
    expect(await keepsake.scope({ user: 'nobody' }).admin.previewErasure()).toMatchObject({ turns: 0 })
  })
})

describe('consent', () => {
  it('is kept for the person or a part of them, and goes with them', async () => {
    const keepsake = await openForTest()
    const ana = keepsake.scope({ user: 'ana' })
    expect(await ana.admin.consent()).toBe('unasked')
    await ana.admin.setConsent('refused')
    const tutor = keepsake.scope({ user: 'ana', agent: 'tutor' })
    await tutor.admin.setConsent('given')
    expect([await ana.admin.consent(), await tutor.admin.consent()]).toEqual(['refused', 'refused'])
    await ana.admin.setConsent('unasked')
    expect([await ana.admin.consent(), await tutor.admin.consent()]).toEqual(['unasked', 'given'])
    await ana.admin.setConsent('refused')
    await ana.erase({ everything: true })
    expect(await ana.admin.consent()).toBe('unasked')
    await expect(ana.admin.setConsent('maybe' as 'given')).rejects.toThrow(InvalidInputError)
  })
})
