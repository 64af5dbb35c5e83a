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
  speaker: shortText.optional().describe('A name, when several people talk.'),
  at: z.iso
    .datetime({ offset: true })
    .optional()
    .describe('When it was said, ISO 8601 with zone. Now when absent.'),
  attachments: z
    .array(
      z.strictObject({
        type: z.enum(['image', 'audio', 'video', 'file']),
        url: z.string().max(MAX_TEXT_LENGTH).optional(),
        name: shortText.optional(),
        mediaType: shortText.optional(),
        caption: z.string().max(2_000).optional().describe('What it shows.'),
      }),
    )
    .max(MAX_ATTACHMENTS)
    .optional()
    .describe('Pictures and files that came with it; a reference to each is kept.'),
})

/** Records what was said. Statements extracted from the turns are checked against them. */
export const remember = memoryTool({
  name: 'remember',
  title: 'Remember',
  description:
    'Keeps something the user said for later conversations: facts about them, plans, preferences, people. Pass their words (text), or the exchange (turns). Can be recalled at once. Not for what they asked you not to keep.',
  action: 'write',
  annotations: { destructiveHint: false, idempotentHint: false },
  input: z
    .strictObject({
      text: text
        .optional()
        .describe(
          'What the user said, in their words and the first person: "I moved to Lyon". Not your own guesses.',
        ),
      turns: z
        .array(turn)
        .min(1)
        .max(MAX_TURNS)
        .optional()
        .describe('Instead of text: part of the talk as it was said, oldest first.'),
      session: shortText
        .optional()
        .describe('Name of the conversation. A long silence starts a new one when absent.'),
      idempotencyKey: idempotencyKey
        .optional()
        .describe(
          'A name of your own for this call. Where its answer was lost, call again with the same name and arguments: nothing is kept twice.',
        ),
    })
    .refine(({ text, turns }) => (text === undefined) !== (turns === undefined), {
      error: 'Give either text or turns',
    }),
  output: z.object({
    turns: z.array(z.string()).describe('Ids of the turns.'),
    added: z.number().int().describe('0 when an earlier call under the same idempotencyKey kept them.'),
    session: z.string().nullable(),
    maskedSecrets: z
      .array(z.object({ kind: z.string(), count: z.number().int() }))
      .describe('Secrets that were masked before storage.'),
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
        'The user asked to forget this (about null: everything), which would remove this many memories. It waits for a yes.',
      ),
  }),
  async run(context, { text, turns, session, idempotencyKey }) {
    const newTurns: TurnInput[] = turns?.map(given) ?? [{ role: 'user', text: text ?? '' }]
    const result = await rememberTurns(context, newTurns, { session, idempotencyKey })
    const masked = result.maskedSecrets.map(({ kind, count }) => ({ kind, count }))
    const secrets = masked.length === 0 ? '' : ` Masked first: ${masked.map(({ kind }) => kind).join(', ')}.`
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
      'Something else was remembered under this idempotencyKey before. Nothing was done: give each call a name of its own.',
    )
  }
}

/** Says how many turns are new. Turns that an earlier call stored do not count. */
function describeAdded({ added, turns, session }: RememberResult): string {
  if (added === 0 && turns.length > 0) return 'Remembered before, by an earlier call: nothing was kept twice.'
  return `Remembered ${formatCount(added, 'turn')} in ${session ?? 'no session'}.`
}

/** Tells the agent to ask the user before anything is forgotten. */
function describePendingRequest(requests: readonly PendingRequest[] = []): string {
  const [first] = requests
  if (first === undefined) return ''
  const count = Object.values(first.removes).reduce((sum, count) => sum + count, 0)
  return ` They may have asked to forget ${first.about === null ? 'everything' : quoted(first.about)}: that would remove ${formatCount(count, 'memory', 'memories')}. Nothing is forgotten yet. Ask them whether they mean it, and remember their answer: a yes carries it out.`
}

function describeUnheardRequest({ unheardRequests = [] }: RememberResult): string {
  const [first] = unheardRequests
  if (first === undefined) return ''
  return ` ${quoted(first.quote)} seems to ask to forget something, and nothing was removed: call forget_about if it does.`
}
