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
import { LivelyObjects } from './lively-objects.ts'
import { placeOf, RowLists, type MadeForm } from './row-lists.ts'
import { packMemory, SharedTexts, unpackMemory, type Packing } from './pack-memory.ts'

const FIRST_CAPACITY = 64

/** What an image keeps of the table beside its arrays. */
export interface MemoryTableKept {
  readonly length: number
  readonly shared: readonly string[]
}

/**
 * A person's memories by rows, in a few arrays: what is asked of many of them in columns, the rest as short JSON that is read when one
 * memory is asked for. A memory that was changed is held as it is until it is packed.
 */
export class MemoryTable {
  readonly #ids = new StringTable()
  #sequences: Float64Array = new Float64Array(FIRST_CAPACITY)
  #validFrom: Float64Array = new Float64Array(FIRST_CAPACITY)
  #scopes: Int32Array = new Int32Array(FIRST_CAPACITY)
  /** Numbers of sessions among the shared texts. */
  #sessions: Int32Array = new Int32Array(FIRST_CAPACITY)
  #forms: Uint8Array = new Uint8Array(FIRST_CAPACITY)
  #statuses: Uint8Array = new Uint8Array(FIRST_CAPACITY)
  /** Where each one's JSON and turns stand; a length of 0 where it is not packed. */
  #textStarts: Uint32Array = new Uint32Array(FIRST_CAPACITY)
  #textLengths: Uint32Array = new Uint32Array(FIRST_CAPACITY)
  #turnStarts: Uint32Array = new Uint32Array(FIRST_CAPACITY)
  #turnCounts: Uint32Array = new Uint32Array(FIRST_CAPACITY)
  #texts = Buffer.alloc(0)
  #textEnd = 0
  #turns: Int32Array = new Int32Array(0)
  #turnEnd = 0
  #shared = new SharedTexts()
  readonly #objects = new LivelyObjects<Memory>()
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
    const columns = this.#sequences.length * (8 + 8 + 4 + 4 + 1 + 1 + 16)
    return this.#ids.bytes + columns + this.#texts.length + this.#turns.byteLength + this.#objects.bytes
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
    return this.#objects.get(row) ?? this.#unpack(row)
  }

  /** Whether a memory is packed, and {@link turnsAt} tells its turns. */
  isPacked(row: number): boolean {
    return (this.#textLengths[row] ?? 0) > 0 && this.#turnCounts[row] !== TURNS_IN_TEXT
  }

  /** Rows of the turns that a packed memory rests on. */
  turnsAt(row: number): Int32Array {
    const start = this.#turnStarts[row] ?? 0
    return this.#turns.subarray(start, start + (this.#turnCounts[row] ?? 0))
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
    this.#statuses[row] = MEMORY_STATUSES.indexOf(memory.status)
    this.#textLengths[row] = 0
    this.#objects.hold(row, memory)
    return row
  }

  /** Notes the last operation that changed a memory. */
  noteSequence(id: string, sequence: number): void {
    const row = this.#ids.find(id)
    if (row >= 0) this.#sequences[row] = sequence
  }

  /** What was made of a scope's talk, in the order of becoming known. */
  made(scope: number, form: MadeForm, from = 0): Memory[] {
    return this.#listed(`${scope}/${form}`, from)
  }

  /** What was kept of a session's rounds. */
  utterancesOf(scope: number, session: string): Memory[] {
    return this.#listed(`${scope}/utterance/${session}`)
  }

  #listed(place: string, from = 0): Memory[] {
    this.#lists ??= this.#listAll()
    const rows = this.#lists.rowsAt(place)
    return (from === 0 ? rows : rows.slice(from)).map((row) => this.at(row))
  }

  #listAll(): RowLists {
    const lists = new RowLists()
    for (let row = 0; row < this.length; row++) {
      const session = this.#shared.list[this.#sessions[row] ?? 0] ?? ''
      lists.add(row, placeOf({ scope: this.scopeOf(row), form: this.formOf(row), session }))
    }
    return lists
  }

  /** Packs up to so many of those that were changed. @returns whether any are left */
  pack(most: number): boolean {
    let done = 0
    for (const [row, memory] of this.#objects.held) {
      if ((this.#textLengths[row] ?? 0) > 0) continue
      if (done >= most) return true
      this.#packOne(row, memory)
      if (!COMPARED.has(this.formOf(row))) this.#objects.held.delete(row)
      done += 1
    }
    return false
  }

  #packOne(row: number, memory: Memory): void {
    const { text, turns } = packMemory(memory, { shared: this.#shared, ...this.#turnRows })
    const bytes = Buffer.byteLength(text)
    if (this.#textEnd + bytes > this.#texts.length) this.#lengthenTexts(bytes)
    this.#texts.write(text, this.#textEnd)
    this.#textStarts[row] = this.#textEnd
    this.#textLengths[row] = bytes
    this.#textEnd += bytes
    this.#turnStarts[row] = this.#turnEnd
    this.#turnCounts[row] = turns === null ? TURNS_IN_TEXT : turns.length
    if (turns === null) return
    if (this.#turnEnd + turns.length > this.#turns.length)
      this.#turns = grown(this.#turns, this.#turnEnd + turns.length)
    this.#turns.set(turns, this.#turnEnd)
    this.#turnEnd += turns.length
  }

  #unpack(row: number): Memory {
    const start = this.#textStarts[row] ?? 0
    const text = this.#texts.toString('utf8', start, start + (this.#textLengths[row] ?? 0))
    const turns = this.#turnCounts[row] === TURNS_IN_TEXT ? [] : this.turnsAt(row)
    const columns = {
      id: this.idOf(row),
      scope: this.scopeOf(row),
      form: this.formOf(row),
      status: this.statusOf(row),
    }
    const memory = unpackMemory(columns, { text, turns }, { shared: this.#shared, idOf: this.#turnRows.idOf })
    if (COMPARED.has(memory.form)) this.#objects.hold(row, memory)
    else this.#objects.note(row, memory)
    return memory
  }

  /** What an image keeps of this, all of it packed: without what was packed anew since. */
  image(): { readonly sections: ImageSections; readonly kept: MemoryTableKept } {
    this.pack(Number.POSITIVE_INFINITY)
    this.#closeUp()
    const { length } = this
    return {
      sections: {
        ...this.#ids.sections('memories.ids', length),
        'memories.sequences': this.#sequences.subarray(0, length),
        'memories.validFrom': this.#validFrom.subarray(0, length),
        'memories.scopes': this.#scopes.subarray(0, length),
        'memories.sessions': this.#sessions.subarray(0, length),
        'memories.forms': this.#forms.subarray(0, length),
        'memories.statuses': this.#statuses.subarray(0, length),
        'memories.textStarts': this.#textStarts.subarray(0, length),
        'memories.textLengths': this.#textLengths.subarray(0, length),
        'memories.turnStarts': this.#turnStarts.subarray(0, length),
        'memories.turnCounts': this.#turnCounts.subarray(0, length),
        'memories.texts': this.#texts.subarray(0, this.#textEnd),
        'memories.turns': this.#turns.subarray(0, this.#turnEnd),
      },
      kept: { length, shared: this.#shared.list },
    }
  }

  /** Takes in what an image kept, into an empty table. @throws Error where a memory is not in it */
  restore(sections: ImageSections, { length, shared }: MemoryTableKept): void {
    this.length = length
    this.#shared = new SharedTexts(shared)
    this.#ids.restore('memories.ids', sections)
    this.#sequences = sectionOf(sections, 'memories.sequences', Float64Array)
    this.#validFrom = sectionOf(sections, 'memories.validFrom', Float64Array)
    this.#scopes = sectionOf(sections, 'memories.scopes', Int32Array)
    this.#sessions = sectionOf(sections, 'memories.sessions', Int32Array)
    this.#forms = sectionOf(sections, 'memories.forms', Uint8Array)
    this.#statuses = sectionOf(sections, 'memories.statuses', Uint8Array)
    this.#textStarts = sectionOf(sections, 'memories.textStarts', Uint32Array)
    this.#textLengths = sectionOf(sections, 'memories.textLengths', Uint32Array)
    if (this.#textLengths.includes(0)) throw new Error('an image lacks the text of a memory')
    this.#turnStarts = sectionOf(sections, 'memories.turnStarts', Uint32Array)
    this.#turnCounts = sectionOf(sections, 'memories.turnCounts', Uint32Array)
    const texts = sectionOf(sections, 'memories.texts', Uint8Array)
    this.#texts = Buffer.from(texts.buffer, texts.byteOffset, texts.length)
    this.#textEnd = texts.length
    this.#turns = sectionOf(sections, 'memories.turns', Int32Array)
    this.#turnEnd = this.#turns.length
  }

  /** Copies texts and turns together, so that nothing is kept of what was packed before. */
  #closeUp(): void {
    const used = this.#textLengths.subarray(0, this.length).reduce((sum, bytes) => sum + bytes, 0)
    if (used === this.#textEnd) return
    const texts = Buffer.alloc(used)
    const turns: number[] = []
    let end = 0
    for (let row = 0; row < this.length; row++) {
      const start = this.#textStarts[row] ?? 0
      this.#textStarts[row] = end
      end += this.#texts.copy(texts, end, start, start + (this.#textLengths[row] ?? 0))
      if (this.#turnCounts[row] === TURNS_IN_TEXT) continue
      const own = this.turnsAt(row)
      this.#turnStarts[row] = turns.length
      for (const turn of own) turns.push(turn)
    }
    this.#texts = texts
    this.#textEnd = end
    this.#turns = Int32Array.from(turns)
    this.#turnEnd = turns.length
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
    this.#statuses = grown(this.#statuses, length)
    this.#textStarts = grown(this.#textStarts, length)
    this.#textLengths = grown(this.#textLengths, length)
    this.#turnStarts = grown(this.#turnStarts, length)
    this.#turnCounts = grown(this.#turnCounts, length)
  }

  #lengthenTexts(bytes: number): void {
    const longer = Buffer.alloc(Math.max(1_024, this.#textEnd + bytes, Math.ceil(this.#texts.length * 1.25)))
    this.#texts.copy(longer, 0, 0, this.#textEnd)
    this.#texts = longer
  }
}

/** Stands for the number of turns where they are in the text. */
const TURNS_IN_TEXT = 0xffffffff
/** Forms that are compared with each other, whose objects stay once they are read. */
const COMPARED: ReadonlySet<MemoryForm> = new Set<MemoryForm>(['fact', 'note', 'summary', 'portrait'])
