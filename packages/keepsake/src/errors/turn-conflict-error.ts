import { KeepsakeError } from '@keepsake/text/names'

/** A turn id came again with another text. The first stays; none of the call's turns was stored. */
export class TurnConflictError extends KeepsakeError {
  override readonly name = 'TurnConflictError'

  constructor(turn: string, session: string) {
    super(
      'turn-conflict',
      `Turn "${turn}" is already stored with other content (session "${session}"). Turns are never edited: the first was kept and nothing of this call was stored. Give the new turn an id of its own.`,
      { details: { turn, session } },
    )
  }
}
