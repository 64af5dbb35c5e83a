import { cleanId, type ErrorCode, given, InvalidInputError, KeepsakeError } from '@keepsake/text/names'
import type { RememberResult, ScopedMemory } from 'keepsake'
import { unreadable } from './import-error.ts'
import type { PlacedTurn } from './import-source.ts'
import { hashOf } from './name-turns.ts'

/** Number of turns in one transaction. A durable write of one turn takes as long as a write of many. */
const DEFAULT_BATCH_SIZE = 500

/** Counts of an import. */
export interface ImportResult {
  added: number
  /** Turns that existed already. */
  repeated: number
  /** Blocks that were written. An existing block of the same name stays unchanged. */
  blocks: number
  sessions: number
  masked: Record<string, number>
  users: string[]
}

/** The memory that receives turns, and how they are stored. */
export interface ImportTarget {
  /** Returns the memory in which a turn is stored. */
  readonly scopeOf: (item: PlacedTurn) => ScopedMemory
  /** Milliseconds of silence that end a session, for files that name no sessions. */
  readonly sessionGap: number
  /** Maximum number of turns in one transaction. Default 500. */
  readonly batch?: number
  /** Whether the last session continues later. */
  readonly keepOpen?: boolean
  /** Called after each batch with its number of turns. May throw to stop the import. */
  readonly onRecorded?: (turns: number, result: Readonly<ImportResult>) => void
}

type Batch = [PlacedTurn, ...PlacedTurn[]]
type Turns = Iterable<PlacedTurn> | AsyncIterable<PlacedTurn>

/** Records turns in order, ending each session when the next begins. */
export class TurnImport {
  readonly #target: ImportTarget
  readonly #users = new Set<string>()
  readonly #sessions = new Set<string>()
  readonly #result: ImportResult = { added: 0, repeated: 0, blocks: 0, sessions: 0, masked: {}, users: [] }

  constructor(target: ImportTarget) {
    this.#target = target
  }

