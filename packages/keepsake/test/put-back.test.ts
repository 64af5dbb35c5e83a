import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Connection from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { openMemory, type Keepsake } from 'keepsake'
import { restoreBackup } from 'keepsake/store'
import { mountSmallDisk } from './mount-small-disk.ts'
import { temporaryFile } from './temporary-file.ts'

async function withMemory<Result>(
  path: string,
  work: (memory: Keepsake) => Promise<Result>,
): Promise<Result> {
  const memory = await openMemory({ path })
  try {
    return await work(memory)
  } finally {
    await memory.close()
  }
}

const say = (path: string, text: string) =>
  withMemory(path, async (memory) => {
    await memory.scope({ user: 'ana' }).remember({ role: 'user', text })
    await memory.drain()
  })
const said = (path: string): Promise<string[]> =>
  withMemory(path, async (memory) => (await memory.scope({ user: 'ana' }).turns()).map(({ text }) => text))
const beside = (path: string): string[] =>
  readdirSync(dirname(path)).filter((name) => name.startsWith(basename(path)) && name !== basename(path))

/** A memory that went on after a backup of it was made. */
async function withBackup(name?: string): Promise<{ path: string; backup: string }> {
  const path = temporaryFile(name)
  const backup = `${path.slice(0, -3)}-monday.db`
  await say(path, 'I live in Porto.')
  await withMemory(path, (memory) => memory.backup(backup))
  await say(path, 'I keep bees.')
  return { path, backup }
}

