/** BM25's parameters: k1 is below the usual 1.2, since a repeated word means little in a short turn (measured on every data set). */
export const BM25_K1 = 0.9
export const BM25_B = 0.75

/** Inverse document frequency: ln(1 + (N − n + ½) / (n + ½)), never negative (as in Lucene). */
export function inverseDocumentFrequency(documents: number, documentsWithTerm: number): number {
  return Math.log(1 + (documents - documentsWithTerm + 0.5) / (documentsWithTerm + 0.5))
}

/** BM25's saturated term frequency, 0 to k1 + 1 (Robertson and Zaragoza 2009, equation 3.15), by length over the average length. */
export function saturate(count: number, relativeLength: number): number {
  return (count * (BM25_K1 + 1)) / (count + BM25_K1 * (1 - BM25_B + BM25_B * relativeLength))
}
