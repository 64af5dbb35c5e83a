import { InvalidArgumentError, Option, type Command } from '@commander-js/extra-typings'
import type { OpenServer, ServerOptions, Serving, Upstream, WorkerLink } from '@keepsake/server'
import { given } from '@keepsake/text/names'
import { CliError, wrongUsage } from '../cli-error.ts'
import { defineCommand, type OptionsOf } from '../define-command.ts'
import { EXIT } from '../exit-codes.ts'
import type { Io } from '../io.ts'
import { loadMem0Compat, loadServer } from '../load-package.ts'
import { BUILT_IN, modelName, openModels } from '../model-options.ts'
import { isAddress, shownDb, withOpened } from '../open-database.ts'
import { formatCount } from '../output/format-quantity.ts'
import { commandName, print, show, type Shown } from '../output/print.ts'
import { wrap } from '../output/style.ts'
import { wholeNumber } from '../read-values.ts'
import type { Declared } from '../shared-options.ts'
import { takeStopSignal, type StopSignal } from '../stop-signal.ts'

/** Maximum of limits that are meant as “practically none”. */
const MAX_NUMBER = 1_000_000_000

const serveOptions = (command: Command) =>
  command
    .option('--host <address>', 'the address to listen on', '127.0.0.1')
    .option('--port <n>', 'the port; 0 takes any that is free', wholeNumber(0, 65_535), 4150)
    .option('--unlocked', 'require no key; only on a loopback address')
    .option(
      '--requests-per-minute <n>',
      'limit for keys without their own; 0 means none (default: 6000)',
      wholeNumber(0, MAX_NUMBER),
    )
    .option(
      '--cors <origins>',
      'origins of web pages that may call the server, separated by commas (default: none)',
      origins,
    )
    .option(
      '--upstream <url>',
      'the server to forward OpenAI requests to, with its version: https://host/v1; its key in KEEPSAKE_UPSTREAM_API_KEY',
    )
    .option(
      '--anthropic-upstream <url>',
      'the server to forward Anthropic requests to, with its version; its key in KEEPSAKE_ANTHROPIC_UPSTREAM_API_KEY',
    )
    .option('--no-require-user', 'forward chats without a user, without memory (the default with --unlocked)')
    .option(
      '--upstream-per-day <n>',
      'chats a day that a key without its own limit may forward (default: no limit)',
      wholeNumber(0, MAX_NUMBER),
    )
    .option(
      '--recall-wait <ms>',
      'milliseconds that a chat waits for recall before it continues without memory; 0 waits without limit (default: 1500)',
      wholeNumber(0, 600_000),
    )
    .option(
      '--remember-wait <ms>',
      'milliseconds that an answer is held until its chat is stored; 0 waits without limit (default: 10000)',
      wholeNumber(0, 600_000),
    )
    .option(
      '--bytes-per-minute <n>',
      'limit for keys without their own; 0 means none (default: 120000000)',
      wholeNumber(0, MAX_NUMBER),
    )
    .option(
      '--audit-days <n>',
      'days that the audit log keeps who read, changed and erased (no text); 0 keeps nothing',
      wholeNumber(0, 36_500),
      90,
    )
    .option(
      '--grace <seconds>',
      'how long to wait for running requests when stopping',
      wholeNumber(0, 3_600),
      10,
    )
    .addOption(
      new Option(
        '--synchronous <how>',
        'full (default): acknowledged writes survive a power cut; normal: they survive only a kill of the process, but writes are faster',
      ).choices(['full', 'normal']),
    )
    .option('--workers <n>', 'number of processes that share the work (default: 1)', wholeNumber(1, 256))
    .option(
      '--max-turn-length <n>',
      'maximum characters of a turn; a longer one would block other requests',
      wholeNumber(1, 4_000_000),
      100_000,
    )
    .option('--webhooks-to-private', 'allow webhooks to this machine and private networks, and over http')
    .option('--no-inspector', 'serve no page at /')
    .option('--log', 'write one line of JSON for every request to stderr; failures are always written')

type Options = OptionsOf<Declared<typeof serveOptions>, 'models' | 'db' | 'preset'>

export const serveCommand = defineCommand({
  name: 'serve',
  summary: 'serve the memory over HTTP',
  description:
    'Serves the memory over HTTP until you stop it (Ctrl-C): REST (described by /openapi.json), the OpenAI and Anthropic APIs with memory (/v1/chat/completions, /v1/responses, /v1/messages), MCP (/mcp) and the routes of Mem0’s client (/compat/mem0). Requests need a key; "keepsake keys create" creates one.',
  sharedOptions: ['models', 'db', 'preset'],
  declare: serveOptions,
  json: 'where it listens as one JSON object',
  examples: [
    'keepsake serve --unlocked',
    'keepsake serve --db memory.db --host 0.0.0.0 --model openai:gpt-5-mini --log',
    'keepsake serve --workers 4 --log',
    'keepsake serve --upstream https://api.openai.com/v1 --cors https://app.example.com',
  ],
  async run({ io, options }) {
    const { unlocked, host, workers = 1 } = options
    const upstreams = upstreamsOf(io, options)
    const { requireLoopback, joinPrimary } = await loadServer()
    // Checked before a database is created.
    if (unlocked === true) requireLoopback(host)
    const signal = takeStopSignal()
    try {
      const link = joinPrimary()
      if (workers > 1 && link === null) await serveByWorkers(io, options, signal)
      else await serveHere(io, options, { upstreams, signal, link })
    } finally {
      signal.release()
    }
  },
})

