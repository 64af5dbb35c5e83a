import { createHash } from 'node:crypto'
import { readLogLines, type LogLine } from './log-lines.ts'
import { ReportError } from './report-error.ts'
import type { RunFailure, RunLog, WrongAnswer } from './report-run.ts'

/** A log is read whole only to be counted: of its wrong answers so many are kept. */
const MOST_WRONG_ANSWERS = 200
const MOST_FAILURES = 50

/**
 * Reads a run's `log.jsonl`. A last line that a kill cut off is left out, and remarked upon. When there are more wrong
 * answers than are kept, those with the smallest hash of conversation and question stay: a choice that nobody made, and
 * the same questions for every system.
 *
 * @param most wrong answers kept. Default 200.
 * @throws ReportError naming file, line and field.
 */
export async function readLog(file: string, most: number = MOST_WRONG_ANSWERS): Promise<RunLog> {
  const reading = new LogReading(most)
  try {
    const tellTorn = (line: number): void =>
      reading.remark(`Line ${line} of the log, its last, is cut off and was left out.`)
    for await (const { line } of readLogLines(file, tellTorn)) reading.take(line)
  } catch (error) {
    if (error instanceof ReportError) throw error
    throw new ReportError(file, 'damaged', 'cannot be read.', error)
  }
  return reading.result()
}

class LogReading {
  readonly #most: number
  readonly #wrongAnswers: { readonly rank: string; readonly answer: WrongAnswer }[] = []
  readonly #failures: RunFailure[] = []
  readonly #remarks: string[] = []
  readonly #counts = { asked: 0, wrong: 0, done: 0 }
  #failed = 0

  constructor(most: number) {
    this.#most = most
  }

  take(line: LogLine): void {
    switch (line.entry) {
      case 'answer': {
        const { outcome, ...answer } = line
        this.#count(outcome === 'correct' ? null : { ...answer, verdict: outcome })
        break
      }
      case 'probe':
        this.#count(line.chosen === line.correct ? null : wrongChoice(line))
        break
      case 'failure':
        this.#failed += 1
        if (this.#failures.length < MOST_FAILURES) this.#failures.push(line)
        break
      case 'done':
      case 'step':
        this.#counts.done += 1
        break
      case 'ingestion':
      case 'retrieval':
      case 'everyday':
      case 'coverage':
      case 'integrity':
      case 'accuracy':
      case 'update':
      case 'operation':
      case 'label':
      case 'reply':
      case 'oddity':
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
      ...this.#counts,
      wrongAnswers: this.#wrongAnswers.map(({ answer }) => answer),
      failures: this.#failures,
      remarks: this.#remarks,
    }
  }

  #count(answer: WrongAnswer | null): void {
    this.#counts.asked += 1
    if (answer === null) return
    this.#counts.wrong += 1
    const rank = createHash('sha256').update(`${answer.conversation}\n${answer.question}`).digest('hex')
    this.#wrongAnswers.push({ rank, answer })
    if (this.#wrongAnswers.length > 2 * this.#most) this.#keepSmallest()
  }

  #keepSmallest(): void {
    this.#wrongAnswers.sort((a, b) => (a.rank < b.rank ? -1 : 1))
    this.#wrongAnswers.length = Math.min(this.#wrongAnswers.length, this.#most)
  }
}

function wrongChoice(line: Extract<LogLine, { readonly entry: 'probe' }>): WrongAnswer {
  const { choices, correct, chosen, ...asked } = line
  return {
    ...asked,
    reference: choices[correct] ?? '',
    answer: chosen === null ? '' : (choices[chosen] ?? ''),
    verdict: chosen === null ? 'no choice' : 'wrong choice',
    reason: '',
    lost: null,
  }
}
