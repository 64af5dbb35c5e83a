// Makes a language model that answers requests from a recording in packages/bench/data.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { ModelError, type LanguageModel } from 'keepsake'
import type { LanguageAnswer, LanguageRequest } from 'keepsake/model'
import { readJsonLines } from './talks.ts'

interface RecordedAnswer {
  /** The first 24 hexadecimal digits of the SHA-256 of the request. */
  readonly key: string
  readonly answer: string
  readonly finish?: LanguageAnswer['finish']
}

/** The part of a talk that was recorded. */
interface RecordedRun {
  readonly rounds?: number
  readonly questions?: number
}

interface Replay {
  readonly about: RecordedRun
  readonly model: LanguageModel
  /** Names of prompts whose requests the recording answered. The set grows while the model is used. */
  readonly answeredPrompts: ReadonlySet<string>
  /** Names of prompts with a request that the recording has no answer to. */
  readonly unansweredPrompts: ReadonlySet<string>
}

/** Further recorded answers, to requests that only golden runs make. */
const OWN_ANSWERS = join(import.meta.dirname, 'answers.jsonl')

function keyOf({ system, messages, schema }: LanguageRequest): string {
  const parts = [system, messages.map(({ role, text }) => [role, text]), schema]
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24)
}

/**
 * Opens a recording. If a request was recorded several times, its repetitions get the answers in their recorded order. Further repetitions
 * get the last answer again.
 */
export function openReplay(file: string): Replay {
  const [header, ...recorded] = readJsonLines<RecordedAnswer & { model: string; about: RecordedRun }>(file)
  const answers = [...recorded, ...readJsonLines<RecordedAnswer>(OWN_ANSWERS)]
  const answersByKey = Map.groupBy(answers, ({ key }) => key)
  /** How often each request was made so far. */
  const requestCounts = new Map<string, number>()
  const answeredPrompts = new Set<string>()
  const unansweredPrompts = new Set<string>()
  const answerTo = (request: LanguageRequest): LanguageAnswer => {
    const { prompt = 'unnamed' } = request
    const key = keyOf(request)
    const repetition = requestCounts.get(key) ?? 0
    requestCounts.set(key, repetition + 1)
    const recordedAnswers = answersByKey.get(key) ?? []
    const recordedAnswer = recordedAnswers[repetition] ?? recordedAnswers.at(-1)
    if (recordedAnswer === undefined) {
      unansweredPrompts.add(prompt)
      throw new ModelError(`The recording has no answer to this request of ${prompt}.`, {
        isRetryable: false,
      })
    }
    answeredPrompts.add(prompt)
    const { answer: text, finish = 'stop' } = recordedAnswer
    return { text, finish, usage: { input: null, output: null } }
  }
  const model: LanguageModel = {
    id: header?.model ?? 'recorded',
    generate: async (request) => answerTo(request),
    async *stream(request) {
      const { text, finish, usage } = answerTo(request)
      if (text !== '') yield { kind: 'text', text }
      yield { kind: 'end', finish, usage }
    },
  }
  return { about: header?.about ?? {}, model, answeredPrompts, unansweredPrompts }
}
