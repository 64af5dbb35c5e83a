import type { CompressionInput, CompressOptions, Compressor } from './compressor.ts'

export interface ScriptedCompressor extends Compressor {
  /** What it was asked, and by which way to a model. */
  readonly asked: readonly (CompressionInput & Pick<CompressOptions, 'ask'>)[]
}

/** Answers what it is told to answer, for tests. */
export function scriptedCompressor(
  mode: Compressor['mode'],
  answer: (call: number) => string | null | Promise<string | null>,
): ScriptedCompressor {
  const asked: (CompressionInput & Pick<CompressOptions, 'ask'>)[] = []
  return {
    id: 'test/compressor',
    prompt: 'compress/2',
    mode,
    asked,
    compress: async (input, { ask }) => {
      asked.push({ ...input, ask })
      return answer(asked.length)
    },
  }
}
