// An agent writes a block: a short text that the agent edits itself, and that every context contains.
import { openMemory } from 'keepsake'

const keepsake = await openMemory({ path: ':memory:' })
const ana = keepsake.scope({ user: 'ana' })

await ana.writeBlock('tasks', 'book the train\nwater the plants', { limit: 500 })
const { id } = await ana.editBlock('tasks', { find: 'book the train', replace: 'train booked' })
console.log((await ana.recall('What is for dinner?')).context.text)

const versions = await ana.admin.history(id)
console.log(versions.map(({ payload }) => payload?.after.text))
await ana.undo(versions.at(-1)?.id ?? '')
console.log((await ana.blocks())[0]?.text)
await keepsake.close()
