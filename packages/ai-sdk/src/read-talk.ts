import { createHash, createHmac } from 'node:crypto'
import { attachmentsIn, textWithAttachments, type AttachmentInput, type ScopeKey } from 'keepsake'
import type { Message } from './call.ts'

/** Something said in a prompt. */
export interface Said {
  readonly id: string
  readonly text: string
  readonly attachments: readonly AttachmentInput[]
}

/** What a prompt tells of the talk. */
export interface Talk {
  /** What the user said since the agent's last answer, oldest first. */
  readonly said: readonly Said[]
  /**
   * The prompt goes on with an answer that was begun: the model had called tools. What the user said was remembered
   * when the answer began.
   */
  readonly goesOn: boolean
  /** What the agent said in this answer before it called tools. */
  readonly begun: readonly string[]
  /** Everything said in the prompt, on one line each, so that memory need not say it again. */
  readonly shown: ReadonlySet<string>
  /** Digest of the talk up to the user's last words: the same in every step of one answer. */
  readonly digest: string
}

/** What ids depend on besides the words. */
export interface TalkPlace {
  readonly scope: ScopeKey
  /** The session, or without one the day: the same words on another day are another turn. */
  readonly session: string
  readonly secret: string | undefined
}

/** Text of a message: its text parts. Images and files are attachments, and a tool's results are no words of the talk. */
export function textOf({ content }: Pick<Message, 'content'>): string {
  if (typeof content === 'string') return content
  return content
    .flatMap((part) => (part.type === 'text' && typeof part.text === 'string' ? [part.text] : []))
    .join('\n')
}

/** Text as it is compared: on one line. */
export function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

const TOOL_PARTS = new Set(['tool-call', 'tool-result', 'tool-approval-request'])

function usesTools({ role, content }: Message): boolean {
  return role === 'tool' || (typeof content !== 'string' && content.some(({ type }) => TOOL_PARTS.has(type)))
}

/** Digests each message into the next one's, so that "yes" said twice in a talk has two ids, and sent again the same. */
export function talkDigest(place: TalkPlace): (before: string, role: string, text: string) => string {
  const { tenant, user, agent, app } = place.scope
  const where = [tenant ?? null, user, agent ?? null, app ?? null, place.session]
  return (before, role, text) => {
    const hash =
      place.secret === undefined ? createHash('sha256') : createHmac('sha256', place.secret.toWellFormed())
    return hash
      .update(JSON.stringify([where, before, role, text]))
      .digest('hex')
      .slice(0, 32)
  }
}

/** Reads a prompt: what is new in it, and what was said before. Pure. */
export function readTalk(prompt: readonly Message[], place: TalkPlace): Talk {
  const spoken = prompt.filter(({ role }) => role !== 'system')
  const last = spoken.findLastIndex(({ role }) => role === 'user')
  const after = spoken.slice(last + 1)
  const first = spoken.findLastIndex(({ role }, index) => index < last && role !== 'user') + 1
  const digest = talkDigest(place)
  const said: Said[] = []
  let before = ''
  for (const [index, message] of spoken.slice(0, last + 1).entries()) {
    const text = textOf(message)
    const attachments = attachmentsIn(message.content)
    const whole = textWithAttachments(text, attachments)
    if (message.role === 'tool' || whole === '') continue
    before = digest(before, message.role, whole)
    if (index >= first) said.push({ id: `ai-sdk/${before}`, text, attachments })
  }
  const shown = spoken.filter(({ role }) => role !== 'tool').map((message) => oneLine(textOf(message)))
  const goesOn = after.some(usesTools)
  const begun = goesOn ? after.filter(({ role }) => role === 'assistant').map(textOf) : []
  return { said, goesOn, begun, shown: new Set(shown.filter((text) => text !== '')), digest: before }
}
