// Finds the people and pets that a user's facts are about: “sister” and “Mia” of “sister Mia works at Siemens”.
import { findNamingTerms } from '@keepsake/text'
import type { Memory } from '../memories/memory.ts'
import { listsSeveral } from './narrow-list.ts'

export interface EndedFacts {
  readonly ended: readonly Memory[]
  /** Facts that may have ended as well. */
  readonly doubted: readonly Memory[]
}

/** Matches keys of facts about people and pets. Their values begin with the person: “sister Mia”, “mum lives in Leeds”. */
export const PERSON_KEYS =
  /^(?:partner|parents|siblings|children|relatives|friends|colleagues|pets|living-with|liked-people)$/

/** Returns the terms of a text without single Chinese characters, which occur in too many roles: 婆 in 老婆 and 外婆. */
export const rolesIn = (text: string): string[] =>
  findNamingTerms(text).filter((term) => !/^\p{Script=Han}$/u.test(term))
export const PARTNER_ROLES = rolesIn(
  'husband wife partner boyfriend girlfriend fiancé spouse hubby bf gf 老公 老婆 丈夫 妻子 先生 太太 爱人 对象 男朋友 女朋友 男友 女友 未婚夫 未婚妻',
)

/** Terms that occur in facts and endings about anything, and so show no relation between them. */
const GENERAL_TERMS = new Set(
  findNamingTerms(
    `last this next week weekend month year today yesterday tonight morning evening night day days time thing things whole
    idea plan plans good job work position post role gig just really finally again now anymore more longer all two three
    few ago since monday tuesday wednesday thursday friday saturday sunday january february march april june july august
    september october november december spring summer autumn winter old new take takes taking daily twice
    go goes going use uses wear wears every before after always usually often each morning mornings`,
  ),
)

/** Returns the terms of a text that may identify a fact. */
export function termsOf(text: string): string[] {
  return findNamingTerms(text).filter((term) => !GENERAL_TERMS.has(term))
}

/** Drops Chinese characters that other names may share: 小 of 小李 and 小白. Words such as 狗 (dog) stay. */
const withoutSharedCharacters = (terms: readonly string[]): string[] =>
  terms.filter(
    (term, _, { length }) => length === 1 || !/^(?![猫狗兔鸟鱼龟爸妈哥姐弟妹奶])\p{Script=Han}$/u.test(term),
  )
export const termsOfPerson = (text: string): string[] => withoutSharedCharacters(termsOf(text))

/** The person or pet that a fact is about: “sister” and “Mia” of “sister Mia works at Siemens”. */
interface Person {
  readonly fact: Memory
  readonly roles: ReadonlySet<string>
  readonly names: ReadonlySet<string>
}

/** Matches the person at the start of a statement: “sister Mia” of “sister Mia works at Siemens”. */
const PERSON_BEFORE_VERB =
  /^(.+?)\s(?:is|are|was|lives?|works?|has|in|at|from|who|which|that|helped|plays?|studies|likes?)\s/

