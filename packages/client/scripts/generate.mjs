// Writes src/schema.ts, the types of the REST interface, from the server's openapi.json. With --check it writes nothing, and
// fails when the file is not as it must be.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import openapiTS, { astToString } from 'openapi-typescript'
import { format, resolveConfig } from 'prettier'

const DOCUMENT = new URL('../../server/openapi.json', import.meta.url)
const FILE = fileURLToPath(new URL('../src/schema.ts', import.meta.url))

const HEADER = `/**
 * The types of the REST interface. Made from the server's openapi.json by \`npm run generate\`; not to be edited.
 */
`

/** The file as it must be. */
async function generate() {
  const tree = await openapiTS(JSON.parse(readFileSync(DOCUMENT, 'utf8')), {
    alphabetize: true,
    defaultNonNullable: false,
  })
  return format(HEADER + astToString(tree), { ...(await resolveConfig(FILE)), filepath: FILE })
}

const text = await generate()
if (!process.argv.includes('--check')) writeFileSync(FILE, text)
else if (readFileSync(FILE, 'utf8') !== text) {
  console.error('src/schema.ts is stale: npm run generate -w packages/client')
  process.exitCode = 1
}
