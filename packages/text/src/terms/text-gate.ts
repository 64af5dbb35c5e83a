// The gate for every text that is stored: cleans it and masks secrets.
import { LRUCache } from 'lru-cache'
import { InvalidInputError } from '../errors/invalid-input-error.ts'
import { findGivenSecret } from '../secrets/mask-reply.ts'
import { maskSecrets, type MaskedSecret } from '../secrets/mask-secrets.ts'
import { withoutThinking } from './spoken-text.ts'

/** Matches control characters except the tab and line endings. */
const CONTROL = /(?![\t-\r\u0085])\p{Cc}/gu
/** Matches a UUID, with an optional turn number within a call. No secret has this form. */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:\/\d+)?$/i
/** Maximum characters of cached names without a secret. The same session and speaker come with each call. */
const KNOWN_NAMES = 400_000
/** Maximum characters of cached short texts without a secret. Import fields repeat in each row. */
const KNOWN_WORDS = 40_000
/** Maximum characters of a short text. */
const LONGEST_KNOWN = 32

/** Receives each kind of masked secret and its count. */
export type TellMasked = (secret: MaskedSecret) => void

export interface TextGateOptions {
  /** Whether secrets are masked. */
  readonly maskSecrets: boolean
  /** The function that masks them. Default `maskSecrets`. */
  readonly mask?: typeof maskSecrets
}

/**
 * Validates and masks every text that enters the store: messages, statements, imports and model output.
 * An admitted text is well-formed Unicode (NFC) without control characters, and its secrets are masked.
 * A property test over all entry points inspects the bytes of the file.
 *
 * @example
 * const gate = new TextGate({ maskSecrets: true })
 * await gate.admit('my password is hunter2') // 'my password is [masked: password]'
 */
export class TextGate {
  readonly #mask: typeof maskSecrets | null
  readonly #knownNames = recent(KNOWN_NAMES)
  readonly #knownWords = recent(KNOWN_WORDS)

  constructor({ maskSecrets: masks, mask = maskSecrets }: TextGateOptions) {
    this.#mask = masks ? mask : null
  }

  /** Returns a text in the form that may be stored. */
  async admit(text: string, tell?: TellMasked): Promise<string> {
    const clean = cleanText(text)
    if (this.#mask === null || UUID.test(clean) || this.#knownWords.get(clean) === true) return clean
    const { text: masked, masked: secrets } = await this.#mask(clean)
    if (secrets.length === 0 && clean.length <= LONGEST_KNOWN) this.#knownWords.set(clean, true)
    if (tell !== undefined) for (const secret of secrets) tell(secret)
    return masked
  }

  /**
   * Returns a turn in the form that may be stored, without a model's thoughts.
   *
   * @param isAsked reports whether the turn before asks for a secret. If so, the first word of this one is masked in any form
   */
  async admitTurn(
    { role, text }: { readonly role: string; readonly text: string },
    isAsked: () => Promise<boolean>,
    tell?: TellMasked,
  ): Promise<string> {
    const admitted = await this.admit(role === 'assistant' ? withoutThinking(text) : text, tell)
    const given = this.#mask === null ? null : findGivenSecret(admitted)
    if (given === null || !(await isAsked())) return admitted
    tell?.({ kind: 'password', count: 1 })
    return `${admitted.slice(0, given.start)}[masked: password]${admitted.slice(given.end)}`
  }

  /** Returns a value, such as a model's answer, with all its texts in the form that may be stored. */
  async admitAll<Value>(value: Value): Promise<Value> {
    return (await this.#admitAll(value)) as Value
  }

  async #admitAll(value: unknown): Promise<unknown> {
    if (typeof value === 'string') return this.admit(value)
    if (Array.isArray(value)) return Promise.all(value.map((item) => this.#admitAll(item)))
    if (typeof value !== 'object' || value === null) return value
    const entries = Object.entries(value).map(async ([key, inner]) => [key, await this.#admitAll(inner)])
    return Object.fromEntries(await Promise.all(entries))
  }

  /** Validates names and ids. An invalid one is rejected, since a repaired one could equal another's. @throws InvalidInputError */
  async requireNames(names: Readonly<Record<string, string | null | undefined>>): Promise<void> {
    const unknown = Object.entries(names).flatMap(([what, name]) =>
      typeof name !== 'string' || this.#knownNames.has(name) || UUID.test(name) ? [] : [{ what, name }],
    )
    for (const { what, name } of unknown) {
      if (name.search(CONTROL) >= 0)
        throw new InvalidInputError(`${what} holds control characters, which cannot be part of a name.`)
    }
    // All names are checked at once first, since nearly always none of them holds a secret.
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

/** Creates a cache limited by total characters. A limit by entry count would allocate its full size at start. */
function recent(characters: number): LRUCache<string, true> {
  return new LRUCache({ maxSize: characters, sizeCalculation: (_, text) => text.length + 1 })
}

/** Removes control characters and normalises Unicode. This comes before masking, since a control character inside a key would hide it. */
function cleanText(text: string): string {
  return text.replaceAll(CONTROL, '').toWellFormed().normalize('NFC')
}
