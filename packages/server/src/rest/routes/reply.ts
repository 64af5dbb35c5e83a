import { createRoute, z } from '@hono/zod-openapi'
import type { Reply } from 'keepsake'
import { Problem } from '../../problem.ts'
import type { ServerDeps } from '../../server-context.ts'
import { translateError } from '../../serving/translate-error.ts'
import { problemBody } from '../../serving/send-problem.ts'
import { jsonBody, problems, SECURITY, WITH_BODY } from '../describe-route.ts'
import { EventStream } from '../event-stream.ts'
import { findPlaces, type Places } from '../find-places.ts'
import { openScope, scopeQuery, userPath } from '../open-scope.ts'
import type { RestApp } from '../rest-app.ts'
import { given, nameSchema, orNull } from '../schemas/fields.ts'
import { problemSchema } from '../schemas/problem.ts'
import { RECALL_EXAMPLE, presentRecall, recallFields, recallSchema } from '../schemas/recall.ts'
import { rememberedSchema, turnsSchema } from '../schemas/turn.ts'
import { asInput, presentRemembered } from './turns.ts'

const replyRequestSchema = z
  .strictObject({
    turns: turnsSchema
      .refine((turns) => turns.at(-1)?.role === 'user', 'must end with a turn of the user')
      .openapi({
        description:
          'The new turns, the user’s last; the running session’s earlier ones are added from memory.',
      }),
    session: nameSchema.optional(),
    instructions: z.string().optional().openapi({
      description: 'Who the agent is and how it speaks: the application’s own words. Trusted.',
    }),
    agent: nameSchema
      .optional()
      .openapi({ description: 'The agent’s name, kept as the speaker of its reply.' }),
    remember: z
      .boolean()
      .optional()
      .openapi({ description: '`false`: neither turns nor reply are remembered.' }),
    ...recallFields,
  })
  .openapi('ReplyRequest', {
    example: { turns: [{ role: 'user', text: 'Where did I leave my bike?' }], session: 'monday' },
  })

const replySchema = z
  .object({
    text: z.string(),
    recall: recallSchema,
    remembered: orNull(rememberedSchema).openapi({ description: 'null when it was not to be remembered.' }),
  })
  .openapi('Reply', {
    description: 'An answer from memory, and what it rests on.',
    example: {
      text: 'You left it at the station.',
      recall: RECALL_EXAMPLE,
      remembered: { turns: ['monday-4'], added: 1, session: 'monday', logged: 12, masked: [] },
    },
  })

/** The events of a reply, in the order they come. */
export const replyEventSchema = z
  .discriminatedUnion('event', [
    z.object({ event: z.literal('recall'), data: recallSchema }),
    z.object({ event: z.literal('text'), data: z.object({ text: z.string() }) }),
    z.object({ event: z.literal('end'), data: z.object({ remembered: orNull(rememberedSchema) }) }),
    z.object({ event: z.literal('error'), data: problemSchema }),
  ])
  .openapi('ReplyEvent', {
    description:
      'An event of a streamed reply: `recall` first, then `text` in pieces, and `end` once the exchange is durable, or `error`.',
  })

const replyRoute = (deps: ServerDeps) =>
  createRoute({
    method: 'post',
    path: '/v1/scopes/{user}/reply',
    operationId: 'reply',
    summary: 'Answer from memory',
    description:
      'Answers the user’s last turn with the server’s language model from what is recalled, and remembers the exchange, whether or not anybody reads to the end. As server-sent events (`ReplyEvent`), or as JSON with `Accept: application/json`. Needs `write`.',
    tags: ['reply'],
    security: SECURITY,
    middleware: openScope(deps.keepsake, 'write'),
    request: { params: userPath, query: scopeQuery, body: jsonBody(replyRequestSchema) },
    responses: {
      200: {
        description: 'The answer, as it comes or whole.',
        content: {
          'text/event-stream': {
            schema: z.string().openapi({
              description: 'Server-sent events; see `ReplyEvent`.',
              example: 'event: text\ndata: {"text":"You left it "}\n\n',
            }),
          },
          'application/json': { schema: replySchema },
        },
      },
      ...problems(409, ...WITH_BODY, 502, 507),
    },
  })

export function addReplyRoutes(app: RestApp, deps: ServerDeps): void {
  app.openAPIRegistry.register('ReplyEvent', replyEventSchema)
  app.openapi(replyRoute(deps), async (c) => {
    requireModel(deps)
    const memory = c.get('memory')
    const { turns, ...options } = c.req.valid('json')
    const reply = await memory.reply(turns.map(asInput), given(options))
    const places = await findPlaces(deps.keepsake, memory.key)
    if (wantsJson(c.req.header('accept'))) return c.json(await wholeReply(reply, places), 200)
    return streamReply(deps, reply, places, c.get('requestId'))
  })
}

function requireModel({ model }: ServerDeps): void {
  if (model !== null) return
  throw new Problem(
    409,
    'not-possible',
    'This server has no language model to reply with. Recall, and answer yourself, or start it with --model.',
  )
}

/** Whether `Accept` names JSON and no stream: what names neither gets the stream. */
function wantsJson(accept: string | undefined): boolean {
  const types = (accept ?? '').split(',').map((type) => type.split(';')[0]?.trim().toLowerCase())
  return types.includes('application/json') && !types.includes('text/event-stream')
}

async function wholeReply(reply: Reply, places: Places): Promise<z.infer<typeof replySchema>> {
  const [text, remembered] = await Promise.all([reply.text, reply.remembered])
  return {
    text,
    recall: presentRecall(reply.recall, places),
    remembered: remembered === null ? null : presentRemembered(remembered),
  }
}

function streamReply(deps: ServerDeps, reply: Reply, places: Places, request: string): Response {
  // A reply ends by itself; when the server stops, the engine's closing ends it with an error.
  const stream = new EventStream({ stopping: new AbortController().signal })
  void sendReply(stream, reply, places).catch((error: unknown) => {
    const problem = translateError(error)
    deps.log({ level: 'warn', event: 'reply-failed', request, code: problem.code })
    stream.send('error', problemBody(problem, request))
    stream.end()
  })
  return stream.response()
}

async function sendReply(stream: EventStream, reply: Reply, places: Places): Promise<void> {
  stream.send('recall', presentRecall(reply.recall, places))
  for await (const text of reply.textStream) stream.send('text', { text })
  const remembered = await reply.remembered
  stream.send('end', { remembered: remembered === null ? null : presentRemembered(remembered) })
  stream.end()
}
