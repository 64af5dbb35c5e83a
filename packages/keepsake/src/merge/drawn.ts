import type { Extraction, Extractor, Segment } from '../extraction/extractor.ts'
import type { GroundedExtraction } from '../extraction/grounding/grounded-extraction.ts'
import type { Memory } from '../memories/memory.ts'
import type { MergeComplex } from './merge-by-key.ts'
import type { IsAlike } from './value-likeness.ts'

/** Everything a segment yielded, with every model's answer in it. Nothing is decided yet, so it can be decided on again. */
export interface Drawn {
  readonly segment: Segment
  readonly extractor: Extractor
  readonly extraction: Extraction
  readonly grounded: GroundedExtraction
  /** The memories that the extractor was shown, in the order of their numbers. */
  readonly related: readonly Memory[]
  readonly mergeComplex: MergeComplex | null
  /** Whether values under opposed keys mean the same, by the memory's embedder. */
  readonly isAlike: IsAlike
}
