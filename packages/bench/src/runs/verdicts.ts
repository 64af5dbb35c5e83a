import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { defineBenchmark, type Step } from '../benchmark/benchmark.ts'
import { checkRecord } from '../datasets/check-record.ts'
import { DatasetError } from '../datasets/dataset-error.ts'
import { readJson } from '../datasets/read-input.ts'
import { openJsonLines } from '../datasets/record-file.ts'
import type { LogEntry, AccuracyEntry, AnswerEntry, IntegrityEntry, UpdateEntry } from '../log/log-entry.ts'
import { runManifest } from '../results/run-summary.ts'
import { entriesOf } from './figures/make-figures.ts'
import { summariseLog } from './figures/summarise-log.ts'
import { byConversation } from './measure-system.ts'
import type { AnswerOutcome, Degree, UpdateOutcome } from '../judges/judge.ts'

/** Recomputes the figures of a finished run from external verdicts, such as people's. */
export const verdicts = defineBenchmark({
  name: 'verdicts',
  about:
    'Computes the figures of a finished run again from external verdicts: of people, or of a judge who compares several systems without knowing which is which.',
  examples: [
    'verdicts --run bench-runs/halumem-keepsake-0f3a12 --verdicts verdicts.jsonl --by "two readers"',
  ],
  options: z.object({
    run: z.string().meta({ value: '<folder>', description: 'the folder of the judged run' }),
    verdicts: z.string().meta({
      value: '<file>',
      description:
        'JSON Lines: integrity, accuracy, gold_match and updates of a session, or the verdict on a question',
    }),
    by: z
      .string()
      .meta({ value: '<name>', description: 'the name of the judge, under which the figures are reported' }),
  }),
  async *open({ run, verdicts: file, by }) {
    const manifestFile = join(run, 'run.json')
    const value = await readJson(manifestFile)
    const manifest = checkRecord(runManifest, manifestFile, { where: 'the run', value })
    const { dataset, dataHash, systems, config, reader, tasks } = manifest
    const judgedLog = await judgeLog(run, file)
    const [system = ''] = systems
    yield {
      dataset,
      dataHash,
      systems,
      config: { ...config, judgeVersion: (await openJsonLines(file)).dataHash },
      ...(reader === null ? {} : { reader }),
      judge: by,
      tasks,
      resumes: 'never',
      total: null,
      steps: stepsOf(judgedLog),
      summarise: (log) => [{ system, figures: summariseLog(byConversation(log), { judge: by, reader }) }],
      countConversations: (log) => entriesOf(log, 'done').length,
    }
  },
})

/** Makes one step per conversation, which returns its judged entries. */
function stepsOf(log: readonly LogEntry[]): Step[] {
  const nameOf = (entry: LogEntry): string => (entry.entry === 'step' ? entry.step : entry.conversation)
  return [...Map.groupBy(log, nameOf)].map(([name, entries]) => ({ name, measure: async () => entries }))
}

/** Reads the log of a run and replaces its verdicts by those of a file. */
async function judgeLog(run: string, file: string): Promise<LogEntry[]> {
  const log = (await readFile(join(run, 'log.jsonl'), 'utf8'))
    .split('\n')
    .filter((line) => line !== '')
    .map((line): LogEntry => JSON.parse(line))
  const lines: VerdictLine[] = []
  for await (const record of (await openJsonLines(file)).records())
    lines.push(checkRecord(verdictLine, file, record))
  try {
    return applyVerdicts(log, lines)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new DatasetError(file, error.message, error)
  }
}

const degree = z.literal([0, 1, 2])
const OUTCOME_OF_LETTER = { C: 'correct', H: 'hallucinated', O: 'omitted' } as const satisfies Record<
  string,
  AnswerOutcome & UpdateOutcome
>
const outcome = z.enum(['C', 'H', 'O']).transform((letter) => OUTCOME_OF_LETTER[letter])

/** The verdicts on a session. Each list has one verdict per log line of its kind, in the order of the log. */
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
const verdictLine = z.union([sessionVerdicts, questionVerdict])
type VerdictLine = z.infer<typeof verdictLine>

/** Log entries that have a verdict. */
type JudgedEntry = IntegrityEntry | AccuracyEntry | UpdateEntry | AnswerEntry
const EXTERNAL_REASON = 'given outside of the run'

/** Replaces a log's verdicts by external ones, and removes the step that lost an answer. @throws RangeError if their number differs */
function applyVerdicts(log: readonly LogEntry[], verdicts: readonly VerdictLine[]): LogEntry[] {
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
    `The log has ${entryCount} lines for ${what}, but there are verdicts on ${verdictCount}. They belong to another run.`,
  )
}

function isJudged(entry: LogEntry): entry is JudgedEntry {
  return ['integrity', 'accuracy', 'update', 'answer'].includes(entry.entry)
}

function describeEntry(entry: JudgedEntry): string {
  const where = entry.entry === 'answer' ? `question ${entry.question}` : `session ${entry.session}`
  return `the ${entry.entry} of ${where} of ${entry.conversation}`
}
