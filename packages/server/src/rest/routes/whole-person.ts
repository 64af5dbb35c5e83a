import { z } from '@hono/zod-openapi'
import { json } from '../describe-route.ts'
import { route, type RestRouter } from '../rest-router.ts'
import { orNull } from '../schemas/fields.ts'
import { memorySchema } from '../schemas/memory.ts'
import { personaSchema } from '../schemas/persona.ts'

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

const getPersonaRoute = route({
  method: 'get',
  path: '/persona',
  id: 'getPersona',
  tag: 'persona',
  summary: 'The persona sheet',
  description: 'What is known, by key: values, since when, and on what evidence.',
  needs: 'read',
  answer: json('The sheet.', personaSchema),
})

const getStoryRoute = route({
  method: 'get',
  path: '/story',
  id: 'getStory',
  tag: 'story',
  summary: 'The story so far',
  description: 'Level by level, and the sessions’ summaries.',
  needs: 'read',
  answer: json('The story.', storySchema),
})

const getPortraitRoute = route({
  method: 'get',
  path: '/portrait',
  id: 'getPortrait',
  tag: 'portrait',
  summary: 'The portrait, with its earlier versions',
  description: 'Where the preset makes one.',
  needs: 'read',
  answer: json('The portrait.', portraitSchema),
})

/** What consolidation makes of a person as a whole. */
export function addWholePersonRoutes(rest: RestRouter): void {
  rest.person(getPersonaRoute, async ({ memory, show }) => show(await memory.persona()))

  rest.person(getStoryRoute, async ({ memory, show }) => show({ levels: await memory.story() }))

  rest.person(getPortraitRoute, async ({ memory, show }) => show(await memory.portrait()))
}
