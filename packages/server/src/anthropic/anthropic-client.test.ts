import Anthropic, {
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  RateLimitError,
} from '@anthropic-ai/sdk'
import type { MessageCreateParamsNonStreaming, MessageParam } from '@anthropic-ai/sdk/resources/messages'
import { beforeEach, describe, expect, it } from 'vitest'
import { messageEvents, sendMessage, streamMessage } from '../chats/testing/scripted-messages.ts'
import type { Output } from '../chats/testing/scripted-responses.ts'
import {
  scriptedUpstream,
  sendJson,
  sendPieces,
  type ScriptedUpstream,
} from '../chats/testing/scripted-upstream.ts'
import { KEY, serveChat, type ServeChatOptions, type ServedChat } from '../chats/testing/serve-chat.ts'

let upstream: ScriptedUpstream
let served: ServedChat
beforeEach(async () => {
  upstream = await scriptedUpstream()
  upstream.script = answering({ text: 'I see.' })
  await serve({})
})

async function serve(options: Partial<ServeChatOptions>): Promise<void> {
  const anthropic = { url: upstream.url, key: 'sk-ant', keyHeader: 'x-api-key' as const }
  served = await serveChat({ upstream: null, anthropic, ...options })
}

const ana = { user: 'ana' }
const BEES = 'I keep four hives of bees on my roof.'
const ASK = 'Where are my bees?'
const last = () => upstream.asked.at(-1)!

const answering =
  (...output: readonly Output[]): ScriptedUpstream['script'] =>
  ({ json }, response) =>
    json['stream'] === true ? streamMessage(response, output) : sendMessage(response, output)

const client = (apiKey = KEY) =>
  new Anthropic({ apiKey, baseURL: served.url.replace(/\/v1$/, ''), maxRetries: 0 })
const user = (content: MessageParam['content']): MessageParam => ({ role: 'user', content })
const base = { model: 'm', max_tokens: 100, metadata: { user_id: 'ana' } }
const say = (content: MessageParam['content'], more: Partial<MessageCreateParamsNonStreaming> = {}) =>
  client().messages.create({ ...base, messages: [user(content)], ...more })
const streamed = (content: string) => client().messages.stream({ ...base, messages: [user(content)] })

describe('Anthropic’s client, through Keepsake', () => {
  it('gets the upstream’s answer, and the exchange is remembered', async () => {
    const { data, response } = await say(BEES).withResponse()
    expect(data.content).toMatchObject([{ type: 'text', text: 'I see.' }])
    expect(data.usage.input_tokens).toBe(100)
    expect(response.headers.get('x-keepsake-memory')).toBe('on')
    expect(await served.turns(ana)).toEqual([`user: ${BEES}`, 'assistant: I see.'])
    expect(last().path).toBe('/v1/messages')
    expect(last().headers).toMatchObject({
      'x-api-key': 'sk-ant',
      'anthropic-version': expect.stringMatching(/^\d{4}-\d\d-\d\d$/) as string,
    })
    expect(JSON.stringify(last())).not.toContain(KEY)
  })

  it('has what was said before in the system’s words, after the application’s own', async () => {
    await say(BEES)
    const { response } = await say(ASK, { system: 'You are kind.' }).withResponse()
    const { system, ...rest } = last().json
    expect(String(system).startsWith('You are kind.\n\n')).toBe(true)
    expect(system).toContain(`"${BEES}"`)
    expect(rest).toEqual({ ...base, messages: [user(ASK)] })
    expect(Number(response.headers.get('x-keepsake-memories'))).toBeGreaterThan(0)
    expect(response.headers.get('x-keepsake-known')).toBe('true')
  })

  it('keeps the system’s blocks as they are, and what is cached of them', async () => {
    await say(BEES)
    const blocks = [
      { type: 'text' as const, text: 'You are kind.', cache_control: { type: 'ephemeral' as const } },
    ]
    await say(ASK, { system: blocks })
    const system = last().json['system'] as readonly { text: string }[]
    expect(system).toHaveLength(2)
    expect(system[0]).toEqual(blocks[0])
    expect(system[1]?.text).toContain(BEES)
  })

  it('passes the beta features on that it asks for', async () => {
    await client().messages.create(
      { ...base, messages: [user(BEES)] },
      { headers: { 'anthropic-beta': 'files-api-2025-04-14' } },
    )
    expect(last().headers['anthropic-beta']).toBe('files-api-2025-04-14')
  })

  it('keeps people apart', async () => {
    await say(BEES)
    await say(ASK, { metadata: { user_id: 'ben' } })
    expect(last().body).not.toContain('hives')
    expect(await served.turns(ana)).toHaveLength(2)
  })

  it('broken off, refused or failed, remembers the question alone', async () => {
    upstream.script = (_, response) =>
      sendPieces(response, messageEvents([{ text: 'Half an answer' }]).slice(0, 4), { cut: true })
    await expect(streamed('One.').finalText()).rejects.toThrow()
    upstream.script = (_, response) => sendMessage(response, [{ text: 'No.' }], 'refusal')
    await say('Two.')
    const error =
      'event: error\ndata: {"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}\n\n'
    upstream.script = (_, response) =>
      sendPieces(response, [...messageEvents([{ text: 'No.' }]).slice(0, 4), error])
    await expect(streamed('Three.').finalText()).rejects.toThrow()
    upstream.script = (_, response) => sendMessage(response, [{ text: 'As far as' }], 'max_tokens')
    await say('Four.')
    expect(await served.turns(ana)).toEqual([
      'user: One.',
      'user: Two.',
      'user: Three.',
      'user: Four.',
      'assistant: As far as',
    ])
  })

  it('remembers an answer whole that the request had begun', async () => {
    upstream.script = answering({ text: 'on your roof.' })
    const messages = [user(ASK), { role: 'assistant' as const, content: 'Your bees are ' }]
    await client().messages.create({ ...base, messages })
    expect(last().json['messages']).toEqual(messages)
    expect(await served.turns(ana)).toEqual([`user: ${ASK}`, 'assistant: Your bees are on your roof.'])
  })

  it('that adds its own blocks and tasks, has the words of the user remembered alone', async () => {
    const reminder = { type: 'text', text: '<system-reminder>I keep pigs.</system-reminder>' } as const
    await say([reminder, { type: 'text', text: BEES }])
    await say([reminder])
    const system = 'Analyze whether this message begins a new topic. If so, extract a 2-3 word title.'
    await say(ASK, { system })
    await served.pending.drain()
    expect(await served.turns(ana)).toEqual([`user: ${BEES}`, 'assistant: I see.'])
  })

  it('counts tokens without memory', async () => {
    upstream.script = (_, response) => sendJson(response, 200, { input_tokens: 7 })
    const counted = client().messages.countTokens({ model: 'm', messages: [user(BEES)] })
    const { data, response } = await counted.withResponse()
    expect([data.input_tokens, last().path]).toEqual([7, '/v1/messages/count_tokens'])
    expect(last().headers['x-api-key']).toBe('sk-ant')
    expect(response.headers.get('x-keepsake-memory')).toBe('off')
    expect(await served.keepsake.scopes()).toEqual([])
  })

  it('lists the models of its own upstream', async () => {
    upstream.script = (_, response) =>
      sendJson(response, 200, { data: [{ id: 'm', type: 'model' }], has_more: false })
    const models = await Array.fromAsync(client().models.list(), ({ id }) => id)
    expect([models, last().path]).toEqual([['m'], '/v1/models'])
  })
})

