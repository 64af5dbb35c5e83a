import { keyTable, type KeyTable } from '../../persona/key-table.ts'
import { CHINESE } from './chinese/language.ts'
import { ENGLISH } from './english/language.ts'
import type { Language } from './matching/language.ts'
import { FactReader } from './matching/read-facts.ts'
import { RequestReader, type Asked } from './matching/read-requests.ts'
import type { Rule } from './matching/rule.ts'

/** The rules of a memory: a caller's own, and behind them the shipped ones. */
export class RuleBook {
  readonly #facts: Readonly<Record<Language['id'], FactReader>>
  readonly #requests: readonly RequestReader[]

  /** @throws PatternError */
  constructor(own: readonly Rule[] = [], keys: KeyTable = keyTable()) {
    const ownIn = (language: Language): Rule[] => own.filter((rule) => languageOf(rule) === language)
    const facts = (language: Language): FactReader =>
      new FactReader(language, [...ownIn(language), ...language.rules], keys)
    this.#facts = { en: facts(ENGLISH), zh: facts(CHINESE) }
    this.#requests = [ENGLISH, CHINESE].map((language) => new RequestReader(language, ownIn(language)))
  }

  /** What reads facts in a language, once it is loaded. */
  async factsIn(language: Language): Promise<FactReader> {
    await language.load()
    return this.#facts[language.id]
  }

  /** Whether a text may hold a request: cheap to tell, and true of few. */
  mayAsk(text: string): boolean {
    return this.#requests.some((reader) => reader.mayAsk(text))
  }

  /** The request to forget in a sentence of either language; `null` where there is none. */
  requestIn(sentence: string): Asked | null {
    for (const reader of this.#requests) {
      const asked = reader.read(sentence)
      if (asked !== null) return asked
    }
    return null
  }
}

let shipped: RuleBook | undefined

/** The shipped rules alone. */
export function shippedRules(): RuleBook {
  return (shipped ??= new RuleBook())
}

/** Chinese where a pattern holds Chinese characters. */
export function languageOf(rule: Rule): Language {
  const patterns = 'facts' in rule ? Object.values(rule.facts) : [rule.forget]
  return /\p{Script=Han}/u.test(patterns.flatMap(Object.keys).join('')) ? CHINESE : ENGLISH
}

/** By which letters there are more of. */
export function languageOfTalk(text: string): Language {
  const han = text.match(/\p{Script=Han}/gu)?.length ?? 0
  const latin = text.match(/\p{Script=Latin}+/gu)?.length ?? 0
  return han > latin ? CHINESE : ENGLISH
}
