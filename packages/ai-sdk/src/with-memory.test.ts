import { generateText, isStepCount, Output, streamText, tool, wrapLanguageModel } from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { openMemory, type Keepsake, type ScopedMemory } from 'keepsake'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { memoryMiddleware } from './memory-middleware.ts'
import { readTurns, saidIn } from './testing/read-turns.ts'
import { calls, says, streams } from './testing/scripted-answers.ts'
import { withMemory } from './with-memory.ts'

let keepsake: Keepsake
let ana: ScopedMemory

beforeEach(async () => {
  keepsake = await openMemory({ path: ':memory:' })
  ana = keepsake.scope({ user: 'ana' })
})
afterEach(() => keepsake.close())

const weather = tool({
  description: 'The weather.',
  inputSchema: z.object({ city: z.string() }),
  execute: async () => 'SECRET-TOOL-RESULT 12 degrees',
})

async function tellEarlier(): Promise<void> {
  await ana.remember({ role: 'user', text: 'My sister Mia is allergic to peanuts.' }, { session: 'earlier' })
  await ana.drain()
}

describe('withMemory, generating', () => {
  it('puts what bears on the question after the system message, as data, and leaves the rest as it was', async () => {
    await tellEarlier()
    const model = new MockLanguageModelV4({ doGenerate: says('No peanuts for her.') })
    const { text } = await generateText({
      model: withMemory(model, ana),
      instructions: 'You are a cook.',
      prompt: 'What can Mia not eat?',
      temperature: 0.3,
    })
    expect(text).toBe('No peanuts for her.')
    const [call] = model.doGenerateCalls
    expect(call?.temperature).toBe(0.3)
    expect(call?.prompt.map(({ role }) => role)).toEqual(['system', 'system', 'user'])
    expect(call?.prompt[0]?.content).toBe('You are a cook.')
    expect(call?.prompt[1]?.content).toMatch(
      /<memories>\n.*"The user's sister Mia is allergic to peanuts\.".*\n<\/memories>$/s,
    )
    expect(call?.prompt[2]?.content).toMatchObject([{ type: 'text', text: 'What can Mia not eat?' }])
  })

  it('remembers what the user said and the answer, once however often the call is sent', async () => {
    const model = withMemory(new MockLanguageModelV4({ doGenerate: says('Noted!') }), ana, {
      session: 'chat-1',
      agent: 'Kim',
      speaker: 'Ana',
    })
    await generateText({ model, prompt: 'I moved to Lyon.' })
    await generateText({ model, prompt: 'I moved to Lyon.' })
    expect(await readTurns(ana)).toMatchObject([
      { role: 'user', speaker: 'Ana', text: 'I moved to Lyon.', session: 'chat-1' },
      { role: 'assistant', speaker: 'Kim', text: 'Noted!', session: 'chat-1' },
    ])
  })

  it('remembers only what is new of a talk that is sent whole, and the same words said again', async () => {
    const model = withMemory(
      new MockLanguageModelV4({ doGenerate: [says('Hello.'), says('Good.'), says('Fine.')] }),
      ana,
    )
    const messages: { role: 'user' | 'assistant'; content: string }[] = []
    for (const content of ['Hi', 'Yes', 'Yes']) {
      messages.push({ role: 'user', content })
      messages.push({ role: 'assistant', content: (await generateText({ model, messages })).text })
    }
    expect(await saidIn(ana)).toEqual([
      'user: Hi',
      'assistant: Hello.',
      'user: Yes',
      'assistant: Good.',
      'user: Yes',
      'assistant: Fine.',
    ])
  })

  it('takes the same words of another day, or of another session, as another turn', async () => {
    let now = Date.parse('2025-03-01T12:00:00Z')
    const model = withMemory(new MockLanguageModelV4({ doGenerate: says('Get well.') }), ana, {
      now: () => now,
    })
    const say = (session?: string) =>
      generateText({
        model,
        prompt: 'I feel sick today.',
        ...(session === undefined ? {} : { providerOptions: { keepsake: { session } } }),
      })
    await say()
    await say()
    expect(await saidIn(ana)).toHaveLength(2)
    now += 86_400_000
    await say()
    expect(await saidIn(ana)).toHaveLength(4)
    await say('monday')
    expect((await readTurns(ana)).slice(4).map(({ session }) => session)).toEqual(['monday', 'monday'])
  })

  it('does not tell the model again what the prompt says', async () => {
    const inner = new MockLanguageModelV4({ doGenerate: says('Woof.') })
    const model = withMemory(inner, ana)
    await generateText({ model, prompt: 'My dog is called Rex.' })
    await generateText({
      model,
      messages: [
        { role: 'user', content: 'My dog is called Rex.' },
        { role: 'assistant', content: 'Woof.' },
        { role: 'user', content: 'What is my dog called?' },
      ],
    })
    expect(JSON.stringify(inner.doGenerateCalls[1]?.prompt).match(/Rex/g)).toHaveLength(1)
    await generateText({ model, prompt: 'What is my dog called?' })
    expect(JSON.stringify(inner.doGenerateCalls[2]?.prompt)).toContain('Rex')
  })

  it('keeps to the budget, and to the place asked for', async () => {
    for (let day = 1; day <= 20; day += 1)
      await ana.remember({ role: 'user', text: `On day ${day} I painted the boat in colour ${day}.` })
    const inner = new MockLanguageModelV4({ doGenerate: says('Blue.') })
    const ask = (tokens: number) =>
      generateText({
        model: withMemory(inner, ana, { tokens, place: 'within', remember: false }),
        instructions: 'Be brief.',
        prompt: 'What colour did I paint the boat?',
      })
    await ask(60)
    await ask(1_000)
    const lines = inner.doGenerateCalls.map(({ prompt }) => {
      expect(prompt.map(({ role }) => role)).toEqual(['system', 'user'])
      expect(prompt[0]?.content).toMatch(/^Be brief\.\n\n<memories>/)
      return JSON.stringify(prompt[0]?.content).match(/\\n- /g)?.length ?? 0
    })
    // A line takes some 15 tokens under the heading of its day.
    expect(lines).toEqual([4, 20])
    expect(await saidIn(ana)).toHaveLength(20)
  })

  it('remembers nothing that was not to be remembered, and keeps its own options from the provider', async () => {
    const inner = new MockLanguageModelV4({ doGenerate: says('Quiet.') })
    await generateText({
      model: withMemory(inner, ana),
      prompt: 'Between us.',
      providerOptions: { keepsake: { remember: false }, mock: { seed: 1 } },
    })
    expect(inner.doGenerateCalls[0]?.providerOptions).toEqual({ mock: { seed: 1 } })
    expect(await saidIn(ana)).toEqual([])
  })

  it('keeps a reference to a picture beside what the user said', async () => {
    const inner = new MockLanguageModelV4({ doGenerate: says('A cat.') })
    await generateText({
      model: withMemory(inner, ana),
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'file', mediaType: 'image/png', data: new Uint8Array([137, 80, 78, 71]) },
          ],
        },
      ],
    })
    expect(await saidIn(ana)).toEqual([
      'user: What is this?\n[image image/png; sha256 0f4636c78f65d3639ece5a064b5ae753; 4 bytes]',
      'assistant: A cat.',
    ])
    expect(JSON.stringify(inner.doGenerateCalls[0]?.prompt)).toContain('image/png')
  })
})

