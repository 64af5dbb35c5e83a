import { compareQuantities } from '../judges/text/compare-quantities.ts'
import { readContent, type Content } from '../judges/text/read-content.ts'
import { isAbstention } from './is-abstention.ts'
import { hasWord, retrievedSentences, weighWords } from './rank-sentences.ts'
import type { ReadingInput } from './reader.ts'

/** Sentences next to each other that may support an option together. */
const WINDOW = 2

/**
 * The option that one place of what was retrieved supports best: the share of the option's own words there, raised by how much of
 * the question stands there too. Words that every option has tell nothing. When none has support, the option that says
 * it cannot be known, else the first.
 */
export function chooseOption(input: ReadingInput & { readonly choices: readonly string[] }): number {
  const texts = retrievedSentences(input)
  const places = texts.map((_, place) =>
    readContent(texts.slice(Math.max(0, place + 1 - WINDOW), place + 1).join(' ')),
  )
  const question = readContent(input.question)
  const options = input.choices.map(readContent)
  const supports = options.map((option) => {
    const own = [...option.words.values()].filter(
      ({ key }) => options.length < 2 || !options.every((other) => hasWord(other, key)),
    )
    const weights = weighWords(
      own.map(({ key, weight }) => [key, weight]),
      places,
    )
    return Math.max(0, ...places.map((place) => supportAt(place, option, weights, question)))
  })
  const best = Math.max(0, ...supports)
  if (best > 0) return supports.indexOf(best)
  return Math.max(0, input.choices.findIndex(isAbstention))
}

function supportAt(
  place: Content,
  option: Content,
  weights: ReadonlyMap<string, number>,
  question: Content,
): number {
  const { agreed, conflicting, missing } = compareQuantities(option.quantities, place.quantities)
  const numbers = agreed.length + conflicting.length + missing.length
  const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0) + numbers
  if (total === 0) return 0
  const held = [...weights]
    .filter(([key]) => agrees(place, option, key))
    .reduce((sum, [, weight]) => sum + weight, 0)
  const asked = [...question.words.keys()]
  const bearing = asked.length === 0 ? 0 : asked.filter((key) => hasWord(place, key)).length / asked.length
  return ((held + agreed.length) / total) * (1 + bearing)
}

/** The word is there, and both affirm or both deny it. */
function agrees(place: Content, option: Content, key: string): boolean {
  const there = place.words.get(key)?.denied
  const wanted = option.words.get(key)?.denied
  if (there === undefined || wanted === undefined) return hasWord(place, key)
  return [...wanted].some((one) => there.has(one))
}