type Upstreams = Required<Pick<ServerOptions, 'upstream' | 'anthropic'>>

/** The resources of a serving process, besides the options. */
interface ProcessContext {
  readonly upstreams: Upstreams
  readonly signal: StopSignal
  /** A worker's connection to the process that started it; `null` in the only process. */
  readonly link: WorkerLink | null
}

/** Serves in this process, as the only one or as a worker. A worker prints nothing. */
async function serveHere(
  io: Io,
  options: Options,
  { upstreams, signal, link }: ProcessContext,
): Promise<void> {
  const { json = false, synchronous, workers = 1 } = options
  // Uses built-in vectors. The sentence encoder runs on the main thread, so each message would make the requests of all users wait.
  const models = await openModels(io, { ...options, embedding: options.embedding ?? BUILT_IN })
  await withOpened(
    options,
    async (keepsake) => {
      const opened = { keepsake, model: models.model ?? null, ...upstreams, worker: link }
      await warmUp()
      const server = await listen(io, { ...options, port: link?.port ?? options.port }, opened)
      if (link === null) show(io, showServer(io, options, server), json)
      else link.serves(server)
      await (link === null ? signal.stopped : Promise.race([signal.stopped, link.stopped]))
      await closeServer(io, server, json || link !== null)
    },
    {
      ...models,
      ...given({ synchronous }),
      maxTurnLength: options.maxTurnLength,
      processes: workers,
      actor: 'the server’s API',
    },
  )
  link?.disconnect()
}

/** Starts workers, which run the same command, and supervises them. */
async function serveByWorkers(io: Io, options: Options, signal: StopSignal): Promise<void> {
  const { json = false, workers: count = 1, grace, host, port } = options
  const { startWorkers, writeLog } = await loadServer()
  const workers = await startWorkers({ count, host, port, graceMs: grace * 1_000, log: writeLog(io.stderr) })
  show(io, showServer(io, options, workers), json)
  await signal.stopped
  if (!json) print(io, STOPPING_MESSAGE)
  await workers.stop()
}

const STOPPING_MESSAGE = 'Stopping after the running requests.\nPress Ctrl-C again to stop immediately.'

const LISTEN_ERRORS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'another program uses that port: choose another with --port',
  EACCES: 'this account may not use that port: choose one above 1023 with --port',
  EADDRNOTAVAIL: 'this machine has no such address: choose another with --host',
  ENOTFOUND: 'the host name is unknown: choose another with --host',
}

async function listen(
  io: Io,
  options: Options,
  opened: Pick<ServerOptions, 'keepsake' | 'model' | 'upstream' | 'anthropic' | 'worker'>,
): Promise<OpenServer> {
  const { openServer, writeLog } = await loadServer()
  const { mem0Protocol } = await loadMem0Compat()
  const { host, port, unlocked = false, requestsPerMinute, cors = [], grace } = options
  const { bytesPerMinute, upstreamPerDay, requireUser, recallWait, rememberWait, auditDays } = options
  try {
    return await openServer({
      ...opened,
      ...given({
        requestsPerMinute: requestsPerMinute === 0 ? null : requestsPerMinute,
        bytesPerMinute: bytesPerMinute === 0 ? null : bytesPerMinute,
      }),
      host,
      port,
      unlocked,
      cors,
      graceMs: grace * 1_000,
      accessLog: options.log ?? false,
      // Other servers may share the same database.
      ...(isAddress(options.db) ? { sharesLimits: true } : {}),
      logMessages: options.debug ?? false,
      log: writeLog(io.stderr),
      auditDays,
      inspector: options.inspector,
      protocols: [mem0Protocol],
      webhooks: { toPrivate: options.webhooksToPrivate ?? false },
      chats: given({
        // Without --no-require-user the server decides: it requires a user where keys are needed.
        requireUser: requireUser ? undefined : false,
        upstreamPerDay,
        recallTimeoutMs: withoutLimit(recallWait),
        rememberTimeoutMs: withoutLimit(rememberWait),
      }),
    })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : ''
    const reason = LISTEN_ERRORS[code]
    if (reason === undefined) throw error
    throw new CliError(`Cannot listen on ${host}:${port}: ${reason}.`, EXIT.failure, { cause: error })
  }
}

/** Converts a wait of 0, which means no limit, to infinity. */
function withoutLimit(milliseconds: number | undefined): number | undefined {
  return milliseconds === 0 ? Number.POSITIVE_INFINITY : milliseconds
}

