import type { Draw } from '@keepsake/bench/parts'
import type { UpdateExample } from './example.ts'

/** What else people know and say, to mix in. */
export interface Elsewhere {
  readonly statements: readonly string[]
  readonly asides: readonly string[]
}

/** Shares of a choice of ours: that lists are longer, words wider, and targets unknown, in what is learned from as in life. */
const SHARE_WITH_ASIDE = 0.3
const SHARE_OF_LONG_LISTS = 0.5
const LONGER_BY = { least: 5, most: 30 }
const SHARE_OF_UNKNOWN = 0.1

/**
 * Makes a round of ten memories more like life: something else is said in the same breath, much more is known, or what
 * changes was never told. Then a change is something new, and what is over is nothing.
 */
export function mixIn(example: UpdateExample, elsewhere: Elsewhere, draw: Draw): UpdateExample {
  let mixed = example
  if (draw.chance(SHARE_WITH_ASIDE)) mixed = withAside(mixed, draw.pick(elsewhere.asides), draw)
  if (draw.chance(SHARE_OF_LONG_LISTS)) mixed = withMoreKnown(mixed, elsewhere.statements, draw)
  return mixed.target !== null && draw.chance(SHARE_OF_UNKNOWN) ? withoutTarget(mixed, mixed.target) : mixed
}

function withAside(example: UpdateExample, aside: string, draw: Draw): UpdateExample {
  const between = example.language === 'zh' ? '' : ' '
  const parts = draw.chance(0.5) ? [aside, example.said] : [example.said, aside]
  return { ...example, said: parts.join(between) }
}

function withMoreKnown(example: UpdateExample, statements: readonly string[], draw: Draw): UpdateExample {
  const more = draw.shuffled(statements).slice(0, draw.whole(LONGER_BY.least, LONGER_BY.most))
  const own = example.known.map((text, place) => ({ text, place }))
  const mixed = draw.shuffled([...own, ...more.map((text) => ({ text, place: -1 }))])
  const target = example.target === null ? null : mixed.findIndex(({ place }) => place === example.target)
  return { ...example, known: mixed.map(({ text }) => text), target }
}

function withoutTarget(example: UpdateExample, target: number): UpdateExample {
  const kind = example.kind === 'modify' ? 'add' : 'none'
  return { ...example, known: example.known.toSpliced(target, 1), kind, target: null }
}
