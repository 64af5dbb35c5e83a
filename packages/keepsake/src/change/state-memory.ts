// Stores facts that the application states, and rereads the value of an edited fact.
import { isDeepStrictEqual } from 'node:util'
import {
  InvalidInputError,
  describeValue,
  didYouMean,
  findKey,
  findTerms,
  readMoment,
  readName,
  readText,
  readTime,
  requireKnownOptions,
  type Finding,
  type KeyTable,
  type PersonaKey,
  languageOfTalk,
  splitSentences,
  type RuleBook,
  escapePattern,
} from '@keepsake/text'
import { requireKept } from '../consolidate/screen-texts.ts'
import { NotFoundError } from '../errors/errors.ts'
import { readGiven, type TypedKey } from '../filing/own-keys.ts'
import { applyDecisions } from '../merge/apply-decisions.ts'
import type { MergeDecision } from '../merge/merge-decisions.ts'
import { knownFacts, mergeByKey } from '../merge/merge-facts.ts'
import { matchValues } from '../merge/value-likeness.ts'
import { candidateOf, type Candidate } from '../memories/candidate.ts'
import type { Evidence } from '../memories/evidence.ts'
import { locateQuote } from '../memories/locate-quote.ts'
import { MEMORY_TYPES, type Memory } from '../memories/memory.ts'
import type { Json, Metadata } from '@keepsake/text/names'
import type { ScopeRow } from '../scopes/scope.ts'
import type { Turn } from '../turns/turn.ts'
import { admitMetadata } from '../metadata/admit-metadata.ts'
import type { Engine } from '../work/engine.ts'
import { guidelinesOf } from '../work/scope-guidelines.ts'
import { originOf } from '../work/scope-view.ts'
import { decideAndCommit, type UnitOfWork } from '../work/unit-of-work.ts'

/** A supporting turn, by its id, optionally with a quote. */
export type FactEvidence = string | { readonly turn: string; readonly quote?: string | null }

/** Options of a stated fact. */
export interface AddFactOptions {
  /** The memory's type. By default the type of its key, or `persona`. */
  readonly type?: Memory['type']
  /** The subject: `user` when absent, or a name. */
  readonly subject?: string
  /** The key of the persona sheet, such as `residence`. The key decides how the fact is merged with known ones. */
  readonly key?: string
  /** The value for that key, such as `Lyon`, or a value of an own key's type. When absent, rules read it from the text. */
  readonly value?: Json
  /** One of `openMemory({ categories })`. */
  readonly category?: string
  /** The supporting turns. */
  readonly evidence?: readonly FactEvidence[]
  /** Start of validity. By default the time of its latest turn, or now. */
  readonly at?: Date | number | string
  /** End of validity. It may be in the future, like the end of a permit. */
  readonly until?: Date | number | string
  /** Metadata. By default the metadata of its turns. */
  readonly metadata?: Metadata
}

/** A stated fact after its check, with the turns that support it. */
interface Statement {
  readonly candidate: Candidate
  readonly turns: readonly Turn[]
  readonly metadata: Metadata | null
}

/** Stores a fact that the application states, without grounding, and merges it with known facts. */
export async function stateMemory(
  engine: Engine,
  row: ScopeRow,
  text: string,
  options: AddFactOptions,
): Promise<Memory> {
  const stated = await readStatement(engine, row, text, options)
  await requireKept('statement', [stated.candidate], (await guidelinesOf(engine, row)).never, null)
  return (await decideAndCommit(engine, row, (unit) => mergeStatement(unit, stated))).result
}

function mergeStatement(unit: UnitOfWork, { candidate, turns, metadata }: Statement): Memory {
  const { engine, row, changes, moment } = unit
  const table = engine.preset.keyTable
  const decisions = mergeByKey(knownFacts(unit).live(), [candidate], {
    table,
    exactKeys: engine.filing.keys,
    isAlike: matchValues(engine),
    now: engine.now(),
  })
  const origin = originOf(engine, 'api')
  const { sessionNumber, round } = moment
  const session = turns.at(-1)?.session ?? ''
  const source = { scope: row.scope, session, sessionNumber, round, turns, at: moment.now }
  applyDecisions(unit, decisions, source, origin)
  const memory = findMerged(unit, decisions, candidate)
  if (metadata === null) return memory
  const { category } = candidate
  const withCategory = category === undefined ? metadata : { ...metadata, category }
  if (isDeepStrictEqual(memory.metadata, withCategory)) return memory
  changes.change('modify', memory.id, { metadata: withCategory }, origin)
  return changes.read(memory.id) ?? memory
}

/** Returns the memory that states the candidate after the merge: the confirmed, changed or added fact. */
function findMerged(
  { changes }: UnitOfWork,
  decisions: readonly MergeDecision[],
  { text }: Candidate,
): Memory {
  const last = decisions.findLast(({ kind }) => kind !== 'delete')
  const isAdded = last === undefined || last.kind === 'add'
  const memory = isAdded
    ? changes.memories.findLast(
        (memory) => memory.form === 'fact' && memory.status === 'live' && memory.text === text,
      )
    : changes.read(last.memory)
  if (memory === undefined) throw new Error('no memory holds the merged statement')
  return memory
}

