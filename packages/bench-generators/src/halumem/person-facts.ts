import type { PreferenceCategory, ToldKind } from '../material/fact-kinds.ts'
import type { Slots } from '../material/fill-template.ts'
import type { Voice } from '../material/voice.ts'
import { statePoint, tellPoint, type HeldFact, type Point, type PointSource, type Telling } from './point.ts'

/** A kind, what is filled into its sentences besides the value, and the values that are still unused. */
interface OwnKind {
  readonly kind: ToldKind & { readonly you?: string | undefined }
  readonly slots: Slots
  readonly spare: string[]
}

/** This many things of a category can be liked; the others can be disliked. */
const LIKABLE = 5
/** A value is used for a false claim only where this many remain for true ones. */
const SPARE_FOR_TRUTH = 2
/** This share of false claims is about something whose truth is known. */
const SHARE_OF_KNOWN = 0.7

/**
 * The facts of one made-up person: unused values, and those that hold. Every value is used once, so that an agent's false claim is never
 * stated as true, before or after.
 */
export class PersonFacts {
  readonly #voice: Voice
  readonly #kinds = new Map<string, OwnKind>()
  readonly #held = new Map<string, HeldFact>()

  /** @param categories tastes the person has; others never come up */
  constructor(voice: Voice, categories: readonly PreferenceCategory[]) {
    this.#voice = voice
    const { draw, material } = voice
    for (const kind of material.facts)
      this.#kinds.set(kind.id, { kind, slots: {}, spare: draw.shuffled(kind.values) })
    for (const category of categories) this.#addTastes(category)
  }

  /** Keys of facts that hold. */
  get known(): readonly string[] {
    return [...this.#held.keys()]
  }

  /** Keys of facts that could still be stated as new. */
  get untold(): readonly string[] {
    return [...this.#kinds].flatMap(([key, own]) =>
      own.spare.length > 0 && this.#isTellable(key) ? key : [],
    )
  }

  isRepeatable(key: string): boolean {
    return this.#kinds.get(key)?.kind.repeatable === true
  }

  /** States something new; `null` when it is known already or the kind is exhausted. */
  tell(key: string, source: PointSource): Point | null {
    const value = this.#isTellable(key) ? this.#kinds.get(key)?.spare.shift() : undefined
    return value === undefined ? null : this.#tell({ key, value, source })
  }

  /** States a change; `null` when there is none. */
  change(key: string, source: PointSource): Point | null {
    const before = this.#held.get(key)
    if (before === undefined || !this.#hasSentences(key, 'change')) return null
    const value = this.#kinds.get(key)?.spare.shift()
    return value === undefined ? null : this.#tell({ key, value, source, use: 'change', before })
  }

  /** States that something has ended; `null` when that cannot be said of it. */
  drop(key: string, source: PointSource): Point | null {
    const before = this.#held.get(key)
    if (before === undefined || this.#kinds.get(key)?.kind.gone === undefined) return null
    if (!this.#hasSentences(key, 'drop')) return null
    const point = this.#tell({ key, value: before.value, source, use: 'drop', before })
    this.#held.delete(key)
    return point
  }

  /** Something that an agent could falsely believe; `null` when no value can be spared. */
  falseClaim(): Point | null {
    const { draw, material } = this.#voice
    const open = [...this.#kinds].filter(
      ([, { kind, spare }]) => kind.you !== undefined && spare.length > SPARE_FOR_TRUTH,
    )
    const known = open.filter(([key]) => this.#held.has(key))
    if (open.length === 0) return null
    const [key, own] = draw.pick(known.length > 0 && draw.chance(SHARE_OF_KNOWN) ? known : open)
    const { kind, slots } = own
    const value = own.spare.pop() ?? ''
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
    return this.isRepeatable(key) || !this.#held.has(key)
  }

  #hasSentences(key: string, use: 'change' | 'drop'): boolean {
    return (this.#kinds.get(key)?.kind[use]?.[this.#voice.split].length ?? 0) > 0
  }

  #addTastes({ id, label, items, apply, advice }: PreferenceCategory): void {
    const { draw, material } = this.#voice
    const { like, dislike } = material.preferences
    const shuffled = draw.shuffled(items)
    const base = { type: 'persona', importance: 0.5 } as const
    const add = (kind: OwnKind['kind'], values: readonly string[]) =>
      this.#kinds.set(`${kind.id}/${id}`, { kind, slots: { label }, spare: draw.shuffled(values) })
    add({ ...like, ...base, id: 'like', apply, advice }, shuffled.slice(0, LIKABLE))
    add({ ...dislike, ...base, id: 'dislike' }, shuffled.slice(LIKABLE))
  }
}
