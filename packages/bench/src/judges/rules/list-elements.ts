import { isEmptyContent } from '../../text/compare-content.ts'
import { readContent } from '../../text/read-content.ts'

/** Matches a separator of elements: `,`, `and`, 和. The segmenter does not split words such as 和服 (kimono), so their 和 separates nothing. */
const SEPARATOR = /^(?:[,;，；、\n]+|and|以及|[和与及跟])$/iu
/** Matches “between …”, after which “and” separates no elements. */
const BETWEEN = /\bbetween\b[^,;]*$/i

/** Matches the comma of a date, which separates no elements: “March, 2021”, “May 3, 2021”. */
const COMMA_IN_DATE =
  /(?<=\b(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?(?:\s+\d{1,2}(?:st|nd|rd|th)?)?),(?=\s*\d{4}\b)/g

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' })

/** Splits a reference answer into the elements of its list. An answer without a list is one element. */
export function listElements(reference: string): string[] {
  const parts = ['']
  for (const { segment } of segmenter.segment(reference.replace(COMMA_IN_DATE, ''))) {
    const part = parts.at(-1) ?? ''
    if (SEPARATOR.test(segment) && !BETWEEN.test(part)) parts.push('')
    else parts[parts.length - 1] = part + segment
  }
  const elements = parts.map((part) => part.trim()).filter((part) => !isEmptyContent(readContent(part)))
  return elements.length < 2 ? [reference] : elements
}
