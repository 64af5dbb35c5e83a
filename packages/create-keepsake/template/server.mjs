// Serves the page and its four routes on this machine only.
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { openMemory } from 'keepsake'
import { answer, learned } from './chat.mjs'

const PORT = Number(process.env.PORT ?? 4160)
const MODEL = process.env.KEEPSAKE_MODEL ?? null
const PAGE = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/icon.svg': ['icon.svg', 'image/svg+xml'],
  '/chat.css': ['chat.css', 'text/css; charset=utf-8'],
  '/chat.js': ['chat.js', 'text/javascript; charset=utf-8'],
}
/** Forbids scripts, styles, images and requests of other origins. */
const POLICY = "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'"

const model = MODEL === null ? null : await (await import('@keepsake/models')).openModel(MODEL)
/** The database is next to this file, whatever the working directory is. */
const DB = process.env.KEEPSAKE_DB ?? fileURLToPath(new URL('memory.db', import.meta.url))
const keepsake = await openMemory({
  path: DB,
  ...(model === null ? {} : { model }),
})
const person = keepsake.scope({ user: 'you' })

/** Streams the steps of an answer as JSON lines. */
async function chat(request, response) {
  const { said } = JSON.parse(await text(request))
  if (typeof said !== 'string' || said.trim() === '')
    return send(response, 422, { problem: 'Say something.' })
  response.writeHead(200, { 'Content-Type': 'application/x-ndjson', 'Cache-Control': 'no-store' })
  try {
    for await (const step of answer(person, said, model !== null)) response.write(`${JSON.stringify(step)}\n`)
  } catch (error) {
    console.error(error)
    response.write(`${JSON.stringify({ kind: 'failed', problem: error.message })}\n`)
  }
  response.end()
}

const ROUTES = {
  'POST /api/chat': chat,
  'GET /api/memory': async (_, response) =>
    send(response, 200, { model: MODEL, facts: await learned(person) }),
  'POST /api/forget': async (request, response) => {
    await person.forget(JSON.parse(await text(request)).memory)
    send(response, 200, { facts: await learned(person) })
  },
  'POST /api/erase': async (_, response) => {
    await person.erase({ everything: true })
    send(response, 200, { facts: [] })
  },
}

function send(response, status, body) {
  response.writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
  response.end(JSON.stringify(body))
}

/** Whether a request comes from another site's page, by its host name or by the content type of a form. */
function isForeign({ method, headers }) {
  const host = headers.host?.replace(/:\d+$/, '')
  if (host !== '127.0.0.1' && host !== 'localhost') return true
  return method === 'POST' && headers['content-type'] !== 'application/json'
}

async function serve(request, response) {
  const { pathname } = new URL(request.url, 'http://localhost')
  if (isForeign(request)) return send(response, 403, { problem: 'This chat serves only its own page.' })
  response.setHeader('Content-Security-Policy', POLICY)
  response.setHeader('X-Content-Type-Options', 'nosniff')
  const route = ROUTES[`${request.method} ${pathname}`]
  if (route !== undefined) return route(request, response)
  const [file, type] = PAGE[pathname] ?? []
  if (file === undefined) return send(response, 404, { problem: 'Not found.' })
  response.writeHead(200, { 'Content-Type': type })
  response.end(await readFile(new URL(`page/${file}`, import.meta.url)))
}

const server = createServer((request, response) => {
  serve(request, response).catch((error) => {
    console.error(error)
    if (!response.headersSent) send(response, 500, { problem: error.message })
    else response.end()
  })
})
server.listen(PORT, '127.0.0.1', () => {
  console.log(
    `A chat that remembers: open http://127.0.0.1:${server.address().port} in a browser. Ctrl-C stops it.`,
  )
  console.log(`What it remembers is in ${DB}.`)
  if (MODEL === null)
    console.log(
      'Replies come from recall and rules. To use a language model: KEEPSAKE_MODEL=ollama:qwen3 npm start',
    )
})
server.once('error', (error) => {
  const message =
    error.code === 'EADDRINUSE'
      ? `Port ${PORT} is in use. Start the chat on another port, in its folder: PORT=${PORT + 1} npm start`
      : error.message
  console.error(message)
  process.exit(1)
})

// Waits until running requests are remembered before the process ends.
for (const signal of ['SIGINT', 'SIGTERM'])
  process.once(signal, () => {
    server.close(() => void keepsake.close())
    server.closeIdleConnections()
  })
