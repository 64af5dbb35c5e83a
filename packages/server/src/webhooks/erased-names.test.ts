import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openMemory, type Keepsake } from 'keepsake'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { KeyStore } from '../access/key-store.ts'
import { readAudit } from '../access/audit-log.ts'
import { openServer, type OpenServer } from '../open-server.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { receiveWebhooks, type Receiver } from './testing/webhook-receiver.ts'

const USER = 'zephyrina-4711'
const SPOKEN = 'My sister Kiwimora is allergic to peanuts.'

let folder: string
let keepsake: Keepsake
let server: OpenServer
let receiver: Receiver
beforeEach(async () => {
  folder = temporaryFolder()
  receiver = await receiveWebhooks()
})

async function serve(): Promise<KeyStore> {
  keepsake = await openMemory({ path: join(folder, 'memory.db') })
  onTestFinished(() => keepsake.close())
  server = await openServer({ keepsake, port: 0, webhooks: { toPrivate: true, retryMs: [20] } })
  onTestFinished(async () => void (await server.close()))
  return new KeyStore(keepsake.records)
}

async function call(key: string, method: string, path: string, body?: object): Promise<Response> {
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const content = body === undefined ? {} : { body: JSON.stringify(body) }
  return fetch(`${server.url}${path}`, { method, headers, ...content })
}

/** The files of the memory that hold one of the words, once everything is written. */
async function filesHolding(words: readonly string[]): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => !name.includes('-shm'))
  const found = await Promise.all(
    names.map(async (name) => {
      const bytes = await readFile(join(folder, name))
      return words.filter((word) => bytes.includes(word)).map((word) => `${name}: ${word}`)
    }),
  )
  return found.flat()
}

const ALL = ['read', 'write', 'erase'] as const

describe('after a user is erased', () => {
  it('no key, webhook, delivery, dead letter or audit entry holds their name or words', async () => {
    const keys = await serve()
    const own = await keys.create({ name: `phone of ${USER}`, users: [USER], actions: ALL })
    const shared = await keys.create({ name: 'both', users: [USER, 'ben'], actions: ALL })
    const wide = await keys.create({ name: 'operator', actions: [...ALL, 'admin'] })
    const messages = `/v1/scopes/${USER}/turns`
    const said = { turns: [{ role: 'user', text: SPOKEN }] }
    expect((await call(own.key, 'POST', messages, said)).status).toBeLessThan(300)
    receiver.behave = () => 500
    const hook = { url: receiver.url, user: USER, texts: true, description: `of ${USER}` }
    expect((await call(own.key, 'POST', '/v1/webhooks', hook)).status).toBe(201)
    expect((await call(wide.key, 'POST', '/v1/webhooks', { url: receiver.url, texts: true })).status).toBe(
      201,
    )
    expect(
      (await call(own.key, 'POST', messages, { turns: [{ role: 'user', text: 'I live in Porto.' }] })).status,
    ).toBeLessThan(300)
    await keepsake.drain()
    await receiver.until(4)
    expect((await call(own.key, 'DELETE', `/v1/scopes/${USER}?everything=true`)).status).toBe(200)
    await expect.poll(() => filesHolding([USER, 'Kiwimora', 'Porto']), { timeout: 10_000 }).toEqual([])
    expect((await keys.list()).map(({ name }) => name).toSorted()).toEqual([
      'both',
      'erased user',
      'operator',
    ])
    for await (const entry of readAudit(keepsake.records)) expect(JSON.stringify(entry)).not.toContain(USER)
    // A key goes on opening the same user, who may return.
    expect((await call(own.key, 'POST', messages, said)).status).toBeLessThan(300)
    expect((await call(shared.key, 'POST', messages, said)).status).toBeLessThan(300)
    expect((await call(own.key, 'GET', '/v1/scopes/ben/turns')).status).toBe(403)
  })

  it('a webhook of theirs alone sends the erasure and is removed', async () => {
    const keys = await serve()
    const { key } = await keys.create({ name: 'app', users: [USER], actions: ALL })
    await keepsake.scope({ user: USER }).note('Keeps bees.')
    await call(key, 'POST', '/v1/webhooks', { url: receiver.url, events: ['scope-erased'] })
    await call(key, 'DELETE', `/v1/scopes/${USER}?everything=true`)
    const [message] = await receiver.until(1, ({ type }) => type === 'scope-erased')
    expect(message?.body).not.toContain(USER)
    expect(Object.keys(message?.data ?? {})).toEqual(['receipt'])
    await expect
      .poll(async () => (await keepsake.records.listRecords({ collection: 'webhooks' })).length)
      .toBe(0)
  })
})
