import type { FactLookup } from '../facts/fact-lookup.ts'
import type { Memory } from '../memories/memory.ts'
import { speakerNames } from '../retrieval/search-question.ts'
import type { ScopeView } from '../work/scope-view.ts'

/**
 * Returns the subject that a scope's facts about its user have. Some turns may name their speaker and others not:
 * while the user has only one name, both are one person, who keeps the subject of the first facts.
 */
export function ownSubject({ state }: ScopeView, facts: FactLookup<Memory>): (subject: string) => string {
  const [name] = speakerNames(state.index).self
  if (name === undefined) return (subject) => subject
  const isUnnamed = facts.about(name).length === 0 && facts.about('user').length > 0
  return (subject) => (subject === 'user' || subject === name ? (isUnnamed ? 'user' : name) : subject)
}
