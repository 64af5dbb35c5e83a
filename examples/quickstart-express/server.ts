// A chat that remembers, behind Express: POST /chat streams an answer, GET /memories/ana shows what is known.
import { openModel } from '@keepsake/models'
import express, { type ErrorRequestHandler } from 'express'
import { InvalidInputError, openMemory } from 'keepsake'

// The model is `openai:…`, `anthropic:…`, `google:…`, `ollama:…` or `openai-compatible:URL#NAME`. Its key is in the provider's own variable.
const model = await openModel(process.env.KEEPSAKE_MODEL ?? 'openai:gpt-5-mini')
const keepsake = await openMemory({ path: process.env.KEEPSAKE_DB ?? 'memory.db', model })

const app = express()
app.use(express.json())

// Express 5 passes an error of an async handler to the error handler below.
app.post('/chat', async (request, response) => {
  const { user, text } = request.body as { user: string; text: string }
  // Recalls relevant memories, answers from them, and remembers the exchange, even if the client leaves before the end.
  const reply = await keepsake.scope({ user }).reply({ role: 'user', text })
  response.type('text/plain; charset=utf-8')
  for await (const piece of reply.textStream) response.write(piece)
  await reply.remembered
  response.end()
})

app.get('/memories/:user', async (request, response) => {
  const memories = await keepsake
    .scope({ user: request.params.user })
    .memories({ forms: ['fact', 'utterance'] })
  response.json(memories.map(({ id, text, evidence }) => ({ id, text, evidence })))
})

// Answers mistakes of the caller, such as a missing text, with a sentence. Express handles all other errors.
const answerMistake: ErrorRequestHandler = (error, _request, response, next) => {
  if (!(error instanceof InvalidInputError) || response.headersSent) return next(error)
  response.status(400).json({ error: error.message })
}
app.use(answerMistake)

const server = app.listen(Number(process.env.PORT ?? 3000), '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object') console.log(`http://127.0.0.1:${address?.port}`)
})

// Waits until running requests are remembered before the process ends.
process.once('SIGTERM', () => server.close(() => void keepsake.close()))
