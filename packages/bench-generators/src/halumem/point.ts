import type { HalumemPoint } from './published-form.ts'

export type PointType = 'persona' | 'event' | 'relationship'
export type PointSource = HalumemPoint['memory_source']

/** What a point is about: points of one key are states of one thing. */
export interface Subject {
  readonly key: string
  /** A question that the point answers. */
  readonly ask?: string
  /** True of what happens again and again: another of its kind does not contradict it. */
  readonly repeats?: true
  /** A question about a detail that is never told. */
  readonly unknown?: string
  /** A question that the point lets one answer in a new situation, and the answer. */
  readonly apply?: { readonly question: string; readonly advice: string }
}

/** A memory point with what is said for it. */
export interface Point {
  readonly text: string
  readonly type: PointType
  readonly source: PointSource
  readonly importance: number
  /** Texts of the points that it takes the place of. */
  readonly replaces: readonly string[]
  /** True when it says that something is no longer so. */
  readonly isEnd: boolean
  /** The words that carry it: the person must say them, or, for interference, must never. */
  readonly value: string
  /** The person's turn; for interference what the agent says, for `system` what the person takes up. */
  readonly said: string
  /** The agent's turn after it; for `system` the proposal before it. */
  readonly reply: string
  readonly subject: Subject
  /** Ids of the templates it was said with. */
  readonly templates: readonly string[]
}

export type LifeEventKind = 'init' | 'career' | 'daily'

/** A step of a life that becomes one session of talk (HaluMem, stage 3). */
export interface LifeEvent {
  readonly kind: LifeEventKind
  readonly name: string
  /** Milliseconds since 1970. */
  readonly at: number
  /** What happened, in the third person: for models, and for people who read the set. */
  readonly description: string
}

/** What was told so far, and what holds of it. */
export interface PointBook {
  /** By key, the point that holds now. */
  readonly current: Map<string, Point>
  /** Every point that was told, with its session's place. */
  readonly told: { readonly point: Point; readonly session: number }[]
}

export function emptyBook(): PointBook {
  return { current: new Map(), told: [] }
}

/** Enters a session's points, once their questions need them. Interference is not entered: it never held. */
export function enterPoints(book: PointBook, points: readonly Point[], session: number): void {
  for (const point of points) {
    if (point.source === 'interference') continue
    book.told.push({ point, session })
    if (point.isEnd) book.current.delete(point.subject.key)
    else book.current.set(point.subject.key, point)
  }
}
