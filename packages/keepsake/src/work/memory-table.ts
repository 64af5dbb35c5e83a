import type { KnownMemory } from '../memories/change-set.ts'
import {
  MEMORY_FORMS,
  MEMORY_STATUSES,
  type Memory,
  type MemoryForm,
  type MemoryStatus,
} from '../memories/memory.ts'
import { grown, sectionOf, type ImageSections } from '../retrieval/image-sections.ts'
import { StringTable } from '../retrieval/string-table.ts'
import type { StoryUnit } from '../story/pack-units.ts'
import { placeOf, RowLists, type MadeForm } from './row-lists.ts'
import { packMemory, SharedTexts, unpackMemory, type Packing } from './pack-memory.ts'
import { PackedMemories } from './packed-memories.ts'

const FIRST_CAPACITY = 64
/** Memories that are held as they are: what V8 keeps of these it looks through again and again, and bytes it does not. */
const MOST_UNPACKED = 128
/** Memories kept of whoever is asked about alone. */
const MOST_LATELY = 1_024
/** Bytes of a memory on the heap; measured roughly, for the budget. */
const OBJECT_BYTES = 900

/** What an image keeps of the table beside its arrays. */
export interface MemoryTableKept {
  readonly length: number
  readonly shared: readonly string[]
}

/**
 * A person's memories by rows, in a few arrays: what is asked of many of them in columns, the rest as short JSON that is read when one
 * memory is asked for: whoever asks is given one of their own. The last that were changed are held as they are until they are packed.
 */
export class MemoryTable {
  readonly #ids = new StringTable()
  #sequences: Float64Array = new Float64Array(FIRST_CAPACITY)
  #validFrom: Float64Array = new Float64Array(FIRST_CAPACITY)
  #scopes: Int32Array = new Int32Array(FIRST_CAPACITY)
  /** Numbers of sessions among the shared texts. */
  #sessions: Int32Array = new Int32Array(FIRST_CAPACITY)
  #forms: Uint8Array = new Uint8Array(FIRST_CAPACITY)
  #levels: Uint8Array = new Uint8Array(FIRST_CAPACITY)
  #statuses: Uint8Array = new Uint8Array(FIRST_CAPACITY)
  #shared = new SharedTexts()
  readonly #packed = new PackedMemories()
  /** Those that are not packed as they are now. */
  readonly #changed = new Map<number, Memory>()
  /** Facts that were read, which are compared with each other again and again. */
  readonly #facts = new Map<number, Memory>()
  /** Those unpacked while nobody else's were: of many people who are asked about in turns they would only grow old on the heap. */
  #lately = new Map<number, Memory>()
  readonly #turnRows: Omit<Packing, 'shared'>
  /** Made when first asked for, since a recall seldom does. */
  #lists: RowLists | null = null
  /** Rows ever used. */
  length = 0

  /** @param turnRows which turns have which rows in the index */
  constructor(turnRows: Omit<Packing, 'shared'>) {
    this.#turnRows = turnRows
  }

