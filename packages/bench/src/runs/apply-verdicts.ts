import { z } from 'zod'
import type { AnswerOutcome, Degree, UpdateOutcome } from '../judges/judge.ts'
import type { AccuracyEntry, AnswerEntry, IntegrityEntry, LogEntry, UpdateEntry } from '../log/log-entry.ts'

const degree = z.literal([0, 1, 2])
const OUTCOME_OF_LETTER = { C: 'correct', H: 'hallucinated', O: 'omitted' } as const satisfies Record<
  string,
  AnswerOutcome & UpdateOutcome
>
const outcome = z.enum(['C', 'H', 'O']).transform((letter) => OUTCOME_OF_LETTER[letter])

/** Each list has one verdict per log line of its kind, in the order of the log. */
const sessionVerdicts = z.object({
  conversation: z.string(),
  session: z.string(),
  integrity: z.array(degree),
  accuracy: z.array(degree),
  gold_match: z.array(z.literal([0, 1])),
  updates: z.array(outcome),
})
const questionVerdict = z.object({ conversation: z.string(), question: z.string(), verdict: outcome })

/** External verdicts on all log lines of a session, or on the answer to a question. Degrees are 0, 1 or 2, outcomes C, H or O. */
export const verdictLine = z.union([sessionVerdicts, questionVerdict])
export type VerdictLine = z.infer<typeof verdictLine>

/** Log entries that hold a verdict. */
type JudgedEntry = IntegrityEntry | AccuracyEntry | UpdateEntry | AnswerEntry
const EXTERNAL_REASON = 'given outside of the run'

/** Replaces a log's verdicts by external ones, without the step that lost an answer. @throws RangeError for another number of them */
export function applyVerdicts(log: readonly LogEntry[], verdicts: readonly VerdictLine[]): LogEntry[] {
  const replacements = new Map<LogEntry, JudgedEntry>()
  for (const line of verdicts) {
    const pairs = 'question' in line ? replaceAnswer(log, line) : replaceSession(log, line)
    for (const [entry, replacement] of pairs) replacements.set(entry, replacement)
  }
  const unjudged = log.find((entry) => isJudged(entry) && !replacements.has(entry))
  if (unjudged !== undefined && isJudged(unjudged))
    throw new RangeError(`There is no verdict on ${describeEntry(unjudged)}.`)
  return log.map((entry) => replacements.get(entry) ?? entry)
}

type Replacements = (readonly [entry: JudgedEntry, replacement: JudgedEntry])[]

function replaceAnswer(log: readonly LogEntry[], line: z.infer<typeof questionVerdict>): Replacements {
  const answers = log.filter(
    (entry): entry is AnswerEntry =>
      entry.entry === 'answer' &&
      entry.conversation === line.conversation &&
      entry.question === line.question,
  )
  requireEqualCounts(`question ${line.question} of ${line.conversation}`, answers.length, 1)
  return answers.map((entry) => [
    entry,
    { ...entry, outcome: line.verdict, reason: EXTERNAL_REASON, lost: null },
  ])
}

function replaceSession(log: readonly LogEntry[], line: z.infer<typeof sessionVerdicts>): Replacements {
  const ofSession = `of session ${line.session} of ${line.conversation}`
  const sessionEntries = log.filter(
    (entry) =>
      'session' in entry && entry.session === line.session && entry.conversation === line.conversation,
  )
  const integrity = sessionEntries.filter((entry) => entry.entry === 'integrity')
  const accuracy = sessionEntries.filter((entry) => entry.entry === 'accuracy')
  const updates = sessionEntries.filter((entry) => entry.entry === 'update')
  requireEqualCounts(`gold memories ${ofSession}`, integrity.length, line.integrity.length)
  requireEqualCounts(`memories ${ofSession}`, accuracy.length, line.accuracy.length)
  requireEqualCounts(`memories ${ofSession}`, accuracy.length, line.gold_match.length)
  requireEqualCounts(`updates ${ofSession}`, updates.length, line.updates.length)
  const degreeAt = (degrees: readonly Degree[], index: number): Degree => degrees[index] ?? 0
  const reason = EXTERNAL_REASON
  const replacements: Replacements = []
  for (const [index, entry] of integrity.entries()) {
    const score = degreeAt(line.integrity, index)
    replacements.push([entry, { ...entry, score, scoreOfSession: score, reason }])
  }
  for (const [index, entry] of accuracy.entries()) {
    const isTarget = line.gold_match[index] === 1
    replacements.push([entry, { ...entry, score: degreeAt(line.accuracy, index), isTarget, reason }])
  }
  for (const [index, entry] of updates.entries())
    replacements.push([entry, { ...entry, outcome: line.updates[index] ?? 'omitted', reason }])
  return replacements
}

function requireEqualCounts(what: string, entryCount: number, verdictCount: number): void {
  if (entryCount === verdictCount) return
  throw new RangeError(
    `The log holds ${entryCount} lines for ${what}, and there are verdicts on ${verdictCount}. They are of another run.`,
  )
}

function isJudged(entry: LogEntry): entry is JudgedEntry {
  return ['integrity', 'accuracy', 'update', 'answer'].includes(entry.entry)
}

function describeEntry(entry: JudgedEntry): string {
  const where = entry.entry === 'answer' ? `question ${entry.question}` : `session ${entry.session}`
  return `the ${entry.entry} of ${where} of ${entry.conversation}`
}