  get result(): ImportResult {
    return { ...this.#result, sessions: this.#sessions.size, users: [...this.#users] }
  }

  /** Records turns. Turns that are already stored are recognised by their id. @throws ImportError, InvalidInputError naming file and line */
  async record(turns: Turns): Promise<void> {
    const { sessionGap, batch: maxSize = DEFAULT_BATCH_SIZE, keepOpen = false } = this.#target
    let open: OpenSession | null = null
    for await (const batch of batches(turns, sessionGap, maxSize)) open = await this.#recordBatch(batch, open)
    if (!keepOpen) await open?.end()
  }

  /** Records one batch: a block, statements, or turns of a session. @returns the session that may continue */
  async #recordBatch(batch: Batch, open: OpenSession | null): Promise<OpenSession | null> {
    const scope = this.#target.scopeOf(batch[0])
    if (batch[0].block !== undefined) {
      this.#users.add(scope.key.user)
      this.#result.blocks += await writeBlock(scope, batch[0])
      return open
    }
    if (batch[0].isStatement === true) {
      const added = await storeStatements(scope, batch)
      this.#result.added += added
      this.#result.repeated += batch.length - added
      this.#users.add(scope.key.user)
      this.#sessions.add(JSON.stringify([scope.key, batch[0].session]))
      this.#target.onRecorded?.(batch.length, this.#result)
      return open
    }
    const remembered = await recordBatch(scope, batch)
    addCounts(this.#result, remembered)
    this.#users.add(scope.key.user)
    const { session } = remembered
    if (session !== null) this.#sessions.add(JSON.stringify([scope.key, session]))
    const next = session === null ? open : openSession(scope, session)
    if (open !== null && next !== null && open.name !== next.name) await open.end()
    this.#target.onRecorded?.(batch.length, this.#result)
    return next
  }
}

/** A session that may continue. */
interface OpenSession {
  readonly name: string
  readonly end: () => Promise<void>
}

const openSession = (scope: ScopedMemory, session: string): OpenSession => ({
  name: JSON.stringify([scope.key, session]),
  end: () => endSession(scope, session),
})

/**
 * Records turns. If a message was edited since an earlier import, the new text is stored as another turn.
 *
 * @param turns the batch without repetitions, with new ids of edited turns
 * @throws InvalidInputError naming the line
 */
async function recordBatch(
  scope: ScopedMemory,
  batch: Batch,
  turns = withoutRepeats(batch),
): Promise<RememberResult> {
  try {
    const remembered = await scope.remember(
      turns.map(({ turn }) => turn),
      given({ session: cleanId(batch[0].session ?? '') || undefined }),
    )
    const toRemember = batch.filter(({ turn }) => turn.remember !== false)
    return { ...remembered, turns: toRemember.map(({ turn }) => turn.id ?? '') }
  } catch (error) {
    const isConflict = hasCode('turn-conflict', error)
    if (!isConflict && !(error instanceof InvalidInputError)) throw error
    const renamed = isConflict ? await renameEditedTurn(scope, turns, error.details['turn']) : null
    if (renamed === null) throw withPlace(error, turns)
    return recordBatch(scope, batch, renamed)
  }
}

/** Gives an edited turn a new id. Returns `null` if more than its text differs, such as the speaker. */
async function renameEditedTurn(
  scope: ScopedMemory,
  turns: readonly PlacedTurn[],
  id: unknown,
): Promise<PlacedTurn[] | null> {
  const edited = turns.find(({ turn }) => turn.id === id)
  const [stored] = typeof id === 'string' ? await scope.turns({ ids: [id] }) : []
  if (edited === undefined || stored === undefined || stored.text === edited.turn.text) return null
  const { role, speaker = null, text } = edited.turn
  if (role !== stored.role || speaker !== stored.speaker) return null
  const turn = { ...edited.turn, id: `${stored.id}~${hashOf(text)}` }
  return turns.map((placed) => (placed === edited ? { ...placed, turn } : placed))
}

/** Reports whether an error has a code. A check of the error's class would load the engine. */
const hasCode = (code: ErrorCode, error: unknown): error is KeepsakeError =>
  error instanceof KeepsakeError && error.code === code

/** Adds file and line to an engine's error, which only names the turn's index in the call. */
function withPlace(error: KeepsakeError, turns: readonly PlacedTurn[]): Error {
  const [, index = '0'] = /^turns\[(\d+)\]/.exec(error.message) ?? []
  const refused =
    error.code === 'turn-conflict'
      ? turns.find(({ turn }) => turn.id === error.details['turn'])
      : turns[Number(index)]
  if (refused === undefined) return error
  const message = error.message.replace(/^(?:turns\[\d+\]|turn)\.?/, '')
  return error instanceof InvalidInputError
    ? new InvalidInputError(`${refused.where}: ${message}`, error.details, error)
    : unreadable(`${refused.where}: ${message}`)
}

/** Removes repeated turns of overlapping exports. @throws ImportError for two turns with one id and different text */
function withoutRepeats(batch: Batch): PlacedTurn[] {
  const existing = new Map<string, PlacedTurn>()
  for (const placed of batch) {
    const id = placed.turn.id ?? String(existing.size)
    const first = existing.get(id)
    if (first === undefined) existing.set(id, placed)
    else if (first.turn.text !== placed.turn.text || first.turn.role !== placed.turn.role)
      throw unreadable(
        `${placed.where}: the turn at ${first.where} has the same id "${id}" and another text. Give each turn its own id.`,
      )
  }
  return [...existing.values()]
}

/** Splits turns into batches of one user and session. */
async function* batches(turns: Turns, gap: number, maxSize: number): AsyncGenerator<Batch> {
  let batch: Batch | null = null
  for await (const item of turns) {
    const last = batch?.at(-1)
    if (batch !== null && last !== undefined && batch.length < maxSize && belongsToBatch(last, item, gap))
      batch.push(item)
    else {
      if (batch !== null) yield batch
      batch = [item]
    }
  }
  if (batch !== null) yield batch
}

/** Reports whether a turn may be recorded in one batch with the turn before. */
function belongsToBatch(last: PlacedTurn, next: PlacedTurn, gap: number): boolean {
  if (last.block !== undefined || next.block !== undefined) return false
  // If the file names no sessions, the engine begins a new session after a silence.
  const silence = (next.turn.at ?? 0) - (last.turn.at ?? next.turn.at ?? 0)
  if (next.session === null && silence > gap) return false
  return (['user', 'agent', 'app', 'session'] as const).every((name) => last[name] === next[name])
}

/** Writes a block, unless the name exists: an agent may have edited that block. @returns the number of written blocks, 0 or 1 */
async function writeBlock(scope: ScopedMemory, { block, turn, where }: PlacedTurn): Promise<number> {
  const { name, limit } = block ?? { name: '', limit: 0 }
  const existing = await scope.memories({ names: [name], exactScope: true })
  if (existing.length > 0) return 0
  try {
    await scope.writeBlock(name, turn.text, { limit })
    return 1
  } catch (error) {
    // A block that the guidelines exclude is skipped, as facts are.
    if (hasCode('not-possible', error) && 'never' in error.details) return 0
    if (!(error instanceof InvalidInputError)) throw error
    throw new InvalidInputError(`${where}: ${error.message}`, error.details, error)
  }
}

const ALL_STATUSES = ['live', 'quarantined', 'deleted', 'forgotten', 'erased'] as const

/** Stores statements as notes under their ids. Existing ones, also turns or forgotten ones, stay unchanged. @returns the number of new notes */
async function storeStatements(scope: ScopedMemory, batch: Batch): Promise<number> {
  const notes = await scope.memories({ forms: ['note'], statuses: ALL_STATUSES, exactScope: true })
  const turns = await scope.turns({ ids: batch.flatMap(({ turn }) => turn.id ?? []) })
  const storedIds = new Set([...notes.map(({ name }) => name), ...turns.map(({ id }) => id)])
  const isNew = ({ turn }: PlacedTurn): boolean => turn.id === undefined || !storedIds.has(turn.id)
  const added = withoutRepeats(batch).filter(isNew)
  for (const { turn, session, where } of added) {
    const { id: name, text, metadata, at } = turn
    try {
      await scope.note(text, given({ name, metadata, at, session: cleanId(session ?? '') || undefined }))
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error
      throw new InvalidInputError(`${where}: ${error.message}`, error.details, error)
    }
  }
  return added.length
}

/** Ends a session. Ignores a missing one: an earlier import may have stored all its turns in another session. */
async function endSession(scope: ScopedMemory, session: string): Promise<void> {
  try {
    await scope.endSession(session)
  } catch (error) {
    if (!hasCode('not-found', error)) throw error
  }
}

function addCounts(result: ImportResult, { turns, added, maskedSecrets: masked }: RememberResult): void {
  result.added += added
  result.repeated += turns.length - added
  for (const { kind, count: times } of masked) result.masked[kind] = (result.masked[kind] ?? 0) + times
}
