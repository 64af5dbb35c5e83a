import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { openMemory, type Keepsake } from 'keepsake'
import { Webhook as Verifier } from 'standardwebhooks'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { openServer, type OpenServer } from '../open-server.ts'
import { KeyStore } from '../access/key-store.ts'
import type { Action } from '../access/grant.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import type { WebhookSettings } from './webhooks.ts'
import { receiveWebhooks, type Received, type Receiver } from './testing/webhook-receiver.ts'

const QUICK = { toPrivate: true, retryMs: [30, 30], timeoutMs: 30_000 } satisfies WebhookSettings

let folder: string
let receiver: Receiver
beforeEach(async () => {
  folder = temporaryFolder()
  receiver = await receiveWebhooks()
})

interface Served {
  readonly keepsake: Keepsake
  readonly server: OpenServer
  readonly close: () => Promise<void>
  ask<Answer>(path: string, body?: unknown, how?: Readonly<Record<string, string>>): Promise<[number, Answer]>
  keyFor(actions: readonly Action[], users?: readonly string[]): Promise<Readonly<Record<string, string>>>
}

async function serve(settings: WebhookSettings = QUICK, unlocked = true): Promise<Served> {
  const keepsake = await openMemory({ path: join(folder, 'memory.db') })
  const server = await openServer({ keepsake, port: 0, unlocked, webhooks: settings })
  let isOpen = true
  const close = async (): Promise<void> => {
    if (!isOpen) return
    isOpen = false
    await server.close()
    await keepsake.close()
  }
  onTestFinished(close)
  const keys = new KeyStore(keepsake.records)
  return {
    keepsake,
    server,
    close,
    async ask(path, body, { method = body === undefined ? 'GET' : 'POST', ...headers } = {}) {
      const content = body === undefined ? {} : { body: JSON.stringify(body) }
      const json = { 'content-type': 'application/json', ...headers }
      const response = await fetch(`${server.url}${path}`, { method, headers: json, ...content })
      return [response.status, await response.json()] as never
    },
    async keyFor(actions, users) {
      const { key } = await keys.create({ name: 'test', actions, ...(users ? { users } : {}) })
      return { authorization: `Bearer ${key}` }
    },
  }
}

interface Made {
  readonly webhook: { readonly id: string; readonly state: string; readonly users: string[] | null }
  readonly secret: string
}

async function register(served: Served, body: object = {}, headers = {}): Promise<Made> {
  const [status, made] = await served.ask<Made>('/v1/webhooks', { url: receiver.url, ...body }, headers)
  expect([status, made]).toEqual([201, expect.anything()])
  return made
}

const say = (served: Served, user: string, text: string): Promise<unknown> =>
  served.keepsake.scope({ user }).remember({ role: 'user', text }, { session: 's1' })
const isOf = (user: string) => (received: Received) =>
  (received.data['scope'] as { user?: string })?.user === user
const isType = (type: string) => (received: Received) => received.type === type

