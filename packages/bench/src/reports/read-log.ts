import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { ReportError } from './report-error.ts'
import type { RunFailure, RunLog, WrongAnswer } from './report-run.ts'
import { logLineSchema, tellProblem, type AnswerLine, type LogLine, type ProbeLine } from './run-schema.ts'

/** A log is read whole only to be counted: of its wrong answers so many are kept. */
const MOST_WRONG_ANSWERS = 200
const MOST_FAILURES = 50

/**
 * Reads a run's `log.jsonl` line by line. A last line that a kill cut off is left out, and remarked upon. When there are
 * more wrong answers than are kept, those with the smallest hash of conversation and question stay: a choice that nobody
 * made, and the same questions for every system.
 *
 * @param most wrong answers kept. Default 200.
 * @throws ReportError naming file, line and field.
 */
export async function readLog(file: string, most: number = MOST_WRONG_ANSWERS): Promise<RunLog> {
  const reading = new LogReading(most)
  const lines = createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity })
  let number = 0
  let torn: { readonly line: number; readonly cause: unknown } | null = null
  try {
    for await (const line of lines) {
      number += 1
      if (torn !== null) throw damaged(file, torn.line, 'is not JSON', torn.cause)
      if (line.trim() === '') continue
      const parsed = parse(line)
      if (parsed.error !== null) torn = { line: number, cause: parsed.error }
      else reading.take(check(file, number, parsed.value))
    }
  } catch (error) {
    if (error instanceof ReportError) throw error
    throw new ReportError(file, 'damaged', 'cannot be read.', error)
  }
  if (torn !== null) reading.remark(`Line ${torn.line} of the log, its last, is cut off and was left out.`)
  return reading.result()
}

class LogReading {
  readonly #most: number
  readonly #wrongAnswers: { readonly rank: string; readonly answer: WrongAnswer }[] = []
  readonly #failures: RunFailure[] = []
  readonly #remarks: string[] = []
  readonly #lost: { -readonly [K in keyof RunLog['lost']]: RunLog['lost'][K] } = {}
  #asked = 0
  #wrong = 0
  #done = 0
  #failed = 0

  constructor(most: number) {
    this.#most = most
  }

  take(line: LogLine): void {
    switch (line.entry) {
      case 'answer':
        this.#count(line.outcome === 'correct' ? null : wrongAnswer(line))
        if (line.outcome !== 'correct') this.#countLost(line.lost ?? 'unknown')
        break
      case 'probe':
        this.#count(line.chosen === line.correct ? null : wrongChoice(line))
        break
      case 'failure':
        this.#failed += 1
        if (this.#failures.length < MOST_FAILURES) this.#failures.push(line)
        break
      case 'done':
        this.#done += 1
        break
      case 'ingestion':
      case 'retrieval':
      case 'integrity':
      case 'accuracy':
      case 'update':
      case 'operation':
      case 'label':
        break
    }
  }

  remark(sentence: string): void {
    this.#remarks.push(sentence)
  }

  result(): RunLog {
    this.#keepSmallest()
    const more = this.#failed - this.#failures.length
    if (more > 0) this.remark(`${more} more failures are in the log.`)
    return {
      asked: this.#asked,
      wrong: this.#wrong,
      wrongAnswers: this.#wrongAnswers.map(({ answer }) => answer),
      lost: this.#lost,
      failures: this.#failures,
      done: this.#done,
      remarks: this.#remarks,
    }
  }

  #count(answer: WrongAnswer | null): void {
    this.#asked += 1
    if (answer === null) return
    this.#wrong += 1
    const rank = createHash('sha256').update(`${answer.conversation}\n${answer.question}`).digest('hex')
    this.#wrongAnswers.push({ rank, answer })
    if (this.#wrongAnswers.length > 2 * this.#most) this.#keepSmallest()
  }

  #countLost(step: keyof RunLog['lost']): void {
    this.#lost[step] = (this.#lost[step] ?? 0) + 1
  }

  #keepSmallest(): void {
    this.#wrongAnswers.sort((a, b) => (a.rank < b.rank ? -1 : 1))
    this.#wrongAnswers.length = Math.min(this.#wrongAnswers.length, this.#most)
  }
}

function wrongAnswer({ outcome, ...line }: AnswerLine): WrongAnswer {
  return { ...line, verdict: outcome }
}

function wrongChoice({ choices, correct, chosen, ...line }: ProbeLine): WrongAnswer {
  return {
    ...line,
    reference: choices[correct] ?? '',
    answer: chosen === null ? '' : (choices[chosen] ?? ''),
    verdict: chosen === null ? 'no choice' : 'wrong choice',
    reason: '',
    lost: null,
  }
}

function parse(line: string): { readonly value: unknown; readonly error: unknown } {
  try {
    return { value: JSON.parse(line), error: null }
  } catch (error) {
    return { value: null, error }
  }
}

function check(file: string, number: number, value: unknown): LogLine {
  const parsed = logLineSchema.safeParse(value)
  if (parsed.success) return parsed.data
  throw damaged(file, number, tellProblem(parsed.error), parsed.error)
}

function damaged(file: string, line: number, problem: string, cause: unknown): ReportError {
  return new ReportError(
    file,
    'damaged',
    `line ${line}: ${problem}. If another version of the harness wrote it, run the benchmark again.`,
    cause,
  )
}
