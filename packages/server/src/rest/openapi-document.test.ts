import { readFileSync } from 'node:fs'
import { Validator } from '@seriousme/openapi-schema-validator'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { protocolOf } from '../protocols.ts'
import { openTestServer, type TestServer } from '../testing/routes-app.ts'
import { answersOf } from '../testing/routes-described.ts'
import type { OpenApiDocument } from './openapi-document.ts'

type Content = Readonly<
  Record<string, { readonly schema: { readonly $ref?: string; readonly example?: unknown } }>
>

interface Operation {
  readonly operationId?: string
  readonly summary?: string
  readonly tags?: readonly string[]
  readonly security?: readonly object[]
  readonly responses: Readonly<Record<string, { readonly $ref?: string; readonly content?: Content }>>
  readonly requestBody?: { readonly content?: Content }
}

let server: TestServer
let document: OpenApiDocument
beforeEach(async () => {
  server = await openTestServer()
  const response = await server.app.request('/openapi.json', {
    headers: await server.keyFor({ actions: ['read'] }),
  })
  document = (await response.json()) as OpenApiDocument
})
afterEach(() => server.close())

function operations(): [string, Operation][] {
  return Object.entries(document.paths ?? {}).flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, Operation>).map(([method, operation]): [string, Operation] => [
      `${method.toUpperCase()} ${path}`,
      operation,
    ]),
  )
}

/** The validator changes what it is given. */
function asData(given: object): Record<string, unknown> {
  return structuredClone(given) as Record<string, unknown>
}

const MODELS = new Set(['/v1/chat/completions', '/v1/responses', '/v1/messages'])

/** Methods and paths under /v1 that the server answers, but for those of language models' APIs. */
function mounted(): string[] {
  const own = server.app.routes.filter(
    ({ method, path }) => method !== 'ALL' && path.startsWith('/v1/') && !MODELS.has(path),
  )
  return [...new Set(own.map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')}`))]
}

describe('the document', () => {
  it('is OpenAPI 3.1', async () => {
    expect(document.openapi).toBe('3.1.0')
    const { valid, errors } = await new Validator().validate(asData(document))
    expect(errors ?? []).toEqual([])
    expect(valid).toBe(true)
    const broken = { ...document, paths: { '/x': { get: { responses: 7 } } } }
    expect((await new Validator().validate(asData(broken))).valid).toBe(false)
  })

  it('has every mounted route, and no other', () => {
    expect(mounted().length).toBeGreaterThanOrEqual(30)
    expect(
      operations()
        .map(([name]) => name)
        .toSorted(),
    ).toEqual(mounted().toSorted())
  })

  it('keeps its paths from being taken for a language model’s', () => {
    const doors = Object.keys(document.paths ?? {}).map((path) =>
      protocolOf({ path, header: () => undefined }),
    )
    expect(new Set(doors)).toEqual(new Set(['rest']))
  })

  it('says of each operation what it is called, does, needs and answers', () => {
    const tags = new Set(document.tags?.map(({ name }) => name))
    const names = operations().map(([, { operationId }]) => operationId)
    expect(new Set(names).size).toBe(names.length)
    for (const [name, operation] of operations()) {
      expect([name, operation.operationId]).toEqual([name, expect.stringMatching(/^[a-z]+[A-Za-z]*$/)])
      expect([name, operation.summary]).toEqual([name, expect.stringMatching(/^[A-Z].{5,}/)])
      expect([name, operation.tags?.every((tag) => tags.has(tag))]).toEqual([name, true])
      expect([name, operation.security]).toEqual([name, [{ key: [] }]])
      const statuses = Object.keys(operation.responses)
      expect([name, statuses]).toEqual([name, expect.arrayContaining(['401', '403', '422', '500'])])
      expect([name, statuses.filter((status) => status.startsWith('2')).length]).toEqual([name, 1])
      for (const [status, answer] of Object.entries(operation.responses)) {
        const isProblem = !status.startsWith('2')
        expect([name, status, answer.$ref]).toEqual([
          name,
          status,
          isProblem ? `#/components/responses/Problem${status}` : undefined,
        ])
      }
    }
  })

  it('gives an example of each body, which is as it describes', () => {
    const check = answersOf(document)
    const schemas = document.components?.schemas as Record<string, { readonly example?: unknown }>
    const named = new Set<string>()
    for (const [name, { requestBody, responses }] of operations()) {
      for (const { content = {} } of [requestBody ?? {}, ...Object.values(responses)]) {
        for (const { schema } of Object.values(content)) {
          const part = schema.$ref?.split('/').at(-1)
          const example = part === undefined ? schema.example : schemas[part]?.example
          expect([name, part ?? schema, example]).not.toEqual([name, part ?? schema, undefined])
          if (part !== undefined) named.add(part)
        }
      }
    }
    expect(named.size).toBeGreaterThan(25)
    for (const part of named) expect([part, check.part(part, schemas[part]?.example)]).toEqual([part, []])
    expect(check.part('Memory', { id: 7 })).not.toEqual([])
  })

  it('answers every error as a problem', () => {
    const shared = Object.values(document.components?.responses ?? {})
    expect(shared.length).toBeGreaterThan(8)
    for (const response of shared) {
      expect(response).toEqual({
        description: expect.any(String),
        content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
      })
    }
  })

  it('says null of what may be null alone', () => {
    const schemas = document.components?.schemas as Record<string, { type?: unknown }>
    const nullable = Object.entries(schemas).filter(([, { type }]) => JSON.stringify(type)?.includes('null'))
    expect(nullable.map(([name]) => name)).toEqual([])
  })

  it('is checked in as it is', () => {
    const file = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8')) as object
    expect(file, 'openapi.json is stale: npm run generate -w packages/client').toEqual(document)
  })
})