describe('what a webhook is told', () => {
  it('what happens to one person, signed as Standard Webhooks says, without words', async () => {
    const served = await serve()
    await say(served, 'ana', 'I live in Porto.')
    await served.keepsake.drain()
    const { secret } = await register(served, { user: 'ana' })
    await say(served, 'ben', 'I keep bees.')
    await say(served, 'ana', 'My sister Mia is allergic to peanuts.')
    const [turn] = await receiver.until(1, isType('turns-recorded'))
    const [memory] = await receiver.until(1, isType('memory-added'))
    const headers = turn?.headers as Record<string, string>
    expect(new Verifier(secret).verify(turn?.body ?? '', headers)).toMatchObject({
      type: 'turns-recorded',
      data: { scope: { tenant: 'default', user: 'ana', agent: null, app: null }, session: 's1' },
    })
    expect(() => new Verifier(secret).verify(`${turn?.body} `, headers)).toThrow('signature')
    expect(memory?.data).toMatchObject({ memory: null, operation: { kind: 'add' } })
    expect(receiver.received.filter(isOf('ben'))).toEqual([])
    expect(receiver.received.map(({ body }) => body).join()).not.toMatch(/Mia|Porto|peanut/)
  })

  it('words only where they are asked for, and only the events that are', async () => {
    const served = await serve()
    await register(served, { user: 'ana', texts: true, events: ['memory-added', 'memory-deleted'] })
    await say(served, 'ana', 'My sister Mia is allergic to peanuts.')
    await receiver.until(1, ({ body }) => body.includes('peanuts'))
    const [live] = await served.keepsake.scope({ user: 'ana' }).memories()
    await served.keepsake.scope({ user: 'ana' }).forget(live?.id ?? '')
    await receiver.until(1, isType('memory-deleted'))
    expect(new Set(receiver.received.map(({ type }) => type))).toEqual(
      new Set(['memory-added', 'memory-deleted']),
    )
  })

  it('turns and changes in the order in which they happened, one at a time', async () => {
    receiver.behave = async () => {
      await sleep(2)
      return 200
    }
    const served = await serve()
    await register(served)
    const said = []
    for (let number = 0; number < 12; number += 1) {
      said.push(`turn-${number}`)
      const turn = { role: 'user', text: `I planted ${number} trees.`, id: `turn-${number}` } as const
      await served.keepsake.scope({ user: 'ana' }).remember(turn)
    }
    await served.keepsake.drain()
    const log = await served.keepsake
      .scope({ user: 'ana' })
      .log({ kinds: ['add', 'modify', 'delete', 'forget'] })
    await receiver.until(12 + log.length)
    const turns = receiver.received.filter(isType('turns-recorded')).flatMap(({ data }) => data['turns'])
    expect(turns).toEqual(said)
    const changes = receiver.received.flatMap(({ data }) => {
      const operation = data['operation'] as { id: string } | undefined
      return operation === undefined ? [] : [operation.id]
    })
    expect(changes).toEqual(log.map(({ id }) => id))
    expect(receiver.most()).toBe(1)
  })

  it('of everybody it tells new people from their first turn', async () => {
    const served = await serve()
    await say(served, 'old', 'I was here before.')
    await register(served, { events: ['turns-recorded'] })
    await say(served, 'new', 'I have just come.')
    await say(served, 'old', 'So have I.')
    await receiver.until(2)
    await sleep(100)
    expect(receiver.received.map(({ data }) => (data['scope'] as { user: string }).user).toSorted()).toEqual([
      'new',
      'old',
    ])
  })

  it('that a person was erased, and nothing of what they said', async () => {
    const served = await serve()
    await register(served, { user: 'ana', texts: true, events: ['scope-erased', 'memory-added'] })
    receiver.behave = () => 503
    await say(served, 'ana', 'My sister Mia is allergic to peanuts.')
    await served.keepsake.drain()
    await receiver.until(1)
    // Before the erasure: its message comes at once, and one that is refused waits to be retried.
    receiver.received.length = 0
    receiver.behave = () => 200
    await served.keepsake.scope({ user: 'ana' }).erase({ everything: true })
    const [erased] = await receiver.until(1, isType('scope-erased'))
    expect(erased?.data).toMatchObject({ receipt: { turns: 1 } })
    expect(erased?.data['owner']).toBeUndefined()
    // What was on its way when everything was erased may come before, and nothing may come after.
    const types = receiver.received.map(({ type }) => type)
    expect(types.slice(types.indexOf('scope-erased'))).toEqual(['scope-erased'])
    await served.close()
    for (const name of await readdir(folder))
      expect((await readFile(join(folder, name))).includes('peanuts'), name).toBe(false)
  })
})

