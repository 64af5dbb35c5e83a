import { asKept, keptText } from '../memories/kept-words.ts'
import type { Memory } from '../memories/memory.ts'
import { type Turn, subjectOfRole } from '../turns/turn.ts'
import type { UserState } from '../user-state/user-state.ts'
import type { Engine } from './engine.ts'

/** The turns of these ids; one that was erased is missing. */
export async function readTurns(
  { users }: Pick<Engine, 'users'>,
  user: number,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, Turn>> {
  const { turns } = await users.load(user)
  return new Map([...ids].flatMap((id) => turns.get(id) ?? []).map((turn) => [turn.id, turn]))
}

/** Memories with their words and usage. */
export async function wholeMemories(
  { users }: Pick<Engine, 'users'>,
  user: number,
  memories: readonly Memory[],
): Promise<Memory[]> {
  const state = await users.load(user)
  return withTexts(state, memories).map((memory) => state.counted(memory))
}

/** The live blocks of scopes, in order of making. */
export function blocksOf(state: UserState, scopes: readonly number[]): Memory[] {
  return scopes.flatMap((scope) => state.memoriesOf(scope, 'block')).filter(({ status }) => status === 'live')
}

/** Memories with their words: those of utterances and raw units are not stored twice but read from their turns. */
export function withTexts({ turns }: Pick<UserState, 'turns'>, memories: readonly Memory[]): Memory[] {
  return memories.map((memory) =>
    isTalk(memory) ? { ...memory, text: utteranceText(memory, turns) } : memory,
  )
}

/** The words of a memory, from its turns where they are not stored twice. */
export function textOf({ turns }: Pick<UserState, 'turns'>, memory: Memory): string {
  return isTalk(memory) ? utteranceText(memory, turns) : memory.text
}

/** Ids of the turns that a memory rests on. */
export function turnsOf({ evidence }: Pick<Memory, 'evidence'>): string[] {
  return evidence.map(({ turn }) => turn)
}

/** The words of an utterance: its turns', in the order they were said, each after its speaker. */
export function utteranceText(memory: Memory, turns: ReadonlyMap<string, Turn>): string {
  const [first] = memory.evidence
  if (first !== undefined && memory.evidence.length === 1) {
    const only = turns.get(first.turn)
    return only === undefined ? '' : keptText(only, memory)
  }
  const ids = new Set(turnsOf(memory))
  const said = [...ids].flatMap((id) => turns.get(id) ?? []).map((turn) => asKept(turn, memory))
  if (said.length === 1) return said[0]?.text ?? ''
  return said.map((turn) => `${turn.speaker ?? subjectOfRole(turn.role)}: ${turn.text}`).join('\n')
}

/** Whether a memory's words are its turns': utterances, and the story's raw units. */
function isTalk(memory: Memory): boolean {
  return (
    memory.status !== 'erased' &&
    (memory.form === 'utterance' || (memory.form === 'story' && memory.level === 1 && memory.text === ''))
  )
}