describe('withMemory in a tool loop', () => {
  const steps = [calls('weather', { city: 'Lyon' }, 'Let me look.'), says('It is cold in Lyon.')]

  async function expectOnce(): Promise<void> {
    expect((await saidIn(ana)).filter((line) => !line.includes('worry'))).toEqual([
      'user: How is the weather with me?',
      'assistant: Let me look.\nIt is cold in Lyon.',
    ])
  }

  it('remembers the exchange once, without what tools returned, and shows every step the same', async () => {
    await ana.remember(
      { role: 'user', text: 'The weather with me in Lyon is my daily worry.' },
      { session: 'old' },
    )
    const inner = new MockLanguageModelV4({ doGenerate: steps })
    await generateText({
      model: withMemory(inner, ana),
      tools: { weather },
      stopWhen: isStepCount(5),
      prompt: 'How is the weather with me?',
    })
    const [first, second] = inner.doGenerateCalls
    expect(second?.prompt.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'tool'])
    expect(second?.prompt[0]).toEqual(first?.prompt[0])
    await expectOnce()
  })

  it('does so when streaming', async () => {
    const inner = new MockLanguageModelV4({ doStream: steps.map(streams) })
    const result = streamText({
      model: withMemory(inner, ana),
      tools: { weather },
      stopWhen: isStepCount(5),
      prompt: 'How is the weather with me?',
    })
    await result.consumeStream()
    await expectOnce()
  })

  it('asks memory once, also when it had nothing to tell', async () => {
    const recall = vi.spyOn(ana, 'recall')
    await generateText({
      model: withMemory(new MockLanguageModelV4({ doGenerate: steps }), ana),
      tools: { weather },
      stopWhen: isStepCount(5),
      prompt: 'How is the weather with me?',
    })
    expect(recall).toHaveBeenCalledTimes(1)
  })

  it('does not take what the user said for another turn when midnight passes', async () => {
    let now = Date.parse('2025-03-01T23:59:59Z')
    const slow = tool({ ...weather, execute: async () => ((now += 5_000), 'cold') })
    await generateText({
      model: withMemory(new MockLanguageModelV4({ doGenerate: steps }), ana, { now: () => now }),
      tools: { weather: slow },
      stopWhen: isStepCount(5),
      prompt: 'How is the weather with me?',
    })
    await expectOnce()
  })

  it('keeps what the user said when the loop stops at a tool', async () => {
    await generateText({
      model: withMemory(new MockLanguageModelV4({ doGenerate: steps }), ana),
      tools: { weather },
      stopWhen: isStepCount(1),
      prompt: 'How is the weather with me?',
    })
    expect(await saidIn(ana)).toEqual(['user: How is the weather with me?'])
  })
})

