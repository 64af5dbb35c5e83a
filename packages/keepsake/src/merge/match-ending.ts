// Finds the facts that a user's statement of an ending is about: “Ines and I broke up” ends “partner Ines”.
import { findNamingTerms, type Ending, type EndingKind } from '@keepsake/text'
import type { Memory } from '../memories/memory.ts'
import {
  findPeople,
  isOfPartner,
  isRelation,
  namesIn,
  PARTNER_ROLES,
  PERSON_KEYS,
  personOf,
  rolesIn,
  termsOf,
  termsOfPerson,
  type EndedFacts,
} from './match-people.ts'
import { withoutMembers } from './narrow-list.ts'

/** Finds the speaker's facts that an ending is about. Facts are doubted if they may be meant, or the ending is not sure. */
export function matchEnding(ending: Ending, facts: readonly Memory[]): EndedFacts {
  const endable = facts.filter(({ key }) => key === null || !LASTING_KEYS.has(key))
  const { ended, doubted } = matchKind(ending, endable)
  const sure = ending.isSure ? ended : []
  const unsure = ending.isSure ? doubted : [...ended, ...doubted]
  return { ended: sure, doubted: [...new Set(unsure)].filter((fact) => !sure.includes(fact)) }
}

/** Matches an ending by its kind. `ofKind` are the facts under the keys that such an ending concerns. */
function matchKind(ending: Ending, facts: readonly Memory[]): EndedFacts {
  const { kind } = ending
  const ofPeople = kind === 'death' || kind === 'parting' || kind === 'falling-out'
  const words = new Set(ofPeople ? termsOfPerson(ending.words) : termsOf(ending.words))
  const ofKind = facts.filter(({ key }) => key !== null && KEYS_OF_KIND[kind].test(key))
  if (ending.mustName === true && !ofKind.some((fact) => isNamed(fact, kind, words))) return NO_FACTS
  switch (kind) {
    case 'death': {
      const names = new Set(facts.flatMap((fact) => [...personOf(fact).names]))
      return matchDeath(ending.mustName === true ? words.intersection(names) : words, facts)
    }
    case 'parting':
      return matchParting(words, facts)
    case 'job':
      return matchJob(words, ofKind, facts)
    case 'new-work':
      return { ended: ofKind, doubted: [] }
    case 'closing':
      return matchClosing(ending, words, ofKind)
    case 'moving':
      return matchMoving(ending, words, ofKind, facts)
    case 'coming-home':
      return { ended: findPeople(words, facts).ended.filter((fact) => !isRelation(fact)), doubted: [] }
    case 'medicine':
      return matchMedicine(words, ofKind)
    case 'new-medicine': {
      const others = ofKind.filter(({ value }) => !namesAny(value ?? '', words))
      return matchMedicine(new Set(MEDICINE_TERMS), others)
    }
    case 'pregnancy':
      return {
        ended: ofKind.filter(({ text }) => PREGNANCY.test(text)),
        doubted: facts.filter(
          ({ key, text }) => (key === null || PERSON_KEYS.test(key)) && PREGNANCY.test(text),
        ),
      }
    case 'diet':
      return {
        ended: ofKind.filter(({ value, text }) => namesAny(`${value} ${text}`, words)),
        doubted: [],
      }
    case 'plan':
      return matchPlan(words, ofKind, facts)
    case 'giving-away':
      return matchThings(words, ofKind, facts)
    case 'recovery':
      return matchRecovery(ending, words, ofKind, facts)
    case 'graduation':
      return { ended: ofKind.filter(({ text }) => STUDIES.test(text)), doubted: [] }
    case 'falling-out':
      return { ended: findPeople(words, ofKind).ended, doubted: [] }
    case 'stopping':
      return matchStopped(ending, words, ofKind)
  }
}

