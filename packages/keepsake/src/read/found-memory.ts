import { BLANK, type Memory } from '../memories/memory.ts'
import type { Score } from '../retrieval/recall-types.ts'
import { type Turn, subjectOfRole } from '../turns/turn.ts'
import type { UserState } from '../user-state/user-state.ts'
import type { Engine } from '../work/engine.ts'
import { originOf } from '../work/scope-view.ts'

/** A memory that the search found, by its turns or by itself. */
export interface FoundMemory extends Score {
  readonly memory: Memory
  /** Scores of all found turns, also of other memories. Empty if the memory was found by its own words. */
  readonly turns: ReadonlyMap<string, number>
  readonly pending: boolean
  /** Time since when the statement of an utterance no longer holds, as other found memories show. */
  readonly changed?: number
  /** Probability that it bears on the question, if a reranking model gives one. */
  readonly relevance?: number
}

export interface MemoryRanking {
  /** Best first. There may be more than the limit of the recall: those after it only raise usage counters. */
  readonly memories: readonly FoundMemory[]
  readonly sessions: readonly { readonly session: string; readonly score: number }[]
  readonly confidence: number
  /** Whether anything near the question was found, said by anyone. */
  readonly isNear: boolean
  /** Set if only words ranked, because the embedding model failed or its vectors do not match the stored ones. */
  readonly wordsOnly?: true
}

/** A ranking, and how the context presents it. */
export interface FoundAnswer extends MemoryRanking {
  /** `answer`: likely answers, the best first. `gathered`: all turns and facts about a person, a conversation or a time. */
  readonly as: 'answer' | 'gathered'
  /** Whether one line cannot answer the question: it asks for a change, for a whole subject, or for a time of which turns were found. */
  readonly isWide: boolean
  /** Whom the question is about: the user, the agent's words or actions, or neither. */
  readonly asks: 'user' | 'assistant' | null
}

/** Finds the memory of an indexed document. For a turn this is the utterance that keeps it, or a pending memory. */
export function searchableMemory(
  engine: Engine,
  state: UserState,
  document: string,
): Pick<FoundMemory, 'memory' | 'pending'> | null {
  const memory = state.utteranceOf(document) ?? state.memories.get(document)
  if (memory !== undefined) return { memory, pending: false }
  const turn = state.turns.get(document)
  if (turn === undefined || !state.isPending(turn)) return null
  return { memory: pendingMemory(engine, turn), pending: true }
}

/** Makes a memory of a turn that waits for consolidation. The memory is in no log, and its id is temporary. */
export function pendingMemory(
  engine: Engine,
  { id, scope, session, role }: Pick<Turn, 'id' | 'scope' | 'session' | 'role'>,
): Memory {
  return {
    ...BLANK,
    id: `pending:${id}`,
    scope,
    form: 'utterance',
    subject: subjectOfRole(role),
    label: role === 'user' ? 'user-stated' : role === 'assistant' ? 'agent-stated' : 'other',
    evidence: [{ turn: id, quote: null }],
    session,
    origin: originOf(engine, 'pending'),
  }
}
