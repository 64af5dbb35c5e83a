// Lets a reply call functions of the application.
import { InvalidInputError } from '@keepsake/text'
import type { AskModel } from '../models/ask-model.ts'
import type {
  JsonSchema,
  LanguageChunk,
  LanguageToolCall,
  LanguageToolExchange,
  LanguageToolUse,
  TokenUsage,
} from '../models/language-model.ts'
import { requestTokens } from '../models/model-window.ts'

/** A function of the application that a reply may call. */
export interface ReplyTool {
  /** Explains to the model what the function does. */
  readonly description: string
  /** JSON Schema of the input; with zod: `z.toJSONSchema(…)`. The model is asked to follow it, but its input is not checked. */
  readonly parameters: JsonSchema
  /**
   * Runs the function. The model receives the result, as JSON if it is no text. If it throws, the model receives the error message.
   *
   * @param input the model's input, unchecked
   */
  run(input: unknown, how: { readonly abortSignal: AbortSignal | undefined }): unknown
}

/** A call that a reply made, and its result. No memory is made of it, since no speaker said it. */
export interface ReplyToolCall extends LanguageToolCall {
  readonly result: string
  readonly isError: boolean
}

/** Default of `maxSteps`. */
const DEFAULT_STEPS = 6
const MAX_STEPS = 100
/** Maximum characters of one result, per token of the model's window. */
const CHARACTERS_PER_TOKEN = 0.5
const TOOL_NAME = /^[\w-]{1,64}$/

/** Options of a reply with tools. */
export interface ToolOptions {
  /** Functions that the model may call before it answers, by name. The model must take tools, as every model of the AI SDK does. */
  readonly tools?: Readonly<Record<string, ReplyTool>>
  /** Maximum number of times that the model is asked for one reply. The last time it must answer in words. 6 when absent. */
  readonly maxSteps?: number
}

/** @throws InvalidInputError for an invalid tool or number of steps, or a model that takes no tools */
export function checkTools(ask: AskModel, { tools, maxSteps }: ToolOptions): void {
  if (maxSteps !== undefined && !(Number.isInteger(maxSteps) && maxSteps >= 1 && maxSteps <= MAX_STEPS))
    throw new InvalidInputError(
      `maxSteps must be a whole number from 1 to ${MAX_STEPS}, but it is ${maxSteps}.`,
    )
  const toolEntries = Object.entries(tools ?? {})
  if (toolEntries.length > 0 && ask.takesTools !== true)
    throw new InvalidInputError(
      `${ask.model} takes no tools: give a model of the AI SDK, or one of your own with \`takesTools\`.`,
    )
  for (const [name, tool] of toolEntries) {
    if (!TOOL_NAME.test(name))
      throw new InvalidInputError(`tools.${name}: a tool is named by 1 to 64 letters, digits, "_" and "-".`)
    const { description, parameters, run } = tool as Partial<ReplyTool>
    if (typeof description !== 'string' || typeof parameters !== 'object' || typeof run !== 'function')
      throw new InvalidInputError(
        `tools.${name} must have "description", "parameters" (JSON Schema) and "run".`,
      )
  }
}

/** The model, its tools, and the callbacks of one reply. */
interface ReplySteps extends ToolOptions {
  readonly ask: AskModel
  readonly stream: (toolUse?: LanguageToolUse) => AsyncIterable<LanguageChunk>
  readonly abortSignal: AbortSignal | undefined
  readonly onCall: (call: ReplyToolCall) => void
}

/**
 * Streams a reply of a model that may call tools. It runs the calls, sends their results back, and asks again, until the model answers in
 * words. The last chunk reports the tokens of all steps.
 */
export async function* answerWithTools(steps: ReplySteps): AsyncGenerator<LanguageChunk> {
  const { tools = {}, maxSteps = DEFAULT_STEPS, stream } = steps
  const toolSpecs = Object.entries(tools).map(([name, { description, parameters }]) => ({
    name,
    description,
    parameters,
  }))
  if (toolSpecs.length === 0) return yield* stream()
  const exchanges: LanguageToolExchange[] = []
  let spent: TokenUsage | null = null
  for (let step = 1; ; step += 1) {
    const isLastStep = step >= maxSteps
    let text = ''
    for await (const chunk of stream({ tools: toolSpecs, exchanges: [...exchanges], isOver: isLastStep })) {
      if (chunk.kind === 'text') {
        // The text before a call and the text after it become two paragraphs.
        if (text === '' && exchanges.some((exchange) => exchange.text !== ''))
          yield { kind: 'text', text: '\n\n' }
        text += chunk.text
        yield chunk
        continue
      }
      const usage = addUsage(spent, chunk.usage)
      spent = usage
      const { calls = [], kept } = chunk
      if (calls.length === 0 || isLastStep) return yield { kind: 'end', finish: chunk.finish, usage }
      exchanges.push({ text, calls, results: await runAll(steps, calls), kept })
    }
  }
}

async function runAll(steps: ReplySteps, calls: readonly LanguageToolCall[]) {
  const results = []
  for (const call of calls) {
    steps.abortSignal?.throwIfAborted()
    const result = await runOne(steps, call)
    steps.onCall({ ...call, result: result.text, isError: result.isError })
    results.push(result)
  }
  return results
}

async function runOne({ ask, tools = {}, abortSignal }: ReplySteps, { name, input }: LanguageToolCall) {
  const maxLength = Math.floor(requestTokens(ask) * CHARACTERS_PER_TOKEN)
  const cut = (text: string): string =>
    text.length <= maxLength ? text : `${text.slice(0, maxLength).toWellFormed()} …`
  const tool = Object.hasOwn(tools, name) ? tools[name] : undefined
  if (tool === undefined) return { text: `There is no tool "${name}".`, isError: true }
  try {
    const result = await tool.run(input, { abortSignal })
    // JSON.stringify gives undefined for a function that returns nothing.
    const text = typeof result === 'string' ? result : (JSON.stringify(result) ?? 'null')
    return { text: cut(text), isError: false }
  } catch (error) {
    abortSignal?.throwIfAborted()
    return { text: cut(error instanceof Error ? error.message : String(error)), isError: true }
  }
}

function addUsage(before: TokenUsage | null, { input, output }: TokenUsage): TokenUsage {
  const add = (first: number | null, second: number | null): number | null =>
    first === null || second === null ? null : first + second
  return before === null
    ? { input, output }
    : { input: add(before.input, input), output: add(before.output, output) }
}
