import type { Role } from '../turns/turn.ts'

/** A turn or a memory as the index takes it. */
export interface IndexedDocument {
  /** The turn's or the memory's id. */
  readonly id: string
  readonly kind: 'turn' | 'memory'
  /** What narrows within the person: agent and app. */
  readonly scope: number
  readonly session: string
  /** Rises with the turns of a scope; turns that follow each other within a session are neighbours. */
  readonly position: number
  readonly role: Role
  readonly speaker: string | null
  /** Milliseconds since 1970. */
  readonly at: number
  /** What `analyseText` gave. */
  readonly terms: readonly string[]
  /** Bits of `TextTrait`. */
  readonly traits: number
  /** L2-normalised; `null` while it is not embedded. */
  readonly vector: Float32Array | null
}

/** Which documents may be found. What is absent does not narrow. */
export interface SearchFilter {
  readonly scopes?: ReadonlySet<number> | undefined
  readonly kind?: 'turn' | 'memory' | undefined
  /** Judges a document by its id, for what the index does not know of. Called for those in reach that would be found. */
  readonly accepts?: ((id: string) => boolean) | undefined
  /** As if nothing after this time had been said: it is neither found nor counted. */
  readonly asOf?: number | undefined
}
