// Measures the signals of utterances that the paper LUFY defines: arousal, surprise and importance.
import { ModelError } from '@keepsake/text'
import type { Signals } from '../memories/memory.ts'
import { portraitVersions } from '../portrait/compressor.ts'
import { importancePrompt } from '../prompts/importance.ts'
import { promptLanguage } from '../prompts/render-data.ts'
import { eventScope, type ScopeRow } from '../scopes/scope.ts'
import type { Turn } from '../turns/turn.ts'
import type { Engine } from '../work/engine.ts'
import { earlierSummaries } from '../work/usable-turns.ts'
import { viewScope, type ScopeView } from '../work/scope-view.ts'
import { yieldToEventLoop } from '../yield-to-event-loop.ts'

/** Surprise is measured against this many latest turns of the user. More would cost time and add little. */
const HISTORY_TURNS = 48
/** Maximum number of rounds that a model rates in one call. */
const ROUNDS_PER_CALL = 10
/** Arousal is measured in batches of about this many characters, which block the thread for some 5 ms. */
const AROUSAL_CHARACTERS = 3_000
/** The scale of importance, as the prompt states it. */
const MIN_IMPORTANCE = 1
const MAX_IMPORTANCE = 10

interface RoundWords {
  /** The user's words, or those of the last speaker if the user said nothing. */
  readonly user: string
  readonly agent: string
  readonly isOfUser: boolean
}

/** Measures the arousal, surprise and importance of rounds (A, P and L in LUFY). Returns raw values, in order. */
export async function measureSignals(
  engine: Engine,
  row: ScopeRow,
  rounds: readonly (readonly Turn[])[],
): Promise<Signals[]> {
  const words = rounds.map(wordsOf)
  const history = await earlierWords(engine, row, rounds[0]?.[0]?.position ?? 1)
  const arousal = await measureArousal(engine, words)
  const importance = await measureImportance(engine, row, words)
  const signals: Signals[] = []
  for (const [index, { user, agent }] of words.entries()) {
    const context = { previous: agent, history: history.slice(-HISTORY_TURNS) }
    const surprise = await engine.surprise.surprise(user, context)
    signals.push({ arousal: arousal[index] ?? null, surprise, importance: importance[index] ?? null })
    history.push(user)
    await yieldToEventLoop()
  }
  return signals
}

function wordsOf(round: readonly Turn[]): RoundWords {
  const wordsBy = (role: Turn['role']): string =>
    round
      .filter((turn) => turn.role === role)
      .map((turn) => turn.text)
      .join('\n')
  const user = wordsBy('user')
  return { user: user || (round.at(-1)?.text ?? ''), agent: wordsBy('assistant'), isOfUser: user !== '' }
}

/** Returns the texts of the user's turns before a position. */
async function earlierWords(engine: Engine, row: ScopeRow, position: number): Promise<string[]> {
  const upTo = position - 1
  const state = await engine.users.load(row.owner)
  const turns = state.turnsAfter(row.scope, Math.max(0, upTo - 2 * HISTORY_TURNS), { upTo })
  return turns.filter((turn) => turn.role === 'user').map((turn) => turn.text)
}

/** Measures arousal in batches, because the built-in model does not yield. */
async function measureArousal({ arousal }: Engine, words: readonly RoundWords[]): Promise<(number | null)[]> {
  const measured: (number | null)[] = []
  let batch: string[] = []
  let characters = 0
  for (const [index, { user }] of words.entries()) {
    batch.push(user)
    characters += user.length
    if (characters < AROUSAL_CHARACTERS && index < words.length - 1) continue
    measured.push(...(await arousal.arousal(batch)))
    batch = []
    characters = 0
    await yieldToEventLoop()
  }
  return measured
}

/** Rates the importance of rounds with the in-process model, or with `importance: 'model'` the language model. */
async function measureImportance(
  engine: Engine,
  row: ScopeRow,
  words: readonly RoundWords[],
): Promise<number[]> {
  const ratings: number[] = []
  for (let start = 0; start < words.length; start += ROUNDS_PER_CALL) {
    const batch = words.slice(start, start + ROUNDS_PER_CALL)
    const inProcess: number[] = []
    for (const { user } of batch) {
      inProcess.push(await engine.importance.importance(user, { summary: '' }))
      await yieldToEventLoop()
    }
    const roundsOfUser = batch.filter(({ isOfUser }) => isOfUser)
    const byModel = await rateByModel(engine, row, roundsOfUser)
    for (const [index, round] of batch.entries())
      ratings.push(byModel?.[roundsOfUser.indexOf(round)] ?? inProcess[index] ?? 0)
  }
  return ratings
}

/** Asks the language model for ratings; `null` if the preset uses none, or the answer is unusable. */
async function rateByModel(
  engine: Engine,
  row: ScopeRow,
  units: readonly RoundWords[],
): Promise<number[] | null> {
  const ask = engine.language?.for(eventScope(row), 'importance') ?? null
  if (units.length === 0 || engine.preset.importance !== 'model' || ask === null) return null
  const summary = summaryOfPast(await viewScope(engine, row))
  const language = promptLanguage(units.map(({ user }) => user))
  try {
    const answer = await ask.ask(importancePrompt, { units, summary }, { language })
    const ratings = new Map(answer.ratings.map(({ number, importance }) => [number, importance]))
    return units.map((_, index) => checkRating(ratings.get(index + 1), index + 1))
  } catch (error) {
    if (!(error instanceof ModelError) || error.code !== 'model-answer') throw error
    engine.events.emit('background-failed', { error })
    return null
  }
}

/** @throws ModelError `model-answer` if there is no rating */
function checkRating(rating: number | undefined, number: number): number {
  if (rating === undefined || !Number.isFinite(rating))
    throw new ModelError(`The model gave utterance ${number} no importance. Ask again, or rate it by rule.`, {
      code: 'model-answer',
      isRetryable: true,
    })
  return Math.min(MAX_IMPORTANCE, Math.max(MIN_IMPORTANCE, Math.round(rating)))
}

/** Returns the latest portrait if the preset has portraits (the key summary of LUFY, figure 1), else the latest session summaries. */
function summaryOfPast(view: ScopeView): string {
  const hasPortraits = view.engine.preset.branches.some(({ kind }) => kind === 'portrait')
  const portraits = hasPortraits ? view.state.memoriesOf(view.row.scope, 'portrait') : []
  return portraitVersions(portraits).at(-1)?.text ?? earlierSummaries(view, null)
}
