/** A turn that a writer sends under a key of its own until it is acknowledged. */
export interface Write {
  readonly user: string
  readonly text: string
  /** Sent as `Idempotency-Key`. */
  readonly key: string
}

/** A write that the server answered with 2xx. */
export interface KeptWrite extends Write {
  readonly turn: string
}

/** What the server said of everything it was sent, over all its lives. */
export class KillLedger {
  readonly #kept = new Map<string, KeptWrite>()
  readonly #erased = new Set<string>()
  readonly #erasing = new Set<string>()
  readonly #refusals = new Map<string, number>()
  /** Requests that got no whole answer. */
  cutOff = 0

  keep(write: KeptWrite): void {
    this.#kept.set(write.text, write)
  }

  /** From now on nobody knows whether it is there, until it {@link erase}s. */
  beginErasing({ text }: Write): void {
    this.#erasing.add(text)
  }

  erase({ text }: Write): void {
    this.#erasing.delete(text)
    this.#erased.add(text)
  }

  /** An answer that no request here should get. */
  refuse(what: string): void {
    this.#refusals.set(what, (this.#refusals.get(what) ?? 0) + 1)
  }

  /** Every acknowledged write, those that were erased since too. */
  get kept(): readonly KeptWrite[] {
    return [...this.#kept.values()]
  }

  get erased(): readonly string[] {
    return [...this.#erased]
  }

  /** Whether its erasure was begun and not acknowledged. */
  isBeingErased(text: string): boolean {
    return this.#erasing.has(text)
  }

  /** Texts that were acknowledged, and not erased since. */
  get standing(): readonly string[] {
    return [...this.#kept.keys()].filter((text) => !this.#erased.has(text))
  }

  get refusals(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#refusals)
  }

  /** Compares a person's turns with what was acknowledged. */
  compare(user: string, texts: readonly string[]): Difference {
    const counts = new Map<string, number>()
    for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
    const due = this.kept.filter(
      (write) => write.user === user && !this.#erased.has(write.text) && !this.#erasing.has(write.text),
    )
    return {
      lost: due.filter(({ text }) => !counts.has(text)).length,
      doubled: [...counts.values()].filter((count) => count > 1).length,
      returned: [...counts.keys()].filter((text) => this.#erased.has(text)).length,
    }
  }
}

/** All are to be 0. */
export interface Difference {
  /** Acknowledged and not there. */
  readonly lost: number
  /** There more than once. */
  readonly doubled: number
  /** Erased, acknowledged as that, and there. */
  readonly returned: number
}