async function readStatement(
  engine: Engine,
  row: ScopeRow,
  statement: unknown,
  options: AddFactOptions,
): Promise<Statement> {
  const admit = (text: string): Promise<string> => engine.textGate.admit(text)
  const text = await admit(readText(statement, 'A statement'))
  if (text.trim() === '') throw new InvalidInputError('A statement needs words: it is one plain sentence.')
  const turns = await readTurnsOf(engine, row, options.evidence ?? [])
  const evidence = locateEvidence(options.evidence ?? [], turns)
  await engine.textGate.requireNames({ subject: options.subject, key: options.key })
  const subject = options.subject === undefined ? 'user' : await admit(readName(options.subject, 'subject'))
  const { key, value } = await readKeyAndValue(engine, { subject, text }, options)
  const typedKey = engine.filing.keys.get(key?.id ?? '')
  const type = readType(options.type) ?? key?.type ?? 'persona'
  const fields = { type, subject, text, key: key?.id ?? null, value: key === null ? null : value }
  const category = readCategory(engine, options.category) ?? typedKey?.category
  const categoryField = category === undefined ? {} : { category }
  const validity = readValidity(engine, turns, options)
  const candidate = candidateOf({ ...fields, ...categoryField, evidence, ...validity })
  return {
    candidate: { ...candidate, label: isFromUser(turns) ? 'user-stated' : 'other' },
    turns,
    metadata: await admitMetadata(engine, options.metadata, 'metadata'),
  }
}

/** Reads the key and value of a statement: from the options, or by rules from its text. */
async function readKeyAndValue(
  engine: Engine,
  statement: Pick<Memory, 'subject' | 'text'>,
  options: AddFactOptions,
): Promise<{ readonly key: PersonaKey | null; readonly value: string | null }> {
  const foundInText = options.key === undefined ? await findKeyInText(engine, statement) : null
  const namedKey = options.key === undefined ? null : requireKey(engine.preset.keyTable, options.key)
  const key = foundInText?.key ?? namedKey
  const typedKey = engine.filing.keys.get(key?.id ?? '')
  const optionValue = await readOptionValue(engine, typedKey, options.value)
  const value = optionValue ?? foundInText?.value ?? (await readValue(engine, key, statement))
  return {
    key,
    value: value === null || typedKey === undefined ? value : readGiven(typedKey, value, 'value'),
  }
}

/** Reads the value of the options; `null` without one. */
async function readOptionValue(
  { textGate }: Engine,
  typedKey: TypedKey | undefined,
  value: Json | undefined,
): Promise<string | null> {
  if (value === undefined) return null
  const written = typedKey === undefined ? value : readGiven(typedKey, value, 'value')
  const admitted = await textGate.admit(readText(written, 'value'))
  if (admitted.trim() !== '') return admitted
  throw new InvalidInputError('value must not be blank. Leave it out, and it is read from the words.')
}

/** Reads the start and end of validity. By default a statement holds from the time of its latest turn, or from now. */
function readValidity(
  engine: Engine,
  turns: readonly Turn[],
  { at, until }: AddFactOptions,
): Pick<Candidate, 'validFrom' | 'validUntil'> {
  const now = engine.now()
  const latestTurn = turns.length === 0 ? now : Math.max(...turns.map((turn) => turn.at))
  const validFrom = at === undefined ? latestTurn : readMoment(at, 'at', now)
  const validUntil = until === undefined ? null : readTime(until, 'until')
  if (validUntil !== null && validUntil < validFrom)
    throw new InvalidInputError('until must not be before at: the statement would hold at no time.')
  return { validFrom, validUntil }
}

/** Checks a category. @throws InvalidInputError for one that `openMemory` was not given */
function readCategory({ filing: { categories } }: Engine, name: string | undefined): string | undefined {
  if (name === undefined || categories.has(name)) return name
  throw new InvalidInputError(`There is no category "${name}". ${didYouMean(name, [...categories.keys()])}`)
}

/** Finds a key by its id or one of its names. @throws InvalidInputError */
function requireKey(table: KeyTable, name: string): PersonaKey {
  const key = findKey(table, readName(name, 'key'))
  if (key !== undefined) return key
  throw new InvalidInputError(`There is no persona key "${name}". ${didYouMean(name, [...table.keys()])}`, {
    key: name,
  })
}

function isFromUser(turns: readonly Turn[]): boolean {
  return turns.length > 0 && turns.every(({ role }) => role === 'user')
}

function readType(type: AddFactOptions['type']): Memory['type'] | null {
  if (type === undefined) return null
  if (MEMORY_TYPES.includes(type)) return type
  throw new InvalidInputError(
    `type must be one of ${MEMORY_TYPES.join(', ')}, but it is ${describeValue(type)}.`,
  )
}

