import type { Memory, MemoryForm } from '../memories/memory.ts'
import type { DocumentIndex } from '../retrieval/document-index.ts'
import type { KnownTurn } from './known-turn.ts'
import type { TurnKeepers } from './turn-keepers.ts'

/** What tells whether a document may be found. */
export interface Judged {
  readonly index: DocumentIndex
  readonly keepers: TurnKeepers
  /** Forms that the preset recalls. */
  readonly recalls: readonly MemoryForm[]
  readonly turnOf: (id: string) => KnownTurn | undefined
  readonly memoryOf: (id: string) => Memory | undefined
  /** Whether a turn waits for consolidation. */
  readonly isPending: (turn: KnownTurn) => boolean
}

/** Shows and hides documents in the index, as turns are consolidated and memories change. */
export class SearchableDocuments {
  readonly #judged: Judged
  readonly #recalls: ReadonlySet<MemoryForm>
  /** Documents of which something changed that decides whether they are searchable. */
  readonly #unjudged = new Set<string>()

  constructor(judged: Judged) {
    this.#judged = judged
    // What the application keeps is found whatever the preset makes of talk.
    this.#recalls = new Set([...judged.recalls, 'note'])
  }

  /** Has a document judged when all is {@link settle}d. One that is yet to come is judged when it does. */
  askAgain(id: string): void {
    if (this.#judged.index.has(id)) this.#unjudged.add(id)
  }

  /** Shows and hides documents as the changes since the last time ask. */
  settle(): void {
    for (const id of this.#unjudged) this.#judge(id)
    this.#unjudged.clear()
  }

  /** Judges a document now. */
  judge(id: string): void {
    this.#unjudged.delete(id)
    this.#judge(id)
  }

  #judge(id: string): void {
    const { index, turnOf, memoryOf } = this.#judged
    const turn = turnOf(id)
    if (turn !== undefined) return index.setSearchable(id, this.#isTurnSearchable(turn))
    const memory = memoryOf(id)
    if (memory === undefined || memory.form === 'utterance') return
    const hasWords = memory.form !== 'note' || memory.text !== ''
    index.setSearchable(id, hasWords && memory.status === 'live' && this.#recalls.has(memory.form))
  }

  /** A turn is searchable while it waits for consolidation, and then only through a live utterance. */
  #isTurnSearchable(turn: KnownTurn): boolean {
    const { keepers, isPending } = this.#judged
    return (this.#recalls.has('utterance') && keepers.of(turn.id) !== undefined) || isPending(turn)
  }
}
