import type { Explanation, Memory, Operation } from 'keepsake'
import { formatMemory } from './format-memory.ts'
import { formatMoment } from './format-quantity.ts'
import type { Shown } from './print.ts'
import { printable, wrap, type Style } from './style.ts'

/** Indentation of an operation's text under its time. */
const INDENT = ' '.repeat(18)

/** Explains a memory's state in one sentence, or with all figures of the policy. */
export function showExplanation(explanation: Explanation, isDetailed: boolean): Shown {
  const { memory, sentences, plain } = explanation
  const formatText = (style: Style): string =>
    [
      formatMemory(memory, style),
      '',
      ...(isDetailed ? sentences : [plain]).map((sentence) => wrap(printable(sentence), style.width)),
    ].join('\n')
  return { data: explanation, formatText }
}

export function showHistory(memory: Memory, history: readonly Operation[]): Shown {
  const formatText = (style: Style): string =>
    [formatMemory(memory, style), '', ...history.map((operation) => formatOperation(operation, style))].join(
      '\n',
    )
  return { data: history, formatText }
}

/** Names the author of a change: a caller, a model, a policy or rules. */
function nameActor({ step, model, actor }: Operation['origin']): string {
  if (step === 'api') return actor ?? 'an application'
  if (model !== null) return `${model} (${step})`
  const policy = /^policy:(.*)/.exec(step)?.[1]
  return policy === undefined ? `rules (${step})` : `the policy ${policy}`
}

function formatOperation({ id, at, kind, origin, payload }: Operation, style: Style): string {
  const before = payload?.before?.text
  const after = payload?.after.text
  const change =
    before === undefined || after === undefined || before === after
      ? []
      : [`was: ${printable(before)}`, `now: ${printable(after)}`]
  return [
    `${formatMoment(at)}  ${kind.padEnd(9)} ${style.dim(`by ${nameActor(origin)}`)}`,
    ...change.map((line) => wrap(line, style.width, INDENT)),
    style.dim(`${INDENT}operation ${id}`),
  ].join('\n')
}
