import { describe, expect, it } from 'vitest'
import { ModelError, type Keepsake, type LanguageModel, type ScopedMemory } from 'keepsake'
import type { LanguageChunk, LanguageRequest } from 'keepsake/model'
import { openForTest } from './open-for-test.ts'
import { answering, shown } from './script-model.ts'

const AT = Date.parse('2024-03-04T18:00:00Z')
const QUESTION = { role: 'user', text: 'What colour is my kayak?', at: AT + 60_000 } as const

async function withKayak(model: LanguageModel): Promise<{ keepsake: Keepsake; ana: ScopedMemory }> {
  const keepsake = await openForTest({ model, modelOptions: { retries: 0 } })
  const ana = keepsake.scope({ user: 'ana' })
  await ana.remember({ role: 'user', text: 'My kayak is yellow.', at: AT }, { session: 'one' })
  return { keepsake, ana }
}

/** A model that says something and then breaks off. */
function breakingOff(): LanguageModel {
  async function* stream(): AsyncGenerator<LanguageChunk> {
    yield { kind: 'text', text: 'Your kayak is ' }
    throw new ModelError('the line went dead')
  }
  return { id: 'openai/broken', generate: () => Promise.reject(new ModelError('no')), stream: () => stream() }
}

/** A model that answers in pieces of five characters. */
function saying(id: string, answer: string): LanguageModel {
  const usage = { input: null, output: null }
  async function* stream(): AsyncGenerator<LanguageChunk> {
    for (const text of answer.match(/[\s\S]{1,5}/g) ?? []) yield { kind: 'text', text }
    yield { kind: 'end', finish: 'stop', usage }
  }
  return { id, generate: () => Promise.reject(new ModelError('no')), stream: () => stream() }
}

async function turnsOf(ana: ScopedMemory): Promise<string[]> {
  const lines: string[] = []
  for await (const line of ana.export()) lines.push(line)
  return lines.flatMap((line) => {
    const row = JSON.parse(line) as { row: string; role?: string; text?: string }
    return row.row === 'turn' ? [`${row.role}: ${row.text}`] : []
  })
}

