import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { setImmediate as nextTick } from 'node:timers/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Worker } from 'node:worker_threads'
import Database from 'better-sqlite3'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { CheckpointThread } from './checkpoint-thread.ts'

const ROW = 'x'.repeat(4_000)
const PAGE = 4_096

let folder: string
let database: Database.Database

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keepsake-'))
  database = new Database(join(folder, 'memory.db'))
  database.pragma('journal_mode = WAL')
  database.pragma('synchronous = NORMAL')
  // What comes into the file is the thread's doing.
  database.pragma('wal_autocheckpoint = 0')
  database.exec('CREATE TABLE rows (row TEXT)')
})

afterEach(() => {
  database.close()
  rmSync(folder, { recursive: true })
})

const left = () => database.pragma('wal_autocheckpoint', { simple: true })

/** Another each time that the journal is begun anew. */
function salt(): Buffer {
  const bytes = Buffer.alloc(8)
  const file = openSync(`${database.name}-wal`, 'r')
  readSync(file, bytes, 0, bytes.length, 16)
  closeSync(file)
  return bytes
}

/** Writes so many transactions of a page and more each, with a look at the event loop after each. */
async function write(thread: CheckpointThread, count: number): Promise<void> {
  const insert = database.prepare('INSERT INTO rows VALUES (?)')
  for (let at = 0; at < count; at += 1) {
    insert.run(ROW)
    thread.wrote()
    await nextTick()
  }
}

it('copies the journal back while there is much to write, and lets go of the file before it is closed', async () => {
  const thread = new CheckpointThread(database)
  await write(thread, 511)
  expect(statSync(database.name).size).toBeLessThan(512 * PAGE)
  await write(thread, 1)
  await expect.poll(left).toBe(16_000)
  await write(thread, 64)
  await expect.poll(() => statSync(database.name).size).toBeGreaterThan(512 * PAGE)
  await thread.stop()
  expect(left()).toBe(1_000)
  database.close()
  expect(existsSync(`${database.name}-wal`)).toBe(false)
})

it('begins the journal anew while others write without a pause', async () => {
  const thread = new CheckpointThread(database)
  await write(thread, 512)
  await expect.poll(left).toBe(16_000)
  // Whoever commits leaves it to the thread, however far that falls behind.
  database.pragma('wal_autocheckpoint = 0')
  const first = salt()
  while (salt().equals(first)) await write(thread, 64)
  await thread.stop()
})

it('is not worth starting for a few transactions', async () => {
  const thread = new CheckpointThread(database)
  await write(thread, 511)
  await thread.stop()
  expect(left()).toBe(0)
})

it('is not started any more by who tells of what was written after it was stopped', async () => {
  const thread = new CheckpointThread(database)
  await thread.stop()
  database.close()
  const started = vi.fn<(worker: Worker) => void>()
  process.once('worker', started)
  thread.wrote(512)
  await nextTick()
  process.off('worker', started)
  expect(started).not.toHaveBeenCalled()
  expect(existsSync(`${database.name}-wal`)).toBe(false)
})

it('leaves it to whoever commits once the thread is gone', async () => {
  const module = join(folder, 'broken.mjs')
  writeFileSync(module, `throw new Error('no thread to be had')`)
  const thread = new CheckpointThread(database, pathToFileURL(module))
  await write(thread, 512)
  await expect.poll(left).toBe(1_000)
  await write(thread, 100)
  await thread.stop()
})
