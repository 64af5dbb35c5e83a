/**
 * The folder that holds the built page: `index.html`, and beside it `assets/` with everything else, by names that change with what is in them.
 *
 * @example
 * const html = await readFile(new URL('index.html', PAGE), 'utf8')
 */
export const PAGE = new URL('page/', import.meta.url)
