import { definite, type Slots } from '../material/fill-template.ts'
import type { ToldKind } from '../material/fact-kinds.ts'
import type { Voice } from '../material/voice.ts'
import type { HalumemPoint } from './published-form.ts'

export type PointType = ToldKind['type']
export type PointSource = HalumemPoint['memory_source']

/** The subject of a point. Points with the same key describe the same thing at different times. */
interface Subject {
  readonly key: string
  /** A question that the point answers. */
  readonly ask?: string | undefined
  /** Whether it can happen again. If so, another point with this key does not contradict it. */
  readonly repeats?: boolean
  /** A question about a detail that is never stated. */
  readonly unknown?: string | undefined
  /** A question in a new situation that the point helps to answer, and the answer. */
  readonly apply?: { readonly question: string; readonly advice: string } | undefined
}

/** A memory point and the sentences of its round. Its source is `interference` for a false claim of the agent, and `system` for an accepted proposal. */
export interface Point {
  readonly text: string
  readonly type: PointType
  readonly source: PointSource
  readonly importance: number
  readonly replaces: readonly string[]
  /** Whether it states that something has ended. */
  readonly isEnd: boolean
  /** Its distinctive words. The user must say them, or for `interference` must never say them. */
  readonly value: string
  /** The user's turn; for `interference` the agent's claim, for `system` the user's acceptance of a proposal. */
  readonly said: string
  /** The agent's turn after it; for `system` the proposal before it. */
  readonly reply: string
  readonly subject: Subject
}

/** How a fact kind is stated: its value, and which sentences are used. */
export interface Statement {
  readonly key: string
  readonly value: string
  readonly source: PointSource
  /** Further values for the places of the sentences. */
  readonly slots?: Slots
  /** The sentences to use: for a new fact, a change or an end. Default `tell`. */
  readonly use?: 'tell' | 'change' | 'drop'
  /** The earlier fact. Only for a change or an end. */
  readonly before?: CurrentFact
}

/** The current value of a key, and its memory text. */
export interface CurrentFact {
  readonly value: string
  readonly text: string
}

/** The kind of the agent's general replies for each use. */
const REPLY_KINDS = { tell: 'add', change: 'modify', drop: 'delete' } as const
/** Share of new facts that the agent answers with their kind's own reply. */
const SHARE_OF_OWN_REPLIES = 0.6

/** Makes a point without the sentences of the talk. */
export function makePoint(voice: Voice, kind: ToldKind, statement: Statement): Omit<Point, 'said' | 'reply'> {
  const { key, value, source, use = 'tell', before } = statement
  const slots = slotsOf(voice, statement)
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

/** Makes a point that the user states, with the agent's reply. Kinds without their own reply get a general one. */
export function makeSpokenPoint(voice: Voice, kind: ToldKind, statement: Statement): Point {
  const { use = 'tell' } = statement
  const { draw, material } = voice
  const { replies } = material.words
  const sentence = voice.say(kind[use] ?? kind.tell, `${kind.id}/${use}`, slotsOf(voice, statement))
  const point = makePoint(voice, kind, statement)
  if (kind.reply === undefined) return { ...point, said: sentence, reply: draw.pick(replies.add) }
  const isOwn = use === 'tell' && draw.chance(SHARE_OF_OWN_REPLIES)
  return { ...point, said: sentence, reply: isOwn ? kind.reply : draw.pick(replies[REPLY_KINDS[use]]) }
}

function slotsOf({ material }: Voice, { value, before, slots }: Statement): Slots {
  const old = before?.value ?? ''
  return { ...slots, value, old, the: definite(old, material.language) }
}

/** A step of a life that becomes one session of talk (HaluMem, stage 3). */
export interface LifeEvent {
  readonly kind: 'init' | 'career' | 'daily'
  readonly name: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** An account of the event in the third person, for models and for readers of the set. */
  readonly description: string
  /** The larger event that this is a stage of. Questions about it follow the last stage. Absent: a single event. */
  readonly unit?: string
}

/** All points stated so far, and which of them are still true. */
export class PointBook {
  readonly current = new Map<string, Point>()
  readonly stated: { readonly point: Point; readonly session: number }[] = []

  /** Reports whether a stated point is still true. Always `true` for false claims, which never become outdated. */
  isCurrent(point: Point): boolean {
    const { source, isEnd, subject } = point
    if (source === 'interference' || subject.repeats === true) return true
    return isEnd ? !this.current.has(subject.key) : this.current.get(subject.key) === point
  }

  /** Adds the points of a session, without the agent's false claims. */
  addSession(points: readonly Point[], session: number): void {
    for (const point of points) {
      if (point.source === 'interference') continue
      this.stated.push({ point, session })
      if (point.isEnd) this.current.delete(point.subject.key)
      else this.current.set(point.subject.key, point)
    }
  }
}
