import { NotFoundError } from '../errors/errors.ts'
import type { SessionRow } from '../store/store.ts'
import type { Turn } from '../turns/turn.ts'
import type { Engine } from '../work/engine.ts'
import type { ResolvedScope } from '../work/scope-handle.ts'
import { pageOf, type Page, type PageOptions } from './page.ts'

/** Selects the turns of a page. */
export interface TurnPageOptions extends PageOptions {
  readonly session?: string
  /** `arrival`, the default: by scope, in the order in which they were stored. `time`: by the times at which they were said. */
  readonly order?: 'arrival' | 'time'
}

const EMPTY: Page<never> = { items: [], next: null }

export async function pageOfTurns(
  engine: Engine,
  resolved: ResolvedScope | null,
  { session, order = 'arrival', ...page }: TurnPageOptions,
): Promise<Page<Turn>> {
  if (resolved === null) return EMPTY
  const state = await engine.users.load(resolved.owner)
  const turns = resolved.scopes.flatMap((scope) =>
    session === undefined ? state.turnsAfter(scope, 0) : state.turnsOfSession(scope, session),
  )
  return pageOf(turns, page, ({ at, scope, position }) =>
    order === 'time' ? [at, scope, position] : [scope, position],
  )
}

export async function pageOfSessions(
  engine: Engine,
  resolved: ResolvedScope | null,
  page: PageOptions,
): Promise<Page<SessionRow>> {
  if (resolved === null) return EMPTY
  const state = await engine.users.load(resolved.owner)
  const sessions = resolved.scopes.flatMap((scope) => state.sessions(scope))
  return pageOf(sessions, page, ({ scope, number }) => [scope, number])
}

/** Returns a turn with up to `count` turns before and after it in its session. @throws NotFoundError */
export async function turnsAround(
  engine: Engine,
  resolved: ResolvedScope | null,
  id: string,
  count: number,
): Promise<readonly Turn[]> {
  const state = resolved === null ? null : await engine.users.load(resolved.owner)
  const turn = state?.turns.get(id)
  if (state === null || turn === undefined || resolved?.scopes.includes(turn.scope) !== true)
    throw new NotFoundError('turn', id)
  const turns = state.turnsOfSession(turn.scope, turn.session)
  const index = turns.indexOf(turn)
  return turns.slice(Math.max(0, index - count), index + count + 1)
}
