import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { openSqliteStore, StoreError } from 'keepsake'
import type { Records, Store } from 'keepsake/store'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { RequestStore } from './request-store.ts'
import { temporaryFolder } from '../testing/temporary-folder.ts'

const ANSWER = { status: 201, body: '{"turns":["t1"]}', headers: { 'content-type': 'application/json' } }
const DAY_MS = 86_400_000
const ADA = { tenant: 'default', user: 'ada', agent: null, app: null }

let path = ''
beforeEach(() => {
  path = join(temporaryFolder(), 'memory.db')
})

/** What one server has: its memory, and requests kept with it. */
async function open(now: () => number = Date.now): Promise<{ memory: Store; requests: RequestStore }> {
  const memory = await openSqliteStore({ path, now })
  onTestFinished(() => memory.close())
  return { memory, requests: new RequestStore(memory, now) }
}

const begin = (store: RequestStore, key = 'k1', fingerprint = 'f1', grant = 'g1') =>
  store.begin(grant, key, fingerprint)

async function run(store: RequestStore, ...of: [key?: string, fingerprint?: string, grant?: string]) {
  const begun = await begin(store, ...of)
  if (begun.kind !== 'run') throw new Error(`It does not run, it is ${begun.kind}.`)
  return begun
}

/** Makes every entry one of another holder. */
async function giveTo(memory: Store, holder: string): Promise<void> {
  for (const { collection, key, value } of await memory.listRecords({ collection: 'requests' }))
    await memory.putRecord({ collection, key, value: { ...value, holder }, lastsMs: DAY_MS })
}

