import { describe, expect, it } from 'vitest'
import type { AskModel, LeftOut } from 'keepsake/model'
import { scriptedAsk } from '../../../keepsake/src/models/scripted-ask-fixture.ts'
import { makeTurn } from '../../../keepsake/src/turns/turn-fixture.ts'
import { sourcesOfTurns } from 'keepsake/preset'
import { sessionMemoryWriter } from './write-session-memory.ts'

const english = sourcesOfTurns([
  makeTurn({ id: 'a', text: 'We adopted a puppy called Milo yesterday.' }),
  makeTurn({ id: 'b', role: 'assistant', speaker: 'Iris', text: 'How lovely! Is he housebroken?' }),
  makeTurn({ id: 'c', text: 'Not at all, but Ben is training him.' }),
])
const chinese = sourcesOfTurns([
  makeTurn({ id: 'a', text: '我们昨天领养了一只小狗，叫米洛。', timeZone: 'Asia/Shanghai' }),
  makeTurn({ id: 'b', role: 'assistant', text: '真好！它听话吗？', timeZone: 'Asia/Shanghai' }),
])
const told = (text: string, ...turns: number[]): { text: string; turns: number[] } => ({ text, turns })

describe('the session memory writer', () => {
  const memory = {
    outcome: 'memory',
    events: [told('The user\nadopted Milo.', 1)],
    user: [told('The user lives with Ben.', 3)],
    agent: [told('Iris likes dogs.', 2)],
  }

  it('keeps apart events, user and agent', async () => {
    const ask = scriptedAsk(memory)
    expect(await sessionMemoryWriter().summarise(english, { ask, maxCharacters: 700 })).toMatchObject({
      text: 'Events: The user adopted Milo.\nUser: The user lives with Ben.\nAgent: Iris likes dogs.',
      evidence: [{ turn: 'a' }, { turn: 'b' }, { turn: 'c' }],
    })
    expect(ask.asked[0]?.problems).toEqual([])
  })

  it('labels in Chinese, and leaves empty kinds out', async () => {
    const ask = scriptedAsk({ ...memory, events: [told('用户领养了米洛。', 1)], user: [], agent: [] })
    expect(await sessionMemoryWriter().summarise(chinese, { ask, maxCharacters: 700 })).toMatchObject({
      text: '事件：用户领养了米洛。',
    })
  })

  it('knows sessions with nothing to keep from those that must not be kept', async () => {
    const empty = { events: [], user: [], agent: [] }
    const ask = scriptedAsk({ ...empty, outcome: 'nothing' }, { ...memory, outcome: 'unsafe' })
    const writer = sessionMemoryWriter()
    expect(await writer.summarise(english, { ask, maxCharacters: 700 })).toBeNull()
    expect(await writer.summarise(english, { ask, maxCharacters: 700 })).toBe('unsafe')
  })

  it('has an outcome mended that its sentences deny', async () => {
    const empty = { events: [], user: [], agent: [] }
    const ask = scriptedAsk({ ...memory, outcome: 'nothing' }, { ...empty, outcome: 'memory' })
    const writer = sessionMemoryWriter()
    expect(await writer.summarise(english, { ask, maxCharacters: 700 })).toBeNull()
    expect(await writer.summarise(english, { ask, maxCharacters: 700 })).toBeNull()
    expect(ask.asked.map((one) => one.problems.length)).toEqual([1, 1])
  })

  it('writes as much as there is, however short it was asked for', async () => {
    const events = Array.from({ length: 60 }, (_, n) =>
      told(`The user told of the ${n}th thing at length.`, 1),
    )
    const ask = scriptedAsk({ ...memory, events })
    const summary = await sessionMemoryWriter().summarise(english, { ask, maxCharacters: 62 })
    expect(summary).toMatchObject({ text: expect.stringContaining('59th thing') })
    expect(summary).toMatchObject({ text: expect.stringContaining('Agent: Iris likes dogs.') })
    expect(ask.asked[0]?.problems).toEqual([])
    expect(ask.asked[0]?.system).not.toContain('At most')
  })

  it('says that it needs a language model', async () => {
    await expect(sessionMemoryWriter().summarise(english, { maxCharacters: 500, ask: null })).rejects.toThrow(
      /session-memory\/\d+ needs a language model/,
    )
  })
})

