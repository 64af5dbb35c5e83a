import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { KilledServer, KILL_TARGETS, type KillTarget } from '../testing/killed-server.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const folder = temporaryFolder()
let server: KilledServer
beforeAll(async () => {
  server = await KilledServer.start('--db', join(folder, 'memory.db'), '--unlocked')
})
afterAll(async () => {
  await server.end('SIGTERM')
})

interface Added {
  readonly event_id?: string
  readonly results?: readonly { readonly id: string; readonly event: string }[]
}

interface Event {
  readonly status: string
  readonly results: readonly { readonly event: string }[]
}

/** An add under a key of its own, as an application has it that sends again what was not answered. */
function requestOf(text: string, user: string, more: object = {}): RequestInit {
  return {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'idempotency-key': text, connection: 'close' },
    body: JSON.stringify({ messages: text, user_id: user, ...more }),
  }
}

const ADD = '/compat/mem0/v3/memories/add/'
const USERS = ['ana', 'ben', 'cleo']
const ADDS = 45
const KILL_AT = 12

/** Adds for each person in the background. @returns the ids of their events */
async function addInBackground(way: KillTarget): Promise<string[]> {
  const ids: string[] = []
  for (const user of USERS) {
    const request = requestOf('I live in Lyon and keep bees.', `${user}-event-${way}`, { async_mode: true })
    const headers = { 'content-type': 'application/json', connection: 'close' }
    const added = (await (await server.ask(ADD, { ...request, headers })).json()) as Added
    ids.push(added.event_id ?? '')
  }
  return ids
}

async function eventOf(id: string): Promise<Event> {
  const answer = await server.ask(`/compat/mem0/v1/event/${id}/`, { headers: { connection: 'close' } })
  return (await answer.json()) as Event
}

it.each(KILL_TARGETS)(
  'killed amid adds (%s), keeps each that was answered, once, answers the same again, and tells of its events',
  async (way) => {
    const events = await addInBackground(way)
    const answered = new Map<string, string>()
    const killing: Promise<void>[] = []
    const adds = Array.from({ length: ADDS }, (_, number) => ({
      user: `${USERS[number % USERS.length]}-${way}`,
      text: `I have ${number} bees in hive ${way}-${number}.`,
    }))
    const sent = adds.map(async ({ text, user }) => {
      const answer = await fetch(server.url + ADD, requestOf(text, user))
      if (answer.status !== 200) return
      answered.set(text, await answer.text())
      if (answered.size === KILL_AT) killing.push(server.kill(way))
    })
    await Promise.allSettled(sent)
    await Promise.all(killing)
    expect(answered.size).toBeGreaterThanOrEqual(KILL_AT)
    expect(answered.size).toBeLessThan(ADDS)
    for (const { text, user } of adds) {
      const again = await server.ask(ADD, requestOf(text, user))
      const said = await again.text()
      expect(again.status).toBe(200)
      if (answered.has(text)) expect(said).toBe(answered.get(text))
    }
    for (const user of USERS) {
      const kept = (await server.turns(`${user}-${way}`)).map(({ text }) => text).toSorted()
      const due = adds.filter((add) => add.user === `${user}-${way}`).map(({ text }) => text)
      expect(kept).toEqual(due.toSorted())
    }
    for (const id of events) {
      // Whichever process is asked.
      for (let time = 0; time < 3; time += 1)
        await expect.poll(async () => (await eventOf(id)).status).toBe('SUCCEEDED')
      expect((await eventOf(id)).results.map((made) => made.event)).toContain('ADD')
    }
  },
  180_000,
)