/** Matches “the bakery closed”: the employer ends, and other facts about the place are doubted. */
function matchClosing(ending: Ending, words: ReadonlySet<string>, ofKind: readonly Memory[]): EndedFacts {
  const places = new Set(rolesIn(ending.words))
  const named = ofKind.filter(({ value }) => namesAny(value ?? '', places))
  const isEmployer = ({ key, value }: Memory): boolean => key === 'employer' && isCovered(value, words)
  return { ended: named.filter(isEmployer), doubted: named }
}

/** Matches “Mia moved out of Lyon”, for homes of the user and of others. */
function matchMoving(
  ending: Ending,
  words: ReadonlySet<string>,
  ofKind: readonly Memory[],
  facts: readonly Memory[],
): EndedFacts {
  const homes = ofKind.filter(({ text }) => namesAny(text, words))
  const homesOfPeople = findPeople(words, facts).ended.filter(({ text }) => /\blives? |住/.test(text))
  const doubted = ending.isSure ? [] : ofKind.filter(({ key }) => key === 'residence')
  return { ended: [...homes, ...homesOfPeople], doubted }
}

/** Matches “my cold is gone” and “dad is better now”. Illnesses of others are only doubted. */
function matchRecovery(
  ending: Ending,
  words: ReadonlySet<string>,
  ofKind: readonly Memory[],
  facts: readonly Memory[],
): EndedFacts {
  const illPeople = findIllPeople(ending.people ?? '', facts)
  if (words.size === 0)
    return { ended: [], doubted: [...illPeople, ...(ending.isOwn ? onlyIllness(ofKind) : [])] }
  const otherFacts = facts.filter(
    (fact) => !ofKind.includes(fact) && !isOfPerson(fact) && namesAny(fact.value ?? fact.text, words),
  )
  return {
    ended: ofKind.filter(({ value }) => namesAny(value ?? '', words)),
    doubted: [...illPeople, ...otherFacts],
  }
}

const isOfPerson = ({ key }: Memory): boolean => key !== null && PERSON_KEYS.test(key)

/** Finds facts about illnesses of people whom a sentence names: “dad has pneumonia” by “Dad is better now”. */
function findIllPeople(sentence: string, facts: readonly Memory[]): readonly Memory[] {
  const words = new Set(termsOf(sentence))
  return facts.filter((fact) => {
    const value = fact.value ?? ''
    if (!isOfPerson(fact) || !ILL.test(value)) return false
    // A Chinese value begins with the role, and nothing separates it: 爸得了肺癌.
    const isChinese = /^\p{Script=Han}/u.test(value)
    const { names, roles } = personOf(fact)
    const person = names.union(roles)
    const isNamed = isChinese ? sentence.includes(value.slice(0, 1)) : !person.isDisjointFrom(words)
    const illness = isChinese ? termsOf(value.slice(1)) : termsOf(value).filter((term) => !person.has(term))
    return isNamed && (OUT_OF_ILLNESS.test(sentence) || illness.some((term) => words.has(term)))
  })
}

/** Returns the user's illness if only one is known, because “I've fully recovered” names none. */
function onlyIllness(facts: readonly Memory[]): readonly Memory[] {
  const ill = facts.filter(
    ({ key, text }) => key?.startsWith('health') === true && !/\btakes?\b|\bon\b|吃|药/.test(text),
  )
  return ill.length === 1 ? ill : []
}

/** Matches “Mia died”. The death of the partner also ends the marriage. */
function matchDeath(words: ReadonlySet<string>, facts: readonly Memory[]): EndedFacts {
  const { ended, doubted } = findPeople(words, facts)
  const isPartner = ended.some(({ key }) => key === 'partner')
  const bonds = facts.filter(
    ({ key, text }) => isPartner && key === 'marital-status' && MARRIAGE_OR_RELATIONSHIP.test(text),
  )
  const names = new Set([...words, ...ended.flatMap((fact) => [...personOf(fact).names])])
  // “Greggs was dead today” is about a quiet shop.
  const others = otherFactsNaming(names, facts).filter(({ key }) => words.size > 0 && key !== 'employer')
  return { ended: [...ended, ...bonds], doubted: [...doubted, ...others] }
}

