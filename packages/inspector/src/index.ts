/**
 * The folder of the built page: `index.html`, and `assets/` with everything else, under names with content hashes.
 *
 * @example
 * const html = await readFile(new URL('index.html', PAGE), 'utf8')
 */
export const PAGE = new URL('page/', import.meta.url)
