import type { CallToolResult, Tool, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js'
import type { ScopedMemory, Keepsake, ScopeKey } from 'keepsake'
import { z } from 'zod'
import type { Action, Grant } from '../access/grant.ts'
import { hashOf } from '../serving/idempotency-key.ts'
import { MAX_KEY_LENGTH } from '../serving/request-store.ts'
import type { LogEntry } from '../server-context.ts'
import type { EventFeed } from '../serving/event-feed.ts'

/** The memory and grant of one MCP connection. */
export interface McpServerOptions {
  readonly keepsake: Keepsake
  readonly scope: ScopeKey
  /** Tools beyond the grant are neither listed nor callable. */
  readonly grant: Grant
  /** Notifies subscribers of resources; without it nothing can be subscribed to. */
  readonly events?: EventFeed
  /** Logs internal failures, without texts. */
  readonly log?: (entry: LogEntry) => void
}

export interface ToolContext {
  readonly scope: ScopedMemory
  /** Whether the key may read: without that, a change shows no words that the call did not send. */
  readonly canRead: boolean
  /** Whether the key may write: a recall without that reinforces nothing. */
  readonly canWrite: boolean
  readonly grant: Grant
  /** Aborted when the client cancels the call. */
  readonly abortSignal: AbortSignal
}

/** A tool's answer: structured for programs, and text for a model. */
interface ToolAnswer<Output> {
  readonly structured: Output
  readonly text: string
}

interface ToolDefinition<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string
  readonly title: string
  /** Read by the model that decides whether to call it. */
  readonly description: string
  readonly action: Extract<Action, 'read' | 'write'>
  /** Whether a tool that writes shows words of memory too, which takes a key that may read. */
  readonly reads?: boolean
  readonly annotations: Required<Pick<ToolAnnotations, 'destructiveHint' | 'idempotentHint'>>
  readonly input: Input
  readonly output: Output
  run(context: ToolContext, input: z.output<Input>): Promise<ToolAnswer<z.input<Output>>>
}

export interface MemoryTool {
  readonly actions: readonly Extract<Action, 'read' | 'write'>[]
  readonly listed: Tool
  /** @throws ToolInputError for arguments that its schema refuses; whatever the engine throws. */
  call(context: ToolContext, args: unknown): Promise<CallToolResult>
}

/** Invalid arguments of a tool. The message names each and says why. */
export class ToolInputError extends Error {
  override readonly name = 'ToolInputError'
}

/** The official SDK's clients validate answers in this dialect only. */
const DIALECT = 'draft-7'

export function memoryTool<Input extends z.ZodObject, Output extends z.ZodObject>(
  definition: ToolDefinition<Input, Output>,
): MemoryTool {
  const { name, title, description, action, reads, annotations, input, output } = definition
  const inputSchema = z.toJSONSchema(input, { target: DIALECT, io: 'input' })
  return {
    actions: reads === true ? [action, 'read'] : [action],
    listed: {
      name,
      title,
      description,
      inputSchema: inputSchema as Tool['inputSchema'],
      outputSchema: z.toJSONSchema(output, { target: DIALECT, io: 'output' }) as Tool['outputSchema'] &
        object,
      // Tools touch nothing but this memory.
      annotations: { title, readOnlyHint: action === 'read', openWorldHint: false, ...annotations },
    },
    async call(context, args) {
      const parsed = input.safeParse(readLeniently(args ?? {}, inputSchema))
      if (!parsed.success)
        throw new ToolInputError(describeIssues(name, parsed.error.issues, Object.keys(input.shape)))
      const { structured, text } = await definition.run(context, parsed.data)
      return { structuredContent: { ...structured }, content: [{ type: 'text', text }] }
    },
  }
}

type JsonSchema = z.core.JSONSchema._JSONSchema

/**
 * Corrects common mistakes of models at every depth: `null`, empty texts and empty lists for an absent option, `content` for `text`, an item
 * for a list of one, and numbers, booleans, lists and objects as text.
 */
function readLeniently(args: unknown, schema: JsonSchema): unknown {
  if (typeof args !== 'object' || args === null || typeof schema === 'boolean') return args
  const { properties = {}, required = [] } = schema
  const result: [string, unknown][] = []
  for (const [given, value] of Object.entries(args)) {
    const isText = given === 'content' && typeof value === 'string' && !('text' in args)
    const name =
      isText && properties['content'] === undefined && properties['text'] !== undefined ? 'text' : given
    const property = properties[name] ?? true
    const isAbsent = !required.includes(name) && isBlank(value, property)
    if (!isAbsent) result.push([name, readValue(value, property)])
  }
  return Object.fromEntries(result)
}

