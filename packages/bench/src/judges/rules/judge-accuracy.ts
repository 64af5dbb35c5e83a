import type { AccuracyInput, AccuracyVerdict, Degree } from '../judge.ts'
import { hasWord, readContent, type Content } from '../../text/read-content.ts'
import { sentencesOf } from '../../text/passages.ts'
import { explain, quote } from './explain.ts'
import { bestMatch, PART_SHARE, type StatementMatch } from './hold-statement.ts'

/** Neighbouring turns read together: a question and its answer. */
const WINDOW_TURNS = 2
const POINT_END = /[,;，；]|\band\b|而且|并且|还有|以及|还|并/iu

/**
 * HaluMem's accuracy (its figures 13 to 15): how far a memory is contained in the gold memories or in two neighbouring turns, by {@link
 * holdStatement}: 2 when it, or each of its points, is fully contained; 1 when it or a point partly is. Inferences (a date from
 * “yesterday”) count as unsupported.
 */
export function judgeAccuracy({ memory, dialogue, gold }: AccuracyInput): AccuracyVerdict {
  const lines = dialogue.map(({ speaker, text }) => `${speaker}: ${text}`)
  const windows = lines.map((_, place) =>
    lines.slice(Math.max(0, place + 1 - WINDOW_TURNS), place + 1).join('\n'),
  )
  const sources = [...gold, ...dialogue.map(({ text }) => text), ...windows]
  const target = isTarget(memory, gold)
  const whole = bestMatch(memory, sources)
  if (whole === null)
    return { verdict: 0, isTarget: target.verdict, reason: `nothing was said; ${target.reason}` }
  const points = pointsOf(memory).map((point) => bestMatch(point, sources)?.degree ?? 0)
  const parts = points.length < 2 ? '' : `; points held: ${points.join(', ')}`
  return {
    verdict: degreeOf(whole, points),
    isTarget: target.verdict,
    reason: `${quote(whole.passage)} ${explain(whole.comparison)}${parts}; ${target.reason}`,
  }
}

/** A memory that is reversed as a whole is false whatever its points share. */
function degreeOf({ degree, comparison }: StatementMatch, points: readonly Degree[]): Degree {
  if (degree === 2 || comparison?.contradicts === true || points.length < 2) return degree
  if (points.every((held) => held === 2)) return 2
  return degree === 1 || points.some((held) => held === 2) ? 1 : 0
}

/**
 * Whether every point of a memory has its field in the gold set, whatever the value. A field consists of the words that name no value: all
 * but numbers, dates, names inside a sentence, and the subject. A point is a clause of at least two such words, of which one gold memory
 * must have at least half.
 */
function isTarget(memory: string, gold: readonly string[]): { verdict: boolean; reason: string } {
  const sources = gold.map(readContent)
  for (const point of pointsOf(memory)) {
    const field = fieldWords(readContent(point))
    const best = Math.max(0, ...sources.map((source) => field.filter((key) => hasWord(source, key)).length))
    if (field.length === 0 || best / field.length < PART_SHARE)
      return { verdict: false, reason: `no gold memory has the field of ${quote(point)}` }
  }
  return { verdict: true, reason: 'gold memories have its fields' }
}

function pointsOf(memory: string): string[] {
  const points: string[] = []
  for (const clause of sentencesOf(memory).flatMap((sentence) => sentence.split(POINT_END))) {
    const before = points.at(-1)
    if (before !== undefined && fieldWords(readContent(clause)).length < 2)
      points[points.length - 1] = `${before}, ${clause.trim()}`
    else if (clause.trim() !== '') points.push(clause.trim())
  }
  return points
}

function fieldWords({ words }: Content): string[] {
  const fields = [...words.values()].filter(({ isName, isLeading }) => !isName && !isLeading)
  return fields.map(({ key }) => key)
}
