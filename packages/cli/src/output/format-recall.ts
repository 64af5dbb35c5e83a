import type { Recall, RecalledEvidence, RecalledMemory } from 'keepsake'
import { shortId } from '../find-memory.ts'
import { kindOf, quote } from './format-memory.ts'
import { formatCount, formatDay, formatMilliseconds } from './format-quantity.ts'
import type { Shown } from './print.ts'
import { joinMarks, printable, indentBy, wrap, type Style } from './style.ts'

/** Maximum of shown evidence turns of a memory; `--json` has all. */
const MAX_EVIDENCE = 3

const WORDS_ONLY =
  'Found by words only: the embedding model did not answer, or its vectors do not match the stored ones.'

/** Shows a recall: its confidence, then the memories, best first, with their evidence. */
export function showRecall(recall: Recall): Shown {
  const { memories, answerable, context, milliseconds, wordsOnly = false } = recall
  const formatText = (style: Style): string =>
    [
      ...(answerable === null ? [] : [formatConfidence(recall, style), '']),
      ...(answerable !== 'no' || memories.length === 0 ? [] : [style.dim('The closest memories:')]),
      ...memories.flatMap((memory, index) => [formatRecalled(memory, index + 1, style), '']),
      style.dim(
        `${formatCount(memories.length, 'memory', 'memories')}, context of ${context.tokens} tokens, ${formatMilliseconds(milliseconds)}`,
      ),
      ...(wordsOnly ? [wrap(style.warn(WORDS_ONLY), style.width)] : []),
    ].join('\n')
  return { data: recall, formatText }
}

/** Formats the confidence: a sentence and the probability. */
export function formatConfidence({ confidence, answerable }: Recall, style: Style): string {
  const answer =
    answerable === 'yes'
      ? style.good('I know something about this')
      : style.warn(answerable === 'maybe' ? 'I may know this' : "I don't know this")
  return `${answer} (confidence ${confidence.toFixed(2)})`
}

/** Formats a turn that is evidence, with speaker and day. */
export function formatEvidence({ text, speaker, role, at }: RecalledEvidence, style: Style): string {
  const source = `${printable(speaker ?? role)}, ${formatDay(at)}`
  return text === null
    ? style.dim(`${source}: this message can no longer be shown`)
    : wrap(style.dim(`${quote(printable(text))} ${source}`), style.width)
}

function formatRecalled(recalled: RecalledMemory, index: number, style: Style): string {
  const { memory, score, evidence, pending } = recalled
  const marks = [
    kindOf(memory),
    formatDay(memory.validFrom),
    `score ${score.toFixed(3)}`,
    pending ? 'facts not extracted yet' : '',
  ]
  // Evidence that only repeats the memory's text is omitted, so that more memories fit on the screen.
  const proof = memory.form === 'utterance' ? [] : evidence.filter(({ text }) => text !== memory.text)
  const lines = (narrow: Style): string =>
    [
      wrap(printable(memory.text), narrow.width),
      ...proof.slice(0, MAX_EVIDENCE).map((source) => formatEvidence(source, narrow)),
    ].join('\n')
  const head = `${String(index).padStart(3)}  ${style.accent(shortId(memory.id))}  ${style.dim(joinMarks(marks))}`
  return `${head}\n${indentBy(style, 5, lines)}`
}
