import { createRequire } from 'node:module'
import vm from 'node:vm'
import { KeyStore, openServer } from '@keepsake/server'
import { openMemory, type Keepsake } from 'keepsake'
import { afterEach, beforeEach, expect, it } from 'vitest'

interface Routing {
  readonly request?: Readonly<Record<'method' | 'url', string>>
  readonly send?: { readonly type: 'body' | 'query'; readonly property: string; readonly value?: string }
  readonly output?: {
    readonly postReceive: readonly { readonly properties: { readonly property: string } }[]
  }
}
interface Property {
  readonly name: string
  readonly default: unknown
  readonly displayOptions?: { readonly show: { readonly operation: readonly unknown[] } }
  readonly options?: readonly { readonly value: unknown; readonly routing: Routing }[]
  readonly routing?: Routing
}
interface Node {
  readonly description: {
    readonly requestDefaults: { readonly baseURL: string }
    readonly properties: Property[]
  }
}
interface Credentials {
  readonly authenticate: { readonly properties: { readonly headers: { readonly Authorization: string } } }
  readonly test: { readonly request: { readonly url: string } }
}

const require = createRequire(new URL('../../../integrations/n8n/', import.meta.url))
const { Keepsake: KeepsakeNode } = require('./Keepsake.node.js') as { Keepsake: new () => Node }
const { KeepsakeApi } = require('./KeepsakeApi.credentials.js') as { KeepsakeApi: new () => Credentials }
const node = new KeepsakeNode()
const api = new KeepsakeApi()

/** As n8n: a text that begins with `=` holds expressions, and one that is a single expression may be any value. */
function evaluate(text: string, variables: Readonly<Record<string, unknown>>): unknown {
  if (!text.startsWith('=')) return text
  const valueOf = (expression: string): unknown =>
    vm.runInNewContext(`(${expression})`, { ...variables, encodeURIComponent })
  const [, only] = /^=\{\{((?:(?!\}\}).)*)\}\}$/.exec(text) ?? []
  if (only !== undefined) return valueOf(only)
  return text.slice(1).replaceAll(/\{\{(.*?)\}\}/g, (_, expression: string) => String(valueOf(expression)))
}

/** Sends what the node describes, as n8n does with a declarative node. @returns the items */
async function runNode(
  credentials: { readonly url: string; readonly key: string },
  given: Readonly<Record<string, unknown>>,
): Promise<Record<string, unknown>[]> {
  const shown = node.description.properties.filter(
    ({ displayOptions: display }) => display?.show.operation.includes(given['operation']) ?? true,
  )
  const $parameter = Object.fromEntries(shown.map((one) => [one.name, given[one.name] ?? one.default]))
  const variables = { $parameter, $credentials: credentials }
  const body: Record<string, unknown> = {}
  const query = new URLSearchParams()
  let request: Routing['request']
  let output: Routing['output']
  for (const property of shown) {
    const $value = $parameter[property.name]
    const routing = property.options?.find(({ value }) => value === $value)?.routing ?? property.routing
    request = routing?.request ?? request
    output = routing?.output ?? output
    if (routing?.send === undefined) continue
    const name = String(evaluate(routing.send.property, { ...variables, $value }))
    const value =
      routing.send.value === undefined ? $value : evaluate(routing.send.value, { ...variables, $value })
    const [, list, index] = /^(\w+)\[(\d)\]$/.exec(name) ?? []
    if (routing.send.type === 'query') query.set(name, String(value))
    else if (list === undefined) body[name] = value
    else ((body[list] ??= []) as unknown[])[Number(index)] = value
  }
  const base = String(evaluate(node.description.requestDefaults.baseURL, variables))
  const url = new URL(`${base}${String(evaluate(request?.url ?? '', variables))}?${String(query)}`)
  const response = await fetch(url, {
    method: request?.method ?? '',
    headers: {
      'content-type': 'application/json',
      authorization: String(evaluate(api.authenticate.properties.headers.Authorization, variables)),
    },
    ...(request?.method === 'GET' ? {} : { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as Record<string, unknown>
  if (!response.ok) throw new Error(JSON.stringify(answer))
  const [root] = output?.postReceive ?? []
  return root === undefined ? [answer] : (answer[root.properties.property] as Record<string, unknown>[])
}

let keepsake: Keepsake
let server: Awaited<ReturnType<typeof openServer>>
let credentials: { url: string; key: string }

beforeEach(async () => {
  keepsake = await openMemory({ path: ':memory:' })
  server = await openServer({ keepsake, port: 0 })
  const { key } = await new KeyStore(keepsake.records).create({ name: 'n8n' })
  credentials = { url: server.url, key }
})
afterEach(async () => {
  await server.close()
  await keepsake.close()
})

it('the n8n node remembers, recalls, lists and forgets', async () => {
  const user = 'ana/lisbon'
  const run = (operation: string, more: object) => runNode(credentials, { operation, user, ...more })
  const said = { message: 'My sister Mia is allergic to "peanuts".', answer: 'Poor Mia!' }
  expect(await run('remember', said)).toMatchObject([{ added: 2 }])
  expect(await run('remember', { message: 'I live in Porto.' })).toMatchObject([{ added: 1 }])
  await keepsake.scope({ user }).drain()
  const [recalled] = await run('recall', { question: 'What is Mia allergic to?' })
  expect(recalled).toMatchObject({ context: { text: expect.stringContaining('peanuts') } })
  const listed = await run('list', {})
  expect(listed.map(({ text }) => text)).toContain('The user lives in Porto.')
  expect(await run('list', { limit: 1 })).toHaveLength(1)
  const preview = await run('forget', { topic: 'Porto', dryRun: true })
  expect(await run('forget', { topic: 'Porto' })).toMatchObject([{ memories: preview[0]?.['memories'] }])
  expect((await run('list', {})).map(({ text }) => text)).not.toContain('The user lives in Porto.')
})

it('the n8n node sends the key, and its test asks for what the key may do', async () => {
  const wrong = { ...credentials, key: 'wrong' }
  await expect(runNode(wrong, { operation: 'list', user: 'ana' })).rejects.toThrow(/unauthorized/)
  const authorization = String(
    evaluate(api.authenticate.properties.headers.Authorization, { $credentials: credentials }),
  )
  const response = await fetch(`${credentials.url}${api.test.request.url}`, { headers: { authorization } })
  expect(response.status).toBe(200)
})