describe('a session that the window does not hold', () => {
  /** Forty turns of some eighty tokens, for a window that holds a dozen of them. */
  const long = sourcesOfTurns(
    Array.from({ length: 40 }, (_, n) =>
      makeTurn({ id: `t${n}`, text: `Thing ${n} happened. ${'We talked of it for long. '.repeat(12)}` }),
    ),
  )
  const nothing = { events: [], user: [], agent: [] }
  const thingsOf = (user: string): { text: string; turns: number[] }[] =>
    [...user.matchAll(/^\[(\d+)\].*?Thing (\d+) happened/gm)].map(([, line, n]) =>
      told(`Thing ${n} happened.`, Number(line)),
    )

  /** Answers each part by what it is shown. */
  function reading(outcomeOf: (part: number) => 'memory' | 'unsafe' | 'nothing') {
    const asked: string[] = []
    const ask: AskModel = {
      model: 'scripted/1',
      windowTokens: 4_000,
      ask: async (prompt, input, { language }) => {
        const { user } = prompt.render(input, language)
        const outcome = outcomeOf(asked.push(user) - 1)
        const events = outcome === 'memory' ? thingsOf(user) : []
        return prompt.schema.parse({ ...nothing, outcome, events })
      },
      stream: () => {
        throw new Error('Nothing is streamed.')
      },
    }
    return { ask, asked }
  }

  it('is read in parts that lose no turn, and joined, each sentence resting on its own turns', async () => {
    const { ask, asked } = reading(() => 'memory')
    const summary = await sessionMemoryWriter().summarise(long, { ask, maxCharacters: 700 })
    if (summary === null || summary === 'unsafe') throw new Error('nothing was written')
    expect(asked.length).toBeGreaterThan(1)
    expect(asked[0]).not.toContain('<before>')
    expect(asked[1]).toMatch(/<before>\n"Events: Thing 0 happened/)
    for (let n = 0; n < 40; n += 1) expect(summary.text).toContain(`Thing ${n} happened.`)
    expect(summary.evidence.map(({ turn }) => turn)).toEqual(long.map(({ turn }) => turn))
  })

  it('keeps what the other parts leave when one must not be kept, and tells which turns went', async () => {
    const { ask } = reading((part) => (part === 0 ? 'unsafe' : 'memory'))
    const leftOut: LeftOut[] = []
    const onLeftOut = (one: LeftOut): void => void leftOut.push(one)
    const summary = await sessionMemoryWriter().summarise(long, { ask, maxCharacters: 700, onLeftOut })
    expect(summary).toMatchObject({ text: expect.stringContaining('Thing 39 happened.') })
    expect(summary).not.toMatchObject({ text: expect.stringContaining('Thing 0 happened.') })
    expect(leftOut).toEqual([{ what: 'turns', count: expect.any(Number), of: 40, cause: 'unsafe' }])
  })

  it('must not be kept when no other part leaves anything', async () => {
    const { ask } = reading((part) => (part === 0 ? 'unsafe' : 'nothing'))
    expect(await sessionMemoryWriter().summarise(long, { ask, maxCharacters: 700 })).toBe('unsafe')
  })

  it('is read whole where one turn alone is too long', async () => {
    const { ask, asked } = reading(() => 'memory')
    const words = Array.from({ length: 3_000 }, (_, n) => `word${n}`)
    const [source] = sourcesOfTurns([
      makeTurn({ id: 'pasted', text: `Thing 0 happened. ${words.join(' ')}.` }),
    ])
    if (source === undefined) throw new Error('no source')
    const summary = await sessionMemoryWriter().summarise([source], { ask, maxCharacters: 700 })
    for (const word of ['word0 ', 'word1500 ', 'word2999']) expect(asked.join('\n')).toContain(word)
    expect(summary).toMatchObject({ evidence: [{ turn: 'pasted', quote: null }] })
  })
})
