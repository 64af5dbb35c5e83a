// Runs prompts on a language model: renders the request, reads the answer, asks for one repair, and reports the call.
import { setTimeout as sleep } from 'node:timers/promises'
import { InvalidInputError, ModelError } from '@keepsake/text'
import { toolResultsRule } from '../prompts/common-rules.ts'
import { type Prompt, type PromptLanguage, type TextPrompt, promptVersion } from '../prompts/prompt.ts'
import type { EventScope } from '../scopes/scope.ts'
import { answerSchema, schemaName } from './answer-schema.ts'
import { listProblems, readAnswer, type ReadAnswer } from './read-answer.ts'
import type { AskModel, AskOptions, ModelCall, ModelCallOutcome, ModelTask } from './ask-model.ts'
import type { ModelBudget } from './call-budget.ts'
import { CallTrace, ModelRequests, type RequestOwner, outcomeOf, sharedLimits } from './model-requests.ts'
import type { LanguageAnswer, LanguageChunk, LanguageModel, LanguageRequest } from './language-model.ts'
import { MIN_WINDOW_TOKENS } from './model-window.ts'
import type { ProviderWaits } from './provider-waits.ts'

/** The text of a request for a repair. */
const REPAIR = {
  en: {
    wrong: 'That answer cannot be used:',
    ask: 'Answer again, whole, with these mended and the rest kept as it was. Give the JSON value alone.',
  },
  zh: {
    wrong: '这个回答无法使用：',
    ask: '请改正以上问题，其余内容保持不变，重新给出完整的回答。只输出 JSON 值本身。',
  },
} as const

/** Makes the request for a repair. It contains the first answer and its problems. */
function repairRequest(
  request: LanguageRequest,
  answer: LanguageAnswer,
  problems: readonly string[],
  language: PromptLanguage,
): LanguageRequest {
  const { wrong, ask } = REPAIR[language]
  const text = `${wrong}\n${listProblems(problems)}\n${ask}`
  const [first] = request.messages
  // Providers refuse messages without text, so an empty answer is not shown.
  if (answer.text.trim() === '' && first !== undefined)
    return { ...request, messages: [{ ...first, text: `${first.text}\n\n${text}` }] }
  return {
    ...request,
    messages: [...request.messages, { role: 'assistant', text: answer.text }, { role: 'user', text }],
  }
}

export interface PromptRunnerOptions {
  model: LanguageModel
  /** Time limit of a request, and of each chunk of a stream, in milliseconds. Default 60,000. */
  timeoutMs?: number
  /** Number of retries after an error that may pass. Default 3. */
  retries?: number
  /** Maximum number of requests at the same time, for all scopes together. Default 4. */
  concurrency?: number
  /** The budget of each scope. Default: no limit. */
  budget?: ModelBudget
  /** The model's window in tokens. Overrides the value of the model. */
  windowTokens?: number
  /** Aborts all calls, also later ones. */
  abortSignal?: AbortSignal
  /** Keeps waiting times of providers over a restart. Without it they last as long as the process. */
  waits?: ProviderWaits
  /** Called after every call. */
  onCall?: (call: ModelCall) => void
  /** Returns milliseconds since 1970. */
  now?: () => number
  /** Waits between two attempts, and stops waiting when aborted. For tests. */
  delay?: (milliseconds: number, signal: AbortSignal | undefined) => Promise<unknown>
  /** Returns a number from 0 up to 1, which varies the delays. For tests. */
  random?: () => number
}

/** The task of a model's requests, and the model if it is not the general one. */
export interface AskedFor {
  readonly task?: ModelTask
  readonly model?: LanguageModel
}

/** Returns the language model of each scope. All of them share the concurrency limit and the budgets. */
export interface PromptRunner {
  /** Returns the model of a task for a scope, whose budget has the id. Reports of calls name scope and task. */
  for(id: string, scope: EventScope, asked?: AskedFor): AskModel
}

