import type { LanguageModelV4Middleware } from '@ai-sdk/provider'
import type { ScopedMemory } from 'keepsake'
import { CallMemory } from './call-memory.ts'
import { checkOptions, type MemoryOptions } from './memory-options.ts'

/**
 * Memory as a language-model middleware of AI SDK 7, for use with other middleware. Put it last, nearest the model, so
 * that it remembers what the others have changed. {@link withMemory} is the short way.
 *
 * @throws InvalidInputError for an invalid option.
 * @example
 * const model = wrapLanguageModel({ model: openai('gpt-5-mini'), middleware: [logging, memoryMiddleware(ana)] })
 */
export function memoryMiddleware(
  scope: ScopedMemory,
  options: MemoryOptions = {},
): LanguageModelV4Middleware & Required<Pick<LanguageModelV4Middleware, 'wrapGenerate' | 'wrapStream'>> {
  const memory = new CallMemory(scope, checkOptions(options, 'memoryMiddleware()'))
  return {
    specificationVersion: 'v4',
    wrapGenerate: ({ model, params }) => memory.generate(params, (call) => model.doGenerate(call)),
    wrapStream: ({ model, params }) => memory.stream(params, (call) => model.doStream(call)),
  }
}
