import type { MadeProfile, OwnerCacheKept } from './owner-cache-kept.ts'

/** The profiles that were made last of a person's scopes. */
export class MadeProfiles {
  readonly #profiles = new Map<string, MadeProfile>()
  #hasNew = false

  /** Whether the person's image lacks one that was made since, which takes longer to make than an image. */
  get hasNew(): boolean {
    return this.#hasNew
  }

  /** The one made last of these scopes. */
  of(scopes: string): MadeProfile | undefined {
    return this.#profiles.get(scopes)
  }

  note(scopes: string, made: MadeProfile): void {
    this.#profiles.set(scopes, made)
    this.#hasNew = true
  }

  /** Takes note that an image holds them all. */
  noteSaved(): void {
    this.#hasNew = false
  }

  get kept(): OwnerCacheKept['profiles'] {
    return [...this.#profiles]
  }

  restore(kept: OwnerCacheKept['profiles']): void {
    for (const [scopes, made] of kept) this.#profiles.set(scopes, made)
  }
}
