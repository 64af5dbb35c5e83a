import type { PreferenceCategory, ToldKind } from '../material/told-kind.ts'
import type { Slots } from '../material/fill-template.ts'
import type { Voice } from '../material/voice.ts'
import { statePoint, tellPoint, type HeldFact, type Point, type PointSource, type Telling } from './point.ts'

/** A kind with what is filled into its sentences besides the value. */
interface OwnKind {
  readonly kind: ToldKind & { readonly you?: string | undefined }
  readonly slots: Slots
}

/** Of a category's things so many can be liked; the others can be disliked. */
const LIKABLE = 5
/** A value is spent on a false claim only where so many are left for the truth. */
const SPARE_FOR_TRUTH = 2
/** Of false claims so many are about something of which the truth is known. */
const SHARE_OF_KNOWN = 0.7

/**
 * The facts of one made-up person: which values are still unused, and which hold. Every value is used once, so that
 * what an agent falsely claims is never told as true, before or after.
 */
export class PersonFacts {
  readonly #voice: Voice
  readonly #kinds = new Map<string, OwnKind>()
  readonly #spare = new Map<string, string[]>()
  readonly #held = new Map<string, HeldFact>()

  /** @param categories tastes the person has; others never come up */
  constructor(voice: Voice, categories: readonly PreferenceCategory[]) {
    this.#voice = voice
    for (const kind of voice.material.facts) this.#add(kind.id, { kind, slots: {} }, kind.values)
    for (const category of categories) this.#addTastes(category)
  }

  /** Keys of facts that hold. */
  get known(): readonly string[] {
    return [...this.#held.keys()]
  }

  /** Keys of facts that could still be told as new. */
  get untold(): readonly string[] {
    return [...this.#kinds.keys()].filter((key) => this.#left(key) > 0 && this.#isTellable(key))
  }

  isRepeatable(key: string): boolean {
    return this.#kinds.get(key)?.kind.repeatable === true
  }

  /** Tells something new; `null` when it is known already or there is nothing left of that kind. */
  tell(key: string, source: PointSource): Point | null {
    const value = this.#isTellable(key) ? this.#spare.get(key)?.shift() : undefined
    return value === undefined ? null : this.#tell({ key, value, source })
  }

  /** Tells that something has changed; `null` when it cannot. */
  change(key: string, source: PointSource): Point | null {
    const before = this.#held.get(key)
    if (before === undefined || !this.#hasSentences(key, 'change')) return null
    const value = this.#spare.get(key)?.shift()
    return value === undefined ? null : this.#tell({ key, value, source, use: 'change', before })
  }

  /** Tells that something is no longer so; `null` when that cannot be said of it. */
  drop(key: string, source: PointSource): Point | null {
    const before = this.#held.get(key)
    if (before === undefined || this.#kinds.get(key)?.kind.gone === undefined) return null
    if (!this.#hasSentences(key, 'drop')) return null
    const point = this.#tell({ key, value: before.value, source, use: 'drop', before })
    this.#held.delete(key)
    return point
  }

  /** What an agent could falsely believe; `null` when no value can be spared. */
  falseClaim(): Point | null {
    const { draw, material } = this.#voice
    const open = [...this.#kinds].filter(
      ([key, { kind }]) => kind.you !== undefined && this.#left(key) > SPARE_FOR_TRUTH,
    )
    const known = open.filter(([key]) => this.#held.has(key))
    if (open.length === 0) return null
    const [key, { kind, slots }] = draw.pick(known.length > 0 && draw.chance(SHARE_OF_KNOWN) ? known : open)
    const value = this.#spare.get(key)?.pop() ?? ''
    const you = this.#voice.phrase(kind.you ?? '', { ...slots, value })
    return {
      ...statePoint(this.#voice, kind, { key, value, slots, source: 'interference' }),
      said: this.#voice.say(material.words.hints, 'hint', { you }),
      reply: '',
    }
  }

  #tell(telling: Telling): Point | null {
    const own = this.#kinds.get(telling.key)
    if (own === undefined) return null
    const point = tellPoint(this.#voice, own.kind, { ...telling, slots: own.slots })
    this.#held.set(telling.key, { value: telling.value, text: point.text })
    return point
  }

  #isTellable(key: string): boolean {
    return this.#kinds.has(key) && (this.isRepeatable(key) || !this.#held.has(key))
  }

  #hasSentences(key: string, use: 'change' | 'drop'): boolean {
    const sentences = this.#kinds.get(key)?.kind[use]
    return sentences !== undefined && sentences[this.#voice.split].length > 0
  }

  #left(key: string): number {
    return this.#spare.get(key)?.length ?? 0
  }

  #add(key: string, own: OwnKind, values: readonly string[]): void {
    this.#kinds.set(key, own)
    this.#spare.set(key, this.#voice.draw.shuffled(values))
  }

  #addTastes({ id, label, items, apply, advice }: PreferenceCategory): void {
    const { draw, material } = this.#voice
    const { like, dislike } = material.preferences
    const shuffled = draw.shuffled(items)
    const base = { type: 'persona', importance: 0.5 } as const
    const slots = { label }
    const likes = { ...like, ...base, id: 'like', apply, advice }
    this.#add(`like/${id}`, { kind: likes, slots }, shuffled.slice(0, LIKABLE))
    const dislikes = { ...dislike, ...base, id: 'dislike' }
    this.#add(`dislike/${id}`, { kind: dislikes, slots }, shuffled.slice(LIKABLE))
  }
}
