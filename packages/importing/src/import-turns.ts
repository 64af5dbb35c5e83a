import { cleanId, type ErrorCode, given, InvalidInputError, KeepsakeError } from '@keepsake/text/names'
import type { RememberResult, ScopedMemory } from 'keepsake'
import { unreadable } from './import-error.ts'
import type { PlacedTurn } from './import-source.ts'
import { hashOf } from './name-turns.ts'

/** Turns recorded in one transaction, since a durable write costs the same for one and for many. */
const BATCH = 500

export interface ImportResult {
  added: number
  /** Turns that existed already. */
  repeated: number
  /** Blocks that were written. One whose name is there already stays as it is. */
  blocks: number
  sessions: number
  masked: Record<string, number>
  users: string[]
}

/** The target of an import, and its progress listener. */
export interface ImportTarget {
  readonly scopeOf: (placed: PlacedTurn) => ScopedMemory
  /** Milliseconds of silence that end a session, where the file names none. */
  readonly sessionGap: number
  /** Turns recorded at a time: 500 when absent. */
  readonly batch?: number
  /** Whether the last session continues later. */
  readonly keepOpen?: boolean
  /** Called after each batch with its number of turns. May throw, to stop. */
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

  /**
   * Records a file's turns. Existing turns are recognised by id, so that an import may be repeated.
   *
   * @throws ImportError, InvalidInputError naming file and line of what the engine refuses
   */
  async record(turns: Turns): Promise<void> {
    const { sessionGap, batch: most = BATCH, keepOpen = false } = this.#target
    let open: OpenSession | null = null
    for await (const batch of batches(turns, sessionGap, most)) open = await this.#recordBatch(batch, open)
    if (!keepOpen) await open?.end()
  }

  async #recordBatch(batch: Batch, open: OpenSession | null): Promise<OpenSession | null> {
    const scope = this.#target.scopeOf(batch[0])
    if (batch[0].block !== undefined) {
      this.#users.add(scope.key.user)
      this.#result.blocks += await writeBlock(scope, batch[0])
      return open
    }
    if (batch[0].isStatement === true) {
      const added = await keepStatements(scope, batch)
      this.#result.added += added
      this.#result.repeated += batch.length - added
      this.#users.add(scope.key.user)
      this.#sessions.add(JSON.stringify([scope.key, batch[0].session]))
      this.#target.onRecorded?.(batch.length, this.#result)
      return open
    }
    const remembered = await recordBatch(scope, batch)
    count(this.#result, remembered)
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
 * Records turns. A message that was edited since an earlier import is stored beside its first form.
 *
 * @throws InvalidInputError naming file and line of what the engine refuses
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
    const wanted = batch.filter(({ turn }) => turn.remember !== false)
    return { ...remembered, turns: wanted.map(({ turn }) => turn.id ?? '') }
  } catch (error) {
    const isPlaced = error instanceof InvalidInputError || isOf('turn-conflict', error)
    if (!isPlaced) throw error
    const named = isOf('turn-conflict', error) ? await withEdited(scope, turns, error.details['turn']) : null
    if (named === null) throw placed(error, turns)
    return recordBatch(scope, batch, named)
  }
}

/** The turns, an edited one under an id of its own; `null` where it differs in more than its words, as by another `speaker` setting. */
async function withEdited(
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
  return turns.map((one) => (one === edited ? { ...one, turn } : one))
}

/** The engine's error of a code. Its class would load the engine. */
const isOf = (code: ErrorCode, error: unknown): error is KeepsakeError =>
  error instanceof KeepsakeError && error.code === code

/** Adds the file's line to an error, whose index counts within the call. */
function placed(error: KeepsakeError, turns: readonly PlacedTurn[]): Error {
  const [, index = '0'] = /^turns\[(\d+)\]/.exec(error.message) ?? []
  const at =
    error.code === 'turn-conflict'
      ? turns.find(({ turn }) => turn.id === error.details['turn'])
      : turns[Number(index)]
  if (at === undefined || at.where === null) return error
  const message = error.message.replace(/^(?:turns\[\d+\]|turn)\.?/, '')
  return error instanceof InvalidInputError
    ? new InvalidInputError(`${at.where}: ${message}`, error.details, error)
    : unreadable(`${at.where}: ${message}`)
}

