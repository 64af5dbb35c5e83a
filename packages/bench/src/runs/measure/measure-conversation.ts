import type { BenchConversation } from '../../datasets/conversation.ts'
import type { SystemMemory } from '../../systems/memory-system.ts'
import type { LogEntry } from '../../log/log-entry.ts'
import { normalizeMemory, type FormatErrors } from './even-memory.ts'
import { ingestSession } from './ingest.ts'
import { measureLabels } from './labels.ts'
import { attempt, entryOf, type RunTools, type Measuring } from './measuring.ts'
import type { GoldState } from './operations.ts'
import { measureQuestion } from './questions.ts'
import { measureSession } from './session.ts'

/** Measures a conversation session by session (HaluMem, section 5): ingest, measure memories, ask. Throws when judge or reader fail. */
export async function measureConversation(
  conversation: BenchConversation,
  systemMemory: SystemMemory,
  tools: RunTools,
): Promise<LogEntry[]> {
  const start = performance.now()
  const entries: LogEntry[] = []
  const formatErrors: FormatErrors = new Map()
  const memory = normalizeMemory(systemMemory, formatErrors)
  const measuring: Measuring = {
    ...tools,
    conversation,
    memory,
    left: new Map(),
    updates: new Map(),
    write: (entry) => entries.push(entry),
  }
  const ingestMs = await measureSessions(measuring)
  for (const question of conversation.questions.filter(({ after }) => after === undefined))
    await measureQuestion(measuring, question)
  if (measuring.tasks.has('labels')) await measureLabels(measuring)
  const finalMemories = await attempt(() => memory.memories())
  if (finalMemories.failure !== null) {
    const where = 'list of memories'
    measuring.write({ entry: 'failure', ...entryOf(measuring), where, message: finalMemories.failure })
  }
  for (const [what, count] of formatErrors)
    measuring.write({ entry: 'oddity', ...entryOf(measuring), what, count })
  measuring.write({
    entry: 'done',
    ...entryOf(measuring),
    usage: memory.usage(),
    ingestMs,
    memories: finalMemories.value?.length ?? null,
    milliseconds: performance.now() - start,
  })
  return entries
}

/** Measures all sessions. @returns the milliseconds of ingestion */
async function measureSessions(measuring: Measuring): Promise<number> {
  const gold: GoldState = { texts: [] }
  let ingestMs = 0
  for (const session of measuring.conversation.sessions) {
    ingestMs += await ingestSession(measuring, session, gold)
    await measureSession(measuring, session)
    for (const question of measuring.conversation.questions.filter(({ after }) => after === session.id))
      await measureQuestion(measuring, question)
  }
  return ingestMs
}
