import { compareQuantities } from '../judges/text/compare-quantities.ts'
import { readContent, type Content } from '../judges/text/read-content.ts'
import { isAbstention } from './is-abstention.ts'
import { hasWord, partsOf, retrievedSentences, weighParts } from './rank-sentences.ts'
import type { ReadingInput } from './reader.ts'

/** Sentences next to each other that may support an option together. */
const WINDOW = 2

/**
 * The option that one place of what was retrieved supports best: the share of the option's own words and numbers there, raised by
 * how much of the question stands there too. What every option has tells nothing. When none has support, the option that
 * says it cannot be known, else the first.
 */
export function chooseOption(input: ReadingInput & { readonly choices: readonly string[] }): number {
  const texts = retrievedSentences(input)
  const places = texts.map((_, place) =>
    readContent(texts.slice(Math.max(0, place + 1 - WINDOW), place + 1).join(' ')),
  )
  const question = readContent(input.question)
  const options = input.choices.map(readContent)
  const supports = options.map((option) => {
    const parts = partsOf(option).filter(
      (part) => options.length < 2 || !options.every((other) => part.isIn(other)),
    )
    const weights = weighParts(parts, places)
    const total = [...weights.values()].reduce((sum, weight) => sum + weight, 0)
    if (total === 0) return 0
    const shares = places.map((place) => {
      if (speaksAgainst(place, option)) return 0
      const held = [...weights].filter(([part]) => part.isIn(place))
      return (held.reduce((sum, [, weight]) => sum + weight, 0) / total) * (1 + bearing(question, place))
    })
    return Math.max(0, ...shares)
  })
  const best = Math.max(0, ...supports)
  if (best > 0) return supports.indexOf(best)
  return Math.max(0, input.choices.findIndex(isAbstention))
}

/** Another number in place of the option's, or most of their common words affirmed by one and denied by the other. */
function speaksAgainst(place: Content, option: Content): boolean {
  if (compareQuantities(option.quantities, place.quantities).conflicting.length > 0) return true
  const shared = [...option.words.values()].flatMap(({ key, denied }) => {
    const there = place.words.get(key)?.denied
    return there === undefined ? [] : [[...denied].some((one) => there.has(one))]
  })
  return shared.length > 0 && shared.filter((agrees) => !agrees).length * 2 > shared.length
}

/** Share of the question's words that stand there. */
function bearing(question: Content, place: Content): number {
  const asked = [...question.words.keys()]
  return asked.length === 0 ? 0 : asked.filter((key) => hasWord(place, key)).length / asked.length
}
