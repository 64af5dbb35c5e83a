import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { Memory, OpenOptions, ScopedMemory, TurnInput } from 'keepsake'
import { moom } from '@keepsake/papers'
import { openForTest } from './open-for-test.ts'
import { answering, shown } from './script-model.ts'

const START = Date.parse('2024-03-04T18:00:00Z')
const MINUTE = 60_000

/** Rounds from one on, a minute each: the agent asks, the user says what stands here. */
function rounds(said: readonly string[], from = 1): TurnInput[] {
  return said.flatMap((text, index) => {
    const round = from + index
    const at = START + round * MINUTE
    return [
      { id: `a${round}`, role: 'assistant', text: 'And then?', at },
      { id: `u${round}`, role: 'user', text, at: at + 20_000 },
    ] as const
  })
}

const THINGS = ['kayaks', 'ferns', 'drums', 'maps', 'tulips', 'comets', 'kites', 'owls', 'ponds', 'clocks']
const WHICH = ['old', 'small', 'blue', 'quiet', 'bright', 'round', 'early', 'green', 'wooden', 'heavy']

/** What is liked in a hundred rounds: things come up again in other words, so that some are brought up more than others. */
const LIKES = Array.from({ length: 100 }, (_, at) => {
  const which = WHICH[(at + Math.floor(at / 10)) % 10] ?? ''
  return `I love ${which} ${THINGS[(3 * at) % 10] ?? ''}.`
})

async function open(options: OpenOptions = {}): Promise<ScopedMemory> {
  const keepsake = await openForTest({ preset: moom, now: () => START + 1_000 * MINUTE, ...options })
  return keepsake.scope({ user: 'ana' })
}

const live = async (ana: ScopedMemory): Promise<readonly Memory[]> =>
  ana.memories({ forms: ['fact', 'story'] })
const values = async (ana: ScopedMemory): Promise<string[]> =>
  (await live(ana)).flatMap(({ value }) => value ?? [])

/** Which likes of the hundred rounds are left where only so many memories may stay. */
async function survivors(preset: NonNullable<OpenOptions['preset']>, memories = 25): Promise<string[]> {
  const ana = await open({ preset, retention: { when: 'capacity', memories } })
  await ana.remember(rounds(LIKES))
  await ana.drain()
  return values(ana)
}

describe('forgetting by competition and inhibition', () => {
  it('halves what is suppressed in the step that forgets, and only in its round, which lets others go', async () => {
    const ana = await open({ retention: { when: 'capacity', memories: 25 } })
    await ana.remember(rounds(LIKES))
    await ana.drain()
    const [inhibited, alone] = [await values(ana), await survivors(moom({ inhibits: false }))]
    expect(inhibited).toHaveLength(alone.length)
    expect(inhibited).not.toEqual(alone)

    const suppressed = (await ana.memories({ forms: ['fact'], statuses: ['live', 'forgotten'] })).filter(
      ({ use }) => use.secondAt !== undefined,
    )
    const gone = suppressed.filter(({ status, reason }) => {
      return status === 'forgotten' && reason?.includes('suppressed = 1') === true
    })
    expect(gone.length).toBeGreaterThan(0)
    for (const { reason, use } of gone) expect(reason).toContain(`in round ${use.secondAt ?? 0}:`)
  })

  it('goes on through a restart in the middle of a round as if there had been none', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'moom-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const options = { path: join(folder, 'm.db'), retention: { when: 'capacity', memories: 25 } } as const
    const turns = rounds(LIKES)
    let left: string[] = []
    // Eleven turns at a time end with the agent's word, and again with the user's.
    for (let at = 0; at < turns.length; at += 11) {
      const keepsake = await openForTest({ preset: moom, now: () => START, ...options })
      const ana = keepsake.scope({ user: 'ana' })
      await ana.remember(turns.slice(at, at + 11), { session: 's' })
      await ana.drain()
      left = await values(ana)
      await keepsake.close()
    }
    expect(left).toEqual(await survivors(moom))
  })

  it('keeps the suppressions of what an application asks in the same round', async () => {
    const ana = await open({ preset: moom({ k: 1, recallsEachRound: false }) })
    await ana.remember(rounds(LIKES.slice(0, 20)))
    await ana.drain()
    await ana.recall('What ferns do I love?')
    await ana.drain()
    const [second, ...others] = (await live(ana)).filter(({ use }) => use.secondAt === 20)
    expect(others).toEqual([])
    const { sentences } = await ana.explain(second?.id ?? '')
    expect(sentences.join(' ')).toContain('suppressed = 1')
  })

  it('sums over all rounds in which a memory was brought up, each once', async () => {
    const ana = await open()
    await ana.remember(rounds(['I love owls.', ...Array.from({ length: 59 }, () => 'Owls flew over again.')]))
    await ana.drain()
    const owls = (await live(ana)).find(({ value }) => value === 'owls')
    expect(owls?.use.rounds.length).toBeGreaterThan(40)
    expect(new Set(owls?.use.rounds).size).toBe(owls?.use.rounds.length)
  })
})

