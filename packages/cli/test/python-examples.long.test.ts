import { spawn, spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, type TestContext } from 'vitest'
import { endPrograms, Program } from './from-tarballs/programs.ts'
import { ScriptedProvider } from './from-tarballs/scripted-provider.ts'
import { temporaryFolder } from '../src/testing/temporary-folder.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const CLIENT = join(ROOT, 'clients', 'python')
/** A Python that has other people's packages, such as a virtual environment's. Else whichever is called so. */
const PYTHONS = [process.env['KEEPSAKE_PYTHON'], 'python3', '/usr/bin/python3'].filter(
  (name) => name !== undefined,
)
const SECOND_QUESTION = 'What can I cook for Mia?'

const provider = new ScriptedProvider()
const folder = temporaryFolder()
let env: Readonly<Record<string, string>> = {}

/** The Python that has a package of each name; the test is skipped, with the reason, where none has. */
function pythonWith(modules: string, packages: string, context: TestContext): string {
  const found = PYTHONS.find((python) => spawnSync(python, ['-c', `import ${modules}`]).status === 0)
  const why = `no Python has them: pip install ${packages}, and KEEPSAKE_PYTHON for a virtual environment's`
  if (found === undefined) process.stderr.write(`Skipped: ${context.task.name}, ${why}.\n`)
  context.skip(found === undefined, why)
  return found ?? ''
}

/** What a program prints. Each run has a server's door and the provider of models, neither of which leaves this machine. */
async function runs(python: string, args: readonly string[]): Promise<string> {
  const child = spawn(python, args, { cwd: folder, env: { ...process.env, ...env } })
  let [said, wrong] = ['', '']
  child.stdout.on('data', (data: Buffer) => (said += String(data)))
  child.stderr.on('data', (data: Buffer) => (wrong += String(data)))
  const code = await new Promise((resolve) => child.on('close', resolve))
  expect(code, said + wrong).toBe(0)
  return said
}

/** OpenAI's client at the server's own address, as the first words of `openai_chat.py` say: no other code. */
const AT_THE_DOOR = `
import os
from openai import OpenAI
openai = OpenAI(base_url=os.environ["KEEPSAKE_URL"] + "/v1")
def ask(text, user):
    messages = [{"role": "user", "content": text}]
    return openai.chat.completions.create(model="scripted", messages=messages, user=user).choices[0].message.content
ask("My sister Mia is allergic to peanuts.", "cleo")
print("cleo:", ask("${SECOND_QUESTION}", "cleo"))
print("dora:", ask("${SECOND_QUESTION}", "dora"))
messages = [{"role": "user", "content": "And what is Mia allergic to?"}]
with openai.chat.completions.create(model="scripted", messages=messages, user="cleo", stream=True) as stream:
    print("streamed:", "".join(part.choices[0].delta.content or "" for part in stream))
`

describe('the Python examples, with the packages they name and a server of its own process', () => {
  beforeAll(async () => {
    const url = await provider.listen()
    const program = new Program(
      process.execPath,
      [
        join(ROOT, 'packages/cli/bin/keepsake.mjs'),
        'serve',
        '--unlocked',
        '--port',
        '0',
        '--recall-wait',
        '0',
        '--upstream',
        url,
      ],
      { cwd: folder, env: { KEEPSAKE_UPSTREAM_API_KEY: 'none' } },
    )
    const [server] = await program.says(/http:\/\/127\.0\.0\.1:\d+/)
    env = {
      KEEPSAKE_URL: server ?? '',
      OPENAI_BASE_URL: url,
      OPENAI_API_KEY: 'none',
      PYTHONPATH: join(CLIENT, 'src'),
      PYTHONDONTWRITEBYTECODE: '1',
      LANGSMITH_TRACING: 'false',
    }
  })
  afterAll(() => {
    endPrograms()
    provider.close()
    rmSync(folder, { recursive: true, force: true })
  })

  it('openai_chat.py tells the model what an earlier talk said', async (context) => {
    const python = pythonWith('openai', 'openai', context)
    const [first = '', second = ''] = (await runs(python, [join(CLIENT, 'examples/openai_chat.py')])).split(
      SECOND_QUESTION,
    )
    expect(first).toMatch(/agent: I was told: You are a warm companion/)
    expect(second).toContain('allergic to peanuts')
  })

  it('langgraph_agent.py tells the model what an earlier talk said', async (context) => {
    const packages = 'langgraph langchain langchain-openai'
    const python = pythonWith('langgraph.graph, langchain.chat_models, langchain_openai', packages, context)
    const said = await runs(python, [join(CLIENT, 'examples/langgraph_agent.py')])
    const [first = '', second = ''] = said.split(SECOND_QUESTION)
    expect(first).toMatch(/agent: I was told: You are a warm companion/)
    expect(second).toContain('allergic to peanuts')
  })

  it('OpenAI’s client remembers by the server’s address alone, for each user apart', async (context) => {
    const python = pythonWith('openai', 'openai', context)
    const said = await runs(python, ['-c', AT_THE_DOOR])
    expect(said).toMatch(/^cleo: .*allergic to peanuts/m)
    expect(said).not.toMatch(/^dora: .*peanuts/m)
    expect(said).toMatch(/^streamed: .*allergic to peanuts/m)
  })

  it('the client installs from its wheel, whole, and remembers', async (context) => {
    const python = pythonWith('pip', 'pip (apt-get install python3-pip)', context)
    const wheel = (await runs(python, [join(CLIENT, 'scripts/make_wheel.py'), folder])).trim()
    const installed = join(folder, 'installed')
    await runs(python, ['-m', 'pip', 'install', '--no-index', '--quiet', '--target', installed, wheel])
    // Without the sources and the folder they lie in.
    env = { ...env, PYTHONPATH: installed, PYTHONSAFEPATH: '1' }
    const where =
      'import importlib.metadata as m, keepsake_client as k; print(m.version("keepsake-client"), k.__file__)'
    const said = await runs(python, ['-c', where])
    expect(said).toMatch(/^\d+\.\d+\.\d+ /)
    expect(said).toContain(installed)
    const remembered = await runs(python, [join(CLIENT, 'examples/ten_lines.py')])
    expect(remembered).toContain('My sister Mia helped with the boxes.')
  })
})
