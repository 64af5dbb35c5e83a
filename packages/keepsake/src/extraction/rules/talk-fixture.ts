import { makeTurn } from '../../turns/turn-fixture.ts'
import type { Role, Turn } from '../../turns/turn.ts'
import type { Extraction } from '../extractor.ts'
import { personaRules } from './persona-rules.ts'

/** Says lines, at one moment; a line without a role is the user's. */
export function talkAt({ at, timeZone }: Pick<Turn, 'at' | 'timeZone'>) {
  return (...lines: (string | readonly [Role, string])[]): Turn[] =>
    lines.map((line, position) => {
      const [role, text] = typeof line === 'string' ? (['user', line] as const) : line
      return makeTurn({ id: `t${position}`, session: 's', position, role, text, at, timeZone })
    })
}

const rules = personaRules()

/** What the rules draw from turns of one round. */
export async function readByRules(turns: readonly Turn[]): Promise<Extraction> {
  return rules.extract({ scope: 1, session: 's', sessionNumber: 1, round: 1, turns: [...turns] })
}
