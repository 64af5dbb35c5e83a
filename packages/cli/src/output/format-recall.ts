import type { Recall, RecalledEvidence, RecalledMemory } from 'keepsake'
import { shortId } from '../find-memory.ts'
import { kindOf, quote } from './format-memory.ts'
import { formatCount, formatDay, formatMilliseconds } from './format-quantity.ts'
import { printable, wrap, type Style } from './style.ts'

/** Evidence turns shown a memory; `--json` has all. */
const EVIDENCE_SHOWN = 3
/** Smaller parts would show as zero. */
const SMALLEST_PART = 0.0005

function formatEvidence(evidence: RecalledEvidence, style: Style): string {
  const who = evidence.speaker ?? evidence.role
  const source = `${printable(who)}, ${formatDay(evidence.at)}`
  if (evidence.text === null) return style.dim(`     ${source}: these words may no longer be shown`)
  return wrap(style.dim(`${quote(printable(evidence.text))} ${source}`), style.width, '     ')
}

function formatRecalled(recalled: RecalledMemory, place: number, style: Style, parts: boolean): string {
  const { memory, score, evidence, pending } = recalled
  const head = `${String(place).padStart(3)}  ${style.accent(shortId(memory.id))}  ${style.dim(
    [
      kindOf(memory),
      formatDay(memory.validFrom),
      `score ${score.toFixed(3)}`,
      pending ? 'not yet consolidated' : '',
    ]
      .filter((mark) => mark !== '')
      .join(' · '),
  )}`
  const lines = [head, wrap(printable(memory.text), style.width, '     ')]
  if (parts) lines.push(wrap(style.dim(formatParts(recalled.parts)), style.width, '     '))
  // An utterance is its own evidence, as is a fact in the speaker's own words; showing them twice hides the next memory.
  const proof = memory.form === 'utterance' ? [] : evidence.filter(({ text }) => text !== memory.text)
  lines.push(...proof.slice(0, EVIDENCE_SHOWN).map((one) => formatEvidence(one, style)))
  return lines.join('\n')
}

function formatParts(parts: Readonly<Record<string, number>>): string {
  return Object.entries(parts)
    .filter(([, value]) => Math.abs(value) >= SMALLEST_PART)
    .map(([name, value]) => `${name} ${value.toFixed(3)}`)
    .join(' + ')
}

/** How sure a recall is, in words and as a probability. */
export function formatConfidence(recall: Recall, style: Style): string {
  const sure = `confidence ${recall.confidence.toFixed(2)}`
  return recall.known
    ? `${style.good('I know something about this')} (${sure})`
    : `${style.warn("I don't know this")} (${sure})`
}

/** A recall for people: how sure, then the memories, best first, with the turns that prove them. */
export function formatRecall(recall: Recall, style: Style, options: { parts: boolean }): string {
  const shown = recall.memories.map((recalled, index) =>
    formatRecalled(recalled, index + 1, style, options.parts),
  )
  const closest = recall.known || shown.length === 0 ? [] : [style.dim('What comes closest:')]
  const end = style.dim(
    `${formatCount(recall.memories.length, 'memory', 'memories')}, context of ${recall.context.tokens} tokens, ${formatMilliseconds(recall.milliseconds)}`,
  )
  return [formatConfidence(recall, style), '', ...closest, ...shown.flatMap((one) => [one, '']), end].join(
    '\n',
  )
}
