import type { LanguageModel } from 'keepsake'

const UNKNOWN = { input: null, output: null }

/** Wraps a model and ignores its token counts, for endpoints that only guess them. Keepsake then estimates tokens. */
export function withoutUsage(model: LanguageModel): LanguageModel {
  return {
    id: model.id,
    windowTokens: model.windowTokens,
    generate: async (request) => ({ ...(await model.generate(request)), usage: UNKNOWN }),
    async *stream(request) {
      for await (const piece of model.stream(request))
        yield piece.kind === 'end' ? { ...piece, usage: UNKNOWN } : piece
    },
  }
}
