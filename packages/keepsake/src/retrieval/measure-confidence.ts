// Computes how likely memory has an answer to a question, from what the search found.
import {
  callsBy,
  fitsQuestion,
  holdsAnswer,
  readAskedRelation,
  readAskedThing,
  readLeadingProperty,
  readWantedAnswer,
  readWantedName,
  readWantedProperty,
  simplifyChinese,
  statementsAbout,
  statesName,
  tellsProperty,
  withoutWishes,
  withPronouns,
} from '@keepsake/text'
import type { Evidence, LikelyAnswer } from '@keepsake/search'
import {
  findTermsOfAnother,
  isOfOther,
  isStated,
  readAskedMatter,
  shareOf,
  supportsMatter,
  termsOf,
  type AskedMatter,
} from './asked-matter.ts'
import type { Answerable } from './recall-types.ts'
import type { StatedSentence } from '../user-state/analysed-text.ts'

/** From this confidence on, recall calls what was asked known. A wrong “I don't know” costs more than a line too many. */
export const KNOWN_FROM = 0.45
/** From this share of a question in one result on, or from this cosine, something near it was found. */
const NEAR_FROM = { share: 0.2, cosine: 0.25 } as const

/**
 * Logistic weights near those that `tools/data/src/fit-confidence.ts` finds. They are few, so that they hold on talk that no one has
 * fitted them to. `untold` is far heavier than the fit (−0.4): a relative who is never mentioned is known by chance alone.
 */
export const CONFIDENCE_WEIGHTS = {
  held: 2,
  particular: -1.9,
  telling: 1.3,
  aheadOfPeople: 2.9,
  aheadOfAgent: 3,
  untold: -2.3,
} as const
const WEIGHED_TRAITS = Object.keys(CONFIDENCE_WEIGHTS) as (keyof typeof CONFIDENCE_WEIGHTS)[]
const BIAS = -0.1
/** It counts whether the user's word is ahead of what the agent says of itself, and not how far. */
const MOST_AHEAD = 0.4

/** Share of a question that a text holds which states the property it asks for, in whatever words. */
const TOLD_SHARE = 0.75

/** A share of fewer texts that speak of a person says little. */
const LEAST_SPEAKING = 3

/** What a confidence is measured by. */
export interface ConfidenceTraits extends Pick<Evidence, 'documents' | 'aheadOfPeople' | 'aheadOfAgent'> {
  /** Largest share of the question that one sentence holds, in a text that states what is asked for. */
  readonly held: number
  /** 1 where a particular thing is asked for: a name, a number, a place, a colour. */
  readonly particular: number
  /** Share of the likely answers about the person that state such a thing; 0 where none is asked for. */
  readonly telling: number
  /** 1 where no text mentions the relative, no statement the thing that it asks about, or none about the person holds enough of it. */
  readonly untold: number
  /** Whether anything near it was found, said by anyone. */
  readonly isNear: boolean
}

/** The words of what was found, and which words a memory holds at all. */
export interface ReadTexts {
  readonly textOf: (id: string) => string
  /** What a document states; nothing where it is no word of the user. */
  readonly statementsOf: (id: string) => readonly StatedSentence[]
  /** Texts of turns that hold a word. */
  readonly textsWith: (word: string) => readonly string[]
  /** The texts before a turn in its session, the nearest last. */
  readonly textsBefore: (id: string) => readonly string[]
  /** Names of the user. */
  readonly self: readonly string[]
}

/** A question, and the speakers whose words it asks for, where several users speak. */
export interface AskedQuestion {
  readonly asked: string
  readonly named: readonly string[]
}

/**
 * Reads what shows whether documents answer a question: its words stand together in one statement about the person asked about, beside
 * the kind of thing that is asked for. What is said of anyone else, and what is only wished for, shows nothing.
 */
export function readConfidenceTraits(
  { asked, named }: AskedQuestion,
  evidence: Evidence,
  { textOf, statementsOf, textsBefore, textsWith, self }: ReadTexts,
): ConfidenceTraits {
  const { documents, aheadOfPeople, aheadOfAgent, likely } = evidence
  const question = simplifyChinese(asked)
  const wanted = readWanted(question)
  const { isParticular } = wanted
  const ofSpeakers = withPronouns(question, { self: named, agent: [] })
  const matter = readAskedMatter(ofSpeakers, evidence.terms, textsWith)
  const { terms } = matter
  const isAsker = (name: string): boolean => callsBy(name, [...self, ...named])
  const answers = likely.map((answer) => ({
    ...answer,
    sentences: statementsAbout<StatedSentence>(matter.person, statementsOf(answer.id), {
      before: () => textsBefore(answer.id).map((text) => simplifyChinese(text)),
      isAsker,
    }).map((sentence): StatedSentence => withoutWishes(question, sentence)),
  }))
  const stated = answers.flatMap(({ sentences }) => sentences)
  const isOfAnother = findTermsOfAnother(matter, likely, stated)
  let [held, telling, speaking, isTold, isNear] = [0, 0, 0, false, evidence.nearest >= NEAR_FROM.share]
  for (const [index, answer] of answers.entries()) {
    const before = answer.before === null ? '' : simplifyChinese(textOf(answer.before))
    const isSameAsked = answer.asked !== null && shareOf(terms, answer.asked) >= NEAR_FROM.share
    isNear ||= isSameAsked && fitsQuestion(before, textOf(answer.id))
    const text = answer.sentences.map((sentence) => sentence.text).join(' ')
    if (text.trim() === '') continue
    speaking += 1
    if (!wanted.states(text, { isFirst: index === 0, before })) continue
    telling += 1
    isTold ||= wanted.givesProperty(text)
    const isReply = answer.asked !== null && fitsQuestion(before, text)
    const source = { held: answer.held, asked: isReply ? answer.asked : null, isOfAnother }
    for (const sentence of answer.sentences) {
      const share = heldShare(matter, source, sentence) ?? (isParticular ? 1 : 0)
      held = Math.max(held, share, wanted.shows(sentence.text) ? toldShare(matter) : 0)
    }
  }
  const isSupported =
    isTold && isOfOther(matter)
      ? held > 0
      : supportsMatter(question, matter, held, { stated, isOfAnother, isParticular })
  const isUntold =
    (!isSupported && terms.length > 0) || lacksWhatIsAsked(question, evidence, stated, textsWith)
  return {
    documents,
    held: isSupported ? held : 0,
    particular: isParticular ? 1 : 0,
    telling: isParticular ? telling / Math.max(1, Math.min(LEAST_SPEAKING, likely.length), speaking) : 0,
    aheadOfPeople,
    aheadOfAgent: Math.max(-MOST_AHEAD, Math.min(MOST_AHEAD, aheadOfAgent)),
    untold: isUntold ? 1 : 0,
    isNear: isNear || (isParticular ? telling > 0 : evidence.nearestMeaning >= NEAR_FROM.cosine),
  }
}

