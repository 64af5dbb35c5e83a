import { InvalidInputError, type ScopedMemory } from 'keepsake'
import { CallMemory } from './call-memory.ts'
import type { Answer, Call, StreamedAnswer } from './call.ts'
import { checkOptions, type MemoryOptions } from './memory-options.ts'

/** A language model of the AI SDK: specification v4 (AI SDK 7) or v3 (AI SDK 6). */
export interface MemorableModel {
  readonly specificationVersion: 'v3' | 'v4'
  readonly provider: string
  readonly modelId: string
  /** Returns a complete answer. */
  doGenerate(options: Call): PromiseLike<Answer>
  /** Returns a streamed answer. */
  doStream(options: Call): PromiseLike<StreamedAnswer>
}

/**
 * Adds a memory of one user to a language model. Before each call, it recalls memories and inserts them after your
 * system message. After the call, it remembers the user's messages and the answer. Streams pass through unchanged.
 * A tool loop is remembered once. Failures of memory are reported and never fail the call.
 *
 * @param model any model object of the AI SDK.
 * @param scope the user's memory.
 * @returns a model of the same type. It is cheap to make: make one for each request.
 * @throws InvalidInputError for a model named by a string, or an invalid option.
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
    doGenerate: (options) => memory.generate(options, (call) => model.doGenerate(call)),
    doStream: (options) => memory.stream(options, (call) => model.doStream(call)),
  }
  return new Proxy(model, {
    get: (target, property) =>
      property === 'doGenerate' || property === 'doStream'
        ? wrapped[property]
        : // Reads from the model itself, because a getter may use private fields.
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