/** Reads the names and the roles of the person that a fact is about. */
export function personOf(fact: Memory): Person {
  const statement = fact.value ?? fact.text.replace(/^The user['’]s /, '')
  const chineseName = /叫(?:做|作)?(\p{Script=Han}{1,6})。?$/u.exec(fact.text)?.[1] ?? ''
  const who = PERSON_BEFORE_VERB.exec(statement)?.[1] ?? statement
  const called = /\b(?:called|named)\s+(.+)$/.exec(statement)?.[1] ?? chineseName
  const words = `${who} ${called}`.split(/\s+/)
  const nameWords = words.filter(
    (word, index) => /^\p{Lu}/u.test(word) || (index > 0 && called.includes(word)),
  )
  const names = new Set(nameWords.flatMap((word) => withoutSharedCharacters(findNamingTerms(word))))
  const roles = new Set(termsOf(who).filter((term) => !names.has(term)))
  return { fact, roles, names: names.size > 0 ? names : namesAfterRole(who, fact) }
}

/** Finds the name right after the role in the speaker's words: “an old greyhound, Mabel”. */
function namesAfterRole(who: string, { evidence }: Memory): Set<string> {
  const role = who.split(/\s+/).at(-1) ?? ''
  const quotes = evidence.flatMap(({ quote }) => quote ?? []).join(' ')
  const index = role === '' ? -1 : quotes.indexOf(role)
  if (index < 0) return new Set()
  const name = /^,?(?: (?:called|named|is))? (\p{Lu}\p{L}+)/u.exec(quotes.slice(index + role.length))?.[1]
  return new Set(name === undefined ? [] : findNamingTerms(name))
}

/** Finds facts about a named person or pet: by name, or by role if only one person of this role is known. */
export function findPeople(words: ReadonlySet<string>, facts: readonly Memory[]): EndedFacts {
  const people = facts.filter(({ key }) => key !== null && PERSON_KEYS.test(key)).map(personOf)
  const hasAny = (terms: ReadonlySet<string>, others: ReadonlySet<string>): boolean =>
    !terms.isDisjointFrom(others)
  const byName = people.filter(({ names }) => hasAny(names, words))
  const isPartner = PARTNER_ROLES.some((term) => words.has(term))
  const byRole = people.filter(
    ({ fact, roles }) =>
      hasAny(roles, words) ||
      (isPartner && fact.key === 'partner' && !PARTNER_ROLES.some((term) => roles.has(term))),
  )
  // A name is more exact than a role.
  const found = byName.length > 0 ? byName : byRole
  const names = new Set(found.flatMap((person) => [...person.names]))
  const roles = new Set(found.flatMap((person) => [...person.roles]))
  const namesOfRole = new Set(byRole.flatMap((person) => [...person.names].join(' ') || []))
  const isOneOfList = byRole.some(({ fact }) => listsSeveral(fact.value ?? ''))
  // “My sister died” leaves open which of two sisters is meant.
  if (byName.length === 0 && (namesOfRole.size > 1 || isOneOfList))
    return { ended: [], doubted: byRole.map(({ fact }) => fact) }
  const isOnlyOneOfRole = people.every(
    (person) => !hasAny(person.roles, roles) || person.names.size === 0 || hasAny(person.names, names),
  )
  const isSamePerson = (person: Person): boolean =>
    hasAny(person.names, names) || (person.names.size === 0 && isOnlyOneOfRole && hasAny(person.roles, roles))
  // Other facts may be about the same person: “sister is a nurse” beside “sister Mia”.
  const same = people.filter((person) => !found.includes(person) && isSamePerson(person))
  return { ended: [...found, ...same].map(({ fact }) => fact), doubted: [] }
}

/** Finds the ended facts about the partner or pet that a sentence says the user has again. “We're back together” has no name. */
export function findReturned(
  sentence: string,
  key: 'partner' | 'pets',
  endedFacts: readonly Memory[],
): readonly Memory[] {
  const { ended: named } = findPeople(new Set(termsOfPerson(sentence)), endedFacts)
  if (named.some((fact) => fact.key === key)) return named
  const partners = endedFacts.filter((fact) => fact.key === 'partner')
  return key === 'partner' && partners.length === 1 && /^(?:we|我们)/iu.test(sentence) ? partners : []
}

/** Checks whether a fact is about the speaker's partner: “husband Piet”, “husband is a carpenter”, 老公在台北工作. */
export function isOfPartner(fact: Memory): boolean {
  if (fact.key === null || !PERSON_KEYS.test(fact.key)) return false
  const [first = ''] = rolesIn(fact.value ?? fact.text)
  return fact.key === 'partner' || PARTNER_ROLES.includes(first)
}

/** Returns the names of the person that a fact is about, or the roles if no name is known. */
export function namesIn(fact: Memory): ReadonlySet<string> {
  const { names, roles } = personOf(fact)
  return names.size > 0 ? names : roles
}

/** Checks whether a fact only says who a person is (“sister Mia”), and nothing about their life. */
export function isRelation(fact: Memory): boolean {
  if (fact.key === null || !PERSON_KEYS.test(fact.key)) return false
  const { names, roles } = personOf(fact)
  return new Set(termsOf(fact.value ?? fact.text)).isSubsetOf(names.union(roles))
}
