import type { Memory, ScopedMemory, Turn } from 'keepsake'
import type { Annotation } from './annotation.ts'

/**
 * A person's exchanges as they wait to be marked: forgotten ones too, since what stayed is no fair sample. Those that were
 * deleted or withdrawn are not among them.
 *
 * @param person as the file is to name them
 */
export async function annotationsOf(scope: ScopedMemory, person: string): Promise<Annotation[]> {
  const pairs = await scope.memories({ forms: ['utterance'], statuses: ['live', 'forgotten'] })
  const turns = new Map((await scope.turns()).map((turn) => [turn.id, turn]))
  return pairs.flatMap((memory): Annotation[] => {
    const said = memory.evidence.flatMap(({ turn }) => turns.get(turn) ?? [])
    const user = wordsOf(said, 'user')
    return user === '' ? [] : [annotationOf(memory, { person, user, agent: wordsOf(said, 'agent') })]
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
