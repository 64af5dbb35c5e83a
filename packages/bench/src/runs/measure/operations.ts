import type { GoldOperation } from '../../datasets/conversation.ts'
import type { Verdict } from '../../judges/judge.ts'
import type { AddedDialogue, SystemMemoryItem, SystemOperation } from '../../systems/memory-system.ts'
import { splitWords, type TextLanguage } from '../../metrics/text/split-words.ts'
import { tokenF1 } from '../../metrics/text/overlap.ts'
import { askOutside, entryOf, type Measuring } from './measuring.ts'

/** The gold memories before a turn, in the order that an index refers to. */
export interface GoldState {
  readonly texts: string[]
}

/** Applies a gold operation, so that the next index refers to the new list. */
export function trackGold(gold: GoldState, { kind, target, text }: GoldOperation): void {
  const at = target === null ? -1 : gold.texts.indexOf(target)
  if (kind === 'add' && text !== null) gold.texts.push(text)
  else if (kind === 'modify' && text !== null && at >= 0) gold.texts[at] = text
  else if (kind === 'delete' && at >= 0) gold.texts.splice(at, 1)
}

interface OperationInput {
  readonly operation: GoldOperation
  /** The memories before; `null` when the system does not list them. */
  readonly before: readonly SystemMemoryItem[] | null
  readonly added: AddedDialogue | null
  readonly gold: GoldState
  readonly failure: string | null
}

/**
 * Compares a turn's effect on the memory with the expected one (MMM, equations 11 to 13). The type is right when the expected operation was
 * made and nothing else was changed or dropped. The index is right when the changed memory is the nearest, by token F1, to the expected
 * one. Index and content are counted with the type, and by themselves (`ofAnyType`), as in the equations.
 */
export async function measureOperation(measuring: Measuring, input: OperationInput): Promise<void> {
  const { operation, gold, failure } = input
  const actual = failure === null ? await operationsOf(measuring, input) : []
  if (actual === null) return
  await writeOperation(measuring, { operation, gold, failure, actual })
}

export interface MadeOperations {
  readonly operation: GoldOperation
  readonly actual: readonly SystemOperation[]
  readonly gold: GoldState
  readonly failure: string | null
  /** The memories shown to the updater, of those that existed; absent: unknown. */
  readonly shown?: { readonly texts: readonly string[]; readonly standing: readonly string[] }
}

export async function writeOperation(
  measuring: Pick<Measuring, 'conversation' | 'judge' | 'language' | 'write'>,
  { operation, actual, gold, failure, shown }: MadeOperations,
): Promise<void> {
  const likeness = likenessIn(measuring.language)
  const made = pickLikest(operation, actual, likeness)
  const typeCorrect = failure === null && isTypeCorrect(operation, actual)
  const hasIndex = operation.kind === 'modify' || operation.kind === 'delete'
  const hasContent = operation.kind === 'add' || operation.kind === 'modify'
  const written =
    (typeCorrect ? made : undefined) ?? pickLikest(operation, actual.filter(hasText), likeness, true)
  const judged = hasContent ? await contentOf(measuring, operation, written) : null
  if (hasContent && judged === null) return
  const indexCorrect = hasIndex ? typeCorrect && isIndexCorrect(operation, made, gold, likeness) : null
  const touched = actual.filter(({ before }) => before !== null)
  const ofAnyType = {
    index: hasIndex
      ? touched.length > 0 && touched.every((one) => isIndexCorrect(operation, one, gold, likeness))
      : touched.length === 0,
    content: judged?.verdict ?? !actual.some(hasText),
  }
  measuring.write({
    entry: 'operation',
    ...entryOf(measuring),
    gold: operation,
    actual: actual.map(({ kind, before, after }) => ({ kind, before, after })),
    typeCorrect,
    indexCorrect,
    ...(shown === undefined
      ? {}
      : { indexShown: wasShown(operation, shown, likeness) ? indexCorrect : null }),
    contentCorrect: judged === null ? null : typeCorrect && judged.verdict,
    ofAnyType,
    reason: failure ?? judged?.reason ?? '',
  })
}

/** As the system reports, or else by comparing the memories before and after. */
async function operationsOf(
  measuring: Measuring,
  { added, before }: OperationInput,
): Promise<readonly SystemOperation[] | null> {
  if (added !== null && added.operations !== null) return added.operations
  const after = await measuring.memory.memories()
  return before === null || after === null ? null : compareMemories(before, after)
}

/** The operations between two lists of memories, matched by id. */
export function compareMemories(
  before: readonly SystemMemoryItem[],
  after: readonly SystemMemoryItem[],
): SystemOperation[] {
  const old = new Map(before.map((item) => [item.id, item.text]))
  const now = new Map(after.map((item) => [item.id, item.text]))
  const operations: SystemOperation[] = []
  for (const [memory, text] of old) {
    const next = now.get(memory)
    if (next === undefined) operations.push({ kind: 'delete', memory, before: text, after: null })
    else if (next !== text) operations.push({ kind: 'modify', memory, before: text, after: next })
  }
  for (const [memory, text] of now) {
    if (!old.has(memory)) operations.push({ kind: 'add', memory, before: null, after: text })
  }
  return operations
}

function isTypeCorrect(gold: GoldOperation, actual: readonly SystemOperation[]): boolean {
  if (gold.kind === 'none') return actual.length === 0
  const isUnasked = ({ kind }: SystemOperation): boolean => kind !== 'add' && kind !== gold.kind
  return actual.some(({ kind }) => kind === gold.kind) && !actual.some(isUnasked)
}

function hasText({ after }: SystemOperation): boolean {
  return after !== null
}

/** The most similar operation of the gold kind, or of any. */
function pickLikest(
  gold: GoldOperation,
  actual: readonly SystemOperation[],
  likeness: Likeness,
  isAnyKind = false,
): SystemOperation | undefined {
  const toGold = ({ before, after }: SystemOperation): number =>
    likeness(gold.text ?? gold.target ?? '', after ?? before ?? '')
  return actual
    .filter(({ kind }) => isAnyKind || kind === gold.kind)
    .toSorted((one, other) => toGold(other) - toGold(one))[0]
}

type Likeness = (one: string, other: string) => number

function likenessIn(language: TextLanguage): Likeness {
  const split = (text: string): string[] => splitWords(text, { language })
  return (one, other) => tokenF1(split(one), split(other)).f1
}

function isIndexCorrect(
  operation: GoldOperation,
  made: SystemOperation | undefined,
  gold: GoldState,
  likeness: Likeness,
): boolean {
  const before = made?.before ?? null
  if (before === null) return false
  const nearest = gold.texts.toSorted((one, other) => likeness(other, before) - likeness(one, before))[0]
  return nearest !== undefined && nearest === operation.target && likeness(nearest, before) > 0
}

/** Whether the memory nearest to the expected one was shown. */
function wasShown(
  { target }: GoldOperation,
  { texts, standing }: NonNullable<MadeOperations['shown']>,
  likeness: Likeness,
): boolean {
  if (target === null) return false
  const [nearest] = standing.toSorted((one, other) => likeness(target, other) - likeness(target, one))
  return nearest !== undefined && texts.includes(nearest)
}

async function contentOf(
  measuring: Parameters<typeof writeOperation>[0],
  { text, turn }: GoldOperation,
  made: SystemOperation | undefined,
): Promise<Verdict<boolean> | null> {
  const actual = made?.after ?? null
  if (actual === null || text === null) return { verdict: false, reason: 'no such operation was made' }
  return askOutside(measuring, `verdict on the operation of turn ${turn}`, () =>
    measuring.judge.sameContent({ expected: text, actual }),
  )
}
