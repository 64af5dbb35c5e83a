import * as kit from 'keepsake/store-kit'
import { turnKnownAs } from './hide-names.ts'
import { writeDocument, type KeptScope, type Person } from './state.ts'

/** What a call brings that is new, and what is known with the same content. @throws TurnConflictError */
export function sortOutRepeats(
  person: Person,
  request: kit.AppendRequest,
): { readonly fresh: kit.NewTurn[]; readonly repeated: string[] } {
  const fresh = new Map<string, kit.NewTurn>()
  const repeated: string[] = []
  for (const turn of request.turns) {
    const known = turnKnownAs(person, turn.id) ?? fresh.get(turn.id)
    if (known === undefined) fresh.set(turn.id, turn)
    else if (isSame(known, turn, request.scope)) repeated.push(turn.id)
    else throw new kit.TurnConflictError(turn.id, request.session)
  }
  return { fresh: [...fresh.values()], repeated }
}

/** Whether a turn that comes is one that is known. One that was erased is, whatever it says. */
function isSame(
  known: {
    readonly text: string | null
    readonly role: string
    readonly speaker: string | null
    readonly scope?: number
  },
  turn: kit.NewTurn,
  scope: number,
): boolean {
  if ((known.scope ?? scope) !== scope) return false
  return (
    known.text === null ||
    (known.text === turn.text && known.role === turn.role && known.speaker === turn.speaker)
  )
}

/** Adds turns at the end of the scope, with their session and index rows. */
export function addTurns(
  person: Person,
  scope: KeptScope,
  session: string,
  fresh: readonly kit.NewTurn[],
): kit.Turn[] {
  if (fresh.length === 0) return []
  person.revision += 1
  const added = fresh.map(({ document, ...turn }) => {
    scope.lastPosition += 1
    const kept = { ...turn, scope: scope.row.scope, session, position: scope.lastPosition }
    person.turns.set(turn.id, kept)
    writeDocument(person, { id: turn.id, kind: 'turn', ...document })
    return kept
  })
  touchSession(scope, session, added)
  return added
}

/** Makes or widens the session; one that gets a new turn is open again. */
function touchSession(scope: KeptScope, id: string, turns: readonly kit.Turn[]): void {
  const times = turns.map(({ at }) => at)
  let session = scope.sessions.find((one) => one.id === id)
  if (session === undefined) {
    const number = Math.max(0, ...scope.sessions.map((one) => one.number)) + 1
    const [first = 0] = times
    session = { scope: scope.row.scope, id, number, startedAt: first, lastAt: first, endedAt: null }
    scope.sessions.push(session)
  }
  session.startedAt = Math.min(session.startedAt, ...times)
  session.lastAt = Math.max(session.lastAt, ...times)
  session.endedAt = null
}

export function sessionOf(
  person: Person,
  scope: KeptScope,
  id: string,
  repeated: string | undefined,
): kit.SessionRow {
  const session =
    scope.sessions.find((one) => one.id === id) ??
    scope.sessions.find((one) => one.id === turnKnownAs(person, repeated ?? '')?.session)
  if (session === undefined) throw new kit.InvalidInputError(`Session "${id}" is new, so it needs a turn.`)
  return session
}
