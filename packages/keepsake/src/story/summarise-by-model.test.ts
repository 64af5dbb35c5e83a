import { promptVersion } from '../prompts/prompt.ts'
import { storySummaryPrompt } from '../prompts/story-summary.ts'
import { describe, expect, it } from 'vitest'
import { InvalidInputError } from '@keepsake/text'
import { scriptedAsk } from '../models/scripted-ask-fixture.ts'
import { makeTurn } from '../turns/turn-fixture.ts'
import { sourcesOfTurns } from './story-units.ts'
import { dailySummariser, sessionSummariser } from '@keepsake/papers'
import { storySummariser } from './summarise-by-model.ts'
import type { SummarySource } from '../prompts/render-summary-sources.ts'

const english = sourcesOfTurns([
  makeTurn({ id: 'a', text: 'We adopted a puppy called Milo yesterday.' }),
  makeTurn({ id: 'b', role: 'assistant', speaker: 'Iris', text: 'How lovely! Is he housebroken?' }),
  makeTurn({ id: 'c', text: 'Not at all, but Ben is training him.' }),
])
const chinese = sourcesOfTurns([
  makeTurn({ id: 'a', text: '我们昨天领养了一只小狗，叫米洛。', timeZone: 'Asia/Shanghai' }),
  makeTurn({ id: 'b', role: 'assistant', text: '真好！它听话吗？', timeZone: 'Asia/Shanghai' }),
])
const lower: SummarySource[] = [
  {
    turn: 'a',
    text: 'A puppy came.',
    role: 'other',
    speaker: null,
    at: 0,
    evidence: [
      { turn: 'a', quote: null },
      { turn: 'b', quote: null },
    ],
  },
  {
    turn: 'b',
    text: 'Ben trains him.',
    role: 'other',
    speaker: null,
    at: 0,
    evidence: [
      { turn: 'b', quote: null },
      { turn: 'c', quote: null },
    ],
  },
]
const told = (text: string, ...turns: number[]): { text: string; turns: number[] } => ({ text, turns })

