// Replaces `node:fs` and other modules about files, in a page. It reads the engine's tables from memory, and refuses everything else.
import { Buffer } from './globals.ts'

/** The engine's tables by name, fetched before the engine is imported. A page has no other files. */
export const files = new Map<string, Uint8Array>()

export function readFileSync(path: string) {
  const content = files.get(path.split('/').at(-1) ?? '')
  if (content === undefined) throw new Error(`${path} was not fetched: name its language in \`languages\``)
  return Buffer.from(content)
}

function refuse(): never {
  throw new Error('A page has no files.')
}

export const existsSync = (): boolean => false
export const constants = {}
export {
  refuse as access,
  refuse as chmod,
  refuse as copyFile,
  refuse as createInterface,
  refuse as createReadStream,
  refuse as link,
  refuse as open,
  refuse as readFile,
  refuse as rename,
  refuse as rm,
  refuse as stat,
  refuse as statSync,
  refuse as writeFile,
}
export default { existsSync, readFileSync }