describe('reply', () => {
  it('streams an answer grounded in what was recalled, and remembers the exchange', async () => {
    const model = answering({
      text: 'Yellow, you told me.',
      segment: { summary: '', memories: [], forget: [] },
    })
    const { ana } = await withKayak(model)
    const reply = await ana.reply(QUESTION, { session: 'two', agent: 'Juno', instructions: 'You are Juno.' })
    let streamed = ''
    for await (const piece of reply.textStream) streamed += piece
    expect(streamed).toBe('Yellow, you told me.')
    expect(await reply.text).toBe(streamed)
    expect((await reply.remembered)?.added).toBe(1)
    expect(await turnsOf(ana)).toEqual([
      'user: My kayak is yellow.',
      `user: ${QUESTION.text}`,
      'assistant: Yellow, you told me.',
    ])
    expect((await ana.turns('two')).map(({ speaker, at }) => [speaker, at])).toEqual([
      [null, QUESTION.at],
      ['Juno', expect.any(Number)],
    ])
    const [request] = model.requests
    expect(request?.system).toMatch(/^You are Juno\./)
    expect(request === undefined ? '' : shown(request)).toContain('My kayak is yellow.')
    expect(reply.recall.memories[0]?.memory.text).toContain('yellow')
  })

  it.each([
    ['a/model', '<think>She owns a sauna.</think>\n\nYellow.'],
    ['a/model', '<reasoning>She owns a sauna.</reasoning>Yellow.'],
    ['a/reasoner', 'She owns a sauna.\n</think>\n\nYellow.'],
  ])('neither streams nor remembers what %s thinks aloud: %s', async (id, answer) => {
    const { ana } = await withKayak(saying(id, answer))
    const reply = await ana.reply(QUESTION)
    expect((await Array.fromAsync(reply.textStream)).join('')).toBe('Yellow.')
    expect(await reply.text).toBe('Yellow.')
    await reply.remembered
    expect((await turnsOf(ana)).at(-1)).toBe('assistant: Yellow.')
  })

  it('holds back what may be a thought without an opening tag, until a model has answered without thoughts', async () => {
    const answers = ['Blue.', 'It is yellow.', 'She owns a sauna.\n</think>\n\nYellow.', 'It is white.']
    const pieces = async (id: string, answer: string): Promise<string[]> => {
      const { ana } = await withKayak(saying(id, answer))
      return Array.fromAsync((await ana.reply(QUESTION, { remember: false })).textStream)
    }
    const shown: string[][] = []
    for (const answer of answers) shown.push(await pieces('an/unmarked', answer))
    expect(shown.map((each) => each.join(''))).toEqual([
      'Blue.',
      'It is yellow.',
      expect.any(String),
      'It is white.',
    ])
    expect(shown.map((each) => each.length)).toEqual([1, 3, expect.any(Number), 1])
    expect(await pieces('a/thinker', answers[2] ?? '')).toHaveLength(2)
    expect(await pieces('anthropic/model', 'It is yellow.')).toHaveLength(3)
  })

  it('tells the model when memory does not know, and shows it the running talk once', async () => {
    let request: LanguageRequest | undefined
    const model = answering({
      text: (asked) => {
        request = asked
        return 'I do not know.'
      },
    })
    const { ana } = await withKayak(model)
    await ana.remember({ role: 'assistant', text: 'And your boots?', at: AT + 1_000 }, { session: 'one' })
    const reply = await ana.reply(
      { role: 'user', text: 'When did Vasquez repair the zeppelin?', at: AT + 2_000 },
      { session: 'one' },
    )
    await reply.text
    expect(reply.recall.known).toBe(false)
    const [said, answered, asked, ...more] = request?.messages ?? []
    expect([said, answered]).toEqual([
      { role: 'user', text: 'My kayak is yellow.' },
      { role: 'assistant', text: 'And your boots?' },
    ])
    expect(asked?.text).toContain('found nothing in memory')
    expect(asked?.text).toMatch(/\nThey say now:\nWhen .* the zeppelin\?$/)
    expect(asked?.text).not.toContain('And your boots?')
    expect(more).toEqual([])
  })

  it('keeps the user turn and nothing of the answer when the model breaks off', async () => {
    const { ana } = await withKayak(breakingOff())
    const reply = await ana.reply(QUESTION, { session: 'one' })
    let streamed = ''
    const read = async (): Promise<void> => {
      for await (const piece of reply.textStream) streamed += piece
    }
    await expect(read()).rejects.toThrow('the line went dead')
    expect(streamed).toBe('Your kayak is ')
    await expect(reply.text).rejects.toThrow('the line went dead')
    await expect(reply.remembered).rejects.toThrow('the line went dead')
    expect(await turnsOf(ana)).toEqual(['user: My kayak is yellow.', `user: ${QUESTION.text}`])
  })

  it('remembers neither side when asked not to', async () => {
    const { ana } = await withKayak(answering({ text: 'Yellow.' }))
    const reply = await ana.reply(QUESTION, { remember: false })
    expect(await reply.text).toBe('Yellow.')
    expect(await reply.remembered).toBeNull()
    expect(await turnsOf(ana)).toHaveLength(1)
  })

  it('does not take a refusal for an answer', async () => {
    const { ana } = await withKayak(answering({ text: { text: 'I can', finish: 'refused' } }))
    const reply = await ana.reply(QUESTION)
    await expect(reply.text).rejects.toMatchObject({ code: 'model-answer', answer: 'I can' })
    expect(await turnsOf(ana)).toHaveLength(2)
  })

  it('needs a model and a turn to answer', async () => {
    const keepsake = await openForTest()
    await expect(keepsake.scope({ user: 'ana' }).reply(QUESTION)).rejects.toThrow(/needs a language model/)
    const { ana } = await withKayak(answering({ text: 'Hm.' }))
    for (const turns of [
      [],
      [{ role: 'assistant', text: 'Hello!' }],
      [QUESTION, { role: 'tool', text: '{}' }],
    ] as const)
      await expect(ana.reply(turns)).rejects.toThrow(/last turn given must be/)
    expect(await turnsOf(ana)).toHaveLength(1)
  })
})
