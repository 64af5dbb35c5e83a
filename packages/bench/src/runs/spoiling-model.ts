import type { LanguageAnswer, LanguageModel, LanguageRequest } from 'keepsake'
import { seededRandom } from '../metrics/seeded-random.ts'
import { streamAnswer } from '../recordings/stream-answer.ts'

export interface Spoiling {
  /** Of so many answers in a row, one cannot be used. A whole number from 2. */
  readonly oneIn: number
  /** Which of them it is. */
  readonly seed: number
}

/** What weak models answer where JSON was asked for, turn and turn about: a refusal, an answer cut off, nothing, bare words. */
const UNUSABLE: readonly ((text: string) => string)[] = [
  () => 'I am sorry, but I cannot help with that.',
  (text) => text.slice(0, Math.ceil(text.length / 3)),
  () => '',
  () => '"yes"',
]

/**
 * A model of which one answer in so many is unusable: the same ones at each run, as long as its requests come in the same order.
 * A request that is asked again counts anew, so that a repair mostly succeeds, as with a weak model. It answers as slowly and at
 * the same cost as the model behind it.
 *
 * @example
 * spoilingModel(model, { oneIn: 10, seed: 1 })
 */
export function spoilingModel(model: LanguageModel, { oneIn, seed }: Spoiling): LanguageModel {
  const random = seededRandom(seed)
  let asked = 0
  let spoilt = 0
  let drawn = 0
  const isSpoilt = (): boolean => {
    const place = asked % oneIn
    if (place === 0) drawn = Math.floor(random() * oneIn)
    asked += 1
    return place === drawn
  }
  const generate = async (request: LanguageRequest): Promise<LanguageAnswer> => {
    const spoil = isSpoilt() ? UNUSABLE[spoilt++ % UNUSABLE.length] : undefined
    const answer = await model.generate(request)
    return spoil === undefined ? answer : { ...answer, text: spoil(answer.text) }
  }
  return {
    id: `${model.id}, one in ${oneIn} unusable (seed ${seed})`,
    generate,
    stream: (request) => streamAnswer(generate(request)),
  }
}
