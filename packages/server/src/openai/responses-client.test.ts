import type OpenAI from 'openai'
import type { ResponseInputItem } from 'openai/resources/responses/responses'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  responseEvents,
  sendResponse,
  streamResponse,
  type Output,
} from '../chats/testing/scripted-responses.ts'
import { scriptedUpstream, sendPieces, type ScriptedUpstream } from '../chats/testing/scripted-upstream.ts'
import { serveChat, type ServedChat } from '../chats/testing/serve-chat.ts'

let upstream: ScriptedUpstream
let served: ServedChat
const clock = Date.UTC(2026, 4, 1, 10)
beforeEach(async () => {
  upstream = await scriptedUpstream()
  upstream.script = answering({ text: 'I see.' })
  served = await serveChat({ upstream: { url: upstream.url, key: 'sk-upstream' }, now: () => clock })
})

const ana = { user: 'ana' }
const BEES = 'I keep four hives of bees on my roof.'
const ASK = 'Where are my bees?'
const last = () => upstream.asked.at(-1)!.json

const answering =
  (...output: readonly Output[]): ScriptedUpstream['script'] =>
  ({ json }, response) =>
    json['stream'] === true ? streamResponse(response, output) : sendResponse(response, output)

function create(more: Partial<OpenAI.Responses.ResponseCreateParamsNonStreaming>) {
  return served.client().responses.create({ model: 'm', safety_identifier: 'ana', ...more })
}

describe('OpenAI’s client, by /v1/responses', () => {
  it('gets the upstream’s answer, and the exchange is remembered', async () => {
    const { data, response } = await create({ input: BEES }).withResponse()
    expect([data.output_text, data.usage?.total_tokens]).toEqual(['I see.', 110])
    expect(response.headers.get('x-keepsake-memory')).toBe('on')
    expect(response.headers.get('x-keepsake-memories')).toBe('0')
    expect(await served.turns(ana)).toEqual([`user: ${BEES}`, 'assistant: I see.'])
    expect(upstream.asked[0]).toMatchObject({
      path: '/v1/responses',
      headers: { authorization: 'Bearer sk-upstream' },
    })
  })

  it('has what was said before as instructions after the application’s own, and its input untouched', async () => {
    await create({ input: BEES })
    const input: ResponseInputItem[] = [
      { role: 'developer', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'input_text', text: ASK },
          { type: 'input_image', image_url: 'data:,', detail: 'auto' },
        ],
      },
    ]
    const { response } = await create({ input, instructions: 'You are kind.' }).withResponse()
    const { instructions, ...rest } = last()
    expect(String(instructions).startsWith('You are kind.\n\n')).toBe(true)
    expect(instructions).toContain(`"${BEES}"`)
    expect(instructions).toContain('never instructions')
    expect(rest).toEqual({ model: 'm', safety_identifier: 'ana', input })
    expect(Number(response.headers.get('x-keepsake-memories'))).toBeGreaterThan(0)
    expect(response.headers.get('x-keepsake-known')).toBe('true')
    expect(await served.turns(ana)).toContain(`user: ${ASK}\n[image]`)
  })

  it.each([
    ['user', { user: 'ana' }],
    ['safety_identifier', { safety_identifier: 'ana' }],
    ['metadata.user_id', { metadata: { user_id: 'ana' } }],
    ['user before the others', { user: 'ana', safety_identifier: 'x', metadata: { user_id: 'y' } }],
  ])('takes whose memory it is from %s', async (_, whose) => {
    await served.client().responses.create({ model: 'm', input: BEES, ...whose })
    expect(await served.turns(ana)).toHaveLength(2)
    expect(await served.keepsake.scopes()).toHaveLength(1)
  })

  it('broken off, filtered or failed, remembers the question alone', async () => {
    const cut = responseEvents([{ text: 'Half an answer' }]).slice(0, 6)
    upstream.script = (_, response) => sendPieces(response, cut, { cut: true })
    const stream = await served
      .client()
      .responses.create({ model: 'm', user: 'ana', input: 'One.', stream: true })
    await expect(Array.fromAsync(stream)).rejects.toThrow()
    upstream.script = (_, response) =>
      sendResponse(response, [{ text: 'No.' }], { status: 'incomplete', reason: 'content_filter' })
    await create({ input: 'Two.' })
    upstream.script = (_, response) => streamResponse(response, [{ text: 'No.' }], { status: 'failed' })
    await Array.fromAsync(
      await served.client().responses.create({ model: 'm', user: 'ana', input: 'Three.', stream: true }),
    )
    upstream.script = (_, response) =>
      sendResponse(response, [{ text: 'As far as' }], { status: 'incomplete', reason: 'max_output_tokens' })
    await create({ input: 'Four.' })
    expect(await served.turns(ana)).toEqual([
      'user: One.',
      'user: Two.',
      'user: Three.',
      'user: Four.',
      'assistant: As far as',
    ])
  })
})

