import type { LanguageModelV4Middleware } from '@ai-sdk/provider'
import type { ScopedMemory } from 'keepsake'
import { CallMemory } from './call-memory.ts'
import { checkOptions, type MemoryOptions } from './memory-options.ts'

/**
 * Memory as language-model middleware of AI SDK 7, for those who compose several: put it last, nearest the model, so that
 * what the others change is what is remembered. {@link withMemory} is the short way.
 *
 * @throws InvalidInputError for an option that cannot be taken.
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