/** Share of a question that a sentence about another person holds which shows the property asked for, in whatever words. */
function toldShare(matter: AskedMatter): number {
  const { personShare } = matter
  return isOfOther(matter) ? personShare + TOLD_SHARE * (1 - personShare) : 0
}

/** Share of the question's rarity that a sentence of a document holds, with the question that it answers; `null` where it has no words. */
function heldShare(
  { terms, isOfPerson }: AskedMatter,
  {
    held,
    asked,
    isOfAnother,
  }: Pick<LikelyAnswer, 'held' | 'asked'> & { readonly isOfAnother: readonly boolean[] },
  sentence: StatedSentence,
): number | null {
  const saidTerms = termsOf(sentence)
  const here = terms.map(({ term }, at) => {
    // That it is about the person holds the words for the person.
    if (isOfPerson[at] === true) return 1
    const inDocument = isOfAnother[at] === true ? 0 : (held[at] ?? 0)
    return Math.max(inDocument < 1 || saidTerms.includes(term) ? inDocument : 0, asked?.[at] ?? 0)
  })
  return terms.length === 0 ? null : shareOf(terms, here)
}

/** Whether no text mentions the relative that a question asks about, or no statement the thing. */
function lacksWhatIsAsked(
  question: string,
  { unheardTerms, terms, likely }: Evidence,
  stated: readonly StatedSentence[],
  textsWith: ReadTexts['textsWith'],
): boolean {
  const relation = readAskedRelation(question)
  if (relation !== null && !relation.some((word) => textsWith(word).length > 0)) return true
  const thing = readAskedThing(question)
  if (thing === null || thing.some((term) => isStated(stated, term))) return false
  // It is named where nothing is stated: in a wish, or of another person.
  const isNamed = terms.some(
    ({ term }, at) => thing.includes(term) && likely.some(({ held }) => held[at] === 1),
  )
  return isNamed || thing.every((term) => unheardTerms.has(term))
}

/** What a question asks for. */
interface Wanted {
  /** Whether it asks for a kind of answer, a property or a name, which a text shows. */
  readonly isParticular: boolean
  /** Whether a sentence shows a property that it asks for, in words of its own: “plumber” for “job”. */
  readonly shows: (text: string) => boolean
  /** Whether a text gives the property or the name that it asks for. */
  readonly givesProperty: (text: string) => boolean
  readonly states: (text: string, at: Parameters<typeof statesName>[2]) => boolean
}

function readWanted(question: string): Wanted {
  const answer = readWantedAnswer(question)
  const property = readWantedProperty(question)
  const leading = readLeadingProperty(question)
  const name = property === null ? readWantedName(question) : null
  // English puts a name beside what it names, which says more than that there is one.
  const kinds =
    name === null || name.isChinese ? answer.kinds : answer.kinds.filter((kind) => kind !== 'name')
  const shows = (text: string): boolean =>
    [property, leading].some((holds) => holds !== null && tellsProperty(holds, text))
  return {
    shows,
    givesProperty: (text) => name !== null || shows(text),
    isParticular: answer.kinds.length > 0 || property !== null || name !== null,
    states: (text, at) =>
      holdsAnswer({ ...answer, kinds }, text) &&
      (property === null || tellsProperty(property, text)) &&
      (name === null || statesName(name, text, at)),
  }
}

/** The probability, from 0 to 1, that what was asked was ever said. 0 where there is nothing to look at. */
export function measureConfidence(traits: ConfidenceTraits): number {
  if (traits.documents === 0) return 0
  let odds = BIAS
  for (const name of WEIGHED_TRAITS) odds += CONFIDENCE_WEIGHTS[name] * traits[name]
  return 1 / (1 + Math.exp(-odds))
}

/** Weight of a model that reads question and text together, beside the confidence without it. */
const RELEVANCE_WEIGHT = 3

/** Joins a confidence with a reranking model's probability that the best result bears on the question. */
export function confidenceWith(confidence: number, relevance: number): number {
  return (confidence + RELEVANCE_WEIGHT * Math.min(1, Math.max(0, relevance))) / (1 + RELEVANCE_WEIGHT)
}

/** How far memory answers a question. */
export function readAnswerable(confidence: number, isNear: boolean): Answerable {
  if (confidence >= KNOWN_FROM) return 'yes'
  return isNear ? 'maybe' : 'no'
}
