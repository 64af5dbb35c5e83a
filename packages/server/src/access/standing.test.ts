import { join } from 'node:path'
import { openMemory, type Keepsake } from 'keepsake'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { createApp } from '../app.ts'
import { testDeps } from '../testing/test-deps.ts'
import { grantOf } from '../mcp/testing/connect-client.ts'
import { GrantWatch } from './grant-watch.ts'
import { KeyStore, openKeys } from './key-store.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

let folder = ''
let keepsake: Keepsake
beforeEach(async () => {
  folder = temporaryFolder()
  keepsake = await openMemory({ path: join(folder, 'memory.db') })
  onTestFinished(() => keepsake.close())
})

function serve() {
  const keys = new KeyStore(keepsake.records)
  const { deps, close } = testDeps(keepsake)
  onTestFinished(close)
  return { keys, app: createApp(deps, { keys }) }
}

/** Until a stream is over. */
async function readAll(response: Response): Promise<string> {
  expect(response.status).toBe(200)
  return response.text()
}

/** As `keepsake keys revoke` does, in another process. */
async function revokeElsewhere(id: string): Promise<void> {
  const other = await openKeys(join(folder, 'memory.db'))
  await other.keys.revoke(id)
  await other.close()
}

describe('a key that is revoked', () => {
  it.each(['/v1/scopes/ana/events', '/v1/events'])('hears no more on %s', async (path) => {
    const { keys, app } = serve()
    const { entry, key } = await keys.create({ name: 'x', actions: ['read', 'admin'] })
    const reading = readAll(await app.request(path, { headers: { Authorization: `Bearer ${key}` } }))
    await revokeElsewhere(entry.id)
    expect(await reading).not.toContain('turns-recorded')
    await keepsake.scope({ user: 'ana' }).remember({ role: 'user', text: 'I moved to Lyon.' })
  })
})

describe('GrantWatch', () => {
  it('ends what a key no longer opens, and only that', async () => {
    const standing = new Map([
      ['narrowed', grantOf(['ana'], ['read'], 'narrowed')],
      ['same', grantOf(['ana'], ['read', 'write'], 'same')],
    ])
    const watch = new GrantWatch({ standing: (id) => standing.get(id) ?? null }, () => undefined)
    const over: string[] = []
    for (const id of ['narrowed', 'same', 'gone'])
      watch.watch(grantOf(['ana'], ['read', 'write'], id), () => over.push(id), 'ana')
    await expect.poll(() => over.toSorted()).toEqual(['gone', 'narrowed'])
  })

  it('ends nothing while keys cannot be read, and reports it', async () => {
    let failures = 0
    const fail = (): never => {
      throw new Error('The disk is full.')
    }
    const watch = new GrantWatch({ standing: fail }, () => (failures += 1))
    let isOver = false
    watch.watch(grantOf(['ana']), () => (isOver = true), 'ana')
    await expect.poll(() => failures).toBeGreaterThan(1)
    expect(isOver).toBe(false)
  })
})