describe('a talk', () => {
  it('sent whole with each request is remembered once', async () => {
    const talk: ResponseInputItem[] = []
    for (const words of [BEES, 'They made honey.', 'They made honey.']) {
      talk.push({ role: 'user', content: words })
      const { output } = await create({ input: talk })
      talk.push(...(output as ResponseInputItem[]))
    }
    await create({ input: talk.slice(0, -1) })
    const round = (words: string) => [`user: ${words}`, 'assistant: I see.']
    expect(await served.turns(ana)).toEqual([BEES, 'They made honey.', 'They made honey.'].flatMap(round))
  })

  it('that the upstream keeps goes on by the id of its last answer, the same words said again too', async () => {
    let previous: string | null = null
    for (const id of ['resp_1', 'resp_2', 'resp_3']) {
      upstream.script = (_, response) => sendResponse(response, [{ text: 'I see.' }], { id })
      const { id: answered }: OpenAI.Responses.Response = await create({
        input: 'Hello!',
        previous_response_id: previous,
      })
      previous = answered
    }
    // Sent again, it stores nothing anew.
    await create({ input: 'Hello!', previous_response_id: 'resp_2' })
    expect(await served.turns(ana)).toHaveLength(6)
  })

  it('refers to earlier answers by id where the client does', async () => {
    await create({ input: BEES })
    const input: ResponseInputItem[] = [
      { role: 'user', content: BEES },
      { type: 'item_reference', id: 'msg_0' },
      { role: 'user', content: 'They made honey.' },
    ]
    await create({ input })
    expect(await served.turns(ana)).toEqual([
      `user: ${BEES}`,
      'assistant: I see.',
      'user: They made honey.',
      'assistant: I see.',
    ])
  })
})

describe('functions', () => {
  const WEATHER = {
    type: 'function' as const,
    name: 'weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } } },
    strict: false,
  }
  const CALL = { call: 'weather', arguments: '{"city":"Lyon"}' }
  const result = { type: 'function_call_output', call_id: 'call_1', output: '{"celsius":21}' } as const
  beforeEach(() => {
    upstream.script = ({ json }, response) => {
      const input = json['input'] as readonly { type?: string }[] | string
      const isAnswered = typeof input !== 'string' && input.at(-1)?.type === 'function_call_output'
      sendResponse(response, isAnswered ? [{ text: 'It is 21 degrees.' }] : [{ text: 'One moment.' }, CALL])
    }
  })

  it('go there and back untouched, in a talk sent whole; the answer after them is remembered', async () => {
    const input: ResponseInputItem[] = [{ role: 'user', content: 'How warm is it?' }]
    const first = await create({ input, tools: [WEATHER], store: false })
    expect(first.output[1]).toMatchObject({
      type: 'function_call',
      name: 'weather',
      arguments: CALL.arguments,
    })
    input.push(...(first.output as ResponseInputItem[]), result)
    await create({ input, tools: [WEATHER], store: false })
    expect(last()).toMatchObject({ input, tools: [WEATHER], store: false })
    expect(await served.turns(ana)).toEqual([
      'user: How warm is it?',
      'assistant: One moment.',
      'assistant: It is 21 degrees.',
    ])
  })

  it('and in one that the upstream keeps, where the request brings their results alone', async () => {
    const { id } = await create({ input: 'How warm is it?', tools: [WEATHER] })
    await create({ input: [result], previous_response_id: id, tools: [WEATHER] })
    expect(await served.turns(ana)).toEqual([
      'user: How warm is it?',
      'assistant: One moment.',
      'assistant: It is 21 degrees.',
    ])
  })
})
