import { join } from 'node:path'
import { openMemory, openSqliteStore, type Keepsake } from 'keepsake'
import { migrateStore, type Migrated } from 'keepsake/store'
import { Webhook as Verifier } from 'standardwebhooks'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import { openServer } from '../open-server.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'
import { MOVE_WEBHOOKS } from './move-webhooks.ts'
import { receiveWebhooks, type Received, type Receiver } from './testing/webhook-receiver.ts'

let folder = ''
let receiver: Receiver
beforeEach(async () => {
  folder = temporaryFolder()
  receiver = await receiveWebhooks()
})

interface Served {
  readonly keepsake: Keepsake
  ask<Answer>(path: string, body?: object): Promise<Answer>
  readonly close: () => Promise<void>
}

async function serve(name: string): Promise<Served> {
  const keepsake = await openMemory({ path: join(folder, name) })
  const webhooks = { toPrivate: true, retryMs: [] }
  const server = await openServer({ keepsake, port: 0, unlocked: true, webhooks })
  return {
    keepsake,
    async ask(path, body) {
      const headers = { 'content-type': 'application/json' }
      const sent = body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) }
      return (await (await fetch(`${server.url}${path}`, sent)).json()) as never
    },
    close: async () => {
      await server.close()
      await keepsake.close()
    },
  }
}

async function migrate(from: string, to: string): Promise<Migrated> {
  const stores = [
    await openSqliteStore({ path: join(folder, from) }),
    await openSqliteStore({ path: join(folder, to) }),
  ]
  const [source, target] = stores as [(typeof stores)[0], (typeof stores)[0]]
  const collections = ['webhooks', 'webhook-health']
  const migrated = await migrateStore({
    from: source,
    to: target,
    source: from,
    collections,
    numbered: MOVE_WEBHOOKS,
  })
  for (const store of stores) await store.close()
  return migrated
}

/** What is told is noted as told a moment after: cut off in between, it would be told once more. */
async function settled({ keepsake }: Served): Promise<void> {
  const waiting = () => keepsake.records.listRecords({ collection: 'webhook-waiting' })
  await expect.poll(waiting).toEqual([])
}

const turnsOf = (received: readonly Received[]) =>
  received.flatMap(({ data }) => data['turns'] as readonly string[])

it('webhooks go along with their secrets, what was given up, and how far each person was told', async () => {
  const before = await serve('from.db')
  const say = (user: string, id: string, agent?: string) =>
    before.keepsake
      .scope({ user, ...(agent === undefined ? {} : { agent }) })
      .remember({ role: 'user', text: `I say ${id}.`, id }, { session: 's1' })
  // Numbered first, and gone: the others have other numbers in the target.
  await say('zoe', 'z1')
  await say('ana', 'a1')
  await before.keepsake.scope({ user: 'zoe' }).erase({ everything: true })
  const { webhook, secret } = await before.ask<{ webhook: { id: string }; secret: string }>('/v1/webhooks', {
    url: receiver.url,
    events: ['turns-recorded'],
  })
  await say('ana', 'a2')
  await say('ana', 'a3', 'clerk')
  await say('ben', 'b1')
  await receiver.until(3)
  receiver.behave = () => 500
  await say('ben', 'b2')
  await expect
    .poll(() => before.ask<{ messages: object[] }>(`/v1/webhooks/${webhook.id}/failed`))
    .toMatchObject({ messages: [expect.anything()] })
  await settled(before)
  await before.close()
  // What happens while no server delivers waits for the next.
  const offline = await openMemory({ path: join(folder, 'from.db') })
  await offline.scope({ user: 'ana', agent: 'clerk' }).remember({ role: 'user', text: 'I say a4.', id: 'a4' })
  await offline
    .scope({ user: 'ana' })
    .remember({ role: 'user', text: 'I say a5.', id: 'a5' }, { session: 's1' })
  await offline.drain()
  await offline.close()
  expect(await migrate('from.db', 'to.db')).toMatchObject({ left: 0 })
  receiver.received.length = 0
  receiver.behave = () => 204
  const after = await serve('to.db')
  onTestFinished(() => after.close())
  const told = await receiver.until(2)
  expect(turnsOf(told).toSorted()).toEqual(['a4', 'a5'])
  for (const { body, headers } of told) new Verifier(secret).verify(body, headers as Record<string, string>)
  await after.keepsake.scope({ user: 'ben' }).remember({ role: 'user', text: 'I say b3.', id: 'b3' })
  await receiver.until(3)
  expect(await after.ask(`/v1/webhooks/${webhook.id}/failed/replay`, {})).toEqual({
    delivered: 1,
    failed: 0,
    gone: 0,
  })
  expect(turnsOf(receiver.received).toSorted()).toEqual(['a4', 'a5', 'b2', 'b3'])
})

it('what was not told of an erased person stays behind, and is counted', async () => {
  const before = await serve('from.db')
  await before.keepsake.scope({ user: 'ana' }).remember({ role: 'user', text: 'I keep bees.' })
  await before.ask('/v1/webhooks', { url: receiver.url })
  await settled(before)
  await before.close()
  const offline = await openMemory({ path: join(folder, 'from.db') })
  await offline.scope({ user: 'ana' }).erase({ everything: true })
  await offline.close()
  expect((await migrate('from.db', 'to.db')).left).toBe(1)
})
