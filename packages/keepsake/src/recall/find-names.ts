import { joinNames, type TalkNames } from '../retrieval/read-names.ts'
import type { OwnerCache } from '../work/owner-cache.ts'
import type { ResolvedScope } from '../work/resolve-scope.ts'

/** What the person and the agent are called: by the scope's keys, by the labels of their turns, and by what is known of them. */
export function findNames({ rows, scopes }: ResolvedScope, cache: OwnerCache): TalkNames {
  const facts = cache.callings(new Set(scopes))
  const valuesOf = (subject: string): string[] =>
    facts.flatMap((fact) => (fact.subject === subject && fact.value !== null ? [fact.value] : []))
  const known = {
    self: [...rows.slice(0, 1).map(({ user }) => user), ...valuesOf('user')],
    agent: [...rows.flatMap(({ agent }) => agent ?? []), ...valuesOf('agent')],
  }
  return joinNames(known, cache.index.names)
}
