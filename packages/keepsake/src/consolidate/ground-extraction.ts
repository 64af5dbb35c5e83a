// Checks the statements of an extraction against the turns on which they rest.
import type { Extraction, Segment } from '../extraction/extractor.ts'
import { groundByModel } from '../extraction/grounding/ground-by-model.ts'
import { checkCandidate, decideByAttribution, type Check } from '../extraction/grounding/check-candidate.ts'
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

/** The input of grounding besides the segment and its extraction. */
export interface GroundingInput {
  /** The model that is asked about statements on which the checks cannot decide; `null` without one. */
  readonly ask: AskModel | null
  /** Whether a language model wrote the statements in its own words. Statements of rules quote the text. */
  readonly isWrittenByModel: boolean
  /** The memories that the extractor was shown. They explain references, but support no statement. */
  readonly known: readonly Memory[]
}

/** Labels who made each statement, and gives the reason for a quarantine. With `grounding: 'off'` it only labels. */
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
  const ask = grounding === 'model' ? input.ask : null
  const groundings = input.isWrittenByModel
    ? await groundStatementsOfModel(candidates, segment, extraction, { ...input, ask })
    : candidates.map((candidate) => groundCandidate(candidate, segment.turns))
  const groundingOf = new Map(candidates.map((candidate, index) => [candidate, groundings[index]]))
  const ground = ({ candidate }: Pick<GroundedCandidate, 'candidate'>): GroundedCandidate => {
    const result = groundingOf.get(candidate)
    if (result === undefined) return { candidate: { ...candidate, label: 'other' }, reason: UNDECIDED }
    const isQuarantined = result.outcome === 'quarantined' && grounding !== 'off'
    return { candidate: supportedPart(candidate, result), reason: isQuarantined ? result.reason : null }
  }
  const grounded = mapStatements(proposed, ground)
  return {
    candidates: grounded.candidates,
    operations: grounded.operations.map(({ operation, reason }) => {
      if (operation.kind !== 'delete') return { operation, reason }
      const { successor } = operation
      return {
        operation: { ...operation, evidence: keepLocated(operation.evidence, segment.turns) },
        // A memory is replaced only if the new statement is grounded.
        reason: successor === undefined ? null : ground({ candidate: successor }).reason,
      }
    }),
  }
}

/** Grounds the statements of a model by checks. One call then asks the model about all undecided statements. */
async function groundStatementsOfModel(
  candidates: readonly Candidate[],
  segment: Segment,
  { words, operations = [] }: Extraction,
  { ask, known }: GroundingInput,
): Promise<Grounding[]> {
  const { turns, before = [] } = segment
  const was = replacedTexts(operations, known, turns.at(-1)?.timeZone ?? null)
  const context = { before, known, was }
  const checks = candidates.map((candidate) => {
    const check = checkCandidate(candidate, turns, context)
    return decideByAttribution(check, words?.get(candidate), candidate, turns) ?? check
  })
  const undecided = candidates.filter((_, index) => checks[index]?.outcome === 'unsure')
  if (undecided.length === 0 || ask === null) return checks.map(quarantineIfUndecided)
  // Grounded statements of the segment explain references like older memories.
  const grounded = candidates.filter((_, index) => checks[index]?.outcome === 'grounded')
  const language = promptLanguage(turns.map((turn) => turn.text))
  const explaining = [...known, ...grounded]
  const request = groundByModel(undecided, turns, ask, { ...context, language, known: explaining })
  // Where the checks alone ground nothing, an unusable answer leaves nothing of the segment, which is then read again later.
  const answers = await (grounded.length === 0 ? request : answerOr(request, []))
  const answerTo = new Map(undecided.map((candidate, index) => [candidate, answers[index]]))
  return candidates.map((candidate, index) => answerTo.get(candidate) ?? quarantineIfUndecided(checks[index]))
}

const UNDECIDED = 'its evidence leaves open whether it is so'

/** Returns the result of a check. An undecided statement is quarantined. */
function quarantineIfUndecided(check: Check | undefined): Grounding {
  if (check === undefined) return { outcome: 'quarantined', label: 'other', reason: UNDECIDED }
  if (check.outcome !== 'unsure') return check
  return { outcome: 'quarantined', label: check.label, reason: `${UNDECIDED}: ${check.reason}` }
}

/** Maps each statement that changes a memory to the day and the text of this memory. */
function replacedTexts(
  operations: readonly ProposedOperation[],
  known: readonly Memory[],
  timeZone: string | null,
): Map<Candidate, string> {
  const texts = new Map<Candidate, string>()
  for (const operation of operations) {
    if (operation.kind !== 'modify') continue
    const memory = known[operation.index - 1]
    if (memory !== undefined)
      texts.set(operation.candidate, `${renderDay(memory.validFrom, timeZone)}: ${memory.text}`)
  }
  return texts
}

/** Returns a statement with its label, reduced to the part that its evidence supports. If the value is lost, so is the key. */
function supportedPart(candidate: Candidate, grounding: Grounding): Candidate {
  const labelled = { ...candidate, label: grounding.label }
  if (grounding.outcome !== 'grounded' || grounding.text === undefined) return labelled
  const { text } = grounding
  const { value } = candidate
  const isValueLost = value !== null && candidate.text.includes(value) && !text.includes(value)
  return isValueLost ? { ...labelled, text, key: null, value: null } : { ...labelled, text }
}
