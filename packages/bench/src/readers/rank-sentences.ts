import { sentencesOf } from '../text/passages.ts'
import { hasQuantity } from '../text/compare-quantities.ts'
import { hasWord, plainOf, readContent, type Content } from '../text/read-content.ts'
import { asksNumber, asksWhen, isQuestion } from '../text/read-question.ts'
import { readContext, type Speech } from './read-context.ts'
import type { ReadingInput } from './reader.ts'

/** A retrieved sentence, with day and speaker of its line, and its neighbours. */
interface Passage {
  readonly sentence: string
  /** The sentence with its neighbours in the line. A following question is left out, because it belongs to its own answer. */
  readonly passage: string
  /** Day and speaker of the line in words. Empty: the line has neither. */
  readonly prefix: string
  readonly speech: Speech
  /** The index of the line. Systems mostly list better lines first. */
  readonly line: number
}

export interface RankedSentence extends Passage {
  /** The share of the question that passage, day and speaker contain, 0 to 1. Parts that are rare in the retrieved texts weigh more. */
  readonly support: number
  /** The mean of `support` and of the same share for the sentence alone. */
  readonly score: number
  /** Whether the sentence itself shares words with the question. */
  readonly isRelevant: boolean
  /** Whether the sentence has what the question asks for: a date for “when”, a number for “how many”. */
  readonly hasRequestedKind: boolean
  readonly isQuestion: boolean
  readonly index: number
}

/** Ranks sentences by score, then relevance, then by whether they have what the question asks for. Questions come last, because they answer nothing. */
export function rankSentences(input: ReadingInput): RankedSentence[] {
  const passages = retrievedPassages(input)
  const contents = passages.map(({ prefix, sentence }) => readContent(`${prefix} ${sentence}`))
  const weights = weighParts(partsOf(readContent(input.question)), contents)
  return passages
    .map((passage, index) => {
      const content = readContent(passage.sentence)
      const support = shareOf(weights, readContent(`${passage.prefix} ${passage.passage}`))
      return {
        ...passage,
        support,
        score: (support + shareOf(weights, contents[index] ?? content)) / 2,
        isRelevant: shareOf(weights, content) > 0,
        hasRequestedKind: isOfRequestedKind(input.question, content),
        isQuestion: isQuestion(passage.sentence),
        index,
      }
    })
    .toSorted(
      (one, other) =>
        Number(one.isQuestion) - Number(other.isQuestion) ||
        other.score - one.score ||
        Number(other.isRelevant) - Number(one.isRelevant) ||
        Number(other.hasRequestedKind) - Number(one.hasRequestedKind) ||
        one.index - other.index,
    )
}

/** Lists the different sentences of the context, or of the memories if the context is empty. */
export function retrievedPassages({ memories, context }: ReadingInput): Passage[] {
  const lines = readContext(context.trim() === '' ? memories.join('\n') : context)
  const seen = new Map<string, Passage>()
  for (const [line, speeches] of lines.entries()) {
    const sentences = speeches.flatMap((speech) =>
      sentencesOf(speech.text).map((sentence) => ({ sentence, speech })),
    )
    for (const [place, { sentence, speech }] of sentences.entries()) {
      const next = sentences.slice(place + 1, place + 2).filter((one) => !isQuestion(one.sentence))
      const passage = [...sentences.slice(Math.max(0, place - 1), place + 1), ...next]
        .filter((one) => one.speech.isFormer === speech.isFormer)
        .map((one) => one.sentence)
        .join(' ')
      const lead = [speech.date, speech.speaker].filter((mark) => mark !== null).join(' ')
      const plain = plainOf(sentence)
      if (plain !== '' && !seen.has(plain))
        seen.set(plain, { sentence, passage, prefix: lead === '' ? '' : `${lead}:`, speech: speech, line })
    }
  }
  return [...seen.values()]
}

/** Computes which share of the weighted parts a content has. */
export function shareOf(weights: ReadonlyMap<Part, number>, content: Content): number {
  let totalWeight = 0
  let containedWeight = 0
  for (const [part, weight] of weights) {
    totalWeight += weight
    if (part.isIn(content)) containedWeight += weight
  }
  return totalWeight === 0 ? 0 : containedWeight / totalWeight
}

/** A word or value of a question. */
export interface Part {
  readonly weight: number
  isIn(content: Content): boolean
}

/** Lists the words and values of a content. */
export function partsOf({ words, quantities }: Content): Part[] {
  return [
    ...Array.from(words.values(), ({ key, weight }) => ({
      weight,
      isIn: (content: Content) => hasWord(content, key),
    })),
    ...quantities
      .filter(({ isOptional }) => !isOptional)
      .map((one) => ({ weight: 1, isIn: (content: Content) => hasQuantity(content.quantities, one) })),
  ]
}

/** Weighs parts by inverse document frequency (rare parts weigh more). Parts that no sentence has weigh most, because the answer may be absent. */
export function weighParts(parts: readonly Part[], contents: readonly Content[]): Map<Part, number> {
  const count = contents.length
  return new Map(
    parts.map((part) => {
      const containing = contents.filter((content) => part.isIn(content)).length
      return [part, part.weight * Math.log(1 + count / (1 + containing))]
    }),
  )
}

function isOfRequestedKind(question: string, { quantities }: Content): boolean {
  if (asksWhen(question)) return quantities.some(({ kind }) => kind !== 'number')
  return asksNumber(question) && quantities.some(({ kind }) => kind === 'number')
}
