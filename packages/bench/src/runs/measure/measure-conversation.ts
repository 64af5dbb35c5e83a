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

/**
 * Measures one conversation from an empty memory, session by session in order, as HaluMem does (section 5): each session is ingested, then
 * its memories are measured, then its questions are asked; the rest after the last.
 *
 * @returns every entry of its log, `done` last
 * @throws when a judge or a reader's model cannot be reached: that is not the system's failure, so nothing is scored.
 */
export async function measureConversation(
  conversation: BenchConversation,
  given: SystemMemory,
  measuredWith: RunTools,
): Promise<LogEntry[]> {
  const start = performance.now()
  const entries: LogEntry[] = []
  const oddities: FormatErrors = new Map()
  const memory = normalizeMemory(given, oddities)
  const measuring: Measuring = {
    ...measuredWith,
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
  const standing = await attempt(() => memory.memories())
  if (standing.failure !== null) {
    const where = 'list of memories'
    measuring.write({ entry: 'failure', ...entryOf(measuring), where, message: standing.failure })
  }
  for (const [what, count] of oddities)
    measuring.write({ entry: 'oddity', ...entryOf(measuring), what, count })
  measuring.write({
    entry: 'done',
    ...entryOf(measuring),
    usage: memory.usage(),
    ingestMs,
    memories: standing.value?.length ?? null,
    milliseconds: performance.now() - start,
  })
  return entries
}

async function measureSessions(measuring: Measuring): Promise<number> {
  const gold: GoldState = { texts: [] }
  let ingestMs = 0
  for (const session of measuring.conversation.sessions) {
    const ingested = await ingestSession(measuring, session, gold)
    ingestMs += ingested.milliseconds
    await measureSession(measuring, session)
    for (const question of measuring.conversation.questions.filter(({ after }) => after === session.id))
      await measureQuestion(measuring, question)
  }
  return ingestMs
}
