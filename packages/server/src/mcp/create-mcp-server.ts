import { readFileSync } from 'node:fs'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import {
  CallToolRequestSchema,
  ListToolsRequestSchema,
  type CallToolResult,
} from '@modelcontextprotocol/sdk/types.js'
import type { KeepsakeError } from 'keepsake'
import { allows } from '../access/grant.ts'
import { translateError } from '../serving/errors.ts'
import { profileMarkdown } from './memory-markdown.ts'
import { registerMemoryResources } from './memory-resources.ts'
import { ToolInputError, type MemoryTool, type McpServerOptions } from './memory-tool.ts'
import { quoted } from './show-memory.ts'
import { registerMemoryPrompt, formatLesson } from './teach-memory.ts'
import { editBlock, listBlocks, writeBlock } from './tools/block-tools.ts'
import { correctMemory, forgetAbout, forgetMemory, stateMemory, undo } from './tools/change-tools.ts'
import { listDue } from './tools/due.ts'
import { aboutEntity, listEntities } from './tools/entities.ts'
import { listMemories } from './tools/list-memories.ts'
import { recall } from './tools/recall.ts'
import { remember } from './tools/remember.ts'

const PACKAGE_FILE = new URL('../../package.json', import.meta.url)
/** The version of this package, reported to clients. */
const { version } = JSON.parse(readFileSync(PACKAGE_FILE, 'utf8')) as { readonly version: string }

/** Creates an MCP server for one user and one connection, over any transport: tools, resources and a prompt. */
export function createMcpServer(options: McpServerOptions): McpServer {
  const { grant, keepsake, scope } = options
  const access = { canRead: allows(grant, 'read', scope), canWrite: allows(grant, 'write', scope) }
  const server = new McpServer(
    { name: 'keepsake', title: 'Keepsake memory', version },
    { instructions: formatLesson('en', access) },
  )
  registerTools(server, options)
  if (access.canRead) registerMemoryResources(server, options)
  registerMemoryPrompt(server, access, async () => {
    const profile = access.canRead ? await keepsake.scope(scope).profile() : { lines: [] }
    return profile.lines.length === 0 ? null : profileMarkdown(profile)
  })
  return server
}

/** Replaces the SDK's tool handlers, to report errors in sentences that a model can act on and to announce no list changes. */
function registerTools({ server }: McpServer, options: McpServerOptions): void {
  server.registerCapabilities({ tools: {} })
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: allowedTools(options).map(({ listed }) => listed),
  }))
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal }) =>
    callTool(options, {
      name: params.name,
      arguments: params.arguments,
      abortSignal: signal,
    }),
  )
}

/** All tools, in the order in which they are listed. */
const ALL_TOOLS: readonly MemoryTool[] = [
  recall,
  remember,
  listMemories,
  listDue,
  listEntities,
  aboutEntity,
  stateMemory,
  correctMemory,
  forgetMemory,
  forgetAbout,
  undo,
  listBlocks,
  writeBlock,
  editBlock,
]

/** Returns the tools that a grant allows. Others are not listed, and calls of them fail. */
function allowedTools({ grant, scope }: McpServerOptions): readonly MemoryTool[] {
  return ALL_TOOLS.filter(({ actions }) => actions.every((action) => allows(grant, action, scope)))
}

interface ToolCall {
  readonly name: string
  readonly arguments: unknown
  readonly abortSignal: AbortSignal
}

/** Calls a tool by name. Every failure becomes an answer that a model can read and act on. */
async function callTool(options: McpServerOptions, call: ToolCall): Promise<CallToolResult> {
  const { keepsake, scope, grant } = options
  const allowed = allowedTools(options)
  const tool = allowed.find(({ listed }) => listed.name === call.name)
  if (tool === undefined) return errorResult(explainUnavailable(call.name, allowed))
  try {
    const context = {
      scope: keepsake.scope(scope),
      canRead: allows(grant, 'read', scope),
      canWrite: allows(grant, 'write', scope),
      grant,
      abortSignal: call.abortSignal,
    }
    return await tool.call(context, call.arguments)
  } catch (error) {
    if (error instanceof ToolInputError) return errorResult(error.message)
    const problem = translateError(error)
    if (problem.status >= 500 && !call.abortSignal.aborted) {
      const cause = error instanceof Error ? error.name : typeof error
      options.log?.({ level: 'error', event: 'mcp-tool-failed', tool: call.name, code: problem.code, cause })
    }
    return errorResult(problem.code === 'not-found' ? explainMissing(error) : problem.message)
  }
}

/** For a missing name or id: the sentence that says which tool returns it. */
const SOURCES: Readonly<Record<string, string>> = {
  memory: 'recall and list_memories return the ids of memories.',
  entity: 'entities returns the names.',
  block: 'list_blocks returns the names of blocks.',
  operation:
    'edit_memory and forget_memory return ids of operations; undo without an id undoes the last change.',
}

function explainMissing(error: unknown): string {
  const { what, id } = (error as KeepsakeError).details
  return `There is no ${String(what)} ${quoted(String(id))} here. ${SOURCES[String(what)] ?? ''}`.trim()
}

function explainUnavailable(name: string, allowed: readonly MemoryTool[]): string {
  const names = allowed.map(({ listed }) => listed.name).join(', ')
  const exists = ALL_TOOLS.some(({ listed }) => listed.name === name)
  return exists
    ? `The key of this connection does not allow ${name}. It allows: ${names}. Nothing changed.`
    : `There is no tool with this name. The tools are: ${names}.`
}

function errorResult(sentence: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: sentence }] }
}
