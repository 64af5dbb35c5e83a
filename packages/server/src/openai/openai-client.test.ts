import { APIUserAbortError } from 'openai'
import type { ChatCompletionMessageParam } from 'openai/resources'
import { beforeEach, describe, expect, it } from 'vitest'
import {
  scriptedUpstream,
  sendJson,
  sendPieces,
  sendWhole,
  streamOf,
  event,
} from '../chats/testing/scripted-upstream.ts'
import type { ScriptedUpstream } from '../chats/testing/scripted-upstream.ts'
import { KEY, serveChat, type ServedChat } from '../chats/testing/serve-chat.ts'

let upstream: ScriptedUpstream
let served: ServedChat
let clock = Date.UTC(2026, 4, 1, 10)
beforeEach(async () => {
  upstream = await scriptedUpstream()
  served = await serveChat({ upstream: { url: upstream.url, key: 'sk-upstream' }, now: () => clock })
})

const ana = { user: 'ana' }
const BEES = 'I keep four hives of bees on my roof.'
const user = (content: string): ChatCompletionMessageParam => ({ role: 'user', content })
const last = () => upstream.asked.at(-1)!

async function say(content: string, more: object = {}) {
  return served
    .client()
    .chat.completions.create({ model: 'm', user: 'ana', messages: [user(content)], ...more })
    .withResponse()
}

const streamed = () =>
  served.client().chat.completions.create({ model: 'm', user: 'ana', messages: [user(BEES)], stream: true })

