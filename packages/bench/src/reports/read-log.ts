import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { LOST_STEPS } from '../log/log-entry.ts'
import { describeProblem } from '../results/run-summary.ts'
import { ReportError } from './report-error.ts'
import type { RunFailure, RunLog, WrongAnswer } from './report-run.ts'

const number = z.number()
const text = z.string()
const conversationFields = { conversation: text, person: text }
/** Fields that answers and multiple-choice probes share. */
const questionFields = {
  ...conversationFields,
  question: text,
  category: text,
  text,
  retrieved: z.array(text),
  context: text,
  failure: text.nullable(),
}

/** The entries of `log.jsonl` that reports use, with the fields that they need. */
const reportedEntry = z.discriminatedUnion('entry', [
  z.object({
    entry: z.literal('answer'),
    ...questionFields,
    reference: text,
    answer: text,
    outcome: z.enum(['correct', 'hallucinated', 'omitted']),
    reason: text,
    lost: z.enum(LOST_STEPS).nullable(),
  }),
  z.object({
    entry: z.literal('probe'),
    ...questionFields,
    choices: z.array(text),
    correct: number,
    chosen: number.nullable(),
  }),
  z.object({ entry: z.literal('failure'), ...conversationFields, where: text, message: text }),
  z.object({ entry: z.literal('done'), ...conversationFields }),
  z.object({ entry: z.literal('step'), step: text }),
])
type ReportedEntry = z.infer<typeof reportedEntry>
const REPORTED_KINDS: ReadonlySet<string> = new Set<ReportedEntry['entry']>([
  'answer',
  'probe',
  'failure',
  'done',
  'step',
])
const anyEntry = z.looseObject({ entry: z.string() })

/** Maximum numbers of wrong answers and failures that are kept in memory. */
const MAX_WRONG_ANSWERS = 200
const MAX_FAILURES = 50

/** Reads a run's `log.jsonl`. Of too many wrong answers, those of smallest hash are kept: an unbiased choice, equal for all systems. */
export async function readLog(file: string, maxWrongAnswers: number = MAX_WRONG_ANSWERS): Promise<RunLog> {
  const reader = new LogReader(maxWrongAnswers)
  try {
    const remarkIncomplete = (line: number): void =>
      reader.remark(`Line ${line} of the log, its last, is cut off and was left out.`)
    for await (const value of readLogLines(file, remarkIncomplete)) {
      const { success, data } = reportedEntry.safeParse(value)
      if (success) reader.add(data)
    }
  } catch (error) {
    if (error instanceof ReportError) throw error
    throw new ReportError(file, 'damaged', 'cannot be read.', error)
  }
  return reader.result()
}

/** Collects what a report needs from the entries of a log. */
class LogReader {
  readonly #maxWrongAnswers: number
  readonly #wrongAnswers: { readonly rank: string; readonly answer: WrongAnswer }[] = []
  readonly #failures: RunFailure[] = []
  readonly #remarks: string[] = []
  readonly #counts = { asked: 0, wrong: 0, done: 0 }
  #failureCount = 0

  constructor(maxWrongAnswers: number) {
    this.#maxWrongAnswers = maxWrongAnswers
  }

  add(entry: ReportedEntry): void {
    switch (entry.entry) {
      case 'answer': {
        const { outcome, ...answer } = entry
        this.#addAnswer(outcome === 'correct' ? null : { ...answer, verdict: outcome })
        break
      }
      case 'probe':
        this.#addAnswer(entry.chosen === entry.correct ? null : wrongChoice(entry))
        break
      case 'failure':
        this.#failureCount += 1
        if (this.#failures.length < MAX_FAILURES) this.#failures.push(entry)
        break
      case 'done':
      case 'step':
        this.#counts.done += 1
        break
    }
  }

  remark(sentence: string): void {
    this.#remarks.push(sentence)
  }

  result(): RunLog {
    this.#dropLargest()
    const unlisted = this.#failureCount - this.#failures.length
    if (unlisted > 0) this.remark(`${unlisted} more failures are in the log.`)
    return {
      ...this.#counts,
      wrongAnswers: this.#wrongAnswers.map(({ answer }) => answer),
      failures: this.#failures,
      remarks: this.#remarks,
    }
  }

  /** Counts an answer. `null`: it was right. */
  #addAnswer(answer: WrongAnswer | null): void {
    this.#counts.asked += 1
    if (answer === null) return
    this.#counts.wrong += 1
    const rank = createHash('sha256').update(`${answer.conversation}\n${answer.question}`).digest('hex')
    this.#wrongAnswers.push({ rank, answer })
    // Sorting only when the list has doubled saves time.
    if (this.#wrongAnswers.length > 2 * this.#maxWrongAnswers) this.#dropLargest()
  }

  #dropLargest(): void {
    this.#wrongAnswers.sort((a, b) => (a.rank < b.rank ? -1 : 1))
    this.#wrongAnswers.length = Math.min(this.#wrongAnswers.length, this.#maxWrongAnswers)
  }
}

function wrongChoice(entry: Extract<ReportedEntry, { readonly entry: 'probe' }>): WrongAnswer {
  const { choices, correct, chosen, ...question } = entry
  return {
    ...question,
    reference: choices[correct] ?? '',
    answer: chosen === null ? '' : (choices[chosen] ?? ''),
    verdict: chosen === null ? 'no choice' : 'wrong choice',
    reason: '',
    lost: null,
  }
}

/** Reads a log line by line. An incomplete last line is dropped and reported. @throws ReportError naming file, line and field */
export async function* readLogLines(
  file: string,
  onIncomplete: (line: number) => void = () => undefined,
): AsyncGenerator {
  const lines = createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity })
  let number = 0
  let invalid: { readonly line: number; readonly cause: unknown } | null = null
  for await (const text of lines) {
    number += 1
    // An invalid line is incomplete only if it is the last.
    if (invalid !== null) throw damaged(file, invalid.line, 'is not JSON', invalid.cause)
    if (text.trim() === '') continue
    const parsed = parse(text)
    if (parsed.error !== null) invalid = { line: number, cause: parsed.error }
    else yield checkEntry(file, number, parsed.value)
  }
  if (invalid !== null) onIncomplete(invalid.line)
}

function parse(text: string): { readonly value: unknown; readonly error: unknown } {
  try {
    return { value: JSON.parse(text), error: null }
  } catch (error) {
    return { value: null, error }
  }
}

function checkEntry(file: string, number: number, value: unknown): unknown {
  const entry = anyEntry.safeParse(value)
  const isReported = entry.success && REPORTED_KINDS.has(entry.data.entry)
  const parsed = isReported ? reportedEntry.safeParse(value) : entry
  if (parsed.success) return value
  throw damaged(file, number, describeProblem(parsed.error), parsed.error)
}

function damaged(file: string, line: number, problem: string, cause: unknown): ReportError {
  return new ReportError(
    file,
    'damaged',
    `line ${line}: ${problem}. If another version of the harness wrote it, run the benchmark again.`,
    cause,
  )
}
