import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { z } from 'zod'
import { LOST_STEPS } from '../log/log-entry.ts'
import { tellProblem } from '../results/run-summary.ts'
import { ReportError } from './report-error.ts'

const number = z.number()
const text = z.string()
const of = { conversation: text, person: text }
/** What answers and probes have in common. */
const asked = {
  ...of,
  question: text,
  category: text,
  text,
  retrieved: z.array(text),
  context: text,
  failure: text.nullable(),
}
/** Kinds of lines that a report only passes by. */
const PASSED_BY = [
  'ingestion',
  'retrieval',
  'everyday',
  'coverage',
  'integrity',
  'accuracy',
  'update',
  'operation',
  'label',
  'reply',
  'oddity',
] as const

/** A line of `log.jsonl`, as far as a report needs it. */
const logLine = z.discriminatedUnion('entry', [
  z.object({
    entry: z.literal('answer'),
    ...asked,
    reference: text,
    answer: text,
    outcome: z.enum(['correct', 'hallucinated', 'omitted']),
    reason: text,
    lost: z.enum(LOST_STEPS).nullable(),
  }),
  z.object({
    entry: z.literal('probe'),
    ...asked,
    choices: z.array(text),
    correct: number,
    chosen: number.nullable(),
  }),
  z.object({ entry: z.literal('failure'), ...of, where: text, message: text }),
  z.object({ entry: z.literal('done'), ...of }),
  z.object({ entry: z.literal('step'), step: text }),
  z.object({ entry: z.enum(PASSED_BY) }),
])

export type LogLine = z.infer<typeof logLine>

/** A line with its value as it was written. */
export interface ReadLine {
  readonly line: LogLine
  readonly value: unknown
}

/**
 * Reads a log line by line, so that it is never held whole.
 *
 * @param onTorn is told the number of a last line that a kill cut off, which is left out
 * @throws ReportError naming file, line and field.
 */
export async function* readLogLines(
  file: string,
  onTorn: (line: number) => void = () => undefined,
): AsyncGenerator<ReadLine> {
  const lines = createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity })
  let number = 0
  let torn: { readonly line: number; readonly cause: unknown } | null = null
  for await (const text of lines) {
    number += 1
    if (torn !== null) throw damaged(file, torn.line, 'is not JSON', torn.cause)
    if (text.trim() === '') continue
    const parsed = parse(text)
    if (parsed.error !== null) torn = { line: number, cause: parsed.error }
    else yield { line: check(file, number, parsed.value), value: parsed.value }
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

function check(file: string, number: number, value: unknown): LogLine {
  const parsed = logLine.safeParse(value)
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
