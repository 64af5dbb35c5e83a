import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { request, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Hono } from 'hono'
import { expect, it, onTestFinished } from 'vitest'
import type { ServerEnv } from '../server-context.ts'
import { startServer } from '../serving/start-server.ts'
import type { Siblings } from './siblings.ts'

it('ends no connection of another process by itself: one that is ended as it is asked over would fail a request', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-door-'))
  const door = join(folder, 'worker.sock')
  const app = new Hono<ServerEnv>()
  app.get('/', (c) => c.text('here'))
  const siblings = { door, homeOf: () => null } as unknown as Siblings
  const server = await startServer({ app, port: 0, stopping: new AbortController(), siblings })
  onTestFinished(async () => {
    await server.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const asked = request({ socketPath: door, path: '/', headers: { connection: 'keep-alive' } })
  asked.end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  answer.resume()
  // Node says in this header after how many seconds it would end the connection.
  expect(answer.headers).toMatchObject({ connection: 'keep-alive' })
  expect(answer.headers['keep-alive']).toBeUndefined()
})
