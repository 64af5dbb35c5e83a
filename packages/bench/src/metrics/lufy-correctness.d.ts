/** Distinct Snowball English stems of the word segments of a text: NFKC, lower case, no stop words taken out. */
export declare function stemsOf(text: string): Set<string>
/** What a correct unit must tell: the answer's stems that the question does not already give away. */
export declare function answerStems(question: string, answer: string): Set<string>
/**
 * Whether a unit answers a LUFY question: it holds at least 0.6 of `wanted`. This accepts more than the paper's
 * annotator did, so figures by this rule never stand beside the paper's in one column. Nothing wanted: never.
 */
export declare function isCorrectUnit(unit: string, wanted: ReadonlySet<string>): boolean
//# sourceMappingURL=lufy-correctness.d.ts.map
