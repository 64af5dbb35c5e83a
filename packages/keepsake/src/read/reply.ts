import { InvalidInputError, ModelError, SpokenText, readTime, withoutThinking } from '@keepsake/text'
import type { AskModel, LeftOut } from '../models/ask-model.ts'
import type { LanguageChunk, LanguageFile, LanguageToolUse, TokenUsage } from '../models/language-model.ts'
import { requestTokens, roomBeside } from '../models/model-window.ts'
import { keySummaryReplyPrompt, type KeySummaryReplyInput } from '../prompts/key-summary-reply.ts'
import { portraitReplyPrompt } from '../prompts/portrait-reply.ts'
import { promptVersion, type RenderedPrompt, type TextPrompt } from '../prompts/prompt.ts'
import { promptLanguage } from '../prompts/render-data.ts'
import { replyPrompt } from '../prompts/reply.ts'
import { isNewSession } from '../remember/sessions.ts'
import { recordTurns, type RememberResult } from '../remember/record-turns.ts'
import type { Recall, RecallOptions } from '../retrieval/recall-types.ts'
import { eventScope, type ScopeRow } from '../scopes/scope.ts'
import { readTurns, type ReadTurn } from '../turns/read-turns.ts'
import type { SessionRow } from '../store/store.ts'
import type { Turn, TurnInput } from '../turns/turn.ts'
import type { Engine } from '../work/engine.ts'
import { usableTurns } from '../work/usable-turns.ts'
import type { ResolvedScope } from '../work/scope-handle.ts'
import { contextLine } from './context-lines.ts'
import { recallMemories } from './recall.ts'
import { answerWithTools, checkTools, type ReplyToolCall, type ToolOptions } from './reply-tools.ts'

/** Options of `reply()`: those of a recall, and how the answer is written. */
export interface ReplyOptions extends Omit<RecallOptions, 'types' | 'forms' | 'asOf'>, ToolOptions {
  /** The session the exchange belongs to. Without one, a silence longer than the preset's gap starts a new one. */
  readonly session?: string
  /** Who the agent is and how it speaks: the application's own words. Trusted, unlike those of the talk. */
  readonly instructions?: string
  /** The agent's name, kept as the speaker of its reply. */
  readonly agent?: string
  /** `false`: neither the turns nor the reply are remembered. */
  readonly remember?: boolean
  /** As for `remember()`: whether the model describes pictures for memory. It sees those of the last turn either way. */
  readonly describe?: boolean
}

/** An answer on its way. The exchange is remembered whether or not anybody reads it to the end. */
export interface Reply {
  /** What the answer rests on. */
  readonly recall: Recall
  /** What the model could not be shown, since its window does not hold it. Empty when it was shown all there is. */
  readonly leftOut: readonly LeftOut[]
  /** Pieces of the answer as they come. Throws ModelError when the model breaks off. */
  readonly textStream: ReadableStream<string>
  /** The whole answer. Rejects when the model breaks off; what it had said until then is not remembered. */
  readonly text: Promise<string>
  /** Calls of `tools` that the reply made, in their order. Rejects when the model breaks off. */
  readonly toolCalls: Promise<readonly ReplyToolCall[]>
  /** Tokens that the answer cost with all its steps, as the provider counted them. Rejects when the model breaks off. */
  readonly usage: Promise<TokenUsage>
  /** Resolves when the answer is durable; `null` when it was not to be remembered. */
  readonly remembered: Promise<RememberResult | null>
}

/** Turns of the running session that the model is shown before the new ones, where a preset shows no more. */
const TURNS_BEFORE = 20

function requireLanguage(engine: Engine, row: ScopeRow): AskModel {
  const ask = engine.language?.for(eventScope(row), 'reply') ?? null
  if (ask === null)
    throw new InvalidInputError(
      'reply() needs a language model: openMemory({ model }), or models.reply. Without one, use recall() and answer yourself.',
    )
  return ask
}

/** @param asked when it is, where the caller says so: what is asked later than by the memory's clock may be said then. */
function readTalk(
  engine: Engine,
  input: TurnInput | readonly TurnInput[],
  asked: ReplyOptions['now'],
): ReadTurn[] {
  const turns = readTurns(input, {
    now: Math.max(engine.now(), asked === undefined ? 0 : readTime(asked, 'options.now')),
    newId: engine.newId,
    maxLength: engine.maxTurnLength,
  })
  if (turns.at(-1)?.role !== 'user')
    throw new InvalidInputError('reply() answers a turn of the user: the last turn given must be theirs.')
  return [...turns]
}

