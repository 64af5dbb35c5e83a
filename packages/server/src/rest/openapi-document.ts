// Writes the OpenAPI document from the declared routes.
import type { RestApp } from './add-route.ts'
import examples from './examples.json' with { type: 'json' }

/** Examples of bodies, by the names of their schemas. */
const EXAMPLES: Readonly<Record<string, unknown>> = examples

const TAGS = [
  ['turns', 'Messages as they were said.'],
  ['recall', 'Memories that are relevant to a question.'],
  ['reply', 'Answers of a language model from memory.'],
  ['memories', 'Memories: list, correct, forget, restore.'],
  ['operations', 'The log of all changes, and how to undo them.'],
  ['quarantine', 'Statements that no turn supports.'],
  ['persona', 'The known facts of each person, by key.'],
  ['story', 'The hierarchy of plot summaries.'],
  ['portrait', 'A summary of all memories: user, relationship, events.'],
  ['sessions', 'Sequences of turns that belong together.'],
  ['forgetting', 'Runs of the forgetting policy.'],
  ['erase', 'Permanent removal.'],
  ['consent', 'Whether a user’s data may be used for training.'],
  ['transfer', 'Export and import.'],
  ['events', 'Changes of memory as they happen.'],
  ['webhooks', 'Addresses to which events are posted.'],
  ['scopes', 'The scopes that have memories.'],
  ['server', 'Statistics, jobs and access of the server.'],
] as const

const DESCRIPTION = `Keepsake remembers what users said, and recalls it with evidence.

A request names the user in the path, and tenant, agent and app in the query. Times are in ISO 8601. Errors are problem+json and
name the invalid field. Unknown fields are refused. Lists have pages: pass \`next\` of a page as \`cursor\` of the following one.`

export type OpenApiDocument = ReturnType<RestApp['getOpenAPI31Document']>
type OperationObject = NonNullable<NonNullable<OpenApiDocument['paths']>[string]['get']>
type ResponseObject = NonNullable<NonNullable<OpenApiDocument['components']>['responses']>[string]

export function openApiDocument(app: RestApp): OpenApiDocument {
  app.openAPIRegistry.registerComponent('securitySchemes', 'key', {
    type: 'http',
    scheme: 'bearer',
    description: 'A key of this server, made by `keepsake keys create`.',
  })
  const document = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: { title: 'Keepsake', version: '1', description: DESCRIPTION, license: { name: 'Apache-2.0' } },
    servers: [{ url: '/' }],
    security: [{ key: [] }],
    tags: TAGS.map(([name, description]) => ({ name, description })),
  })
  addExamples(document)
  return shareProblems(document)
}

function addExamples({ components }: OpenApiDocument): void {
  for (const [name, schema] of Object.entries(components?.schemas ?? {}))
    if (name in EXAMPLES) Object.assign(schema, { example: resolveExample(EXAMPLES[name]) })
}

/** Replaces `{"$example": "Memory"}` by the example of that name. */
function resolveExample(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(resolveExample)
  if ('$example' in value) return resolveExample(EXAMPLES[String(value.$example)])
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, resolveExample(inner)]))
}

/** Describes the common error answers once, and references them from the routes. */
function shareProblems(document: OpenApiDocument): OpenApiDocument {
  const shared: Record<string, ResponseObject> = {}
  for (const methods of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(methods as Record<string, OperationObject>)) {
      const responses = operation.responses as Record<string, ResponseObject | { $ref: string }>
      for (const [status, response] of Object.entries(responses)) {
        if (status.startsWith('2') || '$ref' in response) continue
        shared[`Problem${status}`] = response
        responses[status] = { $ref: `#/components/responses/Problem${status}` }
      }
    }
  }
  return { ...document, components: { ...document.components, responses: shared } }
}
