import { type Signals, embeddedArousal, embeddedSurprise, standInImportance } from 'keepsake/preset'
import type { ForgettingTalk, TalkUnit } from './forgetting-talk.ts'

/** Returns the arousal, surprise and importance of a unit. */
export type SignalsOf = (unit: TalkUnit) => Signals

/** Measures arousal, surprise and importance of each unit's user words with built-in models. All policies and seeds share the results. */
export function measureTalkSignals(talks: readonly ForgettingTalk[]): SignalsOf {
  const arousal = embeddedArousal()
  const surprise = embeddedSurprise()
  const importance = standInImportance()
  const measured = new Map<TalkUnit, Signals>()
  for (const talk of talks) {
    const history: string[] = []
    for (const unit of talk.units) {
      const userWords = saidBy(unit, 'user')
      const [arousalOfWords] = arousal.arousal([userWords])
      const context = { previous: saidBy(unit, 'assistant'), history: [...history] }
      measured.set(unit, {
        arousal: arousalOfWords ?? null,
        surprise: surprise.surprise(userWords, context),
        importance: importance.importance(userWords),
      })
      history.push(userWords)
    }
  }
  return (unit) => measured.get(unit) ?? { arousal: null, surprise: null, importance: null }
}

/** Joins the turns of a unit by one speaker. */
export function saidBy(unit: TalkUnit, role: 'user' | 'assistant'): string {
  return unit.turns
    .filter((turn) => turn.role === role)
    .map((turn) => turn.text)
    .join('\n')
}
