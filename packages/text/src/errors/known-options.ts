import leven from 'leven'
import { describeValue } from './describe-value.ts'
import { InvalidInputError } from './invalid-input-error.ts'

/** Letters that two names may differ in and still be taken for one another. */
const MOST_TYPOS = 3

/** The name that was likely meant, in a sentence; all there are where none is near. */
export function didYouMean(given: string, known: readonly string[]): string {
  const far = (one: string): number =>
    leven(given.toLowerCase(), one.toLowerCase(), { maxDistance: MOST_TYPOS })
  const [nearest = ''] = known.toSorted((left, right) => far(left) - far(right))
  return far(nearest) < MOST_TYPOS ? `Did you mean "${nearest}"?` : `There are: ${known.join(', ')}.`
}

/**
 * Refuses an option that there is not, so that one that is misspelt does not go unnoticed.
 *
 * @param call as it is written: `recall()`
 * @param kind what the names are of: options of a call, fields of a thing
 * @throws InvalidInputError with the option that was likely meant
 * @example
 * requireKnownOptions({ limti: 5 }, ['limit', 'cursor'], 'turnPage()')
 * // turnPage() has no option "limti". Did you mean "limit"?
 */
export function requireKnownOptions(
  given: unknown,
  known: readonly string[],
  call: string,
  kind: 'option' | 'field' = 'option',
): void {
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new InvalidInputError(`${call} takes an object of options, but it got ${describeValue(given)}.`)
  for (const name of Object.keys(given))
    if (!known.includes(name))
      throw new InvalidInputError(`${call} has no ${kind} "${name}". ${didYouMean(name, known)}`, {
        option: name,
      })
}
