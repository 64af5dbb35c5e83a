import type { ServerRequest, ServerDeps } from '@keepsake/server'
import { given } from '@keepsake/text/names'
import type { Metadata } from 'keepsake'
import { z } from 'zod'
import { metadataSchema } from './read-add.ts'
import { findLive, removeIfLive, type FoundMemory } from './find-memory.ts'
import { keyOf } from './mem0-names.ts'
import { isoTime, joinMetadata, nameInPlaceOf, presentMemory, splitMetadata } from './present-memory.ts'
import { readJsonBody, refuse } from './read-body.ts'

const text = z
  .string('must be a string')
  .refine((value) => value.trim() !== '', 'must not be empty; delete the memory instead')

/** The new text is `text` for the hosted service, and `data` or `memory` for older clients and the self-hosted server. */
const updateSchema = z.strictObject({
  text: text.nullish(),
  data: text.nullish(),
  memory: text.nullish(),
  metadata: metadataSchema.nullish(),
  timestamp: z
    .null('is not supported: the time of a message cannot be changed; add it again with its timestamp')
    .optional(),
})

interface Update {
  readonly newText: string | null
  readonly metadata: Metadata | null
}

/** Updates a memory's text or metadata. @throws Problem 400, 403, 404, 409 */
export async function updateMemory(deps: ServerDeps, c: ServerRequest): Promise<object> {
  const id = c.req.param('id') ?? ''
  const body = await readJsonBody(c, updateSchema)
  const update = { newText: body.text ?? body.data ?? body.memory ?? null, metadata: body.metadata ?? null }
  requireUpdate(update, 'body')
  await applyUpdate(deps, await findLive(deps, c, id, 'write'), update)
  const { current, row } = await findLive(deps, c, id, 'write')
  const presented = presentMemory(current, row)
  return { ...presented, text: presented.memory }
}

function requireUpdate({ newText, metadata }: Update, where: string): void {
  if (newText === null && metadata === null) throw refuse(`${where}.text`, 'is missing, and so is metadata')
}

/**
 * Updates a memory. The text of a message cannot be changed: a note with its metadata replaces it under the same id, and the message is
 * deleted once the note is durable.
 */
async function applyUpdate(deps: ServerDeps, found: FoundMemory, update: Update): Promise<void> {
  const { id, current, scope, row } = found
  const newText = update.newText === current.text ? null : update.newText
  const { callerMetadata, ownMetadata } = splitMetadata(current)
  const isFact = current.form === 'fact'
  const updated =
    newText === null || isFact ? ownMetadata : { ...ownMetadata, updated_at: isoTime(deps.now()) }
  if (newText !== null && current.form === 'utterance') {
    await deps.keepsake.scope(keyOf(row)).note(newText, {
      name: nameInPlaceOf(id),
      metadata: joinMetadata(update.metadata ?? callerMetadata, { ...updated, replaces: id }),
      ...given({ session: current.session === '' ? undefined : current.session }),
      at: current.learnedAt,
    })
    await removeIfLive(scope, current.id)
    return
  }
  const hasSameMetadata = update.metadata === null && updated === ownMetadata
  const metadata = hasSameMetadata ? undefined : joinMetadata(update.metadata ?? callerMetadata, updated)
  if (newText !== null || metadata !== undefined)
    await scope.edit(current.id, given({ text: newText ?? undefined, metadata }))
}

/** Deletes a memory. Its history still contains it, and REST can undo the deletion. */
export async function deleteMemory(deps: ServerDeps, c: ServerRequest): Promise<object> {
  const { scope, current } = await findLive(deps, c, c.req.param('id') ?? '', 'write')
  await scope.forget(current.id)
  return { message: 'Memory deleted successfully!' }
}

const MAX_BATCH_SIZE = 1_000
const idSchema = z.string('must be a string').min(1, 'must not be empty')
const listOf = <Entry extends z.ZodType>(entry: Entry) =>
  z.strictObject({
    memories: z
      .array(entry)
      .min(1, 'must not be empty')
      .max(MAX_BATCH_SIZE, `has more than ${MAX_BATCH_SIZE} memories`),
  })
const batchUpdateSchema = listOf(
  z.strictObject({ memory_id: idSchema, text: text.nullish(), metadata: metadataSchema.nullish() }),
)
const batchDeleteSchema = listOf(
  z.union([z.strictObject({ memory_id: idSchema }), idSchema.transform((memory_id) => ({ memory_id }))]),
)

/** Updates several memories. Changes none if one of them is missing. */
export async function updateBatch(deps: ServerDeps, c: ServerRequest): Promise<object> {
  const { memories } = await readJsonBody(c, batchUpdateSchema)
  const changes: { readonly found: FoundMemory; readonly update: Update }[] = []
  for (const [index, { memory_id: id, text: newText = null, metadata = null }] of memories.entries()) {
    requireUpdate({ newText, metadata }, `body.memories.${index}`)
    changes.push({ found: await findLive(deps, c, id, 'write'), update: { newText, metadata } })
  }
  for (const { found, update } of changes) await applyUpdate(deps, found, update)
  return { message: `Successfully updated ${memories.length} memories` }
}

/** Deletes several memories. Deletes none if one of them is missing. */
export async function deleteBatch(deps: ServerDeps, c: ServerRequest): Promise<object> {
  const { memories } = await readJsonBody(c, batchDeleteSchema)
  const ids = new Set(memories.map(({ memory_id: id }) => id))
  const found: FoundMemory[] = []
  for (const id of ids) found.push(await findLive(deps, c, id, 'write'))
  for (const { scope, current } of found) await removeIfLive(scope, current.id)
  return { message: `Successfully deleted ${ids.size} memories` }
}

const feedbackSchema = z.strictObject({
  memory_id: idSchema,
  feedback: z
    .enum(['POSITIVE', 'NEGATIVE', 'VERY_NEGATIVE'], { error: 'must be POSITIVE, NEGATIVE or VERY_NEGATIVE' })
    .nullish(),
  feedback_reason: z.string('must be a string').max(4_096, 'is longer than 4,096 characters').nullish(),
})

/** Stores a caller's feedback on a memory. Filters can use it; it has no other effect. */
export async function giveFeedback(deps: ServerDeps, c: ServerRequest): Promise<object> {
  const { memory_id: id, feedback = null, feedback_reason = null } = await readJsonBody(c, feedbackSchema)
  const { scope, current } = await findLive(deps, c, id, 'write')
  const { callerMetadata, ownMetadata } = splitMetadata(current)
  const metadata = joinMetadata(callerMetadata, { ...ownMetadata, feedback, feedback_reason })
  await scope.edit(current.id, { metadata })
  return { id, message: 'Feedback noted' }
}
