import type { ProposedOperation } from '../memories/proposed-operation.ts'
import type { Memory } from '../memories/memory.ts'
import { operationsPrompt, type OperationCode } from '../prompts/operations.ts'
import { promptVersion } from '../prompts/prompt.ts'
import { promptLanguage } from '../prompts/render-data.ts'
import type { Turn } from '../turns/turn.ts'
import type { Candidate } from '../memories/candidate.ts'
import type { Extraction, ExtractOptions, Extractor, Segment } from './extractor.ts'
import { askOptions, evidenceOf, latestTurn, modelOf, NOTHING } from './answer-parts.ts'
import { whoSpeaks } from '../turns/who-speaks.ts'

/** MMM shows the whole list, and tests it on ten memories a theme. */
const RELATED = 10
const ID = 'operations'

/**
 * Reads a user's words as operation codes on the memories they may touch (MMM, section 2.1): add, modify, delete or
 * none. The codes are proposals; the rule engine validates and applies them.
 *
 * @example
 * const { operations } = await operationsReader().extract(segment, { ask, related })
 */
export function operationsReader({ related = RELATED }: { readonly related?: number } = {}): Extractor {
  return { id: ID, prompt: promptVersion(operationsPrompt), related, extract: readOperations }
}

async function readOperations(segment: Segment, options?: ExtractOptions): Promise<Extraction> {
  const ask = modelOf(options, ID)
  const { turns } = segment
  const user = turns.findLast((turn) => turn.role === 'user')
  if (user === undefined) return NOTHING
  const language = promptLanguage(turns.map((turn) => turn.text))
  const memories = options?.related ?? []
  const answer = await ask.ask(
    operationsPrompt,
    { turns, memories },
    askOptions(language, options?.abortSignal),
  )
  const operations = answer.operations.flatMap((code) => operationOf(code, turns, memories))
  return { candidates: [], requests: [], operations }
}

/** Codes without words to add, or without a number to touch, say nothing that could be carried out. */
function operationOf(
  code: OperationCode,
  turns: readonly Turn[],
  memories: readonly Memory[],
): ProposedOperation[] {
  const evidence = evidenceOf([code], turns)
  const turn = latestTurn(evidence, turns)
  const at = turn?.at ?? 0
  const { index } = code
  if (code.type === 'delete')
    return index === null ? [] : [{ kind: 'delete', index, why: code.why ?? 'no-longer-so', at, evidence }]
  const text = code.content?.trim() ?? ''
  if (text === '') return []
  const known = code.type === 'modify' && index !== null ? memories[index - 1] : undefined
  const candidate: Candidate = {
    form: 'fact',
    type: known?.type ?? 'persona',
    subject: known?.subject ?? (turn === undefined ? 'user' : whoSpeaks(turn)),
    text,
    key: null,
    value: null,
    level: 0,
    evidence,
    validFrom: at,
    validUntil: null,
    signals: { arousal: null, surprise: null, importance: null },
  }
  return code.type === 'modify' && index !== null
    ? [{ kind: 'modify', index, candidate }]
    : [{ kind: 'add', candidate }]
}
