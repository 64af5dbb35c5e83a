import type { Extraction, Segment } from '../extraction/extractor.ts'
import { groundByModel } from '../extraction/grounding/ground-by-model.ts'
import { checkCandidate, settleByReading, type Grounding } from '../extraction/grounding/check-candidate.ts'
import { groundCandidate } from '../extraction/grounding/ground-candidate.ts'
import type { GroundedCandidate, GroundedExtraction } from '../extraction/grounding/grounded-extraction.ts'
import type { Candidate, ProposedOperation } from '../memories/candidate.ts'
import { standingEvidence } from '../memories/locate-quote.ts'
import type { Memory } from '../memories/memory.ts'
import type { AskModel } from '../models/ask-model.ts'
import { promptLanguage, renderDay } from '../prompts/render-data.ts'
import type { Engine } from '../work/engine.ts'
import { answerOr } from './park-job.ts'

export interface Grounders {
  readonly ask: AskModel | null
  /** Whether a language model phrased the candidates. */
  readonly isWritten: boolean
  /** Memories that the model was shown. They explain references and prove nothing by themselves. */
  readonly known: readonly Memory[]
}

const UNSURE = 'its evidence leaves open whether it is so'

/** Runs the cheap checks first, and asks the model once about all that they leave open. */
async function groundWritten(
  candidates: readonly Candidate[],
  segment: Segment,
  known: readonly Memory[],
  {
    ask,
    was,
    words,
  }: {
    readonly ask: AskModel | null
    readonly was: ReadonlyMap<Candidate, string>
    readonly words: Extraction['words']
  },
): Promise<Grounding[]> {
  const context = { before: segment.before ?? [], known, was }
  const checked = candidates.map((candidate) => {
    const check = checkCandidate(candidate, segment.turns, context)
    return settleByReading(check, words?.get(candidate), candidate, segment.turns) ?? check
  })
  const unsure = candidates.filter((_, i) => checked[i]?.outcome === 'unsure')
  if (unsure.length === 0 || ask === null) return checked.map(settled)
  const language = promptLanguage(segment.turns.map((turn) => turn.text))
  // Grounded statements of the segment explain references as well as older memories do.
  const sure = candidates.filter((_, i) => checked[i]?.outcome === 'grounded')
  const modelGroundings = groundByModel(unsure, segment.turns, ask, {
    ...context,
    language,
    known: [...known, ...sure],
  })
  // Without a usable answer, statements that the rules leave open are not believed.
  const answers = await answerOr(modelGroundings, [])
  const byCandidate = new Map(unsure.map((candidate, i) => [candidate, answers[i]]))
  return checked.map((check, index) => {
    const candidate = candidates[index]
    const answer = candidate === undefined ? undefined : byCandidate.get(candidate)
    return answer ?? settled(check)
  })
}

function settled(check: ReturnType<typeof checkCandidate>): Grounding {
  switch (check.outcome) {
    case 'grounded':
      return check
    case 'quarantined':
      return { outcome: 'quarantined', label: check.label, reason: check.reason }
    case 'unsure':
      return { outcome: 'quarantined', label: check.label, reason: `${UNSURE}: ${check.reason}` }
  }
}

function changedBy(
  operations: readonly ProposedOperation[],
  known: readonly Memory[],
  timeZone: string | null,
): Map<Candidate, string> {
  return new Map(
    operations.flatMap((operation): [Candidate, string][] => {
      const memory = operation.kind === 'modify' ? known[operation.index - 1] : undefined
      return operation.kind === 'modify' && memory !== undefined
        ? [[operation.candidate, `${renderDay(memory.validFrom, timeZone)}: ${memory.text}`]]
        : []
    }),
  )
}

/** Returns a statement with its label, reduced to what the evidence supports. */
function as(candidate: Candidate, found: Grounding): Candidate {
  const labelled = { ...candidate, label: found.label }
  if (found.outcome !== 'grounded' || found.text === undefined) return labelled
  const { text } = found
  const { value } = candidate
  const isValueLost = value !== null && candidate.text.includes(value) && !text.includes(value)
  return { ...labelled, text, ...(isValueLost ? { key: null, value: null } : {}) }
}

/**
 * Labels the speaker of each candidate and operation, and marks those not to be believed. Everything a segment yields
 * passes through it.
 */
export async function groundExtraction(
  engine: Engine,
  segment: Segment,
  extraction: Extraction,
  { ask, isWritten, known }: Grounders,
): Promise<GroundedExtraction> {
  const operations = extraction.operations ?? []
  const { candidates } = extraction
  const all = [
    ...candidates,
    ...operations.flatMap((operation) => (operation.kind === 'delete' ? [] : [operation.candidate])),
  ]
  const { grounding } = engine.preset
  const groundings = isWritten
    ? await groundWritten(all, segment, known, {
        ask: grounding === 'model' ? ask : null,
        was: changedBy(operations, known, segment.turns.at(-1)?.timeZone ?? null),
        words: extraction.words,
      })
    : // Candidates of rules quote the text, so the cheap checks suffice.
      all.map((candidate) => groundCandidate(candidate, segment.turns))
  const byCandidate = new Map(all.map((candidate, index) => [candidate, groundings[index]]))
  const verdictOn = (candidate: Candidate): GroundedCandidate => {
    const found = byCandidate.get(candidate)
    if (found === undefined) return { candidate: { ...candidate, label: 'other' }, reason: UNSURE }
    const isDoubted = found.outcome === 'quarantined' && grounding !== 'off'
    return { candidate: as(candidate, found), reason: isDoubted ? found.reason : null }
  }
  return {
    candidates: candidates.map(verdictOn),
    operations: operations.map((operation) => {
      if (operation.kind !== 'delete') {
        const { candidate, reason } = verdictOn(operation.candidate)
        return { operation: { ...operation, candidate }, reason }
      }
      // A deletion keeps only the evidence that was really said.
      const evidence = standingEvidence(operation.evidence, segment.turns)
      const reason = operation.successor === undefined ? null : verdictOn(operation.successor).reason
      return { operation: { ...operation, evidence }, reason }
    }),
  }
}