describe('OpenAI’s client, through Keepsake', () => {
  it('gets the upstream’s answer, and the exchange is remembered', async () => {
    const { data, response } = await say(BEES)
    expect(data.choices[0]?.message.content).toBe('I see.')
    expect(data.usage?.total_tokens).toBe(110)
    expect(response.headers.get('x-keepsake-memory')).toBe('on')
    expect(await served.turns(ana)).toEqual([`user: ${BEES}`, 'assistant: I see.'])
    expect(last().headers.authorization).toBe('Bearer sk-upstream')
    expect(JSON.stringify(last())).not.toContain(KEY)
  })

  it('is handed nothing of what was asked to be forgotten', async () => {
    for (const words of [
      'My cousin Marek lent me four thousand.',
      "Marek is a closed chapter. I don't want you to know about him.",
      BEES,
    ]) {
      await say(words)
      await served.pending.drain()
      await served.keepsake.drain()
    }
    await say('Who lent me money, and where are my bees?')
    const handed = JSON.stringify(last().messages)
    expect(handed).toContain('hives')
    expect(handed).not.toMatch(/marek|cousin|four thousand|closed chapter/i)
  })

  it('has what was said before in the next talk, as data after the application’s own words', async () => {
    await say(BEES)
    const messages = [{ role: 'system', content: 'You are kind.' }, user('Where are my bees?')]
    const { response } = await say('', { messages })
    const [own, recalled, asked] = last().messages
    expect([own, asked]).toEqual([{ role: 'system', content: 'You are kind.' }, user('Where are my bees?')])
    expect(recalled?.role).toBe('system')
    expect(recalled?.content).toContain(`"${BEES}"`)
    expect(recalled?.content).toContain('never instructions')
    expect(response.headers.get('x-keepsake-recalled')).toMatch(
      /^(pending:chat-[0-9a-f]{32}|[0-9a-f-]{36})(,|$)/,
    )
  })

  it('names recalled memories by ids that can be looked up', async () => {
    await say(BEES)
    await served.pending.drain()
    await served.keepsake.scope(ana).drain()
    const { response } = await say('Where are my bees?')
    const [id] = response.headers.get('x-keepsake-recalled')!.split(',')
    const memories = await served.keepsake.scope(ana).memories({ forms: ['utterance'] })
    expect(memories.find((memory) => memory.id === id)?.text).toContain(BEES)
  })

  it('remembers once what a client sends with every request, and says nothing twice', async () => {
    const talk: ChatCompletionMessageParam[] = []
    for (const words of [BEES, 'They made honey.', 'They made honey.']) {
      talk.push(user(words))
      const { data } = await say('', { messages: talk })
      talk.push({ role: 'assistant', content: data.choices[0]?.message.content ?? null })
    }
    expect(await served.turns(ana)).toEqual([
      `user: ${BEES}`,
      'assistant: I see.',
      'user: They made honey.',
      'assistant: I see.',
      'user: They made honey.',
      'assistant: I see.',
    ])
    expect(last().messages).toHaveLength(5)
  })

  it('remembers the last answer alone when a request is sent again', async () => {
    await say(BEES)
    await served.pending.drain()
    upstream.script = (_, response) => sendWhole(response, 'Bees, you say.')
    await say(BEES)
    expect(await served.turns(ana)).toEqual([`user: ${BEES}`, 'assistant: Bees, you say.'])
    expect(served.log).toEqual([])
  })

  it('follows a client that edits a message, continues an answer, and asks for a title', async () => {
    const create = async (...contents: readonly string[]) => {
      const messages = contents.map((content, place) => ({
        role: place % 2 === 0 ? 'user' : 'assistant',
        content,
      }))
      await served.client().chat.completions.create({ model: 'm', user: 'ana', messages: messages as never })
      await served.pending.drain()
    }
    await create(BEES)
    await create(BEES, 'I see.', 'My goat is called Ida.')
    await create(BEES, 'I see.', 'My goat is called Ilda.')
    upstream.script = (_, response) => sendWhole(response, ' A fine name.')
    await create(BEES, 'I see.', 'My goat is called Ilda.', 'Ilda!')
    await create(`Generate a title for this conversation.\nUser: ${BEES}\nAssistant: I see.`)
    expect(await served.turns(ana)).toEqual([
      `user: ${BEES}`,
      'assistant: I see.',
      'user: My goat is called Ilda.',
      'assistant: Ilda! A fine name.',
    ])
    expect(served.log).toEqual([])
  })

  it('takes the same words on another day for another turn', async () => {
    await say('Good morning!')
    await served.pending.drain()
    clock += 24 * 3_600_000
    await say('Good morning!')
    expect(await served.turns(ana)).toHaveLength(4)
    expect((await served.keepsake.scope(ana).sessions()).map(({ id }) => id)).toEqual([
      'session-1',
      'session-2',
    ])
  })

  it('puts the exchange into the session, agent, app and tenant that headers name', async () => {
    const headers = {
      'X-Keepsake-User': encodeURIComponent('安娜'),
      'X-Keepsake-Tenant': 'acme',
      'X-Keepsake-Agent': 'juno',
      'X-Keepsake-App': 'mail',
      'X-Keepsake-Session': 'monday',
    }
    await served.client(headers).chat.completions.create({ model: 'm', user: 'ana', messages: [user(BEES)] })
    const scope = { tenant: 'acme', user: '安娜', agent: 'juno', app: 'mail' }
    expect(await served.turns(scope)).toHaveLength(2)
    expect((await served.keepsake.scope(scope).sessions()).map(({ id }) => id)).toEqual(['monday'])
    expect(await served.keepsake.scopes()).toHaveLength(1)
  })

  it('takes the user and the chat that Open WebUI forwards, where nothing else names them', async () => {
    const forwarded = { 'X-OpenWebUI-User-Id': 'u-1', 'X-OpenWebUI-Chat-Id': 'monday' }
    const said = { model: 'm', messages: [user(BEES)] }
    await served.client(forwarded).chat.completions.create(said)
    expect((await served.keepsake.scope({ user: 'u-1' }).sessions()).map(({ id }) => id)).toEqual(['monday'])
    await served.client(forwarded).chat.completions.create({ ...said, user: 'ana' })
    expect(await served.turns({ user: 'u-1' })).toHaveLength(2)
    expect(await served.turns(ana)).toHaveLength(2)
  })

  it('keeps users apart', async () => {
    await say(BEES)
    await served.pending.drain()
    const { response } = await say('Where do I keep bees?', { user: 'ben' })
    expect(response.headers.get('x-keepsake-recalled')).toBeNull()
    expect(last().body).not.toContain('hives')
    expect(last().messages).toEqual([user('Where do I keep bees?')])
    expect(await served.turns({ user: 'ben' })).toHaveLength(2)
    expect(await served.turns(ana)).toHaveLength(2)
  })

  it('passes on without memory, and says so, when no user is named', async () => {
    const request = { model: 'm', messages: [user(BEES)] }
    const { response } = await served.client().chat.completions.create(request).withResponse()
    expect(response.headers.get('x-keepsake-memory')).toBe('off')
    expect(JSON.parse(last().body)).toEqual(request)
    await served.client().chat.completions.create(request)
    // The log says it once.
    const hint = expect.stringContaining('name its user in the field user') as string
    expect(served.log).toEqual([{ level: 'warn', event: 'no-user', hint }])
    await served.pending.drain()
    expect(await served.keepsake.scopes()).toEqual([])
  })

  it('lists the upstream’s models', async () => {
    upstream.script = ({ path }, response) =>
      sendJson(
        response,
        200,
        path.endsWith('/models') ? { object: 'list', data: [{ id: 'm' }] } : { id: 'org/m' },
      )
    const models = []
    for await (const model of served.client().models.list()) models.push(model.id)
    expect(models).toEqual(['m'])
    expect((await served.client().models.retrieve('org/m')).id).toBe('org/m')
    expect(upstream.asked.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/v1/models', 'Bearer sk-upstream'],
      ['/v1/models/org%2Fm', 'Bearer sk-upstream'],
    ])
  })
})

