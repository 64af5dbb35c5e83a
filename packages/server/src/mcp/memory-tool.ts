import type { CallToolResult, Tool, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js'
import type { ScopedMemory } from 'keepsake'
import { z } from 'zod'
import type { Action, Grant } from '../access/access.ts'

/** What a tool works with. */
export interface ToolContext {
  readonly scope: ScopedMemory
  /** Whether the key may change anything: a recall through one that may not strengthens nothing. */
  readonly canWrite: boolean
  /** By whom it is called. */
  readonly grant: Grant
  /** Under which the call may come again, as its host says; `null`: it says nothing. */
  readonly idempotencyKey: string | null
  /** Aborted when the client takes its call back. */
  readonly abortSignal: AbortSignal
}

/** What a tool answers: for programs by its schema, and for a model that is shown only text. */
export interface ToolAnswer<Output> {
  readonly structured: Output
  readonly text: string
}

/** A tool, its schemas and what it does, in one place. */
export interface ToolDefinition<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string
  readonly title: string
  /** Read by the model that decides whether to call it. */
  readonly description: string
  readonly action: Extract<Action, 'read' | 'write'>
  readonly annotations: Required<Pick<ToolAnnotations, 'destructiveHint' | 'idempotentHint'>>
  readonly input: Input
  readonly output: Output
  run(context: ToolContext, input: z.output<Input>): Promise<ToolAnswer<z.input<Output>>>
}

/** A tool as the server lists and calls it. */
export interface MemoryTool {
  readonly action: Extract<Action, 'read' | 'write'>
  readonly listed: Tool
  /** @throws ToolInputError for arguments that its schema does not take; whatever the engine throws. */
  call(context: ToolContext, given: unknown): Promise<CallToolResult>
}

/** Arguments that a tool does not take. The message names each and says why. */
export class ToolInputError extends Error {
  override readonly name = 'ToolInputError'
}

/** Clients of the official SDK check answers with a validator that knows this dialect alone. */
const DIALECT = 'draft-7'

/** Makes a tool of its definition. */
export function memoryTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: ToolDefinition<Input, Output>,
): MemoryTool {
  const { name, title, description, action, annotations, input, output } = definition
  return {
    action,
    listed: {
      name,
      title,
      description,
      inputSchema: z.toJSONSchema(input, { target: DIALECT, io: 'input' }) as Tool['inputSchema'],
      outputSchema: z.toJSONSchema(output, { target: DIALECT, io: 'output' }) as Tool['outputSchema'] &
        object,
      // Nothing but this memory is ever touched.
      annotations: { title, readOnlyHint: action === 'read', openWorldHint: false, ...annotations },
    },
    async call(context, given) {
      const parsed = input.safeParse(given ?? {})
      if (!parsed.success) throw new ToolInputError(sayIssues(name, parsed.error.issues))
      const { structured, text } = await definition.run(context, parsed.data)
      return { structuredContent: { ...structured }, content: [{ type: 'text', text }] }
    },
  }
}

function sayIssues(tool: string, issues: readonly z.core.$ZodIssue[]): string {
  const said = issues.map(({ path, message }) =>
    path.length === 0 ? message : `${dotted(path)}: ${message}`,
  )
  return `${tool} cannot take these arguments. ${said.join('. ')}. Nothing was done: mend them and call again.`
}

function dotted(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) =>
      typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`,
    )
    .join('')
}
