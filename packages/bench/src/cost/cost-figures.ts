import { ALL, type Figure } from '../log/figure.ts'
import type { CallCost } from '../recordings/meter.ts'
import { plainFigures } from '../results/plain-figures.ts'
import type { PhaseCost, PresetCost } from './measure-preset.ts'

/** The figures of a preset's cost: of remembering per 100 rounds, of recalling, and of each prompt. */
export function presetFigures(cost: PresetCost): Figure[] {
  const { ingestion, recalling, replying } = cost
  return [
    ...rememberingFigures(cost),
    ...recallingFigures(cost),
    ...callFigures('remembering', ingestion),
    ...callFigures('recalling', recalling),
    ...callFigures('replying', replying),
  ]
}

function rememberingFigures(cost: PresetCost): Figure[] {
  const { ingestion, rounds, turns, sessions, memories } = cost
  const { calls, inputTokens, outputTokens, inputCharacters, repaired, unusable } = ingestion.total
  const per100 = (value: number): number => (100 * value) / Math.max(1, rounds)
  const kept = Object.entries(memories).map(([form, count]) => [`memories_${form}`, count] as const)
  return plainFigures('remembering', ALL, {
    calls_per_100_rounds: per100(calls),
    input_tokens_per_100_rounds: per100(inputTokens),
    output_tokens_per_100_rounds: per100(outputTokens),
    characters_per_call: calls === 0 ? null : inputCharacters / calls,
    repaired,
    unusable,
    rejected_operations: cost.rejectedOperations,
    quarantined: cost.quarantined,
    unfinished_jobs: cost.unfinishedJobs,
    failures: cost.failures,
    not_summarised: cost.notSummarised,
    rounds,
    turns,
    sessions,
    ...Object.fromEntries(kept),
    ingestion_ms: cost.ingestionMs,
  })
}

function recallingFigures({ recall, recalling, replying, replies, questionsLeftOut }: PresetCost): Figure[] {
  const replied = {
    replies,
    input_tokens_per_reply: replies === 0 ? null : replying.total.inputTokens / replies,
    questions_left_out: questionsLeftOut,
  }
  if (recall === null) return plainFigures('recalling', ALL, replied)
  const { questions, tokens, memories, turns, evidence } = recall
  const found = (part: number): number | null => (turns > 0 && evidence.questions > 0 ? part : null)
  return plainFigures('recalling', ALL, {
    questions,
    context_tokens_mean: tokens.mean,
    context_tokens_p95: tokens.p95,
    context_tokens_max: tokens.max,
    memories,
    turns,
    evidence_questions: evidence.questions,
    any_evidence: found(evidence.any),
    all_evidence: found(evidence.all),
    calls_per_recall: recalling.total.calls / questions,
    ...replied,
  })
}

function callFigures(work: string, { total, byPrompt }: PhaseCost): Figure[] {
  return [
    ...callsOf(`work:${work}`, total),
    ...Object.entries(byPrompt).flatMap(([prompt, cost]) => callsOf(`prompt:${work}, ${prompt}`, cost)),
  ]
}

function callsOf(slice: string, cost: CallCost): Figure[] {
  return plainFigures('model-calls', slice, {
    calls: cost.calls,
    input_tokens: cost.inputTokens,
    output_tokens: cost.outputTokens,
    estimated: cost.estimated,
    input_characters: cost.inputCharacters,
    output_characters: cost.outputCharacters,
    repaired: cost.repaired,
    unusable: cost.unusable,
    failed: cost.failed,
  })
}