describe('streaming', () => {
  const POEM = 'Bees, 蜂蜜, and a 🐝 again.'

  it('comes as the upstream sends it, and is remembered whole', async () => {
    upstream.script = (_, response) => sendPieces(response, streamOf(POEM))
    const stream = await served.client().chat.completions.create({
      model: 'm',
      user: 'ana',
      messages: [user(BEES)],
      stream: true,
      stream_options: { include_usage: true },
    })
    let text = ''
    let usage
    for await (const chunk of stream) {
      text += chunk.choices[0]?.delta.content ?? ''
      usage = chunk.usage ?? usage
    }
    expect([text, usage?.total_tokens]).toEqual([POEM, 110])
    expect(await served.turns(ana)).toEqual([`user: ${BEES}`, `assistant: ${POEM}`])
  })

  it('hands on every byte, however it is cut, and reads it all the same', async () => {
    const bytes = new TextEncoder().encode(
      `: a comment\r\n\r\n${streamOf(POEM).join('').replaceAll('\n', '\r\n')}`,
    )
    const pieces = Array.from({ length: Math.ceil(bytes.length / 37) }, (_, at) =>
      bytes.slice(at * 37, at * 37 + 37),
    )
    upstream.script = (_, response) => sendPieces(response, pieces)
    const response = await streamed().asResponse()
    expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true)
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect((await served.turns(ana)).at(-1)).toBe(`assistant: ${POEM}`)
  })

  it('reaches the client while the upstream still speaks', async () => {
    const { promise: heard, resolve: hear } = Promise.withResolvers<void>()
    upstream.script = async (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(event({ content: 'Bees' }))
      await heard
      response.end(streamOf(' again.').join(''))
    }
    const stream = await streamed()
    const pieces: string[] = []
    for await (const chunk of stream) {
      pieces.push(chunk.choices[0]?.delta.content ?? '')
      hear()
    }
    expect(pieces.join('')).toBe('Bees again.')
  })

  it('broken off by the upstream, breaks off for the client; what was half said is not remembered', async () => {
    upstream.script = (_, response) => sendPieces(response, streamOf(POEM).slice(0, 3), { cut: true })
    const stream = await streamed()
    const pieces: string[] = []
    const read = async () => {
      for await (const chunk of stream) pieces.push(chunk.choices[0]?.delta.content ?? '')
    }
    await expect(read()).rejects.toThrow()
    expect(pieces.join('')).toBe('Bees, 蜂蜜, ')
    expect(await served.turns(ana)).toEqual([`user: ${BEES}`])
    expect(served.log.map(({ event }) => event)).toEqual(['upstream-broke-off'])
  })

  it('given up by the client, is given up at the upstream', async () => {
    const { promise: gone, resolve } = Promise.withResolvers<void>()
    upstream.script = (_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.write(event({ content: 'Bees' }))
      response.on('close', resolve)
    }
    const stream = await streamed()
    for await (const chunk of stream) if (chunk.choices[0]?.delta.content === 'Bees') break
    await gone
    expect(await served.turns(ana)).toEqual([`user: ${BEES}`])
    expect(served.log).toEqual([])
  })

  it('remembers the first of several choices', async () => {
    const pieces = [event({ content: 'Second' }, null, 1), event({ content: 'First' }), event({}, 'stop', 1)]
    upstream.script = (_, response) =>
      sendPieces(response, [...pieces, event({}, 'stop'), 'data: [DONE]\n\n'])
    const stream = await served
      .client()
      .chat.completions.create({ model: 'm', user: 'ana', messages: [user(BEES)], n: 2, stream: true })
    for await (const _ of stream);
    expect(await served.turns(ana)).toEqual([`user: ${BEES}`, 'assistant: First'])
  })
})

describe('before the answer', () => {
  it('a client that gives up is given up at the upstream; nothing is remembered', async () => {
    const { promise: gone, resolve } = Promise.withResolvers<void>()
    const { promise: asked, resolve: ask } = Promise.withResolvers<void>()
    upstream.script = (_, response) => {
      response.on('close', resolve)
      ask()
    }
    const abort = new AbortController()
    const chat = served
      .client()
      .chat.completions.create({ model: 'm', user: 'ana', messages: [user(BEES)] }, { signal: abort.signal })
    await asked
    abort.abort()
    await expect(chat).rejects.toBeInstanceOf(APIUserAbortError)
    await gone
    expect(await served.turns(ana)).toEqual([])
  })
})
