import { describe, expect, it } from 'vitest'
import type { Keepsake, ScopedMemory } from 'keepsake'
import type { ScriptedModel } from 'keepsake/model'
import { openForTest, stoppedClock } from './open-for-test.ts'
import { answering, fact, forgetting, segmentAnswer } from './script-model.ts'

const PEOPLE = [
  {
    language: 'en',
    told: ["I'm allergic to penicillin.", 'I live in Lyon.', 'My sister Greta paints boats.'],
    known: [
      'The user is allergic to penicillin.',
      'The user lives in Lyon.',
      "The user's sister Greta paints boats.",
    ],
    wide: ['Please delete my entire history with you.', 'Drop everything you remember about me.'],
    /** No rule hears these. */
    odd: [
      'From today I am a stranger to you: may nothing of me be left, drop it.',
      'Burn the lot of it, the whole of me.',
    ],
    narrow: 'Forget that I live in Lyon.',
    all: 'everything about the user',
    yes: 'Yes.',
  },
  {
    language: 'zh',
    told: ['我对青霉素过敏。', '我住在里昂。', '我妹妹小白画船。'],
    known: ['用户对青霉素过敏。', '用户住在里昂。', '用户的妹妹小白画船。'],
    wide: ['请把你知道的我的事全忘了。', '把我的信息都删了吧。'],
    odd: ['从今天起我们是陌生人，什么都别留，抹干净。', '一笔勾销，全抹了。'],
    narrow: '忘掉我说的关于里昂的事。',
    all: '关于用户的一切',
    yes: '确认。',
  },
] as const

async function open(model: ScriptedModel): Promise<{ keepsake: Keepsake; ana: ScopedMemory }> {
  const { now } = stoppedClock('2024-06-01T00:00:00Z')
  const keepsake = await openForTest({ model, modelOptions: { retries: 0 }, now })
  return { keepsake, ana: keepsake.scope({ user: 'ana' }) }
}

async function say(ana: ScopedMemory, session: string, texts: readonly string[]): Promise<void> {
  await ana.remember(
    texts.map((text, place) => ({ id: `${session}-${place}`, role: 'user' as const, text })),
    { session },
  )
  await ana.endSession(session)
  await ana.drain()
}

const live = async (ana: ScopedMemory): Promise<string[]> =>
  (await ana.memories({ forms: ['fact'] }))
    .filter(({ origin }) => !/request/.test(origin.step))
    .map(({ text }) => text)

/** A model that takes whatever is asked for a wish that all be deleted. */
function eager({ told, known, all }: (typeof PEOPLE)[number]): ScriptedModel {
  return answering({
    segment: (request, call) => {
      const said = request.messages.map(({ text }) => text).join('\n')
      const quote = [...said.matchAll(/^\[1\] .*?"(.*)"$/gm)].at(-1)?.[1] ?? ''
      return call === 0
        ? segmentAnswer(known.map((text, at) => fact(text, at + 1, told[at] ?? '')))
        : segmentAnswer([], { forget: [forgetting(all, 1, quote, 1, 2, 3)] })
    },
    choose_meant: { earnest: true, turns: [1, 2, 3], memories: [1, 2, 3], names: ['Greta', '小白'] },
    ground: { verdicts: [] },
    renew_portrait: { user: '', relationship: '', events: '' },
  })
}

describe.each(PEOPLE)('a wide request that a model reads, in $language', (person) => {
  it.each(person.wide)('asks back, and is carried out by the yes: %s', async (ask) => {
    const { ana } = await open(eager(person))
    await say(ana, '1', person.told)
    expect(await live(ana)).toEqual(person.known)
    await say(ana, '2', [ask])
    expect(await live(ana)).toEqual(person.known)
    expect(await ana.memories({ statuses: ['deleted'] })).toEqual([])
    expect(await ana.admin.pendingRequests()).toMatchObject([{ turn: '2-0' }])
    await say(ana, '3', [person.yes])
    expect(await live(ana)).toEqual([])
  })

  it.each(person.odd)('is not carried out on its word alone: %s', async (ask) => {
    const { ana } = await open(eager(person))
    await say(ana, '1', person.told)
    await say(ana, '2', [ask])
    expect(await live(ana)).toEqual(person.known)
    expect(await ana.memories({ statuses: ['deleted'] })).toEqual([])
  })

  it('is not made of a narrow one', async () => {
    const { ana } = await open(eager(person))
    await say(ana, '1', person.told)
    await say(ana, '2', [person.narrow])
    expect(await live(ana)).toEqual([person.known[0], person.known[2]])
    expect(await ana.admin.pendingRequests()).toEqual([])
  })
})
