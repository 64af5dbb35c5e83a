// Lists turns and sessions, whole or page by page.
import { NotFoundError } from '../errors/errors.ts'
import { matchesMetadata, type MetadataFilter } from '../metadata/metadata-filter.ts'
import type { ScopeKey } from '../scopes/scope.ts'
import type { SessionRow } from '../store/store.ts'
import type { Turn } from '../turns/turn.ts'
import type { Engine } from '../work/engine.ts'
import type { ResolvedScope } from '../work/scope-handle.ts'
import { filterInBatches, readWhere, requireLimit, selectScopes } from './filter-parts.ts'
import { pageOf, type Page, type PageOptions } from './page.ts'

/** A filter for turns. */
export interface TurnFilter {
  /** Only turns of exactly this scope. Without it, a scope without agent and app shows those of all agents and apps. */
  readonly exactScope?: boolean
  readonly session?: string
  readonly ids?: readonly string[]
  /** Only turns whose metadata matches this filter. */
  readonly where?: MetadataFilter
  /** Only turns after this position in their scope. */
  readonly after?: number
  /** Maximum number of turns; all when absent. */
  readonly limit?: number
}

export async function listTurns(
  engine: Engine,
  resolved: ResolvedScope | null,
  key: ScopeKey,
  filter: TurnFilter,
): Promise<readonly Turn[]> {
  if (resolved === null) return []
  const { after = 0, limit, session } = filter
  requireLimit(limit)
  const ids = filter.ids && new Set(filter.ids)
  const where = readWhere(filter.where)
  const state = await engine.users.load(resolved.owner)
  const turns = selectScopes(resolved, filter, key).flatMap((scope) => state.turnsAfter(scope, after))
  const isMatching = (turn: Turn): boolean =>
    (session === undefined || turn.session === session) &&
    ids?.has(turn.id) !== false &&
    (where === undefined || matchesMetadata(where, turn.metadata))
  return (await filterInBatches(turns, isMatching, limit)).slice(0, limit)
}

/** Lists sessions in order of scope and number. */
export async function listSessions(engine: Engine, resolved: ResolvedScope | null): Promise<SessionRow[]> {
  const state = resolved && (await engine.users.load(resolved.owner))
  return resolved?.scopes.flatMap((scope) => state?.sessions(scope) ?? []) ?? []
}

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
