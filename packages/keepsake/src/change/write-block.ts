// Writes and edits the blocks of an agent.
import { InvalidInputError, describeValue, readName, readText } from '@keepsake/text'
import { NotFoundError, NotPossibleError } from '../errors/errors.ts'
import { requireKept, sentencesToScreen } from '../consolidate/screen-texts.ts'
import type { ScreenedText } from '../guidelines/guidelines.ts'
import { candidateOf, memoryOf } from '../memories/candidate.ts'
import { evidenceWith, type Evidence } from '../memories/evidence.ts'
import type { Memory } from '../memories/memory.ts'
import type { MemoryChange } from '../memories/operation.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import type { Engine } from '../work/engine.ts'
import { originOf } from '../work/scope-view.ts'
import { openWriter } from '../work/scope-guidelines.ts'
import { decideAndCommit, tryDecision, type UnitOfWork } from '../work/unit-of-work.ts'
import { memoryNamed } from './keep-note.ts'
import { readEvidence, type FactEvidence } from './state-memory.ts'

const DEFAULT_LIMIT = 2_000
const MAX_LIMIT = 100_000

/** Options of `writeBlock()`. */
export interface BlockOptions {
  /** Maximum number of characters, up to 100,000. When absent, the limit stays; a new block has 2,000. */
  readonly limit?: number
  /** The turns that support the text, in addition to those of earlier versions. Erasing one of them erases the block. */
  readonly evidence?: readonly FactEvidence[]
}

/** An edit of a block: `find` and `replace`, `insert`, or `rename`. */
export interface BlockEdit {
  /** Words that occur exactly once in the block. */
  readonly find?: string
  /** The words that replace them; empty to remove them. */
  readonly replace?: string
  /** Lines to add. */
  readonly insert?: string
  /** The line after which they are inserted; 0 for the top, the end when absent. */
  readonly line?: number
  /** The new name of the block. */
  readonly rename?: string
  /** The turns that support the change, added to the block's evidence. */
  readonly evidence?: readonly FactEvidence[]
}

/** Makes a block, or replaces the text of the block with that name. */
export async function writeBlock(
  engine: Engine,
  row: ScopeRow,
  block: { readonly name: string; readonly text: string },
  options: BlockOptions,
): Promise<Memory> {
  const name = readName(block.name, 'name')
  await engine.textGate.requireNames({ name })
  const text = await engine.textGate.admit(readText(block.text, 'A block'))
  const limit = options.limit === undefined ? null : readLimit(options.limit)
  const evidence = await readEvidence(engine, row, options.evidence)
  const write = (unit: UnitOfWork): Memory => {
    const known = memoryNamed(unit, name, 'block')
    if (known !== undefined) return changeBlock(unit, known, { text, limit: limit ?? known.limit }, evidence)
    return addBlock(unit, { name, text, limit: limit ?? DEFAULT_LIMIT }, evidence)
  }
  return commitBlock(engine, row, write)
}

/** Edits the block with that name. The edit applies to the text at the time of the commit. */
export async function editBlock(
  engine: Engine,
  row: ScopeRow,
  givenName: string,
  edit: BlockEdit,
): Promise<Memory> {
  const name = readName(givenName, 'name')
  const { find, replace, insert, line } = edit
  const isReplacing = find !== undefined || replace !== undefined
  const isInserting = insert !== undefined || line !== undefined
  if (Number(isReplacing) + Number(isInserting) + Number(edit.rename !== undefined) !== 1)
    throw new InvalidInputError('An edit of a block takes find and replace, or insert, or rename.')
  const newName = edit.rename === undefined ? undefined : readName(edit.rename, 'edit.rename')
  await engine.textGate.requireNames({ 'edit.rename': newName })
  let rewrite = (text: string): string => text
  if (isReplacing) rewrite = await makeReplacement(engine, name, find, replace)
  if (isInserting) rewrite = makeInsertion(name, insert, line)
  const evidence = await readEvidence(engine, row, edit.evidence)
  const decide = async (unit: UnitOfWork): Promise<Memory> => {
    const known = memoryNamed(unit, name, 'block')
    if (known === undefined) throw new NotFoundError('block', name)
    if (newName !== undefined && newName !== name && unit.state.memoryNamed(row.scope, newName) !== undefined)
      throw new NotPossibleError(
        `There is a block or note named "${newName}" already. Remove it first, or choose another name.`,
        { name: newName },
      )
    const text = await engine.textGate.admit(rewrite(known.text))
    return changeBlock(unit, known, { text, name: newName ?? name }, evidence)
  }
  return commitBlock(engine, row, decide)
}

