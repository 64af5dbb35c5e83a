import { z } from 'zod'
import type { Draw } from '../draw.ts'
import type { Split } from '../material/fact-kind.ts'
import { fillTemplate, sentenceCase, type Slots, type Speak } from '../material/fill-template.ts'
import type { Material } from '../material/read-material.ts'
import type { Point, PointSource } from './point.ts'

const bySplit = z.object({ train: z.array(z.string()), test: z.array(z.string()) })

export const publishedKindsSchema = z.object({
  type: z.enum(['persona', 'event', 'relationship']),
  importance: z.number(),
  memory: z.string(),
  gone: z.string().optional(),
  tell: bySplit,
  change: bySplit.optional(),
  drop: bySplit.optional(),
  ask: z.string().optional(),
  /** Asked instead where it has changed, since the other question would give the answer away. */
  changed: z.string().optional(),
  unknown: z.string().optional(),
  apply: z.string().optional(),
  advice: z.string().optional(),
})

type PublishedKind = z.infer<typeof publishedKindsSchema>

export interface PublishedSpeechOptions {
  readonly draw: Draw
  readonly speak: Speak
  readonly split: Split
  readonly material: Material
  readonly kinds: Readonly<Record<string, PublishedKind>>
  readonly who: string
}

export interface Told {
  /** A kind of `published.en.json`. */
  readonly kind: string
  readonly key: string
  readonly value: string
  readonly source?: PointSource
  /** Further words of its sentences. */
  readonly slots?: Slots
  /** Told instead of this. */
  readonly old?: string
}

/** Puts what the published files say of a person into the person's mouth, and remembers what was told. */
export class PublishedSpeech {
  readonly #options: PublishedSpeechOptions
  readonly #current = new Map<string, { readonly value: string; readonly text: string }>()

  constructor(options: PublishedSpeechOptions) {
    this.#options = options
  }

  get who(): string {
    return this.#options.who
  }

  get material(): Material {
    return this.#options.material
  }

  /** Tells something, or that it has changed where its key was told before. Nothing when it is the same. */
  tell(told: Told): Point[] {
    const before = this.#current.get(told.key)
    if (before?.value === told.value || told.value.trim() === '') return []
    const kind = this.#kind(told.kind)
    const use = before !== undefined && kind.change !== undefined ? 'change' : 'tell'
    const point = this.#point(told, use, before)
    this.#current.set(told.key, { value: told.value, text: point.text })
    return [point]
  }

  /** Tells that something is no longer so. Nothing when it was never told. */
  drop(told: Told): Point[] {
    const before = this.#current.get(told.key)
    if (before === undefined) return []
    this.#current.delete(told.key)
    return [this.#point({ ...told, value: before.value }, 'drop', before)]
  }

  /** Keeps a taste under a new key: what it was before goes with it. */
  move(from: string, to: string): void {
    const before = this.#current.get(from)
    if (before === undefined) return
    this.#current.delete(from)
    this.#current.set(to, before)
  }

  #point(
    { kind: id, key, value, slots: more = {}, source = 'primary' }: Told,
    use: 'tell' | 'change' | 'drop',
    before: { readonly value: string; readonly text: string } | undefined,
  ): Point {
    const { draw, speak, split, material, who } = this.#options
    const kind = this.#kind(id)
    const slots = { ...more, who, value, old: before?.value ?? '' }
    const language = material.language
    const { text: said, template } = speak(kind[use] ?? kind.tell, {
      id: `published/${id}/${use}`,
      split,
      language,
      slots,
    })
    const filled = (template: string) => sentenceCase(fillTemplate(template, slots), language)
    const { unknown, apply, advice } = kind
    const ask = use === 'change' ? (kind.changed ?? kind.ask) : kind.ask
    return {
      text: filled(use === 'drop' ? (kind.gone ?? '') : kind.memory),
      type: kind.type,
      source,
      importance: kind.importance,
      replaces: use === 'tell' || before === undefined ? [] : [before.text],
      isEnd: use === 'drop',
      value,
      said,
      reply: draw.pick(material.words.replies.add),
      subject: {
        key,
        ...(ask === undefined ? {} : { ask: filled(ask) }),
        ...(unknown === undefined ? {} : { unknown: filled(unknown) }),
        ...(apply === undefined || advice === undefined
          ? {}
          : { apply: { question: filled(apply), advice: filled(advice) } }),
      },
      templates: [template],
    }
  }

  #kind(id: string): PublishedKind {
    const kind = this.#options.kinds[id]
    if (kind === undefined) throw new RangeError(`There is no kind "${id}" among the published ones.`)
    return kind
  }
}
