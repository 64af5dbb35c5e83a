import { formatCount } from '../format-figure.ts'
import { metricWords } from '../../results/metric-words.ts'
import type { WrongAnswer } from '../report-run.ts'
import { escapeHtml } from './escape-html.ts'

interface RunAnswers {
  readonly label: string
  readonly wrong: number
  readonly answers: readonly WrongAnswer[]
}

/** Longer texts are cut. A context may be a whole conversation, and its beginning is enough to review an answer. */
const MAX_CHARACTERS = 1_500
const MAX_RETRIEVED = 20

/** Renders the first `maxAnswers` wrong answers of each run, each folded, with a search field. */
export function wrongAnswersHtml(runs: readonly RunAnswers[], maxAnswers: number): string {
  return `<form class="search" hidden role="search"><label for="search">Find in the wrong answers</label>
<input id="search" type="search" autocomplete="off" placeholder="A word, a system, a step"><output for="search"></output></form>
${runs.map((run) => runHtml(run, maxAnswers)).join('\n')}`
}

function runHtml({ label, wrong, answers }: RunAnswers, maxAnswers: number): string {
  const shown = answers.slice(0, maxAnswers)
  const hidden = wrong - shown.length
  let summary = `${formatCount(shown.length)} of ${formatCount(wrong)} wrong answers; ${formatCount(hidden)} are left out. The log has them all.`
  if (hidden === 0) summary = `All ${formatCount(wrong)} wrong answers.`
  if (wrong === 0) summary = 'No wrong answers.'
  return `<section class="answers"><h3>${escapeHtml(label)}</h3><p class="notes">${summary}</p>
${shown.map((answer) => answerHtml(label, answer)).join('\n')}</section>`
}

function answerHtml(label: string, answer: WrongAnswer): string {
  const step = answer.lost === null ? 'unknown' : metricWords('attribution', answer.lost).label
  const rows = [
    ['Reference', answer.reference || '(no answer is right: it was never said)'],
    ['Answer', answer.answer || '(none)'],
    ['Verdict', `${answer.verdict}${answer.reason === '' ? '' : `: ${answer.reason}`}`],
    ['Lost at', step],
    ...(answer.failure === null ? [] : [['Failure', answer.failure] as const]),
    ['Where', `${answer.conversation}, question ${answer.question}, ${answer.category}`],
  ] as const
  const terms = rows.map(([term, text]) => `<dt>${term}</dt><dd>${cut(text)}</dd>`)
  return `<details class="answer"><summary><span class="tag">${escapeHtml(answer.verdict)}</span> ${escapeHtml(answer.text)}</summary>
<dl>${terms.join('')}<dt>Retrieved</dt><dd>${retrievedHtml(answer)}</dd></dl><span class="unseen">${escapeHtml(label)}</span></details>`
}

function retrievedHtml({ retrieved, context }: WrongAnswer): string {
  if (retrieved.length === 0) {
    return context === ''
      ? '(nothing)'
      : `No single memories; the context began:<blockquote>${cut(context)}</blockquote>`
  }
  const items = retrieved.slice(0, MAX_RETRIEVED).map((memory) => `<li>${cut(memory)}</li>`)
  const hidden = retrieved.length - items.length
  return `<ol>${items.join('')}</ol>${hidden > 0 ? `<p class="notes">and ${formatCount(hidden)} more</p>` : ''}`
}

function cut(text: string): string {
  const excess = text.length - MAX_CHARACTERS
  if (excess <= 0) return escapeHtml(text)
  // Removes the first half of a character (surrogate pair) that the cut may have split.
  const head = text.slice(0, MAX_CHARACTERS).replace(/[\uD800-\uDBFF]$/, '')
  return `${escapeHtml(head)}… (${formatCount(excess)} more characters)`
}
