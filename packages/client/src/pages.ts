/** A page of a list. */
export interface Page<Item> {
  readonly items: readonly Item[]
  /** `cursor` of the page after; `null` on the last. */
  readonly next: string | null
}

/** The items of a list, page after page, each asked for when it is needed. */
export async function* eachItem<Item>(
  ask: (cursor: { readonly cursor?: string }) => Promise<Page<Item>>,
): AsyncGenerator<Item> {
  let cursor: string | null = null
  do {
    const page: Page<Item> = await ask(cursor === null ? {} : { cursor })
    yield* page.items
    cursor = page.next
  } while (cursor !== null)
}