describe('what fails', () => {
  it('is tried again under the same id, and what comes after it waits', async () => {
    receiver.behave = (_, number) => (number <= 2 ? 500 : 200)
    const served = await serve()
    await register(served, { events: ['turns-recorded'] })
    const ana = served.keepsake.scope({ user: 'ana' })
    await ana.remember([
      { role: 'user', text: 'One.', id: 'one' },
      { role: 'user', text: 'Two.', id: 'two' },
    ])
    await receiver.until(4)
    expect(receiver.received.map(({ data }) => data['turns'])).toEqual([['one'], ['one'], ['one'], ['two']])
    const ids = receiver.received.map(({ headers }) => headers['webhook-id'])
    expect([new Set(ids.slice(0, 3)).size, new Set(ids).size]).toEqual([1, 2])
  })

  it('is given up after the last try, can be read without words, and is replayed', async () => {
    receiver.behave = ({ body }) => (body.includes('"bad"') ? 422 : 200)
    const served = await serve()
    const { webhook } = await register(served, { events: ['turns-recorded'] })
    const ana = served.keepsake.scope({ user: 'ana' })
    await ana.remember([
      { role: 'user', text: 'Peanuts.', id: 'bad' },
      { role: 'user', text: 'Two.', id: 'good' },
    ])
    await receiver.until(1, ({ body }) => body.includes('"good"'))
    const path = `/v1/webhooks/${webhook.id}/failed`
    const [, failed] = await served.ask<{ messages: object[] }>(path)
    expect(failed.messages).toEqual([
      expect.objectContaining({
        event: 'turns-recorded',
        attempts: 3,
        status: 422,
        reason: 'It answered 422.',
      }),
    ])
    // In quotes, for the letters of an id may spell it.
    expect(JSON.stringify(failed)).not.toMatch(/Peanuts|"bad"/)
    expect(await served.ask(`${path}/replay`, {})).toEqual([200, { delivered: 0, failed: 1, gone: 0 }])
    receiver.behave = () => 200
    expect(await served.ask(`${path}/replay`, {})).toEqual([200, { delivered: 1, failed: 0, gone: 0 }])
    expect(await served.ask(path)).toEqual([200, { messages: [], next: null }])
  })

  it('of an erased person is nothing to replay', async () => {
    receiver.behave = () => 500
    const served = await serve({ ...QUICK, retryMs: [] })
    const { webhook } = await register(served, { events: ['turns-recorded'] })
    await say(served, 'ana', 'Peanuts.')
    const path = `/v1/webhooks/${webhook.id}/failed`
    await expect.poll(async () => (await served.ask<{ messages: object[] }>(path))[1].messages.length).toBe(1)
    await served.keepsake.scope({ user: 'ana' }).erase({ everything: true })
    expect(await served.ask(path)).toEqual([200, { messages: [], next: null }])
  })

  it('for too long disables it; enabled again, it is told what it missed', async () => {
    receiver.behave = () => 'cut'
    const served = await serve({ ...QUICK, retryMs: [10, 10, 10, 10, 10], disableAfterMs: 5 })
    const { webhook } = await register(served, { events: ['turns-recorded'] })
    await say(served, 'ana', 'One.')
    const path = `/v1/webhooks/${webhook.id}`
    await expect
      .poll(async () => (await served.ask(path))[1])
      .toMatchObject({
        state: 'disabled',
        reason: 'failing',
      })
    await say(served, 'ana', 'Two.')
    receiver.received.length = 0
    receiver.behave = () => 200
    const [, enabled] = await served.ask(path, { enabled: true }, { method: 'PATCH' })
    expect(enabled).toMatchObject({ state: 'enabled', reason: null })
    await receiver.until(2)
  })

  it('with 410 disables it at once; a redirect is not followed', async () => {
    receiver.behave = () => 302
    const served = await serve({ ...QUICK, retryMs: [] })
    const { webhook } = await register(served, { events: ['turns-recorded'] })
    await say(served, 'ana', 'One.')
    const path = `/v1/webhooks/${webhook.id}`
    const failed = async () => (await served.ask<{ messages: object[] }>(`${path}/failed`))[1].messages
    await expect.poll(failed).toEqual([
      expect.objectContaining({
        status: 302,
        reason: 'It answered with a redirect, which is not followed.',
      }),
    ])
    receiver.behave = () => 410
    await say(served, 'ana', 'Two.')
    await expect
      .poll(async () => (await served.ask(path))[1])
      .toMatchObject({ state: 'disabled', reason: 'gone' })
  })

  it('slowly holds up no call, and no other receiver', async () => {
    const other = await receiveWebhooks()
    let answer = (): void => undefined
    const held = new Promise<void>((done) => void (answer = done))
    receiver.behave = async () => {
      await held
      return 200
    }
    const served = await serve({ ...QUICK, timeoutMs: 60_000 })
    await register(served)
    await register(served, { url: other.url })
    await say(served, 'ana', 'One.')
    await receiver.until(1)
    for (let number = 0; number < 20; number += 1) await say(served, 'ana', `I saw ${number} birds.`)
    await other.until(21, isType('turns-recorded'))
    expect(receiver.received).toHaveLength(1)
    answer()
    await receiver.until(21, isType('turns-recorded'))
  })
})

describe('what was not delivered when the server ended', () => {
  it('is delivered by the next, also what nobody had noted yet', async () => {
    receiver.behave = () => 503
    const first = await serve({ ...QUICK, retryMs: [60_000] })
    await register(first, { events: ['turns-recorded'] })
    await say(first, 'ana', 'One.')
    await receiver.until(1)
    await first.close()
    // As after a kill between a turn and the note that it waits.
    const alone = await openMemory({ path: join(folder, 'memory.db') })
    await alone.scope({ user: 'ben' }).remember({ role: 'user', text: 'Two.' })
    await alone.close()
    receiver.received.length = 0
    receiver.behave = () => 200
    await serve()
    await receiver.until(1, isOf('ben'))
  })
})

