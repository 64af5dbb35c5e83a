import { link, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join, resolve } from 'node:path'

/** SQLite's own header is longer: no database is smaller. */
export const LEAST_BYTES = 100

/**
 * Makes a file whole before it has its name, so that a kill in between leaves none under it, and of several processes one is first.
 * Only its owner may read it: SQLite would make it readable for everybody on the machine.
 *
 * @param fill writes it, under the name that it is given, and lets go of it
 */
export async function makeFile(path: string, fill: (path: string) => void): Promise<void> {
  await removeLeftovers(path)
  const part = `${path}.new-${process.pid}`
  try {
    await writeFile(part, '', { mode: 0o600 })
    fill(part)
    await giveName(part, path)
  } finally {
    for (const end of ['', '-wal', '-shm']) await rm(`${part}${end}`, { force: true })
  }
}

/** Puts a file in its place unless one is there. */
async function giveName(part: string, path: string): Promise<void> {
  try {
    await link(part, path)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : null
    if (code === 'EEXIST') return
    // Some file systems have no links.
    if ((await stat(path).catch(() => null)) === null) await rename(part, path)
  }
}

/** What processes that were killed left of files to be: `memory.db.new-4711`. */
async function removeLeftovers(path: string): Promise<void> {
  const folder = dirname(resolve(path))
  const begin = `${basename(path)}.`
  for (const file of await readdir(folder)) {
    const [, pid] = file.startsWith(begin)
      ? (/^new-(\d+)(?:-wal|-shm|-journal)?$/.exec(file.slice(begin.length)) ?? [])
      : []
    if (pid !== undefined && Number(pid) !== process.pid && !isRunning(Number(pid)))
      await rm(join(folder, file), { force: true })
  }
}

/** Whether there is a process of that number. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It is somebody else's.
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
