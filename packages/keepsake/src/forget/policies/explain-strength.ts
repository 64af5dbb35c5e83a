// Writes the sentence with which `explain` says why a policy keeps or forgets a memory.
import type { ForgettingMoment, ForgettingPolicy, Retention } from './forgetting-policy.ts'
import type { Judged, Selection } from './select-forgotten.ts'

export interface ExplanationInput {
  readonly policy: ForgettingPolicy
  readonly retention: Retention
  readonly selection: Selection
  readonly judged: Judged
  readonly moment: ForgettingMoment
}

/**
 * Explains why a memory was kept or forgotten: strength, rank, cut, and the formula with its parts.
 *
 * @example
 * explainStrength({ policy, retention, selection, judged, moment })
 * // 'Forgotten after session 2: strength 2.31 is 9th of 31, and 3 are kept (the weakest kept has 5.02). keepsake: …'
 */
export function explainStrength({ policy, retention, selection, judged, moment }: ExplanationInput): string {
  return `${describeOutcome(retention, selection, judged, moment)} ${describeFormula(policy, judged)}`
}

function describeOutcome(
  retention: Retention,
  { judged: all, cut }: Selection,
  { kept, because, strength, rank }: Judged,
  moment: ForgettingMoment,
): string {
  if (because === 'pinned') return 'Kept: it is pinned.'
  if (because === 'untold') return 'Kept: no summary above it covers it yet.'
  if (because === 'larger-than-capacity') {
    return `Forgotten: it alone is longer than the whole capacity (${describeRetention(retention)}).`
  }
  if (retention.when === 'never') return 'Kept: nothing is forgotten here.'
  const outcome = kept ? 'Kept' : 'Forgotten'
  const when =
    retention.when === 'session-end' ? `after session ${moment.session}` : `in round ${moment.round}`
  const standing = `strength ${formatNumber(strength.value)} is ${formatOrdinal(rank)} of ${all.length}`
  const keptCount = all.filter((verdict) => verdict.kept).length
  const weakest = cut === null ? '' : `; the weakest kept by its strength has ${formatNumber(cut)}`
  return `${outcome} ${when}: ${standing}, and ${keptCount} ${keptCount === 1 ? 'is' : 'are'} kept (${describeRetention(retention)}${weakest}).`
}

function describeRetention(retention: Retention): string {
  if (retention.when === 'never') return 'everything'
  if (retention.when === 'session-end') return `${formatNumber(retention.keep * 100)} % of all made so far`
  const limits: string[] = []
  if (retention.memories !== undefined) limits.push(`at most ${retention.memories} memories`)
  if (retention.characters !== undefined) limits.push(`at most ${retention.characters} characters`)
  return limits.join(' and ') || 'no limit'
}

function describeFormula(policy: ForgettingPolicy, { strength }: Judged): string {
  const parts = Object.entries(strength.parts).map(([name, value]) => `${name} = ${formatNumber(value)}`)
  return `By ${policy.name}: ${policy.formula}${parts.length === 0 ? '' : `, with ${parts.join(', ')}`}.`
}

/** Three significant digits, without trailing zeros. */
function formatNumber(value: number): string {
  return Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(3)))
}

function formatOrdinal(n: number): string {
  const teen = n % 100 > 10 && n % 100 < 14
  const ending = teen ? 'th' : (['th', 'st', 'nd', 'rd'][n % 10] ?? 'th')
  return `${n}${ending}`
}
