// Compiles an application's rules, and tests them on their own sentences.
import { z } from 'zod'
import { InvalidInputError } from '../errors/invalid-input-error.ts'
import type { KeyTable } from '../keys/key-table.ts'
import { splitSentences } from '../terms/split-sentences.ts'
import { PatternError } from './matching/grammar.ts'
import { FactReader, type Finding } from './matching/read-facts.ts'
import { RequestReader, type FoundRequest } from './matching/read-requests.ts'
import type { Patterns, Rule } from './matching/rule.ts'
import { languageOf, RuleBook, shippedRules } from './rule-book.ts'

const text = z.string().trim().min(1)
const texts = z.array(text).min(1)
const patterns = z.record(text, text).refine((all) => Object.keys(all).length > 0, 'there is no pattern')
const requestRule = z.strictObject({ forget: patterns, no: text })
const factRule = z.strictObject({
  facts: z.record(text, patterns).refine((entries) => Object.keys(entries).length > 0, 'there is no key'),
  no: text,
  each: texts.optional(),
  text: text.optional(),
  state: z.enum(['over', 'ended']).optional(),
  happened: z.boolean().optional(),
  expires: z.boolean().optional(),
  with: text.optional(),
  without: text.optional(),
  after: text.optional(),
  goesOn: z.boolean().optional(),
})

/**
 * Compiles a caller's rules after validating their form and testing them on their own sentences.
 *
 * @throws InvalidInputError with the rule, the pattern, and the fault
 */
export async function openRules(given: readonly Rule[], keys: KeyTable): Promise<RuleBook> {
  const throwIfFaulty = (index: number, fault: string | null): void => {
    if (fault !== null) throw new InvalidInputError(`rules[${index}]: ${fault}.`, { rule: index })
  }
  for (const [index, rule] of given.entries())
    throwIfFaulty(index, findFormFault(rule) ?? findPatternFault(rule, keys))
  const book = given.length === 0 ? shippedRules() : new RuleBook(given, keys)
  for (const [index, rule] of given.entries()) throwIfFaulty(index, await findMisread(rule, book))
  return book
}

/** Returns the first field that does not fit the schema, and its fault. */
function findFormFault(rule: unknown): string | null {
  const isRequest = typeof rule === 'object' && rule !== null && 'forget' in rule
  const issue = (isRequest ? requestRule : factRule).safeParse(rule).error?.issues[0]
  return issue === undefined
    ? null
    : [...issue.path.map((part) => `"${String(part)}"`), issue.message].join(': ')
}

/** Compiles all patterns of a rule, and returns the message of the first that fails. */
function findPatternFault(rule: Rule, keys: KeyTable): string | null {
  try {
    makeReader(rule, keys)
    const conditions = 'facts' in rule ? [rule.with, rule.without, rule.after] : []
    for (const source of conditions) if (source !== undefined) languageOf(rule).grammar.pattern(source)
    return null
  } catch (error) {
    if (error instanceof PatternError) return error.message
    throw error
  }
}

function makeReader(rule: Rule, keys: KeyTable): FactReader | RequestReader {
  const language = languageOf(rule)
  return 'facts' in rule ? new FactReader(language, [rule], keys) : new RequestReader(language, [rule])
}

/** Returns how a rule misreads its own test sentences, or `null` if it passes. */
export async function findMisread(rule: Rule, book: RuleBook): Promise<string | null> {
  const facts = await book.factsIn(languageOf(rule))
  // Applies all rules of the language, since an earlier one may match first.
  const read = (sentence: string): readonly (FoundRequest | Finding)[] =>
    'facts' in rule ? facts.read(sentence, 'they', null) : [book.requestIn(sentence) ?? []].flat()
  const patternGroups: readonly Patterns[] = 'facts' in rule ? Object.values(rule.facts) : [rule.forget]
  for (const [pattern, example] of patternGroups.flatMap((patterns) => Object.entries(patterns))) {
    const sentence = example.replace(/[[\]]/g, '')
    const wordsInBrackets = example.match(/(?<=\[)[^\]]*/g) ?? []
    const found = read(sentence).find(({ by }) => by.rule === rule && by.source === pattern)
    if (found === undefined) return `the pattern "${pattern}" does not read its own sentence "${sentence}"`
    if (found.taken.join('|') !== wordsInBrackets.join('|'))
      return `the pattern "${pattern}" takes "${found.taken.join('", "')}" from "${sentence}", not what is marked there`
  }
  for (const { text: sentence } of splitSentences(rule.no)) {
    const found = read(sentence).find(({ by }) => by.rule === rule)
    if (found !== undefined)
      return `the pattern "${found.by.source}" reads "${sentence}", which it must leave alone`
  }
  return null
}
