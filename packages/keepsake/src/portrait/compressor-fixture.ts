// Makes a compressor with prepared answers for tests.
import type { CompressionInput, CompressOptions, Compressor } from './compressor.ts'

export interface ScriptedCompressor extends Compressor {
  /** The input of each call, with the model that could be asked. */
  readonly asked: readonly (CompressionInput & Pick<CompressOptions, 'ask'>)[]
}

/** Makes a compressor whose answers a function gives, by the number of the call. */
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
