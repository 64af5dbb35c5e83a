import type { Memory } from '../memories/memory.ts'
import type { Turn } from '../turns/turn.ts'
import type { Engine } from './engine.ts'

/** Turns by id. */
export async function readTurns(
  engine: Engine,
  owner: number,
  ids: Iterable<string>,
): Promise<Map<string, Turn>> {
  const wanted = [...new Set(ids)]
  if (wanted.length === 0) return new Map()
  return new Map((await engine.store.turns({ owner, ids: wanted })).map((turn) => [turn.id, turn]))
}

/** The words of an utterance: its turns', in the order they were said, each after its speaker. */
export function utteranceText(memory: Memory, turns: ReadonlyMap<string, Turn>): string {
  const said = memory.evidence.flatMap(({ turn }) => turns.get(turn) ?? [])
  if (said.length === 1) return said[0]?.text ?? ''
  return said.map((turn) => `${turn.speaker ?? turn.role}: ${turn.text}`).join('\n')
}

/** Whether a memory's words are its turns': utterances, and the story's raw units. */
function isTold(memory: Memory): boolean {
  return (
    memory.status !== 'erased' &&
    (memory.form === 'utterance' || (memory.form === 'story' && memory.level === 1 && memory.text === ''))
  )
}

/** Memories with their words: those of utterances and raw units are not stored twice but read from their turns. */
export async function withTexts(
  engine: Engine,
  owner: number,
  memories: readonly Memory[],
): Promise<Memory[]> {
  const ids = memories.filter(isTold).flatMap((memory) => memory.evidence.map((evidence) => evidence.turn))
  const turns = await readTurns(engine, owner, ids)
  return memories.map((memory) =>
    isTold(memory) ? { ...memory, text: utteranceText(memory, turns) } : memory,
  )
}
