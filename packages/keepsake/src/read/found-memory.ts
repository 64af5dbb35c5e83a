import { BLANK, type Memory } from '../memories/memory.ts'
import type { Score } from '../retrieval/recall-types.ts'
import { type Turn, subjectOfRole } from '../turns/turn.ts'
import type { UserState } from '../user-state/user-state.ts'
import type { Engine } from '../work/engine.ts'
import { originOf } from '../work/scope-view.ts'

/** A found memory with its turns that the search found. */
export interface FoundMemory extends Score {
  readonly memory: Memory
  /** Scores of the turns that were found, its own and those of others; none where it was found by its own words. */
  readonly turns: ReadonlyMap<string, number>
  readonly pending: boolean
  /** Time since when what the words state no longer holds, by the memories found. */
  readonly changed?: number
  /** The probability that it bears on the question, where a reranking model gives one. */
  readonly relevance?: number
}

export interface MemoryRanking {
  /** Best first; more than were asked for, so that those that are only counted are among them. */
  readonly memories: readonly FoundMemory[]
  readonly sessions: readonly { readonly session: string; readonly score: number }[]
  readonly confidence: number
  /** Whether anything near the question was found, said by anyone. */
  readonly isNear: boolean
  /** The embedding model could not be asked, or its vectors fit no stored one, so words alone ranked. */
  readonly wordsOnly?: true
}

/** What was found, and how the context presents it. */
export interface FoundAnswer extends MemoryRanking {
  /** `answer`: likely answers, the best first. `gathered`: what was said of a person, a conversation or a time. */
  readonly as: 'answer' | 'gathered'
  /** Whether one line could not answer it: it asks for two states of a thing, or of a time in which something was said. */
  readonly isWide: boolean
  /** Whom the question is about: the user, the agent's words or actions, or neither. */
  readonly asks: 'user' | 'assistant' | null
}

/** Finds the memory of an indexed document: of a turn the utterance that keeps it, or a pending memory. */
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

/** Makes a memory of a turn that waits for consolidation. It is in no log, and its id is temporary. */
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
