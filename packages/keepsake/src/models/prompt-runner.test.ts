import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { InvalidInputError, ModelError } from '@keepsake/text'
import type { EventScope } from '../scopes/scope.ts'
import type { Prompt, TextPrompt } from '../prompts/prompt.ts'
import { scriptedModel, type AnswerScript } from './adapters/scripted-language-model.ts'
import type { LanguageChunk, LanguageModel } from './language-model.ts'
import type { ModelCall } from './ask-model.ts'
import { promptRunner, type PromptRunnerOptions } from './prompt-runner.ts'

const SCOPE: EventScope = { tenant: 't', user: 'ana', agent: null, app: null }
const PROMPT: Prompt<{ highest: number }, { numbers: number[]; note: string | null }> = {
  id: 'pick-numbers',
  version: 2,
  schema: z.object({ numbers: z.array(z.int()).describe('the numbers picked'), note: z.string().nullable() }),
  render: ({ highest }, language) => ({
    system: language === 'zh' ? '挑选数字。' : 'Pick numbers.',
    user: `up to ${highest}`,
  }),
  problems: ({ numbers }, { highest }) =>
    numbers.filter((number) => number > highest).map((number) => `There is no number ${number}.`),
  maxOutputTokens: 100,
}
const TALK: TextPrompt<string> = { id: 'reply', version: 1, render: (user) => ({ system: 'Talk.', user }) }
const GOOD = '{"numbers":[1,2],"note":null}'

/** A runner over a script whose waits take no time; keeps the calls told and the waits asked for. */
function setup(script: AnswerScript | LanguageModel, options: Partial<PromptRunnerOptions> = {}) {
  const calls: ModelCall[] = []
  const waits: number[] = []
  const scripted = 'id' in script ? undefined : scriptedModel(script)
  const runner = promptRunner({
    model: scripted ?? (script as LanguageModel),
    onCall: (call) => calls.push(call),
    delay: async (ms) => waits.push(ms),
    random: () => 1,
    ...options,
  })
  const model = runner.for('t/ana', SCOPE)
  const ask = (highest = 9, language: 'en' | 'zh' = 'en') => model.ask(PROMPT, { highest }, { language })
  return { runner, model, ask, calls, waits, requests: scripted?.requests ?? [] }
}

const busy = (retryAfterMs: number | null = null) =>
  new ModelError('busy', { isRetryable: true, retryAfterMs })
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => null,
    (error: unknown) => error,
  )

async function read(stream: AsyncIterable<LanguageChunk>): Promise<string> {
  let text = ''
  for await (const chunk of stream) if (chunk.kind === 'text') text += chunk.text
  return text
}

describe('promptRunner', () => {
  it('asks with the shape of the answer, and tells what it cost', async () => {
    const { ask, calls, requests } = setup([{ text: GOOD, usage: { input: 30, output: 8 } }], {
      now: () => 5,
    })
    expect(await ask()).toEqual({ numbers: [1, 2], note: null })
    expect(requests).toMatchObject([
      {
        system: 'Pick numbers.',
        messages: [{ role: 'user', text: 'up to 9' }],
        schemaName: 'pick_numbers',
        maxOutputTokens: 100,
      },
    ])
    expect(requests[0]?.schema).toMatchObject({
      type: 'object',
      required: ['numbers', 'note'],
      additionalProperties: false,
      properties: { numbers: { type: 'array', description: 'the numbers picked' } },
    })
    expect(calls).toEqual([
      {
        prompt: 'pick-numbers/2',
        model: 'scripted/model',
        outcome: 'answered',
        attempts: 1,
        inputTokens: 30,
        outputTokens: 8,
        milliseconds: expect.any(Number) as number,
        scope: SCOPE,
      },
    ])
  })

  it('asks again after several answers in one, and else takes the entries of all', async () => {
    const several = 'First {"numbers":[3],"note":null}, no: {"numbers":[4],"note":null}. {"done":true}'
    expect(await setup([several, '{"numbers":[4],"note":null}']).ask()).toEqual({ numbers: [4], note: null })
    expect(await setup([several, 'Sorry.']).ask()).toEqual({ numbers: [3, 4], note: null })
  })
})

describe('promptRunner, wrongly used', () => {
  it.each([{ concurrency: 0 }, { timeoutMs: 0 }, { retries: -1 }, { budget: { calls: Number.NaN } }])(
    'refuses %j',
    (options) => {
      expect(() => promptRunner({ model: scriptedModel([]), ...options })).toThrow(InvalidInputError)
    },
  )

  it('does not lose an answer to a listener that throws', async () => {
    const thrown = new Error('listener')
    const uncaught = new Promise((seen) => process.once('uncaughtException', seen))
    const others = process.listeners('uncaughtException').slice(0, -1)
    for (const other of others) process.off('uncaughtException', other)
    try {
      const throwing = () => {
        throw thrown
      }
      expect(await setup([GOOD], { onCall: throwing }).ask()).toEqual({ numbers: [1, 2], note: null })
      expect(await uncaught).toBe(thrown)
    } finally {
      for (const other of others) process.on('uncaughtException', other)
    }
  })
})

