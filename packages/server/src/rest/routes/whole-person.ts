import { createRoute, z } from '@hono/zod-openapi'
import type { ServerDeps } from '../../server-context.ts'
import { json, problems, SECURITY } from '../describe-route.ts'
import { findPlaces } from '../find-places.ts'
import { openScope, scopeQuery, userPath } from '../open-scope.ts'
import type { RestApp } from '../rest-app.ts'
import { orNull } from '../schemas/fields.ts'
import { memorySchema, presentMemory } from '../schemas/memory.ts'
import { personaSchema, presentPersona } from '../schemas/persona.ts'

const storySchema = z
  .object({
    levels: z.array(z.object({ level: z.number().int(), units: z.array(memorySchema) })),
  })
  .openapi('Story', {
    description: 'The story so far: level 1 are raw units, 0 the sessions’ summaries.',
    example: { levels: [] },
  })

const portraitSchema = z
  .object({
    current: orNull(memorySchema).openapi({ description: 'The newest version; null while there is none.' }),
    versions: z.array(memorySchema).openapi({ description: 'All versions, oldest first.' }),
  })
  .openapi('Portrait', {
    description: 'The compressed whole: user, relationship, events.',
    example: { current: null, versions: [] },
  })

const personaRoute = (deps: ServerDeps) =>
  createRoute({
    method: 'get',
    path: '/v1/scopes/{user}/persona',
    operationId: 'getPersona',
    summary: 'The persona sheet',
    description: 'What is known, by key: values, since when, and on what evidence. Needs `read`.',
    tags: ['persona'],
    security: SECURITY,
    middleware: openScope(deps.keepsake, 'read'),
    request: { params: userPath, query: scopeQuery },
    responses: { 200: json('The sheet.', personaSchema), ...problems() },
  })

const storyRoute = (deps: ServerDeps) =>
  createRoute({
    method: 'get',
    path: '/v1/scopes/{user}/story',
    operationId: 'getStory',
    summary: 'The story so far',
    description: 'Level by level, and the sessions’ summaries. Needs `read`.',
    tags: ['story'],
    security: SECURITY,
    middleware: openScope(deps.keepsake, 'read'),
    request: { params: userPath, query: scopeQuery },
    responses: { 200: json('The story.', storySchema), ...problems() },
  })

const portraitRoute = (deps: ServerDeps) =>
  createRoute({
    method: 'get',
    path: '/v1/scopes/{user}/portrait',
    operationId: 'getPortrait',
    summary: 'The portrait, with its earlier versions',
    description: 'Where the preset makes one. Needs `read`.',
    tags: ['portrait'],
    security: SECURITY,
    middleware: openScope(deps.keepsake, 'read'),
    request: { params: userPath, query: scopeQuery },
    responses: { 200: json('The portrait.', portraitSchema), ...problems() },
  })

/** What consolidation makes of a person as a whole. */
export function addWholePersonRoutes(app: RestApp, deps: ServerDeps): void {
  app.openapi(personaRoute(deps), async (c) => {
    return c.json(presentPersona(await c.get('memory').persona()), 200)
  })

  app.openapi(storyRoute(deps), async (c) => {
    const memory = c.get('memory')
    const [story, places] = await Promise.all([memory.story(), findPlaces(deps.keepsake, memory.key)])
    const levels = story.map(({ level, units }) => ({
      level,
      units: units.map((unit) => presentMemory(unit, places)),
    }))
    return c.json({ levels }, 200)
  })

  app.openapi(portraitRoute(deps), async (c) => {
    const memory = c.get('memory')
    const [portrait, places] = await Promise.all([memory.portrait(), findPlaces(deps.keepsake, memory.key)])
    const { current, versions } = portrait
    return c.json(
      {
        current: current === null ? null : presentMemory(current, places),
        versions: versions.map((version) => presentMemory(version, places)),
      },
      200,
    )
  })
}
