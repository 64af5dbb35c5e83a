import { OptionError } from '../benchmark/options.ts'
import type { DatasetName } from '../datasets/open-dataset.ts'
import { TASKS_ON_REQUEST, TASKS, type TaskName } from '../log/figure.ts'
import type { Judge } from '../judges/judge.ts'
import type { Reader } from '../readers/reader.ts'

/**
 * The conditions under which systems are measured.
 *
 * `own`: conditions of the harness, the same for every data set.
 *
 * `paper`: conditions of the HaluMem paper (section 6.1, appendices B and D), or of its published script where the paper is silent.
 * - The judge sees the 10 memories retrieved for an update, the reader the 20 for a question. Both see them whole, and nothing else.
 * - Integrity is judged against the memories of the session only.
 * - Judge and reader follow the paper's rubrics.
 *
 * `lufy`: conditions of the LUFY paper (section 5.4, appendix C.1).
 * - Before a user's turn is remembered, it is a query of a recall, and the recalled memories are reinforced.
 * - After each session, every question about it and earlier sessions is asked.
 * - Answers rest on as many memories as the system usually returns.
 * - A partly right answer is right.
 */
export const PROTOCOLS = ['own', 'paper', 'lufy'] as const
export type Protocol = (typeof PROTOCOLS)[number]

/** A token budget so large that no context is cut. */
export const UNCUT_TOKENS = 1_000_000

const TASKS_OF: Readonly<Record<Exclude<Protocol, 'own'>, readonly TaskName[]>> = {
  paper: ['extraction', 'updating', 'answering'],
  lufy: ['answering'],
}
/** The data set of each paper's protocol. */
const DATASET_OF = { paper: 'halumem', lufy: 'lufy' } as const

/** The tasks that a run measures by default. Tasks that the data does not support are skipped. */
export function usualTasks(protocol: Protocol): readonly TaskName[] {
  return protocol === 'own' ? TASKS.filter((task) => !TASKS_ON_REQUEST.includes(task)) : TASKS_OF[protocol]
}

interface ProtocolOptions {
  readonly dataset: DatasetName
  readonly tasks?: readonly string[] | undefined
  readonly contextTokens?: number | undefined
  readonly memories?: number | undefined
  readonly ownAnswers?: boolean | undefined
}

/** Checks the options of a run against its protocol. @throws OptionError naming the options that conflict with it */
export function requireProtocol(
  protocol: Protocol,
  { dataset, tasks = [], contextTokens, memories, ownAnswers }: ProtocolOptions,
): void {
  if (protocol === 'own') return
  if (dataset !== DATASET_OF[protocol]) {
    const name = protocol === 'paper' ? 'HaluMem' : 'LUFY'
    throw new OptionError(`--protocol ${protocol} is that of ${name}: ${dataset} has another. Leave it out.`)
  }
  // In the LUFY paper systems reply themselves. Here the reader may reply for them, so its options stay free.
  const isPaper = protocol === 'paper'
  const conflicting: string[] = []
  if (contextTokens !== undefined && isPaper) conflicting.push('--context-tokens')
  if (memories !== undefined) conflicting.push('--memories')
  if (ownAnswers === true && isPaper) conflicting.push('--own-answers')
  if (conflicting.length > 0) {
    const fixedParts = isPaper ? 'what is retrieved and who answers' : 'what is retrieved'
    throw new OptionError(`--protocol ${protocol} fixes ${fixedParts}: leave out ${conflicting.join(', ')}.`)
  }
  const measuredTasks = TASKS_OF[protocol]
  const otherTasks = tasks.filter((task) => !measuredTasks.some((measured) => measured === task))
  if (otherTasks.length > 0)
    throw new OptionError(
      `--protocol ${protocol} measures ${measuredTasks.join(', ')}: leave out ${otherTasks.join(', ')}.`,
    )
}

/** Describes, in sentences, how a run by a paper's protocol still deviates from the paper. */
export function describeProtocol(protocol: Protocol, reader: Reader, judge: Judge): string[] {
  if (protocol === 'own') return []
  if (protocol === 'lufy')
    return [
      `By the protocol of the LUFY paper: what the user says is recalled by before it is remembered, and reinforces; after each session every question so far is asked; an answer that is right in part is right, and not to know is neither (appendix C.1).`,
      `The paper's judge is GPT-4o, and each of its systems replies by itself, in talks that it shaped; here ${describeTool(reader)} reads (or, with --own-answers, the system replies), ${describeTool(judge)} judges, and the published talks are heard by every system. Its figures are beside none of these.`,
    ]
  return [
    `By the protocol of the HaluMem paper: 10 memories an update and 20 a question, uncut; a session's own memories for integrity; its rubrics.`,
    `The paper's reader and judge are both GPT-4o; here ${describeTool(reader)} reads and ${describeTool(judge)} judges. The rubrics are the paper's, their words ours, and an answer comes as JSON. The paper names neither the model's version nor its temperature, nor how memories are written into a prompt: here a line each, numbered. It gives every system a prompt of its own makers; here all have one. No figure of the paper may stand beside these.`,
  ]
}

function describeTool({ name, kind }: Pick<Reader | Judge, 'name' | 'kind'>): string {
  return kind === 'deterministic' ? `a rule (${name})` : name
}
