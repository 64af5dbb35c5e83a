import { NotPossibleError, type Memory, type ScopedMemory, type ScopeRow } from 'keepsake'
import { z } from 'zod'
import { Problem } from '../problem.ts'
import type { ServerRequest } from '../server-context.ts'
import { findMemory, historyOf, readLive, type FoundMemory } from './find-memory.ts'
import { keyOf, requireUtterances, type Mem0Door } from './mem0-door.ts'
import type { Metadata } from './mem0-notes.ts'
import { presentMemory, type Mem0Memory } from './present-memory.ts'
import { metadataSchema } from './read-add.ts'
import { readJsonBody, refuse } from './read-body.ts'

const text = z
  .string('must be a string')
  .refine((value) => value.trim() !== '', 'must not be empty; delete the memory instead')

/** `text` of the hosted service, `data` and `memory` of older clients and the self-hosted server. */
const updateSchema = z.strictObject({
  text: text.nullish(),
  data: text.nullish(),
  memory: text.nullish(),
  metadata: metadataSchema.nullish(),
  timestamp: z
    .null('is not supported: when something was said cannot be changed; add it again with its timestamp')
    .optional(),
})

/** Changes what a memory says, or what is kept with it. @throws Problem 400, 403, 404, 409 */
export async function updateMemory(
  door: Mem0Door,
  c: ServerRequest,
  id: string,
): Promise<Mem0Memory & { readonly text: string }> {
  const body = await readJsonBody(c, updateSchema)
  const words = body.text ?? body.data ?? body.memory ?? null
  if (words === null && (body.metadata ?? null) === null)
    throw refuse('body.text', 'is missing, and so is metadata')
  const found = await findMemory(door, c, id, 'write')
  const { memory, row } = await applyUpdate(door, found, words, body.metadata ?? null)
  const shown = presentMemory(memory, row, found.notes)
  return { ...shown, text: shown.memory }
}

/** One at a time for a person: two that replaced the same words would both stand for them. */
async function applyUpdate(
  door: Mem0Door,
  given: FoundMemory,
  words: string | null,
  metadata: Metadata | null,
): ReturnType<typeof readLive> {
  return door.queue.run(given.person, async () => {
    const found = renewed(door, given)
    const { memory, row } = await readLive(door, found)
    if (metadata !== null) door.notes.noteMetadata(found.person, found.id, metadata)
    if (words !== null && words !== memory.text) {
      if (memory.form === 'utterance') await replaceWords(door, found, memory, words, row)
      else await found.scope.edit(memory.id, { text: words })
    }
    return readLive(door, renewed(door, found))
  })
}

const renewed = ({ notes }: Mem0Door, found: FoundMemory): FoundMemory => ({
  ...found,
  versions: notes.versions(found.id),
})

/**
 * What was said is never edited: other words are a message of their own, which stands for the memory from then on under the
 * same id. The old one is deleted after the new one is durable, so that nothing is lost between.
 */
async function replaceWords(
  door: Mem0Door,
  found: FoundMemory,
  memory: Memory,
  words: string,
  row: ScopeRow,
): Promise<void> {
  requireUtterances(door)
  const scope = door.deps.keepsake.scope(keyOf(row))
  const turn = door.deps.newId()
  const kept = presentMetadata(found, memory)
  if (kept !== null) door.notes.noteMetadata(found.person, found.id, kept)
  await scope.remember({ id: turn, role: 'other', speaker: 'user', text: words }, { session: memory.session })
  const standing = await waitForMemory(door, scope, memory.session, turn)
  door.notes.replace(found.person, found.id, standing.id)
  await removeIfLive(found.scope, memory.id)
}

function presentMetadata({ id, notes }: FoundMemory, memory: Memory): Metadata | null {
  if (notes.memory(id)?.metadata !== undefined && notes.memory(id)?.metadata !== null) return null
  const came = memory.evidence.flatMap(({ turn }) => notes.turn(turn) ?? [])
  return came.length === 0 ? null : Object.assign({}, ...came)
}

