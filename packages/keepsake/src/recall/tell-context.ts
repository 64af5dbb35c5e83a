import type { Profile } from '../persona/profile.ts'
import { readProfile } from '../profile/read-profile.ts'
import { aheadLine, fitProfile, PROFILE_TOKENS } from '../profile/render-profile.ts'
import { composeAnswer, SURE_FROM } from '../read/answer-context.ts'
import { composeContext, composeTimeline } from '../read/context.ts'
import type { RecallContext, RecalledMemory } from '../retrieval/recall-types.ts'
import type { UserState } from '../user-state/user-state.ts'
import { oneLine, type AskedQuestion, type Asking } from './asked-question.ts'
import type { FoundAnswer } from './find-answer.ts'

/** Of a profile, where it is not sure that anything is known: one short line, since little is told there and a second find says more. */
const LEAST_PROFILE_TOKENS = 12
/** What a profile may take of a context. */
const PROFILE_SHARE = 0.25

/** What was found, ready to be told. */
export interface Found extends Pick<FoundAnswer, 'as' | 'confidence' | 'isWide'> {
  /** What stands at the head, and then what was found, best first. */
  readonly memories: readonly RecalledMemory[]
  /** How many of them stand at the head. */
  readonly standing: number
  readonly known: boolean
  /** Since when what a memory told is no longer so. */
  readonly changed: ReadonlyMap<string, number>
}

/** The profile that stands ahead. */
async function profileAhead(
  { engine, resolved, asked }: Asking,
  cache: UserState,
  isSure: boolean,
): Promise<Profile> {
  if (!asked.profile) return { lines: [] }
  const whole = await readProfile(engine, resolved, asked.now, cache)
  const lines = isSure ? whole.lines : whole.lines.filter(({ isQuoted, slot }) => !isQuoted && slot !== 'now')
  const most = Math.min(
    isSure ? PROFILE_TOKENS : LEAST_PROFILE_TOKENS,
    Math.round(asked.tokens * PROFILE_SHARE),
  )
  return { lines: fitProfile({ lines }, most, asked.countTokens) }
}

/** Whether all of its words are shown anyway. Only what is told word for word is known to be: statements may say more. */
function isShown({ memory, evidence }: RecalledMemory, shown: ReadonlySet<string>): boolean {
  if (memory.form !== 'utterance' || shown.size === 0) return false
  const texts = evidence.flatMap(({ text }) => (text === null ? [] : [oneLine(text)]))
  return texts.length > 0 && texts.every((text) => shown.has(text))
}

/** Whether it tells any turn that is shown anyway, or nothing but words that are. */
export function repeatsShown(
  recalled: RecalledMemory,
  { shown, shownTurns }: Pick<AskedQuestion, 'shown' | 'shownTurns'>,
): boolean {
  const isUtterance = recalled.memory.form === 'utterance'
  return (
    isShown(recalled, shown) || (isUtterance && recalled.evidence.some(({ turn }) => shownTurns.has(turn)))
  )
}

/** As it now stands. */
function withoutPast(recalled: RecalledMemory): RecalledMemory {
  return { ...recalled, memory: { ...recalled.memory, past: [] } }
}

/**
 * Composes the context as the preset does, the profile ahead.
 *
 * @param limit memories in it at most; `undefined`: as the preset does
 */
export async function tellContext(
  asking: Asking,
  { memories, standing, confidence, known, as, isWide, changed }: Found,
  limit: number | undefined,
  cache: UserState,
): Promise<{ readonly context: RecallContext; readonly profile: Profile }> {
  const { tokens, countTokens, shown, text: question, limit: most } = asking.asked
  const isList = asking.engine.preset.context === 'list'
  const profile = await profileAhead(asking, cache, known && confidence >= SURE_FROM)
  const ahead = profile.lines.map(aheadLine)
  const toldAhead = new Set(profile.lines.flatMap((line) => line.memories))
  const top = memories[standing]?.score ?? 0
  // What stands at the head was not searched for: it counts as much as the best that was.
  const ranked = memories.map((one, place) => (place < standing ? { ...one, score: top } : one))
  const worded = asking.engine.preset.tellsPast === false ? ranked.map(withoutPast) : ranked
  const unseen = worded.filter((recalled) => !isShown(recalled, shown))
  const isFilled = asking.engine.preset.context === 'statements'
  const isCut = isList || (limit !== undefined && !isFilled)
  const told = isCut ? unseen.slice(0, standing + most) : unseen
  const budget = { tokens, countTokens, texts: cache.readings }
  if (isList) return { context: composeContext(told, tokens, countTokens), profile }
  if (as === 'told') return { context: composeTimeline(told, { question, ahead }, budget), profile }
  const answered = { question, confidence, known, isWide, isFilled, ahead, stated: toldAhead, changed }
  const lines = limit === undefined ? undefined : standing + most
  return { context: composeAnswer(told, answered, { ...budget, lines }), profile }
}
