import type { Memory } from '../memories/memory.ts'
import { NOW, resolvedIn, type TestScope } from '../work/engine-fixture.ts'
import { TurnReader } from '../work/read-memories.ts'
import { estimateTokens } from '@keepsake/text'
import type { AskedQuestion, Asking } from './asked-question.ts'
import type { FoundMemory } from './found-memory.ts'

/** A question on its way through recall, in one scope, for tests. */
export function askingIn({ engine, row }: TestScope, traits: Partial<AskedQuestion> = {}): Asking {
  const asked: AskedQuestion = {
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
    profile: false,
    shown: new Set(),
    shownTurns: new Set(),
    countTokens: estimateTokens,
    ...traits,
  }
  return {
    engine,
    resolved: resolvedIn({ engine, row }),
    asked,
    turns: new TurnReader(engine, row.owner),
    options: {},
  }
}

/** A memory that was found, by itself or by turns with their scores. */
export function foundAs(
  memory: Memory,
  score = 0,
  turns: Readonly<Record<string, number>> = {},
): FoundMemory {
  return { memory, score, parts: { lexical: score }, turns: new Map(Object.entries(turns)), pending: false }
}
