import { compareQuantities } from '../text/compare-quantities.ts'
import { hasWord, readContent, type Content } from '../text/read-content.ts'
import { isAbstention } from '../text/is-abstention.ts'
import { partsOf, retrievedPassages, shareOf, weighParts } from './rank-sentences.ts'
import type { ReadingInput } from './reader.ts'

/**
 * The option that one place of what was retrieved supports best: the share of the option's own words and numbers there, raised by
 * how much of the question stands there too. What every option has tells nothing. When none has support, the option that
 * says it cannot be known, else the first.
 */
export function chooseOption(input: ReadingInput & { readonly choices: readonly string[] }): number {
  const passages = retrievedPassages(input)
  const places = passages.map(({ lead, passage }) => readContent(`${lead} ${passage}`))
  const told = passages.map(({ passage }) => readContent(passage))
  const question = readContent(input.question)
  const options = input.choices.map(readContent)
  const supports = options.map((option) => {
    const parts = partsOf(option).filter(
      (part) => options.length < 2 || !options.every((other) => part.isIn(other)),
    )
    const weights = weighParts(parts, places)
    const shares = places.map((place, index) =>
      speaksAgainst(told[index] ?? place, option)
        ? 0
        : shareOf(weights, place) * (1 + bearing(question, place)),
    )
    return Math.max(0, ...shares)
  })
  const best = Math.max(0, ...supports)
  if (best > 0) return supports.indexOf(best)
  return Math.max(0, input.choices.findIndex(isAbstention))
}

/** By its own words, not by its line's day: another number in place of the option's, or most of their common words affirmed by one and denied by the other. */
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
