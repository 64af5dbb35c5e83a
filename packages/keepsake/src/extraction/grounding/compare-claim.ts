// Compares three claims of a statement with the talk: who did something (person), whether (negation) and how much (degree).
import { findTerms, isEnglishFunctionWord, readTimeRanges, relatedTerms } from '@keepsake/text'
import type { Candidate } from '../../memories/candidate.ts'
import { languageOf, open, textOf, type Difference, type Talk } from './difference.ts'
import type { Quoted } from './find-doubts.ts'
import { DAY_MS } from './dates-of-statement.ts'
import { startsWithUserWord } from './find-unsupported.ts'
import { readQuantities } from './read-quantities.ts'
import { hasHan, matchAnyOf } from './word-lists.ts'
import words from './claims.json' with { type: 'json' }

/** Compares the person, negation and degree of a statement with what was said, in English and Chinese. */
export function compareClaim(candidate: Candidate, said: Talk): (Difference | null)[] {
  if (languageOf(candidate.text) === 'other') return []
  return [comparePerson(candidate, said), comparePolarity(candidate, said), ...compareDegree(candidate, said)]
}

/** Words for people by their relation, grouped by kind. */
const RELATIONS = words.relations
/** Maps each word for a person to its kind. */
export const RELATION_OF = new Map(
  RELATIONS.flatMap((words, index) => words.map((word) => [word, index] as const)),
)
const CHINESE_RELATIONS = [...RELATION_OF.keys()]
  .filter((word) => hasHan(word))
  .toSorted((a, b) => b.length - a.length)
const CHINESE_RELATION = new RegExp(CHINESE_RELATIONS.join('|'), 'gu')

/** Returns the kinds of people that a text names by their relation, in order. */
function relationsIn(text: string): number[] {
  const english = (text.toLowerCase().match(/[a-z]+(?:-in-law)?/g) ?? []).flatMap((word) => {
    const relation = RELATION_OF.get(word) ?? RELATION_OF.get(word.replace(/s$/, ''))
    return relation === undefined ? [] : [relation]
  })
  const chinese = (text.match(CHINESE_RELATION) ?? []).flatMap((word) => RELATION_OF.get(word) ?? [])
  return [...english, ...chinese]
}

