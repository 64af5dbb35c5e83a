import { z } from '@hono/zod-openapi'
import type { Reply } from 'keepsake'
import { given } from '@keepsake/text/names'
import { Problem, problemBody } from '../../problem.ts'
import type { ServerDeps } from '../../server-context.ts'
import { translateError } from '../../serving/errors.ts'
import { userRoute, type AddRoute } from '../add-route.ts'
import { json, stream } from '../describe-route.ts'
import { EventStream } from '../event-stream.ts'
import { idSchema, nameSchema, orNull, problemSchema } from '../schemas/fields.ts'
import { recallFields, recallSchema } from '../schemas/recall.ts'
import { describeSchema, rememberedSchema, turnsSchema } from '../schemas/turn.ts'

const replyRequestSchema = z
  .strictObject({
    turns: turnsSchema
      .refine((turns) => turns.at(-1)?.role === 'user', 'must end with a turn of the user')
      .describe(
        'The new turns. The last one is the user’s. The earlier turns of the session are added from memory.',
      ),
    session: idSchema.optional(),
    instructions: z
      .string()
      .optional()
      .describe('The application’s instructions: who the agent is and how it speaks. They are trusted.'),
    agent: nameSchema.optional().describe('The name of the agent. It is stored as the speaker of the reply.'),
    remember: z.boolean().optional().describe('`false`: neither the turns nor the reply are remembered.'),
    describe: describeSchema,
    ...recallFields,
  })
  .openapi('ReplyRequest')

const usageSchema = z
  .object({ input: z.number().nullable(), output: z.number().nullable() })
  .openapi('TokenUsage', { description: 'Tokens as the provider counted them; null if it reports none.' })

const replySchema = z
  .object({
    text: z.string(),
    recall: recallSchema,
    remembered: orNull(rememberedSchema).describe('null if the exchange was not to be remembered.'),
    usage: usageSchema,
  })
  .openapi('Reply', { description: 'An answer from memory, with the memories that support it.' })

export const replyEventSchema = z
  .discriminatedUnion('event', [
    z.object({ event: z.literal('recall'), data: recallSchema }),
    z.object({ event: z.literal('text'), data: z.object({ text: z.string() }) }),
    z.object({
      event: z.literal('end'),
      data: z.object({ remembered: orNull(rememberedSchema), usage: usageSchema }),
    }),
    z.object({ event: z.literal('error'), data: problemSchema }),
  ])
  .openapi('ReplyEvent', {
    description:
      'An event of a streamed reply: `recall` first, then `text` in pieces, and `end` when the exchange is stored, or `error`.',
  })

const streamed = stream('The answer, as a stream or as a whole.', 'text/event-stream', {
  description: 'Server-sent events; see `ReplyEvent`.',
  example: 'event: text\ndata: {"text":"You left it "}\n\n',
})

export const replyRoutes: readonly AddRoute[] = [
  ({ app }) => app.openAPIRegistry.register('ReplyEvent', replyEventSchema),
  userRoute('POST /reply', {
    id: 'reply',
    tag: 'reply',
    summary: 'Answer from memory',
    description:
      'The server’s language model answers the user’s last turn from recalled memories. The exchange is remembered, even if the client does not read the whole answer. Returns server-sent events (`ReplyEvent`), or JSON with `Accept: application/json`.',
    needs: 'write',
    reads: true,
    body: replyRequestSchema,
    answer: {
      ...json(streamed.description, replySchema),
      content: { ...streamed.content, 'application/json': { schema: replySchema } },
    },
    problems: [409, 502, 507],
    handle: async ({ deps, c, memory, body: { turns, ...options }, show }) => {
      requireModel(deps)
      const reply = await memory.reply(turns.map(given), given(options))
      const recall = await show(reply.recall)
      if (!wantsJson(c.req.header('accept'))) return streamReply(deps, reply, recall, c.get('requestId'))
      const [text, usage, remembered] = await Promise.all([reply.text, reply.usage, reply.remembered])
      return show({ text, recall, remembered, usage })
    },
  }),
]

function requireModel({ model }: ServerDeps): void {
  if (model !== null) return
  throw new Problem(
    409,
    'not-possible',
    'This server has no language model for replies. Start it with --model, or recall and answer yourself.',
  )
}

/** Whether `Accept` names JSON and no stream. The default is a stream. */
function wantsJson(accept: string | undefined): boolean {
  const types = (accept ?? '').split(',').map((type) => type.split(';')[0]?.trim().toLowerCase())
  return types.includes('application/json') && !types.includes('text/event-stream')
}

function streamReply(deps: ServerDeps, reply: Reply, recall: object, request: string): Response {
  // A stopping server does not end this stream: the closing engine ends the reply with an error, which is sent.
  const stream = new EventStream({ stopping: new AbortController().signal })
  void sendReply(stream, reply, recall).catch((error: unknown) => {
    const problem = translateError(error)
    deps.log({ level: 'warn', event: 'reply-failed', request, code: problem.code })
    stream.send('error', problemBody(problem, request))
    stream.end()
  })
  return stream.response()
}

async function sendReply(stream: EventStream, reply: Reply, recall: object): Promise<void> {
  stream.send('recall', recall)
  for await (const text of reply.textStream) stream.send('text', { text })
  stream.send('end', { remembered: await reply.remembered, usage: await reply.usage })
  stream.end()
}
