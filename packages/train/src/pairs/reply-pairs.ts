import { ModelError, promptRunner, type LanguageModel } from 'keepsake'
import { promptLanguage } from 'keepsake/parts'
import type { Answered } from '../examples/answered.ts'
import { orderOf } from '../prepare/split-people.ts'
import type { Reply } from '../store/reply-examples.ts'
import { replyPairPrompt, type Side } from './reply-pair-prompts.ts'

/** Where rejected replies come from: written against the portrait, or drawn from what was said before (COMEDY's ablation, appendix F). */
export type Negatives = 'contradicting' | 'random'

export interface PairOptions {
  /** Writes replies; without one the recorded reply is the chosen one, and only random negatives can be had. */
  readonly model: LanguageModel | undefined
  readonly negatives: Negatives
  readonly seed: number
  readonly onProgress?: (done: number, of: number) => void
}

/** What became of the replies. */
export interface Pairs {
  readonly pairs: readonly Answered[]
  /** Replies of which no pair could be made, and why. */
  readonly failures: readonly string[]
}

/** A model that is asked for a contradiction and refuses, or answers the same twice, makes no pair. */
export async function replyPairs(replies: readonly Reply[], options: PairOptions): Promise<Pairs> {
  const pairs: Answered[] = []
  const failures: string[] = []
  for (const [at, reply] of replies.entries()) {
    const made = await pairOf(reply, options)
    if (typeof made === 'string') failures.push(made)
    else pairs.push(made)
    options.onProgress?.(at + 1, replies.length)
  }
  return { pairs, failures }
}

async function pairOf(reply: Reply, { model, negatives, seed }: PairOptions): Promise<Answered | string> {
  try {
    const chosen = model === undefined ? reply.example.answer : await write(model, reply, 'consistent')
    const rejected =
      negatives === 'random'
        ? drawNegative(reply, seed)
        : model === undefined
          ? null
          : await write(model, reply, 'contradicting')
    if (rejected === null) return 'nothing was said in an earlier session that could be the worse reply'
    if (chosen === '' || rejected === '') return 'the model answered with nothing'
    if (chosen === rejected) return 'both replies are the same'
    return {
      ...reply.example,
      task: 'reply-dpo',
      answer: chosen,
      rejected,
      by: 'model',
    }
  } catch (error) {
    if (error instanceof ModelError) return error.message
    throw error
  }
}

async function write(model: LanguageModel, reply: Reply, side: Side): Promise<string> {
  const scope = { tenant: 'training', user: 'pairs', agent: null, app: null }
  const ask = promptRunner({ model }).for('pairs', scope)
  const language = promptLanguage([reply.talk.at(-1)?.text ?? ''])
  const { reply: written } = await ask.ask(replyPairPrompt, { asked: reply.example, side }, { language })
  return written.trim()
}

/** Something the agent said in an earlier session of the same life: fluent, and beside the point. */
function drawNegative({ saidBefore, example: { answer, user } }: Reply, seed: number): string | null {
  const others = saidBefore.filter(({ text }) => text.trim() !== '' && text !== answer)
  const drawn = others
    .map(({ text, id }) => ({ text, order: orderOf(`${user}/${id}`, seed) }))
    .toSorted((one, other) => (one.order < other.order ? -1 : 1))
  return drawn[0]?.text ?? null
}
