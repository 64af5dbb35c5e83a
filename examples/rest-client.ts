// A Keepsake server over REST, by its typed client, which runs in browsers and edge runtimes as well.
import { createKeepsakeClient, KeepsakeRequestError } from '@keepsake/client'
import { openServer } from '@keepsake/server'
import { openMemory } from 'keepsake'
import { scriptedModel } from 'keepsake/model'

// Scripted, so that this runs anywhere; see with-a-model.ts for one of your own. "keepsake serve" does all of this.
const model = scriptedModel((request) =>
  request.schemaName === undefined ? 'In Lyon, since last week.' : '{"summary":"","memories":[],"forget":[]}',
)
const keepsake = await openMemory({ path: 'memory.db', model })
const server = await openServer({ keepsake, model, port: 0, unlocked: true })

// Where keys are asked for, `key` is one that "keepsake keys create" made.
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

// Lists come page by page, as they are read.
for await (const { text, evidence } of ana.memories({ forms: ['utterance'], limit: 2 }))
  console.log('kept:', text, evidence.length)

// Every other route, typed by the server's description.
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
