import type {
  BenchConversation,
  DatasetSession,
  DatasetTurn,
  GoldMemory,
} from '../../datasets/conversation.ts'
import type { SystemMemory, Dialogue } from '../../systems/memory-system.ts'
import type { LogEntry } from '../../log/log-entry.ts'
import { normalizeMemory, type FormatErrors } from './even-memory.ts'
import { attempt, entryOf, type RunTools, type ConversationRun, askTool } from './conversation-run.ts'
import { type GoldState, measureOperation, applyGoldOperation } from './operations.ts'
import { measureQuestion } from './questions.ts'
import { measureSession } from './session.ts'
import { bertScoreWithLabel, matchLabels, overlapWithLabel } from '../../metrics/memory-labels.ts'

/** Measures a conversation session by session (HaluMem, section 5): stores the session, measures memories, asks questions. @throws if judge or reader fail */
export async function measureConversation(
  conversation: BenchConversation,
  systemMemory: SystemMemory,
  tools: RunTools,
): Promise<LogEntry[]> {
  const start = performance.now()
  const entries: LogEntry[] = []
  const formatErrors: FormatErrors = new Map()
  const memory = normalizeMemory(systemMemory, formatErrors)
  const run: ConversationRun = {
    ...tools,
    conversation,
    memory,
    left: new Map(),
    updates: new Map(),
    write: (entry) => entries.push(entry),
  }
  const ingestMs = await measureSessions(run)
  for (const question of conversation.questions.filter(({ after }) => after === undefined))
    await measureQuestion(run, question)
  if (run.tasks.has('labels')) await measureLabels(run)
  const finalMemories = await attempt(() => memory.memories())
  if (finalMemories.failure !== null) {
    const where = 'list of memories'
    run.write({ entry: 'failure', ...entryOf(run), where, message: finalMemories.failure })
  }
  for (const [what, count] of formatErrors) run.write({ entry: 'oddity', ...entryOf(run), what, count })
  run.write({
    entry: 'done',
    ...entryOf(run),
    usage: memory.usage(),
    ingestMs,
    memories: finalMemories.value?.length ?? null,
    milliseconds: performance.now() - start,
  })
  return entries
}

/** Measures all sessions. @returns the milliseconds of ingestion */
async function measureSessions(run: ConversationRun): Promise<number> {
  const gold: GoldState = { texts: [] }
  let ingestMs = 0
  for (const session of run.conversation.sessions) {
    ingestMs += await ingestSession(run, session, gold)
    await measureSession(run, session)
    for (const question of run.conversation.questions.filter(({ after }) => after === session.id))
      await measureQuestion(run, question)
  }
  return ingestMs
}

/** Passes a session to the system, as a whole, or by rounds if data or protocol need it. Logs failures. @returns the milliseconds */
async function ingestSession(
  run: ConversationRun,
  session: DatasetSession,
  gold: GoldState,
): Promise<number> {
  const measuresOperations = session.operations !== undefined && run.tasks.has('operations')
  // LUFY recalls by what the user says before it is remembered.
  const recallsFirst = run.protocol === 'lufy'
  const dialogues = measuresOperations || recallsFirst ? splitIntoRounds(session) : [wholeSession(session)]
  let milliseconds = 0
  let failure: string | null = null
  for (const dialogue of dialogues) {
    const before = measuresOperations ? await run.memory.memories() : null
    if (recallsFirst) failure ??= (await attempt(() => recallAndReinforce(run, dialogue))).failure
    const added = await attempt(() => run.memory.addDialogue(dialogue))
    milliseconds += added.milliseconds
    failure ??= added.failure
    if (!measuresOperations) continue
    for (const operation of operationsIn(session, dialogue)) {
      await measureOperation(run, {
        operation,
        before,
        added: added.value,
        gold,
        failure: added.failure,
      })
      applyGoldOperation(gold, operation)
    }
  }
  run.write({
    entry: 'ingestion',
    ...entryOf(run),
    session: session.id,
    turns: session.turns.length,
    milliseconds,
    failure,
  })
  return milliseconds
}

