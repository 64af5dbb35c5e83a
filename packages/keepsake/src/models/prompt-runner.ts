import { setTimeout as sleep } from 'node:timers/promises'
import { InvalidInputError, ModelError } from '@keepsake/text'
import { toolsAreNoWord } from '../prompts/common-rules.ts'
import { type Prompt, type PromptLanguage, type TextPrompt, promptVersion } from '../prompts/prompt.ts'
import type { EventScope } from '../scopes/scope.ts'
import { answerSchema, schemaName, type ReadAnswer, listProblems, readAnswer } from './read-answer.ts'
import type { AskModel, AskOptions, ModelCall, ModelCallOutcome, ModelTask } from './ask-model.ts'
import type { ModelBudget } from './call-budget.ts'
import { CallTrace, ModelRequests, type RequestOwner, outcomeOf, sharedLimits } from './model-requests.ts'
import type { LanguageAnswer, LanguageChunk, LanguageModel, LanguageRequest } from './language-model.ts'
import { LEAST_WINDOW_TOKENS, windowOf } from './model-window.ts'

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

/** The same question with the answer to it, and a request to give it again with what is wrong in it mended. */
function repairRequest(
  request: LanguageRequest,
  answer: LanguageAnswer,
  problems: readonly string[],
  language: PromptLanguage,
): LanguageRequest {
  const { wrong, ask } = REPAIR[language]
  const text = `${wrong}\n${listProblems(problems)}\n${ask}`
  const [first] = request.messages
  // Providers refuse a message with no text in it, so an empty answer is not shown.
  if (answer.text.trim() === '' && first !== undefined)
    return { ...request, messages: [{ ...first, text: `${first.text}\n\n${text}` }] }
  return {
    ...request,
    messages: [...request.messages, { role: 'assistant', text: answer.text }, { role: 'user', text }],
  }
}

export interface PromptRunnerOptions {
  model: LanguageModel
  /** For one request; in a stream, for each piece. Milliseconds. Default 60,000. */
  timeoutMs?: number
  /** Further tries after one that failed and may pass. Default 3. */
  retries?: number
  /** Requests at once, over all scopes. Default 4. */
  concurrency?: number
  /** What each scope may spend. Default: no limit. */
  budget?: ModelBudget
  /** The model's window in tokens, where the model itself does not say it or says too much. */
  windowTokens?: number
  /** Ends every question once aborted; none is asked after that. */
  abortSignal?: AbortSignal
  /** Called after every question. */
  onCall?: (call: ModelCall) => void
  /** Milliseconds since 1970. */
  now?: () => number
  /** Waits between two tries; must end early when aborted. Given in tests. */
  delay?: (milliseconds: number, signal: AbortSignal | undefined) => Promise<unknown>
  /** Spreads the waits: from 0 up to 1. Given in tests. */
  random?: () => number
}

export interface AskedFor {
  readonly task?: ModelTask
  readonly model?: LanguageModel
}

/** Makes the model of each scope. The limit of requests at once and the accounts are one for all of them. */
export interface PromptRunner {
  /**
   * @param id names the scope's budget; `scope` is reported with each call
   * @param asked the task, reported with each call, and its own model
   */
  for(id: string, scope: EventScope, asked?: AskedFor): AskModel
}

/**
 * Runs prompts on a language model: limits, retries, parsing, one repair, and reports of cost.
 *
 * @throws InvalidInputError when a limit is no number it can be.
 * @example
 * const runner = promptRunner({ model: languageModel(openai('gpt-5-mini')), budget: { calls: 200 } })
 * const output = await runner.for('tenant/ana', scope).ask(prompt, input, { language: 'en' })
 */
export function promptRunner(options: PromptRunnerOptions): PromptRunner {
  const { model, onCall, now = Date.now } = options
  checkLimits(options)
  const within = (callOptions: AskOptions): AskOptions => ({
    ...callOptions,
    ...joined(options.abortSignal, callOptions.abortSignal),
  })
  const limits = {
    timeoutMs: options.timeoutMs ?? 60_000,
    retries: options.retries ?? 3,
    concurrency: options.concurrency ?? 4,
    budget: options.budget,
    now,
    delay: options.delay ?? ((ms, signal) => sleep(ms, undefined, signal === undefined ? {} : { signal })),
    random: options.random ?? Math.random,
  }
  const shared = sharedLimits(limits)
  const ofModel = new Map<LanguageModel, ModelRequests>()
  const requestsTo = (target: LanguageModel): ModelRequests => {
    const known = ofModel.get(target) ?? new ModelRequests(target, limits, shared)
    ofModel.set(target, known)
    return known
  }
  return {
    for: (id, scope, { task, model: asked = model } = {}) => {
      const requests = requestsTo(asked)
      const begin = (prompt: VersionedPrompt): RequestOwner => {
        const ofTask = task === undefined ? {} : { task }
        const traced = { prompt: promptVersion(prompt), model: asked.id, scope, ...ofTask }
        return { scope: id, trace: new CallTrace(traced, onCall) }
      }
      return {
        model: asked.id,
        takesTools: asked.takesTools === true,
        takesFiles: asked.takesFiles === true,
        ...windowFor({ ...options, model: asked }),
        ask: (prompt, input, how) =>
          ask(requests, { prompt, input, asked: within(how), owner: begin(prompt) }),
        stream: (prompt, input, how) =>
          stream(requests, { prompt, input, asked: within(how), owner: begin(prompt) }),
      }
    },
  }
}