/** As it came in, with the id and time it was given. */
function asInput({ speaker, timeZone, metadata, attached, ...turn }: ReadTurn): TurnInput {
  return {
    ...turn,
    ...(attached === undefined ? {} : { text: attached.ownText, attachments: attached.given }),
    ...(speaker === null ? {} : { speaker }),
    ...(timeZone === null ? {} : { timeZone }),
    ...(metadata === null ? {} : { metadata }),
  }
}

/** The latest of them, where the preset limits how many its replies receive (LUFY). */
function latestOf({ preset }: Engine, talk: RunningTalk): RunningTalk {
  if (preset.reply?.kind !== 'key-summary') return talk
  const { turns } = preset.reply
  const room = Math.max(0, turns - talk.given.length)
  return { before: room === 0 ? [] : talk.before.slice(-room), given: talk.given.slice(-turns) }
}

/** Whether new turns without a session of their own belong to this one: as where they are recorded, a long silence ends it. */
function goesOn({ preset }: Engine, { endedAt, lastAt }: SessionRow, [first]: readonly ReadTurn[]): boolean {
  return endedAt === null && !isNewSession(lastAt, first?.at ?? lastAt, preset.sessionGap)
}

/** The running session's turns as far as the preset shows them, and the new ones that are not among them. */
async function talkSoFar(
  engine: Engine,
  row: ScopeRow,
  given: readonly ReadTurn[],
  session: string | undefined,
): Promise<RunningTalk> {
  const state = await engine.users.load(row.owner)
  const sessions = state.sessions(row.scope)
  const running = session === undefined ? sessions.at(-1) : sessions.find((one) => one.id === session)
  const isOn = running !== undefined && (session !== undefined || goesOn(engine, running, given))
  const known = isOn ? state.turnsOfSession(row.scope, running.id) : []
  const ids = new Set(given.map((turn) => turn.id))
  // Leaves out what was asked to be forgotten, though it was said a moment ago.
  const fresh = known.filter((turn) => !ids.has(turn.id))
  const tellable = usableTurns(state, fresh)
  const before = engine.preset.reply?.kind === 'whole-session' ? tellable : tellable.slice(-TURNS_BEFORE)
  const place = { scope: row.scope, session: session ?? running?.id ?? '', position: 0 }
  return latestOf(engine, { before, given: given.map((turn) => ({ ...turn, ...place })) })
}

/** Matches models whose providers hand thoughts over apart from the answer. */
const HOSTED = /^(?:amazon-bedrock|anthropic|azure|google|openai|xai)\//
/** Whether models showed a thought in their answers: theirs may begin without an opening tag. */
const thinksAloud = new Map<string, boolean>()

/** Reads the answer to its end and hands every spoken piece on. @throws ModelError when it does not end as it should. */
async function readAnswer(
  chunks: AsyncIterable<LanguageChunk>,
  model: string,
  onText: (text: string) => void,
): Promise<{ readonly text: string; readonly usage: TokenUsage }> {
  let answer = ''
  let usage: TokenUsage = { input: null, output: null }
  const mayBeginThinking = thinksAloud.get(model) ?? !HOSTED.test(model)
  const spoken = new SpokenText({ mayBeginThinking })
  const say = (words: string): void => void (words !== '' && onText(words))
  for await (const chunk of chunks) {
    if (chunk.kind === 'text') {
      answer += chunk.text
      say(spoken.push(chunk.text))
    } else if (chunk.finish === 'refused')
      throw new ModelError(`${model} refused to reply.`, { code: 'model-answer', answer })
    else ({ usage } = chunk)
  }
  say(spoken.end())
  thinksAloud.set(model, thinksAloud.get(model) === true || spoken.hasThought)
  const text = withoutThinking(answer)
  if (text.trim() === '')
    throw new ModelError(`${model} replied with nothing.`, { code: 'model-answer', answer })
  return { text, usage }
}

/**
 * Answers the user's last turn from memory. The user's turns are durable before the model is asked; the reply is
 * recorded when it is whole.
 */
