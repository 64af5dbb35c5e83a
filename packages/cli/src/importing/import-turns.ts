import { InvalidInputError, NotFoundError, TurnConflictError } from 'keepsake'
import type { Keepsake, Remembered, ScopedMemory } from 'keepsake'
import { wrongUsage } from '../cli-error.ts'
import { given } from '../given.ts'
import type { Progress } from '../output/progress.ts'
import type { SharedOptions } from '../shared-options.ts'
import type { ImportSource, PlacedTurn } from './import-source.ts'
import { LeftOut } from './left-out.ts'

/** Turns recorded in one transaction: a durable write costs the same for one and for many. */
const BATCH = 500

/** What an import did. */
export interface ImportResult {
  added: number
  /** Turns that were there already. */
  repeated: number
  sessions: number
  /** Secrets masked, by kind. */
  masked: Record<string, number>
  users: string[]
}

interface ImportOptions extends Readonly<SharedOptions['person']> {
  /** Whether more of the last session is to follow. */
  readonly keepOpen?: boolean
}

type Batch = [PlacedTurn, ...PlacedTurn[]]

/** Records the turns of the sources in their order, ending each session when the next begins. */
export async function importTurns(
  memory: Keepsake,
  sources: readonly (ImportSource & { readonly total: number })[],
  options: ImportOptions,
  progress: Progress,
): Promise<ImportResult> {
  const result: ImportResult = { added: 0, repeated: 0, sessions: 0, masked: {}, users: [] }
  const users = new Set<string>()
  const sessions = new Set<string>()
  for (const source of sources) {
    progress.start(source.name, source.total)
    let open: { readonly name: string; readonly end: () => Promise<void> } | null = null
    for (const batch of batches(source.turns(new LeftOut()), memory.preset.sessionGap)) {
      const scope = scopeOf(memory, source, batch[0], options)
      const remembered = await record(scope, batch)
      count(result, remembered)
      users.add(scope.key.user)
      const { session } = remembered
      if (session !== null) {
        const name = JSON.stringify([scope.key, session])
        if (open !== null && open.name !== name) await open.end()
        open = { name, end: () => endSession(scope, session) }
        sessions.add(name)
      }
      progress.add(batch.length)
    }
    if (options.keepOpen !== true) await open?.end()
  }
  progress.stop()
  return { ...result, sessions: sessions.size, users: [...users] }
}

/** @throws InvalidInputError naming file and line of what the engine does not take */
async function record(scope: ScopedMemory, batch: Batch): Promise<Remembered> {
  const turns = withoutRepeats(batch)
  try {
    const remembered = await scope.remember(
      turns.map(({ turn }) => turn),
      given({ session: batch[0].session ?? undefined }),
    )
    const wanted = batch.filter(({ turn }) => turn.remember !== false)
    return { ...remembered, turns: wanted.map(({ turn }) => turn.id ?? '') }
  } catch (error) {
    if (!(error instanceof InvalidInputError || error instanceof TurnConflictError)) throw error
    throw placed(error, turns)
  }
}

/** The error with the line that it is about: the engine counts turns within the call. */
function placed(error: InvalidInputError | TurnConflictError, turns: readonly PlacedTurn[]): Error {
  const [, index = '0'] = /^turns\[(\d+)\]/.exec(error.message) ?? []
  const at =
    error instanceof TurnConflictError
      ? turns.find(({ turn }) => turn.id === error.details['turn'])
      : turns[Number(index)]
  if (at === undefined || at.where === null) return error
  const message = error.message.replace(/^(?:turns\[\d+\]|turn)\.?/, '')
  return error instanceof InvalidInputError
    ? new InvalidInputError(`${at.where}: ${message}`, error.details, error)
    : wrongUsage(`${at.where}: ${message}`)
}

/** Exports that were saved while more was added overlap. @throws CliError for two turns of one id that say different things */
function withoutRepeats(batch: Batch): PlacedTurn[] {
  const known = new Map<string, PlacedTurn>()
  for (const one of batch) {
    const id = one.turn.id ?? String(known.size)
    const first = known.get(id)
    if (first === undefined) known.set(id, one)
    else if (first.turn.text !== one.turn.text || first.turn.role !== one.turn.role)
      throw wrongUsage(
        `${one.where ?? 'A turn'}: the turn of ${first.where ?? 'another place'} has the id "${id}" too and says something else. Give each an id of its own.`,
      )
  }
  return [...known.values()]
}

/** Turns that follow each other and belong together. */
function* batches(turns: Iterable<PlacedTurn>, gap: number): Generator<Batch> {
  let batch: Batch | null = null
  for (const placed of turns) {
    const last = batch?.at(-1)
    if (batch !== null && last !== undefined && batch.length < BATCH && isTogether(last, placed, gap))
      batch.push(placed)
    else {
      if (batch !== null) yield batch
      batch = [placed]
    }
  }
  if (batch !== null) yield batch
}

function isTogether(one: PlacedTurn, other: PlacedTurn, gap: number): boolean {
  // A silence begins a session where the file names none; the engine looks for one before each call.
  const silence = (other.turn.at ?? 0) - (one.turn.at ?? other.turn.at ?? 0)
  if (other.session === null && silence > gap) return false
  return (['user', 'agent', 'app', 'session'] as const).every((name) => one[name] === other[name])
}

/** One whose turns are all known from another session is not there. */
async function endSession(scope: ScopedMemory, session: string): Promise<void> {
  try {
    await scope.endSession(session)
  } catch (error) {
    if (!(error instanceof NotFoundError)) throw error
  }
}

function scopeOf(
  memory: Keepsake,
  source: ImportSource,
  placed: PlacedTurn,
  { user = placed.user ?? undefined, tenant, agent, app }: ImportOptions,
): ScopedMemory {
  if (user === undefined)
    throw wrongUsage(`${source.name} does not say whose memory it is: name the person with --user.`)
  const within = { tenant, agent: agent ?? placed.agent ?? undefined, app: app ?? placed.app ?? undefined }
  return memory.scope({ user, ...given(within) })
}

function count(result: ImportResult, { turns, added, masked }: Remembered): void {
  result.added += added
  result.repeated += turns.length - added
  for (const { kind, count: times } of masked) result.masked[kind] = (result.masked[kind] ?? 0) + times
}
