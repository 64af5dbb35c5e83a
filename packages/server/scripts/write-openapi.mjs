// Writes openapi.json, from which packages/client is generated: `npm run generate -w packages/client`.
import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { format, resolveConfig } from 'prettier'
import { restRoutes } from '../src/rest/rest-routes.ts'
import { openApiDocument } from '../src/rest/openapi-document.ts'

const FILE = fileURLToPath(new URL('../openapi.json', import.meta.url))

// Describes routes without calling them, so they need no dependencies.
const app = restRoutes(/** @type {import('../src/server-context.ts').ServerDeps} */ ({}))
const text = JSON.stringify(openApiDocument(app))
writeFileSync(FILE, await format(text, { ...(await resolveConfig(FILE)), filepath: FILE }))
