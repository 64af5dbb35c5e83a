// Opens a memory whose model is at an endpoint, tells it something if asked to, and works off what waits.
// Arguments: the file, the endpoint, what Ana tells, whether claims count, and a preset other than the tests' own.
import { openMemory } from 'keepsake'
import { presetNamed, type PresetName } from '@keepsake/papers'
import { askingAt } from './model-at-endpoint.ts'
import { openWithoutClaims } from './store-without-claims.ts'

const [path = '', url = '', words = '', claims = 'with claims', preset] = process.argv.slice(2)
/** A day far from the numbers that the tests plant: a number may also follow from the date. */
const at = Date.parse('2024-03-14T18:00:00Z')
const say = (line: string) => process.stdout.write(`${line}\n`)

const asking = askingAt(url, { retries: 0, timeoutMs: 20_000 })
const own = preset === undefined ? {} : { preset: presetNamed(preset as PresetName) }
const place =
  claims === 'no claims' ? { store: await openWithoutClaims(path) } : { path, busyTimeoutMs: 20_000 }
const keepsake = await openMemory({ ...place, ...asking, ...own })
const ana = keepsake.scope({ user: 'ana' })
if (words !== '') {
  await ana.remember({ id: 'one-u', role: 'user', text: words, at }, { session: 'one' })
  await ana.endSession('one')
  say('told')
}
await keepsake.drain()
say('drained')
await keepsake.close()