/** Drops repeated turns of overlapping exports. @throws ImportError for two turns with one id and different text */
function withoutRepeats(batch: Batch): PlacedTurn[] {
  const known = new Map<string, PlacedTurn>()
  for (const one of batch) {
    const id = one.turn.id ?? String(known.size)
    const first = known.get(id)
    if (first === undefined) known.set(id, one)
    else if (first.turn.text !== one.turn.text || first.turn.role !== one.turn.role)
      throw unreadable(
        `${one.where ?? 'A turn'}: the turn at ${first.where ?? 'another place'} has the same id "${id}" and another text. Give each turn its own id.`,
      )
  }
  return [...known.values()]
}

/** Splits turns into batches of one user and session. */
async function* batches(turns: Turns, gap: number, most: number): AsyncGenerator<Batch> {
  let batch: Batch | null = null
  for await (const placed of turns) {
    const last = batch?.at(-1)
    if (batch !== null && last !== undefined && batch.length < most && isTogether(last, placed, gap))
      batch.push(placed)
    else {
      if (batch !== null) yield batch
      batch = [placed]
    }
  }
  if (batch !== null) yield batch
}

function isTogether(one: PlacedTurn, other: PlacedTurn, gap: number): boolean {
  if (one.block !== undefined || other.block !== undefined) return false
  // A silence begins a session where the file names none, as the engine decides before each call.
  const silence = (other.turn.at ?? 0) - (one.turn.at ?? other.turn.at ?? 0)
  if (other.session === null && silence > gap) return false
  return (['user', 'agent', 'app', 'session'] as const).every((name) => one[name] === other[name])
}

/** Writes a block, unless one of its name is there: an agent may have edited it since. @returns how many were written */
async function writeBlock(scope: ScopedMemory, { block, turn, where }: PlacedTurn): Promise<number> {
  const { name, limit } = block ?? { name: '', limit: 0 }
  const known = await scope.memories({ names: [name], exactScope: true })
  if (known.length > 0) return 0
  try {
    await scope.writeBlock(name, turn.text, { limit })
    return 1
  } catch (error) {
    // What guidelines never keep is left out, as facts are.
    if (isOf('not-possible', error) && 'never' in error.details) return 0
    if (!(error instanceof InvalidInputError)) throw error
    throw new InvalidInputError(`${where ?? 'A block'}: ${error.message}`, error.details, error)
  }
}

const EVERY_STATUS = ['live', 'quarantined', 'deleted', 'forgotten', 'erased'] as const

/** Keeps statements as notes under their ids; one that is known, also as a turn or forgotten, stays as it is. @returns how many were kept */
async function keepStatements(scope: ScopedMemory, batch: Batch): Promise<number> {
  const notes = await scope.memories({ forms: ['note'], statuses: EVERY_STATUS, exactScope: true })
  const turns = await scope.turns({ ids: batch.flatMap(({ turn }) => turn.id ?? []) })
  const known = new Set([...notes.map(({ name }) => name), ...turns.map(({ id }) => id)])
  const isNew = ({ turn }: PlacedTurn): boolean => turn.id === undefined || !known.has(turn.id)
  const added = withoutRepeats(batch).filter(isNew)
  for (const { turn, session, where } of added) {
    const { id: name, text, metadata, at } = turn
    try {
      await scope.note(text, given({ name, metadata, at, session: cleanId(session ?? '') || undefined }))
    } catch (error) {
      if (!(error instanceof InvalidInputError)) throw error
      throw new InvalidInputError(`${where ?? 'A statement'}: ${error.message}`, error.details, error)
    }
  }
  return added.length
}

/** A session whose turns all exist in another session was not created. */
async function endSession(scope: ScopedMemory, session: string): Promise<void> {
  try {
    await scope.endSession(session)
  } catch (error) {
    if (!isOf('not-found', error)) throw error
  }
}

function count(result: ImportResult, { turns, added, maskedSecrets: masked }: RememberResult): void {
  result.added += added
  result.repeated += turns.length - added
  for (const { kind, count: times } of masked) result.masked[kind] = (result.masked[kind] ?? 0) + times
}
