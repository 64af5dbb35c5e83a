import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMemory, openSqliteStore } from 'keepsake'
import type { Store } from 'keepsake/store'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { findBroken, Ledger } from '../src/faults/trial.ts'

const SAID = 'I keep four hives of bees on my roof.'

let path = ''
let ledger = new Ledger()
beforeEach(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-broken-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  path = join(folder, 'memory.db')
  ledger = new Ledger()
  const keepsake = await openMemory({ path })
  await keepsake.scope({ user: 'ana' }).remember([
    { role: 'user', text: SAID },
    { role: 'assistant', text: 'How lovely.' },
  ])
  await keepsake.drain()
  await keepsake.close()
})

/** The store of the file, with one of its answers changed. */
async function lying(change: (store: Store) => Partial<Store>): Promise<Store> {
  const store = await openSqliteStore({ path })
  const changed = change(store)
  return new Proxy(store, {
    get: (target, name) => {
      const found: unknown = Reflect.get(name in changed ? changed : target, name)
      return typeof found === 'function' ? found.bind(target) : found
    },
  })
}

describe('what is looked for after a trial', () => {
  it('is nothing where every promise was kept', async () => {
    ledger.keep('ana', SAID)
    ledger.erase('ana', 'I keep a goat.')
    expect(await findBroken({ path, ledger })).toEqual([])
  })

  it('is what was acknowledged and is lost, and what was erased and is there', async () => {
    ledger.keep('ana', 'I keep a goat.')
    ledger.erase('ana', SAID)
    expect(await findBroken({ path, ledger })).toEqual([
      '1 acknowledged turns of ana are lost',
      '1 erased turns of ana are there',
    ])
  })

  it('is a turn that is there twice', async () => {
    ledger.keep('ana', SAID)
    expect(ledger.findBroken('ana', [SAID, SAID])).toEqual(['1 turns of ana are there more than once'])
  })

  it('is a memory that is not as the log says', async () => {
    const openStore = () =>
      lying((store) => ({
        loadUser: async (request) => {
          const rows = await store.loadUser(request)
          return {
            ...rows,
            memories: rows.memories.map((one) => ({ ...one, memory: { ...one.memory, pinned: true } })),
          }
        },
      }))
    expect(await findBroken({ openStore, ledger })).toEqual(['1 memories of ana are not as the log says'])
  })

  it('is a turn that nothing reads', async () => {
    const keepsake = await openMemory({ path })
    const more = ['One.', 'Two.'].map((text) => ({ role: 'user', text }) as const)
    await keepsake.scope({ user: 'ana' }).remember(more)
    await keepsake.close()
    // The job is there and done where the store is worked with; only who looks for lost jobs is not shown it.
    let looks = 0
    const openStore = () =>
      (looks += 1) === 1 ? lying(() => ({ listJobs: async () => [] })) : openSqliteStore({ path })
    expect(await findBroken({ openStore, ledger })).toEqual(['the job of ana is lost: 3 turns are unread'])
  })
})
