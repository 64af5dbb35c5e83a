// Makes an extractor for tests.
import type { Extraction, ExtractOptions, Extractor, Segment } from './extractor.ts'

/** The input of one call of an extractor. */
export interface AskedSegment extends ExtractOptions {
  readonly segment: Segment
}

export interface ScriptedExtractor extends Extractor {
  readonly asked: readonly AskedSegment[]
}

/** Makes an extractor that calls a function for its results. Without a prompt it counts as an extractor by rules. */
export function scriptedExtractor(
  extract: (asked: AskedSegment, call: number) => Partial<Extraction> | Promise<Partial<Extraction>>,
  traits: Pick<Extractor, 'prompt' | 'related'> = {},
): ScriptedExtractor {
  const asked: AskedSegment[] = []
  return {
    id: 'test/extractor',
    ...traits,
    asked,
    extract: async (segment, options = { ask: null, related: [] }) => {
      const input = { ...options, segment }
      asked.push(input)
      return { candidates: [], requests: [], ...(await extract(input, asked.length)) }
    },
  }
}
