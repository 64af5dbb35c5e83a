// Converts memories and operations into lines by which two versions of the engine can be compared.
import { createHash } from 'node:crypto'
import type { Memory, Operation } from 'keepsake'

/** One line of a golden file. `kind` and `id` are its key, and `content` is compared. */
export interface Line {
  readonly kind: string
  readonly id: string
  readonly content: string
}

/** Lines of these kinds are committed as they are. The content of other lines becomes a hash of ten digits. */
const PLAIN_KINDS = new Set(['recall', 'score', 'usage', 'origin', 'asked', 'missing'])
const LONGEST_PLAIN = 12
const HASH_DIGITS = 10

export function hashText(text: string, digits = HASH_DIGITS): string {
  return createHash('sha256').update(text).digest('hex').slice(0, digits)
}

export function shortenContent({ kind, content }: Line): string {
  const isPlain = content.length <= LONGEST_PLAIN && !content.includes('\n')
  return isPlain || PLAIN_KINDS.has(kind) ? content : hashText(content)
}

/** Omitted fields: they differ from run to run, are numbers of the store, or have their own lines. */
const LEFT_OUT = new Set([
  'scope',
  'owner',
  'sequence',
  'use',
  'touched',
  'origin',
  'milliseconds',
  'purgedAt',
])

/** Matches an id that `openRun` makes. Ids also occur within texts. */
const RUN_ID = /id\d{9}/g

/** Names memories by their form and evidence instead of their ids, so that the order in which ids are made does not matter. */
export class MemoryNames {
  readonly #names = new Map<string, string>()
  readonly #taken = new Map<string, number>()

  add(memory: Memory): void {
    const name = nameMemory(memory)
    const count = (this.#taken.get(name) ?? 0) + 1
    this.#taken.set(name, count)
    this.#names.set(memory.id, count === 1 ? name : `${name}#${count}`)
  }

  /** Returns the name of an added memory. For a turn that is not consolidated yet, returns “pending:” and its later name. */
  of(memory: Memory): string {
    return this.#names.get(memory.id) ?? `pending:${nameMemory(memory)}`
  }

  ofId(id: string | null): string {
    return id === null ? 'none' : (this.#names.get(id) ?? 'gone')
  }

  /** Returns JSON with names instead of ids, sorted keys, and numbers of at most three decimals. */
  normalise(value: unknown): string {
    return JSON.stringify(this.#clean(value)) ?? 'nothing'
  }

  #clean(value: unknown): unknown {
    if (typeof value === 'string') return value.replaceAll(RUN_ID, (id) => this.#names.get(id) ?? 'id')
    if (typeof value === 'number') return Math.round(value * 1_000) / 1_000
    if (Array.isArray(value)) return value.map((item) => this.#clean(item))
    if (value instanceof Map) return this.#clean([...value])
    if (typeof value !== 'object' || value === null) return value
    const fields = Object.entries(value).filter(
      ([name, inner]) =>
        inner !== undefined &&
        inner !== null &&
        !LEFT_OUT.has(name) &&
        !(name === 'searchWords' && inner === ''),
    )
    return Object.fromEntries(
      fields.map(([name, inner]) => [name, this.#clean(inner)] as const).toSorted(byFirst),
    )
  }
}

function byFirst([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1
}

function nameMemory({ form, level, evidence, text, value, name, status }: Memory): string {
  const turns = evidence.map(({ turn }) => turn).toSorted()
  const first = turns[0] ?? name ?? 'none'
  const place = turns.length > 1 ? `${first}+${turns.length - 1}` : first
  const kind = level === 0 ? form : `${form}${level}`
  return form === 'utterance'
    ? `${kind}@${place}`
    : `${kind}@${place}~${hashText(`${text} ${value} ${status}`, 4)}`
}

/** Returns one line for each memory, and one of kind `usage` for each memory that recalls have used. */
export function memoryLines(talk: string, memories: readonly Memory[], names: MemoryNames): Line[] {
  return memories.flatMap((memory) => {
    const id = `${talk}/${names.of(memory)}`
    const { id: _, ...fields } = memory
    const { first, second, rounds, secondAt, lastSession, lastAt } = memory.use
    const used = `first=${first} second=${second} rounds=${rounds.join(',')} at=${secondAt ?? 'never'} last=${lastSession}/${lastAt}`
    const line = { kind: 'memory', id, content: names.normalise(fields) }
    return first + second === 0 ? [line] : [line, { kind: 'usage', id, content: used }]
  })
}

/** Returns a line for each operation except `reinforce`, and a line for each kind of step with the number of its operations. */
export function operationLines(talk: string, log: readonly Operation[], names: MemoryNames): Line[] {
  const changes = log.filter(({ kind }) => kind !== 'reinforce')
  const kindOf = new Map(changes.map(({ id, kind }) => [id, kind]))
  const counts = new Map<string, number>()
  const lines = changes.map((operation): Line => {
    const { id: _, memory, parent, undoes, kind, ...rest } = operation
    const place = `${talk}/${names.ofId(memory)}:${kind}`
    const count = (counts.get(place) ?? 0) + 1
    counts.set(place, count)
    const links = { parent: kindOf.get(parent ?? ''), undoes: kindOf.get(undoes ?? '') }
    return { kind: 'operation', id: `${place}${count}`, content: names.normalise({ ...rest, ...links }) }
  })
  const steps = Map.groupBy(changes, ({ origin: { step, promptVersion, model }, kind }) =>
    [step, promptVersion, model, kind].filter((part) => part !== null).join('+'),
  )
  const origins = [...steps].map(([step, of]): Line => ({
    kind: 'origin',
    id: `${talk}/${step}`,
    content: String(of.length),
  }))
  return [...lines, ...origins]
}
