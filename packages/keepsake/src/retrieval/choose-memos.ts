import { requireModel } from '../models/require-model.ts'
import type { AskModel } from '../models/ask-model.ts'
import { chooseMemosPrompt } from '../prompts/choose-memos.ts'
import { promptVersion } from '../prompts/prompt.ts'
import { promptLanguage } from '../prompts/render-data.ts'
import { isLine } from '../prompts/check-answer.ts'

/** The least a memo must tell of itself to be chosen. */
export interface ChoosableMemo {
  readonly text: string
  /** When what it tells was said, milliseconds since 1970. */
  readonly validFrom: number
}

export interface ChooseMemosOptions {
  readonly ask: AskModel | null
  /** The moment of asking, milliseconds since 1970. */
  readonly now: number
  readonly timeZone?: string | null
  readonly abortSignal?: AbortSignal
}

/**
 * MemoChat's retrieval: a language model picks the memos that bear on a question. One call, none for no memos.
 *
 * @returns those chosen, best first; may be none
 * @throws InvalidInputError when there is no language model
 */
export async function chooseMemos<Memo extends ChoosableMemo>(
  question: string,
  memos: readonly Memo[],
  { ask, now, timeZone, abortSignal }: ChooseMemosOptions,
): Promise<Memo[]> {
  const model = requireModel(ask, promptVersion(chooseMemosPrompt))
  if (memos.length === 0) return []
  const language = promptLanguage([question, ...memos.map((memo) => memo.text)])
  const input = {
    question,
    memos: memos.map(({ text, validFrom }) => ({ text, at: validFrom })),
    now,
    timeZone: timeZone ?? null,
  }
  const asking = { language, abortSignal }
  const answer = await model.ask(chooseMemosPrompt, input, asking)
  const numbers = new Set(answer.memos.filter((number) => isLine(number, memos.length)))
  return [...numbers].flatMap((number) => memos[number - 1] ?? [])
}
