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

/** Waits until the bytes of an erasure are gone. */
async function purged(store: Store, { owner }: ScopeRow, id: string): Promise<void> {
  await expect
    .poll(async () => (await store.listErasures(owner)).find((one) => one.id === id)?.purgedAt)
    .toEqual(expect.any(Number))
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
  const proving = purged(store, ada, id).finally(() => (state.isProven = true))
  let written = 0
  while (!state.isProven) {
    await other.append(turnOf(bob, `b${written++}`, 'bob goes on '.repeat(written % 90)))
    const plain = [1, 2, 3].map((step) => (written * 31 + step) % turns).filter((turn) => !isSecret(turn))
    const documents = plain.map((turn) => ({
      id: `t${turn}`,
      kind: 'turn' as const,
      ...documentOf(`again ${'x '.repeat(turn % 50)}`),
    }))
    await store.saveDocuments(ada.owner, documents)
    await nextTurn()
  }
  await proving
  expect(filesHolding(dirname(path), ['harbourlight'])).toEqual([])
  expect((await store.listTurns({ userId: ada.owner })).length).toBe(turns - secret.length)
  expect((await other.listTurns({ userId: bob.owner })).length).toBe(written)
  await other.close()
  await store.close()
  const database = new Database(path)
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
  database.close()
  expect(filesHolding(dirname(path), ['harbourlight'])).toEqual([])
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
