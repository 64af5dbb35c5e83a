// Makes an extractor of a memory updater: a model that returns operations on numbered memories (MMM).
import { z } from 'zod'
import { ModelError, type TextGate } from '@keepsake/text'
import { NO_GUIDELINES } from '../guidelines/guidelines.ts'
import { candidateOf, type ProposedOperation } from '../memories/candidate.ts'
import type { Memory } from '../memories/memory.ts'
import type { Update, Updater } from '../models/updater.ts'
import { promptLanguage } from '../prompts/render-data.ts'
import { type Turn, whoSpeaks } from '../turns/turn.ts'
import type { Extractor } from './extractor.ts'
import { sureRequestsIn } from './rules/hear-requests.ts'

/** Default maximum of estimated tokens of the list of memories. */
const LIST_TOKENS = 5_000

/** The schema of an updater's answer, which may come from another machine. */
const updatesSchema = z.array(
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('add'), content: z.string() }),
    z.object({ type: z.literal('modify'), index: z.number().int(), content: z.string() }),
    z.object({ type: z.literal('delete'), index: z.number().int() }),
  ]),
)

/** Makes an extractor of an updater, which returns operations on numbered memories. The user's turns are the evidence of these. */
export function updaterReader(updater: Updater): Extractor {
  return {
    id: updater.id,
    prompt: updater.id,
    related: { list: 'whole', tokens: updater.listTokens ?? LIST_TOKENS },
    extract: async (segment, options) => {
      const userTurns = segment.turns.filter((turn) => turn.role === 'user' && turn.text.trim() !== '')
      const nothing = { candidates: [], requests: [] }
      if (userTurns.length === 0) return nothing
      const { related: memories = [], leftOut = 0 } = options ?? {}
      const answer = await updater.update({
        utterance: userTurns.map(({ text }) => text).join('\n'),
        turns: segment.turns,
        before: segment.before ?? [],
        memories,
        leftOut,
        guidelines: options?.guidelines ?? NO_GUIDELINES,
        language: promptLanguage(segment.turns.map(({ text }) => text)),
      })
      const why = sureRequestsIn(segment, options?.rules).length > 0 ? 'asked' : 'no-longer-so'
      const updates = readUpdates(answer, updater.id)
      const operations = updates.map((update) => toOperation(update, userTurns, memories, why))
      return { ...nothing, operations }
    },
  }
}

/** Passes the answers of an updater through the text gate, which normalises text and masks secrets. */
export function admitUpdates(updater: Updater, gate: TextGate): Updater {
  return {
    ...updater,
    id: updater.id,
    update: async (request) => gate.admitAll(await updater.update(request)),
  }
}

/** Checks the answer of an updater against the schema. @throws ModelError if the answer does not fit */
function readUpdates(answer: unknown, id: string): readonly Update[] {
  const read = updatesSchema.safeParse(answer)
  if (read.success) return read.data
  const [issue] = read.error.issues
  throw new ModelError(
    `The updater ${id} answered with what are no operations: ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}. An operation is { type: 'add', content }, { type: 'modify', index, content } or { type: 'delete', index }.`,
    { code: 'model-answer', answer: JSON.stringify(answer) ?? '', details: { model: id } },
  )
}

/** Converts an update to an operation. A new statement inherits type and subject of the memory that it changes. */
function toOperation(
  update: Update,
  userTurns: readonly Turn[],
  memories: readonly Memory[],
  why: 'asked' | 'no-longer-so',
): ProposedOperation {
  const lastTurn = userTurns.at(-1)
  const at = lastTurn?.at ?? 0
  const evidence = userTurns.map(({ id }) => ({ turn: id, quote: null }))
  if (update.type === 'delete') return { kind: 'delete', index: update.index, why, at, evidence }
  const known = update.type === 'modify' ? memories[update.index - 1] : undefined
  const type = known?.type ?? 'persona'
  const speaker = lastTurn === undefined ? 'user' : whoSpeaks(lastTurn)
  const subject = known?.subject ?? speaker
  const text = update.content.trim()
  const candidate = candidateOf({ type, subject, text, evidence, validFrom: at })
  return update.type === 'modify'
    ? { kind: 'modify', index: update.index, candidate }
    : { kind: 'add', candidate }
}
