import {
  callsBy,
  findTerms,
  isAddressedAs,
  isGivenAs,
  joinNames,
  readPossibleNames,
  type TalkNames,
} from '@keepsake/text'
import { countUsers, speakerNames } from '../retrieval/search-question.ts'
import type { Role } from '../turns/turn.ts'
import type { UserState } from '../user-state/user-state.ts'
import type { Asking } from './asked-question.ts'

/** Turns looked at for what one of the two calls the other: the latest that say the name. */
const LOOKED_AT = 12

/**
 * What the person and the agent are called: by the scope's keys, by the labels of their turns, by what is known of them, and, of the
 * names that the question says, by what they call each other in talk.
 */
export async function findNames(asking: Asking, cache: UserState): Promise<TalkNames> {
  const { rows, scopes } = asking.resolved
  const facts = cache.namingFacts(new Set(scopes))
  const valuesOf = (subject: string): string[] =>
    facts.flatMap((fact) => (fact.subject === subject && fact.value !== null ? [fact.value] : []))
  const known = joinNames(
    {
      self: [...rows.slice(0, 1).map(({ user }) => user), ...valuesOf('user')],
      agent: [...rows.flatMap(({ agent }) => agent ?? []), ...valuesOf('agent')],
    },
    speakerNames(cache.index),
  )
  if (countUsers(cache.index) > 1) return known
  const all = [...known.self, ...known.agent]
  const unknown = readPossibleNames(asking.asked.text).filter((name) => !callsBy(name, all))
  const called = await Promise.all(unknown.map((name) => findCalled(asking, cache, name)))
  return called.reduce(joinNames, known)
}

/** Whose name it is by how they speak to each other; nobody's where they only speak of whoever is called so. */
async function findCalled({ turns }: Asking, { index }: UserState, name: string): Promise<TalkNames> {
  const naming = index.turnsWith(findTerms(name))
  const saidBy = (role: Role): string[] =>
    naming.filter((id) => index.get(id)?.role === role).slice(-LOOKED_AT)
  const byAgent = saidBy('agent')
  const byUser = saidBy('user')
  const [given = ''] = byUser
  const asked = index.turnBefore(given) ?? ''
  const read = await turns.read([...byAgent, ...byUser, ...(asked === '' ? [] : [asked])])
  const textOf = (id: string): string => read.get(id)?.text ?? ''
  const isSelf = isAddressedAs(name, byAgent.map(textOf)) || isGivenAs(name, textOf(asked), textOf(given))
  const isAgent = !isSelf && isAddressedAs(name, byUser.map(textOf))
  return { self: isSelf ? [name] : [], agent: isAgent ? [name] : [] }
}
