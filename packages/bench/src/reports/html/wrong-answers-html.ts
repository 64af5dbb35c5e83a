import { whole } from '../format-figure.ts'
import { metricWords } from '../../results/metric-words.ts'
import type { WrongAnswer } from '../report-run.ts'
import { escapeHtml } from './escape-html.ts'

interface RunAnswers {
  readonly label: string
  readonly wrong: number
  readonly answers: readonly WrongAnswer[]
}

/** A context may be a whole conversation; its beginning shows its kind. */
const MOST_CHARACTERS = 1_500
const MOST_RETRIEVED = 20

/**
 * Wrong answers, each folded, with a search field.
 *
 * @param most shown of each run, from the first
 */
export function wrongAnswersHtml(runs: readonly RunAnswers[], most: number): string {
  return `<form class="search" hidden role="search"><label for="search">Find in the wrong answers</label>
<input id="search" type="search" autocomplete="off" placeholder="A word, a system, a step"><output for="search"></output></form>
${runs.map((run) => runHtml(run, most)).join('\n')}`
}

function runHtml({ label, wrong, answers }: RunAnswers, most: number): string {
  const shown = answers.slice(0, most)
  const left = wrong - shown.length
  const said =
    wrong === 0
      ? 'No wrong answers.'
      : left === 0
        ? `All ${whole(wrong)} wrong answers.`
        : `${whole(shown.length)} of ${whole(wrong)} wrong answers; ${whole(left)} are left out. The log has them all.`
  return `<section class="answers"><h3>${escapeHtml(label)}</h3><p class="notes">${said}</p>
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
  const items = retrieved.slice(0, MOST_RETRIEVED).map((memory) => `<li>${cut(memory)}</li>`)
  const more = retrieved.length - items.length
  return `<ol>${items.join('')}</ol>${more > 0 ? `<p class="notes">and ${whole(more)} more</p>` : ''}`
}

function cut(text: string): string {
  const left = text.length - MOST_CHARACTERS
  if (left <= 0) return escapeHtml(text)
  // `slice` may halve a surrogate pair at its end.
  const head = text.slice(0, MOST_CHARACTERS).replace(/[\uD800-\uDBFF]$/, '')
  return `${escapeHtml(head)}… (${whole(left)} more characters)`
}
