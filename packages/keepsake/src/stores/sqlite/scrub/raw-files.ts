import { closeSync, fstatSync, openSync, statSync } from 'node:fs'

/**
 * Files of SQLite's that are open beside it in this process, each once. Whoever closes any descriptor of a file loses every lock that
 * the process has on it (POSIX), SQLite's too: so one is closed only when no store has that file open any more.
 */
class RawFiles {
  readonly #files = new Map<string, { users: number; fd: number | null }>()

  /** Says that a store has this file open. @returns its name here; `null` when there is none */
  use(path: string): string | null {
    const found = statSync(path, { throwIfNoEntry: false })
    if (found === undefined) return null
    const name = `${found.dev}:${found.ino}`
    const file = this.#files.get(name) ?? { users: 0, fd: null }
    file.users += 1
    this.#files.set(name, file)
    return name
  }

  /** To read and write. @returns `null` when another file stands there now */
  open(name: string, path: string): number | null {
    const file = this.#files.get(name)
    if (file === undefined) return null
    if (file.fd !== null) return file.fd
    const now = statSync(path, { throwIfNoEntry: false })
    if (now === undefined || `${now.dev}:${now.ino}` !== name) return null
    const fd = openSync(path, 'r+')
    file.fd = fd
    const { dev, ino } = fstatSync(fd)
    return `${dev}:${ino}` === name ? fd : null
  }

  /** Says that a store, whose own connections are closed, no longer has it open. */
  leave(name: string): void {
    const file = this.#files.get(name)
    if (file === undefined) return
    file.users -= 1
    if (file.users > 0) return
    this.#files.delete(name)
    if (file.fd !== null) closeSync(file.fd)
  }
}

export const rawFiles = new RawFiles()
