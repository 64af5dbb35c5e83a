import { z } from 'zod'
import type { Slots } from '../../material/fill-template.ts'
import { materialFile, readRecord } from '../../material/read-records.ts'
import { toldKindSchema, type ToldKind } from '../../material/told-kind.ts'
import type { Voice } from '../../material/voice.ts'
import { tellPoint, type HeldFact, type Point, type PointSource } from '../point.ts'

const kindsSchema = z.record(z.string(), toldKindSchema.omit({ id: true }))

/** What goes with a kind and its value. */
interface PublishedTelling {
  /** Default: the kind itself, for one that comes up once. */
  readonly key?: string
  /** Default `primary`. */
  readonly source?: PointSource
  /** Further words of its sentences. */
  readonly slots?: Slots
}

/** Puts what the published files say of a person into the person's mouth, and remembers what was told. */
export class PublishedSpeech {
  readonly who: string
  readonly #voice: Voice
  readonly #kinds = readRecord(materialFile('published.en.json'), kindsSchema)
  readonly #held = new Map<string, HeldFact>()

  constructor(voice: Voice) {
    this.#voice = voice
    this.who = voice.who
  }

  /** Tells something, or that it has changed where its key was told before. Nothing when it is the same. */
  tell(id: string, value: string, { key = id, source = 'primary', slots }: PublishedTelling = {}): Point[] {
    const before = this.#held.get(key)
    if (before?.value === value || value.trim() === '') return []
    const kind = this.#kind(id)
    const changed =
      before === undefined || kind.change === undefined ? {} : { use: 'change' as const, before }
    const point = tellPoint(this.#voice, kind, { key, value, source, ...changed, ...(slots && { slots }) })
    this.#held.set(key, { value, text: point.text })
    return [point]
  }

  /** Tells that something is no longer so. Nothing when it was never told. */
  drop(id: string, key: string, slots: Slots): Point[] {
    const before = this.#held.get(key)
    if (before === undefined) return []
    this.#held.delete(key)
    const telling = { key, value: before.value, source: 'primary', slots, use: 'drop', before } as const
    return [tellPoint(this.#voice, this.#kind(id), telling)]
  }

  /** Keeps a taste under a new key: what it was before goes with it. */
  move(from: string, to: string): void {
    const before = this.#held.get(from)
    if (before === undefined) return
    this.#held.delete(from)
    this.#held.set(to, before)
  }

  #kind(id: string): ToldKind {
    const kind = this.#kinds[id]
    if (kind === undefined) throw new RangeError(`There is no kind "${id}" among the published ones.`)
    return { ...kind, id: `published/${id}` }
  }
}
