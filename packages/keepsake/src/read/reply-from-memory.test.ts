import { describe, expect, it } from 'vitest'
import { makeMemory } from '../memories/memory-fixture.ts'
import { scriptedModel, type AnswerScript } from '../models/adapters/scripted-language-model.ts'
import { embedBy } from '../models/embedding-fixture.ts'
import type { LanguageModel } from '../models/language-model.ts'
import { keepsake } from '../presets/keepsake.ts'
import type { Preset } from '../presets/preset.ts'
import type { Turn, TurnInput } from '../turns/turn.ts'
import { NOW, openEngine, resolvedIn, storeMemories, storeTurns } from '../work/engine-fixture.ts'
import { decideAndCommit } from '../work/unit-of-work.ts'
import { replyFromMemory, type ReplyOptions } from './reply.ts'

const QUESTION: TurnInput = { role: 'user', text: 'What colour is my kayak?', at: NOW, id: 'q' }

async function open(
  answers: AnswerScript = ['Yellow.'],
  turns: Partial<Turn>[] = [],
  preset: Partial<Preset> = {},
) {
  const model = scriptedModel(answers)
  const modelOptions = { retries: 0 }
  const embedding = embedBy({ kayak: [1, 0] })
  const place = await openEngine({ model, modelOptions, embedding, preset: { ...keepsake(), ...preset } })
  await storeTurns(place, ...turns)
  const reply = (input: TurnInput | readonly TurnInput[] = QUESTION, options: ReplyOptions = {}) =>
    replyFromMemory(place.engine, place.row, input, { ...options, resolved: resolvedIn(place) })
  const words = () => model.requests[0]?.messages.map(({ text }) => text).join('\n') ?? ''
  return { place, model, reply, words }
}

describe('a reply', () => {
  it('keeps who said a turn, and where they are', async () => {
    const { place, reply } = await open()
    await (
      await reply({ ...QUESTION, speaker: 'Ana', timeZone: 'Asia/Tokyo' })
    ).remembered
    const [asked, answered] = await place.engine.store.listTurns({ userId: place.row.owner })
    expect([asked, answered]).toMatchObject([
      { speaker: 'Ana', timeZone: 'Asia/Tokyo' },
      { speaker: null, timeZone: null },
    ])
  })
})

describe('what the model is shown', () => {
  const talk = (count: number) =>
    Array.from({ length: count }, (_, at) => ({ text: `said ${at + 1}`, at: NOW - 50 + at }))
  const lines = (words: string) => [...words.matchAll(/^(?:said \d+|What colour.*)$/gm)].map(([text]) => text)

  it('is the last twenty turns of the running session, and the new ones', async () => {
    const { reply, words } = await open(['Yellow.'], talk(22), { recalls: [] })
    await (
      await reply()
    ).text
    expect(lines(words())).toEqual([
      ...Array.from({ length: 20 }, (_, at) => `said ${at + 3}`),
      'What colour is my kayak?',
    ])
  })

  it('is a turn that is stored already only once', async () => {
    const given = { ...talk(1)[0], id: 'q', text: 'What colour is my kayak?', at: NOW }
    const { reply, words } = await open(['Yellow.'], [...talk(1), given])
    await (
      await reply()
    ).text
    expect(lines(words())).toEqual(['said 1', 'What colour is my kayak?'])
  })

  it('is nothing of a session that has ended, unless that is the one that goes on', async () => {
    for (const [session, expected] of [
      [undefined, []],
      ['s1', ['said 1']],
      ['s2', []],
    ] as const) {
      const { place, reply, words } = await open(['Yellow.'], talk(1))
      await decideAndCommit(place.engine, place.row, () => undefined, {
        endSessions: [{ session: 's1', at: 1 }],
      })
      await (
        await reply(QUESTION, session === undefined ? {} : { session })
      ).text
      expect(lines(words())).toEqual([...expected, 'What colour is my kayak?'])
    }
  })

  it('is nothing of a session that a long silence ended', async () => {
    const { reply, words } = await open(['Yellow.'], talk(1))
    await (
      await reply({ ...QUESTION, at: NOW + keepsake().sessionGap })
    ).text
    expect(lines(words())).toEqual(['What colour is my kayak?'])
  })

  it('is what was recalled, whether that is sure, the time of asking and the application’s own words', async () => {
    const { reply, words, model } = await open(['Yellow.'], [{ text: 'My kayak is yellow.' }])
    const asked = { ...QUESTION, at: Date.UTC(2026, 2, 5, 20), timeZone: 'Asia/Tokyo' }
    await (
      await reply(asked, { instructions: 'You are Juno.' })
    ).text
    expect(model.requests[0]?.system).toMatch(/^You are Juno\./)
    expect(words()).toContain('My kayak is yellow.')
    expect(words()).toContain('It is now 2026-03-06 Fri 05:00')
    expect(words()).not.toContain('The search is not sure')
    const other = await open(['I do not know.'], [{ text: 'My kayak is yellow.' }])
    await (
      await other.reply({ ...asked, text: 'Who mended the zeppelin?' }, { timeZone: 'UTC' })
    ).text
    expect(other.words()).toContain('It is now 2026-03-05 Thu 20:00')
    expect(other.words()).toContain('The search is not sure')
    expect(other.model.requests[0]?.system).not.toContain('Juno')
  })

  it('is in the language of the question', async () => {
    const { reply, model } = await open()
    await (
      await reply({ ...QUESTION, text: '我的皮划艇是什么颜色？' })
    ).text
    expect(model.requests[0]?.system).toContain('你就是这段聊天里的助手')
  })

  it('is the portrait where nothing is searched for', async () => {
    const preset = { ranking: { kind: 'whole' }, always: ['portrait'] } as const
    const { place, reply, words } = await open(['Yellow.'], [{ text: 'said 1' }], preset)
    await storeMemories(place, makeMemory({ id: 'p', form: 'portrait', text: 'Ana has a yellow kayak.' }))
    await (
      await reply()
    ).text
    expect(words()).toContain('Ana has a yellow kayak.')
    expect(words()).not.toContain('<memories>')
    const without = await open(['Yellow.'], [{ text: 'said 1' }], preset)
    await (
      await without.reply()
    ).text
    expect(without.words()).not.toContain('<portrait>')
  })
})

describe('an answer that does not come whole', () => {
  it('is none when the model says nothing', async () => {
    const silent: LanguageModel = {
      id: 'silent/model',
      generate: () => Promise.reject(new Error('nothing is generated')),
      async *stream() {
        yield { kind: 'text', text: ' ' }
        yield { kind: 'end', finish: 'stop', usage: { input: null, output: null } }
      },
    }
    const place = await openEngine({ model: silent, embedding: embedBy({ kayak: [1, 0] }) })
    const answer = await replyFromMemory(place.engine, place.row, QUESTION, { resolved: resolvedIn(place) })
    await expect(answer.text).rejects.toMatchObject({ code: 'model-answer' })
    await expect(answer.remembered).rejects.toThrow()
  })
})
