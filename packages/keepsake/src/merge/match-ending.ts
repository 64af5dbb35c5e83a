import { findNamingTerms, type Ending, type EndingKind } from '@keepsake/text'
import type { Memory } from '../memories/memory.ts'

/** The facts that an ending is about. */
interface EndedFacts {
  readonly over: readonly Memory[]
  /** Facts that may be over as well; the words do not show it. */
  readonly doubted: readonly Memory[]
}

/** Keys of facts about people and pets. Their values begin with the person: “sister Mia”, “mum lives in Leeds”. */
const PERSON_KEYS =
  /^(?:partner|parents|siblings|children|relatives|friends|colleagues|pets|living-with|liked-people)$/
/** Keys of facts that cannot end: events, and what a person always is. */
const LASTING_KEYS =
  /^(?:experiences|achievements|background|name|nickname|age|birthday|gender|origin|nationality|zodiac|blood-type|height|form-of-address|appearance|character|relationship-change|promises|dislikes|disliked-people)$/
const NOTHING: EndedFacts = { over: [], doubted: [] }
/** Returns the terms of a text without single Chinese characters, which are part of too many roles: 婆 of 老婆 and 外婆. */
const rolesIn = (text: string): string[] =>
  findNamingTerms(text).filter((term) => !/^\p{Script=Han}$/u.test(term))
const PARTNER_ROLES = rolesIn(
  'husband wife partner boyfriend girlfriend fiancé spouse 老公 老婆 丈夫 妻子 先生 太太 爱人 对象 男朋友 女朋友 男友 女友 未婚夫 未婚妻',
)

/** The keys whose facts each kind of ending can end. */
const KEYS_OF_KIND: Readonly<Record<EndingKind, RegExp>> = {
  death: PERSON_KEYS,
  parting: /^(?:partner|marital-status|living-with)$/,
  job: /^(?:occupation|employer)$/,
  closing: /^(?:employer|occupation|hobbies|habits|routines|learning|education)$/,
  moving: /^(?:residence|living-with)$/,
  'coming-home': PERSON_KEYS,
  medicine: /^(?:health|health-state|routines|habits)$/,
  pregnancy: /^(?:health|health-state|identity|plans|current-activity|goals)$/,
  diet: /^(?:diet|identity|habits|health|beliefs)$/,
  recovery: /^(?:health|health-state|allergies|fears|weaknesses)$/,
  plan: /^(?:plans|goals|wishes|current-activity)$/,
  'giving-away': /^(?:pets|possessions|occupation)$/,
  graduation: /^(?:education|learning|identity|occupation)$/,
  'falling-out': /^(?:friends|liked-people|living-with)$/,
  stopping: /./,
}
/** Words about a pregnancy. */
const PREGNANCY = /\b(?:pregnan\w+|expecting|due|baby|trimester)\b|怀孕|孕|预产/i
const KIN_ROLES = rolesIn(
  'parents mother father sister brother friend friends son daughter cousin aunt uncle grandparents neighbour neighbours colleague 爸妈 父母',
)
/** Words about studies that are not finished. */
const STUDIES =
  /\b(?:stud(?:y|ies|ying|ent)|(?:is|in|doing) (?:a|an|the|their|her|his)\b|at (?:uni|university|college|school))|读|念|上|学生|在校/i