describe('each round that comes in', () => {
  it('is a recall of its own, whether rounds come one by one or all at once', async () => {
    const [slow, fast] = [await open(), await open()]
    const said = LIKES.slice(0, 24)
    for (const [at, text] of said.entries()) {
      await slow.remember(rounds([text], at + 1))
      await slow.drain()
    }
    await fast.remember(rounds(said))
    await fast.drain()
    const useOf = async (ana: ScopedMemory) => (await live(ana)).map(({ value, use }) => [value, use.rounds])
    expect((await useOf(fast)).some(([, at]) => (at?.length ?? 0) > 0)).toBe(true)
    expect(await useOf(fast)).toEqual(await useOf(slow))
  })

  it('costs one reranking at most, and no call of a language model', async () => {
    const asked: string[] = []
    const model = answering({
      persona_snapshot: {
        people: [{ person: 'user', entries: [{ key: 'likes', value: 'ferns', turns: [2] }] }],
      },
    })
    const ana = await open({
      model,
      reranking: {
        id: 'test/reranker',
        rerank: async (question, texts) => {
          asked.push(question)
          return texts.map((text) => text.length)
        },
      },
    })
    await ana.remember(rounds(LIKES.slice(0, 20)))
    await ana.drain()
    expect(model.requests.map(({ schemaName }) => schemaName)).toEqual([
      'persona_snapshot',
      'persona_snapshot',
    ])
    expect(asked.length).toBeLessThanOrEqual(20)
  })

  it('is none with another preset', async () => {
    const ana = await open({ preset: 'keepsake' })
    await ana.remember(rounds(LIKES.slice(0, 12)))
    await ana.drain()
    expect((await ana.memories()).flatMap(({ use }) => use.rounds)).toEqual([])
  })
})

describe('the plot', () => {
  const TALK = Array.from({ length: 32 }, (_, at) => `It was an ordinary day number ${at + 1}.`)
  const EVENT = 'Then the harbour crane fell onto the ferry.'

  it('is searched as it was said until a summary tells of it', async () => {
    const model = answering({
      persona_snapshot: { people: [] },
      story_summary: { sentences: [{ text: 'In the harbour a crane fell onto the ferry.', turns: [10] }] },
    })
    const ana = await open({ model })
    const said = TALK.with(4, EVENT)
    const find = async () =>
      (await ana.recall('What fell onto the ferry?', { reinforce: false })).memories.map(
        ({ memory }) => memory,
      )
    for (const [at, text] of said.entries()) {
      await ana.remember(rounds([text], at + 1), { session: 's' })
      await ana.drain()
      if ([5, 13, 21, 29].includes(at + 1)) {
        const [first] = await find()
        expect([at + 1, first?.form, first?.text.includes(EVENT)]).toEqual([at + 1, 'utterance', true])
      }
    }
    const found = await find()
    expect(found[0]).toMatchObject({ form: 'story', text: 'In the harbour a crane fell onto the ferry.' })
    expect(found.filter(({ text }) => text.includes(EVENT))).toEqual([])
  })

  it('is whole at each level, however little room there is', async () => {
    let told = 0
    const model = answering({
      persona_snapshot: { people: [] },
      story_summary: () => {
        told += 1
        return { sentences: [{ text: `Chapter ${told} tells of a long and winding road.`, turns: [1] }] }
      },
    })
    const ana = await open({ model, retention: { when: 'capacity', characters: 90 } })
    await ana.remember(rounds(Array.from({ length: 150 }, (_, at) => `We walked on, mile ${at + 1}.`)))
    await ana.drain()
    const highest = model.requests.at(-1)
    for (const chapter of [1, 2, 3, 4, 5])
      expect(highest && shown(highest)).toContain(`Chapter ${chapter} tells`)
    // Once told above, a chapter may go.
    const { length } = await ana.memories({ forms: ['story'], statuses: ['forgotten'] })
    expect(length).toBeGreaterThan(0)
  })
})