describe('who may register', () => {
  it('a key for whom it reads; nobody for others, or for words without reading', async () => {
    const served = await serve(QUICK, false)
    const ana = await served.keyFor(['read'], ['ana'])
    const ben = await served.keyFor(['read'], ['ben'])
    const writer = await served.keyFor(['write'])
    const admin = await served.keyFor(['admin'])
    const { webhook } = await register(served, { events: ['turns-recorded'] }, ana)
    expect(webhook.users).toEqual(['ana'])
    const events = ['turns-recorded']
    const ask = async (headers: object, body: object) =>
      (await served.ask('/v1/webhooks', { url: receiver.url, events, ...body }, { ...headers }))[0]
    expect(await ask(ana, { user: 'ben' })).toBe(403)
    expect(await ask(writer, {})).toBe(403)
    expect(await ask(admin, { texts: true })).toBe(403)
    expect(await ask(admin, {})).toBe(201)
    for (const [path, body, method] of [
      ['', undefined, 'GET'],
      ['', { enabled: false }, 'PATCH'],
      ['', undefined, 'DELETE'],
      ['/secret', {}, 'POST'],
      ['/failed', undefined, 'GET'],
      ['/failed/replay', {}, 'POST'],
    ] as const)
      expect((await served.ask(`/v1/webhooks/${webhook.id}${path}`, body, { ...ben, method }))[0]).toBe(404)
    const listed = async (headers: object) =>
      (await served.ask<{ webhooks: object[] }>('/v1/webhooks', undefined, { ...headers }))[1].webhooks.length
    expect([await listed(ana), await listed(ben), await listed(admin)]).toEqual([1, 0, 2])
    await say(served, 'ben', 'I keep bees.')
    await say(served, 'ana', 'I keep hens.')
    await receiver.until(2, isOf('ana'))
    await receiver.until(1, isOf('ben'))
    await sleep(100)
    expect(receiver.received.filter(isOf('ben')).length).toBe(1)
    expect(receiver.received.filter(isOf('ana')).length).toBe(2)
  })

  it('it ends with its key', async () => {
    const served = await serve(QUICK, false)
    const ana = await served.keyFor(['read'], ['ana'])
    const admin = await served.keyFor(['admin', 'read'])
    const { webhook } = await register(served, {}, ana)
    const keys = new KeyStore(served.keepsake.records)
    const [own] = (await keys.list()).filter(({ users }) => users !== null)
    await keys.revoke(own?.id ?? '')
    await say(served, 'ana', 'I keep hens.')
    const state = async () => (await served.ask(`/v1/webhooks/${webhook.id}`, undefined, { ...admin }))[1]
    await expect.poll(state).toMatchObject({ state: 'disabled', reason: 'key-over' })
    expect(receiver.received).toEqual([])
    await served.ask(`/v1/webhooks/${webhook.id}`, { enabled: true }, { ...admin, method: 'PATCH' })
    await receiver.until(1)
  })

  it('not for private addresses, unless the operator lets them', async () => {
    const served = await serve({})
    const refused = [
      'https://127.0.0.1/x',
      'https://10.1.2.3/x',
      'https://192.168.0.1/x',
      'https://169.254.169.254/latest',
      'https://[::1]/x',
      'https://[::ffff:127.0.0.1]/x',
      'https://[::127.0.0.1]/x',
      'https://[::8.8.8.8]/x',
      'https://[fe80::1]/x',
      'https://[64:ff9b::7f00:1]/x',
      'https://0x7f.1/x',
      'https://localhost/x',
      'http://93.184.216.34/x',
      'ftp://93.184.216.34/x',
      'https://me:secret@93.184.216.34/x',
      'nothing',
    ]
    for (const url of refused) {
      const [status, problem] = await served.ask<{ detail: string }>('/v1/webhooks', { url })
      expect([url, status, problem.detail]).toEqual([url, 422, expect.stringContaining('body.url')])
    }
  })

  it('a secret that is replaced signs for its hours beside the new one', async () => {
    const served = await serve()
    const { webhook, secret: old } = await register(served, { events: ['turns-recorded'] })
    const [, made] = await served.ask<Made>(`/v1/webhooks/${webhook.id}/secret`, { graceHours: 1 })
    await say(served, 'ana', 'One.')
    const [first] = await receiver.until(1)
    for (const secret of [old, made.secret])
      new Verifier(secret).verify(first?.body ?? '', first?.headers as Record<string, string>)
    const [, last] = await served.ask<Made>(`/v1/webhooks/${webhook.id}/secret`, { graceHours: 0 })
    await say(served, 'ana', 'Two.')
    const [, second] = await receiver.until(2)
    const headers = second?.headers as Record<string, string>
    new Verifier(last.secret).verify(second?.body ?? '', headers)
    expect(() => new Verifier(made.secret).verify(second?.body ?? '', headers)).toThrow('signature')
  })
})
