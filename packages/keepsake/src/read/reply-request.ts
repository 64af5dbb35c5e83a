// Prepares the model's request for a reply: the conversation, what is recalled for it, and the preset's prompt.
import type { AskModel, LeftOut } from '../models/ask-model.ts'
import type { LanguageChunk, LanguageFile, LanguageToolUse } from '../models/language-model.ts'
import { requestTokens, roomBeside } from '../models/model-window.ts'
import { keySummaryReplyPrompt, type KeySummaryReplyInput } from '../prompts/key-summary-reply.ts'
import { portraitReplyPrompt } from '../prompts/portrait-reply.ts'
import { promptVersion, type RenderedPrompt, type TextPrompt } from '../prompts/prompt.ts'
import { promptLanguage } from '../prompts/render-data.ts'
import { replyPrompt } from '../prompts/reply.ts'
import { isNewSession } from '../remember/sessions.ts'
import type { Recall, RecallOptions } from '../retrieval/recall-types.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import type { SessionRow } from '../store/store.ts'
import type { ReadTurn } from '../turns/read-turns.ts'
import type { Turn } from '../turns/turn.ts'
import type { Engine } from '../work/engine.ts'
import type { ResolvedScope } from '../work/scope-handle.ts'
import { usableTurns } from '../work/usable-turns.ts'
import { contextLine } from './context-lines.ts'
import { recallMemories } from './recall.ts'

/** Earlier turns of the session that the model is shown, unless the preset shows all of them. */
const MAX_EARLIER_TURNS = 20
/** Estimated tokens of a turn's line besides its text: number, time, speaker and quotation marks. */
const TOKENS_PER_LINE = 24
/** Share of a request that the list of all memories may take. */
const LIST_SHARE = 0.5
/** Maximum of memories that one recall returns. */
const ALL_MEMORIES = 1_000

/** The turns that a reply is shown. */
export interface Conversation {
  /** Turns of the session before the new ones. */
  readonly earlier: readonly Turn[]
  /** The turns to answer. */
  readonly newTurns: readonly Turn[]
}

interface ReplyModel {
  readonly engine: Engine
  readonly ask: AskModel
}

interface ReplySources extends ReplyModel {
  readonly recall: Recall
  readonly conversation: Conversation
  readonly options: Pick<RecallOptions, 'timeZone' | 'abortSignal'> & { readonly instructions?: string }
  /** Pictures and files of the last turn. */
  readonly files?: readonly LanguageFile[] | undefined
}

/** The request of a reply, ready to be sent. */
export interface ReplyRequest {
  /** `prompt/version`. */
  readonly prompt: string
  readonly leftOut: readonly LeftOut[]
  readonly stream: (toolUse?: LanguageToolUse) => AsyncIterable<LanguageChunk>
}

/** Returns the session's turns that the preset shows, and the new turns. */
export async function findConversation(
  engine: Engine,
  row: ScopeRow,
  newTurns: readonly ReadTurn[],
  sessionId: string | undefined,
): Promise<Conversation> {
  const state = await engine.users.load(row.owner)
  const sessions = state.sessions(row.scope)
  const session = sessionId === undefined ? sessions.at(-1) : sessions.find(({ id }) => id === sessionId)
  const continuesSession =
    session !== undefined && (sessionId !== undefined || isSameSession(engine, session, newTurns))
  const stored = continuesSession ? state.turnsOfSession(row.scope, session.id) : []
  const newIds = new Set(newTurns.map((turn) => turn.id))
  // Turns that the user asked to forget are left out, even if they were said a moment ago.
  const storedBefore = stored.filter((turn) => !newIds.has(turn.id))
  const usable = usableTurns(state, storedBefore)
  const { reply } = engine.preset
  const earlier = reply?.kind === 'whole-session' ? usable : usable.slice(-MAX_EARLIER_TURNS)
  const place = { scope: row.scope, session: sessionId ?? session?.id ?? '', position: 0 }
  const conversation = { earlier, newTurns: newTurns.map((turn) => ({ ...turn, ...place })) }
  // LUFY limits the number of turns that a reply is shown.
  return reply?.kind === 'key-summary' ? latestTurns(conversation, reply.turns) : conversation
}

/** Whether new turns without a session of their own continue this one. A long silence ends a session, as when turns are recorded. */
function isSameSession(
  { preset }: Engine,
  { endedAt, lastAt }: SessionRow,
  [first]: readonly ReadTurn[],
): boolean {
  return endedAt === null && !isNewSession(lastAt, first?.at ?? lastAt, preset.sessionGap)
}

function latestTurns({ earlier, newTurns }: Conversation, maxTurns: number): Conversation {
  const room = Math.max(0, maxTurns - newTurns.length)
  return { earlier: room === 0 ? [] : earlier.slice(-room), newTurns: newTurns.slice(-maxTurns) }
}

