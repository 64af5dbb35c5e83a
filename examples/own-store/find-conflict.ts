import type * as kit from 'keepsake/store-kit'
import type { KeptScope, Person, State } from './state.ts'

type Conflict = Extract<kit.CommitResult, { outcome: 'conflict' }>

/** The first expectation that does not hold: what no second try can mend comes first. */
export function findConflict(
  state: State,
  person: Person,
  scope: KeptScope,
  request: kit.CommitRequest,
): Conflict | null {
  const on = (what: kit.ConflictOn, reason: string): Conflict => ({ outcome: 'conflict', on: what, reason })
  if (request.epoch !== null && request.epoch !== person.epoch) return on('epoch', 'content was erased')
  const job = request.expectJobs?.find((id) => !state.jobs.some((one) => one.id === id))
  if (job !== undefined) return on('job', `job "${job}" is finished already`)
  const branch = request.progress.find((one) => one.from !== (scope.progress.get(one.branch) ?? 0))
  if (branch !== undefined) return on('progress', `branch "${branch.branch}" is elsewhere`)
  const { lastPosition = scope.lastPosition } = request
  if (lastPosition !== scope.lastPosition) return on('progress', `turns came after position ${lastPosition}`)
  const { revision = person.revision } = request
  if (revision !== person.revision) return on('memory', `the person is at revision ${person.revision}`)
  const changed = request.expect.find(
    ({ memory, sequence }) => (person.memories.get(memory)?.sequence ?? Number.POSITIVE_INFINITY) > sequence,
  )
  if (changed !== undefined) return on('memory', `memory "${changed.memory}" was changed, or is not there`)
  const done = request.operations.find(
    ({ id, kind, memory }) =>
      person.log.some((one) => one.id === id) || (kind === 'add' && person.memories.has(memory ?? '')),
  )
  if (done !== undefined) return on('memory', `operation "${done.id}" was done already`)
  const named = [...person.memories.values()].map(({ memory }) => memory)
  const taken = request.memories.find(
    (one) =>
      one.name !== null &&
      one.status === 'live' &&
      named.some(
        (other) =>
          other.name === one.name &&
          other.status === 'live' &&
          other.scope === one.scope &&
          other.id !== one.id,
      ),
  )
  return taken === undefined ? null : on('memory', 'another memory has that name')
}
