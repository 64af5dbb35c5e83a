import { describe, expect, it } from 'vitest'
import { makeTurn } from '../../turns/turn-fixture.ts'
import { CHINESE, ENGLISH, findMisread, shippedRules } from '@keepsake/text'
import { keysFound, personaRules } from './persona-rules.ts'

describe.each([ENGLISH, CHINESE])('the tables of $id', ({ rules }) => {
  it.each(rules.map((rule) => [JSON.stringify(rule).slice(0, 100), rule] as const))(
    'read their own sentences and leave the others alone: %s',
    async (_, rule) => {
      expect(rule.no.length).toBeGreaterThan(0)
      expect(await findMisread(rule, shippedRules())).toBeNull()
    },
  )
})

describe.each([ENGLISH, CHINESE])('the keys that the rules of $id find', ({ rules }) => {
  it.each(['user', 'assistant'] as const)(
    'are those of all that is drawn from what the %s says',
    async (role) => {
      const patterns = rules.flatMap((rule) => ('facts' in rule ? Object.values(rule.facts) : [rule.forget]))
      const sentences = patterns
        .flatMap((one) => Object.values(one))
        .map((text) => text.replaceAll(/[[\]]/g, ''))
      const turns = sentences.map((text, at) => makeTurn({ id: `t${at}`, role, text }))
      let drawn = 0
      for (const [at, turn] of turns.entries()) {
        const both = [makeTurn({ id: 'before', role: 'assistant', text: turns[at - 1]?.text ?? '' }), turn]
        const segment = { scope: 1, session: 's1', sessionNumber: 1, round: 1, turns: both, before: [] }
        const { candidates, requests } = await personaRules().extract(segment)
        const keys = [...candidates, ...requests].flatMap((one) => {
          if (!('kind' in one)) return one.key ?? []
          return (one.kind === 'end' ? one.key : null) ?? []
        })
        drawn += keys.length
        expect([...(await keysFound(segment, shippedRules()))].toSorted()).toEqual(
          [...new Set(keys)].toSorted(),
        )
      }
      expect(drawn).toBeGreaterThan(0)
    },
  )
})
