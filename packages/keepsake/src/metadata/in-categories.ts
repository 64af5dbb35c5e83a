import { InvalidInputError, describeValue, didYouMean } from '@keepsake/text'
import type { Filing } from '../filing/own-keys.ts'
import type { MetadataFilter } from './metadata-filter.ts'

/**
 * Narrows a filter to facts of these categories, which are kept as metadata.
 *
 * @throws InvalidInputError for what is no list of names, or a category that this memory was opened without
 */
export function inCategories(
  { categories: known }: Pick<Filing, 'categories'>,
  where: MetadataFilter | undefined,
  categories: readonly string[] | undefined,
): MetadataFilter | undefined {
  if (categories === undefined) return where
  if (!Array.isArray(categories))
    throw new InvalidInputError(`categories must be a list of names, but it is ${describeValue(categories)}.`)
  // A memory that was opened without any filters by what another wrote.
  const unknown = categories.find((name) => known.size > 0 && !known.has(name))
  if (unknown !== undefined)
    throw new InvalidInputError(
      `There is no category ${describeValue(unknown)}. ${didYouMean(unknown, [...known.keys()])}`,
    )
  const filter: MetadataFilter = { path: 'category', in: [...categories] }
  return where === undefined ? filter : { all: [where, filter] }
}
