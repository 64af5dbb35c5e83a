import type { Conditions, DataSource, PaperItem, Measured, PaperAsked } from './registry/paper.ts'
import { settingsOf, tellSettings, type Settings } from './registry/settings.ts'

/** Every deviation from the paper's conditions, a sentence each: the data, the models, then the rest. */
export function tellDifferences(
  { data, conditions = {}, reproduction }: PaperItem,
  asked: PaperAsked,
  measured: Measured,
): string[] {
  const { takes = [], needs = [], differences = [] } = reproduction ?? {}
  const roles = new Set([...takes, ...needs])
  const judges = new Set(measured.figures.flatMap(({ judge }) => judge ?? []))
  return [
    ...(data === undefined ? [] : tellData(data, measured.size)),
    ...(roles.has('model') ? tellModel(asked.model, conditions.model) : []),
    ...(roles.has('reader') && measured.reader !== null && !measured.runs.some(repliesItself)
      ? tellReader(measured.reader, conditions.reader)
      : []),
    ...[...judges].flatMap((judge) => tellJudge(judge, conditions.judge)),
    ...(roles.has('embedding') ? tellEmbedding(asked.embedding, conditions.embedding) : []),
    ...MEASURING.flatMap((role) =>
      roles.has(role) ? tellMeasuring(role, asked[role], conditions[role]) : [],
    ),
    ...tellRuns(measured, conditions),
    ...(typeof differences === 'function' ? differences(asked) : differences),
  ]
}

function repliesItself({ config }: Measured['runs'][number]): boolean {
  return config['ownAnswers'] === true
}

export function paperSettings({ settings = {} }: Conditions, row: string): Settings {
  return typeof settings === 'function' ? settings(row) : settings
}

/** Settings that are not the paper's; named by system where not all of them have it. */
function tellRuns({ runs }: Measured, conditions: Conditions): string[] {
  const systems = new Map<string, string[]>()
  for (const run of runs)
    for (const sentence of tellSettings(settingsOf(run), paperSettings(conditions, run.system)))
      systems.set(sentence, [...(systems.get(sentence) ?? []), run.system])
  const all = new Set(runs.map(({ system }) => system)).size
  return [...systems].map(([sentence, of]) =>
    of.length === all ? sentence : `${of.join(', ')}: ${sentence}`,
  )
}

function tellData({ name, size: { count, of }, isPublished, inPlaceOf }: DataSource, size: number): string[] {
  if (inPlaceOf !== undefined)
    return [
      `Measured: ${size} ${of} of ${name}; the paper measured ${inPlaceOf.size.count} ${inPlaceOf.size.of} of ${inPlaceOf.name}.`,
    ]
  if (!isPublished) return [`The data is one’s own: ${size} ${of}, where the paper had ${count} of its own.`]
  return size === count
    ? []
    : [`Measured: ${size} ${of} of the file that was named; the paper measured ${count}.`]
}

function tellModel(given: string | undefined, paper: string | undefined): string[] {
  const theirs = paper === undefined ? '' : ` The paper’s systems worked with: ${paper}.`
  return given === undefined
    ? [`The systems work without a language model, by rules.${theirs}`]
    : [`The systems work with ${given}.${theirs}`]
}

function tellReader(reader: string, paper: string | undefined): string[] {
  const theirs = paper === undefined ? '' : ` In the paper: ${paper}.`
  return reader === 'extractive'
    ? [`Answers are sentences copied from what was found, by rule.${theirs}`]
    : [`Answers are written by ${reader}.${theirs}`]
}

function tellJudge(judge: string, paper: string | undefined): string[] {
  const theirs = paper === undefined ? '' : ` In the paper: ${paper}.`
  return judge === 'deterministic'
    ? [`Verdicts are by rule, of words, numbers and dates; they know no synonyms.${theirs}`]
    : [`Verdicts are ${judge}’s.${theirs}`]
}

const MEASURING = ['arousal', 'surprise'] as const
const BUILT_IN = {
  arousal: 'Arousal is measured by the built-in regression on EmoBank',
  surprise: 'Surprise is measured by a bigram model of the talk',
} as const

function tellMeasuring(role: keyof typeof BUILT_IN, given: string | undefined, paper = 'not said'): string[] {
  const here =
    given === undefined ? BUILT_IN[role] : `${BUILT_IN[role].split(' is ')[0]} is measured by ${given}`
  return [`${here}. In the paper: ${paper}.`]
}

function tellEmbedding(given: string | undefined, paper: string | undefined): string[] {
  const theirs = paper === undefined ? '' : ` In the paper: ${paper}.`
  return [
    given === undefined
      ? `Texts are embedded by the built-in word vectors.${theirs}`
      : `Texts are embedded by ${given}.${theirs}`,
  ]
}
