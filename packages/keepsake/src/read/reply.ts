// Answers the user's last turn from memory with a language model, and stores the exchange.
import { InvalidInputError, ModelError, SpokenText, readTime, withoutThinking } from '@keepsake/text'
import type { AskModel, LeftOut } from '../models/ask-model.ts'
import type { LanguageChunk, TokenUsage } from '../models/language-model.ts'
import { recordTurns, type RememberResult } from '../remember/record-turns.ts'
import type { Recall, RecallOptions } from '../retrieval/recall-types.ts'
import { eventScope, type ScopeRow } from '../scopes/scope.ts'
import { readTurns, type ReadTurn } from '../turns/read-turns.ts'
import type { TurnInput } from '../turns/turn.ts'
import type { Engine } from '../work/engine.ts'
import type { ResolvedScope } from '../work/scope-handle.ts'
import { findConversation, prepareReply, recallForReply } from './reply-request.ts'
import { answerWithTools, checkTools, type ReplyToolCall, type ToolOptions } from './reply-tools.ts'

/** Options of `reply()`: those of a recall, and how the answer is written. */
export interface ReplyOptions extends Omit<RecallOptions, 'types' | 'forms' | 'asOf'>, ToolOptions {
  /** The session the exchange belongs to. Without one, a silence longer than the preset's gap starts a new one. */
  readonly session?: string
  /** Who the agent is and how it speaks: the application's own words. The model trusts them, unlike the messages. */
  readonly instructions?: string
  /** The agent's name, stored as the speaker of its reply. */
  readonly agent?: string
  /** `false`: neither the user's turns nor the reply are remembered. */
  readonly remember?: boolean
  /** As for `remember()`: whether the model describes pictures for memory. The reply sees those of the last turn either way. */
  readonly describe?: boolean
}

/** A reply that is being written. The exchange is remembered even if the application does not read the stream. */
export interface Reply {
  /** The memories that the reply is based on. */
  readonly recall: Recall
  /** What did not fit the model's window. Empty when everything fitted. */
  readonly leftOut: readonly LeftOut[]
  /** Pieces of the reply as they arrive. Throws ModelError when the model fails midway. */
  readonly textStream: ReadableStream<string>
  /** The whole reply. Rejects when the model fails midway; a partial reply is not remembered. */
  readonly text: Promise<string>
  /** Calls of `tools` that the reply made, in their order. Rejects when the model fails midway. */
  readonly toolCalls: Promise<readonly ReplyToolCall[]>
  /** Tokens of all steps of the reply, as the provider counted them. Rejects when the model fails midway. */
  readonly usage: Promise<TokenUsage>
  /** Resolves when the reply is stored; `null` when `remember` is `false`. */
  readonly remembered: Promise<RememberResult | null>
}

/**
 * Answers the user's last turn from memory. The user's turns are stored before the model is asked; the reply is
 * stored when it is complete.
 */
export async function replyFromMemory(
  engine: Engine,
  row: ScopeRow,
  input: TurnInput | readonly TurnInput[],
  options: ReplyOptions & { readonly resolved: ResolvedScope | null },
): Promise<Reply> {
  const ask = requireLanguage(engine, row)
  checkTools(ask, options)
  const newTurns = readNewTurns(engine, input, options.now)
  const last = newTurns.at(-1)
  const question = last?.attached?.ownText.trim() || (last?.text ?? '')

  // Recall runs before the turns are stored: a question must not find itself.
  const conversation = await findConversation(engine, row, newTurns, options.session)
  const turnsInPrompt = [...conversation.earlier, ...conversation.newTurns]
  const recall = await recallForReply({ engine, ask }, options.resolved, question, {
    ...options,
    excludeTexts: [...(options.excludeTexts ?? []), ...turnsInPrompt.map(({ text }) => text)],
    shownTurns: turnsInPrompt.map(({ id }) => id),
  })
  const files = last?.attached?.read.flatMap(({ file }) => file ?? [])
  const request = prepareReply({ engine, ask, recall, conversation, options, files })

  const recorded = options.remember === false ? null : await recordNewTurns(engine, row, newTurns, options)
  for (const omission of request.leftOut)
    engine.events.emit('input-left-out', { scope: eventScope(row), prompt: request.prompt, ...omission })

  const calls: ReplyToolCall[] = []
  const chunks = answerWithTools({
    ...options,
    ask,
    stream: request.stream,
    abortSignal: options.abortSignal,
    onCall: (call) => calls.push(call),
  })
  const pieces = new ReplyPieces()
  const answer = readAnswer(chunks, ask.model, (piece) => pieces.add(piece))
  const text = answer.then((complete) => complete.text)
  const usage = answer.then((complete) => complete.usage)
  const toolCalls = answer.then(() => calls)
  // Without this, an application that reads neither promise would get an unhandled rejection.
  for (const promise of [usage, toolCalls]) promise.catch(() => undefined)
  const remembered = text.then(async (complete) =>
    recorded === null ? null : recordReply(engine, row, complete, { ...options, session: recorded.session }),
  )
  // Readers of the stream, `text` or `remembered` receive the error; without a reader it stays unreported.
  remembered.then(
    () => pieces.end(),
    (error: unknown) => pieces.fail(error),
  )
  return { recall, leftOut: request.leftOut, textStream: pieces.stream, text, toolCalls, usage, remembered }
}

