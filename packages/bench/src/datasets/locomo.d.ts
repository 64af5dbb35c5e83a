import type { Dataset } from './conversation.ts'
/**
 * LoCoMo's published file. A turn's text is its utterance, then its image's caption. Both speakers are people
 * being remembered, so both have the role `user` and their names. Evidence is read as `metrics.md` of the design
 * says: every `D<n>:<m>` in the evidence strings that exists; questions left with none are counted, not scored.
 *
 * @throws DatasetError naming the file and what is wrong in it.
 */
export declare function loadLocomo(file: string): Promise<Dataset>
//# sourceMappingURL=locomo.d.ts.map
