import { writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import * as fc from 'fast-check'
import { openMemory } from 'keepsake'
import { expect, it } from 'vitest'
import { HOSTILE_RUNS, hostileText, isStored, leaksOf } from '../../../keepsake/test/hostile-text.ts'
import { temporaryFile } from '../../../keepsake/test/temporary-file.ts'
import { run } from '../testing/run-command.ts'

const TURN = { role: 'user', text: 'I keep a boat.', speaker: 'Bob' }

async function exported(): Promise<string> {
  const keepsake = await openMemory({ path: ':memory:' })
  const bo = keepsake.scope({ user: 'bo' })
  await bo.remember({ role: 'user', text: TURN.text, speaker: TURN.speaker }, { session: 'first' })
  await keepsake.drain()
  const lines = await Array.fromAsync(bo.export())
  await keepsake.close()
  return lines.join('\n')
}

/** A file of each format that holds a text as somebody's words. */
const FILES: Readonly<Record<string, (text: string) => string | Promise<string>>> = {
  jsonl: (text) => JSON.stringify({ ...TURN, text, speaker: text.slice(0, 500) }),
  mem0: (text) => JSON.stringify([{ id: 'm1', memory: text, metadata: { topic: text } }]),
  keepsake: async (text) => (await exported()).replaceAll(TURN.text, () => JSON.stringify(text).slice(1, -1)),
}

it.each(Object.entries(FILES))(
  'an import of %s lets no secret and nothing ill-formed reach the file',
  async (format, write) => {
    const property = fc.asyncProperty(hostileText, async (hostile) => {
      const source = temporaryFile('given')
      writeFileSync(source, await write(hostile.text))
      const db = temporaryFile()
      const named = format === 'keepsake' ? [] : ['--user', 'bo']
      const { code, err } = await run(['import', source, '--format', format, '--db', db, ...named])
      // On a slow machine the progress is on stderr.
      expect(code, err).toBe(0)
      expect(isStored(dirname(db))).toBe(true)
      expect(leaksOf(dirname(db), hostile)).toEqual([])
    })
    await fc.assert(property, { numRuns: HOSTILE_RUNS })
  },
)

it('an import whose names hold a secret is refused whole', async () => {
  const names = fc.constantFrom('id', 'session', 'user')
  const property = fc.asyncProperty(hostileText, names, async ({ text }, name) => {
    const db = temporaryFile()
    const given = { user: 'bo', ...TURN, [name]: text }
    const { code, err } = await run(['import', '-', '--db', db], { stdin: JSON.stringify(given) })
    expect(code).not.toBe(0)
    expect(err).toMatch(
      /secret|control characters|characters long|half of a character|begins or ends with a space|cannot be seen|composed form/,
    )
    expect(isStored(dirname(db))).toBe(false)
  })
  await fc.assert(property, { numRuns: HOSTILE_RUNS })
})
