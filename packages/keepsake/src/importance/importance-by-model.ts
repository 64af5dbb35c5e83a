import { ModelError } from '@keepsake/text'
import type { AskModel, AskOptions } from '../models/ask-model.ts'
import { importancePrompt, type ImportanceUnit } from '../prompts/importance.ts'

/** More in one question, and a model loses count. */
const RATED_AT_A_TIME = 40
/** The scale's ends. */
const LEAST = 1
const MOST = 10

/**
 * LUFY's L: how much each utterance will matter later, judged by a language model with the summary of the past as
 * context.
 *
 * @param units what the user said, each with the agent's turn before it
 * @param summary what was talked about before; empty at the start
 * @returns whole numbers from 1 (mundane) to 10 (extremely important), in order
 * @throws ModelError when the model cannot be asked, or `model-answer` when it leaves an utterance without a rating
 *
 * @example
 * await rateImportance([{ agent: 'How are you?', user: 'My father died.' }], '', ask, { language: 'en' }) // [10]
 */
export async function rateImportance(
  units: readonly ImportanceUnit[],
  summary: string,
  ask: AskModel,
  asking: AskOptions,
): Promise<number[]> {
  const ratings: number[] = []
  for (let start = 0; start < units.length; start += RATED_AT_A_TIME) {
    const batch = units.slice(start, start + RATED_AT_A_TIME)
    const answer = await ask.ask(importancePrompt, { units: batch, summary }, asking)
    const byNumber = new Map(answer.ratings.map((rating) => [rating.number, rating.importance]))
    ratings.push(...batch.map((_, place) => ratingOf(byNumber.get(place + 1), start + place + 1)))
  }
  return ratings
}

function ratingOf(rating: number | undefined, number: number): number {
  if (rating === undefined || !Number.isFinite(rating))
    throw new ModelError(`The model gave utterance ${number} no importance. Ask again, or rate it by rule.`, {
      code: 'model-answer',
      isRetryable: true,
    })
  return Math.min(MOST, Math.max(LEAST, Math.round(rating)))
}
