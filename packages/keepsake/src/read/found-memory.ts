import { BLANK, type Memory } from '../memories/memory.ts'
import type { Score } from '../retrieval/score.ts'
import type { Turn } from '../turns/turn.ts'
import { subjectOfRole } from '../turns/who-speaks.ts'
import type { UserState } from '../user-state/user-state.ts'
import type { Engine } from '../work/engine.ts'
import { originOf } from '../work/scope-view.ts'

/** A memory found, with the turns that were found for it. */
export interface FoundMemory extends Score {
  readonly memory: Memory
  /** Scores of its turns that were found by themselves. */
  readonly turns: ReadonlyMap<string, number>
  readonly pending: boolean
  /** Of words that told what is no longer so: since when something else is, by what was found. */
  readonly changed?: number
  /** The probability that it bears on the question, where a reranking model gives one. */
  readonly relevance?: number
}

export interface MemoryRanking {
  /** Best first; more than were asked for, so that those that are only counted are among them. */
  readonly memories: readonly FoundMemory[]
  readonly sessions: readonly { readonly session: string; readonly score: number }[]
  readonly confidence: number
}

/** What was found, and how it is to be told. */
export interface FoundAnswer extends MemoryRanking {
  /** `answer`: a question's, the likeliest first. `told`: of a person, a talk or a time, the most telling first. */
  readonly as: 'answer' | 'told'
  /** Whether one line could not answer it: it asks for two states of a thing, or of a time in which something was said. */
  readonly isWide: boolean
}

/** The memory that a document of the index stands for: a turn's is the utterance that keeps it, or one it may become. */
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

/** A turn that waits for consolidation, in the shape of the memory it may become. It is in no log, and its id does not last. */
export function pendingMemory(
  engine: Engine,
  turn: Pick<Turn, 'id' | 'scope' | 'session' | 'role'> | undefined,
): Memory {
  return {
    ...BLANK,
    id: `pending:${turn?.id ?? ''}`,
    scope: turn?.scope ?? 0,
    form: 'utterance',
    subject: subjectOfRole(turn?.role ?? 'other'),
    label: turn?.role === 'user' ? 'user-stated' : turn?.role === 'assistant' ? 'agent-stated' : 'other',
    evidence: turn === undefined ? [] : [{ turn: turn.id, quote: null }],
    session: turn?.session ?? '',
    origin: originOf(engine, 'pending'),
  }
}
