import {
  asksOfSelf,
  findTerms,
  fitsQuestion,
  holdsAnswer,
  readAskedRelation,
  readAskedThing,
  readWantedAnswer,
  readWantedName,
  readWantedProperty,
  statesName,
  tellsProperty,
} from '@keepsake/text'
import type { Evidence, LikelyAnswer } from '@keepsake/search'
import type { Answerable } from './recall-types.ts'
import type { StatedSentence } from '../user-state/analysed-text.ts'

/** From this confidence on, recall calls what was asked known. A wrong “I don't know” costs more than a line too many. */
export const KNOWN_FROM = 0.45
/** From this share of a question in one result on, or from this cosine, something near it was found. */
const NEAR_FROM = { share: 0.2, cosine: 0.25 } as const

/**
 * Logistic weights, rounded, as `tools/data/src/fit-confidence.ts` finds them. They are few, so that they hold on talk that no one has
 * fitted them to. `untold` is heavier: a relative who is never mentioned is known by chance alone.
 */
export const CONFIDENCE_WEIGHTS = {
  held: 1.9,
  telling: 1.8,
  aheadOfPeople: 2.8,
  aheadOfAgent: 0.8,
  untold: -2.5,
} as const
const BIAS = -2.25

/** What a confidence is measured by. */
export interface ConfidenceTraits extends Pick<Evidence, 'documents' | 'aheadOfPeople' | 'aheadOfAgent'> {
  /** Largest share of the question that one sentence holds, in a text that states what is asked for. */
  readonly held: number
  /** Share of the likely answers that tell what is asked for. */
  readonly telling: number
  /** 1 where no text mentions the relative or the thing that it asks about. */
  readonly untold: number
  /** Whether anything near it was found, said by anyone. */
  readonly isNear: boolean
}

/** The words of what was found, and which words a memory holds at all. */
export interface ReadTexts {
  readonly textOf: (id: string) => string
  /** What a document states; nothing where it is no word of the user. */
  readonly statementsOf: (id: string) => readonly StatedSentence[]
  readonly holds: (word: string) => boolean
}

/**
 * What shows whether documents answer a question: its words stand together in one statement of the speaker asked about, beside the kind
 * of thing that is asked for.
 */
export function readConfidenceTraits(
  question: string,
  evidence: Evidence,
  { textOf, statementsOf, holds }: ReadTexts,
): ConfidenceTraits {
  const { documents, terms, unheardTerms, aheadOfPeople, aheadOfAgent, likely } = evidence
  const wanted = readWanted(question)
  const isOfSelf = asksOfSelf(question)
  let [held, telling, nearest] = [0, 0, evidence.nearest]
  for (const [index, answer] of likely.entries()) {
    const stated = statementsOf(answer.id).filter(({ isOfAnother }) => !(isOfSelf && isOfAnother))
    const text = stated.map((sentence) => sentence.text).join(' ')
    const before = answer.before === null ? '' : textOf(answer.before)
    const asked = answer.asked === null ? 0 : shareOf(terms, answer.asked)
    if (asked > nearest && fitsQuestion(before, textOf(answer.id))) nearest = asked
    if (text === '' || !wanted.states(text, { isFirst: index === 0, before })) continue
    telling += 1
    const isReply = answer.asked !== null && fitsQuestion(before, text)
    const source = isReply ? answer : { ...answer, asked: null }
    for (const sentence of stated)
      held = Math.max(held, heldShare(terms, source, sentence) ?? (wanted.isParticular ? 1 : 0))
  }
  const untold = isUntold(question, unheardTerms, holds) ? 1 : 0
  const isNear =
    nearest >= NEAR_FROM.share ||
    (wanted.isParticular ? telling > 0 : evidence.nearestMeaning >= NEAR_FROM.cosine)
  return {
    documents,
    held,
    telling: telling / Math.max(1, likely.length),
    aheadOfPeople,
    aheadOfAgent,
    untold,
    isNear,
  }
}

/** Share of the question's rarity that some text holds, by terms. */
function shareOf(terms: Evidence['terms'], held: readonly number[]): number {
  const all = terms.reduce((sum, { rarity }) => sum + rarity, 0)
  return all === 0 ? 0 : terms.reduce((sum, { rarity }, index) => sum + rarity * (held[index] ?? 0), 0) / all
}

/** Share of the question's rarity that a sentence of a document holds, with the question that it answers; `null` where it has no words. */
function heldShare(
  terms: Evidence['terms'],
  { held, asked }: LikelyAnswer,
  sentence: StatedSentence,
): number | null {
  const saidTerms = (sentence.terms ??= findTerms(sentence.text))
  let [all, said] = [0, 0]
  for (const [index, { term, rarity }] of terms.entries()) {
    const inDocument = held[index] ?? 0
    const here = inDocument < 1 || saidTerms.includes(term) ? inDocument : 0
    all += rarity
    said += rarity * Math.max(here, asked?.[index] ?? 0)
  }
  return all === 0 ? null : said / all
}

/** Whether no text mentions the relative or the thing that a question asks about. */
function isUntold(
  question: string,
  unheardTerms: ReadonlySet<string>,
  holds: (word: string) => boolean,
): boolean {
  const relation = readAskedRelation(question)
  if (relation !== null && !relation.some(holds)) return true
  const thing = readAskedThing(question)
  return thing !== null && thing.every((term) => unheardTerms.has(term))
}

/** What a question asks for. */
interface Wanted {
  /** Whether it asks for a kind of answer, a property or a name, which a text shows. */
  readonly isParticular: boolean
  readonly states: (text: string, at: ReadAt) => boolean
}

function readWanted(question: string): Wanted {
  const answer = readWantedAnswer(question)
  const property = readWantedProperty(question)
  const name = property === null ? readWantedName(question) : null
  // English puts a name beside what it names, which says more than that there is one.
  const kinds =
    name === null || name.isChinese ? answer.kinds : answer.kinds.filter((kind) => kind !== 'name')
  return {
    isParticular: answer.kinds.length > 0 || property !== null || name !== null,
    states: (text, at) =>
      holdsAnswer({ ...answer, kinds }, text) &&
      (property === null || tellsProperty(property, text)) &&
      (name === null || statesName(name, text, at)),
  }
}

/** The place of a text among those that come first, and what was said just before it. */
interface ReadAt {
  readonly isFirst: boolean
  readonly before: string
}

/** The probability, from 0 to 1, that what was asked was ever said. 0 where there is nothing to look at. */
export function measureConfidence(traits: ConfidenceTraits): number {
  if (traits.documents === 0) return 0
  let odds = BIAS
  for (const [name, weight] of Object.entries(CONFIDENCE_WEIGHTS))
    odds += weight * traits[name as keyof typeof CONFIDENCE_WEIGHTS]
  return 1 / (1 + Math.exp(-odds))
}

/** How much more a model that reads question and text together is heard than what stands above. */
const HEARD = 3

/** A confidence, where a reranking model says how probable it is that the best of what was found bears on the question. */
export function confidenceWith(confidence: number, relevance: number): number {
  return (confidence + HEARD * Math.min(1, Math.max(0, relevance))) / (1 + HEARD)
}

/** How far memory answers a question. */
export function readAnswerable(confidence: number, isNear: boolean): Answerable {
  if (confidence >= KNOWN_FROM) return 'yes'
  return isNear ? 'maybe' : 'no'
}
