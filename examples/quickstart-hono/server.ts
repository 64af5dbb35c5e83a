// A chat that remembers, behind Hono: POST /people/ana/chat streams an answer.
import { serve } from '@hono/node-server'
import { openModel } from '@keepsake/models'
import { Hono } from 'hono'
import { stream } from 'hono/streaming'
import { openMemory } from 'keepsake'

// The model is `openai:…`, `anthropic:…`, `google:…`, `ollama:…` or `openai-compatible:URL#NAME`. Its key is in the provider's own variable.
const model = await openModel(process.env.KEEPSAKE_MODEL ?? 'openai:gpt-5-mini')
const keepsake = await openMemory({ path: process.env.KEEPSAKE_DB ?? 'memory.db', model })

const app = new Hono()

app.post('/people/:user/chat', async (c) => {
  const text = await c.req.text()
  const reply = await keepsake.scope({ user: c.req.param('user') }).reply({ role: 'user', text })
  c.header('Content-Type', 'text/plain; charset=utf-8')
  return stream(c, async (out) => {
    await out.pipe(reply.textStream.pipeThrough(new TextEncoderStream()))
    await reply.remembered
  })
})

app.get('/people/:user/memories', async (c) => {
  const memories = await keepsake
    .scope({ user: c.req.param('user') })
    .memories({ forms: ['fact', 'utterance'] })
  return c.json(memories.map(({ id, text, evidence }) => ({ id, text, evidence })))
})

/** Erases the user for good: no byte of their texts stays. */
app.delete('/people/:user', async (c) =>
  c.json(await keepsake.scope({ user: c.req.param('user') }).erase({ everything: true })),
)

const server = serve(
  { fetch: app.fetch, hostname: '127.0.0.1', port: Number(process.env.PORT ?? 3000) },
  ({ port }) => console.log(`http://127.0.0.1:${port}`),
)

// Waits until running requests are remembered before the process ends.
process.once('SIGTERM', () => server.close(() => void keepsake.close()))
