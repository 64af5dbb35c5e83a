import leven from 'leven'
import { describeValue } from './describe-value.ts'
import { InvalidInputError } from './invalid-input-error.ts'

/** Maximum edits between a misspelt name and its suggestion. */
const MAX_TYPOS = 3

/** Maps names that other libraries give to an option, in small letters, to our name. */
const OTHER_NAMES = new Map(
  Object.entries({
    path: ['db', 'dbpath', 'file', 'filename', 'database', 'url'],
    model: ['llm', 'languagemodel', 'chatmodel'],
    embedding: ['embedder', 'embeddings', 'embeddingmodel'],
    limit: ['k', 'topk', 'n', 'count', 'max', 'maxresults', 'pagesize'],
    where: ['filter', 'filters'],
    user: ['userid', 'uid'],
    session: ['sessionid', 'conversationid', 'threadid', 'chatid', 'runid'],
    tokens: ['maxtokens', 'budget'],
    text: ['message', 'body'],
    at: ['time', 'ts', 'timestamp', 'date', 'createdat'],
    speaker: ['name', 'author', 'sender'],
    timeZone: ['tz'],
  }).flatMap(([name, others]) => others.map((other) => [other, name] as const)),
)

/** Suggests the most similar known name in a sentence, or lists all names if none is similar. */
export function didYouMean(given: string, known: readonly string[]): string {
  const other = OTHER_NAMES.get(given.toLowerCase().replaceAll(/[_-]/g, ''))
  if (other !== undefined && known.includes(other)) return `Did you mean "${other}"?`
  const distanceTo = (option: string): number =>
    leven(given.toLowerCase(), option.toLowerCase(), { maxDistance: MAX_TYPOS })
  const [nearest = ''] = known.toSorted((left, right) => distanceTo(left) - distanceTo(right))
  return distanceTo(nearest) < MAX_TYPOS ? `Did you mean "${nearest}"?` : `There are: ${known.join(', ')}.`
}

/**
 * Rejects unknown options, so that a misspelt one does not go unnoticed.
 *
 * @param call the call as written: `recall()`
 * @param kind what the names belong to: options of a call, fields of an object
 * @throws InvalidInputError with a suggestion
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
    throw new InvalidInputError(`${call} takes an object of options, but got ${describeValue(given)}.`)
  for (const name of Object.keys(given))
    if (!known.includes(name))
      throw new InvalidInputError(`${call} has no ${kind} "${name}". ${didYouMean(name, known)}`, {
        option: name,
      })
}
