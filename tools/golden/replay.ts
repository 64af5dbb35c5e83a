// Answers a language model's requests from a recording in packages/bench/data.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { ModelError, type LanguageModel } from 'keepsake'
import type { LanguageAnswer, LanguageRequest } from 'keepsake/model'
import { readJsonLines } from './talks.ts'

interface RecordedAnswer {
  readonly key: string
  readonly answer: string
  readonly finish?: LanguageAnswer['finish']
}

interface RecordedRun {
  readonly rounds?: number
  readonly questions?: number
}

interface Replay {
  readonly about: RecordedRun
  readonly model: LanguageModel
  /** Prompts of requests that are not in the recording. */
  readonly missing: ReadonlySet<string>
  readonly asked: ReadonlySet<string>
}

/** Answers of the same reader to questions that only golden runs ask. */
const OWN_ANSWERS = join(import.meta.dirname, 'answers.jsonl')

/** Opens a recording. The same request asked again gets the next answer, and then the last. */
export function openReplay(file: string): Replay {
  const [header, ...recorded] = readJsonLines<RecordedAnswer & { model: string; about: RecordedRun }>(file)
  const answers = [...recorded, ...readJsonLines<RecordedAnswer>(OWN_ANSWERS)]
  const byKey = Map.groupBy(answers, ({ key }) => key)
  const times = new Map<string, number>()
  const missing = new Set<string>()
  const asked = new Set<string>()
  const find = (request: LanguageRequest): LanguageAnswer => {
    const { system, messages, schema, prompt = 'unnamed' } = request
    const parts = [system, messages.map(({ role, text }) => [role, text]), schema]
    const key = createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 24)
    const place = times.get(key) ?? 0
    times.set(key, place + 1)
    const found = byKey.get(key)
    const answer = found?.[place] ?? found?.at(-1)
    const prompts = answer === undefined ? missing : asked
    prompts.add(prompt)
    if (answer === undefined)
      throw new ModelError(`The recording has no answer to this request of ${prompt}.`, {
        isRetryable: false,
      })
    return { text: answer.answer, finish: answer.finish ?? 'stop', usage: { input: null, output: null } }
  }
  const model: LanguageModel = {
    id: header?.model ?? 'recorded',
    generate: async (request) => find(request),
    async *stream(request) {
      const { text, finish, usage } = find(request)
      if (text !== '') yield { kind: 'text', text }
      yield { kind: 'end', finish, usage }
    },
  }
  return { about: header?.about ?? {}, model, missing, asked }
}
