import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ACTIONS, openServer, KeyStore, type OpenServer } from '@keepsake/server'
import { openMemory, type Keepsake, type LanguageModel, type OpenOptions } from 'keepsake'

/** A real server on a file, for pages to open. */
export interface Served {
  readonly keepsake: Keepsake
  readonly url: string
  readonly port: number
  /** A key for what is named; everything when nothing is. */
  keyFor(options?: Partial<Omit<Parameters<KeyStore['create']>[0], 'name'>>): Promise<string>
  /** Ends the server; the memory stays open. */
  stop(): Promise<void>
  /** Starts it again, on the same port. */
  start(): Promise<void>
  close(): Promise<void>
}

/** Opens a server on a new file. @param model what answers in a conversation; nobody does without one */
export async function serve(
  options: Omit<OpenOptions, 'path'> = {},
  model: LanguageModel | null = null,
): Promise<Served> {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-inspector-'))
  const keepsake = await openMemory({ path: join(folder, 'memory.db'), ...options })
  const keys = new KeyStore(keepsake.records)
  let server: OpenServer | null = await openServer({ keepsake, model, port: 0, graceMs: 200 })
  const { url, port } = server
  const stop = async (): Promise<void> => {
    await server?.close()
    server = null
  }
  return {
    keepsake,
    url,
    port,
    keyFor: async (given = {}) => (await keys.create({ name: 'test', actions: ACTIONS, ...given })).key,
    stop,
    start: async () => {
      server = await openServer({ keepsake, model, port, graceMs: 200 })
    },
    close: async () => {
      await stop()
      await keepsake.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