describe('withMemory and structured output', () => {
  const output = Output.object({ schema: z.object({ reply: z.string(), mood: z.string() }) })
  const json = '{"reply":"Congratulations!","mood":"glad"}'

  it('passes the schema on and the object back', async () => {
    const inner = new MockLanguageModelV4({ doGenerate: says(json) })
    const result = await generateText({ model: withMemory(inner, ana), prompt: 'I got the job!', output })
    expect(result.output).toEqual({ reply: 'Congratulations!', mood: 'glad' })
    expect(inner.doGenerateCalls[0]?.responseFormat?.type).toBe('json')
    expect(await saidIn(ana)).toEqual(['user: I got the job!', `assistant: ${json}`])
  })

  it('remembers what the application takes of an answer', async () => {
    const answer = (text: string) => z.object({ reply: z.string() }).parse(JSON.parse(text)).reply
    const result = streamText({
      model: withMemory(new MockLanguageModelV4({ doStream: streams(says(json)) }), ana, { answer }),
      prompt: 'I got the job!',
      output,
    })
    await result.consumeStream()
    expect(await result.output).toEqual({ reply: 'Congratulations!', mood: 'glad' })
    expect(await saidIn(ana)).toEqual(['user: I got the job!', 'assistant: Congratulations!'])
  })
})

describe('withMemory over other models', () => {
  it('composes with other middleware', async () => {
    const inner = new MockLanguageModelV4({ doGenerate: says('Done.'), doStream: streams(says('Done.')) })
    const model = wrapLanguageModel({
      model: inner,
      middleware: [
        { specificationVersion: 'v4', transformParams: async ({ params }) => ({ ...params, seed: 7 }) },
        memoryMiddleware(ana, { session: 's' }),
      ],
    })
    await generateText({ model, prompt: 'One.' })
    await streamText({ model, prompt: 'Two.' }).consumeStream()
    expect(inner.doGenerateCalls[0]?.seed).toBe(7)
    expect(await saidIn(ana)).toEqual(['user: One.', 'assistant: Done.', 'user: Two.', 'assistant: Done.'])
  })

  it('refuses a model named by a string, and options that it cannot take', () => {
    const model = new MockLanguageModelV4()
    expect(() => withMemory('openai/gpt-5' as never, ana)).toThrow('got a string')
    expect(() => withMemory(model, ana, { tokens: -1 })).toThrow(/tokens: /)
    expect(() => memoryMiddleware(ana, { sesion: 'x' } as never)).toThrow('sesion')
  })
})
