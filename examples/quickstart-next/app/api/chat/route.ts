import { memory } from '../../../memory'

// SQLite needs Node.
export const runtime = 'nodejs'

/** Answers the user's words from memory, piece by piece, and remembers the exchange. */
export async function POST(request: Request): Promise<Response> {
  const { text } = (await request.json()) as { text: string }
  // Whose memory it is comes from your own session, never from the request.
  const ana = (await memory()).scope({ user: 'ana' })
  const reply = await ana.reply({ role: 'user', text })
  return new Response(reply.textStream.pipeThrough(new TextEncoderStream()), {
    headers: { 'Content-Type': 'text/plain; charset=utf-8' },
  })
}

/** What is known. */
export async function GET(): Promise<Response> {
  const ana = (await memory()).scope({ user: 'ana' })
  return Response.json(
    (await ana.memories({ forms: ['fact', 'utterance'] })).map(({ id, text }) => ({ id, text })),
  )
}
