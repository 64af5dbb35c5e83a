// The notation of all patterns of rules, phrases and requests. grammar.ts compiles it.
/** Patterns, each with a test sentence that it must match. Brackets mark the words of its slots, in order. */
export type Patterns = Readonly<Record<string, string>>

/**
 * Patterns of statements that speakers make about themselves. A pattern with Chinese characters is Chinese, any other English.
 * Rules, and the patterns within a rule, are tried in order. The first match of a clause is used. This table explains all signs:
 *
 * | sign                            | matches |
 * | ------------------------------- | ------- |
 * | `live` · `住在`                   | the word, in any of its forms (`lives`, `lived`) · these characters |
 * | `NOUN` `ADJ` `VERB` …           | a word with this tag (universal part-of-speech tags; English only) |
 * | `CAPITAL` `INFLECTED`           | a capitalised word · a word that is not in its base form |
 * | `PLACE` `JOB` `FOOD` …          | a word of that kind by its vector: see `english/word-kinds.ts` (English only) |
 * | `DIGITS` `##`                   | a word that begins with a digit · a number of two digits |
 * | `-ing` `_`                      | a word with this ending · any word |
 * | `(a\|b)` `[a\|b]`               | one of both · one of both, or nothing |
 * | `a*` `a+`                       | any number of `a` · one or more |
 * | `!a` `&a`                       | nothing: the pattern goes on only if `a` does not follow · only if `a` follows |
 * | `.` · `。`                       | nothing: the clause ends here (in Chinese also before 了, 吧 and the like) |
 * | `<we>`                          | the phrase `we` of `english/phrases.ts` or `chinese/phrases.ts` |
 * | `{thing}`                       | the phrase `thing`. Its words become the slot `thing` |
 * | `{name:alone}`                  | the phrase `alone`. Its words become the slot `name` |
 * | `{kin:several-kin}`             | the phrase `several-kin`. Its words become the slot `kin` |
 * | `{1..8}` `{who:1..8}`           | one to eight words, as few as will do. They become the slot `value` · the slot `who` |
 * | `{thing/trade}` `<thing/trade>` | a `thing` whose main noun, or last word, is a `trade` |
 * | `{thing/!trade}`                | a `thing` whose main noun is no `trade` |
 * | `@`                             | each word of the rule's field `each`, one after the other |
 *
 * English clauses begin with `I`, `we`, `my` or `our` and are matched without adverbs. Before the verb stand only
 * `can`, `not` and its tense: `did` for the past, `have` for the perfect, `be` for the progressive and the passive.
 * “I really don't like crowds” is `I not like crowds`, “last year we were moving” `we did be moving`.
 *
 * @example
 * const avoiding: FactRule = {
 *   facts: { 'diet: avoids {thing}': { 'I (avoid|skip) {thing}': 'I always skip [red meat].' } },
 *   no: 'I avoid it.',
 * }
 */
export interface FactRule {
  /**
   * Patterns by profile key, or by `key: value` with `{slot}`s in the value.
   * The first slot is the value when only the key is named.
   * A key may contain slots too, and must then name an existing key.
   */
  readonly facts: Readonly<Record<string, Patterns>>
  /** Sentences that the rule must not match. */
  readonly no: string
  /** The rule is compiled once for each of these words, which replaces every `@`. */
  readonly each?: readonly string[]
  /** The statement in the third person, with `{who}` and slots. By default the words are rewritten in the third person. */
  readonly text?: string
  /** `over`: a past state. `ended`: the words end a known fact. */
  readonly state?: 'over' | 'ended'
  /** Whether a time in the words dates the event. The default in English is whether the pattern has `did`. */
  readonly happened?: boolean
  /** Whether the rule reads only clauses that name an end in the future: “until Friday”. */
  readonly expires?: boolean
  /** A pattern that must match in the clause, in the time before it, or in the end after it. */
  readonly with?: string
  /** A pattern that must not match in the clause. */
  readonly without?: string
  /** A pattern that must match at the start of the sentence, before the clause. */
  readonly after?: string
  /** Whether later rules are also tried on the same clause. */
  readonly goesOn?: boolean
}

/**
 * Patterns of requests to forget, with the slot `{about}` for the topic. Without the slot, the preceding words are the topic.
 * Introductions and reasons are removed before matching. A pattern sees an explicit request (“could you”, 麻烦你) with `please` or 请
 * before it.
 *
 * @example
 * const unsay: RequestRule = {
 *   forget: { 'unsay what I said about {about:1..20} .': 'Unsay what I said about [Tom].' },
 *   no: 'I cannot unsay it.',
 * }
 */
export interface RequestRule {
  readonly forget: Patterns
  /** Sentences that the rule must not match. */
  readonly no: string
}

export type Rule = FactRule | RequestRule
