/**
 * Patterns, each with a sentence that it must read: its test. Brackets mark what its slots take there, in the order of
 * the pattern.
 */
export type Patterns = Readonly<Record<string, string>>

/**
 * Statements people make about themselves, as patterns. Chinese where a pattern holds Chinese characters, else English.
 * Rules are tried in order, and in a rule its patterns; the first that matches a clause is taken.
 *
 * | written               | takes                                                                              |
 * | --------------------- | ---------------------------------------------------------------------------------- |
 * | `live` · `住在`       | the word, in any of its forms (`lives`, `lived`) · these characters                |
 * | `NOUN` `ADJ` `VERB` … | a word that the tagger takes for one (universal part-of-speech tags; English only) |
 * | `CAPITAL` `INFLECTED` | a capitalised word, a word in another than its base form                           |
 * | `DIGITS` `##`         | a word that begins with a digit, a number of two digits                            |
 * | `-ing` `_`            | a word that ends so, any word                                                      |
 * | `(a\|b)` `[a\|b]`     | one of them, one of them or nothing                                                |
 * | `a*` `a+`             | any number of them, one or more                                                    |
 * | `!a` `&a`             | nothing, where that does not follow, or does                                       |
 * | `<we>`                | a phrase of `english/phrases.ts` or `chinese/phrases.ts`                           |
 * | `{thing}`             | … kept under its name; `{what:thing}` under another                                |
 * | `{thing/trade}`       | … whose main noun, or last word, is a `<trade>`; `/!trade` where it is none        |
 * | `{1..8}` `{who:1..8}` | as few words as will do, one to eight; kept as `value`, or under another name      |
 * | `.` · `。`            | nothing: the clause ends here (in Chinese also before 了, 吧 and the like)         |
 *
 * English clauses begin with `I`, `we`, `my` or `our` and are matched without adverbs. Before the verb stand only
 * `can`, `not` and its tense: `did` for the past, `have` for the perfect, `be` for what goes on or is done to somebody.
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
   * Patterns by the key of the persona sheet that they tell, or by `key: value`, where `{slot}`s in the value are
   * filled. The first slot is the value when only the key is named. A key may hold slots too; the whole must then be
   * the name of a key that there is.
   */
  readonly facts: Readonly<Record<string, Patterns>>
  /** Sentences it must leave alone. */
  readonly no: string
  /** Reads the rule once for each of these words, put in the place of `@` wherever it stands. */
  readonly each?: readonly string[]
  /** The statement in the third person, with `{who}` and slots to be filled. What was said, turned, when absent. */
  readonly text?: string
  /** `over`: it was so and no longer is. `ended`: the words say that a known fact ends. */
  readonly state?: 'over' | 'ended'
  /** Whether a time in the words tells when it happened. In English, when absent: whether the pattern holds `did`. */
  readonly happened?: boolean
  /** Must be found in the clause, or in the time that leads in to it. */
  readonly with?: string
  /** Must not be found in the clause. */
  readonly without?: string
  /** What the sentence must begin with, before the clause. */
  readonly after?: string
  /** Rules behind it are tried on the same clause as well. */
  readonly goesOn?: boolean
}

/**
 * Ways to ask that something be forgotten, with the slot `{about}` for what; without it, what was just said is meant.
 * Sentences are matched without what leads in to the request and the reasons behind it. Where it is asked for in so many
 * words (“could you”, 麻烦你), `please` or 请 stands before it.
 *
 * @example
 * const unsay: RequestRule = {
 *   forget: { 'unsay what I said about {about:1..20} .': 'Unsay what I said about [Tom].' },
 *   no: 'I cannot unsay it.',
 * }
 */
export interface RequestRule {
  readonly forget: Patterns
  /** Sentences it must leave alone. */
  readonly no: string
}

export type Rule = FactRule | RequestRule
