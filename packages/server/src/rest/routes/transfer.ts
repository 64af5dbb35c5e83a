import { z } from '@hono/zod-openapi'
import { NotFoundError } from 'keepsake'
import { json, stream } from '../describe-route.ts'
import { readLines } from '../read-lines.ts'
import { route, type RestRouter } from '../rest-router.ts'
import { scopeOf, scopeSchema } from '../schemas/scope.ts'

const LINES = 'application/x-ndjson'

const written = {
  description: 'JSON lines, in the format of `keepsake export`.',
  example: '{"row":"keepsake-export","format":1,"tenant":"default","user":"ana"}\n',
}

const importedSchema = z.object({ scopes: z.array(scopeSchema) }).openapi('Imported', {
  example: { scopes: [{ tenant: 'default', user: 'ana', agent: null, app: null }] },
})

const exportScopeRoute = route({
  method: 'get',
  path: '/export',
  id: 'exportScope',
  tag: 'transfer',
  summary: 'Export a person',
  description:
    'The whole person as JSON lines, which an import reads back exactly. An export that breaks off ends the connection before its end.',
  needs: 'read',
  wholePerson: true,
  answer: stream('JSON lines, as they are read.', LINES, written),
  problems: [404],
})

const importScopeRoute = route({
  method: 'post',
  path: '/v1/import',
  id: 'importScope',
  tag: 'transfer',
  summary: 'Import a person',
  description:
    'Reads an export back, all or none, under the tenant and user it carries. Refused when that person has rows already.',
  needs: 'admin',
  body: z.string().openapi(written),
  bodyType: LINES,
  answer: json('The scopes that were made.', importedSchema, 201),
  problems: [409, 507],
})

export function addTransferRoutes(rest: RestRouter): void {
  rest.person(exportScopeRoute, async ({ memory }) => {
    const lines = memory.export()
    const first = await lines.next()
    if (first.done === true) throw new NotFoundError('scope', memory.key.user)
    return new Response(ReadableStream.from(bytesOf(first.value, lines)), {
      headers: { 'Content-Type': LINES },
    })
  })

  rest.server(importScopeRoute, async ({ c }) => ({
    scopes: (await rest.deps.keepsake.import(readLines(c.req.raw))).map(scopeOf),
  }))
}

/** Lines as bytes, each read when it is asked for. */
async function* bytesOf(first: string, rest: AsyncGenerator<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  yield encoder.encode(`${first}\n`)
  for await (const line of rest) yield encoder.encode(`${line}\n`)
}
