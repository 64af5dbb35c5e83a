import { definite, type Slots } from '../material/fill-template.ts'
import type { ToldKind } from '../material/fact-kinds.ts'
import type { Voice } from '../material/voice.ts'
import type { HalumemPoint } from './published-form.ts'

export type PointType = ToldKind['type']
export type PointSource = HalumemPoint['memory_source']

/** The subject of a point: points of one key are states of one thing. */
interface Subject {
  readonly key: string
  /** A question that the point answers. */
  readonly ask?: string | undefined
  /** Whether it recurs: another one of its kind does not contradict it. */
  readonly repeats?: boolean
  /** A question about a detail that is never stated. */
  readonly unknown?: string | undefined
  /** A question in a new situation that the point helps to answer, and the answer. */
  readonly apply?: { readonly question: string; readonly advice: string } | undefined
}

/** A memory point with what is said for it. */
export interface Point {
  readonly text: string
  readonly type: PointType
  readonly source: PointSource
  readonly importance: number
  /** Texts of the points that it replaces. */
  readonly replaces: readonly string[]
  /** Whether it says that something has ended. */
  readonly isEnd: boolean
  /** Its distinctive words: the person must say them, or, for interference, must never. */
  readonly value: string
  /** The person's turn; for interference what the agent says, for `system` what the person takes up. */
  readonly said: string
  /** The agent's turn after it; for `system` the proposal before it. */
  readonly reply: string
  readonly subject: Subject
}

/** How a kind is stated, and with what. */
export interface Telling {
  readonly key: string
  readonly value: string
  readonly source: PointSource
  /** Further words of the kind's sentences. */
  readonly slots?: Slots
  /** Default `tell`. */
  readonly use?: 'tell' | 'change' | 'drop'
  /** What held before, for a change or an end. */
  readonly before?: HeldFact
}

/** The present value of a key, and how it is remembered. */
export interface HeldFact {
  readonly value: string
  readonly text: string
}

const REPLIES = { tell: 'add', change: 'modify', drop: 'delete' } as const
const SHARE_OF_OWN_REPLIES = 0.6

/** The memory of a kind, without the words of the talk. */
export function statePoint(voice: Voice, kind: ToldKind, telling: Telling): Omit<Point, 'said' | 'reply'> {
  const { key, value, source, use = 'tell', before } = telling
  const slots = slotsOf(voice, telling)
  const fill = (template: string) => voice.sentence(template, slots)
  const { type, importance, unknown, apply, advice } = kind
  const ask = use === 'change' ? (kind.changed ?? kind.ask) : kind.ask
  return {
    text: fill(use === 'drop' ? (kind.gone ?? '') : kind.memory),
    type,
    source,
    importance,
    replaces: use === 'tell' || before === undefined ? [] : [before.text],
    isEnd: use === 'drop',
    value,
    subject: {
      key,
      ask: ask && fill(ask),
      repeats: kind.repeatable === true,
      unknown: unknown && fill(unknown),
      apply: apply && advice ? { question: fill(apply), advice: fill(advice) } : undefined,
    },
  }
}

/** A point that the person states. Kinds without their own reply get a general one. */
export function tellPoint(voice: Voice, kind: ToldKind, telling: Telling): Point {
  const { use = 'tell' } = telling
  const { draw, material } = voice
  const { replies } = material.words
  const sentence = voice.say(kind[use] ?? kind.tell, `${kind.id}/${use}`, slotsOf(voice, telling))
  const stated = statePoint(voice, kind, telling)
  if (kind.reply === undefined) return { ...stated, said: sentence, reply: draw.pick(replies.add) }
  const isOwn = use === 'tell' && draw.chance(SHARE_OF_OWN_REPLIES)
  return { ...stated, said: sentence, reply: isOwn ? kind.reply : draw.pick(replies[REPLIES[use]]) }
}

function slotsOf({ material }: Voice, { value, before, slots }: Telling): Slots {
  const old = before?.value ?? ''
  return { ...slots, value, old, the: definite(old, material.language) }
}

/** A step of a life that becomes one session of talk (HaluMem, stage 3). */
export interface LifeEvent {
  readonly kind: 'init' | 'career' | 'daily'
  readonly name: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** What happened, in the third person: for models, and for people who read the set. */
  readonly description: string
  /** The larger event of a stage: its stages are asked about together, after the last. Absent: a single event. */
  readonly unit?: string
}

/** The points stated so far, and which of them hold. */
export class PointBook {
  /** By key, the point that holds now. */
  readonly current = new Map<string, Point>()
  readonly stated: { readonly point: Point; readonly session: number }[] = []

  /** Whether a stated point still holds; the agent's false claims stay claims. */
  holds(point: Point): boolean {
    const { source, isEnd, subject } = point
    if (source === 'interference' || subject.repeats === true) return true
    return isEnd ? !this.current.has(subject.key) : this.current.get(subject.key) === point
  }

  /** Adds a session's points once its questions need them, without interference, which never held. */
  enter(points: readonly Point[], session: number): void {
    for (const point of points) {
      if (point.source === 'interference') continue
      this.stated.push({ point, session })
      if (point.isEnd) this.current.delete(point.subject.key)
      else this.current.set(point.subject.key, point)
    }
  }
}
