import type { OpenServer, ServerOptions, Upstream } from '@keepsake/server'
import { Command, InvalidArgumentError, Option } from 'commander'
import type { Keepsake } from 'keepsake'
import { CliError, wrongUsage } from '../cli-error.ts'
import { wholeNumber, withDatabase, type CommonOptions } from '../common-options.ts'
import { examples } from '../examples-help.ts'
import { EXIT } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { loadServer } from '../load-package.ts'
import { modelName, openModels, withModels, type ModelOptions, type OpenedModels } from '../model-options.ts'
import { withOpened } from '../open-database.ts'
import { formatCount } from '../output/format-quantity.ts'
import { print, printJson } from '../output/print.ts'
import { styleFor } from '../output/style.ts'
import { takeStopSignal } from '../stop-signal.ts'

interface Options extends CommonOptions, ModelOptions {
  readonly host: string
  readonly port: number
  readonly keys?: string
  readonly unlocked?: boolean
  readonly requestsPerMinute?: number
  readonly cors?: string[]
  readonly upstream?: string
  readonly requireUser?: boolean
  readonly grace: number
  readonly synchronous?: 'full' | 'normal'
  readonly log?: boolean
}

const MOST = 1_000_000_000

/** `keepsake serve`: the memory for programs elsewhere. */
export function serveCommand(io: Io): Command {
  const command = new Command('serve')
    .summary('serve the memory over HTTP')
    .description(
      'Serves the memory over HTTP until it is stopped (Ctrl-C): REST with its own description (/openapi.json), an OpenAI-compatible door (/v1/chat/completions), MCP (/mcp) and the routes of Mem0’s client (/compat/mem0). Asks for a key: "keepsake keys create" makes one.',
    )
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option('--port <n>', 'the port; 0 takes any that is free', wholeNumber(0, 65_535), 4150)
    .option('--unlocked', 'ask for no key; on a loopback address alone')
    .option('--keys <file>', 'a file of their own for the keys (default: the database)')
    .option(
      '--requests-per-minute <n>',
      'for keys without a limit of their own; 0 sets none (default: 6000)',
      wholeNumber(0, MOST),
    )
    .option('--cors <origins>', 'web pages that may ask, separated by commas (default: none)', origins)
    .option(
      '--upstream <url>',
      'where chats of OpenAI’s clients go on to, with its version: https://host/v1; its key in KEEPSAKE_UPSTREAM_API_KEY',
    )
    .option('--require-user', 'refuse chats that name no user, instead of passing them on without memory')
    .option(
      '--grace <seconds>',
      'how long to wait at the end for what is under way',
      wholeNumber(0, 3_600),
      10,
    )
    .addOption(
      new Option(
        '--synchronous <how>',
        'what is acknowledged survives a power cut (full, the default), or a kill of the process, which is faster (normal)',
      ).choices(['full', 'normal']),
    )
    .option('--log', 'write a line of JSON for every request to stderr; failures are written anyway')
  const described = withModels(command, io).addHelpText(
    'after',
    examples(
      'keepsake serve --unlocked',
      'keepsake serve --db memory.db --host 0.0.0.0 --model openai:gpt-5-mini --log',
      'keepsake serve --upstream https://api.openai.com/v1 --cors https://app.example.com',
    ),
  )
  return withDatabase(described, io, 'where it listens as one JSON object').action((options: Options) =>
    serve(io, options),
  )
}

async function serve(io: Io, options: Options): Promise<void> {
  const { synchronous } = options
  const upstream = upstreamOf(io, options.upstream)
  await requireSafeAddress(options)
  const models = await openModels(io, options)
  const signal = takeStopSignal()
  try {
    await withOpened(
      options,
      async (keepsake) => {
        const server = await listen(await serverOptions(io, keepsake, { options, models, upstream }))
        tell(io, options, server)
        await signal.stopped
        await stop(io, options, server)
      },
      { ...models, ...(synchronous === undefined ? {} : { synchronous }) },
    )
  } finally {
    signal.release()
  }
}

/** Looked at before a database is made for nothing. */
async function requireSafeAddress({ unlocked, host }: Options): Promise<void> {
  const { requireLoopback } = await loadServer()
  if (unlocked === true) requireLoopback(host)
}