/** Returns the facts under other keys than those of people that contain a name. */
function otherFactsNaming(names: ReadonlySet<string>, facts: readonly Memory[]): readonly Memory[] {
  return facts.filter(({ key, text }) => (key === null || !PERSON_KEYS.test(key)) && namesAny(text, names))
}

function namesAny(text: string, names: ReadonlySet<string>): boolean {
  return termsOf(text).some((term) => names.has(term))
}

/** Matches “Ines and I broke up”, which ends the partner, the relationship and living together. */
function matchParting(words: ReadonlySet<string>, facts: readonly Memory[]): EndedFacts {
  const partners = facts.filter(isOfPartner)
  const bonds = facts.filter(
    ({ key, text }) => key === 'marital-status' && MARRIAGE_OR_RELATIONSHIP.test(text),
  )
  const { ended: named } = findPeople(words, facts)
  const isPartnerNamed = named.some(
    (fact) => isOfPartner(fact) || PARTNER_ROLES.some((term) => personOf(fact).roles.has(term)),
  )
  // “Mum and I parted at the station” ends no relationship.
  if (!isPartnerNamed && KIN_ROLES.some((term) => words.has(term))) return NO_FACTS
  if (words.size > 0 && !isPartnerNamed) {
    // The unknown name may be that of a partner who is known without a name.
    const mayBePartner = named.length === 0 && partners.every((fact) => personOf(fact).names.size === 0)
    return {
      ended: named.filter(({ key }) => key === 'living-with'),
      doubted: mayBePartner ? [...partners, ...bonds] : named,
    }
  }
  // Without a name, “we broke up” means the known partner, in all facts that name them.
  const meant = words.size > 0 ? named : partners.flatMap((fact) => findPeople(namesIn(fact), facts).ended)
  const names = new Set(meant.flatMap((fact) => [...namesIn(fact)]))
  const weddingPlans = facts.filter(
    ({ key, text }) =>
      key === 'plans' && (MARRIAGE_OR_RELATIONSHIP.test(text) || /\bmarr|wedding/i.test(text)),
  )
  return {
    ended: [...new Set([...partners, ...meant, ...bonds])],
    doubted: [...weddingPlans, ...otherFactsNaming(names, facts)],
  }
}

/** Matches “I quit my job at Bosch”. Without a name all jobs end, with an unknown name they are doubted. */
function matchJob(words: ReadonlySet<string>, jobs: readonly Memory[], facts: readonly Memory[]): EndedFacts {
  const named = jobs.filter(({ text }) => namesAny(text, words))
  const factsAboutWork = facts.filter(
    ({ key, text, value }) =>
      (key === 'identity' && PROFESSION.test(value ?? '')) ||
      key === 'field-of-work' ||
      (key === 'colleagues' && /\bboss|manager\b/i.test(text)) ||
      (key === null && /\bworks?\b|\bjob\b/i.test(text)),
  )
  if (named.length > 0) return { ended: named, doubted: jobs.filter((job) => !named.includes(job)) }
  if (words.size === 0) return { ended: jobs, doubted: factsAboutWork }
  return { ended: [], doubted: [...jobs, ...factsAboutWork] }
}

/** Matches “I stopped taking the pills”. Without a name the only known medicine is meant. */
function matchMedicine(words: ReadonlySet<string>, ofKind: readonly Memory[]): EndedFacts {
  const taken = ofKind.filter(({ text }) =>
    /\b(?:takes?|taking|on|uses?|tablets?|pills?|injections?)\b/i.test(text),
  )
  const named = taken.filter(({ value }) => namesAny(value ?? '', words))
  if (named.length > 0) return { ended: named, doubted: [] }
  if (!MEDICINE_TERMS.some((term) => words.has(term))) return NO_FACTS
  return taken.length === 1 ? { ended: taken, doubted: [] } : { ended: [], doubted: taken }
}

