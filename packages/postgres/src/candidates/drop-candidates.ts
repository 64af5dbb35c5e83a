import type { Sql } from '../connection/sql.ts'

/** Terms and length of what was dropped, as `candidates_kept` counts them. */
export interface Counted {
  readonly documents: number
  readonly terms: number
  readonly turnTerms: number
}

/** Takes documents out of what candidates are found by, and out of what is counted of it. Those that are not there are left alone. */
export async function dropCandidates(sql: Sql, owner: number, documents: readonly number[]): Promise<void> {
  if (documents.length === 0) return
  sql.send`DELETE FROM candidate_words w USING candidates c, unnest(c.terms) AS said (term)
    WHERE c.owner = ${owner} AND c.document = ANY(${documents})
      AND w.owner = ${owner} AND w.term = said.term AND w.document = c.document`
  const rows = await sql.cells<readonly [number, number]>`DELETE FROM candidates
    WHERE owner = ${owner} AND document = ANY(${documents}) RETURNING document, length`
  const { documents: count, terms, turnTerms } = countOf(rows)
  addToCounts(sql, owner, { documents: -count, terms: -terms, turnTerms: -turnTerms })
}

/** Takes out all of a person: what is asked for again is kept anew. */
export function dropCandidatesOf(sql: Sql, owner: number): void {
  for (const table of ['candidate_words', 'candidates', 'candidates_kept'] as const)
    sql.send`DELETE FROM ${{ texts: [table], values: [] }} WHERE owner = ${owner}`
}

/** @param rows number and length of each; turns are those above zero */
export function countOf(rows: readonly (readonly [document: number, length: number])[]): Counted {
  const lengthOf = (some: typeof rows): number => some.reduce((sum, [, length]) => sum + length, 0)
  return {
    documents: rows.length,
    terms: lengthOf(rows),
    turnTerms: lengthOf(rows.filter(([document]) => document > 0)),
  }
}

export function addToCounts(sql: Sql, owner: number, { documents, terms, turnTerms }: Counted): void {
  if (documents === 0) return
  sql.send`UPDATE candidates_kept SET documents = documents + ${documents}, terms = terms + ${terms},
    turn_terms = turn_terms + ${turnTerms} WHERE owner = ${owner}`
}
