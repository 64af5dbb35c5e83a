import { OptionError } from '../benchmark/options.ts'
import type { DatasetName } from '../datasets/open-dataset.ts'
import { ASKED_FOR, TASKS, type TaskName } from '../log/figure.ts'
import type { Judge } from '../judges/judge.ts'
import type { Reader } from '../readers/reader.ts'

/**
 * `own`: the harness's conditions, the same for every data set. `paper`: those of the HaluMem paper (section 6.1, appendices B and D)
 * and, where it is silent, of its published script: the ten and twenty memories that are retrieved, whole and alone, are what judge
 * and reader are shown; a session's own memories are what integrity is judged against; verdicts and answers are asked for by the paper's
 * rubrics and rules.
 */
export const PROTOCOLS = ['own', 'paper'] as const
export type Protocol = (typeof PROTOCOLS)[number]

/** A budget that cuts nothing. */
export const UNCUT_TOKENS = 1_000_000

const MEASURED_BY_PAPER: readonly TaskName[] = ['extraction', 'updating', 'answering']

/** What a run measures, of what its data carries, where it is told nothing else. */
export function usualTasks(protocol: Protocol): readonly TaskName[] {
  return protocol === 'paper' ? MEASURED_BY_PAPER : TASKS.filter((task) => !ASKED_FOR.includes(task))
}

/** What is asked of a run beside its protocol. */
interface AskedOfRun {
  readonly dataset: DatasetName
  readonly tasks?: readonly string[] | undefined
  readonly contextTokens?: number | undefined
  readonly memories?: number | undefined
  readonly ownAnswers?: boolean | undefined
}

/** @throws OptionError naming what the paper's protocol fixes and was asked for otherwise */
export function requireProtocol(
  protocol: Protocol,
  { dataset, tasks = [], contextTokens, memories, ownAnswers }: AskedOfRun,
): void {
  if (protocol === 'own') return
  if (dataset !== 'halumem')
    throw new OptionError(`--protocol paper is that of HaluMem: ${dataset} has another. Leave it out.`)
  const fixed = [
    ...(contextTokens === undefined ? [] : ['--context-tokens']),
    ...(memories === undefined ? [] : ['--memories']),
    ...(ownAnswers === true ? ['--own-answers'] : []),
  ]
  if (fixed.length > 0)
    throw new OptionError(
      `--protocol paper fixes what is retrieved and who answers: leave out ${fixed.join(', ')}.`,
    )
  const others = tasks.filter((task) => !MEASURED_BY_PAPER.some((one) => one === task))
  if (others.length > 0)
    throw new OptionError(
      `--protocol paper measures ${MEASURED_BY_PAPER.join(', ')}: leave out ${others.join(', ')}.`,
    )
}

/** What a run by the paper's protocol still differs in from the paper, in sentences. */
export function tellProtocol(protocol: Protocol, reader: Reader, judge: Judge): string[] {
  if (protocol === 'own') return []
  return [
    `By the protocol of the HaluMem paper: 10 memories an update and 20 a question, uncut; a session's own memories for integrity; its rubrics.`,
    `The paper's reader and judge are both GPT-4o; here ${whoOf(reader)} reads and ${whoOf(judge)} judges. The rubrics are the paper's, their words ours, and an answer comes as JSON. The paper names neither the model's version nor its temperature, nor how memories are written into a prompt: here a line each, numbered. It gives every system a prompt of its own makers; here all have one. Its figures are beside none of these.`,
  ]
}

function whoOf({ name, kind }: Pick<Reader | Judge, 'name' | 'kind'>): string {
  return kind === 'deterministic' ? `a rule (${name})` : name
}