async function waitForMemory(
  { deps }: Mem0Door,
  scope: ScopedMemory,
  session: string,
  turn: string,
): Promise<Memory> {
  const find = async (): Promise<Memory | undefined> => {
    await scope.drain()
    const memories = await scope.memories({ session, forms: ['utterance'] })
    return memories.find((one) => one.evidence.some((evidence) => evidence.turn === turn))
  }
  const soon = await find()
  if (soon !== undefined) return soon
  // A message before it waits for its answer; the end of the session closes that.
  await scope.endSession(session)
  const late = await find()
  if (late !== undefined) return late
  deps.log({ level: 'error', event: 'mem0-update-not-kept' })
  throw new Problem(
    503,
    'not-consolidated',
    'The new words are remembered, but no memory of them was made yet. Try again.',
    {
      retryAfter: 1,
    },
  )
}

/** Deletes a memory: it leaves every answer, and its history keeps it. Can be undone over REST. */
export async function deleteMemory(door: Mem0Door, c: ServerRequest, id: string): Promise<void> {
  const found = await findMemory(door, c, id, 'write')
  const { memory } = await readLive(door, found)
  await found.scope.remove(memory.id)
}

/** @returns whether it was live: deleting a fact deletes what was said with it, which may come later in the same list. */
export async function removeIfLive(scope: FoundMemory['scope'], memory: string): Promise<boolean> {
  try {
    await scope.remove(memory)
    return true
  } catch (error) {
    if (error instanceof NotPossibleError) return false
    throw error
  }
}

const MOST = 1_000
const id = z.string('must be a string').min(1, 'must not be empty')
const many = <Entry extends z.ZodType>(entry: Entry) =>
  z.strictObject({
    memories: z.array(entry).min(1, 'must not be empty').max(MOST, `holds more than ${MOST} memories`),
  })
const batchUpdateSchema = many(
  z.strictObject({ memory_id: id, text: text.nullish(), metadata: metadataSchema.nullish() }),
)
const batchDeleteSchema = many(
  z.union([z.strictObject({ memory_id: id }), id.transform((memory_id) => ({ memory_id }))]),
)

/** Updates several. All are looked up before any is changed. @returns how many. */
export async function updateBatch(door: Mem0Door, c: ServerRequest): Promise<number> {
  const { memories } = await readJsonBody(c, batchUpdateSchema)
  const found = await findAll(
    door,
    c,
    memories.map((one) => one.memory_id),
  )
  for (const [index, one] of memories.entries()) {
    const memory = found[index]
    if ((one.text ?? null) === null && (one.metadata ?? null) === null)
      throw refuse(`body.memories.${index}.text`, 'is missing, and so is metadata')
    if (memory !== undefined) await readLive(door, memory)
  }
  for (const [index, one] of memories.entries()) {
    const memory = found[index]
    if (memory === undefined) continue
    await applyUpdate(door, memory, one.text ?? null, one.metadata ?? null)
  }
  return memories.length
}

/** Deletes several. All are looked up before any is deleted. @returns how many. */
export async function deleteBatch(door: Mem0Door, c: ServerRequest): Promise<number> {
  const { memories } = await readJsonBody(c, batchDeleteSchema)
  const ids = [...new Set(memories.map((one) => one.memory_id))]
  const found = await findAll(door, c, ids)
  for (const memory of found) await readLive(door, memory)
  for (const memory of found) await removeIfLive(memory.scope, memory.versions.at(-1) ?? memory.id)
  return ids.length
}

async function findAll(
  door: Mem0Door,
  c: ServerRequest,
  ids: readonly string[],
): Promise<readonly FoundMemory[]> {
  const found: FoundMemory[] = []
  for (const one of ids) found.push(await findMemory(door, c, one, 'write'))
  return found
}

const feedbackSchema = z.strictObject({
  memory_id: id,
  feedback: z
    .enum(['POSITIVE', 'NEGATIVE', 'VERY_NEGATIVE'], { error: 'must be POSITIVE, NEGATIVE or VERY_NEGATIVE' })
    .nullish(),
  feedback_reason: z.string('must be a string').max(4_096, 'is longer than 4,096 characters').nullish(),
})

/** Notes what a caller thinks of a memory. It can be filtered by, and changes nothing else. */
export async function noteFeedback(door: Mem0Door, c: ServerRequest): Promise<string> {
  const body = await readJsonBody(c, feedbackSchema)
  const found = await findMemory(door, c, body.memory_id, 'write')
  if ((await historyOf(found.scope, found.versions.at(-1) ?? found.id)) === null)
    throw new Problem(404, 'not-found', 'There is no such memory.')
  door.notes.noteFeedback(found.person, found.id, body.feedback ?? null, body.feedback_reason ?? null)
  return found.id
}