async function serverOptions(
  io: Io,
  keepsake: Keepsake,
  given: { options: Options; models: OpenedModels; upstream: Upstream | null },
): Promise<ServerOptions> {
  const { writeLog } = await loadServer()
  const { options, models, upstream } = given
  const { keys, requestsPerMinute: rate } = options
  return {
    keepsake,
    ...(keys === undefined ? {} : { keysFile: keys }),
    host: options.host,
    port: options.port,
    unlocked: options.unlocked ?? false,
    model: models.model ?? null,
    upstream,
    cors: options.cors ?? [],
    graceMs: options.grace * 1_000,
    accessLog: options.log ?? false,
    logMessages: options.debug ?? false,
    log: writeLog(io.stderr),
    openai: { requireUser: options.requireUser ?? false },
    ...(rate === undefined ? {} : { requestsPerMinute: rate === 0 ? null : rate }),
  }
}

const LISTEN_ERRORS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program has that port: choose another with --port',
  EACCES: 'this account may not listen there: choose a port above 1023 with --port',
  EADDRNOTAVAIL: 'this machine has no such address: choose another with --host',
  ENOTFOUND: 'that name is not known: choose another with --host',
}

async function listen(options: ServerOptions): Promise<OpenServer> {
  const { openServer } = await loadServer()
  try {
    return await openServer(options)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const why = LISTEN_ERRORS[code]
    if (why === undefined) throw error
    throw new CliError(`Cannot listen on ${options.host}:${options.port}: ${why}.`, EXIT.failure, {
      cause: error,
    })
  }
}

/** Where it listens, and what to do next. */
function tell(io: Io, options: Options, server: OpenServer): void {
  const { url, host, port, openKeys } = server
  if (options.json === true) {
    printJson(io, { url, host, port, db: options.db, keys: openKeys })
    return
  }
  const { bold, dim } = styleFor(io)
  const mind = options.model === undefined ? 'by rules, no language model' : modelName(options.model)
  print(
    io,
    `Keepsake serves ${options.db} (${options.preset ?? 'keepsake'}; ${mind}) on ${bold(url)}`,
    dim(access(options, openKeys)),
    dim(`REST: ${url}/openapi.json · OpenAI base URL: ${url}/v1 · MCP: ${url}/mcp · Ctrl-C stops.`),
  )
}

function access({ db, keys }: Options, openKeys: number | null): string {
  if (openKeys === null) return 'No key is asked for: every program on this machine may read and erase.'
  const where = keys === undefined ? `--db ${db}` : `--keys ${keys}`
  const make = `keepsake keys create --name my-app ${where}`
  return openKeys === 0
    ? `There is no key yet, so nobody can ask. Make one: ${make}`
    : `${formatCount(openKeys, 'key')} may ask. Another: ${make}`
}

async function stop(io: Io, options: Options, server: OpenServer): Promise<void> {
  const isQuiet = options.json === true
  if (!isQuiet) print(io, 'Stopping when what is under way has ended. Ctrl-C once more stops at once.')
  const cutOff = await server.close()
  if (!isQuiet && cutOff > 0) print(io, `${formatCount(cutOff, 'request')} took too long and was cut off.`)
}

function origins(value: string): string[] {
  return value.split(',').map((part) => {
    const origin = part.trim()
    if (URL.canParse(origin) && new URL(origin).origin === origin) return origin
    throw new InvalidArgumentError('It must be origins such as https://app.example.com, separated by commas.')
  })
}

/** The key for OpenAI goes to OpenAI alone, not to whatever server is named. */
function upstreamOf({ env }: Io, given: string | undefined): Upstream | null {
  if (given === undefined) return null
  const url = URL.canParse(given) ? new URL(given) : null
  if (url === null || !/^https?:$/.test(url.protocol) || url.search !== '' || url.username !== '')
    throw wrongUsage(
      '--upstream takes the address of an OpenAI-compatible server with its version, such as https://host/v1.',
    )
  const own = url.hostname === 'api.openai.com' ? env['OPENAI_API_KEY'] : undefined
  return { url: given.replace(/\/+$/, ''), key: env['KEEPSAKE_UPSTREAM_API_KEY'] || own || null }
}
