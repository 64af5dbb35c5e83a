import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { LOST_STEPS } from '../log/log-entry.ts'
import { tellProblem } from '../results/run-summary.ts'
import { ReportError } from './report-error.ts'
import type { RunFailure, RunLog, WrongAnswer } from './report-run.ts'

const number = z.number()
const text = z.string()
const conversationFields = { conversation: text, person: text }
/** Fields of both answers and probes. */
const questionFields = {
  ...conversationFields,
  question: text,
  category: text,
  text,
  retrieved: z.array(text),
  context: text,
  failure: text.nullable(),
}

/** Lines of `log.jsonl` that a report shows, with the needed fields. */
const shownLine = z.discriminatedUnion('entry', [
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
type ShownLine = z.infer<typeof shownLine>
const ENTRIES: ReadonlySet<string> = new Set<ShownLine['entry']>([
  'answer',
  'probe',
  'failure',
  'done',
  'step',
])
const anyLine = z.looseObject({ entry: z.string() })

/** The reader keeps only this many wrong answers. */
const MAX_WRONG_ANSWERS = 200
const MAX_FAILURES = 50

/**
 * Reads a run's `log.jsonl`. Drops a torn last line, with a remark. Of too many wrong answers, those with the smallest hash of conversation
 * and question stay, so that the choice is unbiased and the same for every system.
 *
 * @param most wrong answers kept. Default 200.
 * @throws ReportError naming file, line and field.
 */
export async function readLog(file: string, most: number = MAX_WRONG_ANSWERS): Promise<RunLog> {
  const reader = new LogReader(most)
  try {
    const remarkTorn = (line: number): void =>
      reader.remark(`Line ${line} of the log, its last, is cut off and was left out.`)
    for await (const value of readLogLines(file, remarkTorn)) {
      const { success, data } = shownLine.safeParse(value)
      if (success) reader.take(data)
    }
  } catch (error) {
    if (error instanceof ReportError) throw error
    throw new ReportError(file, 'damaged', 'cannot be read.', error)
  }
  return reader.result()
}

class LogReader {
  readonly #most: number
  readonly #wrongAnswers: { readonly rank: string; readonly answer: WrongAnswer }[] = []
  readonly #failures: RunFailure[] = []
  readonly #remarks: string[] = []
  readonly #counts = { asked: 0, wrong: 0, done: 0 }
  #failed = 0

  constructor(most: number) {
    this.#most = most
  }

  take(line: ShownLine): void {
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
        if (this.#failures.length < MAX_FAILURES) this.#failures.push(line)
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

function wrongChoice(line: Extract<ShownLine, { readonly entry: 'probe' }>): WrongAnswer {
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

/**
 * Reads a log line by line, so that it is never in memory as a whole.
 *
 * @param onTorn receives the number of a torn last line, which is dropped
 * @throws ReportError naming file, line and field.
 */
export async function* readLogLines(
  file: string,
  onTorn: (line: number) => void = () => undefined,
): AsyncGenerator {
  const lines = createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity })
  let number = 0
  let torn: { readonly line: number; readonly cause: unknown } | null = null
  for await (const text of lines) {
    number += 1
    if (torn !== null) throw damaged(file, torn.line, 'is not JSON', torn.cause)
    if (text.trim() === '') continue
    const parsed = parse(text)
    if (parsed.error !== null) torn = { line: number, cause: parsed.error }
    else yield checkLine(file, number, parsed.value)
  }
  if (torn !== null) onTorn(torn.line)
}

function parse(text: string): { readonly value: unknown; readonly error: unknown } {
  try {
    return { value: JSON.parse(text), error: null }
  } catch (error) {
    return { value: null, error }
  }
}

function checkLine(file: string, number: number, value: unknown): unknown {
  const any = anyLine.safeParse(value)
  const parsed = any.success && ENTRIES.has(any.data.entry) ? shownLine.safeParse(value) : any
  if (parsed.success) return value
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
