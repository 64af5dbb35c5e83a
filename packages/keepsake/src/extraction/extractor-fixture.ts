import type { Extraction, ExtractOptions, Extractor, Segment } from './extractor.ts'

/** A segment as an extractor was handed it. */
export interface AskedSegment extends ExtractOptions {
  readonly segment: Segment
}

export interface ScriptedExtractor extends Extractor {
  readonly asked: readonly AskedSegment[]
}

/** Yields what it is told to, for tests; nothing where nothing is said of it. By rules, unless it has a prompt. */
export function scriptedExtractor(
  yields: (asked: AskedSegment, call: number) => Partial<Extraction> | Promise<Partial<Extraction>>,
  traits: Pick<Extractor, 'prompt' | 'related'> = {},
): ScriptedExtractor {
  const asked: AskedSegment[] = []
  return {
    id: 'test/extractor',
    ...traits,
    asked,
    extract: async (segment, options = { ask: null, related: [] }) => {
      const asking = { ...options, segment }
      asked.push(asking)
      return { candidates: [], requests: [], ...(await yields(asking, asked.length)) }
    },
  }
}