/** Recalls for a reply. Presets that reply from the whole list (MMM) get all memories that fit their share of the window. */
export async function recallForReply(
  { engine, ask }: ReplyModel,
  resolved: ResolvedScope | null,
  question: string,
  options: RecallOptions & { readonly shownTurns?: readonly string[] },
): Promise<Recall> {
  if (engine.preset.reply?.kind !== 'whole-list') return recallMemories(engine, resolved, question, options)
  const all = { limit: ALL_MEMORIES, tokens: Math.floor(requestTokens(ask) * LIST_SHARE) }
  return recallMemories(engine, resolved, question, { ...all, ...options })
}

/** Prepares a reply with the preset's prompt: from a portrait (COMEDY), from a key summary (LUFY), or from the recalled context. */
export function prepareReply(sources: ReplySources): ReplyRequest {
  const { engine, recall, conversation, options } = sources
  const { instructions = null } = options
  const last = conversation.newTurns.at(-1)
  const timeZone = options.timeZone ?? last?.timeZone ?? null
  const common = { now: last?.at ?? engine.now(), timeZone, instructions }
  if (engine.preset.ranking.kind === 'whole') {
    const portrait = recall.memories.find(({ memory }) => memory.form === 'portrait')?.memory.text ?? null
    return requestWith(sources, portraitReplyPrompt, (turns) => ({ ...common, turns, portrait }))
  }
  if (engine.preset.reply?.kind === 'key-summary') {
    const keySummary = readKeySummary(recall)
    return requestWith(sources, keySummaryReplyPrompt, (turns) => ({ ...common, ...keySummary, turns }))
  }
  const { context, answerable } = recall
  const memories = memoriesLeftOut(sources)
  // With the whole list in the prompt nothing was searched for, so nothing can be unsure.
  const isComplete = engine.preset.reply?.kind === 'whole-list' && memories === null
  const request = requestWith(sources, replyPrompt, (turns) => ({
    ...common,
    turns,
    context: context.text,
    answerable: isComplete ? null : answerable,
    leftOut: memories?.count ?? 0,
  }))
  return memories === null ? request : { ...request, leftOut: [memories, ...request.leftOut] }
}

/** Returns the key summary and the one memory that LUFY's reply uses. */
function readKeySummary({ memories }: Recall): Pick<KeySummaryReplyInput, 'summary' | 'memory'> {
  const summary = memories.find(({ memory }) => memory.form === 'portrait')?.memory.text ?? null
  const used = memories.find(({ memory }) => memory.form !== 'portrait')
  return { summary, memory: used === undefined ? '' : contextLine(used) }
}

/** Counts the memories of a whole list that did not fit. Pending memories do not count: their turns are shown. */
function memoriesLeftOut({ engine, recall }: ReplySources): LeftOut | null {
  if (engine.preset.reply?.kind !== 'whole-list') return null
  const list = recall.memories.filter(({ pending }) => !pending)
  const shown = new Set(recall.context.shown)
  const count = list.filter(({ memory }) => !shown.has(memory.id)).length
  return count === 0 ? null : { what: 'memories', count, of: list.length, cause: 'window' }
}

function requestWith<Input>(
  { engine, ask, recall, conversation, options, files }: ReplySources,
  prompt: TextPrompt<Input>,
  inputOf: (turns: readonly Turn[]) => Input,
): ReplyRequest {
  const language = promptLanguage([recall.question])
  const { earlier, newTurns } = conversation
  const showsWholeSession = engine.preset.reply?.kind === 'whole-session'
  const withoutEarlier = prompt.render(inputOf(newTurns), language)
  const shown = showsWholeSession ? fittingTurns({ engine, ask }, earlier, withoutEarlier) : earlier
  const count = earlier.length - shown.length
  const input = inputOf([...shown, ...newTurns])
  const asking = {
    language,
    abortSignal: options.abortSignal,
    ...(ask.takesFiles === true ? { files } : {}),
  }
  return {
    prompt: promptVersion(prompt),
    leftOut: count === 0 ? [] : [{ what: 'turns', count, of: earlier.length, cause: 'window' }],
    stream: (toolUse) => ask.stream(prompt, input, { ...asking, toolUse }),
  }
}

/** Returns the latest turns that fit into the model's window together with the rest of the request, without a gap. */
function fittingTurns({ engine, ask }: ReplyModel, turns: readonly Turn[], rest: RenderedPrompt): Turn[] {
  const { countTokens } = engine
  let room = roomBeside(ask, rest, countTokens)
  const lastUnfit = turns.findLastIndex((turn) => {
    room -= countTokens(turn.text) + TOKENS_PER_LINE
    return room < 0
  })
  return turns.slice(lastUnfit + 1)
}