describe('the repair', () => {
  it.each([
    ['what is no JSON', 'Sure, one and two.', 'holds no JSON'],
    ['a cut-off answer', { text: '{"numbers":[1,', finish: 'length' as const }, 'cut off'],
    ['wrong types', '{"numbers":["one"],"note":null}', 'numbers.0: Invalid input: expected number'],
    ['a missing field', '{"numbers":[]}', 'note: Invalid input'],
    ['what cannot be', '{"numbers":[77],"note":null}', 'There is no number 77.'],
  ])('is asked for once after %s, saying what is wrong', async (_, answer, problem) => {
    const { ask, calls, requests } = setup([answer, GOOD])
    expect(await ask()).toEqual({ numbers: [1, 2], note: null })
    const [first, second] = requests
    expect(second?.messages.slice(0, 1)).toEqual(first?.messages)
    expect(second?.messages[1]).toEqual({
      role: 'assistant',
      text: typeof answer === 'string' ? answer : answer.text,
    })
    expect(second?.messages[2]?.role).toBe('user')
    expect(second?.messages[2]?.text).toContain(problem)
    expect(second?.schema).toBe(first?.schema)
    expect(calls).toMatchObject([{ outcome: 'repaired', attempts: 2 }])
  })

  it('is asked for in the language of the prompt', async () => {
    const { ask, requests } = setup(['不行', GOOD])
    await ask(9, 'zh')
    expect(requests[1]?.messages[2]?.text).toMatch(/^这个回答无法使用/)
  })

  it('shows no empty answer, which providers refuse', async () => {
    const { ask, requests } = setup([' ', GOOD])
    await ask()
    expect(requests[1]?.messages).toHaveLength(1)
    expect(requests[1]?.messages[0]?.text).toMatch(
      /^up to 9\n\nThat answer cannot be used:\n- The answer is empty\./,
    )
  })

  it('is not asked for twice: the answer is kept with the error', async () => {
    const { ask, calls } = setup(['no', '{"numbers":"two","note":null}', GOOD])
    expect(await failure(ask())).toMatchObject({
      code: 'model-answer',
      isRetryable: false,
      answer: '{"numbers":"two","note":null}',
      details: { prompt: 'pick-numbers/2' },
    })
    expect(calls).toMatchObject([{ outcome: 'unusable', attempts: 2 }])
  })

  it('is asked for when the answer has no end, and is shorter', async () => {
    const { ask, requests } = setup([`${GOOD}${' '.repeat(4_000_000)}`, GOOD])
    expect(await ask()).toEqual(JSON.parse(GOOD))
    expect(requests[1]?.messages.at(-1)?.text).toContain('longer than 4000000 characters')
  })
})

describe('trying again', () => {
  it('spreads the waits by chance', async () => {
    const { ask, waits } = setup([busy(), busy(), GOOD], { random: () => 0 })
    await ask()
    expect(waits).toEqual([500, 1000])
  })

  it('ends after the last retry with what failed last', async () => {
    const { ask, calls } = setup([busy(), busy(), busy(50)], { retries: 2 })
    expect(await failure(ask())).toMatchObject({ code: 'model-failed', isRetryable: true, retryAfterMs: 50 })
    expect(calls).toMatchObject([{ outcome: 'failed', attempts: 3, inputTokens: null }])
  })

  it('turns what a model throws by mistake into a ModelError', async () => {
    const cause = new TypeError('x is undefined')
    const { ask } = setup([cause])
    expect(await failure(ask())).toMatchObject({
      name: 'ModelError',
      code: 'model-failed',
      isRetryable: false,
      cause,
    })
  })
})