export async function replyFromMemory(
  engine: Engine,
  row: ScopeRow,
  input: TurnInput | readonly TurnInput[],
  options: ReplyOptions & { readonly resolved: ResolvedScope | null },
): Promise<Reply> {
  const ask = requireLanguage(engine, row)
  checkTools(ask, options)
  const given = readTalk(engine, input, options.now)
  const last = given.at(-1)
  const question = last?.attached?.ownText.trim() || (last?.text ?? '')
  // Recalled before it is remembered: a question is no answer to itself.
  const talk = await talkSoFar(engine, row, given, options.session)
  const all = [...talk.before, ...talk.given]
  const excludeTexts = [...(options.excludeTexts ?? []), ...all.map(({ text }) => text)]
  const seen = { ...options, excludeTexts, shownTurns: all.map(({ id }) => id) }
  const recall = await recallForReply({ engine, ask }, options.resolved, question, seen)
  const files = last?.attached?.read.flatMap(({ file }) => file ?? [])
  const asked = askedReply({ engine, ask, recall, talk, options, files })
  const keeps = options.remember !== false
  const { session, describe } = options
  const how = {
    ...(session === undefined ? {} : { session }),
    ...(describe === undefined ? {} : { describe }),
  }
  const recorded = keeps ? await recordTurns(engine, row, given.map(asInput), how) : null
  for (const one of asked.leftOut)
    engine.events.emit('input-left-out', { scope: eventScope(row), prompt: asked.prompt, ...one })
  const calls: ReplyToolCall[] = []
  const stepping = { ...options, ask, stream: asked.stream, abortSignal: options.abortSignal }
  const chunks = answerWithTools({ ...stepping, onCall: (call) => calls.push(call) })
  const pieces = new ReplyPieces()
  const answer = readAnswer(chunks, ask.model, (piece) => pieces.add(piece))
  const text = answer.then((whole) => whole.text)
  const usage = answer.then((whole) => whole.usage)
  const toolCalls = answer.then(() => calls)
  // Who reads none of them is not brought down by its error.
  for (const one of [usage, toolCalls]) one.catch(() => undefined)
  const remembered = text.then(async (whole) => {
    if (recorded === null) return null
    const speaker = options.agent === undefined ? {} : { speaker: options.agent }
    const inSession = recorded.session === null ? {} : { session: recorded.session }
    return recordTurns(engine, row, { role: 'assistant', text: whole, ...speaker }, inSession)
  })
  // Readers of the stream, `text` or `remembered` receive the error; without a reader it stays unreported.
  remembered.then(
    () => pieces.end(),
    (error: unknown) => pieces.fail(error),
  )
  return { recall, leftOut: asked.leftOut, textStream: pieces.stream, text, toolCalls, usage, remembered }
}

/** Number, time, speaker and quotation marks of a turn's line. */
const TOKENS_A_LINE = 24
/** What all memories may take of a request. */
const LIST_SHARE = 0.5
/** As many memories as a recall can hand out. */
const ALL_MEMORIES = 1_000

/** The running session's turns before those to be answered, and these. */
export interface RunningTalk {
  readonly before: readonly Turn[]
  readonly given: readonly Turn[]
}

interface Asking {
  readonly engine: Engine
  readonly ask: AskModel
}

/** What a reply is made from. */
export interface Replying extends Asking {
  readonly recall: Recall
  readonly talk: RunningTalk
  readonly options: Pick<RecallOptions, 'timeZone' | 'abortSignal'> & { readonly instructions?: string }
  /** Pictures and files of the last turn. */
  readonly files?: readonly LanguageFile[] | undefined
}

/** A reply about to be asked for. */
export interface AskedReply {
  /** `prompt/version`. */
  readonly prompt: string
  readonly leftOut: readonly LeftOut[]
  readonly stream: (toolUse?: LanguageToolUse) => AsyncIterable<LanguageChunk>
}

/** Recalls for a reply: what any recall hands out, or all memories where the preset's replies rest on the whole list (MMM). */
export async function recallForReply(
  { engine, ask }: Asking,
  resolved: ResolvedScope | null,
  question: string,
  options: RecallOptions & { readonly shownTurns?: readonly string[] },
): Promise<Recall> {
  if (engine.preset.reply?.kind !== 'whole-list') return recallMemories(engine, resolved, question, options)
  const all = { limit: ALL_MEMORIES, tokens: Math.floor(requestTokens(ask) * LIST_SHARE) }
  return recallMemories(engine, resolved, question, { ...all, ...options })
}

