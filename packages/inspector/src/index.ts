/** The folder of the built page: `index.html`, and `assets/` under names with content hashes. */
export const PAGE = new URL('page/', import.meta.url)
