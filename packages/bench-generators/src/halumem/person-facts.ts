import type { PreferenceCategory, ToldKind } from '../material/fact-kinds.ts'
import type { Slots } from '../material/fill-template.ts'
import type { Voice } from '../material/voice.ts'
import {
  makePoint,
  makeSpokenPoint,
  type CurrentFact,
  type Point,
  type PointSource,
  type Statement,
} from './point.ts'

/** A kind of fact, with the values that are left for this person. */
interface PersonKind {
  readonly kind: ToldKind & { readonly you?: string | undefined }
  /** Further values for the places of the sentences. */
  readonly slots: Slots
  /** Values that no fact or claim has used yet. */
  readonly unused: string[]
}

/** The person likes things among the first five of a category, and dislikes things among the others. */
const LIKABLE_COUNT = 5
/** Unused values that must remain for true statements after a false claim. */
const RESERVED_VALUES = 2
/** Share of the false claims that contradict a fact that the user has stated. */
const SHARE_ABOUT_KNOWN = 0.7

/** The facts of one made-up person. Every value is used once, so that a false claim of the agent is never also true. */
export class PersonFacts {
  readonly #voice: Voice
  readonly #kinds = new Map<string, PersonKind>()
  readonly #current = new Map<string, CurrentFact>()

  /** @param categories the only categories that the person's tastes belong to */
  constructor(voice: Voice, categories: readonly PreferenceCategory[]) {
    this.#voice = voice
    const { draw, material } = voice
    for (const kind of material.facts)
      this.#kinds.set(kind.id, { kind, slots: {}, unused: draw.shuffled(kind.values) })
    for (const category of categories) this.#addTastes(category)
  }

  get known(): readonly string[] {
    return [...this.#current.keys()]
  }

  /** Keys of facts that the user can still state as new. */
  get unstated(): readonly string[] {
    return [...this.#kinds].flatMap(([key, kind]) =>
      kind.unused.length > 0 && this.#canStateNew(key) ? key : [],
    )
  }

  isRepeatable(key: string): boolean {
    return this.#kinds.get(key)?.kind.repeatable === true
  }

  /** States a new fact; `null`: it is known already, or no value is left. */
  state(key: string, source: PointSource): Point | null {
    const value = this.#canStateNew(key) ? this.#kinds.get(key)?.unused.shift() : undefined
    return value === undefined ? null : this.#state({ key, value, source })
  }

  /** States a change of a fact; `null`: none is possible. */
  change(key: string, source: PointSource): Point | null {
    const before = this.#current.get(key)
    if (before === undefined || !this.#hasSentences(key, 'change')) return null
    const value = this.#kinds.get(key)?.unused.shift()
    return value === undefined ? null : this.#state({ key, value, source, use: 'change', before })
  }

  /** States that a fact has ended; `null`: it is unknown, or the kind has no sentence for it. */
  drop(key: string, source: PointSource): Point | null {
    const before = this.#current.get(key)
    if (before === undefined || this.#kinds.get(key)?.kind.gone === undefined) return null
    if (!this.#hasSentences(key, 'drop')) return null
    const point = this.#state({ key, value: before.value, source, use: 'drop', before })
    this.#current.delete(key)
    return point
  }

  /** Makes a false claim of the agent; `null`: no unused value is left for one. */
  falseClaim(): Point | null {
    const { draw, material } = this.#voice
    const candidates = [...this.#kinds].filter(
      ([, { kind, unused }]) => kind.you !== undefined && unused.length > RESERVED_VALUES,
    )
    const known = candidates.filter(([key]) => this.#current.has(key))
    if (candidates.length === 0) return null
    const [key, own] = draw.pick(known.length > 0 && draw.chance(SHARE_ABOUT_KNOWN) ? known : candidates)
    const { kind, slots } = own
    const value = own.unused.pop() ?? ''
    const you = this.#voice.phrase(kind.you ?? '', { ...slots, value })
    return {
      ...makePoint(this.#voice, kind, { key, value, slots, source: 'interference' }),
      said: this.#voice.say(material.words.hints, 'hint', { you }),
      reply: '',
    }
  }

  #state(statement: Statement): Point | null {
    const own = this.#kinds.get(statement.key)
    if (own === undefined) return null
    const point = makeSpokenPoint(this.#voice, own.kind, { ...statement, slots: own.slots })
    this.#current.set(statement.key, { value: statement.value, text: point.text })
    return point
  }

  #canStateNew(key: string): boolean {
    return this.isRepeatable(key) || !this.#current.has(key)
  }

  #hasSentences(key: string, use: 'change' | 'drop'): boolean {
    return (this.#kinds.get(key)?.kind[use]?.[this.#voice.split].length ?? 0) > 0
  }

  #addTastes({ id, label, items, apply, advice }: PreferenceCategory): void {
    const { draw, material } = this.#voice
    const { like, dislike } = material.preferences
    const shuffled = draw.shuffled(items)
    const base = { type: 'persona', importance: 0.5 } as const
    const add = (kind: PersonKind['kind'], values: readonly string[]) =>
      this.#kinds.set(`${kind.id}/${id}`, { kind, slots: { label }, unused: draw.shuffled(values) })
    add({ ...like, ...base, id: 'like', apply, advice }, shuffled.slice(0, LIKABLE_COUNT))
    add({ ...dislike, ...base, id: 'dislike' }, shuffled.slice(LIKABLE_COUNT))
  }
}
