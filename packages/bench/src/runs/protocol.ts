import { OptionError } from '../benchmark/options.ts'
import type { DatasetName } from '../datasets/open-dataset.ts'
import { ASKED_FOR, TASKS, type TaskName } from '../log/figure.ts'
import type { Judge } from '../judges/judge.ts'
import type { Reader } from '../readers/reader.ts'

/**
 * `own`: the harness's conditions, the same for every data set. `paper`: those of the HaluMem paper (section 6.1, appendices B and D) and,
 * where it is silent, of its published script: the ten and twenty memories that are retrieved, whole and alone, are what judge and reader
 * are shown; a session's own memories are what integrity is judged against; verdicts and answers are asked for by the paper's rubrics and
 * rules. `lufy`: those of the LUFY paper (5.4, appendix C.1): what the user says is recalled by, and reinforces, before it is remembered;
 * after each session every question so far is asked; what a system usually hands out is what its answer rests on; an answer that is right
 * in part is right.
 */
export const PROTOCOLS = ['own', 'paper', 'lufy'] as const
export type Protocol = (typeof PROTOCOLS)[number]

/** A budget that cuts nothing. */
export const UNCUT_TOKENS = 1_000_000

const MEASURED_BY: Readonly<Record<Exclude<Protocol, 'own'>, readonly TaskName[]>> = {
  paper: ['extraction', 'updating', 'answering'],
  lufy: ['answering'],
}
const DATASET_OF = { paper: 'halumem', lufy: 'lufy' } as const

/** The tasks that a run measures by default, of those that its data supports. */
export function usualTasks(protocol: Protocol): readonly TaskName[] {
  return protocol === 'own' ? TASKS.filter((task) => !ASKED_FOR.includes(task)) : MEASURED_BY[protocol]
}

interface AskedOfRun {
  readonly dataset: DatasetName
  readonly tasks?: readonly string[] | undefined
  readonly contextTokens?: number | undefined
  readonly memories?: number | undefined
  readonly ownAnswers?: boolean | undefined
}

/** @throws OptionError naming options that conflict with the paper's protocol */
export function requireProtocol(
  protocol: Protocol,
  { dataset, tasks = [], contextTokens, memories, ownAnswers }: AskedOfRun,
): void {
  if (protocol === 'own') return
  if (dataset !== DATASET_OF[protocol]) {
    const name = protocol === 'paper' ? 'HaluMem' : 'LUFY'
    throw new OptionError(`--protocol ${protocol} is that of ${name}: ${dataset} has another. Leave it out.`)
  }
  // LUFY's replies are the systems' own; here the reader may replace them.
  const isPaper = protocol === 'paper'
  const fixed = [
    ...(contextTokens !== undefined && isPaper ? ['--context-tokens'] : []),
    ...(memories === undefined ? [] : ['--memories']),
    ...(ownAnswers === true && isPaper ? ['--own-answers'] : []),
  ]
  if (fixed.length > 0) {
    const what = isPaper ? 'what is retrieved and who answers' : 'what is retrieved'
    throw new OptionError(`--protocol ${protocol} fixes ${what}: leave out ${fixed.join(', ')}.`)
  }
  const measured = MEASURED_BY[protocol]
  const others = tasks.filter((task) => !measured.some((one) => one === task))
  if (others.length > 0)
    throw new OptionError(
      `--protocol ${protocol} measures ${measured.join(', ')}: leave out ${others.join(', ')}.`,
    )
}

/** Remaining deviations from the paper of a run by its protocol, in sentences. */
export function tellProtocol(protocol: Protocol, reader: Reader, judge: Judge): string[] {
  if (protocol === 'own') return []
  if (protocol === 'lufy')
    return [
      `By the protocol of the LUFY paper: what the user says is recalled by before it is remembered, and reinforces; after each session every question so far is asked; an answer that is right in part is right, and not to know is neither (appendix C.1).`,
      `The paper's judge is GPT-4o, and each of its systems replies by itself, in talks that it shaped; here ${whoOf(reader)} reads (or, with --own-answers, the system replies), ${whoOf(judge)} judges, and the published talks are heard by every system. Its figures are beside none of these.`,
    ]
  return [
    `By the protocol of the HaluMem paper: 10 memories an update and 20 a question, uncut; a session's own memories for integrity; its rubrics.`,
    `The paper's reader and judge are both GPT-4o; here ${whoOf(reader)} reads and ${whoOf(judge)} judges. The rubrics are the paper's, their words ours, and an answer comes as JSON. The paper names neither the model's version nor its temperature, nor how memories are written into a prompt: here a line each, numbered. It gives every system a prompt of its own makers; here all have one. No figure of the paper may stand beside these.`,
  ]
}

function whoOf({ name, kind }: Pick<Reader | Judge, 'name' | 'kind'>): string {
  return kind === 'deterministic' ? `a rule (${name})` : name
}
