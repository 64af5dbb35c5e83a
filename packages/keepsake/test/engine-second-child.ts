// Remembers thirty turns beside other processes on the same file, and consolidates as it goes.
import { openMemory } from 'keepsake'

const [path = '', name = ''] = process.argv.slice(2)
const keepsake = await openMemory({ path, busyTimeoutMs: 20_000 })
const scope = keepsake.scope({ user: 'ana' })
for (let n = 0; n < 30; n += 1) {
  await scope.remember(
    { role: 'user', text: `I am process ${name} and I have ${n} lanterns.`, id: `${name}-${n}` },
    { session: name },
  )
  if (n % 10 === 9) await scope.drain()
}
await scope.endSession(name)
await keepsake.drain()
await keepsake.close()
