import {
  holdsAnswer,
  readAskedRelation,
  readAskedThing,
  readWantedAnswer,
  readWantedName,
  readWantedProperty,
  tellsName,
  tellsProperty,
  type WantedAnswer,
} from '@keepsake/text'
import type { Evidence, LikelyAnswer } from '@keepsake/search'

/**
 * From this confidence on, recall calls what was asked known. What it lets through and what it stops is in
 * docs/benchmarks/README.md: a wrong “I don't know” costs more.
 */
export const KNOWN_FROM = 0.45

/**
 * Logistic weights, rounded, as `packages/train/src/fit-confidence.ts` finds them. In a memory of a few turns what does not stand there
 * was not said; in a large one it may have been said in other words. So words that stand nowhere, and a name or property that is not told, count
 * the more, the smaller it is.
 */
export const CONFIDENCE_WEIGHTS = {
  words: 0.7,
  aheadOfPeople: 3.9,
  aheadOfAgent: 0.65,
  particular: -0.4,
  missing: -2.2,
  lacking: -2,
  lackingInSmall: -1.5,
  small: 4.3,
  unheardInSmall: -7,
  untold: -2.5,
} as const
const BIAS = -0.3
/** A memory of so many documents is half as small as one of none. */
const SMALL = 20

/** What a confidence is measured by. */
export interface ConfidenceTraits extends Omit<Evidence, 'likely' | 'unheardTerms'> {
  /** 1 where the question wants a particular that a text can be seen to hold: a name, a number, a time. */
  readonly particular: number
  /** How much less of the question is held where such a particular stands than where it is held best. */
  readonly missing: number
  /** 1 where the question wants a property that words show, a colour or a job, and what comes first tells none. */
  readonly lacking: number
  /** 1 where the person of one's own, or the thing, that it asks about is told of nowhere. */
  readonly untold: number
}

/** The words of what was found, and which words a memory holds at all. */
export interface ReadTexts {
  /** The words of a document. */
  readonly textOf: (id: string) => string
  /** Whether any document holds a word. */
  readonly holds: (word: string) => boolean
}

/** Of what comes first so much is looked at for a property. */
const LOOKED_AT = 5

/** What a question wants that the words of what was found can be seen to tell. */
export interface Wanted {
  readonly answer: WantedAnswer
  /** Whether a text tells the property or the name that is asked for; `null` where none is. */
  readonly tells: ((text: string, at: ReadAt) => boolean) | null
}

export function readWanted(question: string): Wanted {
  return { answer: readWantedAnswer(question), tells: readWhatTells(question) }
}

/** Whether any words may answer: then how sure a finding is does not depend on those of what was found, which need not be read. */
export function isToldByAnyWords({ answer, tells }: Wanted): boolean {
  return answer.kinds.length === 0 && tells === null
}

/**
 * What tells whether the documents answer a question. That its words stand somewhere is not enough: they must stand together,
 * said by the person asked about, and beside the kind of thing that is asked for.
 *
 * @param wanted what the question wants, where that was read before
 */
export function readConfidenceTraits(
  question: string,
  { likely, unheardTerms, ...evidence }: Evidence,
  { textOf, holds }: ReadTexts,
  { answer, tells }: Wanted = readWanted(question),
): ConfidenceTraits {
  const share = bestShare(likely)
  const isParticular = answer.kinds.length > 0
  const told = isParticular ? bestShare(likely.filter(({ id }) => holdsAnswer(answer, textOf(id)))) : share
  const held =
    tells === null
      ? share
      : bestShare(
          likely.filter(({ id, before }, place) =>
            tells(textOf(id), { place, before: before === null ? '' : textOf(before) }),
          ),
        )
  return {
    ...evidence,
    particular: isParticular ? 1 : 0,
    missing: share - told,
    lacking: share === 0 ? 0 : 1 - held / share,
    untold: isUntold(question, unheardTerms, holds) ? 1 : 0,
  }
}

/** Whether whom or what it asks about is told of nowhere. */
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

/** What is seen in a text that tells the property or the name that a question asks for; `null` where it asks for none. */
function readWhatTells(question: string): ((text: string, at: ReadAt) => boolean) | null {
  const property = readWantedProperty(question)
  if (property !== null) return (text, { place }) => place < LOOKED_AT && tellsProperty(property, text)
  const name = readWantedName(question)
  return name === null
    ? null
    : (text, { place, before }) => tellsName(name, text, { isFirst: place === 0, before })
}

/** The place of a text among those that come first, and what was said just before it. */
interface ReadAt {
  readonly place: number
  readonly before: string
}

function bestShare(likely: readonly LikelyAnswer[]): number {
  return Math.max(0, ...likely.map(({ share }) => share))
}

/** The traits as the weights above take them. */
export function weighedTraits(traits: ConfidenceTraits): Record<keyof typeof CONFIDENCE_WEIGHTS, number> {
  const { words, aheadOfPeople, aheadOfAgent, particular, missing, lacking, untold } = traits
  const small = SMALL / (SMALL + traits.documents)
  return {
    words,
    aheadOfPeople,
    aheadOfAgent,
    particular,
    missing,
    lacking,
    lackingInSmall: small * lacking,
    untold,
    small,
    unheardInSmall: small * traits.unheard,
  }
}

/** The probability, from 0 to 1, that what was asked was ever said. 0 where there is nothing to look at. */
export function measureConfidence(traits: ConfidenceTraits): number {
  if (traits.documents === 0) return 0
  const values = weighedTraits(traits)
  let odds = BIAS
  for (const [name, weight] of Object.entries(CONFIDENCE_WEIGHTS))
    odds += weight * values[name as keyof typeof CONFIDENCE_WEIGHTS]
  return 1 / (1 + Math.exp(-odds))
}

/** How much more a model that reads question and text together is heard than what stands above. */
const HEARD = 3

/** A confidence, where a reranking model says how probable it is that the best of what was found bears on the question. */
export function confidenceWith(confidence: number, relevance: number): number {
  return (confidence + HEARD * Math.min(1, Math.max(0, relevance))) / (1 + HEARD)
}
