import { TurnConflictError, type PendingRequest, type RememberResult, type TurnInput } from 'keepsake'
import { z } from 'zod'
import { given } from '@keepsake/text/names'
import {
  callIdFor,
  idempotencyKey,
  memoryTool,
  shortText,
  ToolInputError,
  type ToolContext,
} from '../memory-tool.ts'
import { formatCount, quoted } from '../show-memory.ts'

// These limits keep one call well below the limit of a request's size.
const MAX_TEXT_LENGTH = 100_000
const MAX_TURNS = 200
const MAX_ATTACHMENTS = 20

const text = z.string().trim().min(1, 'it must not be empty').max(MAX_TEXT_LENGTH)

const turn = z.strictObject({
  role: z.enum(['user', 'assistant']),
  text,
  speaker: shortText.optional().describe('A name, if several people talk.'),
  at: z.iso
    .datetime({ offset: true })
    .optional()
    .describe('The time when it was said, in ISO 8601 with zone. The default is now.'),
  attachments: z
    .array(
      z.strictObject({
        type: z.enum(['image', 'audio', 'video', 'file']),
        url: z.string().max(MAX_TEXT_LENGTH).optional(),
        name: shortText.optional(),
        mediaType: shortText.optional(),
        caption: z.string().max(2_000).optional().describe('A description of the picture or file.'),
      }),
    )
    .max(MAX_ATTACHMENTS)
    .optional()
    .describe('Pictures and files of the message. A reference to each is stored.'),
})

/** Records what was said. Statements extracted from the turns are checked against them. */
export const remember = memoryTool({
  name: 'remember',
  title: 'Remember',
  description:
    'Stores what the user said for later conversations: facts about them, plans, preferences, people. Pass their words (text), or the exchange (turns). It can be recalled immediately. Do not store what the user asked you not to keep.',
  action: 'write',
  annotations: { destructiveHint: false, idempotentHint: false },
  input: z
    .strictObject({
      text: text
        .optional()
        .describe(
          'The user’s own words in the first person: "I moved to Lyon". Do not pass your own guesses.',
        ),
      turns: z
        .array(turn)
        .min(1)
        .max(MAX_TURNS)
        .optional()
        .describe('Instead of text: messages of the conversation as they were said, the oldest first.'),
      session: shortText
        .optional()
        .describe('The name of the conversation. If absent, a long silence starts a new one.'),
      idempotencyKey: idempotencyKey
        .optional()
        .describe(
          'A name that you choose for this call. If the answer is lost, call again with the same name and arguments: nothing is stored twice.',
        ),
    })
    .refine(({ text, turns }) => (text === undefined) !== (turns === undefined), {
      error: 'Give either text or turns',
    }),
  output: z.object({
    turns: z.array(z.string()).describe('Ids of the turns.'),
    added: z
      .number()
      .int()
      .describe(
        'The number of new turns. It is 0 if an earlier call with the same idempotencyKey stored them.',
      ),
    session: z.string().nullable(),
    maskedSecrets: z
      .array(z.object({ kind: z.string(), count: z.number().int() }))
      .describe('The secrets that were masked before storage.'),
    pendingRequests: z
      .array(
        z.object({
          turn: z.string(),
          about: z.string().nullable(),
          removes: z.record(z.string(), z.number().int()),
        }),
      )
      .optional()
      .describe(
        'Requests of the user to forget a topic (about null: everything), with the number of memories that each would remove. Each waits for a yes.',
      ),
  }),
  async run(context, { text, turns, session, idempotencyKey }) {
    const newTurns: TurnInput[] = turns?.map(given) ?? [{ role: 'user', text: text ?? '' }]
    const result = await rememberTurns(context, newTurns, { session, idempotencyKey })
    const masked = result.maskedSecrets.map(({ kind, count }) => ({ kind, count }))
    const secrets =
      masked.length === 0 ? '' : ` Masked before storage: ${masked.map(({ kind }) => kind).join(', ')}.`
    const requests = result.pendingRequests?.map(({ turn, about, removes }) => ({
      turn,
      about,
      removes: { ...removes },
    }))
    const { added, session: name } = result
    const structured = { turns: [...result.turns], added, session: name, maskedSecrets: masked }
    return {
      structured: { ...structured, ...given({ pendingRequests: requests }) },
      text: `${describeAdded(result)}${secrets}${describePendingRequest(result.pendingRequests)}${describeUnheardRequest(result)}`,
    }
  },
})

/** @throws ToolInputError when the key belongs to a different call */
async function rememberTurns(
  { scope, grant, abortSignal }: ToolContext,
  turns: readonly TurnInput[],
  {
    session,
    idempotencyKey: key,
  }: { readonly session: string | undefined; readonly idempotencyKey: string | undefined },
): Promise<RememberResult> {
  const id = key === undefined ? undefined : callIdFor(grant, key)
  try {
    return await scope.remember(turns, { abortSignal, ...given({ session, id }) })
  } catch (error) {
    if (id === undefined || !(error instanceof TurnConflictError)) throw error
    throw new ToolInputError(
      'This idempotencyKey was already used for other turns. Nothing was stored. Use a new name for each call.',
    )
  }
}

/** Says how many turns are new. Turns that an earlier call stored do not count. */
function describeAdded({ added, turns, session }: RememberResult): string {
  if (added === 0 && turns.length > 0)
    return 'An earlier call has already stored these turns. Nothing was stored twice.'
  return `Remembered ${formatCount(added, 'turn')} in ${session ?? 'no session'}.`
}

/** Asks the agent to get the user's confirmation before anything is forgotten. */
function describePendingRequest(requests: readonly PendingRequest[] = []): string {
  const [first] = requests
  if (first === undefined) return ''
  const count = Object.values(first.removes).reduce((sum, count) => sum + count, 0)
  return ` The user may have asked to forget ${first.about === null ? 'everything' : quoted(first.about)}. This would remove ${formatCount(count, 'memory', 'memories')}. Nothing is forgotten yet. Ask whether they mean it, and remember their answer: after a yes it is forgotten.`
}

function describeUnheardRequest({ unheardRequests = [] }: RememberResult): string {
  const [first] = unheardRequests
  if (first === undefined) return ''
  return ` ${quoted(first.quote)} seems to ask to forget something, but nothing was removed. If it does ask, call forget_about.`
}
