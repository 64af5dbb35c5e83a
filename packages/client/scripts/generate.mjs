// Generates src/schema.ts, the types of the REST interface, from the server's openapi.json, unless it is up to date. The file is not in git:
// the build generates it (scripts/with-setup.mjs, `npm run build`, `npm install`). With --check it generates nothing, and fails when the
// file is out of date.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const FILE = fileURLToPath(new URL('../src/schema.ts', import.meta.url))
const document = readFileSync(new URL('../../server/openapi.json', import.meta.url), 'utf8')
const HEADER = `/**
 * The types of the REST interface. Made from the server's openapi.json by packages/client/scripts/generate.mjs; not to be edited.
 * sha256 of it: ${createHash('sha256').update(document).digest('hex')}
 */
`

async function generate() {
  // Loaded on demand, because it loads a TypeScript of its own.
  const { default: openapiTS, astToString } = await import('openapi-typescript')
  const tree = await openapiTS(JSON.parse(document), { alphabetize: true, defaultNonNullable: false })
  writeFileSync(FILE, HEADER + astToString(tree))
}

const isCurrent = existsSync(FILE) && readFileSync(FILE, 'utf8').startsWith(HEADER)
if (process.argv.includes('--check')) {
  if (!isCurrent) {
    console.error('src/schema.ts is not of openapi.json: npm run generate -w packages/client')
    process.exitCode = 1
  }
} else if (!isCurrent) await generate()
