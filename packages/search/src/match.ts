// Matches the terms and vector of a query against the documents of an index. Called by rank.ts.
import { columns } from './columns.ts'
import { NONE, ROLE_CODES, type Documents } from './documents.ts'
import type { Match, Search } from './match-types.ts'
import { WordMatcher } from './match-words.ts'

/** Matches words, meaning and sessions with the query. */
export function matchDocuments(search: Search): Match {
  const { documents, query, recipe } = search
  columns.reset(documents.length)
  const inReach = findReach(search)
  const matcher = new WordMatcher(search, inReach)
  for (const term of query.terms) matcher.matchTerm(term)
  if (recipe.readsOtherWords === true) for (const word of query.relatedWords ?? []) matcher.matchRelated(word)
  const topCosine = matchMeaning(search, inReach)
  const { role = null, speakers = [] } = query
  return {
    ...search,
    inReach,
    wordScores: columns.wordScores,
    windowScores: columns.windowScores,
    heldRarity: columns.heldRarity,
    firstsInQuery: columns.firstsInQuery,
    cosine: columns.cosine,
    sessionScores: matcher.sessionScores,
    topWords: matcher.topWords || 1,
    topCosine,
    topSession: matcher.sessionScores.reduce((top, score) => Math.max(top, score), 0) || 1,
    rarity: matcher.rarity,
    terms: matcher.terms,
    isWantedSpeaker: speakers.length === 0 ? null : markSpeakers(documents, speakers),
    role: role === null ? NONE : ROLE_CODES[role],
  }
}

function markSpeakers(documents: Documents, names: readonly string[]): Uint8Array {
  const isWanted = new Uint8Array(documents.speakers.length)
  for (const name of names) isWanted[documents.speakerNumber(name)] = 1
  return isWanted
}

/** Marks the rows that a search may find. */
function findReach({ documents, options: { scopes, asOf } }: Search): Uint8Array {
  const coversAll = scopes === undefined || [...documents.knownScopes].every((scope) => scopes.has(scope))
  if (coversAll && asOf === undefined) return documents.isSearchable
  const until = asOf ?? Number.POSITIVE_INFINITY
  const { inReach } = columns
  for (let row = 0; row < documents.length; row++) {
    const isIn = coversAll || scopes.has(documents.scopes[row] ?? NONE)
    inReach[row] = isIn && (documents.at[row] ?? 0) <= until ? (documents.isSearchable[row] ?? 0) : 0
  }
  return inReach
}

/** Writes the cosines in reach, and returns the highest. */
function matchMeaning({ documents, vectors, query, recipe }: Search, inReach: Uint8Array): number {
  const cosine = columns.cosine.subarray(0, documents.length)
  const { vector = null } = query
  if (vectors === undefined || vector === null || recipe.weights.semantic === 0) {
    cosine.fill(0)
    return 1
  }
  cosine.fill(0, vectors.length)
  vectors.scan(vector, cosine)
  let top = 0
  for (let row = 0; row < cosine.length; row++) {
    const value = cosine[row] as number
    if (value < 0 || inReach[row] === 0) cosine[row] = 0
    else if (value > top) top = value
  }
  return top === 0 ? 1 : top
}
