import type { Example, Voucher } from '../examples/example.ts'
import { orderOf, SPLITS, type Split } from './split-people.ts'

/** An example and its part. */
export interface Placed extends Example {
  readonly split: Split
}

/** `found` takes all examples; `even` as many of each task as of the rarest, in the training part. */
export type Mixture = 'found' | 'even'

export interface Chosen {
  readonly examples: readonly Placed[]
  readonly repeated: number
  /** Rounds without an operation, beyond those kept. */
  readonly emptyLeftOut: number
  /** Left out to balance the tasks. */
  readonly unevenLeftOut: number
}

/** One answer in three may be that there is nothing to do. */
const EMPTY_FOR_EACH_FULL = 0.5
const BY_STRENGTH: readonly Voucher[] = ['person', 'model', 'generator', 'rules']

/**
 * Chooses examples: no duplicates, also across parts; of two answers to a question, the one a person vouches for; few that say that there
 * is nothing to do. Shuffled by seed, tasks mixed (COMEDY trains on its three together).
 */
export function chooseExamples(
  examples: readonly Placed[],
  { seed, mixture }: { readonly seed: number; readonly mixture: Mixture },
): Chosen {
  const once = eachOnce(examples)
  const full = withFewEmpty(once, seed)
  const even = mixture === 'even' ? asManyOfEach(full, seed) : full
  return {
    examples: shuffled(even, seed),
    repeated: examples.length - once.length,
    emptyLeftOut: once.length - full.length,
    unevenLeftOut: full.length - even.length,
  }
}

/** Removes duplicates across parts, keeping the best vouched. */
function eachOnce(examples: readonly Placed[]): Placed[] {
  const byStrength = examples.toSorted(
    (one, other) =>
      BY_STRENGTH.indexOf(one.by) - BY_STRENGTH.indexOf(other.by) ||
      SPLITS.indexOf(one.split) - SPLITS.indexOf(other.split),
  )
  const known = new Map<string, Placed>()
  for (const example of byStrength) {
    const key = plain(`${example.task}\n${example.user}`)
    if (!known.has(key)) known.set(key, example)
  }
  return [...known.values()]
}

/** Ignores differences of case, spaces, figures and dates. */
function plain(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\d+/g, '0')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
}

function withFewEmpty(examples: readonly Placed[], seed: number): Placed[] {
  return groups(examples, ({ split, task }) => `${split}/${task}`).flatMap((group) => {
    // That nothing was to be extracted where something was, is worth learning.
    const isFull = ({ isEmpty, rejected }: Placed): boolean => !isEmpty || rejected !== null
    const full = group.filter(isFull)
    const empty = shuffled(
      group.filter((example) => !isFull(example)),
      seed,
    )
    return [...full, ...empty.slice(0, Math.ceil(full.length * EMPTY_FOR_EACH_FULL))]
  })
}

function asManyOfEach(examples: readonly Placed[], seed: number): Placed[] {
  const [learned, rest] = [
    examples.filter(({ split }) => split === 'train'),
    examples.filter(({ split }) => split !== 'train'),
  ]
  const tasks = groups(learned, ({ task }) => task)
  const least = Math.min(...tasks.map((task) => task.length))
  return [...tasks.flatMap((task) => shuffled(task, seed).slice(0, least)), ...rest]
}

function groups<One>(all: readonly One[], nameOf: (one: One) => string): One[][] {
  return [...Map.groupBy(all, nameOf).values()]
}

function shuffled(examples: readonly Placed[], seed: number): Placed[] {
  return examples
    .map((example) => ({ example, order: orderOf(`${example.user}\n${example.rejected ?? ''}`, seed) }))
    .toSorted((one, other) => (one.order < other.order ? -1 : 1))
    .map(({ example }) => example)
}
