import type { CostReport, PresetReport } from './bench-cost.ts'
import type { CallCost } from './meter.ts'
import type { PhaseCost } from './measure-preset.ts'

/** The report as Markdown: calls per 100 rounds, what a recall hands over, and each prompt. */
export function renderCost(report: CostReport): string {
  const { dataset, dataHash, presets, notMeasured } = report
  const parts = [
    `# Cost: ${dataset}`,
    `Data: sha256 \`${dataHash}\`. ${sizes(presets)}`,
    '## Remembering, per 100 rounds',
    ingestionTable(report),
    countedBy(presets),
    '## Recalling',
    recallTable(presets),
    '## By prompt, over the whole run',
    promptTable(presets),
    ...notMeasured.map(({ preset, reason }) => `${preset} is not measured. ${reason}`),
  ]
  return `${parts.join('\n\n')}\n`
}

function sizes(presets: readonly PresetReport[]): string {
  const [first] = presets
  if (first === undefined) return 'Nothing was measured.'
  const models = [...new Set(presets.map(({ model }) => model).filter((model) => model !== 'none'))]
  const { rounds, sessions, turns } = first
  const roles =
    turns === rounds ? ' Nobody speaks as the agent: all are users, and each turn is a round.' : ''
  return `${rounds} rounds, ${turns} turns, ${sessions} sessions.${roles} Answers by ${models.join(', ') || 'no model'}.`
}

function countedBy(presets: readonly PresetReport[]): string {
  const { calls, estimated } = presets.reduce(
    (sum, { ingestion: { total } }) => ({
      calls: sum.calls + total.calls,
      estimated: sum.estimated + total.estimated,
    }),
    { calls: 0, estimated: 0 },
  )
  const how =
    estimated === 0
      ? 'as the provider counted them'
      : estimated === calls
        ? "Keepsake's estimate: four characters each, one for a Chinese character"
        : `as the provider counted them, but for ${estimated} of ${calls} calls that are estimated`
  return `Calls and tokens are per 100 rounds, what stands right of them is of the whole run. Tokens are ${how}. The last row is reckoned from its prompt's length, not run.`
}

function ingestionTable({ presets, baseline }: CostReport): string {
  const rows = presets.map((preset) => {
    const { ingestion, rounds, rejectedOperations, quarantined, unfinishedJobs, seconds } = preset
    const { total } = ingestion
    const per100 = (value: number): string => whole((100 * value) / Math.max(1, rounds))
    return [
      preset.preset,
      per100(total.calls),
      per100(total.inputTokens),
      per100(total.outputTokens),
      total.calls === 0 ? '–' : whole(total.inputCharacters / total.calls),
      whole(total.repaired),
      whole(total.unusable),
      whole(rejectedOperations),
      whole(quarantined),
      whole(unfinishedJobs),
      seconds === null ? '–' : whole(seconds),
    ]
  })
  const { name, callsPer100Rounds, inputTokensPer100Rounds, charactersPerCall } = baseline
  const last = [
    name,
    whole(callsPer100Rounds),
    whole(inputTokensPer100Rounds),
    '–',
    whole(charactersPerCall),
    ...Array.from({ length: 6 }, () => '–'),
  ]
  const head = [
    'preset',
    'calls',
    'input tokens',
    'output tokens',
    'characters a call',
    'repaired',
    'unusable',
    'operations rejected',
    'quarantined',
    'jobs unfinished',
    'seconds',
  ]
  return table(head, [...rows, last])
}

function recallTable(presets: readonly PresetReport[]): string {
  const rows = presets.map(({ preset, recall, recalling, replying, replies }) => {
    const calls = recall === null ? '–' : share(recalling.total.calls / recall.questions)
    const reply = replies === 0 ? '–' : whole(replying.total.inputTokens / replies)
    if (recall === null) return [preset, ...Array.from({ length: 8 }, () => '–'), calls, reply]
    const { questions, tokens, memories, turns, evidence } = recall
    const isSearched = turns > 0 && evidence.questions > 0
    return [
      preset,
      whole(questions),
      whole(tokens.mean),
      whole(tokens.p95),
      whole(tokens.max),
      memories.toFixed(1),
      turns.toFixed(1),
      isSearched ? share(evidence.any) : '–',
      isSearched ? share(evidence.all) : '–',
      calls,
      reply,
    ]
  })
  const head = [
    'preset',
    'questions',
    'context tokens, mean',
    'p95',
    'most',
    'memories',
    'turns behind them',
    'any evidence',
    'all evidence',
    'calls a recall',
    'input tokens a reply',
  ]
  return table(head, rows)
}

function promptTable(presets: readonly PresetReport[]): string {
  const rows = presets.flatMap(({ preset, ingestion, recalling, replying }) =>
    (
      [
        ['remembering', ingestion],
        ['recalling', recalling],
        ['replying', replying],
      ] as const
    ).flatMap(([work, phase]) => promptRows(preset, work, phase)),
  )
  const head = ['preset', 'work', 'prompt', 'calls', 'input tokens', 'output tokens', 'repaired', 'unusable']
  return table(head, rows)
}

function promptRows(preset: string, work: string, { byPrompt }: PhaseCost): string[][] {
  return Object.entries(byPrompt).map(([prompt, cost]: [string, CallCost]) => [
    preset,
    work,
    prompt,
    whole(cost.calls),
    whole(cost.inputTokens),
    whole(cost.outputTokens),
    whole(cost.repaired),
    whole(cost.unusable),
  ])
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en')
}

function share(value: number): string {
  return value.toFixed(2)
}

/** Words to the left, figures to the right. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const isWord = head.map((_, column) => rows.every((row) => !/^[\d.,–]+$/.test(row[column] ?? '')))
  const rule = isWord.map((isText) => (isText ? '---' : '--:'))
  return [head, rule, ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
