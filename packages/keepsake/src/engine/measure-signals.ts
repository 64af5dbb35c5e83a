import type { Signals } from '../operations/memory.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import type { Turn } from '../turns/turn.ts'
import type { Engine } from './engine.ts'

/** How many of a person's latest turns surprise is read against. More says little new and costs each time. */
const HISTORY = 48

interface Words {
  readonly user: string
  readonly agent: string
}

/** A round's words by who said them; where nobody is the user, the last speaker's count. */
function wordsOf(unit: readonly Turn[]): Words {
  const said = (role: Turn['role']) =>
    unit
      .filter((turn) => turn.role === role)
      .map((turn) => turn.text)
      .join('\n')
  return { user: said('user') || (unit.at(-1)?.text ?? ''), agent: said('agent') }
}

async function earlierWords(engine: Engine, row: ScopeRow, before: number): Promise<string[]> {
  const turns = await engine.store.turns({
    owner: row.owner,
    scopes: [row.scope],
    afterPosition: Math.max(0, before - 1 - 2 * HISTORY),
    limit: 2 * HISTORY,
  })
  return turns.filter((turn) => turn.role === 'user' && turn.position < before).map((turn) => turn.text)
}

/** LUFY's A, P and L of rounds, in order: raw, as the models measure them. */
export async function measureSignals(
  engine: Engine,
  row: ScopeRow,
  units: readonly (readonly Turn[])[],
): Promise<Signals[]> {
  const words = units.map(wordsOf)
  const arousal = await engine.arousal.arousal(words.map(({ user }) => user))
  const history = await earlierWords(engine, row, units[0]?.[0]?.position ?? 1)
  const signals: Signals[] = []
  for (const [index, { user, agent }] of words.entries()) {
    const surprise = await engine.surprise.surprise(user, {
      previous: agent,
      history: history.slice(-HISTORY),
    })
    const importance = await engine.importance.importance(user, { summary: '' })
    signals.push({ arousal: arousal[index] ?? null, surprise, importance })
    history.push(user)
  }
  return signals
}
