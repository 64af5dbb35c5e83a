import { InvalidInputError, describeValue } from '@keepsake/text'

/**
 * Checks that what an application gives as its language model can be asked.
 *
 * @throws InvalidInputError says what was given instead, and how to make a model of it
 */
export function checkLanguageModel(model: unknown): void {
  if (model === undefined || isLanguageModel(model)) return
  throw new InvalidInputError(`${whyNone(model)}, as in ${EXAMPLE}.`)
}

const EXAMPLE = "openMemory({ path: 'memory.db', model: openai('gpt-5-mini') })"

function whyNone(model: unknown): string {
  if (makesNoText(model))
    return `\`model\` must be a language model, but ${nameOf(model)} of the AI SDK makes no text. Give one that does`
  if (has(model, 'doGenerate'))
    return '`model` looks like a model of the AI SDK, but has no "provider" and "modelId": give one as its packages make it'
  const what = `\`model\` must be a language model, an object with "id", "generate" and "stream", but it is ${describeValue(model)}`
  return `${what}. ${typeof model === 'string' ? 'Give the model itself instead of its name' : 'Make one'}`
}

/** A model of the AI SDK that makes vectors, pictures, speech. */
function makesNoText(model: unknown): boolean {
  const isOfAiSdk = has(model, 'provider', 'string') && has(model, 'modelId', 'string')
  return isOfAiSdk && !has(model, 'doStream')
}

function nameOf(model: unknown): string {
  const { provider, modelId } = model as Readonly<Record<'provider' | 'modelId', string>>
  return `${provider}/${modelId}`
}

function isLanguageModel(model: unknown): boolean {
  return has(model, 'generate', 'function') && has(model, 'stream', 'function') && has(model, 'id', 'string')
}

function has(value: unknown, name: string, type = 'function'): boolean {
  return typeof value === 'object' && value !== null && typeof Reflect.get(value, name) === type
}
