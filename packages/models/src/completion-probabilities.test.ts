import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { ModelError } from '@keepsake/text'
import { surpriseWith } from './surprise-by-model.ts'
import { completionProbabilities } from './completion-probabilities.ts'

type Request = Record<string, unknown>
interface Answer {
  readonly status?: number
  readonly headers?: Record<string, string>
  readonly body: unknown
}

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
})

/** A server that answers by a script and keeps what it was asked; without an answer it stays silent. */
async function serve(answer: (request: Request) => Answer | null) {
  const requests: Request[] = []
  const seen: { path: string; headers: IncomingHttpHeaders }[] = []
  const server = createServer((incoming, response) => {
    let sent = ''
    incoming.on('data', (chunk: Buffer) => (sent += chunk.toString('utf8')))
    incoming.on('end', () => {
      const request = JSON.parse(sent) as Request
      requests.push(request)
      seen.push({ path: incoming.url ?? '', headers: incoming.headers })
      const given = answer(request)
      if (given === null) return
      response.writeHead(given.status ?? 200, { 'content-type': 'application/json', ...given.headers })
      response.end(typeof given.body === 'string' ? given.body : JSON.stringify(given.body))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  servers.push(server)
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return { requests, seen, url }
}

/** OpenAI's answer to an echo: the prompt's tokens, then one that was generated. */
function echoAnswer(
  tokens: readonly string[],
  probabilities: readonly (number | null)[],
  usage = true,
): Answer {
  const all = [...tokens, ' and']
  const offsets = all.map((_, at) => all.slice(0, at).join('').length)
  const logprobs = {
    tokens: all,
    token_logprobs: [...probabilities.map((value) => value && Math.log(value)), -0.01],
    text_offset: offsets,
    top_logprobs: all.map(() => null),
  }
  return {
    body: {
      object: 'text_completion',
      choices: [{ index: 0, text: all.join(''), logprobs, finish_reason: 'length' }],
      ...(usage && { usage: { prompt_tokens: tokens.length, completion_tokens: 1 } }),
    },
  }
}

/** vLLM's `prompt_logprobs`: by token id, the prompt's tokens only. */
function promptAnswer(tokens: readonly string[], probabilities: readonly (number | null)[]): Answer {
  const prompt_logprobs = tokens.map((token, at) => {
    const value = probabilities[at]
    return value ? { [String(at + 100)]: { logprob: Math.log(value), rank: 3, decoded_token: token } } : null
  })
  return { body: { choices: [{ index: 0, text: ' and', logprobs: null, prompt_logprobs }] } }
}

const TOKENS = ['How', ' are', ' you', '?', '\n', 'Quite', ' well']
const PROBABILITIES = [null, 0.9, 0.9, 0.9, 0.5, 1 / 32, 1 / 2]
const BEFORE = 'How are you?\n'
const TEXT = 'Quite well'

describe('completionProbabilities', () => {
  it('echoes the prompt and takes the tokens of the text, not those before and not the generated one', async () => {
    const { requests, seen, url } = await serve(() => echoAnswer(TOKENS, PROBABILITIES))
    const model = completionProbabilities({ url: `${url}/`, model: 'small', apiKey: 'k-1' })
    const values = await model.logProbabilities(TEXT, { before: BEFORE })
    expect(values.map(Math.exp)).toEqual([expect.closeTo(1 / 32, 12), expect.closeTo(1 / 2, 12)])
    expect(requests).toEqual([
      expect.objectContaining({
        model: 'small',
        prompt: BEFORE + TEXT,
        echo: true,
        max_tokens: 1,
        logprobs: 1,
      }),
    ])
    expect(seen[0]?.path).toBe('/v1/completions')
    expect(seen[0]?.headers.authorization).toBe('Bearer k-1')
    // Two tokens of 1/32 and 1/2: the square root of 64
    const surprise = await surpriseWith(model).surprise(TEXT, { previous: 'How are you?', history: ['x'] })
    expect(surprise).toBeCloseTo(8, 10)
  })

  it('finds the generated token without a count of it', async () => {
    const { url } = await serve(() => echoAnswer(TOKENS, PROBABILITIES, false))
    const values = await completionProbabilities({ url, model: 'm' }).logProbabilities(TEXT, {
      before: BEFORE,
    })
    expect(values).toHaveLength(2)
  })

  it('leaves out the first token of all, which has no probability', async () => {
    const { url } = await serve(() => echoAnswer(['Quite', ' well'], [null, 1 / 2]))
    const model = completionProbabilities({ url: `${url}/completions`, model: 'm' })
    expect(await model.logProbabilities(TEXT, { before: '' })).toEqual([expect.closeTo(Math.log(1 / 2), 12)])
  })

  it('is not misled by a special token that shifts the offsets', async () => {
    const { url } = await serve(() => echoAnswer(['<s>', ...TOKENS], [null, 0.1, ...PROBABILITIES.slice(1)]))
    const values = await completionProbabilities({ url, model: 'm' }).logProbabilities(TEXT, {
      before: BEFORE,
    })
    expect(values.map(Math.exp)).toEqual([expect.closeTo(1 / 32, 12), expect.closeTo(1 / 2, 12)])
  })

  it.each<[string, Answer]>([
    ['is refused', { status: 400, body: { error: { message: 'unknown field', code: 400 } } }],
    [
      'is refused with a server error',
      { status: 500, body: { error: { message: 'Only no echo is supported' } } },
    ],
    ['comes back without probabilities', { body: { choices: [{ text: ' and', logprobs: null }] } }],
    ['holds the generated token only', echoAnswer([], [])],
  ])('asks for prompt_logprobs when the echo %s, and from then on at once', async (_, answer) => {
    const { requests, url } = await serve(({ echo }) => (echo ? answer : promptAnswer(TOKENS, PROBABILITIES)))
    const model = completionProbabilities({ url, model: 'm' })
    const values = await model.logProbabilities(TEXT, { before: BEFORE })
    expect(values.map(Math.exp)).toEqual([expect.closeTo(1 / 32, 12), expect.closeTo(1 / 2, 12)])
    await model.logProbabilities(TEXT, { before: BEFORE })
    expect(requests.map(({ echo, prompt_logprobs }) => [echo, prompt_logprobs])).toEqual([
      [true, undefined],
      [undefined, 0],
      [undefined, 0],
    ])
  })

  it('says so when a server can tell neither, and does not ask for a retry', async () => {
    const silent = await serve(() => ({ body: { choices: [{ text: ' and', logprobs: null }] } }))
    const failing = completionProbabilities({ url: silent.url, model: 'm' }).logProbabilities(TEXT, {
      before: BEFORE,
    })
    await expect(failing).rejects.toThrow(/without probabilities for the prompt/)
    await expect(failing).rejects.toMatchObject({
      name: 'ModelError',
      code: 'model-answer',
      isRetryable: false,
    })
    const refusing = await serve(({ echo }) =>
      echo
        ? { status: 500, body: { error: { message: 'Only no echo is supported', code: 500 } } }
        : { body: { choices: [{ text: ' and', logprobs: null }] } },
    )
    const refused = completionProbabilities({ url: refusing.url, model: 'm' })
    await expect(refused.logProbabilities(TEXT, { before: BEFORE })).rejects.toMatchObject({
      message: expect.stringContaining('Only no echo is supported'),
      isRetryable: false,
    })
  })

  it('refuses tokens that do not spell the prompt, and gaps among the probabilities', async () => {
    const strange = await serve(() =>
      echoAnswer(
        TOKENS.map((_, at) => `token_id:${at}`),
        PROBABILITIES,
      ),
    )
    await expect(
      completionProbabilities({ url: strange.url, model: 'm' }).logProbabilities(TEXT, { before: BEFORE }),
    ).rejects.toThrow(/do not spell the prompt/)
    const gaps = await serve(() => echoAnswer(TOKENS, [...PROBABILITIES.slice(0, -1), null]))
    await expect(
      completionProbabilities({ url: gaps.url, model: 'm' }).logProbabilities(TEXT, { before: BEFORE }),
    ).rejects.toThrow(/left out the probability/)
  })

  it.each<[string, Answer, boolean, number | null]>([
    [
      '429',
      { status: 429, headers: { 'retry-after': '3' }, body: { error: { message: 'slow' } } },
      true,
      3000,
    ],
    ['503', { status: 503, body: 'busy' }, true, null],
    ['401', { status: 401, body: { error: { message: 'no key' } } }, false, null],
    ['404', { status: 404, body: { error: { message: 'no such model' } } }, false, null],
    ['200 with an error of its own', { body: { error: { message: 'overloaded', code: 529 } } }, true, null],
    ['200 with a page', { body: '<html>' }, true, null],
  ])('says after %s whether to try again', async (_, answer, isRetryable, retryAfterMs) => {
    const { requests, url } = await serve(() => answer)
    const failing = completionProbabilities({ url, model: 'm' }).logProbabilities(TEXT, { before: BEFORE })
    await expect(failing).rejects.toBeInstanceOf(ModelError)
    await expect(failing).rejects.toMatchObject({ isRetryable, retryAfterMs })
    expect(requests).toHaveLength(1)
  })

  it('keeps what a server quotes of the conversation out of its errors', async () => {
    const secret = 'my sister moved to Oslo last week'
    const quoting = await serve(() => ({ status: 422, body: { detail: `cannot read: ${secret}` } }))
    const page = await serve(() => ({ body: `<html>${secret}` }))
    for (const { url } of [quoting, page]) {
      const error = await completionProbabilities({ url, model: 'm' })
        .logProbabilities(secret, { before: BEFORE })
        .catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(ModelError)
      const { message, cause, answer, details } = error as ModelError
      expect(JSON.stringify([message, String(cause), answer, details])).not.toContain('sister')
    }
  })

  it('gives up after its time-out, and when nobody listens, to be tried again', async () => {
    const silent = await serve(() => null)
    const slow = completionProbabilities({ url: silent.url, model: 'm', timeoutMs: 50 })
    await expect(slow.logProbabilities(TEXT, { before: BEFORE })).rejects.toMatchObject({
      message: expect.stringContaining('within 50 ms'),
      isRetryable: true,
    })
    const { url } = await serve(() => null)
    await new Promise((resolve) => servers.pop()?.close(resolve))
    const nobody = completionProbabilities({ url, model: 'm' })
    await expect(nobody.logProbabilities(TEXT, { before: BEFORE })).rejects.toMatchObject({
      name: 'ModelError',
      isRetryable: true,
    })
  })

  it('stops when the caller aborts', async () => {
    const { url } = await serve(() => null)
    const controller = new AbortController()
    const asked = completionProbabilities({ url, model: 'm' }).logProbabilities(TEXT, {
      before: BEFORE,
      abortSignal: controller.signal,
    })
    controller.abort(new Error('enough'))
    await expect(asked).rejects.toThrow('enough')
  })

  it('asks nothing for an empty text', async () => {
    const { requests, url } = await serve(() => echoAnswer(TOKENS, PROBABILITIES))
    expect(
      await completionProbabilities({ url, model: 'm' }).logProbabilities('', { before: BEFORE }),
    ).toEqual([])
    expect(requests).toEqual([])
  })
})
