import type { Conditions, DataSource, PaperItem, ItemResult, PaperRequest } from './registry/paper.ts'
import { settingsOf, describeDifferentSettings, type Settings } from './registry/settings.ts'

/** Describes every deviation from the paper's conditions, each in one sentence: first the data, then models, then the rest. */
export function describeDifferences(
  { data, conditions = {}, reproduction }: PaperItem,
  request: PaperRequest,
  measured: ItemResult,
): string[] {
  const { takes = [], needs = [], differences = [] } = reproduction ?? {}
  const roles = new Set([...takes, ...needs])
  const judges = new Set(measured.figures.flatMap(({ judge }) => judge ?? []))
  const readerAnswered = roles.has('reader') && measured.reader !== null && !measured.runs.some(repliesItself)
  return [
    ...(data === undefined ? [] : describeData(data, measured.size)),
    ...(roles.has('model') ? [describeModel(request.model, conditions.model)] : []),
    ...(readerAnswered ? [describeReader(measured.reader) + inPaper(conditions.reader)] : []),
    ...[...judges].map((judge) => describeJudge(judge) + inPaper(conditions.judge)),
    ...(roles.has('embedding') ? [describeEmbedding(request.embedding) + inPaper(conditions.embedding)] : []),
    ...SIGNALS.filter((role) => roles.has(role)).map(
      (role) => describeSignal(role, request[role]) + inPaper(conditions[role] ?? 'not said'),
    ),
    ...describeSettings(measured, conditions),
    ...(typeof differences === 'function' ? differences(request) : differences),
  ]
}

/** Reports whether the system itself replied in a run. Then no reader answered. */
function repliesItself({ config }: ItemResult['runs'][number]): boolean {
  return config['ownAnswers'] === true
}

/** Returns the paper's settings for a row. */
export function paperSettings({ settings = {} }: Conditions, row: string): Settings {
  return typeof settings === 'function' ? settings(row) : settings
}

/** Describes the settings that differ from the paper's. The sentence names the systems, unless all have the same difference. */
function describeSettings({ runs }: ItemResult, conditions: Conditions): string[] {
  const systems = new Map<string, string[]>()
  for (const run of runs)
    for (const sentence of describeDifferentSettings(settingsOf(run), paperSettings(conditions, run.system)))
      systems.set(sentence, [...(systems.get(sentence) ?? []), run.system])
  const systemCount = new Set(runs.map(({ system }) => system)).size
  return [...systems].map(([sentence, names]) =>
    names.length === systemCount ? sentence : `${names.join(', ')}: ${sentence}`,
  )
}

/** Describes how the measured data differ from the paper's. `size` counts in the unit `of`, such as talks. */
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

/** Adds the paper's condition as a second sentence, if the paper names one. */
function inPaper(words: string | undefined): string {
  return words === undefined ? '' : ` In the paper: ${words}.`
}

function describeModel(spec: string | undefined, paper: string | undefined): string {
  const here = spec === undefined ? 'without a language model, by rules' : `with ${spec}`
  const there = paper === undefined ? '' : ` The paper’s systems worked with: ${paper}.`
  return `The systems work ${here}.${there}`
}

function describeReader(reader: string): string {
  return reader === 'extractive'
    ? 'Answers are sentences copied from what was found, by rule.'
    : `Answers are written by ${reader}.`
}

function describeJudge(judge: string): string {
  return judge === 'deterministic'
    ? 'Verdicts are by rule, of words, numbers and dates; they know no synonyms.'
    : `Verdicts are ${judge}’s.`
}

const SIGNALS = ['arousal', 'surprise'] as const
const BUILT_IN = {
  arousal: { name: 'Arousal', measure: 'the built-in regression on EmoBank' },
  surprise: { name: 'Surprise', measure: 'a bigram model of the talk' },
} as const

function describeSignal(role: keyof typeof BUILT_IN, spec: string | undefined): string {
  const { name, measure } = BUILT_IN[role]
  return `${name} is measured by ${spec ?? measure}.`
}

function describeEmbedding(spec: string | undefined): string {
  return `Texts are embedded by ${spec ?? 'the built-in word vectors'}.`
}
