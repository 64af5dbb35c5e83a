import type { Extraction, Segment } from '../extraction/extractor.ts'
import { groundByModel } from '../extraction/grounding/ground-by-model.ts'
import { checkCandidate, settleByReading, type Check } from '../extraction/grounding/check-candidate.ts'
import { groundCandidate, type Grounding } from '../extraction/grounding/ground-candidate.ts'
import {
  mapStatements,
  statementsOf,
  type GroundedCandidate,
  type GroundedExtraction,
} from '../extraction/grounding/grounded-extraction.ts'
import type { Candidate, ProposedOperation } from '../memories/candidate.ts'
import { keepLocated } from '../memories/evidence.ts'
import type { Memory } from '../memories/memory.ts'
import type { AskModel } from '../models/ask-model.ts'
import { promptLanguage, renderDay } from '../prompts/render-data.ts'
import type { Engine } from '../work/engine.ts'
import { answerOr } from './park-job.ts'
/** What grounding may use besides the segment. */
export interface GroundingInput {
  /** The model that decides what the checks leave open; `null` without one. */
  readonly ask: AskModel | null
  /** Whether a language model worded the candidates. Candidates of rules quote the text. */
  readonly isWritten: boolean
  /** The memories that the extractor was shown. They explain references and prove nothing by themselves. */
  readonly known: readonly Memory[]
}

/**
 * Labels the speaker of every statement of an extraction, and gives a reason to those that the segment does not support.
 * With `grounding: 'off'` of the preset, statements are labelled only.
 */
export async function groundExtraction(
  engine: Engine,
  segment: Segment,
  extraction: Extraction,
  input: GroundingInput,
): Promise<GroundedExtraction> {
  const { grounding } = engine.preset
  const proposed = {
    candidates: extraction.candidates.map((candidate) => ({ candidate, reason: null })),
    operations: (extraction.operations ?? []).map((operation) => ({ operation, reason: null })),
  }
  const candidates = statementsOf(proposed).map(({ candidate }) => candidate)
  const groundings = input.isWritten
    ? await groundWritten(candidates, segment, extraction, {
        ...input,
        ask: grounding === 'model' ? input.ask : null,
      })
    : candidates.map((candidate) => groundCandidate(candidate, segment.turns))
  const groundingOf = new Map(candidates.map((candidate, index) => [candidate, groundings[index]]))
  const ground = ({ candidate }: Pick<GroundedCandidate, 'candidate'>): GroundedCandidate => {
    const found = groundingOf.get(candidate)
    if (found === undefined) return { candidate: { ...candidate, label: 'other' }, reason: LEFT_OPEN }
    const isDoubted = found.outcome === 'quarantined' && grounding !== 'off'
    return { candidate: supportedPart(candidate, found), reason: isDoubted ? found.reason : null }
  }
  const grounded = mapStatements(proposed, ground)
  return {
    candidates: grounded.candidates,
    operations: grounded.operations.map(({ operation, reason }) => {
      if (operation.kind !== 'delete') return { operation, reason }
      const { successor } = operation
      return {
        operation: { ...operation, evidence: keepLocated(operation.evidence, segment.turns) },
        // What replaces a memory must be grounded, or the memory stays.
        reason: successor === undefined ? null : ground({ candidate: successor }).reason,
      }
    }),
  }
}

/** Grounds the candidates of a model: by the checks first, then by one question about all that these leave open. */
async function groundWritten(
  candidates: readonly Candidate[],
  segment: Segment,
  { words, operations = [] }: Extraction,
  { ask, known }: GroundingInput,
): Promise<Grounding[]> {
  const { turns, before = [] } = segment
  const was = textsBefore(operations, known, turns.at(-1)?.timeZone ?? null)
  const context = { before, known, was }
  const checks = candidates.map((candidate) => {
    const check = checkCandidate(candidate, turns, context)
    return settleByReading(check, words?.get(candidate), candidate, turns) ?? check
  })
  const open = candidates.filter((_, index) => checks[index]?.outcome === 'unsure')
  if (open.length === 0 || ask === null) return checks.map(withoutOpenQuestion)
  // Grounded statements of the segment explain references as well as older memories do.
  const grounded = candidates.filter((_, index) => checks[index]?.outcome === 'grounded')
  const language = promptLanguage(turns.map((turn) => turn.text))
  const byModel = groundByModel(open, turns, ask, { ...context, language, known: [...known, ...grounded] })
  // Without a usable answer, what the checks leave open is not grounded.
  const answers = await answerOr(byModel, [])
  const answerTo = new Map(open.map((candidate, index) => [candidate, answers[index]]))
  return candidates.map((candidate, index) => {
    const check = checks[index]
    return answerTo.get(candidate) ?? withoutOpenQuestion(check)
  })
}

const LEFT_OPEN = 'its evidence leaves open whether it is so'

/** Turns an open check into a quarantine. */
function withoutOpenQuestion(check: Check | undefined): Grounding {
  if (check === undefined) return { outcome: 'quarantined', label: 'other', reason: LEFT_OPEN }
  if (check.outcome !== 'unsure') return check
  return { outcome: 'quarantined', label: check.label, reason: `${LEFT_OPEN}: ${check.reason}` }
}

/** Maps each statement that changes a memory to the day and text of this memory. */
function textsBefore(
  operations: readonly ProposedOperation[],
  known: readonly Memory[],
  timeZone: string | null,
): Map<Candidate, string> {
  const texts = new Map<Candidate, string>()
  for (const operation of operations) {
    const memory = operation.kind === 'modify' ? known[operation.index - 1] : undefined
    if (operation.kind === 'modify' && memory !== undefined)
      texts.set(operation.candidate, `${renderDay(memory.validFrom, timeZone)}: ${memory.text}`)
  }
  return texts
}

/** Returns a statement with its label, reduced to the part that its evidence supports. */
function supportedPart(candidate: Candidate, grounding: Grounding): Candidate {
  const labelled = { ...candidate, label: grounding.label }
  if (grounding.outcome !== 'grounded' || grounding.text === undefined) return labelled
  const { text } = grounding
  const { value } = candidate
  const isValueLost = value !== null && candidate.text.includes(value) && !text.includes(value)
  return { ...labelled, text, ...(isValueLost ? { key: null, value: null } : {}) }
}