/** Shows the address, and what to do next. */
function showServer(io: Io, options: Options, { url, host, port, openKeys }: Serving): Shown {
  const { db, preset = 'keepsake', model, workers = 1 } = options
  const extraction = model === undefined ? 'rules, no language model' : modelName(model)
  return {
    data: { url, host, port, db: shownDb(db), keys: openKeys, workers },
    formatText: ({ bold, dim, width }) =>
      [
        `Keepsake serves ${shownDb(db)} (${preset}; ${extraction}) on ${bold(url)}`,
        ...(workers > 1 ? [dim(`${workers} processes.`)] : []),
        dim(describeAccess(io, options, openKeys)),
        wrap(
          dim(
            `Inspector: ${url}/ · REST: ${url}/openapi.json · OpenAI base URL: ${url}/v1 · MCP: ${url}/mcp · Ctrl-C stops.`,
          ),
          width,
        ),
      ].join('\n'),
  }
}

function describeAccess(io: Io, { db }: Options, openKeys: number | null): string {
  if (openKeys === null) return 'No key is required: every program on this machine may read and erase.'
  const createCommand = `${commandName(io)} keys create --name my-app --db ${shownDb(db)}`
  return openKeys === 0
    ? `There is no key yet, so no request is accepted. Create one in another terminal: ${createCommand}`
    : `Requests need ${openKeys === 1 ? 'the key' : `one of ${formatCount(openKeys, 'key')}`}. Create another key: ${createCommand}`
}

async function closeServer(io: Io, server: OpenServer, isQuiet: boolean): Promise<void> {
  if (!isQuiet) print(io, STOPPING_MESSAGE)
  const cutOff = await server.close()
  if (!isQuiet && cutOff > 0) print(io, `${formatCount(cutOff, 'request')} took too long and was cancelled.`)
}

function origins(value: string): string[] {
  return value.split(',').map((part) => {
    const origin = part.trim()
    if (URL.canParse(origin) && new URL(origin).origin === origin) return origin
    throw new InvalidArgumentError('It must be origins such as https://app.example.com, separated by commas.')
  })
}

/** Reads the upstreams. The key of OpenAI is only sent to OpenAI's own host. */
function upstreamsOf(io: Io, { upstream, anthropicUpstream }: Options): Upstreams {
  const openai = upstreamOf(io, upstream, {
    option: '--upstream',
    host: 'api.openai.com',
    keys: ['KEEPSAKE_UPSTREAM_API_KEY', 'OPENAI_API_KEY'],
  })
  const anthropic = upstreamOf(io, anthropicUpstream, {
    option: '--anthropic-upstream',
    host: 'api.anthropic.com',
    keys: ['KEEPSAKE_ANTHROPIC_UPSTREAM_API_KEY', 'ANTHROPIC_API_KEY'],
  })
  return { upstream: openai, anthropic: anthropic && { ...anthropic, keyHeader: 'x-api-key' } }
}

interface UpstreamNames {
  readonly option: string
  /** The provider's own host. */
  readonly host: string
  /** Variables with a key. The provider's variable is only used for the provider's host. */
  readonly keys: readonly [ours: string, providers: string]
}

/** Checks that a key is a valid header. A key that was copied with its ellipsis would look like an unreachable upstream. */
function requireValidKey(key: string | undefined, variable: string): string | null {
  if (key === undefined || key === '') return null
  if (/^[\x21-\x7E]+$/.test(key)) return key
  throw wrongUsage(
    `${variable} is not a valid key: it contains spaces or other characters that keys do not have. Use the key from your provider.`,
  )
}

function upstreamOf(
  { env }: Io,
  url: string | undefined,
  { option, host, keys }: UpstreamNames,
): Upstream | null {
  if (url === undefined) return null
  const { protocol, search, username, hostname } = URL.parse(url) ?? {}
  if (!/^https?:$/.test(protocol ?? '') || search !== '' || username !== '')
    throw wrongUsage(`${option} takes the address of a server with its version, such as https://${host}/v1.`)
  const [ourVariable, providerVariable] = keys
  const providerKey = hostname === host ? env[providerVariable] : undefined
  return {
    url: url.replace(/\/+$/, ''),
    key: requireValidKey(env[ourVariable], ourVariable) ?? requireValidKey(providerKey, providerVariable),
  }
}

/** Messages with a fact, a secret and a request to forget, in both languages. */
const WARM_UP_MESSAGES = [
  'My sister Ann moved to Rome on Friday. Tom’s password is “quay-4471x”.',
  '我姐姐上周五搬到了罗马。门禁密码 4471。',
  'Forget what I said about Rome.',
]

/** Loads the tagger, tables of words and patterns, so that the first requests do not wait for them. */
async function warmUp(): Promise<void> {
  const { openMemory } = await import('keepsake')
  const keepsake = await openMemory({ path: ':memory:' })
  try {
    const scope = keepsake.scope({ user: 'warm-up' })
    for (const text of WARM_UP_MESSAGES) await scope.remember({ role: 'user', text })
    await keepsake.drain()
    for (const question of ['When did she move?', '她什么时候搬的家？']) await scope.recall(question)
  } finally {
    await keepsake.close()
  }
}
