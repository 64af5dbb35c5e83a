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
  // Within the package, so that it is imported by its own name.
  const folder = await mkdtemp(join(PACKAGE, 'dist', 'readme-'))
  try {
    for (const [at, program] of programs.entries()) await writeFile(join(folder, `${at}.mjs`), program)
    const both = programs.map((_, at) => `await import('./${at}.mjs')\n`)
    await writeFile(join(folder, 'programs.mjs'), both.join(''))
    const { stdout } = await promisify(execFile)(process.execPath, ['programs.mjs'], { cwd: folder })
    expect(stdout).toBe(
      "food { text: 'Likes pizza with olives', stars: 5 }\nhuman: My sister Mia is allergic to peanuts.\nai: Poor Mia!\n",
    )
    expect(shown.join('')).toBe(stdout)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
