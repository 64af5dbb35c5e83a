import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { allows } from '../access/access.ts'
import { translateError } from '../serving/errors.ts'
import type { McpServerOptions } from './create-mcp-server.ts'
import { readMetaKey } from './idempotency-key.ts'
import { ToolInputError, type MemoryTool } from './memory-tool.ts'
import { correctMemory, forgetMemory, stateMemory, undo } from './tools/change-tools.ts'
import { listMemories } from './tools/list-memories.ts'
import { recall } from './tools/recall.ts'
import { remember } from './tools/remember.ts'

/** Every tool, in the order in which they are listed. */
const ALL_TOOLS: readonly MemoryTool[] = [
  recall,
  remember,
  listMemories,
  stateMemory,
  correctMemory,
  forgetMemory,
  undo,
]

/** The tools that a grant opens. The others are not listed, and refused when called all the same. */
export function openTools({ grant, scope }: McpServerOptions): readonly MemoryTool[] {
  return ALL_TOOLS.filter(({ action }) => allows(grant, action, scope))
}

/** A call as the protocol brings it. */
export interface ToolCall {
  readonly name: string
  readonly arguments: unknown
  readonly meta?: Readonly<Record<string, unknown>> | undefined
  readonly abortSignal: AbortSignal
}

/** Calls a tool by name. Whatever goes wrong becomes an answer that a model can read and act on. */
export async function callTool(options: McpServerOptions, call: ToolCall): Promise<CallToolResult> {
  const { keepsake, scope, grant } = options
  const open = openTools(options)
  const tool = open.find(({ listed }) => listed.name === call.name)
  if (tool === undefined) return refused(whyNot(call.name, open))
  try {
    const context = {
      scope: keepsake.scope(scope),
      canWrite: allows(grant, 'write', scope),
      grant,
      idempotencyKey: readMetaKey(call.meta),
      abortSignal: call.abortSignal,
    }
    return await tool.call(context, call.arguments)
  } catch (error) {
    if (error instanceof ToolInputError) return refused(error.message)
    const problem = translateError(error)
    if (problem.status >= 500 && !call.abortSignal.aborted) {
      const cause = error instanceof Error ? error.name : typeof error
      options.log?.({ level: 'error', event: 'mcp-tool-failed', tool: call.name, code: problem.code, cause })
    }
    return refused(problem.message)
  }
}

function whyNot(name: string, open: readonly MemoryTool[]): string {
  const names = open.map(({ listed }) => listed.name).join(', ')
  const exists = ALL_TOOLS.some(({ listed }) => listed.name === name)
  return exists
    ? `This connection may not use ${name}: its access does not go so far. Open to it: ${names}. Nothing was done.`
    : `There is no tool of that name. There are: ${names}.`
}

function refused(sentence: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: sentence }] }
}
