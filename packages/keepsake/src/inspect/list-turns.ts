import { NotFoundError } from '../errors/errors.ts'
import type { SessionRow } from '../store/store.ts'
import type { Turn } from '../turns/turn.ts'
import type { Engine } from '../work/engine.ts'
import type { ResolvedScope } from '../work/scope-handle.ts'
import { pageByScope, readCursor, readPageLimit, writeCursor, type Page, type PageOptions } from './page.ts'

/** Selects the turns of a page. */
export interface TurnPageOptions extends PageOptions {
  readonly session?: string
  /** `arrival`, when absent: scope by scope as they were stored. `time`: by when they were said, imported ones among the others. */
  readonly order?: 'arrival' | 'time'
}

const EMPTY: Page<never> = { items: [], next: null }

export async function pageOfTurns(
  engine: Engine,
  resolved: ResolvedScope | null,
  { session, order = 'arrival', ...page }: TurnPageOptions,
): Promise<Page<Turn>> {
  if (resolved === null) return EMPTY
  const { owner, scopes } = resolved
  if (order === 'time') {
    const { turns } = await engine.users.load(owner)
    return pageByTime(
      [...turns.values()].filter(
        (turn) => scopes.includes(turn.scope) && (session === undefined || turn.session === session),
      ),
      page,
    )
  }
  const { newestFirst } = page
  return pageByScope(
    scopes,
    page,
    (scope, after, limit) => {
      const behind =
        newestFirst === true ? { beforePosition: after ?? undefined } : { afterPosition: after ?? undefined }
      return engine.store.listTurns({
        userId: owner,
        scopes: [scope],
        session,
        limit,
        newestFirst,
        ...behind,
      })
    },
    ({ scope, position }) => ({ scope, place: position }),
  )
}

/** What a page by time is ordered by. */
const placeInTime = ({ at, scope, position }: Turn): readonly number[] => [at, scope, position]

function comparePlaces(first: readonly number[], second: readonly number[]): number {
  const at = first.findIndex((part, index) => part !== second[index])
  return (first[at] ?? 0) - (second[at] ?? 0)
}

/** @throws InvalidInputError for a limit out of its range and an invalid cursor */
function pageByTime(turns: Turn[], { limit, cursor, newestFirst = false }: PageOptions): Page<Turn> {
  const most = readPageLimit(limit)
  const sign = newestFirst ? -1 : 1
  const after = cursor === undefined ? null : readCursor(cursor, 3)
  const found = turns
    .filter((turn) => after === null || sign * comparePlaces(placeInTime(turn), after) > 0)
    .sort((a, b) => sign * comparePlaces(placeInTime(a), placeInTime(b)))
  const items = found.slice(0, most)
  const last = items.at(-1)
  const isLast = found.length <= most || last === undefined
  return { items, next: isLast ? null : writeCursor(placeInTime(last)) }
}

/** A page of sessions: scope by scope, by their numbers. */
export async function pageOfSessions(
  engine: Engine,
  resolved: ResolvedScope | null,
  page: PageOptions,
): Promise<Page<SessionRow>> {
  if (resolved === null) return EMPTY
  const { owner, scopes } = resolved
  const { newestFirst } = page
  return pageByScope(
    scopes,
    page,
    (scope, after, limit) => {
      const behind =
        newestFirst === true ? { beforeNumber: after ?? undefined } : { afterNumber: after ?? undefined }
      return engine.store.listSessions({ userId: owner, scopes: [scope], limit, newestFirst, ...behind })
    },
    ({ scope, number }) => ({ scope, place: number }),
  )
}

/** A turn among those of its session, in order. @throws NotFoundError */
export async function turnsAround(
  engine: Engine,
  resolved: ResolvedScope | null,
  id: string,
  count: number,
): Promise<readonly Turn[]> {
  const [turn] =
    resolved === null
      ? []
      : await engine.store.listTurns({ userId: resolved.owner, scopes: resolved.scopes, ids: [id] })
  if (turn === undefined || resolved === null) throw new NotFoundError('turn', id)
  const { scope, session, position } = turn
  const near = { userId: resolved.owner, scopes: [scope], session, limit: count }
  const [before, after] = await Promise.all([
    engine.store.listTurns({ ...near, beforePosition: position, newestFirst: true }),
    engine.store.listTurns({ ...near, afterPosition: position }),
  ])
  return [...before.toReversed(), turn, ...after]
}