function windowFor({ model, windowTokens }: PromptRunnerOptions): { readonly windowTokens?: number } {
  return windowOf({ windowTokens: windowTokens ?? model.windowTokens })
}

function checkLimits(options: PromptRunnerOptions): void {
  const { timeoutMs, retries, concurrency, budget } = options
  const limits = [
    { name: 'windowTokens', value: windowFor(options).windowTokens, from: LEAST_WINDOW_TOKENS },
    { name: 'timeoutMs', value: timeoutMs, from: 1 },
    { name: 'retries', value: retries, from: 0 },
    { name: 'concurrency', value: concurrency, from: 1 },
    { name: 'budget.calls', value: budget?.calls, from: 0 },
    { name: 'budget.tokens', value: budget?.tokens, from: 0 },
    { name: 'budget.windowMs', value: budget?.windowMs, from: 1 },
  ]
  for (const { name, value, from } of limits) {
    if (value !== undefined && !(Number.isSafeInteger(value) && value >= from))
      throw new InvalidInputError(`"${name}" is ${value}: it must be a whole number from ${from}.`)
  }
}

/** The runner's own signal with that of a question. */
function joined(
  own: AbortSignal | undefined,
  asked: AbortSignal | undefined,
): { readonly abortSignal?: AbortSignal } {
  if (own === undefined) return {}
  return { abortSignal: asked === undefined ? own : AbortSignal.any([own, asked]) }
}

type VersionedPrompt = Parameters<typeof promptVersion>[0]

interface Question<Input, AskedPrompt extends TextPrompt<Input>> {
  readonly prompt: AskedPrompt
  readonly input: Input
  readonly asked: AskOptions
  readonly owner: RequestOwner
}

async function ask<Input, Output>(
  requests: ModelRequests,
  question: Question<Input, Prompt<Input, Output>>,
): Promise<Output> {
  const { prompt, input, asked, owner } = question
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
    if (first.kind === 'refused') throw refusal(trace, answer.text)
    const repair = repairRequest(request, answer, first.problems, asked.language)
    const { output, outcome, leftOut } = settle(question, first, await requests.generate(repair, owner))
    trace.end(outcome, leftOut)
    return output
  } catch (error) {
    trace.end(outcomeOf(error, asked.abortSignal))
    throw error
  }
}

/**
 * Chooses the answer after the repair. Remaining problems are left to the rules that apply it; a valid first answer
 * is used if the repair broke it.
 */
function settle<Input, Output>(
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
    ? refusal(trace, answer.text)
    : unusable(trace, answer.text, second.problems)
}

async function* stream<Input>(
  requests: ModelRequests,
  question: Question<Input, TextPrompt<Input>>,
): AsyncGenerator<LanguageChunk> {
  const { asked, owner } = question
  const { trace } = owner
  // A reader that stops early has cancelled the call.
  let outcome: ModelCallOutcome = 'aborted'
  let hasText = false
  try {
    for await (const piece of requests.stream({ ...requestFor(question), schema: null }, owner)) {
      if (piece.kind === 'text') hasText ||= piece.text.trim() !== ''
      else if (hasText || (piece.calls?.length ?? 0) > 0)
        outcome = piece.finish === 'refused' ? 'refused' : 'answered'
      else
        throw piece.finish === 'refused' ? refusal(trace, '') : unusable(trace, '', ['The answer is empty.'])
      yield piece
    }
  } catch (error) {
    outcome = outcomeOf(error, asked.abortSignal)
    throw error
  } finally {
    trace.end(outcome)
  }
}

function requestFor<Input>({
  prompt,
  input,
  asked: { language, abortSignal, toolUse, files = [] },
}: Question<Input, TextPrompt<Input>>): Omit<LanguageRequest, 'schema'> {
  const { system, before = [], user } = prompt.render(input, language)
  return {
    prompt: promptVersion(prompt),
    system: toolUse === undefined ? system : `${system}\n\n${toolsAreNoWord(language)}`,
    messages: [...before, { role: 'user', text: user, ...(files.length === 0 ? {} : { files }) }],
    ...(toolUse === undefined ? {} : { toolUse }),
    ...(prompt.maxOutputTokens === undefined ? {} : { maxOutputTokens: prompt.maxOutputTokens }),
    ...(abortSignal === undefined ? {} : { abortSignal }),
  }
}

function refusal(trace: CallTrace, answer: string): ModelError {
  const { prompt, model } = trace.question
  return new ModelError(`${model} refused to answer ${prompt}.`, {
    code: 'model-answer',
    answer,
    details: { model, prompt, reason: 'refused' },
  })
}

function unusable(trace: CallTrace, answer: string, problems: readonly string[]): ModelError {
  const { prompt, model } = trace.question
  return new ModelError(
    `${model} answered ${prompt} with what cannot be used:\n${listProblems(problems)}\nIts words are in "answer".`,
    { code: 'model-answer', answer, details: { model, prompt, reason: 'unusable' } },
  )
}
