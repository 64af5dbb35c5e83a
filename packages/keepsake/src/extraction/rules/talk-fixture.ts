// Makes turns, and tests what the rules read in sentences.
import { expect, it } from 'vitest'
import { makeTurn } from '../../turns/turn-fixture.ts'
import type { Role, Turn } from '../../turns/turn.ts'
import type { Extraction } from '../extractor.ts'
import { groundCandidate } from '../grounding/ground-candidate.ts'
import { personaRules } from './persona-rules.ts'

/** Returns a function that makes turns of lines, all at one time. A line without a role is the user's. */
export function talkAt({ at, timeZone }: Pick<Turn, 'at' | 'timeZone'>) {
  return (...lines: (string | readonly [Role, string])[]): Turn[] =>
    lines.map((line, position) => {
      const [role, text] = typeof line === 'string' ? (['user', line] as const) : line
      return makeTurn({ id: `t${position}`, session: 's', position, role, text, at, timeZone })
    })
}

const rules = personaRules()

/** Reads turns of one round by the rules. */
export async function readByRules(turns: readonly Turn[]): Promise<Extraction> {
  return rules.extract({ scope: 1, session: 's', sessionNumber: 1, round: 1, turns: [...turns] })
}

/** Returns the first item. Throws if there is none. */
export function first<T>(items: readonly T[]): T {
  const [item] = items
  if (item === undefined) throw new Error('nothing was found')
  return item
}

/**
 * Tests which keys and values the rules read in sentences, and that they read nothing in others.
 *
 * @param stated each sentence, followed by its pairs of key and value
 */
export function testStatements(
  talk: ReturnType<typeof talkAt>,
  stated: readonly (readonly [string, ...(readonly [string, string])[]])[],
  nothing: readonly string[],
): void {
  it.each(stated.map(([text, ...expected]) => ({ text, expected })))(
    'read “$text”',
    async ({ text, expected }) => {
      const turns = talk(text)
      const { candidates, requests } = await readByRules(turns)
      expect(candidates.map(({ key, value }) => [key, value])).toEqual(expected)
      expect(requests).toEqual([])
      for (const candidate of candidates)
        expect([candidate.text, groundCandidate(candidate, turns)]).toEqual([
          candidate.text,
          { outcome: 'grounded', label: 'user-stated' },
        ])
    },
  )

  it.each(nothing)('find nothing in “%s”', async (text) => {
    expect((await readByRules(talk(text))).candidates).toEqual([])
  })
}
