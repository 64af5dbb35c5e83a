import { ModelError } from '@keepsake/text'
import { promptLanguage } from '../prompts/render-data.ts'
import { eventScope, type ScopeRow } from '../scopes/scope.ts'
import type { Signals } from '../memories/memory.ts'
import type { Turn } from '../turns/turn.ts'
import type { Engine } from '../work/engine.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'
import { portraitVersions } from '../portrait/compressor.ts'
import { viewScope, type ScopeView } from '../work/scope-view.ts'
import { toldBefore } from '../work/living-turns.ts'
import type { AskModel, AskOptions } from '../models/ask-model.ts'
import { importancePrompt, type ImportanceUnit } from '../prompts/importance.ts'

/** More in one question, and a model loses count. */
const UNITS_IN_A_CALL = 40
/** The scale's ends. */
const LEAST = 1
const MOST = 10

/**
 * Rates LUFY's L, the future importance of utterances, by a language model with a summary of the past.
 *
 * @param units the user's utterances, each with the preceding turn of the agent
 * @param summary the past conversation; empty at the start
 * @returns whole numbers from 1 (mundane) to 10 (extremely important), in order
 * @throws ModelError when the model cannot be asked, or `model-answer` when it leaves an utterance without a rating
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
  for (let start = 0; start < units.length; start += UNITS_IN_A_CALL) {
    const batch = units.slice(start, start + UNITS_IN_A_CALL)
    const answer = await ask.ask(importancePrompt, { units: batch, summary }, asking)
    const byNumber = new Map(answer.ratings.map((rating) => [rating.number, rating.importance]))
    ratings.push(...batch.map((_, index) => ratingOf(byNumber.get(index + 1), start + index + 1)))
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

/** Number of the user's latest turns that surprise is measured against. More costs time and adds little. */
const HISTORY = 48
/** Rounds that a model rates in one call. */
const RATED_AT_A_TIME = 10
/** Characters whose arousal is measured at a time: some 5 ms. */
const AROUSAL_AT_A_TIME = 3_000

interface Words {
  readonly user: string
  readonly agent: string
  readonly isOfUser: boolean
}

/** Splits a round's words by speaker; without a user, the last speaker counts as the user. */
function wordsOf(unit: readonly Turn[]): Words {
  const said = (role: Turn['role']) =>
    unit
      .filter((turn) => turn.role === role)
      .map((turn) => turn.text)
      .join('\n')
  const user = said('user')
  return { user: user || (unit.at(-1)?.text ?? ''), agent: said('assistant'), isOfUser: user !== '' }
}

async function earlierWords(engine: Engine, row: ScopeRow, before: number): Promise<string[]> {
  const to = before - 1
  const state = await engine.users.load(row.owner)
  const turns = state.turnsAfter(row.scope, Math.max(0, to - 2 * HISTORY), { upTo: to })
  return turns.filter((turn) => turn.role === 'user').map((turn) => turn.text)
}

/** Summarises the past: the key summary if the preset has one (LUFY, figure 1), else the latest summaries. */
function summaryOfPast(view: ScopeView): string {
  const keeps = view.engine.preset.branches.some(({ kind }) => kind === 'portrait')
  const latest = keeps
    ? portraitVersions(view.state.memoriesOf(view.row.scope, 'portrait')).at(-1)
    : undefined
  return latest?.text ?? toldBefore(view, null)
}

/**
 * Rates the importance of rounds, by the language model if the preset says so. Falls back to the in-process model for
 * a failed batch.
 */
async function rateUnits(engine: Engine, row: ScopeRow, words: readonly Words[]): Promise<number[]> {
  const ratings: number[] = []
  for (let start = 0; start < words.length; start += RATED_AT_A_TIME) {
    const batch = words.slice(start, start + RATED_AT_A_TIME)
    const inProcess = await rateInProcess(engine, batch)
    const ofUser = batch.filter(({ isOfUser }) => isOfUser)
    const byLanguage = ofUser.length === 0 ? null : await rateByLanguage(engine, row, ofUser)
    // Rounds without the user are not rated by a model.
    ratings.push(...batch.map((words, index) => byLanguage?.[ofUser.indexOf(words)] ?? inProcess[index] ?? 0))
  }
  return ratings
}

async function rateByLanguage(
  engine: Engine,
  row: ScopeRow,
  words: readonly Words[],
): Promise<number[] | null> {
  const ask = engine.language?.for(eventScope(row), 'importance')
  if (engine.preset.importance !== 'model' || ask === undefined || ask === null) return null
  const summary = summaryOfPast(await viewScope(engine, row))
  try {
    return await rateImportance(words, summary, ask, {
      language: promptLanguage(words.map(({ user }) => user)),
    })
  } catch (error) {
    if (!(error instanceof ModelError) || error.code !== 'model-answer') throw error
    engine.events.emit('background-failed', { error })
    return null
  }
}

async function rateInProcess(engine: Engine, words: readonly Words[]): Promise<number[]> {
  const ratings: number[] = []
  for (const { user } of words) {
    ratings.push(await engine.importance.importance(user, { summary: '' }))
    await yieldToEventLoop()
  }
  return ratings
}

/** Measures a few texts at a time, because the built-in model does not yield. */
async function arousalOf({ arousal }: Engine, words: readonly Words[]): Promise<(number | null)[]> {
  const measured: (number | null)[] = []
  for (let from = 0, to = 0; from < words.length; from = to) {
    for (let length = 0; to < words.length && (to === from || length < AROUSAL_AT_A_TIME); to += 1)
      length += words[to]?.user.length ?? 0
    measured.push(...(await arousal.arousal(words.slice(from, to).map(({ user }) => user))))
    await yieldToEventLoop()
  }
  return measured
}

/** Measures LUFY's A, P and L of rounds: raw values, in order. */
export async function measureSignals(
  engine: Engine,
  row: ScopeRow,
  units: readonly (readonly Turn[])[],
): Promise<Signals[]> {
  const words = units.map(wordsOf)
  const history = await earlierWords(engine, row, units[0]?.[0]?.position ?? 1)
  const arousal = await arousalOf(engine, words)
  const importance = await rateUnits(engine, row, words)
  const signals: Signals[] = []
  for (const [index, { user, agent }] of words.entries()) {
    const surprise = await engine.surprise.surprise(user, {
      previous: agent,
      history: history.slice(-HISTORY),
    })
    signals.push({ arousal: arousal[index] ?? null, surprise, importance: importance[index] ?? null })
    history.push(user)
    await yieldToEventLoop()
  }
  return signals
}
