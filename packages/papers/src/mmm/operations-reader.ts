// Makes the extractor of the paper MMM.
import type { Memory, Turn } from 'keepsake'
import { candidateOf, evidenceOf, latestTurn, readerAsking, whoSpeaks } from 'keepsake/preset'
import type { Extractor, ProposedOperation } from 'keepsake/preset'
import { operationsPrompt, type OperationCode } from './operations.ts'
import { updateOf } from './updater-asking.ts'

/** Makes an extractor that asks for operations on the numbered memories (MMM, section 2.1). The engine's rules apply them. */
export function operationsReader(
  options: { readonly related?: NonNullable<Extractor['related']> } = {},
): Extractor {
  return readerAsking(operationsPrompt, {
    id: 'operations',
    related: options.related ?? { list: 'whole' },
    isAsked: (turns) => turns.some((turn) => turn.role === 'user'),
    inputOf: ({ turns, related: memories, leftOut, before = [] }) => ({ turns, memories, leftOut, before }),
    read: ({ operations }, { turns, related: memories }) => ({
      operations: operations.flatMap((code) => operationsOf(code, turns, memories)),
    }),
  })
}

/** Converts an operation of the answer to a proposed operation; none if it is invalid. */
function operationsOf(
  code: OperationCode,
  turns: readonly Turn[],
  memories: readonly Memory[],
): ProposedOperation[] {
  const evidence = evidenceOf([code], turns)
  const turn = latestTurn(evidence, turns)
  const at = turn?.at ?? 0
  return updateOf(code).map((update) => {
    if (update.type === 'delete')
      return { kind: 'delete', index: update.index, why: code.why ?? 'no-longer-so', at, evidence }
    const known = update.type === 'modify' ? memories[update.index - 1] : undefined
    const type = known?.type ?? 'persona'
    const subject = known?.subject ?? (turn === undefined ? 'user' : whoSpeaks(turn))
    const candidate = candidateOf({ type, subject, text: update.content, evidence, validFrom: at })
    return update.type === 'modify'
      ? { kind: 'modify', index: update.index, candidate }
      : { kind: 'add', candidate }
  })
}
