import { beforeEach, describe, expect, it } from 'vitest'
import { sendMessage } from './testing/scripted-messages.ts'
import { sendResponse } from './testing/scripted-responses.ts'
import {
  event,
  scriptedUpstream,
  sendPieces,
  sendWhole,
  streamOf,
  type ScriptedUpstream,
} from './testing/scripted-upstream.ts'
import { KEY, serveChat, type ServedChat } from './testing/serve-chat.ts'

const ASK = 'Where are my four hives?'
const CHAT = { model: 'm', user: 'ana', messages: [{ role: 'user', content: ASK }] }
const ana = { user: 'ana' }

let upstream: ScriptedUpstream
let served: ServedChat
beforeEach(async () => {
  upstream = await scriptedUpstream()
  let answers = 0
  upstream.script = ({ json }, response) => {
    answers += 1
    const text = `On roof ${answers}.`
    return json['stream'] === true ? sendPieces(response, streamOf(text)) : sendWhole(response, text)
  }
  const there = { url: upstream.url, key: null }
  served = await serveChat({ upstream: there, anthropic: there, grants: { other: { id: 'k2' } } })
})

const ask = (body: object, headers: Record<string, string> = {}, path = '/v1/chat/completions') =>
  served.app.request(path, {
    method: 'POST',
    body: JSON.stringify(body),
    headers: {
      authorization: `Bearer ${KEY}`,
      'content-type': 'application/json',
      'idempotency-key': 'message-17',
      ...headers,
    },
  })

describe('a chat that comes again under its Idempotency-Key', () => {
  it.each([false, true])(
    'gets the answer that memory holds, byte for byte (streamed: %s)',
    async (stream) => {
      const first = await ask({ ...CHAT, stream })
      const said = await first.text()
      const again = await ask({ ...CHAT, stream })
      expect(await again.text()).toBe(said)
      expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'))
      expect(again.headers.get('x-keepsake-memory')).toBe('on')
      expect([first, again].map((one) => one.headers.get('idempotency-replayed'))).toEqual([null, 'true'])
      expect(upstream.asked).toHaveLength(1)
      expect(await served.turns(ana)).toEqual([`user: ${ASK}`, 'assistant: On roof 1.'])
    },
  )

  it.each([
    ['/v1/responses', { model: 'm', user: 'ana', input: ASK }, sendResponse],
    [
      '/v1/messages',
      { model: 'm', max_tokens: 9, metadata: { user_id: 'ana' }, messages: CHAT.messages },
      sendMessage,
    ],
  ] as const)('does so at %s', async (path, body, send) => {
    upstream.script = (_, response) => send(response, [{ text: 'On the roof.' }])
    const [first, again] = [
      await (await ask(body, {}, path)).text(),
      await (await ask(body, {}, path)).text(),
    ]
    expect(again).toBe(first)
    expect(upstream.asked).toHaveLength(1)
    expect(await served.turns(ana)).toEqual([`user: ${ASK}`, 'assistant: On the roof.'])
  })

  it('is asked for anew where its answer broke off, and doubles nothing', async () => {
    upstream.script = (_, response) => sendPieces(response, [event({ content: 'On ' })], { cut: true })
    await expect((await ask({ ...CHAT, stream: true })).text()).rejects.toThrow()
    upstream.script = (_, response) => sendPieces(response, streamOf('On the roof.'))
    expect(await (await ask({ ...CHAT, stream: true })).text()).toContain('[DONE]')
    expect(upstream.asked).toHaveLength(2)
    expect(await served.turns(ana)).toEqual([`user: ${ASK}`, 'assistant: On the roof.'])
  })

  it('goes into the session of the first time, though that one is long over', async () => {
    await (await ask(CHAT)).text()
    await served.keepsake.scope(ana).endSession()
    await (await ask(CHAT)).text()
    expect(await served.turns(ana)).toEqual([`user: ${ASK}`, 'assistant: On roof 1.'])
  })

  it('is refused where it is another chat, or another person’s, in the form of its API', async () => {
    await (await ask(CHAT)).text()
    const others = [
      await ask({ ...CHAT, messages: [{ role: 'user', content: 'Hello.' }] }),
      await ask(CHAT, { 'x-keepsake-user': 'ben' }),
    ]
    for (const other of others) {
      expect(other.status).toBe(409)
      expect(other.headers.get('x-should-retry')).toBe('false')
      expect(await other.json()).toMatchObject({ error: { code: 'idempotency-conflict' } })
    }
    expect(upstream.asked).toHaveLength(1)
  })

  it('is told to wait while the first is under way', async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    upstream.script = async (_, response) => {
      await promise
      sendWhole(response, 'On the roof.')
    }
    const first = ask(CHAT)
    await expect.poll(() => upstream.asked.length).toBe(1)
    const again = await ask(CHAT)
    expect([again.status, again.headers.get('retry-after')]).toEqual([409, '1'])
    resolve()
    expect((await first).status).toBe(200)
    await (await first).text()
    expect((await ask(CHAT)).headers.get('idempotency-replayed')).toBe('true')
  })
})

describe('an answer that is kept for its key', () => {
  const kept = () => served.keepsake.records.listRecords({ collection: 'requests' })

  it('is sealed, and goes with what is erased of its person', async () => {
    await (await ask(CHAT)).text()
    expect(JSON.stringify(await kept())).toContain('sealed')
    expect(JSON.stringify(await kept())).not.toMatch(/roof|hives|message-17/)
    const [turn] = (await served.keepsake.scope(ana).admin.turnPage({ limit: 1 })).items
    await served.keepsake.scope(ana).erase({ turns: [turn?.id ?? ''] })
    expect(await kept()).toEqual([])
  })

  it('is nobody else’s, though they choose the same key; nor does the upstream take them for one', async () => {
    await (await ask(CHAT)).text()
    const other = await ask(CHAT, { authorization: 'Bearer other' })
    expect(other.headers.get('idempotency-replayed')).toBeNull()
    await other.text()
    const named = upstream.asked.map(({ headers }) => headers['idempotency-key'])
    expect(new Set(named).size).toBe(2)
    expect(named).not.toContain('message-17')
  })
})

it.each<[string, object[], string, number]>([
  ['a blank message', [{ role: 'user', content: ' \n' }], 'not-stored', 0],
  ['instructions alone', [{ role: 'system', content: 'Be brief.' }], 'not-stored', 0],
  ['an answer to go on with', [{ role: 'assistant', content: 'The hives' }], 'not-stored', 0],
  ['words', CHAT.messages, 'on', 2],
])('the header says whether anything is stored: %s', async (_, messages, state, count) => {
  const answer = await ask({ ...CHAT, messages })
  await answer.text()
  expect([answer.headers.get('x-keepsake-memory'), (await served.turns(ana)).length]).toEqual([state, count])
})