/** Matches “we cancelled the trip to Rome”. The plan that shares most words is meant. */
function matchPlan(
  words: ReadonlySet<string>,
  plans: readonly Memory[],
  facts: readonly Memory[],
): EndedFacts {
  if (words.size === 0) return { ended: [], doubted: plans.length === 1 ? plans : [] }
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
  // The stem of “marry” and “married”: a cancelled wedding puts the relation in doubt.
  const bonds = words.has('marri')
    ? facts.filter(
        ({ key, text }) =>
          key === 'partner' || (key === 'marital-status' && MARRIAGE_OR_RELATIONSHIP.test(text)),
      )
    : []
  if (best >= MIN_NAMED_SHARE) return { ended: named, doubted: [...otherFacts, ...bonds] }
  return { ended: [], doubted: [...named, ...otherFacts, ...bonds] }
}

/** Minimum share of words that an ending and a fact must share, so that the fact may be meant. Chosen, not measured. */
const MIN_NAMED_SHARE = 0.5

/** Returns the share of terms that occur among other terms, 0 to 1. */
function shareOf(terms: ReadonlySet<string>, otherTerms: ReadonlySet<string>): number {
  return terms.size === 0 ? 0 : terms.intersection(otherTerms).size / terms.size
}

/** Checks whether words name all of a value. */
function isCovered(value: string | null, words: ReadonlySet<string>): boolean {
  return shareOf(new Set(termsOf(value ?? '')), words) === 1
}

/** Matches “I gave the piano away”, for pets and possessions. */
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
  const endedThings = things.filter(
    ({ value }) =>
      isCovered(value, words) || shareOf(words, new Set(termsOf(value ?? ''))) >= MIN_NAMED_SHARE,
  )
  const otherFacts = facts.filter(
    ({ key, value }) =>
      key !== null &&
      !KEYS_OF_KIND['giving-away'].test(key) &&
      !PERSON_KEYS.test(key) &&
      isCovered(value, words),
  )
  return { ended: [...pets.ended, ...endedThings], doubted: [...pets.doubted, ...things, ...otherFacts] }
}

/** Matches the verb before the thing in a Chinese value: 吃二甲双胍. */
const VERB_OF_VALUE = /^(?:服用|[吃服喝打抽用戴])(?=\p{Script=Han})/u

/** Matches “I no longer …” and “Mia does not … anymore”. A value has ended if the words name all of it. */
function matchStopped(ending: Ending, words: ReadonlySet<string>, facts: readonly Memory[]): EndedFacts {
  const ended: Memory[] = []
  const doubted: Memory[] = []
  for (const fact of facts) {
    if (NEGATION.test(fact.value ?? fact.text)) continue
    const isAboutOther = fact.key !== null && PERSON_KEYS.test(fact.key)
    const terms = new Set(termsOf((fact.value ?? fact.text).replace(VERB_OF_VALUE, '')))
    if (isAboutOther) {
      const { names, roles } = personOf(fact)
      const namedTerms = names.isDisjointFrom(words) ? words : words.union(roles)
      const isMeant = isRelation(fact)
        ? words.isSubsetOf(terms) && !roles.isDisjointFrom(words) && shareOf(terms, words) >= MIN_NAMED_SHARE
        : terms.isSubsetOf(namedTerms)
      if (isMeant && terms.size > 0) ended.push(fact)
      continue
    }
    if (!ending.isOwn) continue
    const share = shareOf(terms, words)
    if (share === 1 || withoutMembers(fact, ending.words) !== null) ended.push(fact)
    else if (share >= MIN_NAMED_SHARE) doubted.push(fact)
  }
  return { ended, doubted }
}