describe('a backup that is put back', () => {
  it('stands in the place of the file, which is kept whole beside it', async () => {
    const { path, backup } = await withBackup()
    const before = readFileSync(backup)
    const { replaced, bytes } = await restoreBackup({ path, backup, now: Date.UTC(2026, 10, 23, 9, 30) })
    expect([replaced, bytes]).toEqual([`${path}.replaced-20261123T093000`, statSync(path).size])
    expect(await said(path)).toEqual(['I live in Porto.'])
    expect(await said(replaced ?? '')).toEqual(['I live in Porto.', 'I keep bees.'])
    expect(readFileSync(backup).equals(before)).toBe(true)
    if (process.platform !== 'win32') expect(statSync(path).mode & 0o777).toBe(0o600)
    const again = await restoreBackup({ path, backup, now: Date.UTC(2026, 10, 23, 9, 30) })
    expect(again.replaced).toBe(`${path}.replaced-20261123T093000-2`)
  })

  it('is refused while a process has the memory open, and nothing changes', async () => {
    const { path, backup } = await withBackup()
    await withMemory(path, async (memory) => {
      await expect(restoreBackup({ path, backup })).rejects.toMatchObject({ code: 'store-busy' })
      await memory.scope({ user: 'ana' }).remember({ role: 'user', text: 'I moved to Lyon.' })
    })
    expect(await said(path)).toEqual(['I live in Porto.', 'I keep bees.', 'I moved to Lyon.'])
    expect(beside(path).filter((name) => /restore-backup|replaced/.test(name))).toEqual([])
    expect((await restoreBackup({ path, backup })).replaced).not.toBeNull()
    expect(await said(path)).toEqual(['I live in Porto.'])
  })

  it('brings its journal along, as a snapshot of a volume has one, and leaves that of a lost file behind', async () => {
    const { path, backup } = await withBackup()
    await withMemory(path, async (memory) => {
      await memory.scope({ user: 'ana' }).remember({ role: 'user', text: 'I moved to Lyon.' })
      for (const end of ['', '-wal']) copyFileSync(`${path}${end}`, `${backup}-volume${end}`)
    })
    writeFileSync(path, '')
    copyFileSync(`${backup}-volume-wal`, `${path}-wal`)
    const { replaced } = await restoreBackup({ path, backup: `${backup}-volume`, isStopped: true })
    expect(replaced).not.toBeNull()
    expect(await said(path)).toEqual(['I live in Porto.', 'I keep bees.', 'I moved to Lyon.'])
  })

  it('goes where no file is', async () => {
    const { backup } = await withBackup()
    const path = temporaryFile('elsewhere.db')
    copyFileSync(backup, `${path}-wal`)
    expect(await restoreBackup({ path, backup })).toMatchObject({ replaced: null })
    expect(await said(path)).toEqual(['I live in Porto.'])
  })

  it.each([
    ['no database', (file: string) => writeFileSync(file, 'Not a database. '.repeat(100))],
    ['cut off', (file: string) => truncateSync(file, statSync(file).size / 2)],
    ['empty', (file: string) => truncateSync(file, 0)],
    [
      'another program’s',
      (file: string) => {
        truncateSync(file, 0)
        new Connection(file).exec('CREATE TABLE other (x)').close()
      },
    ],
    ['not there', (file: string) => truncateSync(file, 0), '-missing'],
  ])('is refused when it is %s, and nothing changes', async (_, spoil, end = '') => {
    const { path, backup } = await withBackup()
    spoil(backup)
    const refused = await restoreBackup({ path, backup: `${backup}${end}` }).then(
      () => null,
      (error: unknown) => error,
    )
    expect(refused).toMatchObject({ message: expect.stringContaining(basename(backup)) })
    expect(beside(path).filter((name) => /restore-backup|replaced/.test(name))).toEqual([])
    expect(await said(path)).toEqual(['I live in Porto.', 'I keep bees.'])
  })

  it('takes the place of a file that is no database any more, where somebody answers for it', async () => {
    const { path, backup } = await withBackup()
    writeFileSync(path, 'Nothing of it is left. '.repeat(100))
    await expect(restoreBackup({ path, backup })).rejects.toMatchObject({ code: 'not-possible' })
    const { replaced } = await restoreBackup({ path, backup, isStopped: true })
    expect(readFileSync(replaced ?? '', 'utf8')).toContain('Nothing of it is left.')
    expect(await said(path)).toEqual(['I live in Porto.'])
  })

  it('leaves the one or the other whole when it is killed, and is begun again', async () => {
    const { path, backup } = await withBackup()
    const child = new URL('put-back-child.ts', import.meta.url).pathname
    for (const until of ['.restore-backup', '.restore-backup-journal', '.replaced']) {
      const putting = spawn(process.execPath, [child, path, backup], { stdio: 'ignore' })
      const ended = once(putting, 'exit')
      const isSeen = (): boolean => beside(path).some((name) => name.includes(until))
      while (putting.exitCode === null && !isSeen()) await sleep(1)
      putting.kill('SIGKILL')
      await ended
      expect([['I live in Porto.'], ['I live in Porto.', 'I keep bees.']]).toContainEqual(await said(path))
    }
    await restoreBackup({ path, backup })
    expect(beside(path).filter((name) => name.includes('restore-backup'))).toEqual([])
    expect(await said(path)).toEqual(['I live in Porto.'])
  })
})

const disk = mountSmallDisk(2_000)

it.skipIf(disk === null)('changes nothing where there is no room for a copy', async () => {
  try {
    const path = join(disk?.folder ?? '', 'memory.db')
    await say(path, 'I keep bees.')
    const backup = temporaryFile()
    await say(backup, 'I live in Porto.')
    const filler = join(disk?.folder ?? '', 'filler')
    for (let kilobytes = 2_000; kilobytes >= 1; kilobytes = Math.floor(kilobytes / 2))
      try {
        writeFileSync(filler, Buffer.alloc(kilobytes * 1_000), { flag: 'a' })
      } catch {
        // As full as it gets by this much.
      }
    // SQLite takes some to look at the file that is there.
    truncateSync(filler, Math.max(0, statSync(filler).size - 150_000))
    await expect(restoreBackup({ path, backup })).rejects.toMatchObject({ code: 'store-full' })
    truncateSync(filler, 0)
    expect(await said(path)).toEqual(['I keep bees.'])
  } finally {
    disk?.unmount()
  }
})
