import { createHash } from 'node:crypto'
import type { Item, SearchItem } from '@langchain/langgraph-checkpoint'
import type { Keepsake, Memory, Metadata, MetadataFilter, ScopedMemory, ScopeKey } from 'keepsake'
import { pathOf, type Namespace } from './namespace.ts'

/** As many as a recall gives: of a person with more items, those beyond are not ranked. */
const RANKED = 1_000
/** Items read at a time. */
const PAGE = 500

/** What is kept with an item's note. */
interface ItemMetadata {
  readonly namespace: Namespace
  readonly key: string
  /** Milliseconds since 1970. */
  readonly updatedAt: number
  readonly value: Metadata
}

export interface NewItem extends ItemMetadata {
  /** What a query finds it by. */
  readonly text: string
}

/** An item with its note's id. */
export interface FoundItem {
  readonly memory: string
  readonly item: SearchItem
}

/** Keeps an item as a note of the memory: what it says is the note's words, and the rest lies beside them, exactly as it is. */
export async function keepItem(scope: ScopedMemory, { text, ...item }: NewItem): Promise<void> {
  const { namespace, key, updatedAt } = item
  await scope.note(text, {
    name: nameOf(namespace, key),
    metadata: { langgraph: { ...item } },
    at: updatedAt,
    maskMetadata: false,
  })
}

/** The item of a key; `null` when there is none. */
export async function findItem(
  scope: ScopedMemory,
  namespace: Namespace,
  key: string,
): Promise<FoundItem | null> {
  const [note] = await scope.memories({ names: [nameOf(namespace, key)] })
  return note === undefined ? null : asItem(note)
}

/** Items under a prefix that a query finds, best first, each with its score. Looking strengthens nothing. */
export async function rankItems(
  scope: ScopedMemory,
  prefix: Namespace,
  query: string,
): Promise<readonly FoundItem[]> {
  const options = { limit: RANKED, tokens: 1, reinforce: false } as const
  const { memories } = await scope.recall(query, { ...options, forms: ['note'], where: under(prefix) })
  return memories.map(({ memory, score }) => {
    const found = asItem(memory)
    return { ...found, item: { ...found.item, score } }
  })
}

/** Items under a prefix, oldest first, read as they are asked for. */
export async function* itemsUnder(scope: ScopedMemory, prefix: Namespace): AsyncGenerator<FoundItem> {
  let after: string | undefined
  for (;;) {
    const from = after === undefined ? {} : { after }
    const page = await scope.memories({ forms: ['note'], where: under(prefix), limit: PAGE, ...from })
    yield* page.map(asItem)
    after = page.at(-1)?.id
    if (page.length < PAGE) return
  }
}

/** Everybody who may have items under a prefix: one person where it names them, else all there are. */
export async function peopleUnder(keepsake: Keepsake, named: ScopeKey | null): Promise<ScopedMemory[]> {
  const whole = ({ tenant, user }: ScopeKey): ScopedMemory =>
    keepsake.scope({ user, ...(tenant === undefined ? {} : { tenant }) })
  if (named !== null) return [whole(named)]
  const people = new Map((await keepsake.scopes()).map((row) => [row.owner, row]))
  return [...people.values()].map(({ tenant, user }) => whole({ tenant, user }))
}

function asItem({ id, learnedAt, metadata }: Memory): FoundItem {
  const { namespace, key, updatedAt, value } = (metadata ?? {})['langgraph'] as unknown as ItemMetadata
  const times = { createdAt: new Date(learnedAt), updatedAt: new Date(updatedAt) }
  // Callers may change the returned value.
  const item: Item = { namespace: [...namespace], key, value: structuredClone(value), ...times }
  return { memory: id, item }
}

/** Unique in a scope, of bounded length, and without a word of the item. */
function nameOf(namespace: Namespace, key: string): string {
  return `langgraph:${createHash('sha256')
    .update(`${pathOf(namespace)}${key}`)
    .digest('hex')}`
}

function under(prefix: Namespace): MetadataFilter {
  const labels = prefix.map((label, index) => ({ path: ['langgraph', 'namespace', index], is: label }))
  return { all: [{ path: ['langgraph', 'key'], exists: true }, ...labels] }
}
