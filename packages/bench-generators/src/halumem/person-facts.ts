import type { Draw } from '../draw.ts'
import type { FactKind, PreferenceCategory, Split } from '../material/fact-kind.ts'
import { definite, fillTemplate, sentenceCase, type Slots, type Speak } from '../material/fill-template.ts'
import type { Material } from '../material/read-material.ts'
import type { Point, PointSource, Subject } from './point.ts'

export interface PersonFactsOptions {
  readonly draw: Draw
  readonly speak: Speak
  readonly split: Split
  readonly material: Material
  /** The name in what is remembered. */
  readonly who: string
  /** Tastes the person has; others never come up. */
  readonly categories: readonly PreferenceCategory[]
}

/** A kind with what is filled into its sentences besides the value. */
interface OwnKind {
  readonly kind: FactKind
  readonly slots: Slots
  readonly apply?: PreferenceCategory
}

/** Of a category's things so many can be liked; the others can be disliked. */
const LIKABLE = 5
/** A value is spent on a false claim only where so many are left for the truth. */
const SPARE_FOR_TRUTH = 2

/**
 * The facts of one made-up person: which values are still unused, and which hold. Every value is used once, so that
 * what an agent falsely claims is never told as true, before or after.
 */
export class PersonFacts {
  readonly #options: PersonFactsOptions
  readonly #kinds = new Map<string, OwnKind>()
  readonly #spare = new Map<string, string[]>()
  readonly #current = new Map<string, { readonly value: string; readonly text: string }>()

  constructor(options: PersonFactsOptions) {
    this.#options = options
    for (const kind of options.material.facts) this.#add(kind.id, { kind, slots: {} }, kind.values)
    for (const category of options.categories) this.#addTastes(category)
  }

  /** Keys of facts that hold. */
  get known(): readonly string[] {
    return [...this.#current.keys()]
  }

  /** Keys of facts that could still be told as new. */
  get untold(): readonly string[] {
    return [...this.#kinds].flatMap(([key, { kind }]) =>
      this.#left(key) > 0 && (kind.repeatable || !this.#current.has(key)) ? [key] : [],
    )
  }

  isRepeatable(key: string): boolean {
    return this.#kinds.get(key)?.kind.repeatable === true
  }

  /** Tells something new; `null` when it is known already or there is nothing left of that kind. */
  tell(key: string, source: PointSource): Point | null {
    const own = this.#kinds.get(key)
    if (own === undefined || (this.#current.has(key) && !own.kind.repeatable)) return null
    const value = this.#spare.get(key)?.shift()
    if (value === undefined) return null
    const point = this.#point(own, key, { value, source, template: 'tell', replaces: [] })
    this.#current.set(key, { value, text: point.text })
    return point
  }

  /** Tells that something has changed; `null` when it cannot. */
  change(key: string, source: PointSource): Point | null {
    const own = this.#kinds.get(key)
    const before = this.#current.get(key)
    if (own === undefined || before === undefined || own.kind.change[this.#options.split].length === 0)
      return null
    const value = this.#spare.get(key)?.shift()
    if (value === undefined) return null
    const replaces = [before.text]
    const point = this.#point(own, key, { value, old: before.value, source, template: 'change', replaces })
    this.#current.set(key, { value, text: point.text })
    return point
  }

  /** Tells that something is no longer so; `null` when that cannot be said of it. */
  drop(key: string, source: PointSource): Point | null {
    const own = this.#kinds.get(key)
    const before = this.#current.get(key)
    if (own?.kind.gone === undefined || before === undefined) return null
    if (own.kind.drop[this.#options.split].length === 0) return null
    const { value } = before
    this.#current.delete(key)
    return this.#point(own, key, { value, old: value, source, template: 'drop', replaces: [before.text] })
  }

  /** What an agent could falsely believe; `null` when no value can be spared. */
  falseClaim(): Point | null {
    const { draw, speak, split, material } = this.#options
    const open = [...this.#kinds].filter(
      ([key, { kind }]) => kind.you !== undefined && this.#left(key) > SPARE_FOR_TRUTH,
    )
    const known = open.filter(([key]) => this.#current.has(key))
    if (open.length === 0) return null
    const [key, own] = draw.pick(known.length > 0 && draw.chance(0.7) ? known : open)
    const value = this.#spare.get(key)?.pop() ?? ''
    const slots = { ...own.slots, who: this.#options.who, value }
    const you = fillTemplate(own.kind.you ?? '', slots)
    const { language, words } = material
    const { text, template } = speak(words.hints, { id: 'hint', split, language, slots: { you } })
    return {
      text: this.#remembered(own.kind.memory, slots),
      type: own.kind.type,
      source: 'interference',
      importance: own.kind.importance,
      replaces: [],
      isEnd: false,
      value,
      said: text,
      reply: '',
      subject: this.#subject(key, own, value),
      templates: [template],
    }
  }

  #point(
    own: OwnKind,
    key: string,
    told: {
      readonly value: string
      readonly old?: string
      readonly source: PointSource
      readonly template: 'tell' | 'change' | 'drop'
      readonly replaces: readonly string[]
    },
  ): Point {
    const { draw, speak, split, material, who } = this.#options
    const { value, old = '', source, template: use, replaces } = told
    const { language } = material
    const slots = { ...own.slots, who, value, old, the: definite(old, language) }
    const id = `${own.kind.id}/${use}`
    const { text: said, template } = speak(own.kind[use], { id, split, language, slots })
    const isEnd = use === 'drop'
    const replies = material.words.replies[use === 'tell' ? 'add' : use === 'change' ? 'modify' : 'delete']
    return {
      text: this.#remembered(isEnd ? (own.kind.gone ?? '') : own.kind.memory, slots),
      type: own.kind.type,
      source,
      importance: own.kind.importance,
      replaces,
      isEnd,
      value,
      said,
      reply: use === 'tell' && draw.chance(0.6) ? own.kind.reply : draw.pick(replies),
      subject: this.#subject(key, own, value),
      templates: [template],
    }
  }

  #subject(key: string, { kind, slots, apply }: OwnKind, value: string): Subject {
    const filled = { ...slots, who: this.#options.who, value }
    const { language } = this.#options.material
    const said = (template: string) => sentenceCase(fillTemplate(template, filled), language)
    return {
      key,
      ask: said(kind.ask),
      ...(kind.repeatable ? { repeats: true } : {}),
      ...(kind.unknown === undefined ? {} : { unknown: said(kind.unknown) }),
      ...(apply === undefined ? {} : { apply: { question: said(apply.apply), advice: said(apply.advice) } }),
    }
  }

  #remembered(template: string, slots: Slots): string {
    return sentenceCase(fillTemplate(template, slots), this.#options.material.language)
  }

  #left(key: string): number {
    return this.#spare.get(key)?.length ?? 0
  }

  #add(key: string, own: OwnKind, values: readonly string[]): void {
    this.#kinds.set(key, own)
    this.#spare.set(key, this.#options.draw.shuffled(values))
  }

  #addTastes(category: PreferenceCategory): void {
    const { draw, material } = this.#options
    const { like, dislike } = material.preferences
    const items = draw.shuffled(category.items)
    const slots = { label: category.label }
    const base = { type: 'persona' as const, importance: 0.5, values: [], repeatable: false }
    const likeKind = { ...like, ...base, id: 'like' }
    const dislikeKind = { ...dislike, ...base, id: 'dislike' }
    this.#add(`like/${category.id}`, { kind: likeKind, slots, apply: category }, items.slice(0, LIKABLE))
    this.#add(`dislike/${category.id}`, { kind: dislikeKind, slots }, items.slice(LIKABLE))
  }
}
