// Holds the rules of both languages, and reads facts and requests by them.
import type { KeyTable } from '../keys/key-table.ts'
import { keyTable } from '../keys/built-in-keys.ts'
import { CHINESE } from './chinese/language.ts'
import { ENGLISH } from './english/language.ts'
import type { Language } from './matching/language.ts'
import { FactReader } from './matching/read-facts.ts'
import { RequestReader, type FoundRequest } from './matching/read-requests.ts'
import { isOfAnother, MAY_ASK_PLAINLY, readPlainRequest } from './plain-requests.ts'
import type { Rule } from './matching/rule.ts'
import { isJapanese } from '../terms/other-scripts.ts'

const LANGUAGES = [ENGLISH, CHINESE]

/**
 * The rules of a memory: a caller's own, validated before, and then the built-in ones.
 * Each language compiles its rules on first use, so that opening a memory costs nothing.
 */
export class RuleBook {
  readonly #own: readonly Rule[]
  readonly #keys: KeyTable
  readonly #facts = new Map<Language, FactReader>()
  readonly #requests = new Map<Language, RequestReader>()

  constructor(own: readonly Rule[] = [], keys: KeyTable = keyTable()) {
    this.#own = own
    this.#keys = keys
  }

  #ownRulesOf(language: Language): Rule[] {
    return this.#own.filter((rule) => languageOf(rule) === language)
  }

  /** Returns a language's fact reader after loading it. @throws PatternError */
  async factsIn(language: Language): Promise<FactReader> {
    await language.load()
    const reader =
      this.#facts.get(language) ??
      new FactReader(language, [...this.#ownRulesOf(language), ...language.rules], this.#keys)
    this.#facts.set(language, reader)
    return reader
  }

  #requestsIn(language: Language): RequestReader {
    const reader = this.#requests.get(language) ?? new RequestReader(language, this.#ownRulesOf(language))
    this.#requests.set(language, reader)
    return reader
  }

  /** Reports whether a text may contain a request. The test is cheap, and few texts pass it. */
  mayAsk(text: string): boolean {
    return MAY_ASK_PLAINLY.test(text) || LANGUAGES.some((language) => this.#requestsIn(language).mayAsk(text))
  }

  /** Returns the earlier topic that a sentence names: “That patient I told you about.” */
  matterIn(sentence: string): string | null {
    return this.#requestsIn(languageOfTalk(sentence)).matterIn(sentence)
  }

  /** Reports whether a sentence asks to forget everything about the user. */
  isWide(sentence: string): boolean {
    if (isOfAnother(sentence)) return false
    const isWideByRule = LANGUAGES.some((language) => this.#requestsIn(language).isWide(sentence))
    return isWideByRule || (MAY_ASK_PLAINLY.test(sentence) && readPlainRequest(sentence)?.isWide === true)
  }

  /** Returns the request to forget in a sentence of either language, or `null`. */
  requestIn(sentence: string): FoundRequest | null {
    if (isOfAnother(sentence)) return null
    for (const language of LANGUAGES) {
      const request = this.#requestsIn(language).read(sentence)
      if (request !== null) return request
    }
    return null
  }
}

let shipped: RuleBook | undefined

/** Returns the built-in rules alone. */
export function shippedRules(): RuleBook {
  return (shipped ??= new RuleBook())
}

/** Returns the language of a rule: Chinese if a pattern has Chinese characters, otherwise English. */
export function languageOf(rule: Rule): Language {
  const patterns = 'facts' in rule ? Object.values(rule.facts) : [rule.forget]
  return /\p{Script=Han}/u.test(patterns.flatMap(Object.keys).join('')) ? CHINESE : ENGLISH
}

/** Returns the language whose letters are more frequent. Japanese has no rules of its own, and counts as English. */
export function languageOfTalk(text: string): Language {
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0
  const latin = text.match(/\p{Script=Latin}+/gu)?.length ?? 0
  return han > latin && !isJapanese(text) ? CHINESE : ENGLISH
}
