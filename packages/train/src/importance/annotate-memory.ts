import type { ScopedMemory, Turn } from 'keepsake'
import type { Annotation } from './annotation.ts'

/** Returns a user's exchanges to annotate. Without forgotten ones the sample would be biased. `person` is the user's name in the file. */
export async function annotationsOf(scope: ScopedMemory, person: string): Promise<Annotation[]> {
  const pairs = await scope.memories({ forms: ['utterance'], statuses: ['live', 'forgotten'] })
  const turns = new Map((await scope.turns()).map((turn) => [turn.id, turn]))
  return pairs.flatMap((memory): Annotation[] => {
    const evidenceTurns = memory.evidence.flatMap(({ turn }) => turns.get(turn) ?? [])
    const [user, agent] = [wordsOf(evidenceTurns, 'user'), wordsOf(evidenceTurns, 'assistant')]
    const { session, signals, use } = memory
    const { first, second } = use
    return user === ''
      ? []
      : [{ person, user, agent, session, signals, use: { first, second }, important: null }]
  })
}

/** The words of one side of an exchange. */
export function wordsOf(turns: readonly Pick<Turn, 'role' | 'text'>[], role: Turn['role']): string {
  return turns
    .filter((turn) => turn.role === role)
    .map(({ text }) => text)
    .join('\n')
}
