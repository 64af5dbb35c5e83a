import { describeValue } from '../errors/describe-value.ts'
import { InvalidInputError } from '../errors/invalid-input-error.ts'

/**
 * Checks that what an application gives as its language model can be asked.
 *
 * @throws InvalidInputError says what was given instead, and how to make a model of it
 */
export function checkLanguageModel(model: unknown): void {
  if (model === undefined || isLanguageModel(model)) return
  const example = "openMemory({ path: 'memory.db', model: openai('gpt-5-mini') })"
  throw new InvalidInputError(
    has(model, 'doGenerate')
      ? `\`model\` looks like a model of the AI SDK, but has no "provider" and "modelId": give one as its packages make it, as in ${example}.`
      : `\`model\` must be a language model, an object with "id", "generate" and "stream", but it is ${describeValue(model)}. ${typeof model === 'string' ? 'Give the model itself instead of its name' : 'Make one'}, as in ${example}.`,
  )
}

function isLanguageModel(model: unknown): boolean {
  return has(model, 'generate', 'function') && has(model, 'stream', 'function') && has(model, 'id', 'string')
}

function has(value: unknown, name: string, type = 'function'): boolean {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, name) === type
}
