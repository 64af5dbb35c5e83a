import type { AskModel } from '../models/ask-model.ts'
import { requestTokens, roomBeside } from '../models/model-window.ts'
import type { LanguageChunk, LanguageToolUse } from '../models/language-model.ts'
import type { LeftOut } from '../models/left-out.ts'
import { contextLine } from '../read/context-lines.ts'
import { keySummaryReplyPrompt, type KeySummaryReplyInput } from '../prompts/key-summary-reply.ts'
import { portraitReplyPrompt } from '../prompts/portrait-reply.ts'
import { promptVersion, type RenderedPrompt, type TextPrompt } from '../prompts/prompt.ts'
import { promptLanguage } from '../prompts/render-data.ts'
import { replyPrompt } from '../prompts/reply.ts'
import { recallMemories } from '../recall/recall-memories.ts'
import type { Recall, RecallOptions } from '../retrieval/recall-types.ts'
import type { Turn } from '../turns/turn.ts'
import type { Engine } from '../work/engine.ts'
import type { ResolvedScope } from '../work/resolve-scope.ts'

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
    const told = readKeySummary(recall)
    return streaming(replying, keySummaryReplyPrompt, (turns) => ({ ...given, ...told, turns }))
  }
  const { context, known } = recall
  const memories = memoriesLeftOut(replying)
  const input = (turns: readonly Turn[]) => ({
    ...given,
    turns,
    context: context.text,
    // Where the whole list is read, nothing was searched for that could be unsure.
    known: known || (engine.preset.reply?.kind === 'whole-list' && memories === null),
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

/** Memories that a reply from the whole list has no room for. */
function memoriesLeftOut({ engine, recall }: Replying): LeftOut | null {
  if (engine.preset.reply?.kind !== 'whole-list') return null
  const of = recall.memories.length
  const count = of - recall.context.memories
  return count === 0 ? null : { what: 'memories', count, of, cause: 'window' }
}

function streaming<Input>(
  { engine, ask, recall, talk, options }: Replying,
  prompt: TextPrompt<Input>,
  inputOf: (turns: readonly Turn[]) => Input,
): AskedReply {
  const language = promptLanguage([recall.question])
  const whole = engine.preset.reply?.kind === 'whole-session'
  const fixed = prompt.render(inputOf(talk.given), language)
  const before = whole ? fittingTurns({ engine, ask }, talk.before, fixed) : talk.before
  const count = talk.before.length - before.length
  const input = inputOf([...before, ...talk.given])
  return {
    prompt: promptVersion(prompt),
    leftOut: count === 0 ? [] : [{ what: 'turns', count, of: talk.before.length, cause: 'window' }],
    stream: (toolUse) => ask.stream(prompt, input, { language, abortSignal: options.abortSignal, toolUse }),
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
