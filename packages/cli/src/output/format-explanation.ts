import type { Explanation, Operation } from 'keepsake'
import { formatMemory } from './format-memory.ts'
import { formatMoment } from './format-quantity.ts'
import { printable, wrap, type Style } from './style.ts'

/** Under the words of an operation, after its time. */
const HANGING = ' '.repeat(18)

/** Why a memory is as it is, and every operation on it. */
export function formatExplanation(explanation: Explanation, style: Style): string {
  const { memory, sentences, history } = explanation
  return [
    formatMemory(memory, style),
    '',
    ...sentences.map((sentence) => wrap(printable(sentence), style.width, '- ')),
    '',
    style.bold('What happened to it'),
    ...history.map((operation) => formatOperation(operation, style)),
  ].join('\n')
}

function formatOperation(operation: Operation, style: Style): string {
  const { id, at, kind, origin, payload } = operation
  const lines = [`${formatMoment(at)}  ${kind.padEnd(9)} ${style.dim(`by ${origin.step}`)}`]
  const before = payload?.before?.text
  const after = payload?.after.text
  if (before !== undefined && after !== undefined && before !== after) {
    lines.push(
      wrap(`was: ${printable(before)}`, style.width, HANGING),
      wrap(`now: ${printable(after)}`, style.width, HANGING),
    )
  }
  return [...lines, style.dim(`${HANGING}operation ${id}`)].join('\n')
}