describe('tools', () => {
  const WEATHER = {
    name: 'weather',
    input_schema: { type: 'object' as const, properties: { city: { type: 'string' } } },
  }

  it.each([false, true])(
    'go there and back untouched; the answer after them is remembered (streamed: %s)',
    async (isStreamed) => {
      upstream.script = (asked, response) => {
        const { content } = asked.messages.at(-1)!
        const isAnswered = JSON.stringify(content).includes('tool_result')
        const output = isAnswered
          ? [{ text: 'It is 21 degrees.' }]
          : [{ text: 'One moment.' }, { call: 'weather', arguments: '{"city":"Lyon"}' }]
        return isStreamed ? streamMessage(response, output) : sendMessage(response, output)
      }
      const ask = (messages: MessageParam[]) =>
        isStreamed
          ? client()
              .messages.stream({ ...base, tools: [WEATHER], messages })
              .finalMessage()
          : client().messages.create({ ...base, tools: [WEATHER], messages })
      const messages = [user('How warm is it?')]
      const first = await ask(messages)
      expect(first.content[1]).toMatchObject({ type: 'tool_use', name: 'weather', input: { city: 'Lyon' } })
      messages.push(
        { role: 'assistant', content: first.content },
        user([{ type: 'tool_result', tool_use_id: 'toolu_1', content: '21' }]),
      )
      await ask(messages)
      expect(last().json['messages']).toEqual(messages)
      expect(await served.turns(ana)).toEqual([
        'user: How warm is it?',
        'assistant: One moment.',
        'assistant: It is 21 degrees.',
      ])
    },
  )
})

describe('what goes wrong, in Anthropic’s form', () => {
  it('a wrong key', async () => {
    const refused = client('ks_wrong').messages.create({ ...base, messages: [user(BEES)] })
    await expect(refused).rejects.toBeInstanceOf(AuthenticationError)
    await expect(refused).rejects.toMatchObject({
      error: { type: 'error', error: { type: 'authentication_error' } },
    })
    expect(upstream.asked).toEqual([])
  })

  it('no user, where one must be named', async () => {
    await served.close()
    await serve({ requireUser: true })
    const refused = client().messages.create({ model: 'm', max_tokens: 9, messages: [user(BEES)] })
    await expect(refused).rejects.toBeInstanceOf(BadRequestError)
    await expect(refused).rejects.toThrow(/metadata\.user_id/)
  })

  it('the upstream’s own refusals, as they come', async () => {
    const error = {
      type: 'error',
      error: { type: 'rate_limit_error', message: 'Slow down.' },
      request_id: 'req_1',
    }
    upstream.script = (_, response) => {
      response.setHeader('retry-after', '7')
      sendJson(response, 429, error)
    }
    const refused = say(BEES)
    await expect(refused).rejects.toBeInstanceOf(RateLimitError)
    await expect(refused).rejects.toMatchObject({ error })
    expect(await served.turns(ana)).toEqual([])
  })

  it('no upstream', async () => {
    await served.close()
    await serve({ anthropic: null })
    const refused = say(BEES)
    await expect(refused).rejects.toBeInstanceOf(InternalServerError)
    await expect(refused).rejects.toThrow(/--anthropic-upstream/)
  })
})