/** Recalls by each user turn, as an application does before it replies. The recalled memories are reinforced. */
async function recallAndReinforce(
  { memory, memoriesWanted: limit, contextTokens: tokens }: ConversationRun,
  { turns }: Dialogue,
): Promise<void> {
  for (const { role, text, at } of turns)
    if (role === 'user') await memory.retrieve(text, { limit, asUsual: true, reinforce: true, at, tokens })
}

function wholeSession(session: DatasetSession): Dialogue {
  return { session: session.id, turns: session.turns, endsSession: true }
}

/** Splits a session before each user turn except the first. So the agent's turns that open a session belong to its first round. */
function splitIntoRounds(session: DatasetSession): Dialogue[] {
  const rounds: DatasetTurn[][] = []
  for (const turn of session.turns) {
    const round = rounds.at(-1)
    const hasUserTurn = round?.some(({ role }) => role === 'user') === true
    if (round === undefined || (turn.role === 'user' && hasUserTurn)) rounds.push([turn])
    else round.push(turn)
  }
  return rounds.map((turns, index) => ({
    session: session.id,
    turns,
    endsSession: index === rounds.length - 1,
  }))
}

function operationsIn(session: DatasetSession, dialogue: Dialogue) {
  const ids = new Set(dialogue.turns.map((turn) => turn.id))
  return (session.operations ?? []).filter((operation) => ids.has(operation.turn))
}

/** The memory that the judge finds most similar to a label. */
interface BestMemory {
  readonly score: number
  readonly reason: string
  readonly memory: string
}

/** Compares the system's final memories with labels, which are memories that people annotated (MOOM, section 5.2). */
async function measureLabels(run: ConversationRun): Promise<void> {
  const goldMemories = run.conversation.sessions.flatMap((session) =>
    (session.gold ?? []).filter((gold) => gold.source === 'annotated'),
  )
  if (goldMemories.length === 0) return
  const { value, failure } = await attempt(() => run.memory.memories())
  if (failure === null && value === null) return
  const memories = [...new Set((value ?? []).map((item) => item.text))]
  await writeLabels(run, goldMemories, memories, failure)
}

async function writeLabels(
  run: ConversationRun,
  goldMemories: readonly GoldMemory[],
  memories: readonly string[],
  failure: string | null,
): Promise<void> {
  const all = [...memories, ...goldMemories.map(({ text }) => text)]
  const textMatcher = await run.matcher.prepare(all)
  const tokenMatcher = (await run.tokens?.prepare(all)) ?? null
  const matches = matchLabels(
    goldMemories.map(({ text }) => text),
    memories,
    (memory, gold) => (tokenMatcher ?? textMatcher).match(memory, gold).f1,
  )
  for (const [index, label] of goldMemories.entries()) {
    const { overlap, nearest } = overlapWithLabel(label.text, memories, textMatcher)
    const matched = (matches[index] ?? []).flatMap((memoryIndex) => memories[memoryIndex] ?? [])
    const best = await bestScore(run, label.text, matched)
    const nearestText = nearest === null ? undefined : memories[nearest]
    const bertscore =
      tokenMatcher === null ? {} : { bertscore: bertScoreWithLabel(label.text, memories, tokenMatcher) }
    run.write({
      entry: 'label',
      ...entryOf(run),
      label: label.id,
      ...(label.kind === undefined ? {} : { kind: label.kind }),
      text: label.text,
      memory: best?.memory ?? nearestText ?? null,
      overlap: { ...overlap, ...bertscore },
      memScore: best?.score ?? 0,
      reason: failure ?? best?.reason ?? 'every memory is more similar to another label',
    })
  }
}

/** Judges the memories that are similar to a label, and returns the one with the highest score. */
async function bestScore(
  run: ConversationRun,
  label: string,
  memories: readonly string[],
): Promise<BestMemory | null> {
  let best: BestMemory | null = null
  for (const memory of memories) {
    const judged = await askTool(run, 'verdict on a label', () => run.judge.likeness({ label, memory }))
    if (judged !== null && (best === null || judged.verdict > best.score))
      best = { score: judged.verdict, reason: judged.reason, memory }
  }
  return best
}