describe('RequestStore', () => {
  it('runs a request once and replays its answer, after a restart too', async () => {
    const { memory, requests: first } = await open()
    await (await run(first)).finish(ANSWER)
    expect(await begin(first)).toEqual({ kind: 'replay', answer: ANSWER })
    first.close()
    await memory.close()
    expect(await begin((await open()).requests)).toEqual({ kind: 'replay', answer: ANSWER })
  })

  it('refuses another request under the key, whether the first is done or not', async () => {
    const { requests } = await open()
    const first = await run(requests)
    expect(await begin(requests, 'k1', 'f2')).toEqual({ kind: 'conflict' })
    await first.finish(ANSWER)
    expect(await begin(requests, 'k1', 'f2')).toEqual({ kind: 'conflict' })
  })

  it('is busy while the first runs, from any server on the memory', async () => {
    const one = (await open()).requests
    const other = (await open()).requests
    const begun = await Promise.all([begin(one), begin(other), begin(one)])
    expect(begun.map(({ kind }) => kind).toSorted()).toEqual(['busy', 'busy', 'run'])
    const first = begun.find(({ kind }) => kind === 'run')
    if (first?.kind === 'run') await first.finish(ANSWER)
    expect(await begin(other)).toEqual({ kind: 'replay', answer: ANSWER })
  })

  it('lets a request that failed run again', async () => {
    const { requests } = await open()
    await (await run(requests)).finish(null)
    await run(requests, 'k1', 'f2')
  })

  it.each([
    ['was begun', 'putRecord'],
    ['ended', 'removeRecord'],
  ] as const)('lets a request run again that %s over a connection that was cut', async (_, cut) => {
    const memory = await openSqliteStore({ path })
    onTestFinished(() => memory.close())
    let isCut = false
    const lost = new StoreError('store-busy', 'The connection was lost. Try again.')
    const records: Records = {
      getRecord: (...given) => memory.getRecord(...given),
      listRecords: (query) => memory.listRecords(query),
      putRecord: async (record) => {
        const put = await memory.putRecord(record)
        if (isCut && cut === 'putRecord') throw lost
        return put
      },
      removeRecord: (...given) =>
        isCut && cut === 'removeRecord' ? Promise.reject(lost) : memory.removeRecord(...given),
    }
    const requests = new RequestStore(records)
    onTestFinished(() => requests.close())
    if (cut === 'putRecord') {
      isCut = true
      await expect(begin(requests)).rejects.toBe(lost)
    } else {
      const begun = await run(requests)
      isCut = true
      await expect(begun.finish(null)).rejects.toBe(lost)
    }
    isCut = false
    expect(await memory.listRecords({ collection: 'requests' })).toHaveLength(1)
    await (await run(requests)).finish(ANSWER)
    expect(await begin(requests)).toEqual({ kind: 'replay', answer: ANSWER })
  })

  it('takes back what it could not end, so that other servers need not wait', async () => {
    const { memory, requests: other } = await open()
    let isCut = false
    const records: Records = {
      getRecord: (...given) => memory.getRecord(...given),
      listRecords: (query) => memory.listRecords(query),
      putRecord: (record) => memory.putRecord(record),
      removeRecord: (...given) =>
        isCut ? Promise.reject(new StoreError('store-busy', 'Lost.')) : memory.removeRecord(...given),
    }
    const requests = new RequestStore(records)
    onTestFinished(() => requests.close())
    const begun = await run(requests)
    isCut = true
    await expect(begun.finish(null)).rejects.toMatchObject({ code: 'store-busy' })
    expect((await begin(other)).kind).toBe('busy')
    isCut = false
    await expect.poll(async () => (await begin(other)).kind).toBe('run')
  })

  it('keeps the keys of grants and of requests apart', async () => {
    const { requests } = await open()
    await run(requests, 'k1', 'f1', 'g1')
    await run(requests, 'k1', 'f2', 'g2')
    await run(requests, 'k2', 'f2', 'g1')
  })

  it('forgets after a day, and removes it from the file', async () => {
    let now = 1_000_000
    const { memory, requests } = await open(() => now)
    await (await run(requests)).finish(ANSWER)
    now += DAY_MS - 1
    expect((await begin(requests)).kind).toBe('replay')
    now += 2
    await run(requests, 'k1', 'other')
    now += DAY_MS + 1
    await (await run(requests, 'k9')).finish(null)
    now -= 3 * DAY_MS
    expect(await memory.listRecords({ collection: 'requests' })).toEqual([])
  })

  it('runs a request again whose process was killed, and is not ended by the dead one’s', async () => {
    const child = spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60000)'])
    const { memory, requests } = await open()
    const lost = await run(requests)
    await giveTo(memory, `${hostname()}/${child.pid}/x`)
    expect(await begin(requests)).toEqual({ kind: 'busy' })
    const gone = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGKILL')
    await gone
    expect(await begin(requests, 'k1', 'f2')).toEqual({ kind: 'conflict' })
    const again = await run(requests)
    await lost.finish(ANSWER)
    expect((await begin(requests)).kind).toBe('busy')
    await again.finish(null)
    expect((await begin(requests)).kind).toBe('run')
  })

  it('gives a request of another machine ten minutes', async () => {
    let now = 1_000_000
    const { memory, requests } = await open(() => now)
    await run(requests)
    await giveTo(memory, 'elsewhere/1/x')
    now += 10 * 60_000 - 1
    expect(await begin(requests)).toEqual({ kind: 'busy' })
    now += 1
    await run(requests)
  })

  it('keeps no key', async () => {
    const { memory, requests } = await open()
    await (await run(requests, 'a-key-of-the-client')).finish(ANSWER)
    await memory.close()
    expect(readFileSync(path).includes('a-key-of-the-client')).toBe(false)
  })

  it('loses its answers with the person they concern, and keeps none of one who is gone', async () => {
    const { memory, requests } = await open()
    const { owner } = await memory.ensureScope(ADA)
    const quoting = { ...ANSWER, body: '{"session":"zephyrina"}' }
    await (await run(requests)).finish(quoting, () => Promise.resolve(owner))
    const late = await run(requests, 'k2')
    await memory.erase({ id: 'e1', userId: owner, at: 1, target: 'user', operations: [] })
    await late.finish(quoting, () => Promise.resolve(owner))
    expect(await memory.listRecords({ collection: 'requests' })).toEqual([])
    await memory.close()
    expect(readFileSync(path).includes('zephyrina')).toBe(false)
  })
})
