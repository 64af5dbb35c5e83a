import { Ajv2020 } from 'ajv/dist/2020.js'
import { default as formats } from 'ajv-formats'
import type { OpenApiDocument } from '../rest/openapi-document.ts'

type Json = { readonly [key: string]: unknown }

/** What is wrong with something, by the document's schema of it; an empty list when it is as described. */
export interface CheckDescribed {
  /** Of a route's answer in JSON. */
  answer(name: string, status: number, body: unknown): readonly string[]
  part(name: string, value: unknown): readonly string[]
}

/** Checks answers by the document. A field that the document does not name is wrong as well: the document would be incomplete. */
export function answersOf(document: OpenApiDocument): CheckDescribed {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  formats.default(ajv)
  const closed = close(document) as Json
  ajv.addSchema(closed, 'document')
  const check = (schema: unknown, value: unknown): readonly string[] => {
    // Local references are to the document.
    const valid = ajv.compile(JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"document#/')) as object)
    if (valid(value)) return []
    return (valid.errors ?? []).map(
      ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
    )
  }
  return {
    part: (name, value) => check({ $ref: `#/components/schemas/${name}` }, value),
    answer: (name, status, body) => {
      const schema = schemaOf(closed, name, status)
      return schema === null ? [`the document has no JSON answer ${status} of ${name}`] : check(schema, body)
    },
  }
}

function schemaOf(document: Json, name: string, status: number): unknown {
  const [method = '', path = ''] = name.split(' ')
  const at = (value: unknown, ...keys: string[]): unknown =>
    keys.reduce<unknown>((inner, key) => (inner as Json | undefined)?.[key], value)
  const pattern = path.replaceAll(/\{(?:deleted|quarantined)\}/g, '{memory}').replaceAll('{wide}', '{turn}')
  return (
    at(
      document,
      'paths',
      pattern,
      method.toLowerCase(),
      'responses',
      String(status),
      'content',
      'application/json',
      'schema',
    ) ?? null
  )
}

/** Every object takes only the fields it names. */
function close(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(close)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([key, inner]) => [key, close(inner)])
  const schema = Object.fromEntries(entries) as Json
  if (schema['properties'] === undefined || schema['additionalProperties'] !== undefined) return schema
  return { ...schema, additionalProperties: false }
}
