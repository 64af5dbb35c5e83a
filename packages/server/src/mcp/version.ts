import { readFileSync } from 'node:fs'

/** The version of this package, as connections are told it. */
export const VERSION = readVersion()

function readVersion(): string {
  const file = new URL('../../package.json', import.meta.url)
  const { version } = JSON.parse(readFileSync(file, 'utf8')) as { version: string }
  return version
}
