// Mem0's own client with a Keepsake server. Only its host and its key are changed.
import { mem0Protocol } from '@keepsake/mem0-compat'
import { openServer } from '@keepsake/server'
import { openMemory } from 'keepsake'

// The client reports its use to its makers, unless this variable is set before the client is loaded.
process.env['MEM0_TELEMETRY'] = 'false'
const { MemoryClient } = await import('mem0ai')

const keepsake = await openMemory({ path: 'memory.db' })
const server = await openServer({ keepsake, port: 0, unlocked: true, protocols: [mem0Protocol] })

// For a server with keys, `apiKey` is a key from "keepsake keys create".
const client = new MemoryClient({ host: `${server.url}/compat/mem0`, apiKey: 'none' })

// An add returns the changes: the messages, the facts extracted from them, and the facts that are no longer true.
await client.add([{ role: 'user', content: 'I live in Lyon and I love climbing.' }], { userId: 'ana' })
const made = await client.add([{ role: 'user', content: 'I moved to Paris.' }], { userId: 'ana' })
console.log(JSON.stringify(made, null, 2))

// With infer: false a message is stored unchanged. Filters can use its metadata.
await client.add([{ role: 'user', content: 'Ana takes window seats.' }], {
  userId: 'ana',
  metadata: { topic: 'travel' },
  infer: false,
})

const { results } = await client.search('Which seats does Ana take?', {
  filters: { user_id: 'ana' },
  topK: 3,
})
for (const { memory, score } of results) console.log(score?.toFixed(2), memory)

const travel = await client.getAll({ filters: { user_id: 'ana', metadata: { topic: 'travel' } } })
const id = travel.results[0]?.id ?? ''
await client.update(id, { text: 'Ana takes aisle seats.' })
for (const { event, oldMemory, newMemory } of await client.history(id))
  console.log(event, oldMemory, '→', newMemory)

await client.deleteUsers({ userId: 'ana' }) // erased for good
console.log((await client.users()).results)

await server.close()
await keepsake.close()
