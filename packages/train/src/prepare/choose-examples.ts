import type { Example, Voucher } from '../examples/example.ts'
import { shuffleBySeed, SPLITS, type Split } from './split-people.ts'

/** An example with its part of the export. */
export interface Placed extends Example {
  readonly split: Split
}

/** `found` takes all examples. `even` takes, in the training part, as many of each task as the rarest task has. */
export type Mixture = 'found' | 'even'

export interface Chosen {
  readonly examples: readonly Placed[]
  readonly repeated: number
  /** Number of examples left out because their answer says that there is nothing to do. */
  readonly emptyLeftOut: number
  /** Number of examples left out to balance the tasks. */
  readonly unevenLeftOut: number
}

/** Empty answers kept for each answer with content, so that at most one answer in three says that there is nothing to do. */
const EMPTY_FOR_EACH_FULL = 0.5
const VOUCHERS_BEST_FIRST: readonly Voucher[] = ['person', 'model', 'rules']

/** Chooses each question once, preferably with a person's answer, and few whose answer is empty. Shuffles the examples by seed. */
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

/** Keeps one example of each question: the one with the best voucher, then the one of the earlier part. */
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

/** Removes differences of case, spaces, punctuation and numbers from a text. */
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
    const full = group.filter(isFull)
    const empty = group.filter((example) => !isFull(example))
    const maxEmpty = Math.ceil(full.length * EMPTY_FOR_EACH_FULL)
    return [...full, ...shuffled(empty, seed).slice(0, maxEmpty)]
  })
}

function balanceTasks(examples: readonly Placed[], seed: number): Placed[] {
  const training = examples.filter(({ split }) => split === 'train')
  const rest = examples.filter(({ split }) => split !== 'train')
  const tasks = groups(training, ({ task }) => task)
  const smallest = Math.min(...tasks.map((task) => task.length))
  return [...tasks.flatMap((task) => shuffled(task, seed).slice(0, smallest)), ...rest]
}

function groups<Item>(items: readonly Item[], nameOf: (item: Item) => string): Item[][] {
  return [...Map.groupBy(items, nameOf).values()]
}

function shuffled(examples: readonly Placed[], seed: number): Placed[] {
  return shuffleBySeed(examples, ({ user, rejected }) => `${user}\n${rejected ?? ''}`, seed)
}
