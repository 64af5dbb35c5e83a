import type { Memory, ScopedMemory, Turn } from 'keepsake'
import { given } from '../given.ts'

/** How a person's memory can be written: for Keepsake, or for what else reads conversations or memories. */
export const EXPORT_FORMATS = ['keepsake', 'openai', 'mem0'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** The text of an export, piece by piece. */
export function exportAs(format: ExportFormat, scope: ScopedMemory): AsyncGenerator<string> {
  switch (format) {
    case 'keepsake':
      return withLineEnds(scope.export())
    case 'openai':
      return withLineEnds(conversations(scope))
    case 'mem0':
      return memoryList(scope)
  }
}

async function* withLineEnds(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) yield `${line}\n`
}

/** OpenAI's messages, a session a line, with their times; what neither the user nor the agent said is left out. */
async function* conversations(scope: ScopedMemory): AsyncGenerator<string> {
  for (const session of await scope.sessions()) {
    const turns = await scope.turns({ session: session.id })
    const messages = turns.flatMap((turn) => (turn.scope === session.scope ? messageOf(turn) : []))
    if (messages.length > 0) yield JSON.stringify({ id: session.id, messages })
  }
}

function messageOf({ id, role, speaker, text, at }: Turn): object[] {
  if (role === 'other') return []
  const name = given({ name: speaker ?? undefined })
  const created_at = new Date(at).toISOString()
  return [{ role: role === 'user' ? 'user' : 'assistant', content: text, ...name, id, created_at }]
}

/** A list such as Mem0's `get_all` gives: what is known, and what was stated; not what was said. */
async function* memoryList(scope: ScopedMemory): AsyncGenerator<string> {
  const all = await scope.memories()
  const known = all.filter(
    ({ form, label, text }) => text !== '' && (form !== 'utterance' || label === 'other'),
  )
  yield `[${known.map((memory) => `\n${JSON.stringify(entryOf(memory, scope))}`).join(',')}\n]\n`
}

function entryOf(memory: Memory, { key }: ScopedMemory): object {
  const time = (at: number): string => new Date(at).toISOString()
  return {
    id: memory.id,
    memory: memory.text,
    user_id: key.user,
    agent_id: key.agent ?? null,
    app_id: key.app ?? null,
    run_id: memory.session,
    metadata: memory.metadata,
    created_at: time(memory.validFrom),
    updated_at: time(memory.learnedAt),
  }
}
