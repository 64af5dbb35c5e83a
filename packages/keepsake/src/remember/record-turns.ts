import { maskMetadata } from '../metadata/mask-metadata.ts'
import type { Engine, MaskedSecret } from '../work/engine.ts'
import { isNewSession } from '../turns/session-gap.ts'
import { eventScope, type ScopeRow } from '../scopes/scope.ts'
import type { NewJob, SessionRow } from '../stores/store.ts'
import { newJob } from '../work/new-job.ts'
import { indexText } from '../work/index-text.ts'
import { normaliseTurns, readName, type NormalTurn } from '../turns/normalise-turns.ts'
import type { TurnInput } from '../turns/turn.ts'

export interface RememberOptions {
  /** The session the turns belong to. Without one, a silence longer than the preset's gap starts a new one. */
  readonly session?: string
  /** Makes the call idempotent: turns without an id of their own get `<id>/<index>`. */
  readonly id?: string
  /** `false`: do not remember any of these turns. Nothing is stored. */
  readonly remember?: boolean
  readonly abortSignal?: AbortSignal
}

export interface Remembered {
  /** Ids of the turns, in the order given; those not to be remembered are left out. */
  readonly turns: readonly string[]
  /** How many were new; the others were known already. */
  readonly added: number
  readonly session: string | null
  /** Place of the last operation in the person's log then: `log({ after })` tells what came of these turns, and of what came after. */
  readonly logged: number
  /** Secrets that were masked before storage, by kind; never the secrets themselves. */
  readonly masked: readonly MaskedSecret[]
}

async function maskTurns(engine: Engine, turns: readonly NormalTurn[]) {
  const { maskSecrets } = engine
  if (maskSecrets === null) return { turns, masked: [] }
  const counts = new Map<string, number>()
  const mask = async (text: string): Promise<string> => {
    const result = await maskSecrets(text)
    for (const { kind, count } of result.masked) counts.set(kind, (counts.get(kind) ?? 0) + count)
    return result.text
  }
  const masked: NormalTurn[] = []
  for (const turn of turns) {
    const metadata = turn.metadata === null ? null : await maskMetadata(turn.metadata, mask)
    masked.push({ ...turn, text: await mask(turn.text), metadata })
  }
  return { turns: masked, masked: [...counts].map(([kind, count]) => ({ kind, count })) }
}

interface ChosenSession {
  readonly session: string
  /** The session before, whose silence ended it. */
  readonly over: string | null
}

async function chooseSession(
  engine: Engine,
  row: ScopeRow,
  given: string | undefined,
  at: number,
): Promise<ChosenSession> {
  if (given !== undefined) return { session: readName(given, 'session'), over: null }
  const sessions = await engine.store.sessions(row.owner, [row.scope])
  const last: SessionRow | undefined = sessions.at(-1)
  if (last === undefined) return { session: 'session-1', over: null }
  if (last.endedAt !== null) return { session: `session-${last.number + 1}`, over: null }
  if (!isNewSession(last.lastAt, at, engine.preset.sessionGap)) return { session: last.id, over: null }
  return { session: `session-${last.number + 1}`, over: last.id }
}

/** What is to be done after these turns, queued with them. */
function jobsAfter(engine: Engine, row: ScopeRow, over: string | null): NewJob[] {
  const consolidate = newJob(engine, row, 'consolidate')
  return over === null ? [consolidate] : [consolidate, newJob(engine, row, 'end-session', over)]
}

/**
 * Records turns: reads them, masks secrets, indexes and stores them in one transaction. When this returns
 * they are durable and can be recalled. What is drawn from them follows in the background.
 */
export async function recordTurns(
  engine: Engine,
  row: ScopeRow,
  input: TurnInput | readonly TurnInput[],
  options: RememberOptions,
): Promise<Remembered> {
  const started = performance.now()
  const id = options.id === undefined ? undefined : readName(options.id, 'id')
  const normal = normaliseTurns(input, { id, now: engine.now(), newId: engine.newId })
  if (options.remember === false || normal.length === 0)
    return { turns: [], added: 0, session: null, logged: 0, masked: [] }
  const { turns, masked } = await maskTurns(engine, normal)
  const at = turns[0]?.at ?? engine.now()
  const { session, over } = await chooseSession(engine, row, options.session, at)
  options.abortSignal?.throwIfAborted()
  const documents = turns.map((turn) => ({ ...turn, document: indexText(engine.embedding, turn.text) }))
  const result = await engine.store.append({
    owner: row.owner,
    scope: row.scope,
    session,
    turns: documents,
    jobs: jobsAfter(engine, row, over),
  })
  engine.worker.wake(row)
  engine.events.emit('turns-recorded', {
    scope: eventScope(row),
    session,
    turns: result.added.map((turn) => turn.id),
    milliseconds: performance.now() - started,
  })
  const { added, sequence: logged } = result
  return { turns: turns.map((turn) => turn.id), added: added.length, session, logged, masked }
}