/** Commits a decision about a block, if the guidelines allow the sentences that it adds. */
async function commitBlock(
  engine: Engine,
  row: ScopeRow,
  decide: (unit: UnitOfWork) => Memory | Promise<Memory>,
): Promise<Memory> {
  const { never, checking } = await openWriter(engine, row, 'extraction')
  if (never.length > 0) {
    const { result, unit } = await tryDecision(engine, row, decide)
    const known = unit.state.memories.get(result.id)
    const knownSentences = new Set(sentencesOf(known).map(({ text }) => text))
    const added = sentencesOf(result).filter(({ text }) => !knownSentences.has(text))
    await requireKept('block', added, never, checking)
  }
  return (await decideAndCommit(engine, row, decide)).result
}

function sentencesOf(block: Pick<Memory, 'name' | 'text'> | undefined): ScreenedText[] {
  return block === undefined ? [] : sentencesToScreen(`${block.name ?? ''}\n${block.text}`)
}

/** Checks that a text is within the limit of its block. @throws InvalidInputError */
export function requireFits({ name, limit }: Pick<Memory, 'name' | 'limit'>, text: string): void {
  const characters = Array.from(text).length
  if (limit === null || characters <= limit) return
  throw new InvalidInputError(
    `Block "${name ?? ''}" takes ${limit} characters, and this text has ${characters}. Shorten it, or write it with a higher limit. Nothing was changed.`,
    { limit, characters },
  )
}

function readLimit(limit: unknown): number {
  if (typeof limit === 'number' && Number.isInteger(limit) && limit >= 1 && limit <= MAX_LIMIT) return limit
  throw new InvalidInputError(
    `limit must be a whole number of characters from 1 to ${MAX_LIMIT}, but it is ${describeValue(limit)}.`,
  )
}

async function makeReplacement(
  { textGate }: Engine,
  name: string,
  find: unknown,
  replace: unknown,
): Promise<(text: string) => string> {
  // Stored text is normalised and masked, so the words to find must be, too.
  const searched = await textGate.admit(readText(find, 'edit.find'))
  const replacement = readText(replace, 'edit.replace')
  if (searched === '')
    throw new InvalidInputError('edit.find is empty. Give words that the block holds once.')
  return (text) => {
    const times = text.split(searched).length - 1
    if (times === 1) return text.replace(searched, () => replacement)
    const problem =
      times === 0
        ? 'does not hold the words to find. Read it again'
        : `holds the words to find ${times} times. Give more of the text around the ones that are meant`
    throw new NotPossibleError(`Block "${name}" ${problem}. Nothing was changed.`, { name, times })
  }
}

function makeInsertion(name: string, insert: unknown, line: unknown): (text: string) => string {
  const added = readText(insert, 'edit.insert').replace(/\n$/, '')
  return (text) => {
    const lines = text.split('\n')
    // If the text ends with a line break, the empty rest is no line.
    const place = line ?? (lines.at(-1) === '' ? lines.length - 1 : lines.length)
    if (typeof place !== 'number' || !Number.isInteger(place) || place < 0 || place > lines.length)
      throw new InvalidInputError(
        `edit.line must be a line of block "${name}", from 0 to ${lines.length}, but it is ${describeValue(line)}.`,
      )
    return lines.toSpliced(place, 0, added).join('\n')
  }
}

function addBlock(
  { engine, changes, moment }: UnitOfWork,
  { name, text, limit }: { readonly name: string; readonly text: string; readonly limit: number },
  evidence: readonly Evidence[],
): Memory {
  requireFits({ name, limit }, text)
  const { now, sessionNumber, round } = moment
  const candidate = candidateOf({ form: 'block', type: 'persona', text, evidence, validFrom: now })
  const setting = { session: '', sessionNumber, round, learnedAt: now }
  const block = memoryOf({ ...candidate, label: 'agent-stated' }, setting, { name, limit })
  return changes.add(block, originOf(engine, 'api'))
}

/** Sets the fields that differ. A new text is valid from now on. The log keeps the former one. */
function changeBlock(
  { engine, changes, moment }: UnitOfWork,
  known: Memory,
  { text, limit = known.limit, name = known.name }: Pick<MemoryChange, 'limit' | 'name'> & { text: string },
  added: readonly Evidence[],
): Memory {
  requireFits({ name, limit }, text)
  const evidence = evidenceWith(known, added)
  const after: MemoryChange = {
    ...(text === known.text ? {} : { text, validFrom: moment.now }),
    ...(limit === known.limit ? {} : { limit }),
    ...(name === known.name ? {} : { name }),
    ...(evidence.length === known.evidence.length ? {} : { evidence }),
  }
  if (Object.keys(after).length === 0) return known
  changes.change('modify', known.id, after, originOf(engine, 'api'))
  return changes.read(known.id) ?? known
}
