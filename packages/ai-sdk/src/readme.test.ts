import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'

const PACKAGE = fileURLToPath(new URL('..', import.meta.url))
const PROVIDER = "import { openai } from '@ai-sdk/openai'\n"
const SCRIPTED = `
import { MockLanguageModelV4 } from 'ai/test'
const shown: string[] = []
const openai = (_name: string) => new MockLanguageModelV4({
  doGenerate: async ({ prompt }) => {
    shown.push(JSON.stringify(prompt))
    return {
      content: [{ type: 'text', text: shown.at(-1)!.includes('allergic') ? 'No peanuts.' : 'Noted.' }],
      finishReason: { unified: 'stop', raw: 'stop' },
      usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } } as never,
      warnings: [],
    }
  },
})
`

it('the README’s program runs, with a scripted model in place of the provider’s', async () => {
  const readme = await readFile(join(PACKAGE, 'README.md'), 'utf8')
  const program = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
  expect(program).toContain(PROVIDER)
  // Within the package, so that it is imported by its own name.
  const folder = await mkdtemp(join(PACKAGE, 'dist', 'readme-'))
  try {
    const file = join(folder, 'program.ts')
    await writeFile(file, program.replace(PROVIDER, SCRIPTED))
    const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: folder })
    expect(stdout).toBe('No peanuts.\n')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
