import { fieldOf, numberOf, textOf, textsOf } from './fields.ts'

/** Steps at which an answer can be lost, in the order in which it passes them. */
export const LOST_STEPS = [
  'never-extracted',
  'wrongly-updated',
  'forgotten',
  'not-retrieved',
  'misread',
] as const
export type LostStep = (typeof LOST_STEPS)[number]

export const VERDICTS = [
  'hallucinated',
  'omitted',
  'wrong-choice',
  'no-choice',
  'not-in-context',
  'wrongly-known',
] as const
export type Verdict = (typeof VERDICTS)[number]

/** A question that a system got wrong. */
export interface WrongAnswer {
  readonly id: string
  readonly conversation: string
  readonly question: string
  readonly category: string
  readonly text: string
  readonly reference: string
  readonly answer: string
  readonly verdict: Verdict
  readonly reason: string
  /** `null` where it cannot be told. */
  readonly lost: LostStep | null
  /** Best first. */
  readonly retrieved: readonly string[]
  readonly context: string
  readonly failure: string | null
}

/** Where the evidence of a question was found: its place among what was found, from 1, or `null`. */
export type EvidencePlaces = readonly { readonly unit: string; readonly place: number | null }[]

/** What a run's log says of its answers. */
export interface RunLog {
  /** Answers that were asked for. */
  readonly asked: number
  readonly wrongAnswers: readonly WrongAnswer[]
  /** Of every question by its id, how it ended: `null` when it was right. */
  readonly endings: ReadonlyMap<string, { readonly verdict: Verdict; readonly lost: LostStep | null } | null>
  /** By conversation and question, of those whose evidence was looked for. */
  readonly evidence: ReadonlyMap<string, EvidencePlaces>
  /** Lines that could not be read. */
  readonly unread: number
  readonly lines: number
}

/** Names a question, in whichever run it is asked. */
export const questionKey = (conversation: string, question: string): string => `${conversation}\n${question}`

/**
 * Reads a run's `log.jsonl` line by line. A line that a kill cut off is counted and passed over.
 *
 * @example
 * const log = await readLog(linesOf(file))
 */
export async function readLog(lines: AsyncIterable<string>): Promise<RunLog> {
  const wrongAnswers: WrongAnswer[] = []
  const endings = new Map<string, { readonly verdict: Verdict; readonly lost: LostStep | null } | null>()
  const evidence = new Map<string, EvidencePlaces>()
  let [unread, count] = [0, 0]
  for await (const line of lines) {
    if (line.trim() === '') continue
    count += 1
    const entry = parse(line)
    if (textOf(entry, 'entry') === null) unread += 1
    if (textOf(entry, 'entry') === 'retrieval') evidence.set(keyOf(entry), placesOf(entry))
    const told = answerOf(entry)
    if (told === null) continue
    endings.set(told.id, told.wrong === null ? null : { verdict: told.wrong.verdict, lost: told.wrong.lost })
    if (told.wrong !== null) wrongAnswers.push(told.wrong)
  }
  return { asked: endings.size, wrongAnswers, endings, evidence, unread, lines: count }
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function keyOf(entry: unknown): string {
  return questionKey(textOf(entry, 'conversation') ?? '', textOf(entry, 'question') ?? '')
}

function placesOf(entry: unknown): EvidencePlaces {
  const units = textsOf(entry, 'units')
  return textsOf(entry, 'evidence').map((unit) => {
    const at = units.indexOf(unit)
    return { unit, place: at < 0 ? null : at + 1 }
  })
}

function answerOf(entry: unknown): { readonly id: string; readonly wrong: WrongAnswer | null } | null {
  const kind = textOf(entry, 'entry')
  if (kind !== 'answer' && kind !== 'probe' && kind !== 'everyday') return null
  const id = `${kind}\n${keyOf(entry)}`
  const verdict = { answer: verdictOfAnswer, probe: verdictOfProbe, everyday: verdictOfEveryday }[kind](entry)
  if (verdict === null) return { id, wrong: null }
  const choices = textsOf(entry, 'choices')
  const choice = (name: string): string | undefined => choices[numberOf(entry, name) ?? -1]
  const wrong = {
    id,
    conversation: textOf(entry, 'conversation') ?? '',
    question: textOf(entry, 'question') ?? '',
    category: textOf(entry, 'category') ?? '',
    text: textOf(entry, 'text') ?? '',
    reference: textOf(entry, 'reference') ?? choice('correct') ?? '',
    answer: textOf(entry, 'answer') ?? choice('chosen') ?? '',
    verdict,
    reason: textOf(entry, 'reason') ?? '',
    lost: LOST_STEPS.find((step) => step === fieldOf(entry, 'lost')) ?? null,
    retrieved: textsOf(entry, 'retrieved'),
    context: textOf(entry, 'context') ?? '',
    failure: textOf(entry, 'failure'),
  }
  return { id, wrong }
}

function verdictOfAnswer(entry: unknown): Verdict | null {
  const outcome = fieldOf(entry, 'outcome')
  return outcome === 'hallucinated' || outcome === 'omitted' ? outcome : null
}

function verdictOfProbe(entry: unknown): Verdict | null {
  const chosen = numberOf(entry, 'chosen')
  if (chosen === null) return 'no-choice'
  return chosen === numberOf(entry, 'correct') ? null : 'wrong-choice'
}

/** What a reply was given is measured there, not a reply. */
function verdictOfEveryday(entry: unknown): Verdict | null {
  if (fieldOf(entry, 'inContext') === false) return 'not-in-context'
  const known = fieldOf(entry, 'known')
  return typeof known === 'boolean' && known !== fieldOf(entry, 'answerable') ? 'wrongly-known' : null
}
