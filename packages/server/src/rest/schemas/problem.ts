import { z } from '@hono/zod-openapi'

/** An error as it is sent: problem+json (RFC 9457), with the fields that cannot be taken. */
export const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    detail: z.string().describe('What is wrong and what to do.'),
    code: z.string().describe('For programs: stable, kebab-case.'),
    request: z.string().describe('The request’s id, as in `X-Request-Id` and the server’s log.'),
    fields: z
      .array(
        z.object({
          field: z.string().describe('Where: `body.turns.0.text`, `query.limit`, `path.user`.'),
          problem: z.string(),
        }),
      )
      .optional(),
  })
  .openapi('Problem', {
    example: {
      type: 'about:blank',
      title: 'Unprocessable Content',
      status: 422,
      detail: 'The request cannot be taken: body.turns.0.txt is not a field of this.',
      code: 'invalid-input',
      request: '0197a3c2-6f1e-7a10-9c3b-2d4b8f1e7a10',
      fields: [{ field: 'body.turns.0.txt', problem: 'is not a field of this' }],
    },
  })
