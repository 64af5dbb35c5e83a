import type { Keepsake, ScopeRow } from 'keepsake'
import { readConsent } from 'keepsake/store'
import type { CheckedExample, Example, Task } from '../examples/example.ts'
import { replyPairs, type PairOptions } from '../pairs/reply-pairs.ts'
import { deidentify } from '../prepare/deidentify.ts'
import { extractedFactsOf } from '../store/extracted-facts.ts'
import { readLife, type Life } from '../store/life.ts'
import { operationExamples } from '../store/operation-examples.ts'
import { portraitExamples } from '../store/portrait-examples.ts'
import { replyExamples } from '../store/reply-examples.ts'
import { sessionMemoryExamples } from '../store/session-memory-examples.ts'
import { snapshotExamples } from '../store/snapshot-examples.ts'
import { findWithheld, isWithheld, type Withheld } from '../store/withheld.ts'

/** The tasks and people whose examples are gathered. */
export interface GatherOptions extends PairOptions {
  readonly tasks: readonly Task[]
  /** `true` keeps names and other identifiers. */
  readonly identified: boolean
  /** `true` takes only users who agreed to training; otherwise all who did not refuse. */
  readonly onlyAgreed: boolean
  /** `true` also takes facts that rules extracted. They teach a model no more than the rules can do. */
  readonly includeRules: boolean
}

/** Examples from a store, and counts of what was left out. */
export interface Gathered {
  readonly examples: readonly Example[]
  readonly people: number
  /** Scopes left out because the user refused or, with `onlyAgreed`, did not agree. */
  readonly scopesRefused: number
  /** Examples that contain forgotten, removed, erased or excluded text. */
  readonly withheld: number
  readonly byRules: number
  /** One entry for each example whose answer the engine's reader refuses: the task and the first problem. */
  readonly unreadable: readonly string[]
  /** One reason for each reply without a preference pair. */
  readonly pairsFailed: readonly string[]
  /** Number of names, and of other details such as emails, that were replaced. */
  readonly names: number
  readonly details: number
}

/** Returns all users of a store from whom training may learn, each with their scopes. */
async function peopleOf(memory: Keepsake, rows: readonly ScopeRow[], onlyAgreed: boolean) {
  const people = new Map<number, ScopeRow[]>()
  let refused = 0
  for (const row of rows) {
    const consent = await readConsent(memory.records, row)
    if (consent === 'refused' || (onlyAgreed && consent !== 'given')) refused += 1
    else people.set(row.owner, [...(people.get(row.owner) ?? []), row])
  }
  return { people: [...people.values()], refused }
}

/** Gathers training examples: the engine's questions with the answers in its log, or users' corrections of them. */
export async function gatherExamples(
  memory: Keepsake,
  rows: readonly ScopeRow[],
  options: GatherOptions,
): Promise<Gathered> {
  const { people, refused } = await peopleOf(memory, rows, options.onlyAgreed)
  const tally = { withheld: 0, byRules: 0, names: 0, details: 0 }
  const unreadable: string[] = []
  const pairsFailed: string[] = []
  const examples: Example[] = []
  for (const [index, scopes] of people.entries()) {
    const person = `p${index + 1}`
    const { lives, ...replaced } = await livesOf(memory, scopes, person, options.identified)
    tally.names += replaced.names
    tally.details += replaced.details
    for (const life of lives) {
      const found = await examplesOf(life, await findWithheld(life), options)
      tally.withheld += found.withheld
      pairsFailed.push(...found.pairsFailed)
      for (const { problems, ...example } of found.examples) {
        if (problems.length > 0) unreadable.push(`${example.task}: ${problems[0] ?? ''}`)
        else if (example.by === 'rules' && !options.includeRules) tally.byRules += 1
        else examples.push({ ...example, person })
      }
    }
    options.onProgress?.(index + 1, people.length)
  }
  return { examples, people: people.length, scopesRefused: refused, unreadable, pairsFailed, ...tally }
}

/** Reads a user's scopes, without identifiers unless `identified`. */
async function livesOf(
  memory: Keepsake,
  scopes: readonly ScopeRow[],
  person: string,
  identified: boolean,
): Promise<{ readonly lives: readonly Life[]; readonly names: number; readonly details: number }> {
  const lives: Life[] = []
  for (const row of scopes) lives.push(await readLife(memory, row, person))
  if (identified) return { lives, names: 0, details: 0 }
  const names = scopes.flatMap(({ user, agent }) => [user, ...(agent === null ? [] : [agent])])
  return deidentify(lives, names)
}

/** A life's examples for each wanted task, without withheld text. */
async function examplesOf(life: Life, withheld: Withheld, options: GatherOptions) {
  const wants = (task: Task): boolean => options.tasks.includes(task)
  const extracted = extractedFactsOf(life)
  const found: CheckedExample[] = [
    ...(wants('persona-snapshot') ? await snapshotExamples(life, extracted) : []),
    ...(wants('operations') ? await operationExamples(life, extracted) : []),
    ...(wants('session-memory') ? await sessionMemoryExamples(life) : []),
    ...(wants('compression') ? await portraitExamples(life) : []),
  ]
  const replies = wants('reply') || wants('reply-dpo') ? replyExamples(life) : []
  const isAllowed = (example: CheckedExample): boolean => !isWithheld(withheld, example.basis)
  const allowed = replies.filter(({ example }) => isAllowed(example))
  const { pairs, failures } = await replyPairs(wants('reply-dpo') ? allowed : [], options)
  const plain = wants('reply') ? allowed.map(({ example }) => example) : []
  const allowedFound = found.filter(isAllowed)
  return {
    examples: [...allowedFound, ...plain, ...pairs],
    withheld: found.length - allowedFound.length + (replies.length - allowed.length),
    pairsFailed: failures,
  }
}
