/** The items of a list, page after page, each asked for when it is needed. */
export async function* eachItem<Item>(
  ask: (cursor: {
    readonly cursor?: string
  }) => Promise<{ readonly items: readonly Item[]; readonly next: string | null }>,
): AsyncGenerator<Item> {
  let cursor: string | null = null
  do {
    const page: { readonly items: readonly Item[]; readonly next: string | null } = await ask(
      cursor === null ? {} : { cursor },
    )
    yield* page.items
    cursor = page.next
  } while (cursor !== null)
}
