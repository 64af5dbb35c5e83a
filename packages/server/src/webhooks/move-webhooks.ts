import type { ChangeMark, Metadata } from 'keepsake'
import type { MovedNumbers, MoveRecord } from 'keepsake/store'
import type { StoredFailure } from './webhook-places.ts'

/** Matches the id of a change that is a turn: scope number and position. */
const TURN_ID = /^turn-(\d+)-(\d+)$/

/** Converts the records of deliveries for another store, which has other row numbers. Records of erased users are left out. */
export const MOVE_WEBHOOKS: Readonly<Record<string, MoveRecord>> = {
  'webhook-places': moveKeyed,
  'webhook-waiting': moveKeyed,
  'webhook-failed': async ({ key, value }, moved) => {
    const failure = value as unknown as StoredFailure
    const owner = moved.owner(failure.owner)
    if (owner === undefined) return null
    const position = {
      before: await moveMark(failure.owner, failure.before, moved),
      change: await moveChange(failure, moved),
    }
    return { key, value: { ...failure, ...position, owner } as unknown as Metadata }
  },
}

/** Converts a record whose key is `webhook/owner`. */
async function moveKeyed(...[{ key, value }, moved]: Parameters<MoveRecord>): ReturnType<MoveRecord> {
  const slash = key.indexOf('/')
  const oldOwner = Number(key.slice(slash + 1))
  const owner = moved.owner(oldOwner)
  if (owner === undefined) return null
  const mark = value['mark'] as unknown as ChangeMark | undefined
  const movedFields = mark === undefined ? {} : { mark: await moveMark(oldOwner, mark, moved) }
  return { key: `${key.slice(0, slash)}/${owner}`, value: { ...value, ...movedFields } as Metadata }
}

/** Converts a position. Its revision is invalid in the target, so that changes are checked once more. */
async function moveMark(
  owner: number,
  { turns, sequence }: ChangeMark,
  moved: MovedNumbers,
): Promise<ChangeMark> {
  const scopes = await moved.scopes(owner)
  const positions = Object.entries(turns).flatMap(([scope, position]) => {
    const number = scopes.get(Number(scope))
    return number === undefined ? [] : [[number, position] as const]
  })
  return {
    turns: Object.fromEntries(positions),
    sequence: await moved.sequence(owner, sequence),
    erasures: 0,
    revision: -1,
  }
}

/** Converts the id of a change. The id of a turn contains row numbers; the id of an operation stays the same. */
async function moveChange({ owner, change }: StoredFailure, moved: MovedNumbers): Promise<string> {
  const [, scope, position] = TURN_ID.exec(change) ?? []
  if (scope === undefined) return change
  return `turn-${(await moved.scopes(owner)).get(Number(scope)) ?? 0}-${position}`
}
