import { z } from 'zod'
import type { AnswerOutcome, Degree, UpdateOutcome } from '../judges/judge.ts'
import type { AccuracyEntry, AnswerEntry, IntegrityEntry, LogEntry, UpdateEntry } from '../log/log-entry.ts'

const degree = z.literal([0, 1, 2])
const OUTCOMES = { C: 'correct', H: 'hallucinated', O: 'omitted' } as const satisfies Record<
  string,
  AnswerOutcome & UpdateOutcome
>
const outcome = z.enum(['C', 'H', 'O']).transform((letter) => OUTCOMES[letter])

const sessionVerdicts = z.object({
  conversation: z.string(),
  session: z.string(),
  integrity: z.array(degree),
  accuracy: z.array(degree),
  gold_match: z.array(z.literal([0, 1])),
  updates: z.array(outcome),
})
const questionVerdict = z.object({ conversation: z.string(), question: z.string(), verdict: outcome })

/**
 * A line of external verdicts: for a session all its log lines in order, or for a question its answer. Degrees are 0, 1, 2; outcomes C, H,
 * O.
 */
export const verdictLine = z.union([sessionVerdicts, questionVerdict])
export type VerdictLine = z.infer<typeof verdictLine>

type Judged = IntegrityEntry | AccuracyEntry | UpdateEntry | AnswerEntry
const GIVEN = 'given outside of the run'

/**
 * Replaces the verdicts of a log. The step that lost an answer, which they do not contain, stays open.
 *
 * @throws RangeError naming session or question with missing lines, or a different number of verdicts
 */
export function applyVerdicts(log: readonly LogEntry[], verdicts: readonly VerdictLine[]): LogEntry[] {
  const replaced = new Map<LogEntry, Judged>()
  for (const line of verdicts)
    for (const [entry, judged] of 'question' in line ? judgeAnswer(log, line) : judgeSession(log, line))
      replaced.set(entry, judged)
  const open = log.find((entry) => isJudged(entry) && !replaced.has(entry))
  if (open !== undefined && isJudged(open)) throw new RangeError(`There is no verdict on ${nameOf(open)}.`)
  return log.map((entry) => replaced.get(entry) ?? entry)
}

type Replaced = (readonly [Judged, Judged])[]

function judgeAnswer(log: readonly LogEntry[], line: z.infer<typeof questionVerdict>): Replaced {
  const asked = log.filter(
    (entry): entry is AnswerEntry =>
      entry.entry === 'answer' &&
      entry.conversation === line.conversation &&
      entry.question === line.question,
  )
  requireAsMany(`question ${line.question} of ${line.conversation}`, asked.length, 1)
  return asked.map((entry) => [entry, { ...entry, outcome: line.verdict, reason: GIVEN, lost: null }])
}

function judgeSession(log: readonly LogEntry[], line: z.infer<typeof sessionVerdicts>): Replaced {
  const of = `of session ${line.session} of ${line.conversation}`
  const own = log.filter(
    (entry) =>
      'session' in entry && entry.session === line.session && entry.conversation === line.conversation,
  )
  const integrity = own.filter((entry) => entry.entry === 'integrity')
  const accuracy = own.filter((entry) => entry.entry === 'accuracy')
  const updates = own.filter((entry) => entry.entry === 'update')
  requireAsMany(`gold memories ${of}`, integrity.length, line.integrity.length)
  requireAsMany(`memories ${of}`, accuracy.length, line.accuracy.length)
  requireAsMany(`memories ${of}`, accuracy.length, line.gold_match.length)
  requireAsMany(`updates ${of}`, updates.length, line.updates.length)
  const degreeAt = (degrees: readonly Degree[], place: number): Degree => degrees[place] ?? 0
  return [
    ...integrity.map((entry, place): [Judged, Judged] => {
      const score = degreeAt(line.integrity, place)
      return [entry, { ...entry, score, scoreOfSession: score, reason: GIVEN }]
    }),
    ...accuracy.map((entry, place): [Judged, Judged] => {
      const isTarget = line.gold_match[place] === 1
      return [entry, { ...entry, score: degreeAt(line.accuracy, place), isTarget, reason: GIVEN }]
    }),
    ...updates.map((entry, place): [Judged, Judged] => [
      entry,
      { ...entry, outcome: line.updates[place] ?? 'omitted', reason: GIVEN },
    ]),
  ]
}

function requireAsMany(what: string, logged: number, judged: number): void {
  if (logged === judged) return
  throw new RangeError(
    `The log holds ${logged} lines for ${what}, and there are verdicts on ${judged}. They are of another run.`,
  )
}

function isJudged(entry: LogEntry): entry is Judged {
  return ['integrity', 'accuracy', 'update', 'answer'].includes(entry.entry)
}

function nameOf(entry: Judged): string {
  const where = entry.entry === 'answer' ? `question ${entry.question}` : `session ${entry.session}`
  return `the ${entry.entry} of ${where} of ${entry.conversation}`
}
