// Memories in libSQL. The database here is a file. For a database of Turso, use `libsql://…` with an `authToken`.
import { openLibsqlStore } from '@keepsake/libsql'
import { openMemory } from 'keepsake'

const store = await openLibsqlStore({ url: 'file:memory.db' })
const keepsake = await openMemory({ store })
const ana = keepsake.scope({ user: 'ana' })

await ana.remember({ role: 'user', text: 'My sister Mia lives in Porto.' })
await ana.drain()
console.log((await ana.recall('Where does Mia live?')).context.text)

const receipt = await ana.erase({ everything: true })
console.log('bytes are gone:', receipt?.purgedAt !== null)
await keepsake.close()
