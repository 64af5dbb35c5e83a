import { spawn } from 'node:child_process'
import { relative } from 'node:path'
import { parseArgs } from 'node:util'
import { CreateError, createChat } from './create-chat.ts'

const USAGE = `Usage: npm create keepsake [FOLDER] [-- OPTIONS]

Makes a companion chat that remembers in FOLDER (keepsake-chat when none is named), installs it, and starts it.

  --no-start        make and install it only
  --port PORT       where it is served, now and whenever it is started; 4160 when absent
  --from TARBALLS   take Keepsake's packages from this folder (\`npm run pack\` makes it), not from the registry
  --help            this

It answers by recall and rules. KEEPSAKE_MODEL=openai:gpt-5-mini (and OPENAI_API_KEY), or ollama:qwen3, which needs no key, has a
language model talk.

  npm create keepsake my-chat -- --port 4161
`

/** Runs the command and sets the exit code. Never throws. */
export async function main(argv: readonly string[]): Promise<void> {
  try {
    process.exitCode = await run(argv)
  } catch (error) {
    // Mistakes of the caller are explained by their message alone.
    const isMistake =
      error instanceof CreateError || (error as { code?: string }).code?.startsWith('ERR_PARSE_ARGS')
    process.stderr.write(`${isMistake ? (error as Error).message : String((error as Error).stack)}\n`)
    process.exitCode = 1
  }
}

async function run(argv: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      'no-start': { type: 'boolean' },
      port: { type: 'string' },
      from: { type: 'string' },
      help: { type: 'boolean' },
    },
  })
  if (values.help === true) {
    process.stdout.write(USAGE)
    return 0
  }
  const [folder = 'keepsake-chat'] = positionals
  const port = readPort(values.port ?? process.env['PORT'])
  const say = (line: string): void => void process.stdout.write(`${line}\n`)
  say(`Creating a chat that remembers in the folder ${folder} …`)
  // Port 0, any free port, is not written to the files, because each start then uses another one.
  const path = await createChat(
    folder,
    { tarballs: values.from ?? null, port: port === 0 ? null : port },
    say,
  )
  const start = `  cd ${relative(process.cwd(), path) || '.'}\n  ${startCommand()}\n`
  if (values['no-start'] === true) {
    say(`Created in ${path}. Start it:\n\n${start}`)
    return 0
  }
  say(`Created in ${path}. It starts now. Ctrl-C stops it; this starts it again:\n\n${start}`)
  return serve(path, port === null ? {} : { PORT: String(port) })
}

/** Reads the port; `null` when none is named. @throws CreateError for a value that is not a port */
function readPort(value: string | undefined): number | null {
  if (value === undefined || value === '') return null
  const port = Number(value)
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw new CreateError(`A port is a whole number from 0 to 65535, but --port (or PORT) is ${value}.`)
}

/** Returns the command that starts the chat. It names the model, because the chat's files do not. */
function startCommand(): string {
  const model = process.env['KEEPSAKE_MODEL']
  return model === undefined ? 'npm start' : `KEEPSAKE_MODEL=${model} npm start`
}

/** Runs the chat until it is interrupted. */
async function serve(folder: string, env: NodeJS.ProcessEnv): Promise<number> {
  const child = spawn(process.execPath, ['server.mjs'], {
    cwd: folder,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  })
  // The terminal also sends Ctrl-C to the chat. This process waits until the chat has ended.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.on(signal, () => signal === 'SIGTERM' && child.kill(signal))
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => resolve(code ?? 0))
  })
}