/** Matches a statement about the agent. */
const OF_AGENT = /^(?:the )?(?:agent|assistant)\b|^(?:助手|助理)/iu
const SECOND_PERSON = /\b(?:you|your|yours|you['’]\w+|u|ur)\b|[你您]/i
/** Chinese words before and after 我 (I, my) with which 我 is no subject: 给我 (gives me), 我妈 (my mum). */
const NO_SUBJECT_AFTER = '[给跟和对比让叫教帮找陪替被把说嫌骂夸劝]|怀疑|觉得|认为|希望|建议'
const NO_SUBJECT_BEFORE =
  '们?的|们?家[的里]?|[爸妈爷奶哥姐弟妹叔姑姨舅公婆]|老[公婆爸妈板师弟妹]|男|女|儿|闺|对象|前|室友|同事|朋友|邻居'
/** Matches a first person that may be the subject: “I've moved”, 我搬家了. */
const FIRST_PERSON_SUBJECT = new RegExp(
  [
    String.raw`\b(?:i|i['’]?m|i['’]?ve|i['’]?d|i['’]?ll|im|ive|we|we['’]?\w{0,2})\b`,
    `(?<!${NO_SUBJECT_AFTER})[我咱俺](?!${NO_SUBJECT_BEFORE})`,
  ].join('|'),
  'i',
)
const LINKING_WORDS =
  'only|even|just|and|so|but|well|oh|then|because|since|cos|plus|also|apparently|turns out|yeah|yes|no|ok|okay|ugh|god'
/** Matches another person as the subject at the start of a clause: “and then she …”, 昨天他…. */
const OTHERS_SUBJECT = new RegExp(
  [
    String.raw`^[^\p{L}]*(?:(?:${LINKING_WORDS})[\s,]+)*(?:his|her|their|he|she|they)(?:['’]\w+)?\b`,
    String.raw`^[^\p{L}]*(?:昨晚?|今早?|上周|刚才?|后?来)?天?[他她]`,
  ].join('|'),
  'iu',
)
const ADJECTIVES = 'own|dear|little|big|old|new|best|younger|older|late|eldest|youngest'
/** Matches the words before a person of the speaker's: “and my older” of “and my older brother”. */
const OF_SPEAKER = new RegExp(
  [
    String.raw`^[^\p{L}]*(?:\w+[\s,]+){0,2}?(?:my|our)\s+(?:(?:${ADJECTIVES})\s+)*`,
    String.raw`^[^\p{L}]*(?:我|咱|俺)(?:们|家)?的?`,
  ].join('|'),
  'iu',
)

/** Matches what separates two clauses. */
const CLAUSE =
  /[.!?;:。！？；：…\n—–]+|,\s|，|\s-\s|\s*\b(?:but|though|although|whereas|while|and)\b\s*|但是?|不过|可是?(?=[我他她])|而且/iu

/** Returns the clauses of a turn that overlap with a quote. Without a quote, returns all clauses. */
function clausesOf({ turn, quote }: Quoted): string[] {
  const text = turn.text
  const start = quote === null ? 0 : Math.max(0, text.indexOf(quote))
  const end = quote === null ? text.length : start + quote.length
  const overlapping: string[] = []
  let from = 0
  for (const clause of text.split(CLAUSE)) {
    const index = text.indexOf(clause, from)
    from = index + clause.length
    if (clause.trim() !== '' && index < end && from > start) overlapping.push(clause)
  }
  return overlapping
}

/** Compares the person that a statement is about with the persons in its evidence. */
function comparePerson(candidate: Candidate, said: Talk): Difference | null {
  const stated = relationsIn(candidate.text)
  const known = new Set(relationsIn(textOf(said)))
  const unsaid = stated.find((relation) => !known.has(relation))
  if (unsaid !== undefined) return open(`there was no word of such a person: ${RELATIONS[unsaid]?.[0] ?? ''}`)
  const userQuotes = said.quotes.filter(({ turn }) => turn.role === 'user')
  if (userQuotes.length === 0) return null
  const clauses = userQuotes.flatMap(clausesOf)
  const isByUserAlone = userQuotes.length === said.quotes.length
  const addressesAgent = clauses.some((clause) => SECOND_PERSON.test(clause))
  if (OF_AGENT.test(candidate.text) && isByUserAlone && !addressesAgent)
    return open('its words are not about the agent')
  if (isAboutUser(candidate, userQuotes)) return compareUserClaim(candidate, clauses, userQuotes)
  return compareClaimAboutOther(candidate, clauses, userQuotes)
}

/** Compares a statement about the user with the clauses of its evidence, which may be about another person. */
function compareUserClaim(
  candidate: Candidate,
  clauses: readonly string[],
  userQuotes: readonly Quoted[],
): Difference | null {
  const stated = relationsIn(candidate.text)
  const isAboutOther = nearestTo(candidate.text, clauses).some(
    (clause) =>
      relationsIn(clause).some((relation) => !stated.includes(relation)) ||
      subjectBefore(clause, userQuotes) === 'other' ||
      isAboutOtherThing(clause, candidate) ||
      startsWithOtherName(clause, candidate),
  )
  return isAboutOther ? open('its words are about another person') : null
}

/** Compares a statement about another person with the clauses of its evidence, which may be about the user. */
function compareClaimAboutOther(
  candidate: Candidate,
  clauses: readonly string[],
  userQuotes: readonly Quoted[],
): Difference | null {
  const { text } = candidate
  const stated = relationsIn(text)
  const isByOther = /^(?:the )?user['’]s\b|^用户的|^(?!用户).{1,6}用户/iu.test(text) || startsWithPerson(text)
  const namesUser = /.(?:\bthe user\b(?!['’]s)|用户(?!的))/iu.test(text)
  const subjects = nearestTo(text, clauses).map((clause) => subjectBefore(clause, userQuotes))
  // The user did something to another person, but the statement says the reverse.
  if (isByOther && namesUser && subjects.includes('user'))
    return open('its words have the speaker as their subject')
  const isAboutRelation = /^(?:the )?user['’]s\b|^用户的/iu.test(text) && stated.length > 0
  const areAllAboutUser = clauses.every(
    (clause) => relationsIn(clause).length === 0 && FIRST_PERSON_SUBJECT.test(clause),
  )
  if (isAboutRelation && clauses.length > 0 && areAllAboutUser) return open('its words are about the speaker')
  const isAboutAnother = clauses.flatMap(relationsIn).some((relation) => !stated.includes(relation))
  return isAboutAnother ? open('its words are about another person') : null
}

const VERBS_OF_THING =
  'has|have|had|is|are|was|were|needs?|can|will|does|got|hates?|loves?|likes?|eats?|weighs?|lives?'
/** Matches a clause about a thing or pet of the speaker's: “Our cat has …”, 我家猫有…. */
const OWN_THING = new RegExp(
  [
    String.raw`^[^\p{L}]*(?:(?:and|but|so)\s+)?(?:my|our)\s+(?:\p{L}+\s+){0,2}?(?<noun>\p{L}+)\s+(?:${VERBS_OF_THING})\b`,
    String.raw`^[^\p{L}]*我们?家的?(?<named>\p{Script=Han}{1,2}?)(?=有|是|会|在|怕|不|没|得|患)`,
  ].join('|'),
  'iu',
)

/** Checks for a clause about a thing of the speaker's that the statement does not name. */
function isAboutOtherThing(clause: string, { text }: Candidate): boolean {
  const { noun, named } = OWN_THING.exec(clause)?.groups ?? {}
  const thing = noun ?? named
  return thing !== undefined && !findTerms(thing).some((term) => findTerms(text).includes(term))
}

/** Checks for a clause that begins with a name, although the statement begins otherwise: “Nils lent me …”, “The user lent Nils …”. */
function startsWithOtherName(clause: string, { text }: Candidate): boolean {
  const [name] = /^\p{Lu}[\p{L}'’-]+/u.exec(clause.trim()) ?? []
  return name !== undefined && !isEnglishFunctionWord(name.toLowerCase()) && text.indexOf(name) > 0
}

/** Checks whether the user is the subject of a statement, as “the user” or by name. */
function isAboutUser({ text, subject }: Candidate, quotes: readonly Quoted[]): boolean {
  const names = quotes.flatMap(({ turn }) => turn.speaker ?? [])
  const isNamed =
    names.includes(subject) && text.startsWith(subject) && !/^['’]s?\b|^的/.test(text.slice(subject.length))
  return isNamed || (startsWithUserWord(text) && !/^(?:the )?user['’]s|^用户的/iu.test(text))
}

const BEGINS_WITH_SPEAKER = /^[^\p{L}]*(?:(?:and|but|so|then|also|yes|no|well)[\s,]+)*(?:i|we)\b/iu

/** Matches the findings of a doctor or a test, which are about the speaker. */
const FOUND_OF_SPEAKER =
  /\b(?:doctor|gp|dentist|consultant|nurse|tests?|scan)\b.{0,12}\b(?:says?|said|told|found|shows?)\b|(?:医生|大夫|体检|检查).{0,4}(?:说|讲|查出|显示|结果)/i

/** Returns the person that a clause is about. If the clause names none, searches the clauses before it in the turn. */
function subjectBefore(clause: string, quotes: readonly Quoted[]): 'user' | 'other' | null {
  const turn = quotes.find(({ turn: { text } }) => text.includes(clause))?.turn
  const before = turn === undefined ? [] : clausesOf({ turn, quote: null })
  const index = before.indexOf(clause)
  for (const precedingClause of [clause, ...before.slice(0, Math.max(0, index)).toReversed()]) {
    if (BEGINS_WITH_SPEAKER.test(precedingClause)) return 'user'
    if (FOUND_OF_SPEAKER.test(precedingClause)) return 'user'
    if (OTHERS_SUBJECT.test(precedingClause) || startsWithPerson(precedingClause)) return 'other'
    if (FIRST_PERSON_SUBJECT.test(precedingClause)) return 'user'
    // In English a clause without a subject is about the speaker: "been sober since May".
    if (!hasHan(precedingClause)) return null
  }
  return null
}

/** Checks whether a clause begins with a person other than the speaker: "my brother", "Grandpa", 我妈. */
function startsWithPerson(clause: string): boolean {
  const rest = clause.replace(OF_SPEAKER, '').trim()
  const [first = ''] = rest.toLowerCase().split(/[^\p{L}-]+/u)
  const isName =
    /^\p{Lu}\p{Ll}+/u.test(rest) &&
    !isEnglishFunctionWord(first) &&
    relatedTerms(findTerms(first)[0] ?? '', 'en').length === 0
  return isName || RELATION_OF.has(first) || CHINESE_RELATIONS.some((word) => rest.startsWith(word))
}

/** Returns the clauses that share most words and numbers with a statement. */
function nearestTo(text: string, clauses: readonly string[]): string[] {
  const wordsAndNumbers = (part: string): string[] => [
    ...findTerms(part),
    ...readQuantities(part).map(({ value }) => String(value)),
  ]
  const stated = new Set(wordsAndNumbers(text))
  const counts = clauses.map(
    (clause) =>
      wordsAndNumbers(clause).filter((term) => stated.has(term) && !isEnglishFunctionWord(term)).length,
  )
  const highest = Math.max(0, ...counts)
  return clauses.filter((_, index) => counts[index] === highest)
}

const NEGATION = matchAnyOf(words.negations)
/** Matches expressions that contain a negation but deny nothing: “not bad”, 差不多. */
const NO_NEGATION = matchAnyOf(words.notNegations, 'giu')
/** Matches words that end or refuse something, and so deny it: “stopped”, “refused”. */
const REFUSAL = matchAnyOf(words.refusals)

function isDenied(text: string): boolean {
  return NEGATION.test(text.replaceAll(NO_NEGATION, ' '))
}

/** Matches words of an exception: “all except Ben”. */
const EXCEPTS = /\b(?:except|apart from|other than)\b|(?<![切删清拆解])除了/i
/** Pairs of opposite words. */
const OPPOSITES = words.opposites.map((pair) => pair.map((word) => new RegExp(word, 'i')))

/** Checks whether one text has only one word of a pair of opposites, and the other text has only the other. */
function isOpposed(text: string, said: string): boolean {
  const hasOnly = (part: string, word?: RegExp, opposite?: RegExp): boolean =>
    word?.test(part) === true && opposite?.test(part) === false
  return OPPOSITES.some(
    ([first, second]) =>
      (hasOnly(text, first, second) && hasOnly(said, second, first)) ||
      (hasOnly(text, second, first) && hasOnly(said, first, second)),
  )
}

function isNegative(text: string): boolean {
  return isDenied(text) || REFUSAL.test(text)
}

/** Returns the clauses of the quotes, and the clauses of their turns that share most words with the statement. */
function supportingClauses(candidate: Candidate, { quotes }: Talk): string[] {
  const all = quotes.flatMap(({ turn }) => clausesOf({ turn, quote: null }))
  const nearest = nearestTo(candidate.text, all)
  // If all clauses are equally near, none of them was chosen by its words.
  const chosen = nearest.length < all.length ? nearest : []
  return [...new Set([...quotes.flatMap(clausesOf), ...chosen])]
}

/** Compares whether something is affirmed or denied, as a whole and by clause: “has no car and wants one”. */
function comparePolarity(candidate: Candidate, said: Talk): Difference | null {
  const clauses = supportingClauses(candidate, said)
  const talk = clauses.join(' , ')
  const isPartReversed = (part: string): boolean => {
    const nearest = nearestTo(part, clauses)
    return (
      nearest.length < clauses.length && nearest.every((clause) => isNegative(clause) !== isNegative(part))
    )
  }
  const parts = candidate.text.split(CLAUSE)
  const isReversed =
    (EXCEPTS.test(talk) && !EXCEPTS.test(candidate.text)) ||
    isOpposed(candidate.text, talk) ||
    isNegative(candidate.text) !== clauses.some(isNegative) ||
    (parts.length > 1 && parts.some(isPartReversed))
  return isReversed ? open('it affirms what its words deny, or the reverse') : null
}

/**
 * Words of degree and certainty by kind. `when` says whether a statement differs if only the evidence has such a word
 * (`said`), if only the statement has one (`stated`), or in both cases (`either`).
 */
const DEGREES = words.degrees.map(({ kind, when, ...lists }) => ({ kind, when, words: matchAnyOf(lists) }))

/** Compares words of degree and certainty. */
function compareDegree(candidate: Candidate, said: Talk): Difference[] {
  const clauses = supportingClauses(candidate, said).join(' , ')
  const latestTurnTime = Math.max(...said.quotes.map(({ turn }) => turn.at))
  const times = readTimeRanges(candidate.text, latestTurnTime)
  const isInFuture = times.some(({ to }) => to > latestTurnTime + DAY_MS)
  return DEGREES.flatMap(({ kind, when, words }) => {
    const isSaid = words.test(clauses)
    const isStated = words.test(candidate.text) || (kind === 'plan' && isInFuture)
    const isMissing = isSaid && !isStated && when !== 'stated'
    const isAdded = isStated && !isSaid && when !== 'said' && !words.test(textOf(said))
    return isMissing || isAdded ? [open(`it says more or less than its words (${kind})`)] : []
  })
}