function requireLanguage(engine: Engine, row: ScopeRow): AskModel {
  const ask = engine.language?.for(eventScope(row), 'reply') ?? null
  if (ask === null)
    throw new InvalidInputError(
      'reply() needs a language model: openMemory({ model }), or models.reply. Without one, use recall() and answer yourself.',
    )
  return ask
}

/**
 * Reads and checks the turns that the caller gave.
 *
 * @param now the caller's time of the question; turns up to it are valid even if it is later than the engine's clock
 */
function readNewTurns(
  engine: Engine,
  input: TurnInput | readonly TurnInput[],
  now: ReplyOptions['now'],
): ReadTurn[] {
  const turns = readTurns(input, {
    now: Math.max(engine.now(), now === undefined ? 0 : readTime(now, 'options.now')),
    newId: engine.newId,
    maxLength: engine.maxTurnLength,
  })
  if (turns.at(-1)?.role !== 'user')
    throw new InvalidInputError('reply() answers a turn of the user: the last turn given must be theirs.')
  return [...turns]
}

async function recordNewTurns(
  engine: Engine,
  row: ScopeRow,
  turns: readonly ReadTurn[],
  { session, describe }: ReplyOptions,
): Promise<RememberResult> {
  return recordTurns(engine, row, turns.map(toInput), {
    ...(session === undefined ? {} : { session }),
    ...(describe === undefined ? {} : { describe }),
  })
}

async function recordReply(
  engine: Engine,
  row: ScopeRow,
  text: string,
  { agent, session }: { readonly agent?: string; readonly session: string | null },
): Promise<RememberResult> {
  const turn = { role: 'assistant', text, ...(agent === undefined ? {} : { speaker: agent }) } as const
  return recordTurns(engine, row, turn, session === null ? {} : { session })
}

/** Returns the input of a turn, with the id and time that it was given when it was read. */
function toInput({ speaker, timeZone, metadata, attached, ...turn }: ReadTurn): TurnInput {
  return {
    ...turn,
    ...(attached === undefined ? {} : { text: attached.ownText, attachments: attached.given }),
    ...(speaker === null ? {} : { speaker }),
    ...(timeZone === null ? {} : { timeZone }),
    ...(metadata === null ? {} : { metadata }),
  }
}

/** Matches models of providers that return a model's thoughts separately from its answer. */
const HOSTED = /^(?:amazon-bedrock|anthropic|azure|google|openai|xai)\//
/** By model: whether one of its answers contained a thought. Its later answers may then begin with one, without an opening tag. */
const thinksAloud = new Map<string, boolean>()

/**
 * Reads an answer to its end and passes on every piece that is not a thought.
 *
 * @throws ModelError when the model refuses or answers nothing
 */
async function readAnswer(
  chunks: AsyncIterable<LanguageChunk>,
  model: string,
  onText: (text: string) => void,
): Promise<{ readonly text: string; readonly usage: TokenUsage }> {
  let answer = ''
  let usage: TokenUsage = { input: null, output: null }
  const spoken = new SpokenText({ mayBeginThinking: thinksAloud.get(model) ?? !HOSTED.test(model) })
  const passOn = (piece: string): void => {
    if (piece !== '') onText(piece)
  }
  for await (const chunk of chunks) {
    if (chunk.kind === 'text') {
      answer += chunk.text
      passOn(spoken.push(chunk.text))
    } else if (chunk.finish === 'refused')
      throw new ModelError(`${model} refused to reply.`, { code: 'model-answer', answer })
    else ({ usage } = chunk)
  }
  passOn(spoken.end())
  thinksAloud.set(model, thinksAloud.get(model) === true || spoken.hasThought)
  const text = withoutThinking(answer)
  if (text.trim() === '')
    throw new ModelError(`${model} replied with nothing.`, { code: 'model-answer', answer })
  return { text, usage }
}

/** Buffers the pieces of an answer, so that the model never waits for a slow reader. */
export class ReplyPieces {
  readonly #pieces: string[] = []
  #end: { readonly error: unknown } | 'complete' | null = null
  #wake: () => void = () => undefined

  add(piece: string): void {
    this.#pieces.push(piece)
    this.#wake()
  }

  end(): void {
    this.#end = 'complete'
    this.#wake()
  }

  /** Ends the stream with an error. The reader receives it after the buffered pieces. */
  fail(error: unknown): void {
    this.#end = { error }
    this.#wake()
  }

  get stream(): ReadableStream<string> {
    return ReadableStream.from(this.#read())
  }

  async *#read(): AsyncGenerator<string> {
    for (;;) {
      for (let piece = this.#pieces.shift(); piece !== undefined; piece = this.#pieces.shift()) yield piece
      if (this.#end === 'complete') return
      if (this.#end !== null) throw this.#end.error
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }
}
