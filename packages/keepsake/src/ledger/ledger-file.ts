import { open } from 'node:fs/promises'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { readEntry, type ErasureEntry } from './erasure-entry.ts'

/**
 * The erasures of a store in a file beside it, a JSON line each, so that they are known when the store itself is one from before them. Lines are
 * only ever added, by any number of processes. For its owner alone (0600).
 */
export class LedgerFile {
  readonly path: string

  constructor(path: string) {
    this.path = path
  }

  /** Every entry, in the order of writing, each id once. None where there is no file. */
  async read(): Promise<readonly ErasureEntry[]> {
    const entries = new Map<string, ErasureEntry>()
    try {
      const lines = createInterface({ input: createReadStream(this.path, 'utf8'), crlfDelay: Infinity })
      for await (const line of lines) {
        const entry = readEntry(parse(line))
        if (entry !== null && !entries.has(entry.id)) entries.set(entry.id, entry)
      }
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
    }
    return [...entries.values()]
  }

  /** Adds entries, and waits until they are on the disk. A line that an earlier write left unfinished is ended first. */
  async add(entries: readonly ErasureEntry[]): Promise<void> {
    if (entries.length === 0) return
    const file = await open(this.path, 'a', 0o600)
    try {
      await file.write(entries.map((entry) => `\n${JSON.stringify(entry)}\n`).join(''))
      await file.sync()
    } finally {
      await file.close()
    }
  }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    // Empty or truncated: the store has the entry and rewrites it.
    return null
  }
}
