import type { CallToolResult, Tool, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js'
import type { ScopedMemory } from 'keepsake'
import { z } from 'zod'
import type { Action, Grant } from '../access/access.ts'
import { hashOf, LONGEST_KEY } from '../serving/idempotency-key.ts'

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
interface ToolAnswer<Output> {
  readonly structured: Output
  readonly text: string
}

/** A tool, its schemas and what it does, in one place. */
interface ToolDefinition<Input extends z.ZodObject, Output extends z.ZodObject> {
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
  return `${tool} cannot take these arguments. ${said.join('. ')}. Nothing changed. Fix the arguments and retry.`
}

function dotted(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) =>
      typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part)}`,
    )
    .join('')
}

/**
 * Where a host puts the key of a call, for all that its model does not write itself: names in `_meta` have the prefix of
 * their reader.
 */
const IDEMPOTENCY_META = 'keepsake/idempotency-key'

/** The key as an argument, for models that call again what they saw no answer of. */
export const idempotencyKey = z.string().trim().min(1).max(LONGEST_KEY)

/** What the host of a call says its key is; `null`: nothing. @throws ToolInputError for one that is no key */
export function readMetaKey(meta: Readonly<Record<string, unknown>> | undefined): string | null {
  const given = meta?.[IDEMPOTENCY_META]
  if (given === undefined) return null
  const read = idempotencyKey.safeParse(given)
  if (read.success) return read.data
  throw new ToolInputError(
    `_meta["${IDEMPOTENCY_META}"] must be text of 1 to ${LONGEST_KEY} characters. Nothing changed. Fix it and retry.`,
  )
}

/** The id that the engine takes for a call's turns: the same call, made again, stores none of them twice. */
export const callIdFor = ({ id }: Grant, key: string): string =>
  `call-${hashOf(['mcp', id, key]).slice(0, 32)}`
