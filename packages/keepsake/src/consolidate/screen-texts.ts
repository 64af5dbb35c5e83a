// Removes texts that must never be stored, by the application's guidelines.
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

/** Finds the guideline that forbids each text; `null` for an allowed text. A model reads the meaning, else words are compared. */
export async function findNever(
  texts: readonly ScreenedText[],
  never: readonly string[],
  ask: AskModel | null,
): Promise<readonly (string | null)[]> {
  if (texts.length === 0 || never.length === 0) return texts.map(() => null)
  const language = promptLanguage(texts.map(({ text }) => text))
  const request = ask?.ask(screenPrompt, { statements: texts, never }, { language })
  const answer = request === undefined ? null : await answerOr(request, null)
  return texts.map((text, index) => {
    const verdict = answer?.verdicts.find(({ statement }) => statement === index + 1)
    if (verdict === undefined) return findNamed(text, never)
    // `never` of a verdict is the number of a guideline, from 1; `null` for none.
    return verdict.never === null ? null : (never[verdict.never - 1] ?? null)
  })
}

/** Requires that texts may be stored. @throws NotPossibleError with the guideline that forbids one of them */
export async function requireKept(
  what: 'statement' | 'block' | 'edit',
  texts: readonly ScreenedText[],
  never: readonly string[],
  ask: AskModel | null,
): Promise<void> {
  const guidelines = await findNever(texts, never, ask)
  const guideline = guidelines.find((found) => found !== null)
  if (guideline === undefined) return
  throw new NotPossibleError(
    `The ${what} was not kept: ${NEVER_KEPT} “${guideline}” (openMemory's guidelines, or setGuidelines).`,
    { never: guideline },
  )
}

/** Removes the sentences of a summary that must never be stored. */
export async function screenSummary(
  text: string,
  never: readonly string[],
  ask: AskModel | null,
): Promise<string> {
  const sentences = sentencesToScreen(text)
  const guidelines = await findNever(sentences, never, ask)
  const removed = sentences.filter((_, index) => guidelines[index] !== null)
  return withoutSentences(text, removed)
}

/** An extraction before and after grounding. */
interface ScreenedExtraction {
  readonly extraction: Extraction
  readonly grounded: GroundedExtraction
}

/** Removes forbidden statements and sentences from an extraction. A forbidden statement leaves a quarantined entry with the guideline. */
export async function screenExtraction(
  { extraction, grounded }: ScreenedExtraction,
  never: readonly string[],
  ask: AskModel | null,
): Promise<ScreenedExtraction> {
  if (never.length === 0) return { extraction, grounded }
  const candidates = statementsOf(grounded).map(({ candidate }) => candidate)
  const { summary } = extraction
  const sentences = sentencesToScreen(summary?.text ?? '')
  const texts = [...candidates, ...sentences]
  const guidelines = await findNever(texts, never, ask)
  const guidelineOf = new Map(texts.map((text, index) => [text, guidelines[index] ?? null]))
  const isRemoved = (text: Candidate | ScreenedText): boolean => (guidelineOf.get(text) ?? null) !== null
  const removedTexts = new Set(candidates.filter(isRemoved).map(({ text }) => text))
  const screened = mapStatements(grounded, (statement) => {
    const guideline = guidelineOf.get(statement.candidate) ?? null
    if (guideline === null) return statement
    const reason = `${NEVER_KEPT} “${guideline}”`
    return { candidate: withoutWords(statement.candidate, guideline), reason }
  })
  const operations = screened.operations.map((grounding) => {
    const { operation } = grounding
    const successor = operation.kind === 'delete' ? operation.successor : undefined
    const isSuccessorRemoved = successor !== undefined && removedTexts.has(successor.text)
    // A memory stays if the statement that would replace it is not stored.
    return isSuccessorRemoved ? { ...grounding, reason: NEVER_KEPT } : grounding
  })
  const checked = { candidates: screened.candidates, operations }
  if (summary === undefined || summary === null) return { extraction, grounded: checked }
  const text = withoutSentences(summary.text, sentences.filter(isRemoved))
  return {
    extraction: { ...extraction, summary: text === '' ? null : { ...summary, text } },
    grounded: checked,
  }
}

/** Replaces the words of a statement by the guideline. The statement keeps its turns and its times. */
function withoutWords(candidate: Candidate, guideline: string): Candidate {
  const { form, evidence, validFrom, label, level, validUntil } = candidate
  return candidateOf({
    form,
    text: `[not kept: ${guideline}]`,
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
