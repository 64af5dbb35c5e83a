// Removes members from a fact that lists several: “allergic to nuts and eggs” without the eggs.
import { compareValues, findNamingTerms } from '@keepsake/text'
import type { KnownFact } from '../facts/fact-lookup.ts'
import type { Evidence } from '../memories/evidence.ts'
import type { Memory } from '../memories/memory.ts'
import type { MemoryChange } from '../memories/operation.ts'

/** A statement whose value may list several things. */
type ListStatement = Pick<Memory, 'value' | 'text'>

/**
 * Returns a statement without the members of its list that words name. Returns `null` if it lists nothing, or the words
 * name no member or all of them.
 *
 * @example
 * withoutMembers({ value: 'nuts and eggs', text: 'The user is allergic to nuts and eggs.' }, 'eggs')
 * // { value: 'nuts', text: 'The user is allergic to nuts.' }
 */
export function withoutMembers(
  { value, text, key = null }: ListStatement & { readonly key?: string | null },
  words: string,
): ListStatement | null {
  if (key !== null && SINGLE_KEYS.test(key)) return null
  const { head, list, members } = splitList(value ?? '')
  if (members.length < 2 || members.includes('') || !text.includes(list)) return null
  const named = new Set(findNamingTerms(words))
  const scores = members.map((member) => scoreOf(new Set(findNamingTerms(member)), named))
  const best = Math.max(...scores)
  const rest = members.filter((_, index) => scores[index] !== best)
  if (best === 0 || rest.length === 0) return null
  const restList = new Intl.ListFormat(HAN.test(list) ? 'zh' : 'en-GB').format(rest)
  const role = head.replace(COUNT, '').replace(/,? $/u, '')
  if (role === '' || role === 'takes')
    return {
      value: `${head}${restList.replace(/^(?:an?|the) /u, '')}`,
      text: text.replace(list, () => restList),
    }
  const isSingle = rest.length === 1
  const newRole = isSingle ? singularOf(role) : role
  const newHead = isSingle ? `a ${newRole}` : newRole
  return {
    value: `${newRole} ${restList}`,
    text: text
      .replace(`${head}${list}`, () => `${newHead}, ${restList}`)
      .replace(list, () => restList)
      .replace(`${role} are `, `${newRole} ${isSingle ? 'is' : 'are'} `),
  }
}

/** Splits a value into the words before its list, and the list with its members. */
function splitList(value: string): { head: string; list: string; members: readonly string[] } {
  const head = HEAD.exec(value)?.[0] ?? ''
  const list = value.slice(head.length)
  return { head, list, members: list.split(SEPARATOR) }
}

/** Checks whether a value lists several things or people: “brothers Noah and Ivo”. */
export function listsSeveral(value: string): boolean {
  return splitList(value).members.length > 1
}

/** Checks whether a value is one member of a list: “eggs” of “nuts and eggs”. */
export function listsMember(list: string, value: string): boolean {
  const { members } = splitList(list)
  return members.length > 1 && members.some((member) => compareValues(value, member) === 'same')
}

/** Scores how well words name a member: 2 for all its terms (“eggs”), 1 for a part (“nuts” for “tree nuts”), else 0. */
function scoreOf(terms: ReadonlySet<string>, named: ReadonlySet<string>): number {
  if (terms.size === 0 || named.size === 0) return 0
  if (terms.isSubsetOf(named)) return 2
  return named.isSubsetOf(terms) ? 1 : 0
}

/** Makes the change of a fact to a list with fewer members. The former list becomes a past version. */
export function narrowedTo(
  rest: ListStatement,
  { text, value, validFrom, evidence, past }: KnownFact,
  at: number,
  against: readonly Evidence[],
): MemoryChange {
  const formerList = { text, value, validFrom, validUntil: at, evidence }
  return { ...rest, validFrom: at, evidence: [...evidence, ...against], past: [...past, formerList] }
}

/** Returns the singular of a role at the end of some words: “little sisters”, “children”, “puppies”. */
function singularOf(role: string): string {
  return role
    .replace(/children$/u, 'child')
    .replace(/(?<=[^aeiou])ies$/u, 'y')
    .replace(/(?<=[^s])s$/u, '')
}

const HAN = /\p{Script=Han}/u
/** Matches keys whose value is one thing, even with a comma: “Lyon, France”. */
const SINGLE_KEYS = /^(?:residence|origin|employer|occupation|education|marital-status|favourite-.+)$/
/** Matches what separates the members of a list in English and Chinese: “, and”, 和. */
const SEPARATOR =
  /\s*,\s*(?:(?:and|or)\s+)?|\s+(?:and|or|&)\s+|\s*[、，]\s*(?:[和跟与與]|以及|还有|還有)?|[和跟与與]|以及|还有|還有/u
/** Matches the words before a list: “takes”, or a role before names, as in “two dogs, Ada and Moss”. */
const HEAD =
  /^takes (?=\S)|^(?:\p{Ll}[\p{L}-]*,? )+(?=\p{Lu}[\p{L}'’-]*(?:(?:, | and |, and )\p{Lu}[\p{L}'’-]*)+$)/u
/** Matches a number before a role, which would be wrong for a shorter list. */
const COUNT = /^(?:two|three|four|five|six|both|\d) /u
