import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ACTIONS, openServer, KeyStore, type OpenServer } from '@keepsake/server'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { openMemory, type Keepsake, type LanguageModel, type OpenOptions } from 'keepsake'
import { openBrowser, openPage, type WatchedPage } from './browser.ts'

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

/** A server, a browser and a key for everything, for the tests of a group. */
export interface Inspector {
  readonly served: Served
  readonly browser: Browser
  readonly key: string
  /** Opens a page of the inspector with the key. */
  open(path: string, options?: BrowserContextOptions): Promise<WatchedPage>
}

/** Opens them before the tests of a group, and closes them afterwards. @param fill puts into the memory what the tests look at */
export function useInspector(
  fill: (served: Served) => Promise<void> = async () => undefined,
  ...options: Parameters<typeof serve>
): Inspector {
  const inspector = {
    async open(path, more) {
      const watched = await openPage(inspector.browser, more)
      await watched.page.goto(`${inspector.served.url}${path}#key=${inspector.key}`)
      return watched
    },
  } as { -readonly [Name in keyof Inspector]: Inspector[Name] }
  beforeAll(async () => {
    inspector.served = await serve(...options)
    await fill(inspector.served)
    inspector.key = await inspector.served.keyFor()
    inspector.browser = await openBrowser()
  }, 600_000)
  afterAll(async () => {
    await inspector.browser.close()
    await inspector.served.close()
  })
  return inspector
}
