import { memory } from '../../../memory'

// SQLite runs in Node only, not in the edge runtime.
export const runtime = 'nodejs'

/** Answers the user's message from memory, piece by piece, and remembers the exchange. */
export async function POST(request: Request): Promise<Response> {
  const { text } = (await request.json()) as { text: string }
  // In your application, take the user from the login session, never from the request.
  const ana = (await memory()).scope({ user: 'ana' })
  const reply = await ana.reply({ role: 'user', text })
  return new Response(reply.textStream.pipeThrough(new TextEncoderStream()), {
    headers: { 'Content-Type': 'text/plain; charset=utf-8' },
  })
}

/** Returns the facts and messages of the user. */
export async function GET(): Promise<Response> {
  const ana = (await memory()).scope({ user: 'ana' })
  return Response.json(
    (await ana.memories({ forms: ['fact', 'utterance'] })).map(({ id, text }) => ({ id, text })),
  )
}
