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
  /** What it is for, in words to the model. */
  readonly description: string
  /** The shape of what it takes, as JSON Schema; with zod: `z.toJSONSchema(…)`. The model is asked to keep to it, and what it gives is not checked. */
  readonly parameters: JsonSchema
  /**
   * Does it. What it gives goes to the model, as JSON where it is no text; what it throws goes there as a failure.
   *
   * @param input what the model gave: parse it
   */
  run(input: unknown, how: { readonly abortSignal: AbortSignal | undefined }): unknown
}

/** A call that a reply made, and what came of it: no speaker said it, so no memory keeps it. */
export interface ReplyToolCall extends LanguageToolCall {
  readonly result: string
  readonly isError: boolean
}

/** How often a model may be asked for one reply, where no option says. */
const USUAL_STEPS = 6
const MOST_STEPS = 100
/** Of a model's window, what one result may take, in characters for each token. */
const RESULT_SHARE = 0.5
const NAME = /^[\w-]{1,64}$/

/** Tools that go with a reply. */
export interface ToolOptions {
  /** Functions that the model may call before it answers, by name. The model must take tools, as every model of the AI SDK does. */
  readonly tools?: Readonly<Record<string, ReplyTool>>
  /** How often the model is asked for one reply at most: the last time it must answer in words. 6 when absent. */
  readonly maxSteps?: number
}

/** @throws InvalidInputError for a tool or a number that cannot be, and a model that takes no tools */
export function checkTools(ask: AskModel, { tools, maxSteps }: ToolOptions): void {
  if (maxSteps !== undefined && !(Number.isInteger(maxSteps) && maxSteps >= 1 && maxSteps <= MOST_STEPS))
    throw new InvalidInputError(
      `maxSteps must be a whole number from 1 to ${MOST_STEPS}, but it is ${maxSteps}.`,
    )
  const toolEntries = Object.entries(tools ?? {})
  if (toolEntries.length > 0 && ask.takesTools !== true)
    throw new InvalidInputError(
      `${ask.model} takes no tools: give a model of the AI SDK, or one of your own with \`takesTools\`.`,
    )
  for (const [name, tool] of toolEntries) {
    if (!NAME.test(name))
      throw new InvalidInputError(`tools.${name}: a tool is named by 1 to 64 letters, digits, "_" and "-".`)
    const { description, parameters, run } = tool as Partial<ReplyTool>
    if (typeof description !== 'string' || typeof parameters !== 'object' || typeof run !== 'function')
      throw new InvalidInputError(
        `tools.${name} must have "description", "parameters" (JSON Schema) and "run".`,
      )
  }
}

/** Everything that a reply is asked with. */
interface Stepping extends ToolOptions {
  readonly ask: AskModel
  readonly stream: (toolUse?: LanguageToolUse) => AsyncIterable<LanguageChunk>
  readonly abortSignal: AbortSignal | undefined
  readonly onCall: (call: ReplyToolCall) => void
}

/**
 * A reply as one stream, however often the model is asked for it: calls are run as it asks for them and what they gave goes back, until it
 * answers in words. The end reports the total cost.
 */
export async function* answerWithTools(stepping: Stepping): AsyncGenerator<LanguageChunk> {
  const { tools = {}, maxSteps = USUAL_STEPS, stream } = stepping
  const toolSpecs = Object.entries(tools).map(([name, { description, parameters }]) => ({
    name,
    description,
    parameters,
  }))
  if (toolSpecs.length === 0) return yield* stream()
  const exchanges: LanguageToolExchange[] = []
  let spent: TokenUsage | null = null
  for (let step = 1; ; step += 1) {
    const isOver = step >= maxSteps
    let text = ''
    for await (const chunk of stream({ tools: toolSpecs, exchanges: [...exchanges], isOver })) {
      if (chunk.kind === 'text') {
        // What was said before a call and what is said after it are two paragraphs.
        if (text === '' && exchanges.some((exchange) => exchange.text !== ''))
          yield { kind: 'text', text: '\n\n' }
        text += chunk.text
        yield chunk
        continue
      }
      const usage = sum(spent, chunk.usage)
      spent = usage
      const { calls = [], kept } = chunk
      if (calls.length === 0 || isOver) return yield { kind: 'end', finish: chunk.finish, usage }
      exchanges.push({ text, calls, results: await runAll(stepping, calls), kept })
    }
  }
}

async function runAll(stepping: Stepping, calls: readonly LanguageToolCall[]) {
  const results = []
  for (const call of calls) {
    stepping.abortSignal?.throwIfAborted()
    const done = await runOne(stepping, call)
    stepping.onCall({ ...call, result: done.text, isError: done.isError })
    results.push(done)
  }
  return results
}

async function runOne({ ask, tools = {}, abortSignal }: Stepping, { name, input }: LanguageToolCall) {
  const most = Math.floor(requestTokens(ask) * RESULT_SHARE)
  const cut = (text: string): string =>
    text.length <= most ? text : `${text.slice(0, most).toWellFormed()} …`
  const tool = Object.hasOwn(tools, name) ? tools[name] : undefined
  if (tool === undefined) return { text: `There is no tool "${name}".`, isError: true }
  try {
    const given = await tool.run(input, { abortSignal })
    return {
      text: cut(typeof given === 'string' ? given : (JSON.stringify(given) ?? 'null')),
      isError: false,
    }
  } catch (error) {
    abortSignal?.throwIfAborted()
    return { text: cut(error instanceof Error ? error.message : String(error)), isError: true }
  }
}

function sum(before: TokenUsage | null, { input, output }: TokenUsage): TokenUsage {
  const add = (first: number | null, second: number | null): number | null =>
    first === null || second === null ? null : first + second
  return before === null
    ? { input, output }
    : { input: add(before.input, input), output: add(before.output, output) }
}
