import { describe, expect, it } from 'vitest'
import { findMisread } from './check-rules.ts'
import { CHINESE } from './chinese/language.ts'
import { ENGLISH } from './english/language.ts'
import { shippedRules } from './rule-book.ts'

describe.each([ENGLISH, CHINESE])('the tables of $id', ({ rules }) => {
  it.each(rules.map((rule) => [JSON.stringify(rule).slice(0, 100), rule] as const))(
    'read their own sentences and leave the others alone: %s',
    async (_, rule) => {
      expect(rule.no.length).toBeGreaterThan(0)
      expect(await findMisread(rule, shippedRules())).toBeNull()
    },
  )
})
