import type { Extraction, Extractor, Segment } from '../extraction/extractor.ts'
import type { GroundedExtraction } from '../extraction/grounding/grounded-extraction.ts'
import type { Memory } from '../memories/memory.ts'
import type { IsAlike } from './value-likeness.ts'
import type { Candidate } from '../memories/candidate.ts'
import type { KnownFact } from '../facts/fact-lookup.ts'
import type { MergeDecision } from './known-facts.ts'

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
  /** What is never kept, for statements made of the user's own words. */
  readonly never?: readonly string[]
}

/** Decides a complex key in place of the rule; returns `null` to leave it to the rule. */
export type MergeComplex = (
  candidate: Candidate,
  known: readonly KnownFact[],
) => readonly MergeDecision[] | null
