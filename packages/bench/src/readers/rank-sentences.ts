import { sentencesOf } from '../judges/text/passages.ts'
import { plainOf, readContent, type Content } from '../judges/text/read-content.ts'
import type { ReadingInput } from './reader.ts'

/** A sentence of what was retrieved and how it bears on the question. */
export interface RankedSentence {
  readonly text: string
  /** Share of the question's words it holds, each weighed by how rare it is in what was retrieved: 0 to 1. */
  readonly support: number
  /** Whether it has what is asked for: a date for “when”, a number for “how many”. */
  readonly fits: boolean
  /** Where it stands: lower is earlier and, among memories, better by the system's own ranking. */
  readonly place: number
}

const ASKS_WHEN =
  /\bwhen\b|\bwhat (?:date|day|time|year|month)\b|\bhow long\b|什么时候|几点|哪天|哪年|何时|多久|几号|几月/i
const ASKS_NUMBER = /\bhow (?:many|much|old|often)\b|多少|几[个只次岁本条位家]|多大/i

/** The sentences that were retrieved, best first; of equals the one that has what is asked for, then the earlier. */
export function rankSentences(input: ReadingInput): RankedSentence[] {
  const texts = retrievedSentences(input)
  const contents = texts.map(readContent)
  const question = readContent(input.question)
  const weights = weighParts(partsOf(question), contents)
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0)
  return texts
    .map((text, place) => {
      const content = contents[place] ?? readContent(text)
      const held = [...weights].filter(([part]) => part.isIn(content))
      const support = total === 0 ? 0 : held.reduce((sum, [, weight]) => sum + weight, 0) / total
      return { text, support, fits: fits(input.question, content), place }
    })
    .toSorted(
      (one, other) =>
        other.support - one.support || Number(other.fits) - Number(one.fits) || one.place - other.place,
    )
}

/** Sentences of the memories in their order, then of the context what they do not hold; each once. */
export function retrievedSentences({ memories, context }: ReadingInput): string[] {
  const seen = new Map<string, string>()
  for (const sentence of [...memories, context].flatMap(sentencesOf)) {
    const plain = plainOf(sentence)
    if (plain !== '' && !seen.has(plain)) seen.set(plain, sentence)
  }
  return [...seen.values()]
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

/** Inverse document frequency over the sentences; what none has weighs most: what is asked for may be absent. */
export function weighParts(parts: readonly Part[], contents: readonly Content[]): Map<Part, number> {
  const count = contents.length
  return new Map(
    parts.map((part) => {
      const having = contents.filter((content) => part.isIn(content)).length
      return [part, part.weight * Math.log(1 + (count - having + 0.5) / (having + 0.5))]
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
