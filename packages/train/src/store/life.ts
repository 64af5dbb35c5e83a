import type { Keepsake, Memory, Operation, ScopeRow, SessionRow, Turn } from 'keepsake'
import { type KeyTable, roundsOf } from 'keepsake/preset'

/** What the engine stored about a user in one scope (the user, or the user with one agent or app), in order. */
export interface Life {
  /** The user's pseudonym in this export, such as `p3`; the same for all their scopes. */
  readonly person: string
  readonly turns: readonly Turn[]
  readonly sessions: readonly SessionRow[]
  /** The log, oldest first. */
  readonly operations: readonly Operation[]
  /** In their current state, of any status. */
  readonly memories: ReadonlyMap<string, Memory>
  readonly keyTable: KeyTable
}

/** Reads the contents of one scope, without those of the narrower scopes that it can also see. */
export async function readLife(memory: Keepsake, row: ScopeRow, person: string): Promise<Life> {
  const { tenant, user, agent, app } = row
  const key = { tenant, user, ...(agent === null ? {} : { agent }), ...(app === null ? {} : { app }) }
  const scope = memory.scope(key)
  const ofScope = <Row extends { readonly scope: number }>(rows: readonly Row[]): Row[] =>
    rows.filter((one) => one.scope === row.scope)
  const statuses = ['live', 'quarantined', 'deleted', 'forgotten', 'erased'] as const
  const memories = ofScope(await scope.memories({ statuses }))
  return {
    person,
    turns: ofScope(await scope.turns()),
    sessions: ofScope(await scope.sessions()),
    operations: ofScope(await scope.log()),
    memories: new Map(memories.map((one) => [one.id, one])),
    keyTable: memory.preset.keyTable,
  }
}

/** A section of talk as the engine's readers take it. */
export function segmentOf(life: Life, turns: readonly Turn[], before: readonly Turn[] = []) {
  const last = turns.at(-1)
  const session = last?.session ?? ''
  const sessionNumber = life.sessions.find(({ id }) => id === session)?.number ?? 0
  return { scope: last?.scope ?? 0, session, sessionNumber, round: 0, turns, before }
}

/** A session's talk in order, without turns of tools and system. */
export function talkOf(life: Life, session: string): Turn[] {
  return life.turns.filter((turn) => turn.session === session && turn.role !== 'other')
}

/** The rounds of a talk as the engine reads them: what the agent said, and the user's answer. */
export function roundsIn(talk: readonly Turn[]): Turn[][] {
  return roundsOf(talk, 'answer', { flush: true }).rounds.map(({ turns }) => [...turns])
}
