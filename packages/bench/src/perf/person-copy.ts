import type { Store } from 'keepsake'
import type { ExportRow, NewDocument } from 'keepsake/store-kit'

const REINDEXED = 1_000

interface Copied {
  readonly rows: readonly ExportRow[]
  readonly documents: readonly NewDocument[]
}

/** A person's rows with their index, read once, to be given to others of any store: filled without being told and read again. */
export class PersonCopy {
  readonly #store: Store
  readonly #user: string
  #copy: Promise<Copied> | null = null

  constructor(store: Store, user: string) {
    this.#store = store
    this.#user = user
  }

  async giveTo(store: Store, user: string): Promise<void> {
    const copy = await (this.#copy ??= this.#read())
    const rows = copy.rows.map((row) => (row.row === 'keepsake-export' ? { ...row, user } : row))
    const [made] = await store.importRows(rows)
    if (made === undefined) throw new Error(`nothing was copied to ${user}`)
    for (let at = 0; at < copy.documents.length; at += REINDEXED)
      await store.reindex(made.owner, copy.documents.slice(at, at + REINDEXED))
  }

  async #read(): Promise<Copied> {
    const store = this.#store
    const [scope] = await store.listScopes({ user: this.#user })
    if (scope === undefined) throw new Error(`${this.#user} was not filled`)
    const { owner } = scope
    const rows: ExportRow[] = []
    for await (const row of store.exportRows(owner)) rows.push(row)
    const { documents } = await store.indexRows(owner, 0)
    const embedder = documents.find((one) => one.embedder !== null)?.embedder ?? ''
    const vectors = await store.vectors(
      owner,
      documents.map(({ id }) => id),
      embedder,
    )
    const indexed = documents.map(({ id, kind, terms, traits, analyser, embedder: by }) => {
      const vector = vectors.get(id) ?? null
      return { id, kind, terms, traits, analyser, vector, embedder: vector === null ? null : by }
    })
    return { rows, documents: indexed }
  }
}
