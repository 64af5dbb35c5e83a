import type { Extraction, Extractor, Segment } from '../extraction/extractor.ts'
import type { GroundedExtraction } from '../extraction/grounding/grounded-extraction.ts'
import type { Memory } from '../memories/memory.ts'
import type { MergeComplex } from './merge-by-key.ts'
import type { IsAlike } from './value-likeness.ts'

/** The extraction of a segment with all model answers. Nothing is decided yet, so it can be applied to another revision. */
export interface ExtractedSegment {
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
