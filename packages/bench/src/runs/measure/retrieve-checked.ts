import type { Retrieved, RetrieveOptions } from '../../systems/memory-system.ts'
import type { Measuring } from './measuring.ts'

/**
 * What a system retrieves, once its scores are numbers. One that is none would be ranked and averaged by chance, and no figure
 * would show it: the retrieval counts as failed instead, with the reason in the log.
 *
 * @throws RangeError naming the memory or turn and what its score is
 */
export async function retrieveChecked(
  { memory }: Pick<Measuring, 'memory'>,
  query: string,
  options: RetrieveOptions,
): Promise<Retrieved> {
  const retrieved = await memory.retrieve(query, options)
  const { memories, turns, confidence } = retrieved
  for (const { id, score } of memories) if (score !== null) requireNumber(`The score of memory ${id}`, score)
  for (const { id, score } of turns ?? []) requireNumber(`The score of turn ${id}`, score)
  if (confidence !== null) requireNumber('The confidence', confidence)
  if (confidence !== null && (confidence < 0 || confidence > 1))
    throw new RangeError(`The confidence that was given is ${confidence}: a probability lies from 0 to 1.`)
  return retrieved
}

function requireNumber(what: string, value: unknown): void {
  if (typeof value === 'number' && Number.isFinite(value)) return
  throw new RangeError(
    `${what} is ${String(value)}, which is no number: give a finite one, or null where the system has none.`,
  )
}
