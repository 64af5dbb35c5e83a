/** Robertson's usual values; within 1.0–1.5 and 0.5–0.8 the measured ranking hardly changes. */
export const BM25_K1 = 1.2
export const BM25_B = 0.75

/**
 * How much a term tells: ln(1 + (N − n + ½) / (n + ½)), never negative (Robertson and Spärck Jones as in Lucene).
 *
 * @param documents N, all documents
 * @param holding n, those that hold the term
 */
export function inverseDocumentFrequency(documents: number, holding: number): number {
  return Math.log(1 + (documents - holding + 0.5) / (holding + 0.5))
}

/**
 * BM25's saturated term frequency, from 0 up to k1 + 1 (Robertson and Zaragoza 2009, equation 3.15).
 *
 * @param count times the term occurs
 * @param relativeLength the document's length over the average length
 */
export function saturate(count: number, relativeLength: number): number {
  return (count * (BM25_K1 + 1)) / (count + BM25_K1 * (1 - BM25_B + BM25_B * relativeLength))
}
