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
const openai = (_name) => new MockLanguageModelV4({
  doGenerate: async ({ prompt, tools }) => {
    const shown = JSON.stringify(prompt)
    const looks = tools !== undefined && prompt.at(-1).role === 'user'
    const [asked, told, says] = shown.includes('bike?')
      ? ['bike?', 'at the station', 'At the station.']
      : ['not cook', 'allergic', 'No peanuts.']
    const text = shown.includes(asked) && shown.includes(told) ? says : 'Noted.'
    const input = JSON.stringify({ question: 'Where is the bike?' })
    return {
      content: looks
        ? [{ type: 'tool-call', toolCallId: 'call-1', toolName: 'recall', input }]
        : [{ type: 'text', text }],
      finishReason: looks ? { unified: 'tool-calls', raw: 'tool_calls' } : { unified: 'stop', raw: 'stop' },
      usage: { inputTokens: { total: 1 }, outputTokens: { total: 1 } },
      warnings: [],
    }
  },
})
`

it('the README’s program runs, with a scripted model in place of the provider’s', async () => {
  const readme = await readFile(join(PACKAGE, 'README.md'), 'utf8')
  const program = /```js\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
  expect(program).toContain(PROVIDER)
  // Within the package, so that it is imported by its own name.
  const folder = await mkdtemp(join(PACKAGE, 'dist', 'readme-'))
  try {
    const file = join(folder, 'program.mjs')
    await writeFile(file, program.replace(PROVIDER, SCRIPTED))
    const { stdout } = await promisify(execFile)(process.execPath, [file], { cwd: folder })
    // The bike is known of by the tool alone: that call was told nothing else.
    expect(stdout).toBe('No peanuts.\nAt the station.\n')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})
