import { LRUCache } from 'lru-cache'
import { InvalidInputError } from '../errors/invalid-input-error.ts'
import { findGivenSecret } from '../secrets/mask-reply.ts'
import { maskSecrets, type MaskedSecret } from '../secrets/mask-secrets.ts'

/** Control characters that write nothing: all but the tab and what ends a line. */
const CONTROL = /(?![\t-\r\u0085])\p{Cc}/gu
/** An id as the engine and most applications make them; the number is of a turn within a call. Nothing secret has this form. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:\/\d+)?$/i
/** Characters of names lately found to hold no secret: the same session and person come with each call. */
const KNOWN_NAMES = 400_000
/** Of short texts lately found to hold none: the fields of an import, and the words most of them hold, come with each row. */
const KNOWN_WORDS = 40_000
const LONGEST_KNOWN = 32

/** Is told of each kind of secret that was masked, and how often. */
export type TellMasked = (secret: MaskedSecret) => void

export interface TextGateOptions {
  readonly maskSecrets: boolean
  readonly mask?: typeof maskSecrets
}

/**
 * The one gate for text: what people say and applications state, what an import brings, what a language model wrote. A text
 * that has passed it is composed and well-formed Unicode (NFC) without control characters, and its secrets are masked. Every
 * way in for such texts leads through it; a property test over all of them looks at the bytes of the file.
 *
 * @example
 * const gate = new TextGate({ maskSecrets: true })
 * await gate.admit('my password is hunter2') // 'my password is [masked: password]'
 */
export class TextGate {
  readonly #mask: typeof maskSecrets | null
  readonly #knownNames = recent(KNOWN_NAMES)
  readonly #knownWords = recent(KNOWN_WORDS)

  /**
   * @param options.maskSecrets `false` lets secrets in as they were said
   * @param options.mask what masks them; {@link maskSecrets} when absent
   */
  constructor({ maskSecrets: masks, mask = maskSecrets }: TextGateOptions) {
    this.#mask = masks ? mask : null
  }

  /** A text as it may be stored. */
  async admit(text: string, tell?: TellMasked): Promise<string> {
    const clean = cleanText(text)
    if (this.#mask === null || UUID.test(clean) || this.#knownWords.get(clean) === true) return clean
    const { text: masked, masked: secrets } = await this.#mask(clean)
    if (secrets.length === 0 && clean.length <= LONGEST_KNOWN) this.#knownWords.set(clean, true)
    if (tell !== undefined) for (const secret of secrets) tell(secret)
    return masked
  }

  /**
   * A text that may answer somebody who asked for a secret: what it gives at its start goes then, whatever it looks like.
   *
   * @param isAsked whether the turn before asked for one; called only where something is given
   */
  async admitReply(text: string, isAsked: () => Promise<boolean>, tell?: TellMasked): Promise<string> {
    const admitted = await this.admit(text, tell)
    const given = this.#mask === null ? null : findGivenSecret(admitted)
    if (given === null || !(await isAsked())) return admitted
    tell?.({ kind: 'password', count: 1 })
    return `${admitted.slice(0, given.start)}[masked: password]${admitted.slice(given.end)}`
  }

  /** A value with every text in it as it may be stored: an answer of a model, say. */
  async admitAll<Value>(value: Value): Promise<Value> {
    return (await this.#admitAll(value)) as Value
  }

  async #admitAll(value: unknown): Promise<unknown> {
    if (typeof value === 'string') return this.admit(value)
    if (Array.isArray(value)) return Promise.all(value.map((one) => this.#admitAll(one)))
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).map(async ([key, inner]) => [key, await this.#admitAll(inner)])
    return Object.fromEntries(await Promise.all(entries))
  }

  /**
   * Lets in names and ids that are new. What a name is changed into may be somebody else's, so that one which cannot be stored as it
   * is given is refused.
   *
   * @param names by what an error calls them; those that are absent pass
   * @throws InvalidInputError for one that holds a secret or control characters
   */
  async requireNames(names: Readonly<Record<string, string | null | undefined>>): Promise<void> {
    const unknown = Object.entries(names).flatMap(([what, name]) =>
      typeof name !== 'string' || this.#knownNames.has(name) || UUID.test(name) ? [] : [{ what, name }],
    )
    for (const { what, name } of unknown) {
      if (name.search(CONTROL) >= 0)
        throw new InvalidInputError(`${what} holds control characters, which cannot be part of a name.`)
    }
    // Nearly always nothing is found, and one look is enough.
    if (await this.#holdsSecret(unknown.map(({ name }) => name).join('\n')))
      for (const { what, name } of unknown) await this.#requireNoSecret(what, name)
    for (const { name } of unknown) this.#knownNames.set(name, true)
  }

  async #requireNoSecret(what: string, name: string): Promise<void> {
    if (await this.#holdsSecret(name))
      throw new InvalidInputError(
        `${what} holds what looks like a secret, and secrets are not stored. Name it otherwise, or open with \`maskSecrets: false\`.`,
      )
  }

  async #holdsSecret(text: string): Promise<boolean> {
    return this.#mask !== null && text !== '' && (await this.#mask(text)).masked.length > 0
  }
}

/** Texts of so many characters together, the latest. Told by their size, they take room as they come: told by their number, all of it at each start. */
function recent(characters: number): LRUCache<string, true> {
  return new LRUCache({ maxSize: characters, sizeCalculation: (_, text) => text.length + 1 })
}

/** Control characters go before secrets are looked for: one in the midst of a key must not hide it. */
function cleanText(text: string): string {
  return text.replaceAll(CONTROL, '').toWellFormed().normalize('NFC')
}
