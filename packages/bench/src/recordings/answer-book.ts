import type { LanguageRequest } from 'keepsake/model'
import { requestKey, type RecordedAnswer } from './recording.ts'

/** Recorded answers by their requests. A repeated request gets the next recorded answer, and in the end always the last one. */
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
    const times = this.#asked.get(key) ?? 0
    const answer = answers?.[times] ?? answers?.at(-1)
    if (answer === undefined) return null
    this.#asked.set(key, times + 1)
    this.#used.add(answer)
    return answer
  }

  get unused(): readonly RecordedAnswer[] {
    return [...this.#byKey.values()].flat().filter((answer) => !this.#used.has(answer))
  }
}
