import type { ItemState, PaperItem } from './registry/paper.ts'

/** The requirements to measure an item, in a few words. */
const STATE_WORDS: Readonly<Record<ItemState, string>> = {
  deterministic: 'runs without a model',
  model: 'needs a model',
  data: 'needs data not published',
  people: 'needs people',
  shows: 'measures nothing',
}

/** The state of an item in words, and how far it can be measured here. */
export function stateWords({ state, reproduction }: PaperItem): string {
  const words = STATE_WORDS[state]
  if (state === 'deterministic' && reproduction === undefined) return 'not measured here yet'
  if (state === 'deterministic' || state === 'shows') return words
  if (reproduction === undefined) return `${words}; no command`
  return reproduction.needs.length === 0 ? `${words}; a part runs without` : words
}
