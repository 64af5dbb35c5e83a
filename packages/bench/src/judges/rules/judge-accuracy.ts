import type { AccuracyInput, AccuracyVerdict, Degree } from '../judge.ts'
import { hasWord, readContent, type Content } from '../../text/read-content.ts'
import { sentencesOf } from '../../text/passages.ts'
import { explain, quote } from './explain.ts'
import { bestMatch, PART_SHARE, type StatementMatch } from './match-statement.ts'

/** Number of neighbouring turns that are read together, such as a question and its answer. */
const WINDOW_TURNS = 2
/** Matches the end of a point within a sentence: a comma, a semicolon, “and”, 还有. */
const POINT_END = /[,;，；]|\band\b|而且|并且|还有|以及|还|并/iu

/**
 * Judges how far a memory is supported (HaluMem's accuracy, figures 13 to 15). Sources are the gold memories, which the data expects, and
 * the dialogue in runs of two turns.
 *
 * - 2: a source contains the memory fully, or each of its points is contained fully by some source.
 * - 1: a source contains the memory partly, or contains one of its points fully.
 * - 0: neither. Inferences, such as a date from “yesterday”, are not supported.
 */
export function judgeAccuracy({ memory, dialogue, gold }: AccuracyInput): AccuracyVerdict {
  const lines = dialogue.map(({ speaker, text }) => `${speaker}: ${text}`)
  const windows = lines.map((_, index) =>
    lines.slice(Math.max(0, index + 1 - WINDOW_TURNS), index + 1).join('\n'),
  )
  const sources = [...gold, ...dialogue.map(({ text }) => text), ...windows]
  const target = isTarget(memory, gold)
  const whole = bestMatch(memory, sources)
  if (whole === null)
    return { verdict: 0, isTarget: target.verdict, reason: `there are no sources; ${target.reason}` }
  const pointDegrees = pointsOf(memory).map((point) => bestMatch(point, sources)?.degree ?? 0)
  const pointReason = pointDegrees.length < 2 ? '' : `; degrees of its points: ${pointDegrees.join(', ')}`
  return {
    verdict: combineDegrees(whole, pointDegrees),
    isTarget: target.verdict,
    reason: `${quote(whole.passage)} ${explain(whole.comparison)}${pointReason}; ${target.reason}`,
  }
}

/** Combines the degree of a whole memory with those of its points. A contradicted memory is false, whatever its points share. */
function combineDegrees({ degree, comparison }: StatementMatch, pointDegrees: readonly Degree[]): Degree {
  if (degree === 2 || comparison?.contradicts === true || pointDegrees.length < 2) return degree
  if (pointDegrees.every((pointDegree) => pointDegree === 2)) return 2
  return degree === 1 || pointDegrees.includes(2) ? 1 : 0
}

/** Reports whether each clause of a memory has a gold memory with half of its field words, which say what it is about. */
function isTarget(memory: string, gold: readonly string[]): { verdict: boolean; reason: string } {
  const sources = gold.map(readContent)
  for (const point of pointsOf(memory)) {
    const field = fieldWords(readContent(point))
    const best = Math.max(0, ...sources.map((source) => field.filter((key) => hasWord(source, key)).length))
    if (field.length === 0 || best / field.length < PART_SHARE)
      return { verdict: false, reason: `no gold memory is about ${quote(point)}` }
  }
  return { verdict: true, reason: 'gold memories are about it' }
}

/** Splits a memory into clauses. A clause of fewer than two field words is joined to the one before. */
function pointsOf(memory: string): string[] {
  const points: string[] = []
  for (const clause of sentencesOf(memory).flatMap((sentence) => sentence.split(POINT_END))) {
    const previous = points.at(-1)
    if (previous !== undefined && fieldWords(readContent(clause)).length < 2)
      points[points.length - 1] = `${previous}, ${clause.trim()}`
    else if (clause.trim() !== '') points.push(clause.trim())
  }
  return points
}

/** Lists the words that say what a statement is about: all but names and its first word. */
function fieldWords({ words }: Content): string[] {
  const fields = [...words.values()].filter(({ isName, isLeading }) => !isName && !isLeading)
  return fields.map(({ key }) => key)
}
