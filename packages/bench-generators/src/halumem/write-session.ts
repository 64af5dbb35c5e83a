import type { Draw } from '@keepsake/bench/parts'
import type { Point } from './point.ts'
import {
  publishedTime,
  type HalumemPoint,
  type HalumemQuestion,
  type HalumemSession,
} from './published-form.ts'
import type { Round } from './session-dialogue.ts'

const MINUTE_MS = 60_000
const TYPES = {
  persona: 'Persona Memory',
  event: 'Event Memory',
  relationship: 'Relationship Memory',
} as const

/** A point without the sentences of the talk, which only templates have. */
export type WrittenPoint = Pick<Point, 'text' | 'type' | 'source' | 'importance' | 'replaces'>

interface SessionParts {
  /** Start of the session, in milliseconds since 1970. */
  readonly at: number
  readonly points: readonly WrittenPoint[]
  readonly rounds: readonly Round[]
  readonly questions: readonly HalumemQuestion[]
}

/** Writes a session in the published form. Both turns of a round have the same time, as in the paper's examples. */
export function writeSession(draw: Draw, { at, points, rounds, questions }: SessionParts): HalumemSession {
  let now = at
  const times = rounds.map(() => {
    const then = now
    now += draw.whole(1, 5) * MINUTE_MS
    return then
  })
  const statedAt = (pointIndex: number): number => {
    const round = rounds.findIndex((one) => one.points.includes(pointIndex))
    return times[round] ?? times.at(-1) ?? at
  }
  return {
    start_time: publishedTime(at),
    end_time: publishedTime(now),
    dialogue_turn_num: rounds.length,
    dialogue: rounds.flatMap(({ user, agent }, turn) => {
      const common = { timestamp: publishedTime(times[turn] ?? at), dialogue_turn: turn }
      return [
        { role: 'user' as const, content: user, ...common },
        { role: 'assistant' as const, content: agent, ...common },
      ]
    }),
    memory_points: points.map((point, pointIndex) => writePoint(point, pointIndex, statedAt(pointIndex))),
    questions: [...questions],
  }
}

function writePoint(point: WrittenPoint, pointIndex: number, at: number): HalumemPoint {
  return {
    index: pointIndex + 1,
    ...evidenceOf(point),
    memory_source: point.source,
    is_update: point.replaces.length > 0 ? 'True' : 'False',
    original_memories: [...point.replaces],
    timestamp: publishedTime(at),
    importance: point.importance,
  }
}

export function evidenceOf({ text, type }: Pick<WrittenPoint, 'text' | 'type'>) {
  return { memory_content: text, memory_type: TYPES[type] }
}
