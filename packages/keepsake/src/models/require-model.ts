import { InvalidInputError } from '@keepsake/text'
import type { AskModel } from './ask-model.ts'

/**
 * The language model, for a step that cannot do without.
 *
 * @param step its id, for the message
 * @throws InvalidInputError when there is none
 */
export function requireModel(ask: AskModel | null | undefined, step: string): AskModel {
  if (ask !== null && ask !== undefined) return ask
  throw new InvalidInputError(
    `The step ${step} needs a language model, and none was given. Pass one as \`model\` when opening, or choose a preset that works without.`,
    { step },
  )
}