/**
 * Runs prompts on a language model: limits, retries, parsing, one repair, and reports of cost.
 *
 * @throws InvalidInputError when a limit is invalid
 * @example
 * const runner = promptRunner({ model: languageModel(openai('gpt-5-mini')), budget: { calls: 200 } })
 * const output = await runner.for('tenant/ana', scope).ask(prompt, input, { language: 'en' })
 */
export function promptRunner(options: PromptRunnerOptions): PromptRunner {
  const { model, onCall, now = Date.now } = options
  checkLimits(options)
  const withOwnSignal = (callOptions: AskOptions): AskOptions => {
    const signals = [options.abortSignal, callOptions.abortSignal].filter((signal) => signal !== undefined)
    return { ...callOptions, abortSignal: signals.length > 1 ? AbortSignal.any(signals) : signals[0] }
  }
  const limits = {
    timeoutMs: options.timeoutMs ?? 60_000,
    retries: options.retries ?? 3,
    concurrency: options.concurrency ?? 4,
    budget: options.budget,
    now,
    delay: options.delay ?? ((ms, signal) => sleep(ms, undefined, signal === undefined ? {} : { signal })),
    random: options.random ?? Math.random,
    waits: options.waits,
  }
  const shared = sharedLimits(limits)
  const requestsByModel = new Map<LanguageModel, ModelRequests>()
  const requestsTo = (target: LanguageModel): ModelRequests => {
    const requests = requestsByModel.get(target) ?? new ModelRequests(target, limits, shared)
    requestsByModel.set(target, requests)
    return requests
  }
  return {
    for: (id, scope, { task, model: target = model } = {}) => {
      const requests = requestsTo(target)
      const startTrace = (prompt: VersionedPrompt): RequestOwner => {
        const taskField = task === undefined ? {} : { task }
        const question = { prompt: promptVersion(prompt), model: target.id, scope, ...taskField }
        return { scope: id, trace: new CallTrace(question, onCall) }
      }
      return {
        model: target.id,
        takesTools: target.takesTools === true,
        takesFiles: target.takesFiles === true,
        windowTokens: options.windowTokens ?? target.windowTokens,
        ask: (prompt, input, askOptions) =>
          ask(requests, { prompt, input, options: withOwnSignal(askOptions), owner: startTrace(prompt) }),
        stream: (prompt, input, askOptions) =>
          stream(requests, { prompt, input, options: withOwnSignal(askOptions), owner: startTrace(prompt) }),
      }
    },
  }
}

function checkLimits(options: PromptRunnerOptions): void {
  const { timeoutMs, retries, concurrency, budget } = options
  const limits = [
    {
      name: 'windowTokens',
      value: options.windowTokens ?? options.model.windowTokens,
      min: MIN_WINDOW_TOKENS,
    },
    { name: 'timeoutMs', value: timeoutMs, min: 1 },
    { name: 'retries', value: retries, min: 0 },
    { name: 'concurrency', value: concurrency, min: 1 },
    { name: 'budget.calls', value: budget?.calls, min: 0 },
    { name: 'budget.tokens', value: budget?.tokens, min: 0 },
    { name: 'budget.windowMs', value: budget?.windowMs, min: 1 },
  ]
  for (const { name, value, min } of limits) {
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= min))
      throw new InvalidInputError(`"${name}" is ${value}: it must be a whole number from ${min}.`)
  }
}

type VersionedPrompt = Parameters<typeof promptVersion>[0]

interface Question<Input, AskedPrompt extends TextPrompt<Input>> {
  readonly prompt: AskedPrompt
  readonly input: Input
  readonly options: AskOptions
  readonly owner: RequestOwner
}

