import { setImmediate as giveWay } from 'node:timers/promises'
import type { ImagePart, OwnerVersion, Store } from '../stores/store.ts'
import { countParts, cutIntoParts, ImageReading, layOut, placeForPart } from './image-format.ts'
import type { OwnerCache } from './owner-cache.ts'

/** Parts read or written between two looks at the event loop: some milliseconds. */
const PARTS_AT_A_TIME = 4
/** Memories packed between two looks: some 10 ms. */
const PACKED_AT_A_TIME = 2_000

/** A person's image is made anew once so many rows changed since, or such a share of all. */
const CHANGED = { rows: 24, share: 1 / 32 } as const

export interface ImageSettings {
  readonly store: Pick<Store, 'imagePart' | 'putImagePart'>
  /** By what images are made: those of another format are not read. */
  readonly format: string
  readonly newId: () => string
}

/** Keeps people's caches in the store as they stand, and reads them back: derived, and dropped at the least doubt. */
export class CacheImages {
  readonly #settings: ImageSettings
  readonly #saving = new Set<number>()
  /** Where parts are laid out, while no image is: V8 marks its whole heap for each 64 MB of new buffers. */
  #place: Uint8Array | null = null

  constructor(settings: ImageSettings) {
    this.#settings = settings
  }

  /** Puts a person's image into an empty cache. @returns whether there was one of this epoch that could be read */
  async load(cache: OwnerCache, version: OwnerVersion): Promise<boolean> {
    const reading = new ImageReading(this.#settings.format)
    if (!(await this.#read(cache.owner, reading)) || reading.result === null) return false
    const { sections, kept } = reading.result
    if (kept.version.epoch !== version.epoch || kept.version.revision > version.revision) return false
    cache.restore(sections, kept)
    return true
  }

  async #read(owner: number, reading: ImageReading): Promise<boolean> {
    const { store } = this.#settings
    let image: ImagePart | null = null
    for (let part = 0; part < (image?.parts ?? 1); part += 1) {
      const next: ImagePart | null = (await store.imagePart?.(owner, part)) ?? null
      if (next === null || (image !== null && (next.image !== image.image || next.parts !== image.parts)))
        return false
      image ??= next
      if (!reading.push(next.bytes)) return false
      if (part % PARTS_AT_A_TIME === PARTS_AT_A_TIME - 1) await giveWay()
    }
    return true
  }

  /** Whether so much changed that an image is worth making. */
  isDue(cache: OwnerCache): boolean {
    if (this.#settings.store.putImagePart === undefined || this.#saving.has(cache.owner)) return false
    const { changedRows, profiles, index } = cache
    if (cache.isTakingIn || cache.hasUnstored) return false
    return profiles.hasNew || changedRows >= Math.max(CHANGED.rows, CHANGED.share * index.size)
  }

  /**
   * Keeps a cache as it stands, a part at a time; given up when it changes or is let go of meanwhile. Packs what changed in it
   * on the way, so that it takes less room.
   */
  async save(cache: OwnerCache): Promise<boolean> {
    const { store, format, newId } = this.#settings
    if (store.putImagePart === undefined || this.#saving.has(cache.owner)) return false
    this.#saving.add(cache.owner)
    const place = this.#place ?? placeForPart()
    this.#place = null
    try {
      while (cache.pack(PACKED_AT_A_TIME)) await giveWay()
      if (cache.isFree || cache.isTakingIn || cache.hasUnstored) return false
      // Arrays as they stand: whoever goes first here may change them, which edits tell. The version does so only when all is taken in.
      const { sections, kept } = cache.image()
      const { edits } = cache
      await giveWay()
      if (cache.isFree || cache.edits !== edits) return false
      const pieces = layOut(format, sections, kept)
      const parts = countParts(pieces)
      const image = newId()
      let part = 0
      for (const bytes of cutIntoParts(pieces, place)) {
        if (!(await store.putImagePart(cache.owner, { image, part, parts, bytes }, kept.version.epoch)))
          return false
        part += 1
        if (part === parts) break
        await giveWay()
        // What follows would be of another state than what was written: parts of two images make none.
        if (cache.isFree || cache.edits !== edits) return false
      }
      cache.noteSaved(edits)
      return true
    } finally {
      this.#place = place
      this.#saving.delete(cache.owner)
    }
  }
}