describe('contradictory keys', () => {
  /** What is left of likes and dislikes after one snapshot and another. */
  async function afterBoth(
    first: readonly [key: string, value: string],
    then: readonly [key: string, value: string],
  ): Promise<[string | null, string | null][]> {
    const snapshots = [first, then].map(([key, value]) => ({
      people: [{ person: 'user', entries: [{ key, value, turns: [2] }] }],
    }))
    const model = answering({ persona_snapshot: (_, call) => snapshots[call] ?? { people: [] } })
    const ana = await open({ model })
    await ana.remember(rounds(Array.from({ length: 20 }, (_, at) => `Hm, ${at}.`)))
    await ana.drain()
    return (await ana.memories({ forms: ['fact'] })).map(({ key, value }) => [key, value])
  }

  it('meet by synonyms and by word vectors, and similar things stay apart', async () => {
    expect(await afterBoth(['likes', 'films'], ['dislikes', 'movies'])).toEqual([['dislikes', 'movies']])
    expect(await afterBoth(['likes', 'green tea'], ['dislikes', 'black tea'])).toHaveLength(2)
  })

  it('meet in Chinese, by two names of one thing', async () => {
    expect(await afterBoth(['喜欢', '爬山'], ['不喜欢', '登山'])).toEqual([['dislikes', '登山']])
    expect(await afterBoth(['喜欢', '红茶'], ['不喜欢', '绿茶'])).toHaveLength(2)
  })

  it('are the favourite of a kind and what is disliked of it, or at all', async () => {
    expect(await afterBoth(['favourite animal', 'cats'], ['disliked animals', 'cats'])).toEqual([
      ['disliked-animal', 'cats'],
    ])
    expect(await afterBoth(['favourite animal', 'cats'], ['dislikes', 'cats'])).toEqual([
      ['dislikes', 'cats'],
    ])
    expect(await afterBoth(['dislikes', 'cats'], ['favourite animal', 'cats'])).toEqual([
      ['favourite-animal', 'cats'],
    ])
    expect(await afterBoth(['最喜欢的动物', '猫'], ['讨厌的动物', '猫咪'])).toEqual([
      ['disliked-animal', '猫咪'],
    ])
    expect(await afterBoth(['favourite animal', 'cats'], ['dislikes', 'dogs'])).toHaveLength(2)
    // A favourite is a list.
    expect(await afterBoth(['favourite animal', 'cats'], ['favourite animal', 'otters'])).toHaveLength(2)
  })
})

describe('the persona sheet', () => {
  it('tells how many rounds ago each value was told, and keys that the model made up', async () => {
    const entries = [
      { key: 'residence', value: 'Lyon', turns: [2] },
      { key: 'secret handshake', value: 'three knocks', turns: [4] },
    ]
    const model = answering({
      persona_snapshot: (_, call) => ({ people: call > 0 ? [] : [{ person: 'user', entries }] }),
    })
    const ana = await open({ model })
    await ana.remember(rounds(Array.from({ length: 25 }, (_, at) => `Hm, ${at}.`)))
    await ana.drain()
    const [user] = (await ana.persona()).subjects
    expect(user?.entries.map(({ key, values: [one] }) => [key.id, one?.value, one?.ageRounds])).toEqual([
      ['residence', 'Lyon', 15],
      ['secret handshake', 'three knocks', 15],
    ])
  })
})
