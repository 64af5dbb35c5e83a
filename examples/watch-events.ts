import { lufy } from '@keepsake/papers'
// Listens to the events of a memory, as logs, metrics and traces do.
import { openMemory } from 'keepsake'

const keepsake = await openMemory({ path: ':memory:', preset: lufy })
keepsake.on('memory-added', ({ memory }) => console.log('added', memory.form, memory.id))
keepsake.on('memory-forgotten', ({ memory }) => console.log('forgot', memory.id, memory.reason))
keepsake.on('recall-answered', ({ confidence }) =>
  console.log('answered with confidence', confidence.toFixed(2)),
)

const ana = keepsake.scope({ user: 'ana' })
for (const text of ['I got into the conservatory!', 'It rained today.', 'My brother is called Oskar.']) {
  await ana.remember(
    [
      { role: 'assistant', text: 'Tell me more.' },
      { role: 'user', text },
    ],
    { session: 'one' },
  )
}
await ana.endSession()
await keepsake.drain()
await ana.recall('What news from the conservatory?')
await keepsake.close()
