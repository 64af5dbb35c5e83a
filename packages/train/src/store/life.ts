import type { Keepsake, Memory, Operation, ScopeRow, SessionRow, Turn } from 'keepsake'
import { type KeyTable, roundsOf } from 'keepsake/preset'

/** The stored contents of one scope (a user, or a user with one agent or app), in order. */
export interface Life {
  /** The user's pseudonym in this export, such as `p3`. It is the same in all scopes of the user. */
  readonly person: string
  readonly turns: readonly Turn[]
  readonly sessions: readonly SessionRow[]
  /** The log, oldest first. */
  readonly operations: readonly Operation[]
  /** All memories of any status, in their current state. */
  readonly memories: ReadonlyMap<string, Memory>
  readonly keyTable: KeyTable
}

/** Reads the contents of one scope, without those of the narrower scopes that it can also see. */
export async function readLife(memory: Keepsake, row: ScopeRow, person: string): Promise<Life> {
  const { tenant, user, agent, app } = row
  const key = { tenant, user, ...(agent === null ? {} : { agent }), ...(app === null ? {} : { app }) }
  const scope = memory.scope(key)
  const ofScope = <Row extends { readonly scope: number }>(rows: readonly Row[]): Row[] =>
    rows.filter(({ scope: owner }) => owner === row.scope)
  const statuses = ['live', 'quarantined', 'deleted', 'forgotten', 'erased'] as const
  const memories = ofScope(await scope.memories({ statuses }))
  return {
    person,
    turns: ofScope(await scope.turns()),
    sessions: ofScope(await scope.sessions()),
    operations: ofScope(await scope.log()),
    memories: new Map(memories.map((entry) => [entry.id, entry])),
    keyTable: memory.preset.keyTable,
  }
}

/** Makes a segment of talk in the form that the engine's extractors read. */
export function segmentOf(life: Life, turns: readonly Turn[], before: readonly Turn[] = []) {
  const last = turns.at(-1)
  const session = last?.session ?? ''
  const sessionNumber = life.sessions.find(({ id }) => id === session)?.number ?? 0
  return { scope: last?.scope ?? 0, session, sessionNumber, round: 0, turns, before }
}

/** Returns the turns of a session in order, without those of tools and system messages. */
export function talkOf(life: Life, session: string): Turn[] {
  return life.turns.filter((turn) => turn.session === session && turn.role !== 'other')
}

/** Returns the rounds of a talk as the engine reads them: the agent's turns, and then the user's answer. */
export function roundsIn(talk: readonly Turn[]): Turn[][] {
  return roundsOf(talk, 'answer', { flush: true }).rounds.map(({ turns }) => [...turns])
}
