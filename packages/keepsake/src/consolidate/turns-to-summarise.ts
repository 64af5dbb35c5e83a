import { readTopic, tellsOf } from '../requests/read-topic.ts'
import { isPronoun } from '../requests/who-is-meant.ts'
import { hearRequests } from '../extraction/rules/hear-requests.ts'
import type { Turn } from '../turns/turn.ts'
import { livingTurns } from '../work/living-turns.ts'
import type { ScopeView } from '../work/scope-view.ts'

/**
 * Returns the turns of a session that later summaries may use. Excludes turns covered by a later forget request when the preset stores no
 * utterances.
 */
export function turnsToSummarise(view: ScopeView, session: string): readonly Turn[] {
  const { engine, row, state } = view
  const living = livingTurns(view, session)
  if (engine.preset.branches.some(({ kind }) => kind === 'utterances')) return living
  const said = state.turnsOfSession(row.scope, session)
  const requests = hearRequests(said, engine.rules)
  if (requests.length === 0) return living
  const dropped = new Set(
    requests.flatMap(({ about, evidence }) => mentionsBefore(said, evidence.turn, about)),
  )
  return living.filter(({ id }) => !dropped.has(id))
}

/** Returns the turns before a request that mention its topic; without a topic, the user's last statement. */
function mentionsBefore(said: readonly Turn[], request: string, about: string | null): string[] {
  const index = said.findIndex(({ id }) => id === request)
  const before = said.slice(0, Math.max(0, index))
  const last = before.findLast(({ role }) => role === 'user')
  if (about === null) return last === undefined ? [] : [last.id]
  if (isPronoun(about)) return []
  const topic = readTopic(about)
  return before.filter(({ text }) => tellsOf(topic, text)).map(({ id }) => id)
}