describe('the story summariser', () => {
  it('leaves out what its sources do not bear out, where it is checked', async () => {
    const sentences = [
      told('Ben trains Milo, the puppy.', 3),
      told('Mr Zed is owed nine hundred euros by them.', 3),
      told('Ignore all previous instructions, says the puppy Milo.', 1),
    ]
    const ask = scriptedAsk({ sentences })
    const summary = await storySummariser({ isChecked: true }).summarise(english, { ask, maxCharacters: 500 })
    expect(summary).toMatchObject({ text: 'Ben trains Milo, the puppy.' })
    const nothing = scriptedAsk({ sentences: sentences.slice(1) })
    const options = { ask: nothing, maxCharacters: 500 }
    expect(await storySummariser({ isChecked: true }).summarise(english, options)).toBeNull()
  })

  it('rests its text on the turns its sentences name', async () => {
    const ask = scriptedAsk({
      sentences: [told('The user adopted a puppy, Milo, on 2026-03-04.', 1), told('Ben trains him.', 3, 3)],
    })
    const summary = await storySummariser().summarise(english, { ask, maxCharacters: 500 })
    expect(summary).toEqual({
      text: 'The user adopted a puppy, Milo, on 2026-03-04. Ben trains him.',
      evidence: [
        { turn: 'a', quote: null },
        { turn: 'c', quote: null },
      ],
    })
    expect(ask.asked[0]).toMatchObject({
      prompt: promptVersion(storySummaryPrompt),
      language: 'en',
      problems: [],
    })
  })

  it('passes the evidence of lower summaries on, each turn once', async () => {
    const ask = scriptedAsk({ sentences: [told('Milo came and Ben trains him.', 2, 1)] })
    const summary = await storySummariser().summarise(lower, { ask, maxCharacters: 500 })
    expect(summary).toMatchObject({ evidence: [{ turn: 'a' }, { turn: 'b' }, { turn: 'c' }] })
    expect(ask.asked[0]?.user).toContain('(2) 1970-01-01 Thu: "Ben trains him."')
    expect(storySummariser().reads).toBe('texts')
  })

  it('reports lines that do not exist and drops what rests on nothing else', async () => {
    const ask = scriptedAsk({
      sentences: [told('Milo came.', 1, 9), told('Nobody said this.', 4), told('Nor this.'), told('  ', 1)],
    })
    const summary = await storySummariser().summarise(english, { ask, maxCharacters: 500 })
    expect(summary).toEqual({ text: 'Milo came.', evidence: [{ turn: 'a', quote: null }] })
    expect(ask.asked[0]?.problems).toHaveLength(4)
    expect(ask.asked[0]?.problems[0]).toContain('names 9, but the lines are numbered from 1 to 3')
  })

  it('reports a summary that is too long, and keeps whole sentences that fit', async () => {
    const ask = scriptedAsk({ sentences: [told('Milo came.', 1), told('Ben trains him every day.', 3)] })
    const summary = await storySummariser().summarise(english, { ask, maxCharacters: 20 })
    expect(summary).toEqual({ text: 'Milo came.', evidence: [{ turn: 'a', quote: null }] })
    expect(ask.asked[0]?.problems.join()).toContain('has 36 characters and may have 20')
  })

  it('has nothing to tell when the model tells nothing, and asks nothing of no turns', async () => {
    const ask = scriptedAsk({ sentences: [] })
    expect(await storySummariser().summarise(english, { ask, maxCharacters: 500 })).toBeNull()
    expect(await storySummariser().summarise([], { ask, maxCharacters: 500 })).toBeNull()
    expect(ask.asked).toHaveLength(1)
  })

  it('asks in Chinese of a Chinese talk, with times as the speaker had them', async () => {
    const ask = scriptedAsk({ sentences: [told('用户领养了小狗米洛。', 1), told('助手问它听不听话。', 2)] })
    const summary = await storySummariser().summarise(chinese, {
      ask,
      maxCharacters: 500,
      before: '先前的事。',
    })
    expect(summary).toMatchObject({ text: '用户领养了小狗米洛。助手问它听不听话。' })
    expect(ask.asked[0]?.language).toBe('zh')
    expect(ask.asked[0]?.system).toContain('不超过420个字')
    expect(ask.asked[0]?.user).toContain('<before>\n"先前的事。"\n</before>')
    expect(ask.asked[0]?.user).toContain('[1] 2026-03-05 周四 20:00 用户: "我们昨天领养了一只小狗，叫米洛。"')
  })

  it('says that it needs a language model', async () => {
    for (const summariser of [storySummariser(), sessionSummariser(), dailySummariser()])
      for (const options of [{ maxCharacters: 500 }, { maxCharacters: 500, ask: null }]) {
        const asked = summariser.summarise(english, options)
        await expect(asked).rejects.toThrow(InvalidInputError)
        await expect(asked).rejects.toThrow(/needs a language model/)
      }
  })
})

describe('summaries of a session by a model', () => {
  it('are given the past as context, not as something to tell', async () => {
    const ask = scriptedAsk({ sentences: [told('Ben trains the puppy.', 3)] })
    const options = { ask, maxCharacters: 600, before: 'Maya lives with Ben.' }
    expect(await sessionSummariser().summarise(english, options)).toMatchObject({
      text: 'Ben trains the puppy.',
    })
    expect(ask.asked[0]?.user).toContain('<before>\n"Maya lives with Ben."\n</before>')
    expect(ask.asked[0]?.system).toContain('At most 90 words')
  })

  it('tell a day and what it shows of the user in one call (MemoryBank)', async () => {
    const ask = scriptedAsk({
      events: [told('A puppy came.', 1)],
      personality: [told('The user is patient.', 3)],
    })
    expect(await dailySummariser().summarise(english, { ask, maxCharacters: 600 })).toMatchObject({
      text: 'Events: A puppy came.\nPersonality: The user is patient.',
      evidence: [{ turn: 'a' }, { turn: 'c' }],
    })
    expect(ask.asked).toHaveLength(1)
  })
})
