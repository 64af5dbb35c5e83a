import { erasedId } from 'keepsake/store-kit'
import type { KeptTurn, Person, State } from './state.ts'

/** A turn by the id it came under, or by what stands for it once it was erased. */
export function turnKnownAs(person: Person, id: string): KeptTurn | undefined {
  return person.turns.get(id) ?? person.turns.get(erasedId(id))
}

/** After content of turns was erased: ids and names of sessions are an application's words and may name someone. */
export function hideNames(state: State, person: Person, turns: readonly KeptTurn[]): void {
  for (const turn of turns) {
    person.turns.delete(turn.id)
    Object.assign(turn, { id: erasedId(turn.id) })
    person.turns.set(turn.id, turn)
  }
  for (const { scope, session } of turns) hideSession(state, person, scope, session)
}

function hideSession(state: State, person: Person, scope: number, name: string): void {
  const turns = [...person.turns.values()].filter((turn) => turn.scope === scope && turn.session === name)
  if (turns.some(({ text }) => text !== null)) return
  const sessions = person.scopes.find(({ row }) => row.scope === scope)?.sessions ?? []
  const session = sessions.find(({ id }) => id === name)
  if (session === undefined) return
  // A session that was erased may have begun anew under its name, and be erased again.
  const taken = sessions.filter(({ id }) => id.startsWith(erasedId(name))).length
  session.id = taken === 0 ? erasedId(name) : `${erasedId(name)}-${taken}`
  for (const turn of turns) Object.assign(turn, { session: session.id })
  state.jobs = state.jobs.filter(
    (job) => job.owner !== person.owner || job.scope !== scope || job.session !== name,
  )
}