async function readValue(
  engine: Engine,
  key: PersonaKey | null,
  { subject, text }: Pick<Memory, 'subject' | 'text'>,
): Promise<string | null> {
  if (key === null) return null
  const value = await rereadValue(engine.rules, { key: key.id, value: null, subject }, text)
  if (value !== null) return value
  throw new InvalidInputError(
    `A statement under the key "${key.id}" needs its value, and its words tell none by rules: give { value }.`,
    { key: key.id },
  )
}

/** Finds the key and value of a statement that is given without a key; `null` unless rules read exactly one fact in it. */
async function findKeyInText(
  { rules, preset }: Engine,
  { subject, text }: Pick<Memory, 'subject' | 'text'>,
): Promise<{ readonly key: PersonaKey; readonly value: string } | null> {
  const [finding, ...others] = await findingsIn(rules, subject, text)
  const key = preset.keyTable.get(finding?.key ?? '')
  if (finding?.state !== 'holds' || others.length > 0 || key === undefined) return null
  // A statement that says more than its value gets no key, since a merge by key would lose the rest.
  const valueTerms = new Set(findTerms(finding.value))
  const otherTerms = findTerms(inFirstPerson(text, subject)).filter((term) => !valueTerms.has(term))
  return otherTerms.length > 1 ? null : { key, value: finding.value }
}

async function findingsIn(rules: RuleBook, subject: string, text: string): Promise<readonly Finding[]> {
  const reader = await rules.factsIn(languageOfTalk(text))
  return splitSentences(inFirstPerson(text, subject)).flatMap((sentence) =>
    reader.read(sentence.text, 'they', null),
  )
}

async function readTurnsOf(
  engine: Engine,
  { owner, scope }: ScopeRow,
  evidence: readonly FactEvidence[],
): Promise<readonly Turn[]> {
  if (!Array.isArray(evidence))
    throw new InvalidInputError(`evidence must be a list of turns, but it is ${describeValue(evidence)}.`)
  const ids = evidence.map((source: FactEvidence, index) => {
    if (typeof source === 'object' && source !== null)
      requireKnownOptions(source, ['turn', 'quote'], `evidence[${index}]`)
    return readName(typeof source === 'string' ? source : source?.turn, `evidence[${index}]`)
  })
  if (ids.length === 0) return []
  const state = await engine.users.load(owner)
  const turns = [...new Set(ids)].map((id) => {
    const turn = state.turns.get(id)
    if (turn?.scope !== scope) throw new NotFoundError('turn', id)
    return turn
  })
  return turns.sort((a, b) => a.position - b.position)
}

/** Checks turns and quotes that are given as evidence. @throws InvalidInputError, NotFoundError */
export async function readEvidence(
  engine: Engine,
  row: ScopeRow,
  evidence: readonly FactEvidence[] = [],
): Promise<Evidence[]> {
  return locateEvidence(evidence, await readTurnsOf(engine, row, evidence))
}

/** Finds each quote in its turn. @throws InvalidInputError for words that the turn does not contain */
function locateEvidence(evidence: readonly FactEvidence[], turns: readonly Turn[]): Evidence[] {
  return evidence.map((source): Evidence => {
    const { turn: id, quote = null } = typeof source === 'string' ? { turn: source } : source
    if (quote === null) return { turn: id, quote }
    const words = locateQuote(turns.find((turn) => turn.id === id)?.text ?? '', readText(quote, 'quote'))
    if (words !== null) return { turn: id, quote: words }
    throw new InvalidInputError(`Turn "${id}" does not hold the words of its quote.`, { turn: id })
  })
}

/** Reads the value of a corrected fact by rules. If they find none, returns the former value if the text has it, or else `null`. */
export async function rereadValue(
  rules: RuleBook,
  { key, value, subject }: Pick<Memory, 'key' | 'value' | 'subject'>,
  text: string,
): Promise<string | null> {
  const findings = await findingsIn(rules, subject, text)
  const read = findings.find((finding) => finding.key === key && finding.state !== 'ended')
  const isStillSaid = value !== null && text.toLowerCase().includes(value.toLowerCase())
  return read?.value ?? (isStillSaid ? value : null)
}

/** Matches a name at the start of a statement: “Maya lives in Leeds.” */
const NAME_OF_SUBJECT =
  /^(?!(?:My|Our|The|Their|His|Her|I)\b)\p{Lu}\p{Ll}+(?: \p{Lu}\p{Ll}+)?(['’]s)?(?=\s+\p{Ll})/u

/** Rewrites a statement about its subject as the subject's own words: “Maya lives in Leeds” as “I lives in Leeds”. */
function inFirstPerson(text: string, subject: string): string {
  const name = escapePattern(subject)
  return text
    .replace(new RegExp(`^(?:the user|user|${name})['’]s\\b`, 'i'), 'My')
    .replace(new RegExp(`^(?:the user|user|${name}|(?:he|she|they)(?=\\s))\\b`, 'i'), 'I')
    .replace(NAME_OF_SUBJECT, (_, possessive: string | undefined) => (possessive === undefined ? 'I' : 'My'))
    .replace(new RegExp(`^(?:用户|${name}|[他她])`), '我')
}
