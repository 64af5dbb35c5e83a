import { Hono } from 'hono'
import type { ServerEnv } from '../../server-context.ts'
import { startServer } from '../../serving/start-server.ts'
import { joinPrimary } from '../worker-link.ts'

/** A worker that answers everything with its number, and opens no memory. */
const link = joinPrimary()
if (link === null) throw new Error('This is run as a worker alone.')
const app = new Hono<ServerEnv>()
app.all('*', (c) => c.text(String(link.number)))
const server = await startServer({
  app,
  port: link.port,
  stopping: new AbortController(),
  graceMs: 100,
  siblings: link,
})
link.serves({ ...server, openKeys: null })
await link.stopped
await server.stop()
link.leave()
