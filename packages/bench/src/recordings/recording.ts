import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { estimateTokens } from 'keepsake'
import type { FinishReason, LanguageAnswer, LanguageRequest } from 'keepsake/model'
import { z } from 'zod'

/** A file of recorded answers is missing, damaged or of another model. The message names the file and the problem. */
export class RecordingError extends Error {
  override readonly name = 'RecordingError'
  readonly file: string

  constructor(file: string, problem: string, cause?: unknown) {
    super(`${file}: ${problem}`, cause === undefined ? undefined : { cause })
    this.file = file
  }
}

const FORMAT = 1
/** Length of a key in hexadecimal digits. With 96 bits, a few thousand requests have different keys. */
const KEY_LENGTH = 24

const headerSchema = z.object({
  format: z.literal(FORMAT),
  model: z.string(),
  /** Facts about the recorded run, such as its talk and preset. */
  about: z.record(z.string(), z.union([z.string(), z.number()])),
})

/** One answer of a model. Its request is stored as a key only, never as text. */
const answerSchema = z.object({
  /** The prompt and its version: `segment/1`. */
  prompt: z.string(),
  key: z.string(),
  answer: z.string(),
  /** Why the answer ended. Absent: it is complete. */
  finish: z.enum(['stop', 'length', 'refused', 'other'] satisfies FinishReason[]).exactOptional(),
  /** If the provider did not report both numbers, both are Keepsake's estimate. */
  tokens: z.object({ input: z.number(), output: z.number(), estimated: z.boolean() }),
})

export type RecordingHeader = Readonly<z.infer<typeof headerSchema>>
export type RecordedAnswer = Readonly<z.infer<typeof answerSchema>>

export interface Recording {
  readonly header: RecordingHeader
  readonly answers: readonly RecordedAnswer[]
}

/** Makes the key of a request: a hash of system prompt, messages and schema, which decide its answer. */
export function requestKey({ system, messages, schema }: LanguageRequest): string {
  const parts = [system, messages.map(({ role, text }) => [role, text]), schema]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, KEY_LENGTH)
}

export function promptOf(request: LanguageRequest): string {
  return request.prompt ?? 'unnamed'
}

/** Counts the tokens of a request and its answer, as the provider reported them or else estimated. The schema is not counted. */
export function countTokens(request: LanguageRequest, answer: LanguageAnswer): RecordedAnswer['tokens'] {
  const { input, output } = answer.usage
  if (input !== null && output !== null) return { input, output, estimated: false }
  return {
    input: estimateTokens(requestText(request)),
    output: estimateTokens(answer.text),
    estimated: true,
  }
}

export function requestText({ system, messages }: LanguageRequest): string {
  return [system, ...messages.map(({ text }) => text)].join('\n')
}

export function headerFor(model: string, about: RecordingHeader['about'] = {}): RecordingHeader {
  return { format: FORMAT, model, about }
}

export function recordedAnswer(request: LanguageRequest, answer: LanguageAnswer): RecordedAnswer {
  return {
    prompt: promptOf(request),
    key: requestKey(request),
    answer: answer.text,
    ...(answer.finish === 'stop' ? {} : { finish: answer.finish }),
    tokens: countTokens(request, answer),
  }
}

export function languageAnswer({ answer, finish = 'stop', tokens }: RecordedAnswer): LanguageAnswer {
  const { input, output, estimated } = tokens
  return { text: answer, finish, usage: estimated ? { input: null, output: null } : { input, output } }
}

export function writeRecording({ header, answers }: Recording): string {
  return [header, ...answers].map((line) => `${JSON.stringify(line)}\n`).join('')
}

/** Reads a recording. @returns `null` if there is no such file. @throws RecordingError naming the unreadable line */
export function readRecording(file: string): Recording | null {
  if (!existsSync(file)) return null
  const lines = readFileSync(file, 'utf8').split('\n')
  const [first, ...rest] = lines.flatMap((line, index) =>
    line.trim() === '' ? [] : [{ value: parseLine(file, line, index + 1), number: index + 1 }],
  )
  const header = headerSchema.safeParse(first?.value)
  if (!header.success)
    throw new RecordingError(file, `does not begin with the header of a recording of format ${FORMAT}`)
  const answers = rest.map(({ value, number }) => {
    const { data, error } = answerSchema.safeParse(value)
    if (data !== undefined) return data
    throw new RecordingError(
      file,
      `line ${number} lacks \`prompt\`, \`key\`, \`answer\` or \`tokens\``,
      error,
    )
  })
  return { header: header.data, answers }
}

function parseLine(file: string, line: string, number: number): unknown {
  try {
    return JSON.parse(line)
  } catch (error) {
    throw new RecordingError(file, `line ${number} is not JSON`, error)
  }
}

/** Finds recorded answers by their requests. A repeated request gets the next recorded answer. After the last one, it gets the last one again. */
export class AnswerBook {
  readonly #byKey: Map<string, RecordedAnswer[]>
  readonly #used = new Set<RecordedAnswer>()
  readonly #asked = new Map<string, number>()

  constructor(answers: readonly RecordedAnswer[]) {
    this.#byKey = Map.groupBy(answers, ({ key }) => key)
  }

  find(request: LanguageRequest): RecordedAnswer | null {
    const key = requestKey(request)
    const answers = this.#byKey.get(key)
    const timesAsked = this.#asked.get(key) ?? 0
    const answer = answers?.[timesAsked] ?? answers?.at(-1)
    if (answer === undefined) return null
    this.#asked.set(key, timesAsked + 1)
    this.#used.add(answer)
    return answer
  }

  get unused(): readonly RecordedAnswer[] {
    return [...this.#byKey.values()].flat().filter((answer) => !this.#used.has(answer))
  }
}
