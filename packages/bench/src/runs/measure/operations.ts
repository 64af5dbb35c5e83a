import type { GoldOperation } from '../../datasets/conversation.ts'
import type { Verdict } from '../../judges/judge.ts'
import type { AddedDialogue, SystemMemoryItem, SystemOperation } from '../../systems/memory-system.ts'
import { splitWords, type TextLanguage } from '../../metrics/text/split-words.ts'
import { tokenF1 } from '../../metrics/text/overlap.ts'
import { askTool, entryOf, type Measuring } from './measuring.ts'

/** The gold memories before a turn, in the order of their indexes. */
export interface GoldState {
  readonly texts: string[]
}

/** Applies a gold operation, so that the next index refers to the new list. */
export function applyGoldOperation(gold: GoldState, { kind, target, text }: GoldOperation): void {
  const index = target === null ? -1 : gold.texts.indexOf(target)
  if (kind === 'add' && text !== null) gold.texts.push(text)
  else if (kind === 'modify' && text !== null && index >= 0) gold.texts[index] = text
  else if (kind === 'delete' && index >= 0) gold.texts.splice(index, 1)
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
  /** The memories shown to the updater, and all that existed; absent when unknown. */
  readonly shown?: { readonly texts: readonly string[]; readonly standing: readonly string[] }
}

export async function writeOperation(
  measuring: Pick<Measuring, 'conversation' | 'judge' | 'language' | 'write'>,
  { operation, actual, gold, failure, shown }: MadeOperations,
): Promise<void> {
  const similarity = similarityOf(measuring.language)
  const chosen = mostSimilarOperation(operation, actual, similarity)
  const typeCorrect = failure === null && isTypeCorrect(operation, actual)
  const hasIndex = operation.kind === 'modify' || operation.kind === 'delete'
  const hasContent = operation.kind === 'add' || operation.kind === 'modify'
  const written =
    (typeCorrect ? chosen : undefined) ??
    mostSimilarOperation(operation, actual.filter(hasText), similarity, true)
  const judged = hasContent ? await judgeContent(measuring, operation, written) : null
  if (hasContent && judged === null) return
  const indexCorrect = hasIndex ? typeCorrect && isIndexCorrect(operation, chosen, gold, similarity) : null
  const changes = actual.filter(({ before }) => before !== null)
  const ofAnyType = {
    index: hasIndex
      ? changes.length > 0 && changes.every((left) => isIndexCorrect(operation, left, gold, similarity))
      : changes.length === 0,
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
      : { indexShown: wasShown(operation, shown, similarity) ? indexCorrect : null }),
    contentCorrect: judged === null ? null : typeCorrect && judged.verdict,
    ofAnyType,
    reason: failure ?? judged?.reason ?? '',
  })
}

/** Returns the operations that the system reports, or else compares its memories before and after. */
async function operationsOf(
  measuring: Measuring,
  { added, before }: OperationInput,
): Promise<readonly SystemOperation[] | null> {
  if (added !== null && added.operations !== null) return added.operations
  const after = await measuring.memory.memories()
  return before === null || after === null ? null : compareMemories(before, after)
}

/** Derives operations from two lists of memories, matched by id. */
export function compareMemories(
  before: readonly SystemMemoryItem[],
  after: readonly SystemMemoryItem[],
): SystemOperation[] {
  const oldTexts = new Map(before.map((item) => [item.id, item.text]))
  const newTexts = new Map(after.map((item) => [item.id, item.text]))
  const operations: SystemOperation[] = []
  for (const [memory, text] of oldTexts) {
    const newText = newTexts.get(memory)
    if (newText === undefined) operations.push({ kind: 'delete', memory, before: text, after: null })
    else if (newText !== text) operations.push({ kind: 'modify', memory, before: text, after: newText })
  }
  for (const [memory, text] of newTexts) {
    if (!oldTexts.has(memory)) operations.push({ kind: 'add', memory, before: null, after: text })
  }
  return operations
}

function isTypeCorrect(gold: GoldOperation, actual: readonly SystemOperation[]): boolean {
  if (gold.kind === 'none') return actual.length === 0
  const isUnexpected = ({ kind }: SystemOperation): boolean => kind !== 'add' && kind !== gold.kind
  return actual.some(({ kind }) => kind === gold.kind) && !actual.some(isUnexpected)
}

function hasText({ after }: SystemOperation): boolean {
  return after !== null
}

function mostSimilarOperation(
  gold: GoldOperation,
  actual: readonly SystemOperation[],
  similarity: Similarity,
  isAnyKind = false,
): SystemOperation | undefined {
  const similarityToGold = ({ before, after }: SystemOperation): number =>
    similarity(gold.text ?? gold.target ?? '', after ?? before ?? '')
  return actual
    .filter(({ kind }) => isAnyKind || kind === gold.kind)
    .toSorted((left, other) => similarityToGold(other) - similarityToGold(left))[0]
}

type Similarity = (left: string, other: string) => number

function similarityOf(language: TextLanguage): Similarity {
  const split = (text: string): string[] => splitWords(text, { language })
  return (left, other) => tokenF1(split(left), split(other)).f1
}

function isIndexCorrect(
  operation: GoldOperation,
  chosen: SystemOperation | undefined,
  gold: GoldState,
  similarity: Similarity,
): boolean {
  const before = chosen?.before ?? null
  if (before === null) return false
  const nearest = gold.texts.toSorted(
    (left, other) => similarity(other, before) - similarity(left, before),
  )[0]
  return nearest !== undefined && nearest === operation.target && similarity(nearest, before) > 0
}

/** Whether the memory most similar to the expected one was shown. */
function wasShown(
  { target }: GoldOperation,
  { texts, standing }: NonNullable<MadeOperations['shown']>,
  similarity: Similarity,
): boolean {
  if (target === null) return false
  const [nearest] = standing.toSorted((left, other) => similarity(target, other) - similarity(target, left))
  return nearest !== undefined && texts.includes(nearest)
}

async function judgeContent(
  measuring: Parameters<typeof writeOperation>[0],
  { text, turn }: GoldOperation,
  chosen: SystemOperation | undefined,
): Promise<Verdict<boolean> | null> {
  const actual = chosen?.after ?? null
  if (actual === null || text === null) return { verdict: false, reason: 'no such operation was made' }
  return askTool(measuring, `verdict on the operation of turn ${turn}`, () =>
    measuring.judge.sameContent({ expected: text, actual }),
  )
}
