import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { openMemory, openSqliteStore } from 'keepsake'
import type { Fault } from '../fault.ts'
import { eraseOn } from './eraser.ts'

const ROUNDS = 20
const USER = 'ana'

/** A memory's file, or its journal, is cut off somewhere: what opens tells nothing that was never said, and the rest says that it is damaged. */
export const cutFiles: Fault = {
  name: 'cut-files',
  about: 'A memory’s file or journal, as a kill leaves them, is cut off somewhere.',
  async try({ folder, draw, seed }) {
    const alive = join(folder, 'alive.db')
    const notes = join(folder, 'notes.jsonl')
    const keepsake = await openMemory({ path: alive })
    await eraseOn(keepsake, { notes, user: USER, rounds: ROUNDS, seed })
    const own = join(folder, 'cut')
    mkdirSync(own)
    const path = join(own, 'memory.db')
    for (const end of ['', '-wal']) if (existsSync(alive + end)) copyFileSync(alive + end, path + end)
    await keepsake.close()
    const said = new Set(
      readFileSync(notes, 'utf8')
        .split('\n')
        .slice(0, -1)
        .map((line) => (JSON.parse(line) as string[])[2]),
    )
    const what = draw.pick(['', '-wal'].filter((end) => existsSync(path + end)))
    const { size } = statSync(path + what)
    truncateSync(path + what, draw.whole(0, size))
    return { tried: { cuts_of_files: 1 }, broken: await findWrong(path, said) }
  },
}

async function findWrong(path: string, said: ReadonlySet<string | undefined>): Promise<string[]> {
  try {
    const store = await openSqliteStore({ path })
    try {
      const owners = new Set((await store.listScopes()).map(({ owner }) => owner))
      const turns = []
      for (const owner of owners) turns.push(...(await store.turns({ owner })))
      const wrong = turns.filter(({ text }) => !said.has(text)).length
      return wrong === 0 ? [] : [`${wrong} turns are there that nobody said`]
    } finally {
      await store.close()
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'none'
    return ['store-corrupt', 'store-schema'].includes(code) ? [] : [`a cut file is refused as ${code}`]
  }
}
