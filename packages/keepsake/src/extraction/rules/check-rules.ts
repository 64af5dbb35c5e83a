import { z } from 'zod'
import { InvalidInputError } from '../../errors/invalid-input-error.ts'
import type { KeyTable } from '../../persona/key-table.ts'
import { PatternError } from './matching/grammar.ts'
import { readFacts } from './matching/read-facts.ts'
import type { Patterns, Rule } from './matching/rule.ts'
import { languageOf, readyRule, RuleBook } from './rule-book.ts'
import { tongueIn } from './tongues.ts'

const text = z.string().trim().min(1)
const texts = z.array(text).min(1)
const patterns = z.record(text, text).refine((all) => Object.keys(all).length > 0, 'there is no pattern')
const requestRule = z.strictObject({ forget: patterns, no: texts })
const factRule = z.strictObject({
  facts: z.record(text, patterns).refine((all) => Object.keys(all).length > 0, 'there is no key'),
  no: texts,
  each: texts.optional(),
  text: text.optional(),
  state: z.enum(['over', 'ended']).optional(),
  happened: z.boolean().optional(),
  with: text.optional(),
  without: text.optional(),
  after: text.optional(),
  bare: z.boolean().optional(),
  goesOn: z.boolean().optional(),
})

/**
 * Makes a caller's rules ready, once their form is right and their own sentences are read as they say.
 *
 * @throws InvalidInputError names the rule, the pattern, and what is wrong with it
 */
export async function openRules(given: readonly Rule[], keys: KeyTable): Promise<RuleBook> {
  const check = (at: number, wrong: string | null): void => {
    if (wrong !== null) throw new InvalidInputError(`rules[${at}]: ${wrong}.`, { rule: at })
  }
  for (const [at, rule] of given.entries()) check(at, findMalformed(rule) ?? findUnreadable(rule, keys))
  const book = new RuleBook(given, keys)
  for (const [at, rule] of given.entries()) check(at, await findMisread(rule, book))
  return book
}

function findMalformed(rule: unknown): string | null {
  const isRequest = typeof rule === 'object' && rule !== null && 'forget' in rule
  const issue = (isRequest ? requestRule : factRule).safeParse(rule).error?.issues[0]
  return issue === undefined
    ? null
    : [...issue.path.map((part) => `"${String(part)}"`), issue.message].join(': ')
}

function findUnreadable(rule: Rule, keys: KeyTable): string | null {
  try {
    const { facts } = readyRule(rule, keys)
    const unknown = facts.find(({ key }) => !key.includes('{') && !keys.has(key))
    return unknown === undefined ? null : `"${unknown.key}" is no key of the persona sheet`
  } catch (error) {
    if (error instanceof PatternError) return error.message
    throw error
  }
}

/** What a rule reads otherwise than its own sentences say; `null` where all is well. */
export async function findMisread(rule: Rule, book: RuleBook): Promise<string | null> {
  const read = await readerFor(rule, book)
  const shown: readonly Patterns[] = 'facts' in rule ? Object.values(rule.facts) : [rule.forget]
  for (const [pattern, example] of shown.flatMap((all) => Object.entries(all))) {
    const sentence = example.replace(/[[\]]/g, '')
    const marked = example.match(/(?<=\[)[^\]]*/g) ?? []
    const found = read(sentence).find(({ by }) => by.rule === rule && by.source === pattern)
    if (found === undefined) return `the pattern "${pattern}" does not read its own sentence "${sentence}"`
    if (found.taken.join('|') !== marked.join('|'))
      return `the pattern "${pattern}" takes "${found.taken.join('", "')}" from "${sentence}", not what is marked there`
  }
  for (const sentence of rule.no) {
    const found = read(sentence).find(({ by }) => by.rule === rule)
    if (found !== undefined)
      return `the pattern "${found.by.source}" reads "${sentence}", which it must leave alone`
  }
  return null
}

interface Read {
  readonly by: { readonly rule: Rule; readonly source: string }
  readonly taken: readonly string[]
}

/** Reads a sentence by all rules of the language: one that stands before may read it first. */
async function readerFor(rule: Rule, book: RuleBook): Promise<(sentence: string) => readonly Read[]> {
  if ('forget' in rule) return (sentence) => book.requestIn(sentence)
  const tongue = await tongueIn(languageOf(rule))
  const patterns = book.factsIn(tongue.language)
  return (sentence) => readFacts({ sentence, who: tongue.unnamed.user, before: null }, patterns, tongue)
}
