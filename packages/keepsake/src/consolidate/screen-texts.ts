import { splitSentences } from '@keepsake/text'
import { NotPossibleError } from '../errors/errors.ts'
import { NEVER_KEPT, findNamed, type ScreenedText } from '../guidelines/guidelines.ts'
import type { AskModel } from '../models/ask-model.ts'
import { promptLanguage } from '../prompts/render-data.ts'
import { screenPrompt } from '../prompts/screen.ts'
import { answerOr } from './park-job.ts'

/**
 * Finds what falls under what is never kept: by a model, which sees what is meant; without one, or without a usable answer, by the words
 * of the lines alone.
 *
 * @returns for each text the line that it falls under; `null` for none
 * @throws ModelError when the model cannot be asked
 * @example
 * await findNever([{ text: 'The user takes insulin.', subject: 'user' }], ['medication'], ask) // ['medication']
 */
export async function findNever(
  texts: readonly ScreenedText[],
  never: readonly string[],
  ask: AskModel | null,
): Promise<readonly (string | null)[]> {
  if (texts.length === 0 || never.length === 0) return texts.map(() => null)
  const language = promptLanguage(texts.map(({ text }) => text))
  const answer =
    ask === null
      ? null
      : await answerOr(ask.ask(screenPrompt, { statements: texts, never }, { language }), null)
  return texts.map((text, index) => {
    const verdict = answer?.verdicts.find(({ statement }) => statement === index + 1)
    if (verdict !== undefined) return never[(verdict.never ?? 0) - 1] ?? null
    return findNamed(text, never)
  })
}

/** Requires texts that may be kept. @throws NotPossibleError names the line that one falls under */
export async function requireKept(
  what: 'statement' | 'block' | 'edit',
  texts: readonly ScreenedText[],
  never: readonly string[],
  ask: AskModel | null,
): Promise<void> {
  const line = (await findNever(texts, never, ask)).find((found) => found !== null)
  if (line === undefined) return
  throw new NotPossibleError(
    `The ${what} was not kept: ${NEVER_KEPT} “${line}” (openMemory's guidelines, or setGuidelines).`,
    { never: line },
  )
}

export function sentencesToScreen(text: string): ScreenedText[] {
  return text
    .split('\n')
    .flatMap((line) => splitSentences(line).map((sentence) => ({ text: sentence.text, subject: '' })))
}

/** Leaves out sentences of a summary. Lines stay lines. */
export function withoutSentences(text: string, dropped: ReadonlySet<string>): string {
  if (dropped.size === 0) return text
  return text
    .split('\n')
    .map((line) => {
      const kept = splitSentences(line).flatMap((sentence) =>
        dropped.has(sentence.text) ? [] : [sentence.text],
      )
      return kept.join(/\p{Script=Han}/u.test(line) ? '' : ' ')
    })
    .filter((line) => line !== '')
    .join('\n')
}

/** Leaves out the sentences of a summary that fall under what is never kept. */
export async function screenSummary(
  text: string,
  never: readonly string[],
  ask: AskModel | null,
): Promise<string> {
  const sentences = sentencesToScreen(text)
  const found = await findNever(sentences, never, ask)
  return withoutSentences(
    text,
    new Set(sentences.flatMap((sentence, index) => (found[index] === null ? [] : [sentence.text]))),
  )
}
