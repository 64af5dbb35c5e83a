import { keyTable, type KeyTable } from '../../persona/key-table.ts'
import { chinese } from './chinese/chinese.ts'
import { chineseListener } from './chinese/listener.ts'
import { CHINESE_REQUESTS } from './chinese/request-rules.ts'
import { CHINESE_RULES } from './chinese/rules.ts'
import { english } from './english/english.ts'
import { englishListener } from './english/listener.ts'
import { ENGLISH_REQUESTS } from './english/request-rules.ts'
import { ENGLISH_RULES } from './english/rules.ts'
import { PatternIndex, readyPatterns, type ReadyFacts, type ReadyPattern } from './matching/read-facts.ts'
import { listen, readyRequests, type Asked, type ReadyRequest } from './matching/read-requests.ts'
import type { Rule } from './matching/rule.ts'
import type { Tongue } from './matching/tongue.ts'

type Language = Tongue['language']
const LANGUAGES = {
  en: { grammar: english, listener: englishListener, shipped: [...ENGLISH_REQUESTS, ...ENGLISH_RULES] },
  zh: { grammar: chinese, listener: chineseListener, shipped: [...CHINESE_REQUESTS, ...CHINESE_RULES] },
}
const HEAR = { en: listen(englishListener), zh: listen(chineseListener) }

/** Patterns of a language, made ready. */
interface Ready {
  readonly facts: ReadyFacts
  readonly requests: readonly ReadyRequest[]
}

/** Chinese where a pattern holds Chinese characters. */
export function languageOf(rule: Rule): Language {
  const patterns = 'facts' in rule ? Object.values(rule.facts) : [rule.forget]
  return /\p{Script=Han}/u.test(patterns.flatMap(Object.keys).join('')) ? 'zh' : 'en'
}

/** @throws PatternError */
export function readyRule(
  rule: Rule,
  keys: KeyTable,
): { readonly facts: readonly ReadyPattern[]; readonly requests: readonly ReadyRequest[] } {
  const { grammar } = LANGUAGES[languageOf(rule)]
  return 'facts' in rule
    ? { facts: readyPatterns(rule, grammar, keys), requests: [] }
    : { facts: [], requests: readyRequests(rule, grammar) }
}

/** The rules of a memory: a caller's own, and behind them the shipped ones. */
export class RuleBook {
  readonly #own: readonly Rule[]
  readonly #keys: KeyTable
  readonly #ready = new Map<Language, Ready>()

  constructor(own: readonly Rule[] = [], keys: KeyTable = keyTable()) {
    this.#own = own
    this.#keys = keys
  }

  /** @throws PatternError when they are first asked for */
  factsIn(language: Language): ReadyFacts {
    return this.#in(language).facts
  }

  /** The request to forget in a sentence of either language, or none. @throws PatternError */
  requestIn(sentence: string): readonly Asked[] {
    return (['en', 'zh'] as const)
      .filter((language) => this.#mayAsk(sentence, language))
      .flatMap((language) => HEAR[language](sentence, this.#in(language).requests) ?? [])
      .slice(0, 1)
  }

  /** Whether a text may hold a request: cheap to tell, and true of few. */
  mayAsk(text: string): boolean {
    return this.#mayAsk(text, 'en') || this.#mayAsk(text, 'zh')
  }

  /** A caller's rules may ask in other words than the shipped ones. */
  #mayAsk(text: string, language: Language): boolean {
    const asksOtherwise = (rule: Rule): boolean => 'forget' in rule && languageOf(rule) === language
    return LANGUAGES[language].listener.hint.test(text) || this.#own.some(asksOtherwise)
  }

  #in(language: Language): Ready {
    const known = this.#ready.get(language)
    if (known !== undefined) return known
    const own = this.#own.filter((rule) => languageOf(rule) === language)
    const rules = [...own, ...LANGUAGES[language].shipped].map((rule) => readyRule(rule, this.#keys))
    const facts = rules.flatMap((rule) => rule.facts)
    const ready = {
      facts: {
        own: new PatternIndex(facts.filter(({ rule }) => rule.bare !== true)),
        bare: new PatternIndex(facts.filter(({ rule }) => rule.bare === true)),
      },
      requests: rules.flatMap(({ requests }) => requests),
    }
    this.#ready.set(language, ready)
    return ready
  }
}

/** The shipped rules alone. */
export const SHIPPED_RULES = new RuleBook()
