// Keeps out of memory what the application's guidelines say is never stored.
import { splitSentences } from '@keepsake/text'
import { NotPossibleError } from '../errors/errors.ts'
import type { Extraction } from '../extraction/extractor.ts'
import {
  mapStatements,
  statementsOf,
  type GroundedExtraction,
} from '../extraction/grounding/grounded-extraction.ts'
import { filterSentences } from '../extraction/grounding/keep-supported.ts'
import { NEVER_KEPT, findNamed, type ScreenedText } from '../guidelines/guidelines.ts'
import { candidateOf, type Candidate } from '../memories/candidate.ts'
import type { AskModel } from '../models/ask-model.ts'
import { promptLanguage } from '../prompts/render-data.ts'
import { screenPrompt } from '../prompts/screen.ts'
import { answerOr } from './park-job.ts'

/**
 * Finds the texts that fall under the lines of what is never stored: by a model, which reads what is meant, or, without a
 * usable answer, by the words of the lines.
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
    return verdict === undefined ? findNamed(text, never) : (never[(verdict.never ?? 0) - 1] ?? null)
  })
}

/** Requires texts that may be stored. @throws NotPossibleError names the line that one falls under */
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

/** Removes the sentences of a summary that fall under what is never stored. */
export async function screenSummary(
  text: string,
  never: readonly string[],
  ask: AskModel | null,
): Promise<string> {
  const sentences = sentencesToScreen(text)
  const lines = await findNever(sentences, never, ask)
  return withoutSentences(
    text,
    sentences.filter((_, index) => lines[index] !== null),
  )
}

/** An extraction as it was read and as it was grounded. */
interface ScreenedExtraction {
  readonly extraction: Extraction
  readonly grounded: GroundedExtraction
}

/**
 * Removes the words of statements that fall under what is never stored, and the same sentences of the summary. Each such
 * statement leaves an entry in quarantine with the line and its turns.
 */
export async function screenExtraction(
  { extraction, grounded }: ScreenedExtraction,
  never: readonly string[],
  ask: AskModel | null,
): Promise<ScreenedExtraction> {
  if (never.length === 0) return { extraction, grounded }
  const candidates = statementsOf(grounded).map(({ candidate }) => candidate)
  const { summary } = extraction
  const sentences = sentencesToScreen(summary?.text ?? '')
  const lines = await findNever([...candidates, ...sentences], never, ask)
  const lineOf = new Map([...candidates, ...sentences].map((text, index) => [text, lines[index] ?? null]))
  const isRemoved = (text: Candidate | ScreenedText): boolean => (lineOf.get(text) ?? null) !== null
  const removedTexts = new Set(candidates.filter(isRemoved).map(({ text }) => text))
  const screened = mapStatements(grounded, (statement) => {
    const line = lineOf.get(statement.candidate) ?? null
    if (line === null) return statement
    return { candidate: withoutWords(statement.candidate, line), reason: `${NEVER_KEPT} “${line}”` }
  })
  const operations = screened.operations.map((one) => {
    const { operation } = one
    const successor = operation.kind === 'delete' ? operation.successor : undefined
    // What the removed statement would replace stays.
    return successor !== undefined && removedTexts.has(successor.text) ? { ...one, reason: NEVER_KEPT } : one
  })
  const checked = { candidates: screened.candidates, operations }
  if (summary === undefined || summary === null) return { extraction, grounded: checked }
  const text = withoutSentences(summary.text, sentences.filter(isRemoved))
  return {
    extraction: { ...extraction, summary: text === '' ? null : { ...summary, text } },
    grounded: checked,
  }
}

/** Returns what remains of a statement without its words: where it comes from and when it was so. */
function withoutWords(candidate: Candidate, line: string): Candidate {
  const { form, evidence, validFrom, label, level, validUntil } = candidate
  return candidateOf({
    form,
    text: `[not kept: ${line}]`,
    level,
    evidence: evidence.map(({ turn }) => ({ turn, quote: null })),
    validFrom,
    validUntil,
    ...(label === undefined ? {} : { label }),
  })
}

/** Lists the sentences of a text as texts without a subject. */
export function sentencesToScreen(text: string): ScreenedText[] {
  return text
    .split('\n')
    .flatMap((line) => splitSentences(line).map((sentence) => ({ text: sentence.text, subject: '' })))
}

function withoutSentences(text: string, removed: readonly ScreenedText[]): string {
  const texts = new Set(removed.map((sentence) => sentence.text))
  return texts.size === 0 ? text : filterSentences(text, (sentence) => !texts.has(sentence))
}
