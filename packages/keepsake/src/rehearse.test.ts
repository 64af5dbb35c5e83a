import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const source = (file: string): string => JSON.stringify(String(new URL(file, import.meta.url)))

/** Tells a fact and asks for it, and says what was loaded for that. */
const script = (before: string): string => `
  import fs from 'node:fs'
  import { registerHooks, syncBuiltinESMExports } from 'node:module'
  import { openMemory } from ${source('./memory.ts')}
  import { rehearse } from ${source('./rehearse.ts')}
  const keepsake = await openMemory({ path: ':memory:' })
  ${before}
  const loaded = []
  const read = fs.readFileSync
  fs.readFileSync = (path, ...rest) => (loaded.push(String(path)), read(path, ...rest))
  syncBuiltinESMExports()
  registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
  const ada = keepsake.scope({ user: 'ada' })
  await ada.remember([{ role: 'user', text: 'I live in Lyon.' }, { role: 'user', text: '我妈妈住在北京。' }])
  await keepsake.drain()
  await ada.recall('Where do I live?')
  await ada.recall('我妈妈住在哪里？')
  process.stdout.write(JSON.stringify(loaded.filter((path) => !path.startsWith('/proc/'))))
  await keepsake.close()`

async function loadedAfter(before: string): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'keepsake-rehearse-'))
  const file = join(folder, 'first-fact.mjs')
  writeFileSync(file, script(before))
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [file])
    return JSON.parse(stdout) as string[]
  } finally {
    rmSync(folder, { recursive: true })
  }
}

it('whatever a first fact and a first question need is loaded by a rehearsal, and by opening it is not', async () => {
  const [opened, rehearsed] = await Promise.all([loadedAfter(''), loadedAfter('await rehearse()')])
  expect(opened.filter((path) => path.includes('wink'))).not.toEqual([])
  expect(rehearsed).toEqual([])
}, 60_000)