  get bytes(): number {
    const columns = this.#sequences.length * (8 + 8 + 4 + 4 + 1 + 1 + 1)
    const objects = (this.#changed.size + this.#facts.size + this.#lately.size) * OBJECT_BYTES
    return this.#ids.bytes + columns + this.#packed.bytes + objects
  }

  /** The row of a memory; −1 where there is none. */
  rowOf(id: string): number {
    return this.#ids.find(id)
  }

  idOf(row: number): string {
    return this.#ids.get(row) ?? ''
  }

  statusOf(row: number): MemoryStatus {
    return MEMORY_STATUSES[this.#statuses[row] ?? 0] ?? 'erased'
  }

  formOf(row: number): MemoryForm {
    return MEMORY_FORMS[this.#forms[row] ?? 0] ?? 'utterance'
  }

  scopeOf(row: number): number {
    return this.#scopes[row] ?? 0
  }

  validFromOf(row: number): number {
    return this.#validFrom[row] ?? 0
  }

  known(id: string): KnownMemory | undefined {
    const row = this.#ids.find(id)
    return row < 0 ? undefined : { memory: this.at(row), sequence: this.#sequences[row] ?? 0 }
  }

  at(row: number): Memory {
    return this.#changed.get(row) ?? this.#facts.get(row) ?? this.#lately.get(row) ?? this.#unpack(row)
  }

  /** Whether a memory is packed, and {@link turnsAt} tells its turns. */
  isPacked(row: number): boolean {
    return this.#packed.tellsTurns(row)
  }

  /** Rows of the turns that a packed memory rests on. */
  turnsAt(row: number): Int32Array {
    return this.#packed.turnsAt(row)
  }

  /** @returns its row */
  set({ memory, sequence }: KnownMemory): number {
    const known = this.#ids.find(memory.id)
    const row = known < 0 ? this.#newRow(memory.id) : known
    if (known < 0) this.#lists?.add(row, placeOf(memory))
    this.#sequences[row] = sequence
    this.#validFrom[row] = memory.validFrom
    this.#scopes[row] = memory.scope
    this.#sessions[row] = this.#shared.number(memory.session)
    this.#forms[row] = MEMORY_FORMS.indexOf(memory.form)
    this.#levels[row] = memory.level
    this.#statuses[row] = MEMORY_STATUSES.indexOf(memory.status)
    this.#packed.drop(row)
    this.#lately.delete(row)
    if (memory.form === 'fact') this.#facts.set(row, memory)
    this.#changed.set(row, memory)
    return row
  }

  /** Notes the last operation that changed a memory. */
  noteSequence(id: string, sequence: number): void {
    const row = this.#ids.find(id)
    if (row >= 0) this.#sequences[row] = sequence
  }

  /** What was made of a scope's talk, in the order of becoming known. */
  made(scope: number, form: MadeForm): Memory[] {
    return this.#rowsAt(`${scope}/${form}`).map((row) => this.at(row))
  }

  /** Units of a scope's story in the order of becoming known, from one on: told by columns, so that none is unpacked. */
  *storyUnits(scope: number, from: number): Generator<StoryUnit> {
    const rows = this.#rowsAt(`${scope}/story`)
    for (let at = from; at < rows.length; at += 1) {
      const row = rows[at] ?? -1
      yield { ref: this.idOf(row), level: this.#levels[row] ?? 0 }
    }
  }

  /** What was kept of a session's rounds. */
  utterancesOf(scope: number, session: string): Memory[] {
    return this.#rowsAt(`${scope}/utterance/${session}`).map((row) => this.at(row))
  }

  #rowsAt(place: string): readonly number[] {
    this.#lists ??= this.#listAll()
    return this.#lists.rowsAt(place)
  }

  #listAll(): RowLists {
    const lists = new RowLists()
    for (let row = 0; row < this.length; row++) {
      const session = this.#shared.list[this.#sessions[row] ?? 0] ?? ''
      lists.add(row, placeOf({ scope: this.scopeOf(row), form: this.formOf(row), session }))
    }
    return lists
  }

  /** Packs some where many are not: once their turns are in the index, and few enough to hold nobody up. */
  packSome(): void {
    if (this.#changed.size > MOST_UNPACKED) this.pack(2 * MOST_UNPACKED)
  }

  /** Packs up to so many of those that were changed. @returns whether any are left */
  pack(most: number): boolean {
    let done = 0
    for (const [row, memory] of this.#changed) {
      if (done >= most) return true
      this.#packed.put(row, packMemory(memory, { shared: this.#shared, ...this.#turnRows }))
      this.#changed.delete(row)
      done += 1
    }
    return false
  }

  #unpack(row: number): Memory {
    const columns = {
      id: this.idOf(row),
      scope: this.scopeOf(row),
      form: this.formOf(row),
      status: this.statusOf(row),
    }
    const turns = this.#packed.tellsTurns(row) ? this.#packed.turnsAt(row) : []
    const packed = { text: this.#packed.textAt(row), turns }
    const memory = unpackMemory(columns, packed, { shared: this.#shared, idOf: this.#turnRows.idOf })
    if (memory.form === 'fact') this.#facts.set(row, memory)
    else this.#keepLately(row, memory)
    return memory
  }

  #keepLately(row: number, memory: Memory): void {
    const before = last.asked?.deref()
    if (before !== this) {
      if (before !== undefined) before.#lately = new Map()
      last.asked = new WeakRef(this)
    }
    if (this.#lately.size >= MOST_LATELY) this.#lately.clear()
    this.#lately.set(row, memory)
  }

  /** What an image keeps of this, all of it packed: without what was packed anew since. */
  image(): { readonly sections: ImageSections; readonly kept: MemoryTableKept } {
    this.pack(Number.POSITIVE_INFINITY)
    const { length } = this
    return {
      sections: {
        ...this.#ids.sections('memories.ids', length),
        ...this.#packed.sections(length),
        'memories.sequences': this.#sequences.subarray(0, length),
        'memories.validFrom': this.#validFrom.subarray(0, length),
        'memories.scopes': this.#scopes.subarray(0, length),
        'memories.sessions': this.#sessions.subarray(0, length),
        'memories.forms': this.#forms.subarray(0, length),
        'memories.levels': this.#levels.subarray(0, length),
        'memories.statuses': this.#statuses.subarray(0, length),
      },
      kept: { length, shared: this.#shared.list },
    }
  }

  /** Takes in what an image kept, into an empty table. @throws Error where a memory is not in it */
  restore(sections: ImageSections, { length, shared }: MemoryTableKept): void {
    this.length = length
    this.#shared = new SharedTexts(shared)
    this.#ids.restore('memories.ids', sections)
    this.#packed.restore(sections)
    this.#sequences = sectionOf(sections, 'memories.sequences', Float64Array)
    this.#validFrom = sectionOf(sections, 'memories.validFrom', Float64Array)
    this.#scopes = sectionOf(sections, 'memories.scopes', Int32Array)
    this.#sessions = sectionOf(sections, 'memories.sessions', Int32Array)
    this.#forms = sectionOf(sections, 'memories.forms', Uint8Array)
    this.#levels = sectionOf(sections, 'memories.levels', Uint8Array)
    this.#statuses = sectionOf(sections, 'memories.statuses', Uint8Array)
  }

  #newRow(id: string): number {
    const row = this.length
    this.length += 1
    this.#ids.set(row, id)
    if (row >= this.#sequences.length) this.#grow(row + 1)
    return row
  }

  #grow(length: number): void {
    this.#sequences = grown(this.#sequences, length)
    this.#validFrom = grown(this.#validFrom, length)
    this.#scopes = grown(this.#scopes, length)
    this.#sessions = grown(this.#sessions, length)
    this.#forms = grown(this.#forms, length)
    this.#levels = grown(this.#levels, length)
    this.#statuses = grown(this.#statuses, length)
  }
}

/** The table of which a memory was unpacked last. It is not held by this: of who is erased, no words stay. */
const last: { asked: WeakRef<MemoryTable> | null } = { asked: null }
