// Reads the body of a request that adds memories.
import { given, faultOfId } from '@keepsake/text/names'
import { createHash } from 'node:crypto'
import type { ServerRequest } from '@keepsake/server'
import { attachmentsIn, textWithAttachments, type Metadata } from 'keepsake'
import { z } from 'zod'
import type { AddRequest, NewMessage } from './add-messages.ts'
import { OWN_FIELD } from './present-memory.ts'
import { INSTRUCTIONS } from './project-settings.ts'
import { readJsonBody, refuse } from './read-body.ts'

/** Some callers use numbers as user names. */
const nameSchema = z
  .union([z.string(), z.number()], { error: 'must be a string' })
  .transform(String)
  .pipe(z.string().min(1, 'must not be empty').max(512, 'is longer than 512 characters'))
  .superRefine((id, context) => {
    const message = faultOfId(id)
    if (message !== null) context.addIssue({ code: 'custom', message })
  })
const optionalName = nameSchema.nullish().transform((value) => value ?? null)

/** The fields that name a user, agent, app or run, in any request. */
export const ENTITIES = {
  user_id: optionalName,
  agent_id: optionalName,
  app_id: optionalName,
  run_id: optionalName,
}

const partSchema = z.looseObject({ type: z.string(), text: z.string().optional() })
const contentSchema = z
  .union([z.string(), partSchema, z.array(partSchema)], {
    error: 'must be a string, or parts such as {"type": "text", "text": "…"}',
  })
  .nullish()
/** Roles by the words that other libraries use for them. */
const ROLES = {
  user: 'user',
  human: 'user',
  assistant: 'assistant',
  ai: 'assistant',
  system: 'system',
  developer: 'system',
  tool: 'tool',
  function: 'tool',
} as const
const roleWords = Object.keys(ROLES) as (keyof typeof ROLES)[]
/** Fields of messages of model APIs and other libraries. Mem0 accepts and ignores them. */
const IGNORED_FIELDS = Object.fromEntries(
  'tool_calls tool_call_id function_call refusal audio annotations id timestamp created_at metadata reasoning reasoning_content'
    .split(' ')
    .map((field) => [field, z.unknown().optional()]),
)
const messageSchema = z.strictObject({
  role: z
    .preprocess(
      (word) => (typeof word === 'string' ? word.toLowerCase() : word),
      z.enum(roleWords, { error: 'must be user, assistant, system or tool' }),
    )
    .transform((word) => ROLES[word]),
  content: contentSchema,
  name: z.string().min(1).max(512).nullish(),
  ...IGNORED_FIELDS,
})

/** Maximum length of metadata as JSON, which is enough for a note about a memory. */
const MAX_METADATA_LENGTH = 16_384

export const metadataSchema = z
  .record(z.string(), z.unknown(), { error: 'must be an object' })
  .refine((value) => JSON.stringify(value).length <= MAX_METADATA_LENGTH, {
    error: `is longer than ${MAX_METADATA_LENGTH} characters as JSON`,
  })
  .refine((value) => !Object.hasOwn(value, OWN_FIELD), {
    error: `has a field "${OWN_FIELD}", which this server keeps for itself`,
  })
  // The value was parsed from JSON, so it is valid metadata.
  .transform((value) => value as Metadata)

/** Some clients send a boolean as a string, as they may to Mem0. */
export const flag = z.preprocess(
  (value) => (value === 'true' ? true : value === 'false' ? false : value),
  z.boolean('must be true or false').nullish(),
)

const TIMESTAMP_PROBLEM = 'must be whole seconds since 1970 (not milliseconds)'
/** Year 5138 in seconds. A larger number is in milliseconds. */
const MAX_SECONDS = 99_999_999_999
const MAX_MESSAGES = 1_000

const addSchema = z.strictObject({
  ...ENTITIES,
  ...INSTRUCTIONS,
  messages: z.union(
    [
      z.string().min(1, 'must not be empty'),
      messageSchema,
      z.array(messageSchema).min(1, 'must not be empty').max(MAX_MESSAGES),
    ],
    { error: 'must be a string, or messages such as {"role": "user", "content": "…"}' },
  ),
  metadata: metadataSchema.nullish(),
  infer: flag,
  async_mode: flag,
  timestamp: z.int(TIMESTAMP_PROBLEM).min(0, TIMESTAMP_PROBLEM).max(MAX_SECONDS, TIMESTAMP_PROBLEM).nullish(),
})

type Message = z.infer<typeof messageSchema>

/** Reads the body of an add. @throws Problem 400 naming the field. */
export async function readAdd(c: ServerRequest): Promise<AddRequest> {
  const body = await readJsonBody(c, addSchema)
  const { messages, metadata, infer, async_mode: isAsync, timestamp, ...others } = body
  if (typeof messages === 'string' && messages.trim() === '')
    throw refuse('body.messages', 'contains no text')
  const at = (timestamp ?? null) === null ? null : Number(timestamp) * 1_000
  const { user_id, agent_id, app_id, run_id, ...instructions } = others
  const entities = { user_id, agent_id, app_id, run_id }
  const owner = { user: user_id, agent: agent_id, app: app_id, run: run_id }
  return {
    entities,
    messages: listOf(messages).flatMap((input, index): NewMessage[] => {
      // Mem0 stores no results of tools.
      if (input.role === 'tool') return []
      const message = readMessage(input)
      if (message.text.trim() === '' && message.attachments === undefined) return []
      if (at === null) return [message]
      return [{ ...message, at, id: idOf([at, index, infer ?? true, owner], message) }]
    }),
    metadata: metadata ?? null,
    infer: infer ?? true,
    instructions,
    isAsync: isAsync ?? false,
  }
}

function listOf(messages: string | Message | readonly Message[]): readonly Message[] {
  if (typeof messages === 'string') return [{ role: 'user', content: messages }]
  return 'role' in messages ? [messages] : messages
}

/** Reads the text and the attachments of a message. A message that only calls a tool has neither. */
function readMessage({ role, content, name: speaker }: Message): NewMessage {
  const parts = [content ?? []].flat()
  const texts = parts.flatMap((part) => (typeof part === 'string' ? part : (part.text ?? [])))
  const attachments = attachmentsIn(parts)
  return {
    role,
    text: texts.join('\n'),
    ...given({
      speaker: speaker ?? undefined,
      attachments: attachments.length === 0 ? undefined : attachments,
    }),
  }
}

/** Returns the id of a message with a time. It is always the same, so that a repeated backfill stores nothing twice. */
function idOf(context: readonly unknown[], { role, speaker, text, attachments = [] }: NewMessage): string {
  const content = JSON.stringify([...context, role, speaker ?? null, textWithAttachments(text, attachments)])
  return `mem0-${createHash('sha256').update(content).digest('hex').slice(0, 40)}`
}
