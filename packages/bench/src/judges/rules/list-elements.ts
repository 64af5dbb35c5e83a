import { isEmptyContent } from '../text/compare-content.ts'
import { readContent } from '../text/read-content.ts'

const BETWEEN = /[,;，；、\n]|(?<!\bbetween\b.*)\band\b|以及|[和与及跟]/giu
/** Longer parts are clauses, which share a subject or verb and are compared as one statement each. */
const LEAST_ELEMENTS = 2

/** The elements of a reference answer, each of which an answer needs; the whole of one that lists nothing. */
export function listElements(reference: string): string[] {
  const parts = reference.split(BETWEEN).map((part) => part.trim())
  const elements = parts.filter((part) => part !== '' && !isEmptyContent(readContent(part)))
  return elements.length < LEAST_ELEMENTS ? [reference] : elements
}
