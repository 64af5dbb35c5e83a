import type { Memory, ScopedMemory, Turn } from 'keepsake'
import type { Annotation } from './annotation.ts'

/**
 * A user's exchanges to annotate, including forgotten ones, since the rest would be a biased sample. Deleted and withdrawn ones are
 * excluded.
 *
 * @param person the name in the file
 */
export async function annotationsOf(scope: ScopedMemory, person: string): Promise<Annotation[]> {
  const pairs = await scope.memories({ forms: ['utterance'], statuses: ['live', 'forgotten'] })
  const turns = new Map((await scope.turns()).map((turn) => [turn.id, turn]))
  return pairs.flatMap((memory): Annotation[] => {
    const evidenceTurns = memory.evidence.flatMap(({ turn }) => turns.get(turn) ?? [])
    const user = wordsOf(evidenceTurns, 'user')
    return user === ''
      ? []
      : [annotationOf(memory, { person, user, agent: wordsOf(evidenceTurns, 'assistant') })]
  })
}

function annotationOf(
  { session, signals, use }: Memory,
  said: Pick<Annotation, 'person' | 'user' | 'agent'>,
): Annotation {
  const { first, second } = use
  return { ...said, session, signals, use: { first, second }, important: null }
}

function wordsOf(turns: readonly Turn[], role: Turn['role']): string {
  return turns
    .filter((turn) => turn.role === role)
    .map(({ text }) => text)
    .join('\n')
}
