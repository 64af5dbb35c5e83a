import type { Conditions, DataSource, PaperItem, Measured, PaperRequest } from './registry/paper.ts'
import { settingsOf, describeDifferentSettings, type Settings } from './registry/settings.ts'

/** Describes every deviation from the paper's conditions in one sentence: data first, then models, then the rest. */
export function describeDifferences(
  { data, conditions = {}, reproduction }: PaperItem,
  request: PaperRequest,
  measured: Measured,
): string[] {
  const { takes = [], needs = [], differences = [] } = reproduction ?? {}
  const roles = new Set([...takes, ...needs])
  const judges = new Set(measured.figures.flatMap(({ judge }) => judge ?? []))
  return [
    ...(data === undefined ? [] : describeData(data, measured.size)),
    ...(roles.has('model') ? describeModel(request.model, conditions.model) : []),
    ...(roles.has('reader') && measured.reader !== null && !measured.runs.some(repliesItself)
      ? describeReader(measured.reader, conditions.reader)
      : []),
    ...[...judges].flatMap((judge) => describeJudge(judge, conditions.judge)),
    ...(roles.has('embedding') ? describeEmbedding(request.embedding, conditions.embedding) : []),
    ...SIGNALS.flatMap((role) =>
      roles.has(role) ? describeSignal(role, request[role], conditions[role]) : [],
    ),
    ...describeSettings(measured, conditions),
    ...(typeof differences === 'function' ? differences(request) : differences),
  ]
}

/** Whether the system replied itself, so that no reader did. */
function repliesItself({ config }: Measured['runs'][number]): boolean {
  return config['ownAnswers'] === true
}

export function paperSettings({ settings = {} }: Conditions, row: string): Settings {
  return typeof settings === 'function' ? settings(row) : settings
}

/** Describes the settings that differ from the paper's. The sentence names the systems, unless all have the same difference. */
function describeSettings({ runs }: Measured, conditions: Conditions): string[] {
  const systems = new Map<string, string[]>()
  for (const run of runs)
    for (const sentence of describeDifferentSettings(settingsOf(run), paperSettings(conditions, run.system)))
      systems.set(sentence, [...(systems.get(sentence) ?? []), run.system])
  const systemCount = new Set(runs.map(({ system }) => system)).size
  return [...systems].map(([sentence, names]) =>
    names.length === systemCount ? sentence : `${names.join(', ')}: ${sentence}`,
  )
}

function describeData(
  { name, size: { count, of }, isPublished, inPlaceOf }: DataSource,
  size: number,
): string[] {
  if (inPlaceOf !== undefined)
    return [
      `Measured: ${size} ${of} of ${name}; the paper measured ${inPlaceOf.size.count} ${inPlaceOf.size.of} of ${inPlaceOf.name}.`,
    ]
  if (!isPublished) return [`The data is one’s own: ${size} ${of}, where the paper had ${count} of its own.`]
  return size === count
    ? []
    : [`Measured: ${size} ${of} of the file that was named; the paper measured ${count}.`]
}

function describeModel(spec: string | undefined, paper: string | undefined): string[] {
  const inPaper = paper === undefined ? '' : ` The paper’s systems worked with: ${paper}.`
  return spec === undefined
    ? [`The systems work without a language model, by rules.${inPaper}`]
    : [`The systems work with ${spec}.${inPaper}`]
}

function describeReader(reader: string, paper: string | undefined): string[] {
  const inPaper = paper === undefined ? '' : ` In the paper: ${paper}.`
  return reader === 'extractive'
    ? [`Answers are sentences copied from what was found, by rule.${inPaper}`]
    : [`Answers are written by ${reader}.${inPaper}`]
}

function describeJudge(judge: string, paper: string | undefined): string[] {
  const inPaper = paper === undefined ? '' : ` In the paper: ${paper}.`
  return judge === 'deterministic'
    ? [`Verdicts are by rule, of words, numbers and dates; they know no synonyms.${inPaper}`]
    : [`Verdicts are ${judge}’s.${inPaper}`]
}

const SIGNALS = ['arousal', 'surprise'] as const
const BUILT_IN = {
  arousal: 'Arousal is measured by the built-in regression on EmoBank',
  surprise: 'Surprise is measured by a bigram model of the talk',
} as const

function describeSignal(role: keyof typeof BUILT_IN, spec: string | undefined, paper = 'not said'): string[] {
  const here =
    spec === undefined ? BUILT_IN[role] : `${BUILT_IN[role].split(' is ')[0]} is measured by ${spec}`
  return [`${here}. In the paper: ${paper}.`]
}

function describeEmbedding(spec: string | undefined, paper: string | undefined): string[] {
  const inPaper = paper === undefined ? '' : ` In the paper: ${paper}.`
  return [
    spec === undefined
      ? `Texts are embedded by the built-in word vectors.${inPaper}`
      : `Texts are embedded by ${spec}.${inPaper}`,
  ]
}
