import type { TurnInput } from 'keepsake'
import type { BenchConversation, DatasetTurn } from '../datasets/conversation.ts'
import { seededRandom } from '../metrics/seeded-random.ts'

export interface LargeTalk {
  readonly sessions: readonly { readonly session: string; readonly turns: readonly TurnInput[] }[]
  /** When the last of it was said. */
  readonly end: number
}

const SESSION_TURNS = 40
const DAY_MS = 86_400_000

/**
 * The talk of several conversations as one person's, with as much talk before it as makes so many turns. What comes before is put together
 * from halves of its own turns: it has their words, as often as they, and says nothing that answers a question whole.
 */
export function talkOfSize(
  conversations: readonly BenchConversation[],
  turns: number,
  seed: number,
): LargeTalk {
  const own = conversations.flatMap(({ name, sessions }) =>
    sessions.map((session) => ({
      session: `${name} ${session.id}`,
      turns: session.turns.map((turn) => turnOf(turn, `${name} ${turn.id}`)),
      at: session.turns[0]?.at ?? 0,
    })),
  )
  own.sort((one, other) => one.at - other.at)
  const said = conversations.flatMap(({ sessions }) => sessions.flatMap((session) => session.turns))
  const missing = Math.max(0, turns - said.length)
  const begun = Math.min(...said.map(({ at }) => at)) - Math.ceil(missing / SESSION_TURNS) * DAY_MS
  const nextTurn = mixer(said, seed)
  const before = Array.from({ length: Math.ceil(missing / SESSION_TURNS) }, (_, day) => ({
    session: `before ${day}`,
    turns: Array.from({ length: Math.min(SESSION_TURNS, missing - day * SESSION_TURNS) }, (__, place) => ({
      ...nextTurn(`before ${day} ${place}`),
      at: begun + day * DAY_MS + place * 60_000,
    })),
  }))
  return { sessions: [...before, ...own], end: Math.max(...said.map(({ at }) => at)) + DAY_MS }
}

function turnOf({ role, speaker, isNamed = true, text, at }: DatasetTurn, id: string): TurnInput {
  return { id, role, text, at, ...(isNamed ? { speaker } : {}) }
}

/** The first half of one turn and the second of another. */
function mixer(said: readonly DatasetTurn[], seed: number): (id: string) => TurnInput {
  const random = seededRandom(seed)
  const draw = (): DatasetTurn => {
    const turn = said[Math.floor(random() * said.length)]
    if (turn === undefined) throw new Error('the data set has no turns')
    return turn
  }
  return (id) => {
    const [one, other] = [draw(), draw()]
    const text = `${halfOf(one.text, 0)} ${halfOf(other.text, 1)}`.trim()
    return turnOf({ ...one, text: text === '' ? '…' : text }, id)
  }
}

/** By words, or by characters where they stand side by side. */
function halfOf(text: string, half: 0 | 1): string {
  const isSpaced = text.trim().includes(' ')
  const parts = isSpaced ? text.split(/\s+/) : Array.from(text)
  const middle = Math.ceil(parts.length / 2)
  return (half === 0 ? parts.slice(0, middle) : parts.slice(middle)).join(isSpaced ? ' ' : '')
}
