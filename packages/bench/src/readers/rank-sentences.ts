import { sentencesOf } from '../text/passages.ts'
import { hasQuantity } from '../text/compare-quantities.ts'
import { hasWord, plainOf, readContent, type Content } from '../text/read-content.ts'
import { asksNumber, asksWhen, isQuestion } from '../text/read-question.ts'
import { readContext, type Speech } from './read-context.ts'
import type { ReadingInput } from './reader.ts'

/** A retrieved sentence, with the marks of its line and its neighbours. */
interface Passage {
  readonly sentence: string
  /** The sentence and its neighbours in the line, without marks. A question introduces the sentence after it, not the one before. */
  readonly passage: string
  /** Day and speaker of the line, as words; empty without either. */
  readonly prefix: string
  readonly speech: Speech
  /** Index of the line: lower is earlier and mostly better in the system's own ranking. */
  readonly line: number
}

export interface RankedSentence extends Passage {
  /** Share of the question in its passage and its line's marks, weighted by rarity in the retrieved texts: 0 to 1. */
  readonly support: number
  /** The mean of `support` and the same share for the sentence alone. */
  readonly score: number
  /** Whether the sentence itself shares words with the question, without the line's marks. */
  readonly isRelevant: boolean
  /** Whether it has the requested kind: a date for “when”, a number for “how many”. */
  readonly hasRequestedKind: boolean
  readonly isQuestion: boolean
  readonly index: number
}

/**
 * Ranks retrieved sentences; of equals first the one whose own words are relevant, then one with the requested kind, then the earlier.
 * Questions come last, as they answer nothing.
 */
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
        hasRequestedKind: fits(input.question, content),
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

/**
 * Sentences of the context, or of the memories where it is empty; each once. The context alone has a budget equal for all systems, and
 * mostly contains the memories.
 */
export function retrievedPassages({ memories, context }: ReadingInput): Passage[] {
  const lines = readContext(context.trim() === '' ? memories.join('\n') : context)
  const seen = new Map<string, Passage>()
  for (const [line, speeches] of lines.entries()) {
    const sentences = speeches.flatMap((said) =>
      sentencesOf(said.text).map((sentence) => ({ sentence, said })),
    )
    for (const [place, { sentence, said }] of sentences.entries()) {
      const next = sentences.slice(place + 1, place + 2).filter((one) => !isQuestion(one.sentence))
      const passage = [...sentences.slice(Math.max(0, place - 1), place + 1), ...next]
        .filter((one) => one.said.isFormer === said.isFormer)
        .map((one) => one.sentence)
        .join(' ')
      const lead = [said.date, said.speaker].filter((mark) => mark !== null).join(' ')
      const plain = plainOf(sentence)
      if (plain !== '' && !seen.has(plain))
        seen.set(plain, { sentence, passage, prefix: lead === '' ? '' : `${lead}:`, speech: said, line })
    }
  }
  return [...seen.values()]
}

/** Weighted share of the parts that a content has: 0 to 1. */
export function shareOf(weights: ReadonlyMap<Part, number>, content: Content): number {
  let totalWeight = 0
  let containedWeight = 0
  for (const [part, weight] of weights) {
    totalWeight += weight
    if (part.isIn(content)) containedWeight += weight
  }
  return totalWeight === 0 ? 0 : containedWeight / totalWeight
}

export interface Part {
  readonly weight: number
  isIn(content: Content): boolean
}

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

/**
 * Inverse document frequency over the sentences, stable for few of them; missing words weigh most, since what is asked for may be absent.
 */
export function weighParts(parts: readonly Part[], contents: readonly Content[]): Map<Part, number> {
  const count = contents.length
  return new Map(
    parts.map((part) => {
      const containing = contents.filter((content) => part.isIn(content)).length
      return [part, part.weight * Math.log(1 + count / (1 + containing))]
    }),
  )
}

function fits(question: string, { quantities }: Content): boolean {
  if (asksWhen(question)) return quantities.some(({ kind }) => kind !== 'number')
  return asksNumber(question) && quantities.some(({ kind }) => kind === 'number')
}
