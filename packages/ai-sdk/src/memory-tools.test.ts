import { generateText, isStepCount, type ModelMessage } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { openMemory, type Keepsake, type ScopedMemory } from 'keepsake'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { memoryTools } from './memory-tools.ts'
import { readTurns } from './testing/read-turns.ts'
import { calls, says } from './testing/scripted-answers.ts'

let keepsake: Keepsake
let ana: ScopedMemory

beforeEach(async () => {
  keepsake = await openMemory({ path: ':memory:' })
  ana = keepsake.scope({ user: 'ana' })
  await ana.remember({ role: 'user', text: 'I live in Porto.' }, { session: 'earlier' })
  await ana.drain()
})
afterEach(() => keepsake.close())

/** A scripted model calls one tool and then answers; what the tool returned. */
async function use(tool: string, input: unknown): Promise<unknown> {
  const model = new MockLanguageModelV4({ doGenerate: [calls(tool, input), says('Done.')] })
  const { steps, text } = await generateText({
    model,
    tools: memoryTools(ana, { session: 'today' }),
    stopWhen: isStepCount(3),
    prompt: 'Go on.',
  })
  expect(text).toBe('Done.')
  const parts = steps.flatMap(({ content }) => content)
  const failed = parts.find(({ type }) => type === 'tool-error')
  expect(failed).toBeUndefined()
  const result = parts.find((part) => part.type === 'tool-result')
  return result?.output
}

async function residence(): Promise<string> {
  const [fact] = await ana.memories({ forms: ['fact'] })
  expect(fact?.key).toBe('residence')
  return fact?.id ?? ''
}

describe('memoryTools', () => {
  it('recalls, with ids to change memories by', async () => {
    const found = await use('recall', { question: 'Where does Ana live?' })
    expect(found).toMatchObject({ known: true })
    expect(found).toHaveProperty(
      'memories',
      expect.arrayContaining([
        {
          memory: await residence(),
          form: 'fact',
          key: 'residence',
          text: expect.stringContaining('Porto') as string,
          since: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
          until: null,
          by: ['user'],
        },
      ]),
    )
  })

  it('remembers as the word of whoever said it, and the same call’s words each time', async () => {
    expect(await use('remember', { text: 'I am allergic to peanuts.', by: 'user' })).toEqual({ done: true })
    expect(await use('remember', { text: 'I promised to ask about Mia.', by: 'agent' })).toEqual({
      done: true,
    })
    expect((await readTurns(ana)).slice(1)).toMatchObject([
      { role: 'user', text: 'I am allergic to peanuts.', session: 'today' },
      { role: 'assistant', text: 'I promised to ask about Mia.', session: 'today' },
    ])
  })

  it.each([
    ['The user lives in Lyon.', undefined, 'Lyon'],
    ['The user has moved on.', undefined, null],
    ['Home is the city of two rivers.', 'Lyon', 'Lyon'],
  ])('corrects a fact, value and all: %s', async (text, value, expected) => {
    const memory = await residence()
    expect(await use('correct', { memory, text, ...(value === undefined ? {} : { value }) })).toEqual({
      done: true,
    })
    expect(await ana.memories({ forms: ['fact'] })).toMatchObject([
      { text, value: expected, past: [{ value: 'Porto' }] },
    ])
  })

  it('forgets, and tells the model what it can mend', async () => {
    expect(await use('forget', { memory: await residence() })).toEqual({ done: true })
    expect((await ana.recall('Where does Ana live?')).memories).toEqual([])
    expect(await use('forget', { memory: 'nowhere' })).toEqual({
      done: false,
      reason: expect.stringContaining('There is no memory "nowhere"') as string,
    })
  })

  it('writes and edits blocks, and says what one does not take', async () => {
    expect(await use('writeBlock', { name: 'tasks', text: 'book the train', limit: 20 })).toEqual({
      done: true,
    })
    expect(await use('editBlock', { name: 'tasks', find: 'book', replace: 'take' })).toEqual({ done: true })
    expect(await use('editBlock', { name: 'tasks', insert: 'and the bus' })).toEqual({
      done: false,
      reason: expect.stringContaining('takes 20 characters, and this text has 26') as string,
    })
    const [block] = await ana.blocks()
    const shown = { memory: block?.id, name: 'tasks', text: 'take the train', limit: 20 }
    expect(await use('blocks', {})).toEqual([shown])
    expect((await ana.recall('Hello?')).context.text).toContain('[block "tasks"] "take the train"')
  })

  it('is an error when the memory itself fails', async () => {
    await keepsake.close()
    const model = new MockLanguageModelV4({
      doGenerate: [calls('remember', { text: 'Hi', by: 'user' }), says('Sorry.')],
    })
    const { steps } = await generateText({
      model,
      tools: memoryTools(ana),
      stopWhen: isStepCount(3),
      prompt: 'Go on.',
    })
    expect(steps[0]?.content.at(-1)).toMatchObject({ type: 'tool-error', error: { code: 'closed' } })
  })

  it('gives only what the model may do', async () => {
    expect(Object.keys(memoryTools(ana, { can: ['recall', 'remember'] }))).toEqual(['recall', 'remember'])
    expect(Object.keys(memoryTools(ana))).toEqual(
      'recall remember correct forget blocks writeBlock editBlock'.split(' '),
    )
    expect(() => memoryTools(ana, { can: ['erase' as 'forget'] })).toThrow('has no "erase"')
    const messages: ModelMessage[] = [{ role: 'user', content: 'Go on.' }]
    const model = new MockLanguageModelV4({ doGenerate: [calls('forget', { memory: 'x' }), says('Ok.')] })
    const tools = memoryTools(ana, { can: ['recall'] })
    const { steps } = await generateText({ model, messages, tools, stopWhen: isStepCount(3) })
    expect(steps[0]?.content).toContainEqual(expect.objectContaining({ type: 'tool-error' }))
    expect(Object.keys(model.doGenerateCalls[0]?.tools ?? [])).toHaveLength(1)
  })
})
