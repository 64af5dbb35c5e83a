import { describe, expect, it } from 'vitest'
import { findMisread } from './check-rules.ts'
import { CHINESE_REQUESTS } from './chinese/request-rules.ts'
import { CHINESE_RULES } from './chinese/rules.ts'
import { ENGLISH_REQUESTS } from './english/request-rules.ts'
import { ENGLISH_RULES } from './english/rules.ts'
import { SHIPPED_RULES } from './rule-book.ts'
import type { Rule } from './matching/rule.ts'

const TABLES: readonly (readonly [string, readonly Rule[]])[] = [
  ['English facts', ENGLISH_RULES],
  ['English requests', ENGLISH_REQUESTS],
  ['Chinese facts', CHINESE_RULES],
  ['Chinese requests', CHINESE_REQUESTS],
]

describe.each(TABLES)('%s', (_, rules) => {
  it.each(rules.map((rule) => [JSON.stringify(rule).slice(0, 100), rule] as const))(
    'read their own sentences and leave the others alone: %s',
    async (_, rule) => {
      expect(rule.no.length).toBeGreaterThan(0)
      expect(await findMisread(rule, SHIPPED_RULES)).toBeNull()
    },
  )
})
