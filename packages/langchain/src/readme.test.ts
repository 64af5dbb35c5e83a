import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const PACKAGE = fileURLToPath(new URL('..', import.meta.url))

it('the README’s programs run', async () => {
  const readme = await readFile(join(PACKAGE, 'README.md'), 'utf8')
  const programs = [...readme.matchAll(/```js\n([\s\S]*?)```/g)].map(([, program]) => program ?? '')
  const shown = [...readme.matchAll(/```text\n([\s\S]*?)```/g)].map(([, output]) => output)
  const printed: string[] = []
  for (const program of programs) {
    // Within the package, so that it is imported by its own name.
    const folder = await mkdtemp(join(PACKAGE, 'dist', 'readme-'))
    try {
      await writeFile(join(folder, 'program.mjs'), program)
      const { stdout } = await promisify(execFile)(process.execPath, ['program.mjs'], { cwd: folder })
      printed.push(stdout)
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  }
  expect(printed).toEqual([
    "food { text: 'Likes pizza with olives', stars: 5 }\n",
    'human: My sister Mia is allergic to peanuts.\nai: Poor Mia!\n',
  ])
  // Which is what the page shows.
  expect(shown).toEqual(printed)
})
