import { giveWay } from '../give-way.ts'
import { asKept, keptText } from '../memories/kept-words.ts'
import type { Memory } from '../memories/memory.ts'
import type { Turn } from '../turns/turn.ts'
import type { Engine } from './engine.ts'

/** More are read in pieces, each of which holds the thread for a few milliseconds. */
const TURNS_AT_A_TIME = 500

/** Who reads more at a time reads them for themself: they are not kept at hand. */
const MOST_SHARED = 128

/** Reads a person's turns, each at most once: what nobody erased stays as it was said, so that it need not be read again. */
export class TurnReader {
  readonly #engine: Engine
  readonly #owner: number
  readonly #turns = new Map<string, Turn>()

  constructor(engine: Engine, owner: number) {
    this.#engine = engine
    this.#owner = owner
  }

  /** @returns those asked for, and any that were read before; one that was erased is missing. */
  async read(ids: Iterable<string>): Promise<ReadonlyMap<string, Turn>> {
    const wanted = new Set<string>()
    for (const id of ids) if (!this.#turns.has(id)) wanted.add(id)
    const said = wanted.size > MOST_SHARED ? undefined : this.#engine.caches.said(this.#owner)
    const missing: string[] = []
    for (const id of wanted) {
      const turn = said?.get(id)
      if (turn === undefined) missing.push(id)
      else this.#turns.set(id, turn)
    }
    for (let start = 0; start < missing.length; start += TURNS_AT_A_TIME) {
      // A recall reads few, and has others wait no longer than it takes.
      if (start > 0) await giveWay()
      const some = missing.slice(start, start + TURNS_AT_A_TIME)
      for (const turn of await this.#engine.store.turns({ owner: this.#owner, ids: some })) {
        this.#turns.set(turn.id, turn)
        said?.put(turn)
      }
    }
    return this.#turns
  }

  /** Memories with their words: those of utterances and raw units are not stored twice but read from their turns. */
  async withTexts(memories: readonly Memory[]): Promise<Memory[]> {
    const turns = await this.read(memories.filter(isTold).flatMap(turnsOf))
    return memories.map((memory) =>
      isTold(memory) ? { ...memory, text: utteranceText(memory, turns) } : memory,
    )
  }
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
  return said.map((turn) => `${turn.speaker ?? turn.role}: ${turn.text}`).join('\n')
}

/** Whether a memory's words are its turns': utterances, and the story's raw units. */
function isTold(memory: Memory): boolean {
  return (
    memory.status !== 'erased' &&
    (memory.form === 'utterance' || (memory.form === 'story' && memory.level === 1 && memory.text === ''))
  )
}
