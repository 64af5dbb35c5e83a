import { InvalidInputError, ModelError, withAttachments, type ReadAttachment } from '@keepsake/text'
import { findNamed } from '../guidelines/guidelines.ts'
import { describePrompt } from '../prompts/describe.ts'
import { promptLanguage } from '../prompts/render-data.ts'
import type { ScopeRow } from '../scopes/scope.ts'
import type { ReadTurn } from '../turns/read-turns.ts'
import type { Engine } from '../work/engine.ts'
import { openWriter } from '../work/scope-guidelines.ts'

export const NO_DESCRIBING_MODEL =
  '"describe" needs a language model that sees pictures: openMemory({ model }), or models.reply. Leave it out to keep references only.'
/** A description is one or two sentences. A longer one is cut. */
const MAX_DESCRIPTION_LENGTH = 600

/** Adds the replying model's descriptions of new pictures to the turns' texts. @throws InvalidInputError if the model sees no pictures */
export async function describeTurns(
  engine: Engine,
  row: ScopeRow,
  turns: readonly ReadTurn[],
  abortSignal: AbortSignal | undefined,
): Promise<ReadTurn[]> {
  const pictured = turns.filter(({ attached }) => attached?.read.some(isPicture) === true)
  if (pictured.length === 0) return [...turns]
  const { ask, never } = await openWriter(engine, row, 'reply')
  if (ask?.takesFiles !== true) throw new InvalidInputError(NO_DESCRIBING_MODEL)
  const ids = pictured.map(({ id }) => id)
  const stored = await engine.store.listTurns({ userId: row.owner, scopes: [row.scope], ids })
  const known = new Set(stored.map(({ id }) => id))
  return Promise.all(
    turns.map(async (turn) => {
      const { attached } = turn
      if (attached === undefined || known.has(turn.id)) return turn
      const language = promptLanguage([attached.ownText])
      const look = async (read: ReadAttachment) => {
        const { attachment, file } = read
        if (file === null || !isPicture(read)) return attachment
        const { caption } = attachment
        const asked = ask
          .ask(describePrompt, { caption }, { language, abortSignal, files: [file] })
          .then(({ description }) =>
            findNamed({ text: description, subject: '' }, never) === null ? description : '',
          )
        const text = (await orEmpty(asked)).trim().slice(0, MAX_DESCRIPTION_LENGTH).toWellFormed()
        return text === '' ? attachment : { ...attachment, description: { by: ask.model, text } }
      }
      return { ...turn, text: withAttachments(attached.ownText, await Promise.all(attached.read.map(look))) }
    }),
  )
}

const isPicture = ({ attachment, file }: ReadAttachment): boolean =>
  attachment.kind === 'image' && file !== null

/** A model that fails or refuses leaves the picture undescribed. */
async function orEmpty(asked: Promise<string>): Promise<string> {
  try {
    return await asked
  } catch (error) {
    if (error instanceof ModelError) return ''
    throw error
  }
}
