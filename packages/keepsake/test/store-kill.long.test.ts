import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { afterAll, describe, expect, it } from 'vitest'
import { projectLog } from '../src/memories/apply-operation.ts'
import type { ScopeRow } from '../src/scopes/scope.ts'
import { openSqliteStore } from '../src/store/sqlite/open-sqlite-store.ts'
import type { Store } from '../src/store/store.ts'
import { runUntilKilled } from './kill-child.ts'
import { filesHolding } from './search-bytes.ts'

/** `npm run perf -- faults` kills hundreds of times. */
const KILLS_PER_TASK = 5
const child = join(import.meta.dirname, 'store-writer-child.ts')
const root = mkdtempSync(join(tmpdir(), 'keepsake-kill-'))
afterAll(() => rmSync(root, { recursive: true }))

/** Words after the first of the acknowledged lines that begin with `kind`. */
function acknowledged(lines: readonly string[], kind: string): string[][] {
  return lines.filter((line) => line.startsWith(`${kind} `)).map((line) => line.split(' ').slice(1))
}

async function expectWhole(store: Store, ada: ScopeRow): Promise<void> {
  const { owner } = ada
  const kept = (await store.listMemories({ userId: owner })).map(({ memory }) => memory)
  const log = await store.listOperations({ userId: owner })
  expect(kept).toEqual([...projectLog(log).values()])
  expect(log.map(({ sequence }) => sequence)).toEqual(log.map((_, index) => index + 1))
}

async function killAgainAndAgain(
  task: string,
  verify: (store: Store, ada: ScopeRow, lines: readonly string[]) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(root, `${task}-`))
  const path = join(folder, 'memory.db')
  const lines: string[] = []
  for (let run = 0; run < KILLS_PER_TASK; run++) {
    const after = 20 + Math.random() * 130
    lines.push(...(await runUntilKilled(child, [path, task, `${task}${run}`], after, 1 + (run % 4))))
    const store = await openSqliteStore({ path })
    const ada = await store.ensureScope({ tenant: 'default', user: 'ada', agent: null, app: null })
    await expectWhole(store, ada)
    await verify(store, ada, lines)
    await store.close()
  }
  expect(lines.filter((line) => line !== 'ready').length).toBeGreaterThan(KILLS_PER_TASK)
  const database = new Database(path, { readonly: true })
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok')
  expect(database.pragma('foreign_key_check')).toEqual([])
  database.close()
}

describe('killed at a random moment', () => {
  it('keeps every acknowledged turn, none twice, calls whole', { timeout: 240_000 }, async () => {
    await killAgainAndAgain('append', async (store, { owner, scope }, lines) => {
      const turns = await store.listTurns({ userId: owner, scopes: [scope] })
      const ids = turns.map(({ id }) => id)
      expect(new Set(ids).size).toBe(ids.length)
      expect(turns.map(({ position }) => position)).toEqual(turns.map((_, index) => index + 1))
      expect(ids.length % 3).toBe(0)
      const known = new Set(ids)
      expect(
        acknowledged(lines, 'turns')
          .flat()
          .filter((id) => !known.has(id)),
      ).toEqual([])
    })
  })

  it('keeps every acknowledged commit, none by half', { timeout: 240_000 }, async () => {
    await killAgainAndAgain('commit', async (store, { owner, scope }, lines) => {
      const memories = new Map(
        (await store.listMemories({ userId: owner })).map(({ memory }) => [memory.id, memory.status]),
      )
      for (const [id = '', status = ''] of acknowledged(lines, 'memory')) {
        expect(['forgotten', status]).toContain(memories.get(`memory ${id}`))
      }
      const { documents, scopes } = await store.loadUser({ userId: owner, afterRevision: 0 })
      expect(documents.filter(({ kind }) => kind === 'memory').length).toBe(memories.size)
      const branches = scopes.find((one) => one.scope === scope)?.branches
      expect(branches?.['pairs'] ?? 0).toBe(memories.size)
    })
  })

  it('finishes an erasure on the next open, to the last byte', { timeout: 240_000 }, async () => {
    await killAgainAndAgain('erase', async (store, { owner }, lines) => {
      const isDone = async () => (await store.listErasures(owner)).every(({ purgedAt }) => purgedAt !== null)
      await expect.poll(isDone, { timeout: 30_000 }).toBe(true)
      const receipts = await store.listErasures(owner)
      const ids = receipts.map(({ id }) => id)
      expect(ids).toEqual(
        expect.arrayContaining(acknowledged(lines, 'erased').map(([id]) => `erasure ${id}`)),
      )
      const folder = join(store.name, '..')
      const erased = ids.map((id) => `secretof${id.slice('erasure '.length)}end`)
      expect(filesHolding(folder, erased)).toEqual([])
      for (const [id = ''] of acknowledged(lines, 'kept')) {
        if (!ids.includes(`erasure ${id}`)) expect(filesHolding(folder, [`secretof${id}end`])).not.toEqual([])
      }
    })
  })
})
