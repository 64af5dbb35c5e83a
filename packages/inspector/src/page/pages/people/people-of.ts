import type { Scope } from '@keepsake/client'
import type { Person } from '../../address/address.ts'

/** The users of scopes, each once, sorted by name. Agents and apps narrow within a user. */
export function peopleOf(scopes: readonly Scope[]): readonly Person[] {
  const people = new Map(
    scopes.map(({ tenant, user }): [string, Person] => [JSON.stringify([tenant, user]), { tenant, user }]),
  )
  return [...people.values()].toSorted(
    (one, other) =>
      one.user.localeCompare(other.user) || (one.tenant ?? '').localeCompare(other.tenant ?? ''),
  )
}
