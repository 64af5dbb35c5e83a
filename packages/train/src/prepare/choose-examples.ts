import type { Example, Voucher } from '../examples/example.ts'
import { shuffleBySeed, SPLITS, type Split } from './split-people.ts'

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

/** Empty answers kept for each answer with content: one answer in three may be that there is nothing to do. */
const EMPTY_FOR_EACH_FULL = 0.5
const VOUCHERS_BEST_FIRST: readonly Voucher[] = ['person', 'model', 'rules']

/** Chooses and shuffles examples by seed, each question once; a person's answer is preferred. Few say that nothing is to do. */
export function chooseExamples(
  examples: readonly Placed[],
  { seed, mixture }: { readonly seed: number; readonly mixture: Mixture },
): Chosen {
  const distinct = withoutDuplicates(examples)
  const withFewerEmpty = withFewEmpty(distinct, seed)
  const balanced = mixture === 'even' ? balanceTasks(withFewerEmpty, seed) : withFewerEmpty
  return {
    examples: shuffled(balanced, seed),
    repeated: examples.length - distinct.length,
    emptyLeftOut: distinct.length - withFewerEmpty.length,
    unevenLeftOut: withFewerEmpty.length - balanced.length,
  }
}

/** Removes duplicates across parts, keeping the best vouched. */
function withoutDuplicates(examples: readonly Placed[]): Placed[] {
  const bestFirst = examples.toSorted(
    (one, other) =>
      VOUCHERS_BEST_FIRST.indexOf(one.by) - VOUCHERS_BEST_FIRST.indexOf(other.by) ||
      SPLITS.indexOf(one.split) - SPLITS.indexOf(other.split),
  )
  const known = new Map<string, Placed>()
  for (const example of bestFirst) {
    const key = comparable(`${example.task}\n${example.user}`)
    if (!known.has(key)) known.set(key, example)
  }
  return [...known.values()]
}

/** A text without differences of case, spaces, figures and dates. */
function comparable(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/\d+/g, '0')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
}

function withFewEmpty(examples: readonly Placed[], seed: number): Placed[] {
  return groups(examples, ({ split, task }) => `${split}/${task}`).flatMap((group) => {
    // An empty answer where the rejected one has content teaches what not to extract, so all of these are kept.
    const isFull = ({ isEmpty, rejected }: Placed): boolean => !isEmpty || rejected !== null
    const withFewerEmpty = group.filter(isFull)
    const empty = shuffled(
      group.filter((example) => !isFull(example)),
      seed,
    )
    return [...withFewerEmpty, ...empty.slice(0, Math.ceil(withFewerEmpty.length * EMPTY_FOR_EACH_FULL))]
  })
}

function balanceTasks(examples: readonly Placed[], seed: number): Placed[] {
  const [training, rest] = [
    examples.filter(({ split }) => split === 'train'),
    examples.filter(({ split }) => split !== 'train'),
  ]
  const tasks = groups(training, ({ task }) => task)
  const smallest = Math.min(...tasks.map((task) => task.length))
  return [...tasks.flatMap((task) => shuffled(task, seed).slice(0, smallest)), ...rest]
}

function groups<One>(all: readonly One[], nameOf: (one: One) => string): One[][] {
  return [...Map.groupBy(all, nameOf).values()]
}

function shuffled(examples: readonly Placed[], seed: number): Placed[] {
  return shuffleBySeed(examples, ({ user, rejected }) => `${user}\n${rejected ?? ''}`, seed)
}
