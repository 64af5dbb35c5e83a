import { BLANK, type Memory, type Origin } from '../memories/memory.ts'

/** Strings that many memories have in common (sessions, origins), by number. */
export class SharedTexts {
  readonly list: string[] = []
  readonly #numbers = new Map<string, number>()
  readonly #origins: Origin[] = []

  constructor(list: readonly string[] = []) {
    for (const text of list) this.number(text)
  }

  number(text: string): number {
    const known = this.#numbers.get(text)
    if (known !== undefined) return known
    this.#numbers.set(text, this.list.length)
    return this.list.push(text) - 1
  }

  /** The origin of this number, one object for all that have it in common. */
  origin(number: number): Origin {
    return (this.#origins[number] ??= JSON.parse(this.list[number] ?? '') as Origin)
  }
}

/** What packing needs to know of the memory's surroundings. */
export interface Packing {
  readonly shared: SharedTexts
  /** The row of a turn in the index; `undefined` where it is not there. */
  readonly rowOf: (turn: string) => number | undefined
  readonly idOf: (row: number) => string
}

export interface PackedMemory {
  /** JSON, short: what a blank memory has, what columns hold and what follows from the rest is left out. */
  readonly text: string
  /** Rows of the turns it rests on; `null` where one is not in the index, and the text has them. */
  readonly turns: readonly number[] | null
}

/** Fields by which a packed memory stands for those that are written otherwise. */
interface Short extends Partial<Omit<Memory, 'evidence' | 'session' | 'origin' | 'use' | 'signals'>> {
  readonly evidence?: Memory['evidence']
  /** Quotes of the turns, where there is one. */
  readonly q?: readonly (string | null)[]
  readonly s: number
  readonly o: number
  readonly u?: Memory['use']
  readonly g?: readonly [number | null, number | null, number | null]
}

/** Written by themselves, or held in columns. */
const APART: ReadonlySet<string> = new Set(
  'id scope form status evidence session origin use signals validFrom sequence'.split(' '),
)
const FIELDS = (Object.keys(BLANK) as (keyof typeof BLANK)[]).filter((field) => !APART.has(field))

function isBlank(value: unknown, blank: unknown): boolean {
  return value === blank || (Array.isArray(value) && value.length === 0)
}

/** The use of a memory that was never recalled. */
function freshUse({ sessionNumber, learnedAt }: Pick<Memory, 'sessionNumber' | 'learnedAt'>): Memory['use'] {
  return { first: 0, second: 0, rounds: [], lastSession: sessionNumber, lastAt: learnedAt }
}

function isFresh({ use, sessionNumber, learnedAt }: Memory): boolean {
  const isUntouched =
    use.first === 0 && use.second === 0 && use.rounds.length === 0 && use.secondAt === undefined
  return isUntouched && use.lastSession === sessionNumber && use.lastAt === learnedAt
}

export function packMemory(memory: Memory, { shared, rowOf }: Packing): PackedMemory {
  const { evidence, signals, use } = memory
  const rows = evidence.map(({ turn }) => rowOf(turn))
  const turns = rows.includes(undefined) ? null : (rows as number[])
  const { arousal, surprise, importance } = signals
  const short: Record<string, unknown> = {
    s: shared.number(memory.session),
    o: shared.number(JSON.stringify(memory.origin)),
  }
  for (const field of FIELDS) if (!isBlank(memory[field], BLANK[field])) short[field] = memory[field]
  if (memory.validFrom !== memory.learnedAt) short['validFrom'] = memory.validFrom
  if (turns === null) short['evidence'] = evidence
  else if (evidence.some(({ quote }) => quote !== null)) short['q'] = evidence.map(({ quote }) => quote)
  if (arousal !== null || surprise !== null || importance !== null)
    short['g'] = [arousal, surprise, importance]
  if (!isFresh(memory)) short['u'] = use
  return { text: JSON.stringify(short), turns }
}

/** The memory again. */
export function unpackMemory(
  columns: Pick<Memory, 'id' | 'scope' | 'form' | 'status'>,
  { text, turns }: { readonly text: string; readonly turns: Iterable<number> },
  { shared, idOf }: Pick<Packing, 'shared' | 'idOf'>,
): Memory {
  const { s, o, u, g, q, evidence, ...rest } = JSON.parse(text) as Short
  const memory = { ...BLANK, ...columns, ...rest }
  const { learnedAt } = memory
  const [arousal, surprise, importance] = g ?? [null, null, null]
  return {
    ...memory,
    validFrom: rest.validFrom ?? learnedAt,
    evidence: evidence ?? Array.from(turns, (row, place) => ({ turn: idOf(row), quote: q?.[place] ?? null })),
    session: shared.list[s] ?? '',
    origin: shared.origin(o),
    use: u ?? freshUse(memory),
    signals: { arousal, surprise, importance },
  }
}