describe('limits', () => {
  const hanging: LanguageModel = {
    id: 'hangs',
    generate: () => new Promise(() => undefined),
    async *stream() {
      await new Promise(() => undefined)
      yield { kind: 'text', text: 'never' }
    },
  }

  it('gives up on a model that neither answers nor heeds the signal', async () => {
    const { ask, model, calls } = setup(hanging, { timeoutMs: 5, retries: 1 })
    expect(await failure(ask())).toMatchObject({ code: 'model-failed', isRetryable: true })
    expect(await failure(read(model.stream(TALK, 'hi', { language: 'en' })))).toMatchObject({
      isRetryable: true,
    })
    // Once it is known to be down, one try is enough.
    expect(calls).toMatchObject([
      { outcome: 'timed-out', attempts: 2 },
      { outcome: 'timed-out', attempts: 1 },
    ])
  })

  it('tries again as often as before once the model has answered', async () => {
    const down = new ModelError('nobody answers', { isRetryable: true })
    const { ask, calls } = setup([down, down, down, GOOD, down, GOOD], { retries: 1 })
    await failure(ask())
    await failure(ask())
    await ask()
    await ask()
    expect(calls.map(({ outcome, attempts }) => [outcome, attempts])).toEqual([
      ['failed', 2],
      ['failed', 1],
      ['answered', 1],
      ['answered', 2],
    ])
  })

  it('passes an abort on as it is, at once, also while waiting for its turn', async () => {
    const { model, calls } = setup(hanging, { concurrency: 1 })
    const reason = new Error('stop')
    const [running, queued] = [new AbortController(), new AbortController()]
    const asking = [running, queued].map(({ signal }) =>
      failure(model.ask(PROMPT, { highest: 9 }, { language: 'en', abortSignal: signal })),
    )
    await sleep(1)
    queued.abort(reason)
    expect(await asking[1]).toBe(reason)
    running.abort(reason)
    expect(await asking[0]).toBe(reason)
    expect(calls).toMatchObject([
      { outcome: 'aborted', attempts: 0 },
      { outcome: 'aborted', attempts: 1 },
    ])
  })

  it('ends every question when its own signal is aborted, and asks none after that', async () => {
    const life = new AbortController()
    const reason = new Error('closed')
    const { ask, model, calls } = setup(hanging, { concurrency: 1, abortSignal: life.signal })
    const { signal } = new AbortController()
    const asking = [
      failure(ask()),
      failure(model.ask(PROMPT, { highest: 9 }, { language: 'en', abortSignal: signal })),
    ]
    await sleep(1)
    life.abort(reason)
    expect(await Promise.all(asking)).toEqual([reason, reason])
    expect(await failure(ask())).toBe(reason)
    expect(calls.map(({ outcome }) => outcome)).toEqual(['aborted', 'aborted', 'aborted'])
    expect(calls.map(({ attempts }) => attempts)).toEqual(expect.arrayContaining([0, 0, 1]))
  })

  it('gives the places of aborted requests, running or waiting, to the next', async () => {
    let asked = 0
    const model: LanguageModel = {
      ...hanging,
      generate: (request) => (++asked === 1 ? hanging : scriptedModel([GOOD])).generate(request),
    }
    const { ask, model: bound } = setup(model, { concurrency: 1 })
    const controllers = [new AbortController(), new AbortController()]
    const aborted = controllers.map(({ signal }) =>
      failure(bound.ask(PROMPT, { highest: 9 }, { language: 'en', abortSignal: signal })),
    )
    const last = ask()
    await sleep(1)
    for (const controller of controllers.toReversed()) controller.abort()
    await Promise.all(aborted)
    expect(await last).toEqual({ numbers: [1, 2], note: null })
    expect(asked).toBe(2)
  })
})

describe('the budget', () => {
  it('opens again when its window ends', async () => {
    let now = 0
    const { ask, waits } = setup(() => GOOD, { budget: { calls: 1, windowMs: 1000 }, now: () => now })
    await ask()
    now = 400
    expect(await failure(ask())).toMatchObject({ code: 'model-budget', retryAfterMs: 600 })
    expect(waits).toEqual([])
    now = 1000
    expect(await ask()).toEqual({ numbers: [1, 2], note: null })
  })

  it.each([
    ['as the provider counts them', { input: 40, output: 15 }],
    ['by an estimate where it does not', { input: null, output: null }],
  ])('counts tokens %s', async (_, usage) => {
    const { ask } = setup(() => ({ text: GOOD, usage }), { budget: { tokens: 14 } })
    await ask()
    expect(await failure(ask())).toMatchObject({ code: 'model-budget' })
  })

  it('counts a stream, also one that was left', async () => {
    const { model, calls } = setup(() => 'a rather long answer, of many words', { budget: { tokens: 3 } })
    for await (const chunk of model.stream(TALK, 'hi', { language: 'en' })) if (chunk.kind === 'text') break
    expect(await failure(read(model.stream(TALK, 'hi', { language: 'en' })))).toMatchObject({
      code: 'model-budget',
    })
    expect(calls.map(({ outcome }) => outcome)).toEqual(['aborted', 'over-budget'])
  })
})

describe('streaming', () => {
  const stream = (script: AnswerScript | LanguageModel, options?: Partial<PromptRunnerOptions>) => {
    const { model, ...rest } = setup(script, options)
    return { ...rest, text: failureOr(read(model.stream(TALK, 'hi', { language: 'en' }))) }
  }
  const failureOr = <Value>(promise: Promise<Value>) => promise.catch((error: unknown) => error)

  it.each([
    ['a refusal', { text: '', finish: 'refused' as const }, 'refused'],
    ['an empty answer', { text: ' ' }, 'unusable'],
  ])('throws for %s', async (_, answer, outcome) => {
    const { text, calls } = stream([answer])
    expect(await text).toMatchObject({ code: 'model-answer' })
    expect(calls).toMatchObject([{ outcome }])
  })

  it('gives its place back when it is left', async () => {
    const { model } = setup(() => 'one two three', { concurrency: 1 })
    for await (const chunk of model.stream(TALK, 'hi', { language: 'en' })) if (chunk.kind === 'text') break
    expect(await read(model.stream(TALK, 'hi', { language: 'en' }))).toBe('one two three')
  })
})
