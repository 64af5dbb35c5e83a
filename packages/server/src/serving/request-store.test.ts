import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import Connection from 'better-sqlite3'
import { beforeEach, describe, expect, it } from 'vitest'
import { stateOfHolder } from './request-holder.ts'
import { openRequestStore, type RequestStore } from './request-store.ts'

const ANSWER = { status: 201, body: '{"turns":["t1"]}', contentType: 'application/json' }
const DAY_MS = 86_400_000

let path = ''
beforeEach(() => {
  path = join(mkdtempSync(join(tmpdir(), 'keepsake-requests-')), 'memory.db.requests')
})

const begin = (store: RequestStore, key = 'k1', fingerprint = 'f1', grant = 'g1') =>
  store.begin(grant, key, fingerprint)

async function run(store: RequestStore, ...of: [key?: string, fingerprint?: string, grant?: string]) {
  const begun = await begin(store, ...of)
  if (begun.kind !== 'run') throw new Error(`It does not run, it is ${begun.kind}.`)
  return begun
}

/** Makes every entry one of another holder. */
function giveTo(holder: string): void {
  const file = new Connection(path)
  file.prepare('UPDATE requests SET holder = ? WHERE holder IS NOT NULL').run(holder)
  file.close()
}

describe('RequestStore', () => {
  it('runs a request once and replays its answer, after a restart too', async () => {
    const first = openRequestStore({ path })
    await (await run(first)).finish(ANSWER)
    expect(await begin(first)).toEqual({ kind: 'replay', answer: ANSWER })
    first.close()
    const second = openRequestStore({ path })
    expect(await begin(second)).toEqual({ kind: 'replay', answer: ANSWER })
    second.close()
  })

  it('refuses another request under the key, whether the first is done or not', async () => {
    const store = openRequestStore({ path })
    const first = await run(store)
    expect(await begin(store, 'k1', 'f2')).toEqual({ kind: 'conflict' })
    await first.finish(ANSWER)
    expect(await begin(store, 'k1', 'f2')).toEqual({ kind: 'conflict' })
    store.close()
  })

  it('is busy while the first runs, from any server on the file', async () => {
    const one = openRequestStore({ path })
    const other = openRequestStore({ path })
    const first = await run(one)
    expect(await begin(one)).toEqual({ kind: 'busy' })
    expect(await begin(other)).toEqual({ kind: 'busy' })
    await first.finish(ANSWER)
    expect(await begin(other)).toEqual({ kind: 'replay', answer: ANSWER })
    one.close()
    other.close()
  })

  it('lets a request that failed run again', async () => {
    const store = openRequestStore({ path })
    await (await run(store)).finish(null)
    await run(store, 'k1', 'f2')
    store.close()
  })

  it('keeps the keys of grants and of requests apart', async () => {
    const store = openRequestStore({ path })
    await run(store, 'k1', 'f1', 'g1')
    await run(store, 'k1', 'f2', 'g2')
    await run(store, 'k2', 'f2', 'g1')
    store.close()
  })

  it('forgets after a day, and removes it from the file', async () => {
    let now = 1_000_000
    const store = openRequestStore({ path, now: () => now })
    await (await run(store)).finish(ANSWER)
    now += DAY_MS - 1
    expect((await begin(store)).kind).toBe('replay')
    now += 2
    await run(store, 'k1', 'other')
    now += DAY_MS + 1
    await (await run(store, 'k9')).finish(null)
    const file = new Connection(path)
    expect(file.prepare('SELECT count(*) FROM requests').pluck().get()).toBe(0)
    file.close()
    store.close()
  })

  it('runs a request again whose process was killed, and is not ended by the dead one’s', async () => {
    const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'])
    const store = openRequestStore({ path })
    const lost = await run(store)
    giveTo(`${hostname()}/${child.pid}/x`)
    expect(await begin(store)).toEqual({ kind: 'busy' })
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await gone
    expect(await begin(store, 'k1', 'f2')).toEqual({ kind: 'conflict' })
    const again = await run(store)
    giveTo('elsewhere/1/x')
    await lost.finish(ANSWER)
    expect((await begin(store)).kind).toBe('busy')
    await again.finish(null)
    store.close()
  })

  it('gives a request of another machine ten minutes', async () => {
    let now = 1_000_000
    const store = openRequestStore({ path, now: () => now })
    await run(store)
    giveTo('elsewhere/1/x')
    now += 10 * 60_000 - 1
    expect(await begin(store)).toEqual({ kind: 'busy' })
    now += 1
    await run(store)
    store.close()
  })

  it('keeps no key', async () => {
    const store = openRequestStore({ path })
    await (await run(store, 'a-key-of-the-client')).finish(ANSWER)
    store.close()
    expect(readFileSync(path).includes('a-key-of-the-client')).toBe(false)
  })
})

describe('stateOfHolder', () => {
  it('tells an earlier process with our number from ours', () => {
    const store = openRequestStore({ path })
    expect(stateOfHolder(`${hostname()}/${process.pid}/earlier`)).toBe('dead')
    expect(stateOfHolder(`${hostname()}/1/x`)).toBe('alive')
    expect(stateOfHolder('elsewhere/1/x')).toBe('unknown')
    store.close()
  })
})