/** Asks for an answer that fits the prompt's schema, with one repair if it has problems. */
async function ask<Input, Output>(
  requests: ModelRequests,
  question: Question<Input, Prompt<Input, Output>>,
): Promise<Output> {
  const { prompt, input, options, owner } = question
  const { trace } = owner
  try {
    const request = {
      ...requestFor(question),
      schema: answerSchema(prompt.schema),
      schemaName: schemaName(prompt),
    }
    const answer = await requests.generate(request, owner)
    const first = readAnswer(answer, prompt, input)
    if (first.kind === 'good') {
      trace.end('answered')
      return first.output
    }
    if (first.kind === 'refused') throw refusalError(trace, answer.text)
    const repair = repairRequest(request, answer, first.problems, options.language)
    const repaired = await requests.generate(repair, owner)
    const { output, outcome, leftOut } = chooseAnswer(question, first, repaired)
    trace.end(outcome, leftOut)
    return output
  } catch (error) {
    trace.end(outcomeOf(error, options.abortSignal))
    throw error
  }
}

/** Chooses the repaired answer, or the first one if only that fits the schema. An answer with problems may be used. */
function chooseAnswer<Input, Output>(
  { prompt, input, owner }: Question<Input, Prompt<Input, Output>>,
  first: Exclude<ReadAnswer<Output>, { kind: 'good' | 'refused' }>,
  answer: LanguageAnswer,
): { output: Output; outcome: ModelCallOutcome; leftOut?: readonly string[] } {
  const { trace } = owner
  const second = readAnswer(answer, prompt, input)
  if (second.kind === 'good') return { output: second.output, outcome: 'repaired' }
  if (second.kind === 'flawed') return { ...second, outcome: 'repaired' }
  if (first.kind === 'flawed') return { ...first, outcome: 'answered' }
  throw second.kind === 'refused'
    ? refusalError(trace, answer.text)
    : unusableError(trace, answer.text, second.problems)
}

/** Streams an answer. An empty answer is an error. */
async function* stream<Input>(
  requests: ModelRequests,
  question: Question<Input, TextPrompt<Input>>,
): AsyncGenerator<LanguageChunk> {
  const { options, owner } = question
  const { trace } = owner
  // The outcome remains if the caller stops reading the stream.
  let outcome: ModelCallOutcome = 'aborted'
  let hasText = false
  try {
    for await (const chunk of requests.stream({ ...requestFor(question), schema: null }, owner)) {
      if (chunk.kind === 'text') hasText ||= chunk.text.trim() !== ''
      else {
        const isRefused = chunk.finish === 'refused'
        const isEmpty = !hasText && (chunk.calls?.length ?? 0) === 0
        if (isEmpty)
          throw isRefused ? refusalError(trace, '') : unusableError(trace, '', ['The answer is empty.'])
        outcome = isRefused ? 'refused' : 'answered'
      }
      yield chunk
    }
  } catch (error) {
    outcome = outcomeOf(error, options.abortSignal)
    throw error
  } finally {
    trace.end(outcome)
  }
}

function requestFor<Input>({
  prompt,
  input,
  options: { language, abortSignal, toolUse, files },
}: Question<Input, TextPrompt<Input>>): Omit<LanguageRequest, 'schema'> {
  const { system, before = [], user } = prompt.render(input, language)
  return {
    prompt: promptVersion(prompt),
    system: toolUse === undefined ? system : `${system}\n\n${toolResultsRule(language)}`,
    messages: [...before, { role: 'user', text: user, files }],
    toolUse,
    maxOutputTokens: prompt.maxOutputTokens,
    abortSignal,
  }
}

function refusalError(trace: CallTrace, answer: string): ModelError {
  const { prompt, model } = trace.question
  return new ModelError(`${model} refused to answer ${prompt}.`, {
    code: 'model-answer',
    answer,
    details: { model, prompt, reason: 'refused' },
  })
}

function unusableError(trace: CallTrace, answer: string, problems: readonly string[]): ModelError {
  const { prompt, model } = trace.question
  return new ModelError(
    `${model} answered ${prompt} with what cannot be used:\n${listProblems(problems)}\nIts words are in "answer".`,
    { code: 'model-answer', answer, details: { model, prompt, reason: 'unusable' } },
  )
}
