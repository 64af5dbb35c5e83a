// The example of the README.
import { openMemory } from 'keepsake'

const keepsake = await openMemory({ path: 'memory.db' })
const ana = keepsake.scope({ user: 'ana' })

await ana.remember([
  { role: 'user', text: 'I moved to Lyon last week. My sister Mia helped with the boxes.' },
  { role: 'assistant', text: 'How kind of Mia! How is the new flat?' },
])
await ana.drain() // waits until facts are extracted; the messages themselves can be searched immediately
const { context, memories, known } = await ana.recall('Where did Ana move?')
console.log(known)
console.log(context.text)
console.log(memories[0]?.evidence[0]?.text)
await keepsake.close()
