/** Parameters of BM25 (Robertson and Zaragoza 2009). k1 is below the usual 1.2, since a repeated word means little in a short turn. */
export const BM25_K1 = 0.9
export const BM25_B = 0.75

/** Returns the inverse document frequency as Lucene defines it: ln(1 + (N − n + ½) / (n + ½)), which is never negative. */
export function inverseDocumentFrequency(documents: number, documentsWithTerm: number): number {
  return Math.log(1 + (documents - documentsWithTerm + 0.5) / (documentsWithTerm + 0.5))
}

/**
 * Returns BM25's saturated term frequency, 0 to k1 + 1 (equation 3.15 of the paper).
 *
 * @param relativeLength length of the document divided by the average length
 */
export function saturate(count: number, relativeLength: number): number {
  return (count * (BM25_K1 + 1)) / (count + BM25_K1 * (1 - BM25_B + BM25_B * relativeLength))
}