/** Whether a value means that an option is absent. */
function isBlank(value: unknown, schema: JsonSchema): boolean {
  if (typeof schema === 'boolean') return false
  if (value === null) return !typesOf(schema).has('null')
  if (value === '' || value === 'null') return !allowsEmpty(schema)
  return Array.isArray(value) && value.length === 0 && (schemaOf(schema, 'array').minItems ?? 0) > 0
}

function readValue(given: unknown, schema: JsonSchema): unknown {
  const types = typesOf(schema)
  const value = typeof given === 'string' ? readAsType(given, types) : given
  if (typeof value !== 'object' || value === null) return value
  if (!types.has('array')) return readLeniently(value, schemaOf(schema, 'object'))
  const { items } = schemaOf(schema, 'array')
  if (!Array.isArray(value) && types.has('object')) return readLeniently(value, schemaOf(schema, 'object'))
  const list: readonly unknown[] = Array.isArray(value) ? value : [value]
  return items === undefined || Array.isArray(items) ? list : list.map((item) => readValue(item, items))
}

/** Returns the schema, or its branch, for values of a type; an empty schema when there is none. */
function schemaOf(schema: JsonSchema, type: string): z.core.JSONSchema.BaseSchema {
  if (typeof schema === 'boolean') return {}
  if (schema.type === type) return schema
  const branch = schema.anyOf?.find((one) => typesOf(one).has(type))
  return typeof branch === 'object' ? branch : {}
}

function typesOf(schema: JsonSchema): ReadonlySet<unknown> {
  if (typeof schema === 'boolean') return new Set()
  return new Set([schema.type, ...(schema.anyOf ?? []).flatMap((branch) => [...typesOf(branch)])])
}

function allowsEmpty(schema: JsonSchema): boolean {
  if (typeof schema === 'boolean') return true
  const { type, minLength = 0, anyOf = [], format, pattern } = schema
  const isFree = minLength === 0 && schema.enum === undefined && format === undefined && pattern === undefined
  return (type === 'string' && isFree) || anyOf.some(allowsEmpty)
}

/** Converts a call's arguments to an object: some hosts send `null`, or JSON as text. */
export function withParsedArguments<Message>(message: Message): Message {
  const { params } = (message ?? {}) as { readonly params?: { readonly arguments?: unknown } | null }
  const args = params?.arguments
  if (args !== null && typeof args !== 'string') return message
  try {
    const parsed: unknown = args === null ? {} : JSON.parse(args)
    return { ...message, params: { ...params, arguments: parsed } }
  } catch {
    return message
  }
}

/** Parses text as JSON where the schema expects another type; a single item becomes a list of one. */
function readAsType(text: string, types: ReadonlySet<unknown>): unknown {
  if (types.has('string')) return text
  try {
    const value: unknown = JSON.parse(text)
    const type = Array.isArray(value) ? 'array' : typeof value
    return types.has(type) || (type === 'number' && types.has('integer')) ? value : text
  } catch {
    return types.has('array') ? [text] : text
  }
}

function describeIssues(tool: string, issues: readonly z.core.$ZodIssue[], names: readonly string[]): string {
  const taken = names.length === 0 ? 'no arguments' : names.join(', ')
  const problems = issues.map(({ code, path, message }) => {
    if (path.length > 0) return `${z.core.toDotPath(path)}: ${message}`
    return code === 'unrecognized_keys' ? `${message}. ${tool} takes ${taken}` : message
  })
  return `${tool} cannot take these arguments. ${problems.join('. ')}. Nothing changed. Fix the arguments and retry.`
}

/** The schema of a name or an id. */
export const shortText = z.string().trim().min(1).max(512)

/** The schema of the idempotency key as an argument, for models that repeat a call to which they got no answer. */
export const idempotencyKey = z.string().trim().min(1).max(MAX_KEY_LENGTH)

/** The engine's id for a call's turns, so that a repeated call stores none of them twice. */
export const callIdFor = ({ id }: Grant, key: string): string =>
  `call-${hashOf(['mcp', id, key]).slice(0, 32)}`
