import type { Keepsake, OpenOptions } from 'keepsake'
import { files } from './node/fs.ts'

/** Options of `openMemory()` in a page: the engine's options without those about files. */
export interface BrowserOptions extends Omit<OpenOptions, 'path' | 'store' | 'erasureLog'> {
  /** Languages whose tables are fetched: 7 MB for `en`, 6 MB for `zh`. Default: both. Texts in other languages throw a `ModelError`. */
  readonly languages?: readonly ('en' | 'zh')[]
}

/** The engine's data tables by language. Each URL is written in full, because bundlers search for this form. */
const TABLES: Readonly<Record<'en' | 'zh' | 'any', Readonly<Record<string, URL>>>> = {
  any: {
    'intents.json': new URL('./data/intents.json', import.meta.url),
    'traditional-characters.json': new URL('./data/traditional-characters.json', import.meta.url),
    'arousal-emobank.json': new URL('./data/arousal-emobank.json', import.meta.url),
    'calibration-talk.json': new URL('./data/calibration-talk.json', import.meta.url),
  },
  en: {
    'word-vectors-en.bin': new URL('./data/word-vectors-en.bin', import.meta.url),
    'related-terms-en.bin': new URL('./data/related-terms-en.bin', import.meta.url),
  },
  zh: {
    'character-frequencies-zh.json': new URL('./data/character-frequencies-zh.json', import.meta.url),
    'word-vectors-zh.bin': new URL('./data/word-vectors-zh.bin', import.meta.url),
    'related-terms-zh.bin': new URL('./data/related-terms-zh.bin', import.meta.url),
  },
}

/**
 * Opens a memory in this page. It is stored only in the page's memory; `export` it before the page closes.
 *
 * @throws TypeError if a table cannot be fetched
 * @example
 * import { openMemory } from '@keepsake/browser'
 * const keepsake = await openMemory()
 * const ana = keepsake.scope({ user: 'ana' })
 * await ana.remember({ role: 'user', text: 'My sister Mia is allergic to peanuts.' })
 * console.log((await ana.recall('What can Mia not eat?')).context.text)
 */
export async function openMemory({
  languages = ['en', 'zh'],
  ...options
}: BrowserOptions = {}): Promise<Keepsake> {
  const tables = ['any' as const, ...languages].flatMap((language) => Object.entries(TABLES[language]))
  await Promise.all(tables.map(([name, url]) => fetchTable(name, url)))
  // The engine is imported after the tables, since it reads them during its import.
  const [engine, { connectWasm, loadSqlite }] = await Promise.all([
    import('keepsake'),
    import('./connect-wasm.ts'),
  ])
  const sqlite = await loadSqlite()
  const store = await engine.openSqliteStore({ path: ':memory:', connect: () => connectWasm(sqlite) })
  return engine.openMemory({ ...options, store })
}

async function fetchTable(name: string, url: URL): Promise<void> {
  if (files.has(name)) return
  const response = await fetch(url)
  if (!response.ok) throw new TypeError(`${url.href} cannot be fetched: ${response.status}`)
  files.set(name, new Uint8Array(await response.arrayBuffer()))
}
