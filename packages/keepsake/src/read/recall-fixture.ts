import { estimateTokens } from '@keepsake/text'
import type { Memory } from '../memories/memory.ts'
import { NOW, resolvedIn, type TestScope } from '../work/engine-fixture.ts'
import type { FoundMemory } from './found-memory.ts'
import type { RecallQuery, RecallRequest } from './query.ts'

/** Makes the request of a recall in one scope, for tests. */
export function requestIn({ engine, row }: TestScope, traits: Partial<RecallQuery> = {}): RecallRequest {
  const query: RecallQuery = {
    text: 'Where do I live?',
    limit: 10,
    tokens: 1_000,
    now: NOW,
    asOf: null,
    types: null,
    forms: null,
    timeZone: null,
    speaker: null,
    where: null,
    said: null,
    during: null,
    profile: false,
    blocks: false,
    shown: new Set(),
    shownTurns: new Set(),
    countTokens: estimateTokens,
    ...traits,
  }
  return {
    engine,
    resolved: resolvedIn({ engine, row }),
    query,
    options: {},
  }
}

/** Makes a search result, found by its own words or by turns with their scores. */
export function foundAs(
  memory: Memory,
  score = 0,
  turns: Readonly<Record<string, number>> = {},
): FoundMemory {
  return { memory, score, parts: { lexical: score }, turns: new Map(Object.entries(turns)), pending: false }
}
