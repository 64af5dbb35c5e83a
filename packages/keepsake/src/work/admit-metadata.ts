import { maskMetadata } from '../metadata/mask-metadata.ts'
import type { Metadata } from '@keepsake/text/names'
import { readMetadata } from '@keepsake/text/names'
import type { Engine } from './engine.ts'

/**
 * The one way in for metadata that is no turn's: read at the boundary, and masked as what is said is. `null` and nothing are none.
 *
 * @throws InvalidInputError naming the place that cannot be kept.
 */
export async function admitMetadata(
  { textGate }: Pick<Engine, 'textGate'>,
  given: unknown,
  what: string,
): Promise<Metadata | null> {
  if (given === undefined || given === null) return null
  return maskMetadata(readMetadata(given, what), (text) => textGate.admit(text))
}
