import { InvalidInputError, type ScopedMemory } from 'keepsake'
import { CallMemory } from './call-memory.ts'
import type { Answer, Call, StreamedAnswer } from './call.ts'
import { checkOptions, type MemoryOptions } from './memory-options.ts'

/** A language model of the AI SDK: specification v4 (AI SDK 7) or v3 (AI SDK 6). */
export interface MemorableModel {
  readonly specificationVersion: 'v3' | 'v4'
  readonly provider: string
  readonly modelId: string
  /** Answers in one piece. */
  doGenerate(options: Call): PromiseLike<Answer>
  /** Answers piece by piece. */
  doStream(options: Call): PromiseLike<StreamedAnswer>
}

/**
 * Gives a language model a memory of one person: what bears on their words is recalled before each call and inserted as
 * data after your system message; what they said, and the whole answer, is remembered after it. Streams pass through
 * unchanged. A tool loop is remembered once. Memory that fails is reported and never fails the call.
 *
 * @param model any model object of the AI SDK; what is returned is one like it.
 * @param scope the person's memory. A wrapper costs nothing: make one a request.
 * @throws InvalidInputError for a model named by a string, or an option that cannot be taken.
 * @example
 * const model = withMemory(openai('gpt-5-mini'), keepsake.scope({ user: 'ana' }))
 * const { text } = await generateText({ model, prompt: 'Where did I leave my bike?' })
 */
export function withMemory<Model extends MemorableModel>(
  model: Model,
  scope: ScopedMemory,
  options: MemoryOptions = {},
): Model {
  requireModel(model)
  const memory = new CallMemory(scope, checkOptions(options, 'withMemory()'))
  const wrapped: Pick<MemorableModel, 'doGenerate' | 'doStream'> = {
    doGenerate: (given) => memory.generate(given, (call) => model.doGenerate(call)),
    doStream: (given) => memory.stream(given, (call) => model.doStream(call)),
  }
  return new Proxy(model, {
    get: (target, property) =>
      property === 'doGenerate' || property === 'doStream'
        ? wrapped[property]
        : // On the model itself: a getter may read what is private to it.
          (Reflect.get(target, property, target) as unknown),
  })
}

function requireModel(model: unknown): void {
  const version: unknown =
    typeof model === 'object' && model !== null ? Reflect.get(model, 'specificationVersion') : undefined
  if (version === 'v3' || version === 'v4') return
  throw new InvalidInputError(
    typeof model === 'string'
      ? 'withMemory() takes a model object, such as openai("gpt-5-mini") or gateway("openai/gpt-5-mini"), but got a string.'
      : 'withMemory() takes a language model of the AI SDK, specification v3 or v4 (AI SDK 6 or 7), but got something else.',
  )
}
