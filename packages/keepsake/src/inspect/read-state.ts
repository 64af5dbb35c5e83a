// Reads the current values of the keys that an application defined, and counts facts by its categories.
import { InvalidInputError, didYouMean } from '@keepsake/text'
import { readStored, type TypedKey } from '../filing/own-keys.ts'
import type { Memory } from '../memories/memory.ts'
import { speakerNames } from '../retrieval/search-question.ts'
import type { Engine } from '../work/engine.ts'
import type { ResolvedScope } from '../work/scope-handle.ts'

export interface StateOptions {
  /** Name of the person whom the state is about; the user when absent. */
  readonly subject?: string
}

/** The current value of a key that the application defined. */
export interface KeyState<Value = unknown> {
  readonly key: string
  readonly description: string
  /** The value in the type of the key; `null` if it is unknown. */
  readonly value: Value | null
  readonly unit: string | null
  /** The facts that give the value: the newest fact, or all of them for a list, oldest first. */
  readonly memories: readonly Memory[]
}

/** A category that the application defined, with the number of its live facts. */
export interface CategoryCount {
  readonly name: string
  readonly description: string
  readonly facts: number
}

/** Returns the state of one key. @throws InvalidInputError for a key that the memory was opened without */
export async function readState<Value>(
  engine: Engine,
  resolved: ResolvedScope | null,
  id: string,
  options: StateOptions,
): Promise<KeyState<Value>> {
  const { keys } = engine.filing
  const key = keys.get(id)
  if (key === undefined)
    throw new InvalidInputError(
      keys.size === 0
        ? `There is no key "${id}": openMemory() was given no keys.`
        : `There is no key "${id}" among those of openMemory(). ${didYouMean(id, [...keys.keys()])}`,
      { key: id },
    )
  return stateOf(key, await currentFacts(engine, resolved, options)) as KeyState<Value>
}

export async function readStates(
  engine: Engine,
  resolved: ResolvedScope | null,
  options: StateOptions,
): Promise<readonly KeyState[]> {
  const facts = await currentFacts(engine, resolved, options)
  return [...engine.filing.keys.values()].map((key) => stateOf(key, facts))
}

/** Lists facts about a subject that hold now, ordered by the time from which they hold. */
async function currentFacts(
  engine: Engine,
  resolved: ResolvedScope | null,
  { subject }: StateOptions,
): Promise<readonly Memory[]> {
  if (resolved === null) return []
  const state = await engine.users.load(resolved.owner)
  const names = subject === undefined ? ['user', ...speakerNames(state.index).self] : [subject]
  const subjects = new Set(names.map((name) => name.toLowerCase()))
  const now = engine.now()
  const scopes = new Set(resolved.scopes)
  return [...state.listMemories({ scopes, forms: ['fact'], statuses: ['live'] })]
    .filter(({ validUntil }) => validUntil === null || validUntil > now)
    .filter((fact) => subjects.has(fact.subject.toLowerCase()))
    .sort((earlier, later) => earlier.validFrom - later.validFrom)
}

function stateOf(key: TypedKey, facts: readonly Memory[]): KeyState {
  const { id, description, unit = null, isList } = key
  const withValue = facts.flatMap((memory) => {
    const stored = memory.key === id && memory.value !== null ? readStored(key, memory.value) : null
    return stored === null ? [] : [{ memory, value: stored.value }]
  })
  const used = isList ? withValue : withValue.slice(-1)
  const memories = used.map(({ memory }) => memory)
  const values = used.map(({ value }) => value)
  const state = { key: id, description, unit, memories }
  if (used.length === 0) return { ...state, value: null }
  return { ...state, value: isList ? withoutRepeats(values.flat()) : values[0] }
}

/** Removes entries that are equal as JSON. */
function withoutRepeats(entries: readonly unknown[]): unknown[] {
  return [...new Map(entries.map((entry) => [JSON.stringify(entry), entry])).values()]
}

export async function countCategories(
  engine: Engine,
  resolved: ResolvedScope | null,
): Promise<readonly CategoryCount[]> {
  const state = resolved === null ? null : await engine.users.load(resolved.owner)
  const scopes = new Set(resolved?.scopes)
  const facts = [...(state?.listMemories({ scopes, forms: ['fact'], statuses: ['live'] }) ?? [])]
  return [...engine.filing.categories].map(([name, description]) => ({
    name,
    description,
    facts: facts.filter(({ metadata }) => metadata?.['category'] === name).length,
  }))
}
