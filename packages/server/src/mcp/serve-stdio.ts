import { once } from 'node:events'
import type { Readable, Writable } from 'node:stream'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/sdk/types.js'
import type { Keepsake, ScopeKey } from 'keepsake'
import pTimeout from 'p-timeout'
import type { Grant } from '../access/grant.ts'
import type { LogEntry } from '../server-context.ts'
import { EventFeed } from '../serving/event-feed.ts'
import { describeError } from '../serving/write-log.ts'
import { withParsedArguments } from './memory-tool.ts'
import { createMcpServer } from './create-mcp-server.ts'
import { onClose, onError, onMessage } from './sdk-listeners.ts'

/** Maximum wait for pending calls at the end. Hosts kill the process after a few seconds. */
const CLOSE_TIMEOUT_MS = 1_500

/** The options of MCP over standard input and output. */
export interface StdioOptions {
  readonly keepsake: Keepsake
  readonly scope: ScopeKey
  readonly grant: Grant
  readonly stdin: Readable
  /** Only the protocol is written here. */
  readonly stdout: Writable
  /** Writes a line of the log. */
  readonly log: (entry: LogEntry) => void
  /** Ends the service when aborted, as the end of `stdin` does. */
  readonly stop: AbortSignal
}

/** Serves a user's memory over stdio until the input ends or `stop` is aborted, then answers pending calls. */
export async function serveMcpOverStdio(options: StdioOptions): Promise<void> {
  const { keepsake, scope, grant, stdin, stdout, log, stop } = options
  const server = createMcpServer({ keepsake, scope, grant, events: new EventFeed(keepsake), log })
  const transport: Transport = new StdioServerTransport(stdin, stdout)
  const closed = new Promise<void>((resolve) => {
    onClose(transport, resolve)
  })
  // Logs no message, because a parser's message quotes its input.
  onError(server.server, (error) =>
    log({ level: 'warn', event: 'mcp-message-failed', ...describeError(error) }),
  )
  try {
    await server.connect(transport)
    const pending = new PendingRequests(transport)
    await Promise.race([closed, ended(stdin), aborted(stop)])
    await pTimeout(Promise.race([closed, pending.settled()]), {
      milliseconds: CLOSE_TIMEOUT_MS,
      message: false,
    })
  } finally {
    await server.close()
  }
}

/** Requests that are not answered yet. */
class PendingRequests {
  readonly #ids = new Set<RequestId>()
  #settle: () => void = () => undefined

  constructor(transport: Transport) {
    const send = transport.send.bind(transport)
    onMessage(transport, (message) => {
      if (isJSONRPCRequest(message)) this.#ids.add(message.id)
      // A cancelled call gets no answer.
      const cancelled = cancelledId(message)
      if (cancelled !== null) this.#done(cancelled)
      return withParsedArguments(message)
    })
    transport.send = async (message, sent) => {
      await send(message, sent)
      if (isJSONRPCResultResponse(message) || isJSONRPCErrorResponse(message)) this.#done(message.id)
    }
  }

  /** Waits until all are answered. */
  async settled(): Promise<void> {
    if (this.#ids.size === 0) return
    await new Promise<void>((resolve) => {
      this.#settle = resolve
    })
  }

  #done(id: RequestId | undefined): void {
    if (id !== undefined) this.#ids.delete(id)
    if (this.#ids.size === 0) this.#settle()
  }
}

function cancelledId(message: JSONRPCMessage): RequestId | null {
  if (!('method' in message) || message.method !== 'notifications/cancelled') return null
  const id = message.params?.['requestId']
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

function ended(stdin: Readable): Promise<void> {
  return new Promise((resolve) => {
    if (stdin.readableEnded || stdin.destroyed) resolve()
    stdin.once('end', resolve)
    stdin.once('close', resolve)
  })
}

async function aborted(signal: AbortSignal): Promise<void> {
  if (!signal.aborted) await once(signal, 'abort')
}