const NEGATION = /\b(?:no|not|never|without|nothing|stopped|quit)\b|n['’]t\b|不|没/i
const PROFESSION = /(?:er|or|ist|ian|man|woman|nurse|cook|vet|clerk|chef)$/i
const MARRIAGE_OR_RELATIONSHIP = /\b(?:engaged|married|relationship|dating|wed)\b|订婚|已婚|恋爱/i
/** Terms that name no particular thing. */
const GENERAL_TERMS = new Set(
  findNamingTerms(
    `last this next week weekend month year today yesterday tonight morning evening night day days time thing things whole
    idea plan plans good job work position post role gig just really finally again now anymore more longer all two three
    few ago since monday tuesday wednesday thursday friday saturday sunday january february march april june july august
    september october november december spring summer autumn winter old new take takes taking daily twice
    go goes going use uses wear wears every before after always usually often each morning mornings`,
  ),
)
const MEDICINE_TERMS = findNamingTerms(
  'medication medications meds tablets tablet pills pill medicine drug drugs',
)

function termsOf(text: string): string[] {
  return findNamingTerms(text).filter((term) => !GENERAL_TERMS.has(term))
}

/** The person or pet that a fact is about: “sister” and “Mia” of “sister Mia works at Siemens”. */
interface Person {
  readonly fact: Memory
  readonly roles: ReadonlySet<string>
  readonly names: ReadonlySet<string>
}

function personOf(fact: Memory): Person {
  const said = fact.value ?? fact.text.replace(/^The user['’]s /, '')
  const [, who = said] =
    /^(.+?)\s(?:is|are|was|lives?|works?|has|in|at|from|who|which|that|helped|plays?|studies|likes?)\s/.exec(
      said,
    ) ?? []
  const [, called = ''] = /\b(?:called|named)\s+(.+)$/.exec(said) ?? []
  const words = `${who} ${called}`.split(/\s+/)
  const names = new Set(
    words.flatMap((word, index) =>
      /^\p{Lu}/u.test(word) || (index > 0 && called.includes(word)) ? findNamingTerms(word) : [],
    ),
  )
  const roles = new Set(termsOf(who).filter((term) => !names.has(term)))
  return { fact, roles, names: names.size > 0 ? names : namesBeside(who, fact) }
}

/** Finds the name that the speaker's words give right after the role: “an old greyhound, Mabel”. */
function namesBeside(who: string, { evidence }: Memory): Set<string> {
  const role = who.split(/\s+/).at(-1) ?? ''
  const said = evidence.flatMap(({ quote }) => quote ?? []).join(' ')
  const index = role === '' ? -1 : said.indexOf(role)
  const [, name] =
    (index >= 0 && /^,?(?: (?:called|named|is))? (\p{Lu}\p{L}+)/u.exec(said.slice(index + role.length))) || []
  return new Set(name === undefined ? [] : findNamingTerms(name))
}

/** Finds the facts about a person or pet that the words name, by name or, if only one such person is known, by role. */
function findPeople(words: ReadonlySet<string>, facts: readonly Memory[]): EndedFacts {
  const people = facts.filter(({ key }) => key !== null && PERSON_KEYS.test(key)).map(personOf)
  const hasAny = (terms: ReadonlySet<string>, of: ReadonlySet<string>): boolean => !terms.isDisjointFrom(of)
  const byName = people.filter(({ names }) => hasAny(names, words))
  const isPartner = PARTNER_ROLES.some((term) => words.has(term))
  const byRole = people.filter(
    ({ fact, roles }) =>
      hasAny(roles, words) ||
      (isPartner && fact.key === 'partner' && !PARTNER_ROLES.some((term) => roles.has(term))),
  )
  const meant = byName.length > 0 ? byName : byRole
  const names = new Set(meant.flatMap((person) => [...person.names]))
  const roles = new Set(meant.flatMap((person) => [...person.roles]))
  const rest = people.filter(
    (person) => hasAny(person.roles, roles) && person.names.size > 0 && !hasAny(person.names, names),
  )
  if (byName.length === 0 && new Set(byRole.flatMap((person) => [...person.names].join(' ') || [])).size > 1)
    return { over: [], doubted: byRole.map(({ fact }) => fact) }
  const same = people.filter(
    (person) =>
      !meant.includes(person) &&
      (hasAny(person.names, names) ||
        (person.names.size === 0 && rest.length === 0 && hasAny(person.roles, roles))),
  )
  return { over: [...meant, ...same].map(({ fact }) => fact), doubted: [] }
}

/**
 * Finds the facts that an ending is about. A fact is doubted if the ending names it, but the words do not show that it is
 * over.
 *
 * @param facts the current facts about the speaker that were stated before
 */
export function matchEnding(ending: Ending, facts: readonly Memory[]): EndedFacts {
  const open = facts.filter(({ key }) => key === null || !LASTING_KEYS.test(key))
  const { over, doubted } = matchKind(ending, open)
  const sure = ending.isSure ? over : []
  const unsure = ending.isSure ? doubted : [...over, ...doubted]
  return { over: sure, doubted: [...new Set(unsure)].filter((fact) => !sure.includes(fact)) }
}

function matchKind(ending: Ending, facts: readonly Memory[]): EndedFacts {
  const { kind } = ending
  const words = new Set(termsOf(ending.words))
  const ofKind = facts.filter(({ key }) => key !== null && KEYS_OF_KIND[kind].test(key))
  switch (kind) {
    case 'death':
      return matchDeath(words, facts)
    case 'parting':
      return matchParting(words, facts)
    case 'job':
      return matchJob(words, ofKind, facts)
    case 'closing': {
      const named = ofKind.filter(({ value }) => namesAny(value ?? '', words))
      const isEmployer = ({ key, value }: Memory): boolean => key === 'employer' && isCovered(value, words)
      return { over: named.filter(isEmployer), doubted: named }
    }
    case 'moving': {
      const moved = findPeople(words, facts).over.filter(({ text }) => /\blives? |住/.test(text))
      const over = [...ofKind.filter(({ text }) => namesAny(text, words)), ...moved]
      return { over, doubted: ending.isSure ? [] : ofKind.filter(({ key }) => key === 'residence') }
    }
    case 'coming-home':
      return { over: findPeople(words, facts).over.filter((fact) => !isRelation(fact)), doubted: [] }
    case 'medicine':
      return matchMedicine(words, ofKind)
    case 'pregnancy':
      return {
        over: ofKind.filter(({ text }) => PREGNANCY.test(text)),
        doubted: facts.filter(
          ({ key, text }) => (key === null || PERSON_KEYS.test(key)) && PREGNANCY.test(text),
        ),
      }
    case 'diet':
      return {
        over: ofKind.filter(({ value, text }) => termsOf(`${value} ${text}`).some((term) => words.has(term))),
        doubted: [],
      }
    case 'plan':
      return matchPlan(words, ofKind, facts)
    case 'giving-away':
      return matchThings(words, ofKind, facts)
    case 'recovery': {
      const otherFacts = facts.filter(
        (fact) => !ofKind.includes(fact) && !isRelation(fact) && namesAny(fact.value ?? fact.text, words),
      )
      if (words.size === 0) return { over: [], doubted: onlyIllness(ofKind) }
      return { over: ofKind.filter(({ value }) => namesAny(value ?? '', words)), doubted: otherFacts }
    }
    case 'graduation':
      return { over: ofKind.filter(({ text }) => STUDIES.test(text)), doubted: [] }
    case 'falling-out':
      return { over: findPeople(words, ofKind).over, doubted: [] }
    case 'stopping':
      return matchStopped(ending, words, ofKind)
  }
}

/** Returns the only illness among facts of health, for words that name none: “I've fully recovered”. */
function onlyIllness(facts: readonly Memory[]): readonly Memory[] {
  const ill = facts.filter(
    ({ key, text }) => key?.startsWith('health') === true && !/\btakes?\b|\bon\b|吃|药/.test(text),
  )
  return ill.length === 1 ? ill : []
}

function matchDeath(words: ReadonlySet<string>, facts: readonly Memory[]): EndedFacts {
  const { over, doubted } = findPeople(words, facts)
  const isPartner = over.some(({ key }) => key === 'partner')
  const bonds = facts.filter(
    ({ key, text }) => isPartner && key === 'marital-status' && MARRIAGE_OR_RELATIONSHIP.test(text),
  )
  const names = new Set([...words, ...over.flatMap((fact) => [...personOf(fact).names])])
  const rest = facts.filter(
    ({ key, text }) => (key === null || !PERSON_KEYS.test(key)) && namesAny(text, names),
  )
  return { over: [...over, ...bonds], doubted: [...doubted, ...(words.size === 0 ? [] : rest)] }
}

function namesAny(text: string, names: ReadonlySet<string>): boolean {
  return termsOf(text).some((term) => names.has(term))
}

function matchParting(words: ReadonlySet<string>, facts: readonly Memory[]): EndedFacts {
  const partners = facts.filter(isOfPartner)
  const bonds = facts.filter(
    ({ key, text }) => key === 'marital-status' && MARRIAGE_OR_RELATIONSHIP.test(text),
  )
  const { over: named } = findPeople(words, facts)
  const isNamed = named.some(
    (fact) => isOfPartner(fact) || PARTNER_ROLES.some((term) => personOf(fact).roles.has(term)),
  )
  if (!isNamed && KIN_ROLES.some((term) => words.has(term))) return NOTHING
  if (words.size > 0 && !isNamed) {
    const isNameless = partners.every((fact) => personOf(fact).names.size === 0)
    return {
      over: named.filter(({ key }) => key === 'living-with'),
      doubted: [...named, ...(isNameless && named.length === 0 ? [...partners, ...bonds] : [])],
    }
  }
  const meant = words.size > 0 ? named : partners.flatMap((fact) => findPeople(namesIn(fact), facts).over)
  const names = new Set(meant.flatMap((fact) => [...namesIn(fact)]))
  const doubted = facts.filter(
    ({ key, text }) =>
      key === 'plans' &&
      (MARRIAGE_OR_RELATIONSHIP.test(text) || /\bmarr|wedding/i.test(text) || namesAny(text, names)),
  )
  const rest = facts.filter(
    ({ key, text }) => (key === null || !PERSON_KEYS.test(key)) && namesAny(text, names),
  )
  return { over: [...new Set([...partners, ...meant, ...bonds])], doubted: [...doubted, ...rest] }
}

/** Checks whether a fact is about the speaker's partner: “husband Piet”, “husband is a carpenter”, 老公在台北工作. */
function isOfPartner(fact: Memory): boolean {
  if (fact.key === null || !PERSON_KEYS.test(fact.key)) return false
  const [first = ''] = rolesIn(fact.value ?? fact.text)
  return fact.key === 'partner' || PARTNER_ROLES.includes(first)
}

function namesIn(fact: Memory): ReadonlySet<string> {
  const { names, roles } = personOf(fact)
  return names.size > 0 ? names : roles
}

function matchJob(words: ReadonlySet<string>, jobs: readonly Memory[], facts: readonly Memory[]): EndedFacts {
  const named = jobs.filter(({ text }) => namesAny(text, words))
  const around = facts.filter(
    ({ key, text, value }) =>
      (key === 'identity' && PROFESSION.test(value ?? '')) ||
      key === 'field-of-work' ||
      (key === 'colleagues' && /\bboss|manager\b/i.test(text)) ||
      (key === null && /\bworks?\b|\bjob\b/i.test(text)),
  )
  if (named.length > 0) return { over: named, doubted: jobs.filter((job) => !named.includes(job)) }
  return words.size === 0 ? { over: jobs, doubted: around } : { over: [], doubted: [...jobs, ...around] }
}

function matchMedicine(words: ReadonlySet<string>, ofKind: readonly Memory[]): EndedFacts {
  const taken = ofKind.filter(({ text }) =>
    /\b(?:takes?|taking|on|uses?|tablets?|pills?|injections?)\b/i.test(text),
  )
  const named = taken.filter(({ value }) => namesAny(value ?? '', words))
  if (named.length > 0) return { over: named, doubted: [] }
  if (!MEDICINE_TERMS.some((term) => words.has(term))) return NOTHING
  return taken.length === 1 ? { over: taken, doubted: [] } : { over: [], doubted: taken }
}

function matchPlan(
  words: ReadonlySet<string>,
  plans: readonly Memory[],
  facts: readonly Memory[],
): EndedFacts {
  if (words.size === 0) return { over: [], doubted: plans.length === 1 ? plans : [] }
  const shares = plans.map((plan) => ({
    plan,
    share: shareOf(words, new Set(termsOf(`${plan.value} ${plan.text}`))),
  }))
  const best = Math.max(...shares.map(({ share }) => share))
  const named = shares.filter(({ share }) => share > 0 && share === best).map(({ plan }) => plan)
  const otherFacts = facts.filter(
    ({ key, value }) =>
      key !== null &&
      !PERSON_KEYS.test(key) &&
      !plans.some((plan) => plan.key === key) &&
      isCovered(value, words),
  )
  const bonds = words.has('marri')
    ? facts.filter(
        ({ key, text }) =>
          key === 'partner' || (key === 'marital-status' && MARRIAGE_OR_RELATIONSHIP.test(text)),
      )
    : []
  if (best >= 0.5) return { over: named, doubted: [...otherFacts, ...bonds] }
  return { over: [], doubted: [...named, ...otherFacts, ...bonds] }
}

/** Checks whether a fact only says who a person is (“sister Mia”), and nothing about their life. */
export function isRelation(fact: Memory): boolean {
  if (fact.key === null || !PERSON_KEYS.test(fact.key)) return false
  const { names, roles } = personOf(fact)
  return new Set(termsOf(fact.value ?? fact.text)).isSubsetOf(names.union(roles))
}

/** Returns the share of terms that occur among other terms, 0 to 1. */
function shareOf(terms: ReadonlySet<string>, otherTerms: ReadonlySet<string>): number {
  return terms.size === 0 ? 0 : terms.intersection(otherTerms).size / terms.size
}

function isCovered(value: string | null, words: ReadonlySet<string>): boolean {
  return shareOf(new Set(termsOf(value ?? '')), words) === 1
}

function matchThings(
  words: ReadonlySet<string>,
  ofKind: readonly Memory[],
  facts: readonly Memory[],
): EndedFacts {
  const pets = findPeople(
    words,
    facts.filter(({ key }) => key === 'pets'),
  )
  const things = ofKind.filter(({ key, value }) => key !== 'pets' && namesAny(value ?? '', words))
  const whole = things.filter(
    ({ value }) => isCovered(value, words) || shareOf(words, new Set(termsOf(value ?? ''))) >= 0.5,
  )
  const otherFacts = facts.filter(
    ({ key, value }) =>
      key !== null &&
      !KEYS_OF_KIND['giving-away'].test(key) &&
      !PERSON_KEYS.test(key) &&
      isCovered(value, words),
  )
  return { over: [...pets.over, ...whole], doubted: [...pets.doubted, ...things, ...otherFacts] }
}

/** Minimum share of a value that an ending must name to put it in doubt. */
const MIN_NAMED_SHARE = 0.5

/** Matches “I no longer …” and “Mia does not … anymore”: a value is over if the words name all of it. */
function matchStopped({ isOwn }: Ending, words: ReadonlySet<string>, facts: readonly Memory[]): EndedFacts {
  const over: Memory[] = []
  const doubted: Memory[] = []
  for (const fact of facts) {
    if (NEGATION.test(fact.value ?? fact.text)) continue
    const isOfOther = fact.key !== null && PERSON_KEYS.test(fact.key)
    const terms = new Set(termsOf(fact.value ?? fact.text))
    if (isOfOther) {
      const { names, roles } = personOf(fact)
      const known = names.isDisjointFrom(words) ? words : words.union(roles)
      const isMeant = isRelation(fact)
        ? words.isSubsetOf(terms) && !roles.isDisjointFrom(words) && shareOf(terms, words) >= MIN_NAMED_SHARE
        : terms.isSubsetOf(known)
      if (isMeant && terms.size > 0) over.push(fact)
      continue
    }
    if (!isOwn) continue
    const share = shareOf(terms, words)
    if (share === 1) over.push(fact)
    else if (share >= MIN_NAMED_SHARE) doubted.push(fact)
  }
  return { over, doubted }
}
