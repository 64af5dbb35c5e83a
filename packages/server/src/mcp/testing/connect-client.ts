import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import type { Keepsake, ScopeKey } from 'keepsake'
import { onTestFinished } from 'vitest'
import { UNLOCKED, type Action, type Grant } from '../../access/grant.ts'
import type { LogEntry } from '../../server-context.ts'
import { EventFeed } from '../../serving/event-feed.ts'
import { createMcpServer } from '../create-mcp-server.ts'

export const newClient = (): Client => new Client({ name: 'test', version: '1.0.0' })

/** A grant for these users and actions. */
export function grantOf(
  users: readonly string[] | null,
  actions: readonly Action[] = ['read', 'write'],
  id = 'key-1',
): Grant {
  return { ...UNLOCKED, id, name: id, tenants: null, users, actions }
}

/** The official client on a server of this process, without any wire between them. */
export async function connectInProcess(
  keepsake: Keepsake,
  scope: ScopeKey,
  more: { readonly grant?: Grant; readonly log?: (entry: LogEntry) => void } = {},
): Promise<Client> {
  const { grant = grantOf(null), log } = more
  const events = new EventFeed(keepsake)
  const server = createMcpServer({ keepsake, scope, grant, events, ...(log === undefined ? {} : { log }) })
  const [ours, theirs] = InMemoryTransport.createLinkedPair()
  const client = newClient()
  await Promise.all([server.connect(theirs), client.connect(ours)])
  onTestFinished(() => client.close())
  return client
}

/** What a tool answered: its structured content (checked by the client against its schema) and its text. */
export interface Called<Structured> {
  readonly isError: boolean
  readonly structured: Structured
  readonly text: string
}

/** Calls a tool as a host does. */
export async function call<Structured = Record<string, unknown>>(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<Called<Structured>> {
  const result = (await client.callTool({ name, arguments: args })) as CallToolResult
  const [content] = result.content
  return {
    isError: result.isError === true,
    structured: result.structuredContent as Structured,
    text: content?.type === 'text' ? content.text : '',
  }
}

/** The parts of answers that tests look at. */
export interface RecallAnswer {
  readonly known: boolean
  readonly confidence: number
  readonly context: string
  readonly memories: readonly {
    readonly id: string | null
    readonly form: string
    readonly text: string
    readonly evidence: readonly { readonly turn: string; readonly text: string | null }[]
  }[]
}

export interface ListAnswer {
  readonly memories: readonly {
    readonly id: string
    readonly form: string
    readonly subject: string
    readonly key: string | null
    readonly value: string | null
    readonly text: string
    readonly status: string
    readonly before: readonly { readonly text: string }[]
  }[]
  readonly nextCursor: string | null
}
