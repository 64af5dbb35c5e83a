import type { Readable, Writable } from 'node:stream'
import { Command, Option } from 'commander'
import { KeepsakeError, type Keepsake, type ScopeKey } from 'keepsake'
import { dbOption, debugOption, presetOption, tenantOption, type ScopeOptions } from '../common-options.ts'
import { examples } from '../examples-help.ts'
import type { Io } from '../io.ts'
import { loadServer } from '../load-package.ts'
import { openModels, withModels, type ModelOptions } from '../model-options.ts'
import { chooseScope, withOpened } from '../open-database.ts'

interface Options extends Omit<ScopeOptions, 'json'>, ModelOptions {
  readonly readOnly?: boolean
}

/** What a person is called in a new database when no name is given. */
const NAMELESS = 'me'
/** How long what was just said is read at the end. Hosts kill what is still there after a few seconds. */
const LAST_READING_MS = 1_000

export function mcpCommand(io: Io): Command {
  const command = new Command('mcp')
    .summary("serve one person's memory to a host of MCP")
    .description(
      "Serves one person's memory over MCP on standard input and output, for hosts such as desktop assistants and editors, which start this command themselves: tools to recall, remember, list, correct and forget, and resources. Logs go to standard error.",
    )
    .addOption(dbOption(io))
    .addOption(userOption(io))
    .addOption(tenantOption(io, 'the tenant that person belongs to'))
    .option('--agent <name>', 'the memory of this agent alone')
    .option('--app <name>', 'the memory of this application alone')
    .option('--read-only', 'offer nothing that changes memory')
    .addOption(presetOption())
  return withModels(command, io)
    .addOption(debugOption())
    .addHelpText(
      'after',
      examples(
        'keepsake mcp --db ~/keepsake.db --user maya',
        'keepsake mcp --db ~/keepsake.db --user maya --read-only',
        'keepsake mcp --db ~/keepsake.db --user maya --model ollama:qwen3:8b',
      ),
    )
    .action((options: Options) => mcp(io, options))
}

function userOption({ env }: Io): Option {
  const option = new Option('--user <name>', 'whose memory; also KEEPSAKE_USER')
  return env['KEEPSAKE_USER'] ? option.default(env['KEEPSAKE_USER']) : option
}

async function mcp(io: Io, options: Options): Promise<void> {
  const stop = new AbortController()
  const onSignal = (): void => stop.abort()
  // Until the memory is closed: a second signal must not cut that off.
  process.on('SIGTERM', onSignal).on('SIGINT', onSignal)
  try {
    const models = await openModels(io, options)
    await withOpened(options, (memory) => serve(io, memory, options, stop.signal), models)
  } finally {
    process.off('SIGTERM', onSignal).off('SIGINT', onSignal)
  }
}

async function serve(io: Io, memory: Keepsake, options: Options, stop: AbortSignal): Promise<void> {
  // The server is large, and no other command needs it.
  const { serveMcpOverStdio } = await loadServer()
  const scope = await mcpScope(memory, options)
  const grant = {
    id: 'stdio',
    name: 'standard input and output',
    tenants: null,
    users: [scope.user],
    actions: options.readOnly === true ? (['read'] as const) : (['read', 'write'] as const),
    requestsPerMinute: null,
  }
  const log = (entry: object): void => void io.stderr.write(`${JSON.stringify(entry)}\n`)
  logFailures(memory, log)
  io.stderr.write(
    `keepsake: ${scope.user}'s memory in ${options.db}, over MCP on standard input and output.${io.stdin.isTTY === true ? ' A host starts this; Ctrl-D ends.' : ''}\n`,
  )
  const streams = { stdin: io.stdin as Readable, stdout: io.stdout as Writable }
  await serveMcpOverStdio({ keepsake: memory, scope, grant, ...streams, log, stop })
  await Promise.race([memory.drain(), new Promise((resolve) => setTimeout(resolve, LAST_READING_MS).unref())])
}

/** What fails in the background is told of in codes: messages may quote what a model was given. */
function logFailures(memory: Keepsake, log: (entry: object) => void): void {
  const codeOf = (error: Error): string => (error instanceof KeepsakeError ? error.code : error.name)
  memory.on('job-failed', ({ job, attempts, parked, error }) =>
    log({ level: 'warn', event: 'job-failed', job, attempts, parked, error: codeOf(error) }),
  )
  memory.on('background-failed', ({ error }) =>
    log({ level: 'warn', event: 'background-failed', error: codeOf(error) }),
  )
}

/** A host may be the first to tell of somebody; without a name, it is the only person there is. */
async function mcpScope(memory: Keepsake, options: Options): Promise<ScopeKey> {
  const { user, tenant, agent, app } = options
  const narrowed = { ...(agent === undefined ? {} : { agent }), ...(app === undefined ? {} : { app }) }
  if (user === undefined && (await memory.scopes()).length > 0) {
    const { agent: _agent, app: _app, ...anyone } = options
    return { ...(await chooseScope(memory, anyone)).key, ...narrowed }
  }
  return { user: user ?? NAMELESS, ...(tenant === undefined ? {} : { tenant }), ...narrowed }
}
