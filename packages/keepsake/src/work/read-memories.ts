// Reads the words of memories. An utterance has no text of its own: its words are read from its turns.
import { wordsOfUtterance } from '../memories/delete-memory.ts'
import type { Memory } from '../memories/memory.ts'
import { type Turn, subjectOfRole } from '../turns/turn.ts'
import type { UserState } from '../user-state/user-state.ts'
import type { Engine } from './engine.ts'

/** Returns the turns of these ids, without erased ones. */
export async function readTurns(
  { users }: Pick<Engine, 'users'>,
  user: number,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, Turn>> {
  const { turns } = await users.load(user)
  return new Map([...ids].flatMap((id) => turns.get(id) ?? []).map((turn) => [turn.id, turn]))
}

/** Returns memories with their words and usage. */
export async function withTextsAndUsage(
  { users }: Pick<Engine, 'users'>,
  user: number,
  memories: readonly Memory[],
): Promise<Memory[]> {
  const state = await users.load(user)
  return withTexts(state, memories).map((memory) => state.counted(memory))
}

export function blocksOf(state: UserState, scopes: readonly number[]): Memory[] {
  return scopes.flatMap((scope) => state.memoriesOf(scope, 'block')).filter(({ status }) => status === 'live')
}

/** Returns memories with their words. */
export function withTexts({ turns }: Pick<UserState, 'turns'>, memories: readonly Memory[]): Memory[] {
  return memories.map((memory) =>
    hasWordsInTurns(memory) ? { ...memory, text: utteranceText(memory, turns) } : memory,
  )
}

export function textOf({ turns }: Pick<UserState, 'turns'>, memory: Memory): string {
  return hasWordsInTurns(memory) ? utteranceText(memory, turns) : memory.text
}

/** Returns the ids of the turns that a memory rests on. */
export function turnsOf({ evidence }: Pick<Memory, 'evidence'>): string[] {
  return evidence.map(({ turn }) => turn)
}

/** Returns the words of an utterance: its turns in order, each after the name of its speaker. */
export function utteranceText(memory: Memory, turns: ReadonlyMap<string, Turn>): string {
  const [first] = memory.evidence
  if (first !== undefined && memory.evidence.length === 1) {
    const only = turns.get(first.turn)
    return only === undefined ? '' : wordsOfUtterance(only, memory)
  }
  const said = [...new Set(turnsOf(memory))].flatMap((id) => turns.get(id) ?? [])
  const [only] = said
  if (only !== undefined && said.length === 1) return wordsOfUtterance(only, memory)
  const lines = said.map(
    (turn) => `${turn.speaker ?? subjectOfRole(turn.role)}: ${wordsOfUtterance(turn, memory)}`,
  )
  return lines.join('\n')
}

/** Checks whether a memory's words are those of its turns: of utterances and of raw story units. */
function hasWordsInTurns(memory: Memory): boolean {
  return (
    memory.status !== 'erased' &&
    (memory.form === 'utterance' || (memory.form === 'story' && memory.level === 1 && memory.text === ''))
  )
}
