import { type Signals } from 'keepsake'
import { embeddedArousal, embeddedSurprise, standInImportance } from 'keepsake/parts'
import type { ForgettingTalk, TalkUnit } from './forgetting-talk.ts'

/** What was measured of a unit when it was said. */
export type SignalsOf = (unit: TalkUnit) => Signals

/**
 * Measures every unit once with the engine's own models, as the engine does: of the user's words, against the
 * agent's turn and what the person said before. All policies and seeds then share the figures.
 */
export function measureTalkSignals(talks: readonly ForgettingTalk[]): SignalsOf {
  const arousal = embeddedArousal()
  const surprise = embeddedSurprise()
  const importance = standInImportance()
  const measured = new Map<TalkUnit, Signals>()
  for (const talk of talks) {
    const history: string[] = []
    for (const unit of talk.units) {
      const said = saidBy(unit, 'user')
      const [felt] = arousal.arousal([said])
      const context = { previous: saidBy(unit, 'agent'), history: [...history] }
      measured.set(unit, {
        arousal: felt ?? null,
        surprise: surprise.surprise(said, context),
        importance: importance.importance(said),
      })
      history.push(said)
    }
  }
  return (unit) => measured.get(unit) ?? { arousal: null, surprise: null, importance: null }
}

/** The words of one side of a unit. */
export function saidBy(unit: TalkUnit, role: 'user' | 'agent'): string {
  return unit.turns
    .filter((turn) => turn.role === role)
    .map((turn) => turn.text)
    .join('\n')
}
