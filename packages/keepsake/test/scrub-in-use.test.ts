import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { expect, it, onTestFinished } from 'vitest'
import { documentOf, eraseOf, turnOf } from '../src/store/contract/samples.ts'
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts'
import type { ScopeRow } from '../src/scopes/scope.ts'
import type { Store } from '../src/store/store.ts'
import { filesHolding } from './search-bytes.ts'

const ADA = { tenant: 'default', user: 'ada', agent: null, app: null }

function temporaryPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-scrub-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return join(folder, 'memory.db')
}

const isSecret = (turn: number): boolean => turn % 10 === 0

function talk(ada: ScopeRow, from: number, count: number) {
  const turns = Array.from({ length: count }, (_, index) => {
    const turn = from + index
    const word = isSecret(turn) ? 'harbourlight ' : 'ordinary '
    const text = word.repeat(1 + ((turn * 7_919) % 170))
    return turnOf(ada, `t${turn}`, text).turns.map((one) => ({ ...one, document: documentOf(text) }))
  }).flat()
  return { ...turnOf(ada, '', ''), turns }
}

async function fill(store: Store, path: string, bytes: number): Promise<{ ada: ScopeRow; turns: number }> {
  const ada = await store.ensureScope(ADA)
  let turns = 0
  for (; statSync(path).size < bytes; turns += 200) await store.append(talk(ada, turns, 200))
  return { ada, turns }
}

it('takes every byte out of a large file while others write, and damages nothing', async () => {
  const path = temporaryPath()
  const store = await openSqliteStore({ path, synchronous: 'normal' })
  const other = await openSqliteStore({ path, synchronous: 'normal' })
  const { ada, turns } = await fill(store, path, 12_000_000)
  const bob = await other.ensureScope({ ...ADA, user: 'bob' })
  const secret = Array.from({ length: turns }, (_, turn) => turn).filter(isSecret)
  const ids = secret.map((turn) => `t${turn}`)
  const { id } = await store.erase(eraseOf(ada, ids, []))
  const state = { isProven: false }
  const proving = store.proven?.(id, 60_000).finally(() => (state.isProven = true))
  let written = 0
  while (!state.isProven) {
    await other.append(turnOf(bob, `b${written++}`, 'bob goes on '.repeat(written % 90)))
    const plain = [1, 2, 3].map((step) => (written * 31 + step) % turns).filter((turn) => !isSecret(turn))
    const documents = plain.map((turn) => ({
      id: `t${turn}`,
      kind: 'turn' as const,
      ...documentOf(`again ${'x '.repeat(turn % 50)}`),
    }))
    await store.reindex(ada.owner, documents)
    await nextTurn()
  }
  expect((await proving)?.purgedAt).toEqual(expect.any(Number))
  expect(filesHolding(dirname(path), ['harbourlight'])).toEqual([])
  expect((await store.listTurns({ userId: ada.owner })).length).toBe(turns - secret.length)
  expect((await other.turns({ owner: bob.owner })).length).toBe(written)
  await other.close()
  await store.close()
  const database = new Database(path)
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
  database.close()
  expect(filesHolding(dirname(path), ['harbourlight'])).toEqual([])
})

it('shares one pass between erasures that come together, and lets writes through', async () => {
  const path = temporaryPath()
  const store = await openSqliteStore({ path, synchronous: 'normal' })
  const { ada } = await fill(store, path, 8_000_000)
  const proofs = new Set<number | null>()
  store.watchErasures?.((news) => 'proven' in news && proofs.add(news.proven.purgedAt))
  const ids = Array.from({ length: 20 }, (_, index) => `t${index * 10}`)
  // While somebody reads the file as it was, nothing is proven: the first pass has not ended when the last erasure comes.
  const reader = new Database(path)
  reader.exec('BEGIN')
  reader.prepare('SELECT count(*) FROM turns').get()
  for (const [index, id] of ids.entries()) {
    await store.erase({ ...eraseOf(ada, [id], []), id: `e${index}` })
    await store.append(turnOf(ada, `more${index}`, 'and more'))
  }
  expect(proofs.size).toBe(0)
  reader.close()
  for (const index of ids.keys())
    expect((await store.proven?.(`e${index}`, 60_000))?.purgedAt).toEqual(expect.any(Number))
  // The pass that was under way, and one for all that came meanwhile.
  expect(proofs.size).toBeLessThanOrEqual(2)
  await store.close()
})

it('leaves nothing of what a backup copies, nor of one that erases and ends', async () => {
  const path = temporaryPath()
  const store = await openSqliteStore({ path, synchronous: 'normal' })
  const { ada, turns } = await fill(store, path, 3_000_000)
  const secret = Array.from({ length: turns }, (_, turn) => turn).filter(isSecret)
  await store.erase(
    eraseOf(
      ada,
      secret.map((turn) => `t${turn}`),
      [],
    ),
  )
  await store.backup(join(dirname(path), 'copy.db'))
  expect(filesHolding(dirname(path), ['harbourlight'])).toEqual([])
  await store.close()
})
