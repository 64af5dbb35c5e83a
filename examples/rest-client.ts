// A Keepsake server over REST, with its typed client, which also runs in browsers and edge runtimes.
import { createKeepsakeClient, KeepsakeRequestError } from '@keepsake/client'
import { openServer } from '@keepsake/server'
import { openMemory } from 'keepsake'
import { scriptedModel } from 'keepsake/model'

// The model is scripted, so that the example runs without a key; with-a-model.ts shows your own. "keepsake serve" also starts a server.
const model = scriptedModel((request) =>
  request.schemaName === undefined ? 'In Lyon, since last week.' : '{"summary":"","memories":[],"forget":[]}',
)
const keepsake = await openMemory({ path: 'memory.db', model })
const server = await openServer({ keepsake, model, port: 0, unlocked: true })

// For a server with keys, add `key`: a key from "keepsake keys create".
const client = createKeepsakeClient({ baseUrl: server.url })
const ana = client.scope({ user: 'ana' })

const { turns } = await ana.remember(
  [
    { role: 'user', text: 'I moved to Lyon last week. My sister Mia helped with the boxes.' },
    { role: 'assistant', text: 'How kind of Mia! How is the new flat?' },
  ],
  { session: 'monday', idempotencyKey: 'monday-1' }, // sent twice, it is stored once
)
console.log('remembered', turns.length, 'turns')

const { known, context } = await ana.recall('Where does Ana live?', { limit: 3 })
console.log(known, context.text)

for await (const { event, data } of ana.reply({ role: 'user', text: 'Where do I live?' })) {
  if (event === 'text') process.stdout.write(data.text)
  if (event === 'end') console.log()
}

// The client requests each page of a list when it is needed.
for await (const { text, evidence } of ana.memories({ forms: ['utterance'], limit: 2 }))
  console.log('kept:', text, evidence.length)

// `api` calls every other route, with types from the server's description.
const persona = await client.api.GET('/v1/scopes/{user}/persona', { params: ana.params })
console.log('subjects:', persona.data?.subjects.length)

try {
  await ana.remember({ role: 'user', text: 'Hello.', at: 'yesterday' })
} catch (error) {
  if (!(error instanceof KeepsakeRequestError)) throw error
  console.log(error.status, error.code, error.problem?.fields)
}

const erased = await client.api.DELETE('/v1/scopes/{user}', { params: ana.params })
console.log('erased:', erased.data?.turns, 'turns')
await server.close()
await keepsake.close()
