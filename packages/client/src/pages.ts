/** A page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[]
  /** `cursor` of the next page; `null` on the last page. */
  readonly next: string | null
}

/** Iterates over the items of a list. Requests each page when it is needed. */
export async function* eachItem<Item>(
  requestPage: (cursor: { readonly cursor?: string }) => Promise<Page<Item>>,
): AsyncGenerator<Item> {
  let cursor: string | null = null
  do {
    const page: Page<Item> = await requestPage(cursor === null ? {} : { cursor })
    yield* page.items
    cursor = page.next
  } while (cursor !== null)
}
