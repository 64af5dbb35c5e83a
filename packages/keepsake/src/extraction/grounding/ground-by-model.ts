import type { Candidate } from '../../memories/candidate.ts'
import type { AskModel } from '../../models/ask-model.ts'
import { groundPrompt, type GroundAnswer, type GroundItem } from '../../prompts/ground.ts'
import type { PromptLanguage } from '../../prompts/prompt.ts'
import { findTerms } from '@keepsake/text'
import type { Turn } from '../../turns/turn.ts'
import type { GroundingContext, Grounding } from './check-candidate.ts'
import { findUnsupported } from './find-unsupported.ts'
import { isOfAgent, labelOf } from './label-candidate.ts'

export interface GroundByModelOptions extends Partial<GroundingContext> {
  readonly language: PromptLanguage
}

/** Turns shown before and after each turn of evidence. */
const BEFORE = 2
const AFTER = 1
/** Maximum number of known texts shown. */
const MOST_KNOWN = 4

/**
 * Asks a model, in one call, about candidates that cheap checks left open. A verdict for the user must also rest on a
 * turn of the user's.
 *
 * @param candidates `unsure` candidates of `checkCandidate`
 * @param turns the turns of the segment
 * @returns one for each candidate, in order
 * @throws ModelError when the model cannot be asked or gives no usable answer
 */
export async function groundByModel(
  candidates: readonly Candidate[],
  turns: readonly Turn[],
  ask: AskModel,
  context: GroundByModelOptions,
): Promise<Grounding[]> {
  if (candidates.length === 0) return []
  const shown = turnsAround(candidates, turns)
  const statements = candidates.map((candidate): GroundItem => {
    const ids = new Set(candidate.evidence.map((source) => source.turn))
    const numbers = shown.flatMap((turn, i) => (ids.has(turn.id) ? [i + 1] : []))
    const was = context.was?.get(candidate) ?? null
    return { text: candidate.text, subject: candidate.subject, was, turns: numbers }
  })
  const { before = [], known = [], language } = context
  const input = { statements, turns: shown, before, known: bearingOn(candidates, known) }
  const { verdicts } = await ask.ask(groundPrompt, input, { language })
  return candidates.map((candidate, index) => {
    const given = verdicts.filter((verdict) => verdict.statement === index + 1)
    const [verdict] = given
    const isClear = verdict !== undefined && given.every((answer) => answer.verdict === verdict.verdict)
    return isClear
      ? groundingOf(candidate, verdict, turns)
      : doubt(candidate, turns, 'the model that checks statements gave no clear verdict on it')
  })
}

/** Returns known texts that share most words with the statements. */
function bearingOn(candidates: readonly Candidate[], known: GroundingContext['known']): string[] {
  const stated = new Set(candidates.flatMap(({ text }) => findTerms(text)))
  return known
    .map(({ text }) => ({ text, shared: new Set(findTerms(text).filter((term) => stated.has(term))).size }))
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared)
    .slice(0, MOST_KNOWN)
    .map(({ text }) => text)
}

function turnsAround(candidates: readonly Candidate[], turns: readonly Turn[]): Turn[] {
  const ids = new Set(candidates.flatMap((candidate) => candidate.evidence.map((source) => source.turn)))
  const near = new Set<number>()
  for (const [place, turn] of turns.entries())
    if (ids.has(turn.id)) for (let i = place - BEFORE; i <= place + AFTER; i++) near.add(i)
  return turns.filter((_, index) => near.has(index))
}

function groundingOf(
  candidate: Candidate,
  { verdict, reason, text }: GroundAnswer['verdicts'][number],
  turns: readonly Turn[],
): Grounding {
  const why = reason.trim() === '' ? '' : `: ${reason.trim()}`
  switch (verdict) {
    case 'stated-by-user':
      return restsOnUser(candidate, turns, 0)
        ? { outcome: 'grounded', label: 'user-stated' }
        : doubt(candidate, turns, 'no turn of the user’s is among its evidence')
    case 'confirmed-by-user':
      return restsOnUser(candidate, turns, AFTER)
        ? { outcome: 'grounded', label: 'user-confirmed' }
        : doubt(candidate, turns, 'no turn of the user’s stands where it would confirm it')
    case 'stated-in-part':
      return isPartOf(text, candidate) && restsOnUser(candidate, turns, 0)
        ? { outcome: 'grounded', label: 'user-stated', text: text.trim() }
        : doubt(candidate, turns, `the talk supports only a part of it${why}`)
    case 'said-by-agent-only':
      return isOfAgent(candidate, turns)
        ? { outcome: 'grounded', label: 'agent-stated' }
        : { outcome: 'quarantined', label: 'agent-stated', reason: `only the agent said so${why}` }
    case 'not-supported':
      return doubt(candidate, turns, `the talk does not support it${why}`)
  }
}

/** Minimum share of the statement's own words in a shorter wording. */
const LEAST_OWN = 0.8

/** Checks for a shorter wording without new names, numbers or more than a few words. */
function isPartOf(text: string | null, candidate: Candidate): text is string {
  if (text === null || text.trim() === '' || text.length > candidate.text.length) return false
  if (findUnsupported({ ...candidate, text }, candidate.text, []).length > 0) return false
  const own = new Set(findTerms(candidate.text))
  const terms = [...new Set(findTerms(text))]
  return terms.filter((term) => own.has(term)).length >= LEAST_OWN * terms.length
}

/** Checks for a turn of the user's among the evidence or up to `after` turns later. */
function restsOnUser(candidate: Candidate, turns: readonly Turn[], after: number): boolean {
  const ids = new Set(candidate.evidence.map((source) => source.turn))
  return turns.some(
    (turn, index) =>
      turn.role === 'user' &&
      turns.slice(Math.max(0, index - after), index + 1).some((turn) => ids.has(turn.id)),
  )
}

function doubt(candidate: Candidate, turns: readonly Turn[], reason: string): Grounding {
  const label = labelOf(candidate, new Map(turns.map((turn) => [turn.id, turn])))
  return { outcome: 'quarantined', label, reason }
}