/** Words a reply's request: the talk as far as the preset shows it and the model's window holds it, and what was recalled. */
export function askedReply(replying: Replying): AskedReply {
  const { engine, recall, talk, options } = replying
  const { instructions = null } = options
  const last = talk.given.at(-1)
  const timeZone = options.timeZone ?? last?.timeZone ?? null
  const given = { now: last?.at ?? engine.now(), timeZone, instructions }
  if (engine.preset.ranking.kind === 'whole') {
    const portrait = recall.memories.find(({ memory }) => memory.form === 'portrait')?.memory.text ?? null
    return streaming(replying, portraitReplyPrompt, (turns) => ({ ...given, turns, portrait }))
  }
  if (engine.preset.reply?.kind === 'key-summary') {
    const keySummary = readKeySummary(recall)
    return streaming(replying, keySummaryReplyPrompt, (turns) => ({ ...given, ...keySummary, turns }))
  }
  const { context, answerable } = recall
  const memories = memoriesLeftOut(replying)
  const input = (turns: readonly Turn[]) => ({
    ...given,
    turns,
    context: context.text,
    // Where the whole list is read, nothing was searched for that could be unsure.
    answerable: engine.preset.reply?.kind === 'whole-list' && memories === null ? null : answerable,
    leftOut: memories?.count ?? 0,
  })
  const asked = streaming(replying, replyPrompt, input)
  return memories === null ? asked : { ...asked, leftOut: [memories, ...asked.leftOut] }
}

/** The key summary, and the one memory that is used. */
function readKeySummary({ memories }: Recall): Pick<KeySummaryReplyInput, 'summary' | 'memory'> {
  const summary = memories.find(({ memory }) => memory.form === 'portrait')?.memory.text ?? null
  const used = memories.find(({ memory }) => memory.form !== 'portrait')
  return { summary, memory: used === undefined ? '' : contextLine(used) }
}

/** Memories that a reply from the whole list has no room for. Messages that wait are none: they are shown as turns. */
function memoriesLeftOut({ engine, recall }: Replying): LeftOut | null {
  if (engine.preset.reply?.kind !== 'whole-list') return null
  const list = recall.memories.filter(({ pending }) => !pending)
  const shown = new Set(recall.context.shown)
  const of = list.length
  const count = list.filter(({ memory }) => !shown.has(memory.id)).length
  return count === 0 ? null : { what: 'memories', count, of, cause: 'window' }
}

function streaming<Input>(
  { engine, ask, recall, talk, options, files }: Replying,
  prompt: TextPrompt<Input>,
  inputOf: (turns: readonly Turn[]) => Input,
): AskedReply {
  const language = promptLanguage([recall.question])
  const seen = ask.takesFiles === true ? { files } : {}
  const how = { language, abortSignal: options.abortSignal, ...seen }
  const whole = engine.preset.reply?.kind === 'whole-session'
  const fixed = prompt.render(inputOf(talk.given), language)
  const before = whole ? fittingTurns({ engine, ask }, talk.before, fixed) : talk.before
  const count = talk.before.length - before.length
  const input = inputOf([...before, ...talk.given])
  return {
    prompt: promptVersion(prompt),
    leftOut: count === 0 ? [] : [{ what: 'turns', count, of: talk.before.length, cause: 'window' }],
    stream: (toolUse) => ask.stream(prompt, input, { ...how, toolUse }),
  }
}

/** The latest turns, without a gap, that a request has room for beside the rest of it. */
function fittingTurns({ engine, ask }: Asking, turns: readonly Turn[], fixed: RenderedPrompt): Turn[] {
  const { countTokens } = engine
  let room = roomBeside(ask, fixed, countTokens)
  const first = turns.findLastIndex((turn) => {
    room -= countTokens(turn.text) + TOKENS_A_LINE
    return room < 0
  })
  return turns.slice(first + 1)
}

/**
 * The pieces of an answer, kept until they are read: a model that breaks off takes nothing back of what it said, and one
 * that is faster than its reader waits for no reader.
 */
export class ReplyPieces {
  readonly #pieces: string[] = []
  #end: { readonly error: unknown } | 'whole' | null = null
  #wake: () => void = () => undefined

  add(piece: string): void {
    this.#pieces.push(piece)
    this.#wake()
  }

  /** There is no more. */
  end(): void {
    this.#end = 'whole'
    this.#wake()
  }

  /** There is no more, for this reason: the reader receives it after the rest. */
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
      if (this.#end === 'whole') return
      if (this.#end !== null) throw this.#end.error
      await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }
}
