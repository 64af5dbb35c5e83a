import type { Readable, Writable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import type { Keepsake } from 'keepsake'
import { KeepsakeError } from '@keepsake/text/names'
import { defineCommand } from '../define-command.ts'
import type { Io } from '../io.ts'
import { loadStdio } from '../load-package.ts'
import { openModels } from '../model-options.ts'
import { findOrCreateScope, shownDb, withOpened } from '../open-database.ts'
import type { ScopeOptions } from '../shared-options.ts'

/** Time to extract facts from the last turns before exit. Hosts kill the process after a few seconds. */
const LAST_EXTRACTION_MS = 1_000

export const mcpCommand = defineCommand({
  name: 'mcp',
  summary: "serve one user's memory over MCP",
  description:
    "Serves one user's memory over MCP on standard input and output. Hosts such as desktop assistants and editors start this command themselves. It offers tools to recall, remember, list, correct and forget, and resources. Logs go to standard error.",
  sharedOptions: ['models', 'person', 'db', 'preset'],
  declare: (command) => command.option('--read-only', 'offer no tools that change memory'),
  json: null,
  examples: [
    'keepsake mcp --db ~/keepsake.db --user maya',
    'keepsake mcp --db ~/keepsake.db --user maya --read-only',
    'keepsake mcp --db ~/keepsake.db --user maya --model ollama:qwen3:8b',
  ],
  async run({ io, options }) {
    const stop = new AbortController()
    const onSignal = (): void => stop.abort()
    // Handles signals until the memory is closed, so that a second signal does not interrupt closing.
    process.on('SIGTERM', onSignal).on('SIGINT', onSignal)
    try {
      const models = await openModels(io, options)
      const isReadOnly = options.readOnly === true
      await withOpened(
        options,
        (memory) => serve(io, memory, options, stop.signal),
        { ...models, actor: 'MCP' },
        isReadOnly,
      )
    } finally {
      process.off('SIGTERM', onSignal).off('SIGINT', onSignal)
    }
  },
})

async function serve(
  io: Io,
  memory: Keepsake,
  options: ScopeOptions & { readonly readOnly?: boolean },
  stop: AbortSignal,
): Promise<void> {
  const { serveMcpOverStdio } = await loadStdio()
  const { key: scope } = await findOrCreateScope(memory, options)
  const grant = {
    id: 'stdio',
    name: 'standard input and output',
    // `null`: every tenant.
    tenants: null,
    users: [scope.user],
    actions: options.readOnly === true ? (['read'] as const) : (['read', 'write'] as const),
    requestsPerMinute: null,
  }
  const log = (entry: object): void => void io.stderr.write(`${JSON.stringify(entry)}\n`)
  logFailures(memory, log)
  const hint = io.stdin.isTTY === true ? ' An MCP host normally starts this command; Ctrl-D ends it.' : ''
  io.stderr.write(
    `keepsake: ${scope.user}'s memory in ${shownDb(options.db)}, over MCP on standard input and output.${hint}\n`,
  )
  const streams = { stdin: io.stdin as Readable, stdout: io.stdout as Writable }
  await serveMcpOverStdio({ keepsake: memory, scope, grant, ...streams, log, stop })
  await Promise.race([memory.drain(), wait(LAST_EXTRACTION_MS, undefined, { ref: false })])
}

/** Logs background failures as codes, because messages may quote a model's input. */
function logFailures(memory: Keepsake, log: (entry: object) => void): void {
  const codeOf = (error: Error): string => (error instanceof KeepsakeError ? error.code : error.name)
  memory.on('job-failed', ({ job, attempts, parked, error }) =>
    log({ level: 'warn', event: 'job-failed', job, attempts, parked, error: codeOf(error) }),
  )
  memory.on('background-failed', ({ error }) =>
    log({ level: 'warn', event: 'background-failed', error: codeOf(error) }),
  )
}