/** Checks whether words name the person of a fact, else most of its value. A partner may be named by the role. */
function isNamed(fact: Memory, kind: EndingKind, words: ReadonlySet<string>): boolean {
  if (kind === 'parting' && !isOfPartner(fact)) return false
  if (kind !== 'parting' && kind !== 'death')
    return shareOf(new Set(termsOfPerson(fact.value ?? fact.text)), words) >= MIN_NAMED_SHARE
  const isRole = kind === 'parting' && PARTNER_ROLES.some((term) => words.has(term))
  return isRole || !personOf(fact).names.isDisjointFrom(words)
}

/** Keys of facts that cannot end, such as events and names. */
const LASTING_KEYS: ReadonlySet<string> = new Set(
  `experiences achievements background name nickname age birthday gender origin nationality zodiac blood-type height
   form-of-address appearance character relationship-change promises dislikes disliked-people`.split(/\s+/),
)
const NO_FACTS: EndedFacts = { ended: [], doubted: [] }
/** The keys whose facts each kind of ending can end. */
const KEYS_OF_KIND: Readonly<Record<EndingKind, RegExp>> = {
  death: PERSON_KEYS,
  parting: /^(?:partner|marital-status|living-with)$/,
  job: /^(?:occupation|employer)$/,
  'new-work': /^occupation$/,
  closing: /^(?:employer|occupation|hobbies|habits|routines|learning|education)$/,
  moving: /^(?:residence|living-with)$/,
  'coming-home': PERSON_KEYS,
  medicine: /^(?:health|health-state|routines|habits)$/,
  'new-medicine': /^(?:health|health-state|routines|habits)$/,
  pregnancy: /^(?:health|health-state|identity|plans|current-activity|goals)$/,
  diet: /^(?:diet|identity|habits|health|beliefs)$/,
  recovery: /^(?:health|health-state|allergies|fears|weaknesses)$/,
  plan: /^(?:plans|goals|wishes|current-activity)$/,
  'giving-away': /^(?:pets|possessions|occupation)$/,
  graduation: /^(?:education|learning|identity|occupation)$/,
  'falling-out': /^(?:friends|liked-people|living-with)$/,
  stopping: /./,
}
/** Matches words about a pregnancy. */
const PREGNANCY = /\b(?:pregnan\w+|expecting|due|baby|trimester)\b|怀孕|孕|预产/i
const KIN_ROLES = rolesIn(
  'parents mother father sister brother friend friends son daughter cousin aunt uncle grandparents neighbour neighbours colleague 爸妈 父母',
)
/** Matches words about studies that are not finished. */
const STUDIES =
  /\b(?:stud(?:y|ies|ying|ent)|(?:is|in|doing) (?:a|an|the|their|her|his)\b|at (?:uni|university|college|school))|读|念|上|学生|在校/i
/** Matches words for an illness of a person. */
const ILL =
  /\b(?:has|had|got|gets|suffers?|diagnosed|ill|sick|hospital|unwell|poorly)\b|[得患]了|有.*[病炎癌症疹瘤]|病|住院|高血压|糖尿|感冒|发烧|骨折|过敏/iu
/** Matches words for a recovery from any illness: “dad is in remission”, but not “dad's cold is gone”. */
const OUT_OF_ILLNESS =
  /^(?!.*['’]s (?!scans?|tests?|results?|op\b|operation|surgery|treatment|chemo))\P{Script=Han}*$|出院了|全好|痊愈|康复/u
const NEGATION = /\b(?:no|not|never|without|nothing|stopped|quit)\b|n['’]t\b|不|没/i
/** Matches the end of a profession, such as “teacher” or “pianist”. */
const PROFESSION = /(?:er|or|ist|ian|man|woman|nurse|cook|vet|clerk|chef)$/i
const MARRIAGE_OR_RELATIONSHIP = /\b(?:engaged|married|relationship|dating|wed)\b|订婚|已婚|恋爱/i
const MEDICINE_TERMS = findNamingTerms(
  'medication medications meds tablets tablet pills pill medicine drug drugs',
)
