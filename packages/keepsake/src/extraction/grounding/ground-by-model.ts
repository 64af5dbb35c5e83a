// Asks a model about statements that the checks of grounding leave open.
import { findTerms } from '@keepsake/text'
import type { Candidate } from '../../memories/candidate.ts'
import type { AskModel } from '../../models/ask-model.ts'
import { groundPrompt, type GroundAnswer } from '../../prompts/ground.ts'
import type { PromptLanguage } from '../../prompts/prompt.ts'
import type { Turn } from '../../turns/turn.ts'
import type { GroundingContext } from './check-candidate.ts'
import { findUnsupported } from './find-unsupported.ts'
import { isAboutAgent, labelOf, type Grounding } from './ground-candidate.ts'

/** Numbers of turns that the prompt shows before and after each turn of evidence. Chosen, not measured. */
const TURNS_BEFORE = 2
const TURNS_AFTER = 1
/** Maximum number of known texts in the prompt. */
const MAX_KNOWN = 4

/**
 * Asks a model in one call about candidates that the checks left open. A verdict that the user stated or confirmed a
 * candidate counts only if its evidence has a turn of the user.
 *
 * @param candidates candidates with the result `unsure` of `checkCandidate`
 * @param turns the turns of the segment
 * @returns the grounding of each candidate, in order
 * @throws ModelError when the model cannot be asked or gives no usable answer
 */
export async function groundByModel(
  candidates: readonly Candidate[],
  turns: readonly Turn[],
  ask: AskModel,
  {
    language,
    before = [],
    known = [],
    was,
  }: Partial<GroundingContext> & { readonly language: PromptLanguage },
): Promise<Grounding[]> {
  if (candidates.length === 0) return []
  const shown = turnsAround(candidates, turns)
  const statements = candidates.map((candidate) => {
    const ids = turnIds(candidate)
    return {
      text: candidate.text,
      subject: candidate.subject,
      was: was?.get(candidate) ?? null,
      turns: shown.flatMap((turn, index) => (ids.has(turn.id) ? [index + 1] : [])),
    }
  })
  const input = { statements, turns: shown, before, known: relevantTexts(candidates, known) }
  const { verdicts } = await ask.ask(groundPrompt, input, { language })
  return candidates.map((candidate, index) => {
    const [verdict, ...others] = verdicts.filter(({ statement }) => statement === index + 1)
    // Several verdicts on one statement must agree.
    return verdict !== undefined && others.every((other) => other.verdict === verdict.verdict)
      ? groundingOf(candidate, verdict, turns)
      : quarantined(candidate, turns, 'the model that checks statements gave no clear verdict on it')
  })
}

function turnIds({ evidence }: Candidate): ReadonlySet<string> {
  return new Set(evidence.map((source) => source.turn))
}

/** Returns the known texts that share most words with the statements. */
function relevantTexts(candidates: readonly Candidate[], known: GroundingContext['known']): string[] {
  const terms = new Set(candidates.flatMap(({ text }) => findTerms(text)))
  return known
    .map(({ text }) => ({ text, shared: new Set(findTerms(text).filter((term) => terms.has(term))).size }))
    .filter(({ shared }) => shared > 0)
    .sort((a, b) => b.shared - a.shared)
    .slice(0, MAX_KNOWN)
    .map(({ text }) => text)
}

/** Returns the turns of evidence with the turns before and after them. */
function turnsAround(candidates: readonly Candidate[], turns: readonly Turn[]): Turn[] {
  const ids = new Set(candidates.flatMap((candidate) => [...turnIds(candidate)]))
  const isEvidence = turns.map((turn) => ids.has(turn.id))
  return turns.filter((_, index) =>
    isEvidence.slice(Math.max(0, index - TURNS_AFTER), index + TURNS_BEFORE + 1).includes(true),
  )
}

/** Checks a model's verdict against the evidence: “stated by the user” needs a turn of the user's. */
function groundingOf(
  candidate: Candidate,
  { verdict, reason, text }: GroundAnswer['verdicts'][number],
  turns: readonly Turn[],
): Grounding {
  const details = reason.trim() === '' ? '' : `: ${reason.trim()}`
  switch (verdict) {
    case 'stated-by-user':
      return restsOnUser(candidate, turns, 0)
        ? { outcome: 'grounded', label: 'user-stated' }
        : quarantined(candidate, turns, 'no turn of the user’s is among its evidence')
    case 'confirmed-by-user':
      return restsOnUser(candidate, turns, TURNS_AFTER)
        ? { outcome: 'grounded', label: 'user-confirmed' }
        : quarantined(candidate, turns, 'no turn of the user’s stands where it would confirm it')
    case 'stated-in-part':
      return isPartOf(text, candidate) && restsOnUser(candidate, turns, 0)
        ? { outcome: 'grounded', label: 'user-stated', text: text.trim() }
        : quarantined(candidate, turns, `the talk supports only a part of it${details}`)
    case 'said-by-agent-only':
      return isAboutAgent(candidate, turns)
        ? { outcome: 'grounded', label: 'agent-stated' }
        : { outcome: 'quarantined', label: 'agent-stated', reason: `only the agent said so${details}` }
    case 'not-supported':
      return quarantined(candidate, turns, `the talk does not support it${details}`)
  }
}

/** Minimum share of the words of a supported part that the statement contains. Chosen, not measured. */
const MIN_SHARED_SHARE = 0.8

/** Checks whether a text is a part of the statement: it is not longer, has no new names or numbers, and few new words. */
function isPartOf(text: string | null, candidate: Candidate): text is string {
  if (text === null || text.trim() === '' || text.length > candidate.text.length) return false
  if (findUnsupported({ ...candidate, text }, candidate.text, []).length > 0) return false
  const statementTerms = new Set(findTerms(candidate.text))
  const terms = new Set(findTerms(text))
  return terms.intersection(statementTerms).size >= MIN_SHARED_SHARE * terms.size
}

/** Checks whether the evidence contains a turn of the user, or such a turn follows the evidence within `after` turns. */
function restsOnUser(candidate: Candidate, turns: readonly Turn[], after: number): boolean {
  const ids = turnIds(candidate)
  return turns.some(
    ({ role }, index) =>
      role === 'user' && turns.slice(Math.max(0, index - after), index + 1).some((turn) => ids.has(turn.id)),
  )
}

function quarantined(candidate: Candidate, turns: readonly Turn[], reason: string): Grounding {
  const label = labelOf(candidate, new Map(turns.map((turn) => [turn.id, turn])))
  return { outcome: 'quarantined', label, reason }
}
