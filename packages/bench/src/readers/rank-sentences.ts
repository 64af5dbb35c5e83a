import { sentencesOf } from '../judges/text/passages.ts'
import { plainOf, readContent, type Content } from '../judges/text/read-content.ts'
import type { ReadingInput } from './reader.ts'

/** A sentence of what was retrieved, and how it bears on the question. */
export interface RankedSentence {
  readonly text: string
  /**
   * Share of the question that its passage holds, each word weighed by how rare it is in what was retrieved: 0 to 1. What a
   * sentence is about often stands beside it.
   */
  readonly support: number
  /** The mean of that and the same for the sentence alone. */
  readonly score: number
  /** Whether it has what is asked for: a date for “when”, a number for “how many”. */
  readonly fits: boolean
  /** Where it stands: lower is earlier and, among memories, better by the system's own ranking. */
  readonly place: number
}

/** A sentence with its neighbours of the same memory, or of the same line of the context. */
export interface Passage {
  readonly sentence: string
  readonly passage: string
}

const ASKS_WHEN =
  /\bwhen\b|\bwhat (?:date|day|time|year|month)\b|\bhow long\b|什么时候|几点|哪天|哪年|何时|多久|几号|几月/i
const ASKS_NUMBER = /\bhow (?:many|much|old|often)\b|多少|几[个只次岁本条位家]|多大/i

/** The sentences that were retrieved, best first; of equals the one that has what is asked for, then the earlier. */
export function rankSentences(input: ReadingInput): RankedSentence[] {
  const passages = retrievedPassages(input)
  const weights = weighParts(
    partsOf(readContent(input.question)),
    passages.map(({ sentence }) => readContent(sentence)),
  )
  return passages
    .map(({ sentence, passage }, place) => {
      const content = readContent(sentence)
      const support = shareOf(weights, readContent(passage))
      const score = (support + shareOf(weights, content)) / 2
      return { text: sentence, support, score, fits: fits(input.question, content), place }
    })
    .toSorted(
      (one, other) =>
        other.score - one.score || Number(other.fits) - Number(one.fits) || one.place - other.place,
    )
}

/** Sentences of the memories in their order, then of the context what they do not hold; each once. */
export function retrievedPassages({ memories, context }: ReadingInput): Passage[] {
  const seen = new Map<string, Passage>()
  for (const text of [...memories, ...context.split('\n')]) {
    const sentences = sentencesOf(text)
    for (const [place, sentence] of sentences.entries()) {
      const plain = plainOf(sentence)
      const passage = sentences.slice(Math.max(0, place - 1), place + 2).join(' ')
      if (plain !== '' && !seen.has(plain)) seen.set(plain, { sentence, passage })
    }
  }
  return [...seen.values()]
}

/** Share of the weights of the parts that a content has: 0 to 1. */
export function shareOf(weights: ReadonlyMap<Part, number>, content: Content): number {
  let total = 0
  let held = 0
  for (const [part, weight] of weights) {
    total += weight
    if (part.isIn(content)) held += weight
  }
  return total === 0 ? 0 : held / total
}

/** A word or number of a question or option. */
export interface Part {
  readonly weight: number
  isIn(content: Content): boolean
}

/** The words and numbers of a content. */
export function partsOf({ words, quantities }: Content): Part[] {
  return [
    ...Array.from(words.values(), ({ key, weight }) => ({
      weight,
      isIn: (content: Content) => hasWord(content, key),
    })),
    ...quantities
      .filter(({ isOptional }) => !isOptional)
      .map(({ kind, value }) => ({
        weight: 1,
        isIn: (content: Content) =>
          content.quantities.some((one) => one.kind === kind && one.value === value),
      })),
  ]
}

/**
 * Inverse document frequency over the sentences, in a form that is steady over few of them; what none has weighs most: what is
 * asked for may be absent.
 */
export function weighParts(parts: readonly Part[], contents: readonly Content[]): Map<Part, number> {
  const count = contents.length
  return new Map(
    parts.map((part) => {
      const having = contents.filter((content) => part.isIn(content)).length
      return [part, part.weight * Math.log(1 + count / (1 + having))]
    }),
  )
}

/** Whether a content has a word; Chinese words are looked for in its characters. */
export function hasWord({ words, plain }: Content, key: string): boolean {
  return words.has(key) || (/\p{Script=Han}/u.test(key) && plain.includes(key))
}

function fits(question: string, { quantities }: Content): boolean {
  if (ASKS_WHEN.test(question)) return quantities.some(({ kind }) => kind !== 'number')
  return ASKS_NUMBER.test(question) && quantities.some(({ kind }) => kind === 'number')
}
