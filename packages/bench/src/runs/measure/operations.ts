import type { GoldOperation } from '../../datasets/conversation.ts'
import type { Verdict } from '../../judges/judge.ts'
import type { AddedDialogue, SystemMemoryItem, SystemOperation } from '../../systems/memory-system.ts'
import { splitWords, type TextLanguage } from '../../metrics/text/split-words.ts'
import { tokenF1 } from '../../metrics/text/overlap.ts'
import { askTool, entryOf, type ConversationRun } from './conversation-run.ts'

/** The memories that the data expects before a turn. The MMM paper calls the place of a memory in this list its index. */
export interface GoldState {
  readonly texts: string[]
}

/** Applies an expected operation, so that the next index refers to the new list. */
export function applyGoldOperation(gold: GoldState, { kind, target, text }: GoldOperation): void {
  const index = target === null ? -1 : gold.texts.indexOf(target)
  if (kind === 'add' && text !== null) gold.texts.push(text)
  else if (kind === 'modify' && text !== null && index >= 0) gold.texts[index] = text
  else if (kind === 'delete' && index >= 0) gold.texts.splice(index, 1)
}

interface OperationInput {
  readonly operation: GoldOperation
  /** The system's memories before the turn. `null`: the system does not list them. */
  readonly before: readonly SystemMemoryItem[] | null
  readonly added: AddedDialogue | null
  readonly gold: GoldState
  readonly failure: string | null
}

/**
 * Compares the effect of a turn on the memory with the expected operation (MMM, equations 11 to 13).
 *
 * - The type is right if the expected operation was made and nothing else was changed or deleted.
 * - The index is right if the changed memory is the one nearest to the expected memory, by token F1 (overlap of words).
 * - The content is right if the judge finds that the new text says the same as the expected one.
 *
 * `indexCorrect` and `contentCorrect` need a right type too. `ofAnyType` has both without the type, as the equations count them.
 */
export async function measureOperation(run: ConversationRun, input: OperationInput): Promise<void> {
  const { operation, gold, failure } = input
  const actual = failure === null ? await readOperations(run, input) : []
  if (actual === null) return
  await writeOperation(run, { operation, gold, failure, actual })
}

export interface ComparedOperations {
  /** The expected operation. */
  readonly operation: GoldOperation
  readonly actual: readonly SystemOperation[]
  readonly gold: GoldState
  readonly failure: string | null
  /** The texts that the updater was shown, and all texts that existed (`standing`). Absent: unknown. */
  readonly shown?: { readonly texts: readonly string[]; readonly standing: readonly string[] }
}

/** Compares the operations of a turn with the expected one, and logs the result. */
export async function writeOperation(
  run: Pick<ConversationRun, 'conversation' | 'judge' | 'language' | 'write'>,
  { operation, actual, gold, failure, shown }: ComparedOperations,
): Promise<void> {
  const similarity = similarityOf(run.language)
  const sameKind = actual.filter(({ kind }) => kind === operation.kind)
  const nearest = mostSimilarOperation(operation, sameKind, similarity)
  const nearestWithText = mostSimilarOperation(operation, actual.filter(hasText), similarity)
  const typeCorrect = failure === null && isTypeCorrect(operation, actual)
  const expectsContent = operation.kind === 'add' || operation.kind === 'modify'
  const judgedOperation = (typeCorrect ? nearest : undefined) ?? nearestWithText
  const judged = expectsContent ? await judgeContent(run, operation, judgedOperation) : null
  // Without a verdict on expected content nothing is scored.
  if (expectsContent && judged === null) return

  const changes = actual.filter(({ before }) => before !== null)
  const isRightIndex = (change: SystemOperation | undefined): boolean =>
    isIndexCorrect(operation, change, gold, similarity)
  let indexCorrect: boolean | null = null
  let indexOfAnyType = changes.length === 0
  if (operation.kind === 'modify' || operation.kind === 'delete') {
    indexCorrect = typeCorrect && isRightIndex(nearest)
    indexOfAnyType = changes.length > 0 && changes.every(isRightIndex)
  }
  const indexShown =
    shown === undefined ? {} : { indexShown: wasShown(operation, shown, similarity) ? indexCorrect : null }
  run.write({
    entry: 'operation',
    ...entryOf(run),
    gold: operation,
    actual: actual.map(({ kind, before, after }) => ({ kind, before, after })),
    typeCorrect,
    indexCorrect,
    ...indexShown,
    contentCorrect: judged === null ? null : typeCorrect && judged.verdict,
    ofAnyType: { index: indexOfAnyType, content: judged?.verdict ?? !actual.some(hasText) },
    reason: failure ?? judged?.reason ?? '',
  })
}

/** Returns the operations that the system reports, or else the differences of its memories before and after. `null`: unknown. */
async function readOperations(
  run: ConversationRun,
  { added, before }: OperationInput,
): Promise<readonly SystemOperation[] | null> {
  if (added !== null && added.operations !== null) return added.operations
  const after = await run.memory.memories()
  return before === null || after === null ? null : compareMemories(before, after)
}

/** Derives operations from the memories before and after. Memories are matched by id. */
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
  // Further additions do no harm.
  const isUnexpected = ({ kind }: SystemOperation): boolean => kind !== 'add' && kind !== gold.kind
  return actual.some(({ kind }) => kind === gold.kind) && !actual.some(isUnexpected)
}

function hasText({ after }: SystemOperation): boolean {
  return after !== null
}

function mostSimilarOperation(
  gold: GoldOperation,
  operations: readonly SystemOperation[],
  similarity: Similarity,
): SystemOperation | undefined {
  const similarityToGold = ({ before, after }: SystemOperation): number =>
    similarity(gold.text ?? gold.target ?? '', after ?? before ?? '')
  return operations.toSorted((a, b) => similarityToGold(b) - similarityToGold(a))[0]
}

type Similarity = (text: string, otherText: string) => number

function similarityOf(language: TextLanguage): Similarity {
  const split = (text: string): string[] => splitWords(text, { language })
  return (text, otherText) => tokenF1(split(text), split(otherText)).f1
}

/** Reports whether the memory that a change replaced or deleted is the expected one. Memories are matched by similarity, because ids differ. */
function isIndexCorrect(
  operation: GoldOperation,
  change: SystemOperation | undefined,
  gold: GoldState,
  similarity: Similarity,
): boolean {
  const before = change?.before ?? null
  if (before === null) return false
  const nearest = gold.texts.toSorted((a, b) => similarity(b, before) - similarity(a, before))[0]
  return nearest !== undefined && nearest === operation.target && similarity(nearest, before) > 0
}

/** Reports whether the updater was shown the memory that is most similar to the expected one. */
function wasShown(
  { target }: GoldOperation,
  { texts, standing }: NonNullable<ComparedOperations['shown']>,
  similarity: Similarity,
): boolean {
  if (target === null) return false
  const [nearest] = standing.toSorted((a, b) => similarity(target, b) - similarity(target, a))
  return nearest !== undefined && texts.includes(nearest)
}

/** Judges the new text of an operation. `null`: the judge gave no usable verdict. */
async function judgeContent(
  run: Parameters<typeof writeOperation>[0],
  { text, turn }: GoldOperation,
  operation: SystemOperation | undefined,
): Promise<Verdict<boolean> | null> {
  const actual = operation?.after ?? null
  if (actual === null || text === null) return { verdict: false, reason: 'no such operation was made' }
  return askTool(run, `verdict on the operation of turn ${turn}`, () =>
    run.judge.sameContent({ expected: text, actual }),
  )
}
