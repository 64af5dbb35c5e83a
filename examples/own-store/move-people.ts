import {
  InvalidInputError,
  NotPossibleError,
  projectLog,
  type ExportRow,
  type Operation,
  type ScopeRow,
} from 'keepsake/store-kit'
import { scopeOf, writeLog, type Person, type State } from './state.ts'

/** Every row of a person, scopes numbered from 1, so that an export says the same wherever it is read back. */
export function exportPerson(state: State, person: Person): ExportRow[] {
  if (person.key === null) throw new NotPossibleError('This person was erased.')
  const numbers = new Map(person.scopes.map(({ row }, index) => [row.scope, index + 1]))
  const numbered = <Row extends { readonly scope: number }>(row: Row): Row => {
    return { ...row, scope: numbers.get(row.scope) ?? 0 }
  }
  const { scopes } = person
  return [
    { row: 'keepsake-export', format: 1, ...person.key },
    ...scopes.map(({ row }) =>
      numbered({ row: 'scope' as const, scope: row.scope, agent: row.agent, app: row.app }),
    ),
    ...scopes.flatMap(({ sessions }) => sessions.map((one) => numbered({ row: 'session' as const, ...one }))),
    ...[...person.turns.values()].map((turn) => {
      const { id, scope, session, position, role, at, text, speaker, timeZone, metadata } = turn
      const place = { id, scope, session, position, role, at }
      if (text === null) return numbered({ row: 'erased-turn' as const, ...place })
      const given = metadata === null ? {} : { metadata }
      return numbered({ row: 'turn' as const, ...place, speaker, text, timeZone, ...given })
    }),
    ...person.log.map((operation) => numbered({ row: 'operation' as const, ...operation })),
    ...scopes.flatMap(({ row, progress }) =>
      [...progress].map(([branch, position]) =>
        numbered({ row: 'progress' as const, scope: row.scope, branch, position }),
      ),
    ),
    ...state.jobs
      .filter(({ owner }) => owner === person.owner)
      .map(({ owner: _owner, dueAt: _dueAt, ...job }) => numbered({ row: 'job' as const, ...job })),
  ]
}

/** Reads rows into a person who was just made with the scopes they name. Memories are made from the log. */
export function importPerson(
  state: State,
  person: Person,
  rows: readonly ExportRow[],
  scopes: ReadonlyMap<number, ScopeRow>,
): void {
  const numberOf = (number: number): number => {
    const scope = scopes.get(number)
    if (scope === undefined) throw new InvalidInputError(`The export does not say which scope ${number} is.`)
    return scope.scope
  }
  const log: Operation[] = []
  for (const row of rows) {
    if (row.row === 'keepsake-export' || row.row === 'scope') continue
    const scope = numberOf(row.scope)
    const kept = scopeOf(person, scope)
    switch (row.row) {
      case 'session': {
        const { row: _, ...session } = row
        kept.sessions.push({ ...session, scope })
        break
      }
      case 'turn':
      case 'erased-turn': {
        if (person.turns.has(row.id)) throw new InvalidInputError(`The export holds turn "${row.id}" twice.`)
        const { id, session, position, role, at } = row
        const {
          speaker = null,
          text = null,
          timeZone = null,
          metadata = null,
        } = row.row === 'turn' ? row : {}
        person.turns.set(id, { id, scope, session, position, role, speaker, text, at, timeZone, metadata })
        kept.lastPosition = Math.max(kept.lastPosition, row.position)
        break
      }
      case 'operation': {
        const { row: _, ...operation } = row
        if (operation.sequence !== log.length + 1) throw new InvalidInputError('The export’s log has a gap.')
        log.push({ ...operation, scope })
        break
      }
      case 'progress':
        kept.progress.set(row.branch, row.position)
        break
      case 'job': {
        const unread = { branch: null, from: null, to: null, answer: null }
        const { row: _, ...job } = row
        state.jobs.push({ ...unread, ...job, owner: person.owner, scope, dueAt: 0 })
      }
    }
  }
  writeLog(person, log, [...projectLog(log).values()])
}
