import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openMemory } from 'keepsake'
import { expect, it } from 'vitest'
import { KeepsakeStore } from './keepsake-store.ts'

const PROGRAM = fileURLToPath(new URL('../testing/put-until-killed.ts', import.meta.url))
const KILLS = Number(process.env['KEEPSAKE_KILLS'] ?? 5)

/** Runs the program and kills it; the numbers it began and finished last. */
async function runAndKill(folder: string, from: number): Promise<{ begun: number; done: number }> {
  const child = spawn(process.execPath, [PROGRAM, folder, String(from)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const output = readAll(child.stdout)
  await once(child.stdout, 'data')
  await sleep(Math.random() * 250)
  child.kill('SIGKILL')
  await once(child, 'exit')
  const last = (what: string, text: string) =>
    Number([...text.matchAll(new RegExp(`${what} (\\d+)\\n`, 'g'))].at(-1)?.[1] ?? from - 1)
  const text = await output
  return { begun: last('begun', text), done: last('done', text) }
}

it('a store that is killed anywhere keeps what it acknowledged, and finishes the rest', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-killed-'))
  const valueOf = (n: number) => (n % 5 === 4 ? null : { text: `WORD${n}END` })
  const acknowledged = new Map<string, number>()
  try {
    for (let kill = 0, from = 0; kill < KILLS; kill += 1) {
      const { begun, done } = await runAndKill(folder, from)
      for (let n = from; n <= done; n += 1) acknowledged.set(`k${n % 7}`, n)
      from = begun + 1
      const keepsake = await openMemory({ path: join(folder, 'memory.db') })
      const store = new KeepsakeStore(keepsake)
      await store.put(['ana'], 'after', { text: 'settled' })
      for (const [key, n] of acknowledged) {
        const value = (await store.get(['ana'], key))?.value ?? null
        // What was begun and not acknowledged may have been done.
        const allowed = begun > done && key === `k${begun % 7}` ? [valueOf(n), valueOf(begun)] : [valueOf(n)]
        expect(allowed).toContainEqual(value)
        if (begun > done && key === `k${begun % 7}` && value?.['text'] === valueOf(begun)?.text)
          acknowledged.set(key, begun)
      }
      await keepsake.drain()
      // Recall says what the items say, each once, and nothing that they no longer do.
      const said = (await keepsake.scope({ user: 'ana' }).memories({ forms: ['note'] })).map(
        ({ text }) => text,
      )
      const items = await store.search(['ana'], { limit: 99 })
      expect(said.sort()).toEqual(items.map(({ value }) => String(value['text'])).sort())
      await keepsake.close()
    }
    const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'latin1'))
    const gone = [...acknowledged].filter(([, n]) => valueOf(n) === null).map(([key]) => Number(key.slice(1)))
    for (const [key, n] of acknowledged)
      for (let past = n - 7; gone.includes(Number(key.slice(1))) && past > 0; past -= 7)
        expect(files.some((bytes) => bytes.includes(`WORD${past}END`))).toBe(false)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
