import type { ChangeMark, Metadata } from 'keepsake'
import type { MovedNumbers, MoveRecord } from 'keepsake/store'
import type { StoredFailure } from './webhook-places.ts'

const TURN = /^turn-(\d+)-(\d+)$/

/** Converts the records of deliveries for another store, without those of erased users and receipts of erasures. */
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

async function moveKeyed(...[{ key, value }, moved]: Parameters<MoveRecord>): ReturnType<MoveRecord> {
  const slash = key.indexOf('/')
  const before = Number(key.slice(slash + 1))
  const owner = moved.owner(before)
  if (owner === undefined) return null
  const mark = value['mark'] as unknown as ChangeMark | undefined
  const moves = mark === undefined ? {} : { mark: await moveMark(before, mark, moved) }
  return { key: `${key.slice(0, slash)}/${owner}`, value: { ...value, ...moves } as Metadata }
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

/** Converts the id of a change: of a turn, which contains row numbers, or of an operation, which stays the same. */
async function moveChange({ owner, change }: StoredFailure, moved: MovedNumbers): Promise<string> {
  const [, scope, position] = TURN.exec(change) ?? []
  if (scope === undefined) return change
  return `turn-${(await moved.scopes(owner)).get(Number(scope)) ?? 0}-${position}`
}
