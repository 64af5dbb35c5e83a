import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { JournalFlush } from './journal-flush.ts'

let folder: string
let name: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keepsake-journal-'))
  name = join(folder, 'memory.db')
  await writeFile(`${name}-wal`, '')
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** A disk that answers when it is told to. */
function slowDisk() {
  const waiting: PromiseWithResolvers<void>[] = []
  const sync = () => {
    const answer = Promise.withResolvers<void>()
    waiting.push(answer)
    return answer.promise
  }
  return { waiting, sync }
}

describe('the flush of the journal', () => {
  it('is one for all who ask while another runs, and none of them is told before it', async () => {
    const { waiting, sync } = slowDisk()
    const journal = new JournalFlush(name, sync)
    const told: string[] = []
    const ask = (who: string) => journal.flush().then(() => told.push(who))
    const all = [ask('first'), ask('second'), ask('third')]
    expect(waiting.length).toBe(1)
    waiting[0]?.resolve()
    await all[0]
    expect(told).toEqual(['first'])
    await Promise.resolve()
    expect(waiting.length).toBe(2)
    waiting[1]?.resolve()
    await Promise.all(all)
    expect(told).toEqual(['first', 'second', 'third'])
    const later = journal.flush()
    expect(waiting.length).toBe(3)
    waiting[2]?.resolve()
    await later
    await journal.close()
  })

  it('that failed fails whoever asks afterwards too: what stands behind a gap would be lost with it', async () => {
    const { waiting, sync } = slowDisk()
    const journal = new JournalFlush(name, sync)
    const asked = [journal.flush(), journal.flush()]
    waiting[0]?.reject(new Error('EIO: i/o error'))
    for (const one of asked)
      await expect(one).rejects.toMatchObject({ code: 'store-failed', message: /EIO.*open the store again/ })
    await expect(journal.flush()).rejects.toMatchObject({ code: 'store-failed' })
    expect(waiting.length).toBe(1)
    await journal.close()
  })

  it('reaches a real disk', async () => {
    const journal = new JournalFlush(name)
    await Promise.all([journal.flush(), journal.flush()])
    await journal.close()
    await expect(new JournalFlush(join(folder, 'missing.db')).flush()).rejects.toMatchObject({
      code: 'store-failed',
    })
  })
})
