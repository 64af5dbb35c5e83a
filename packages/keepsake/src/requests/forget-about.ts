// Forgets topics for the application.
import { InvalidInputError } from '@keepsake/text'
import type { Memory } from '../memories/memory.ts'
import type { Operation } from '../memories/operation.ts'
import type { Engine } from '../work/engine.ts'
import { withTexts } from '../work/read-memories.ts'
import type { ResolvedScope } from '../work/scope-handle.ts'
import { decideAndCommit, tryDecision, type UnitOfWork } from '../work/unit-of-work.ts'
import { applyRequests } from './apply-requests.ts'
import { makeSegment } from './confirm-request.ts'
import { findDoubtful, listMemoriesOf } from './find-doubtful.ts'
import { findPlausible } from './find-targets.ts'

/** The memories of a topic that the application forgets. */
export interface ForgottenTopic {
  /** The live memories about the topic. They are deleted, or would be with `dryRun`. */
  readonly memories: readonly Memory[]
  /** Memories that may be about the topic too, which stay. The application can forget them by id. */
  readonly unsure: readonly Memory[]
  /** The operations, for `undo`; none with `dryRun`. */
  readonly operations: readonly Operation[]
}

/** Options of `forgetAbout()`. */
export interface ForgetAboutOptions {
  /** Changes nothing, and returns what would be deleted. */
  readonly dryRun?: boolean
}

/** Matches a topic that is the user, and so everything that is known. */
const IS_USER = /^(?:(?:the |this )?user|i|me|myself|us|ourselves|用户|我们?(?:自己|本人)?|本人|自己)$/iu

/** Returns a topic as the user would say it: “my asthma” for “the user's asthma”. @throws InvalidInputError if it is everything */
function readOwnTopic({ rules }: Engine, topic: string): string {
  const isEverything = rules.isWide(`Forget ${topic}.`) || rules.isWide(`请忘掉${topic}。`)
  if (isEverything || IS_USER.test(topic.trim()))
    throw new InvalidInputError(
      `The topic “${topic}” means everything about the user, but forgetAbout() forgets one topic. Use erase({ everything: true }) to remove everything.`,
    )
  return topic
    .replace(/^(?:the )?user['’]s\s+/iu, 'my ')
    .replace(/^用户的?(?=\p{Script=Han})/u, '我的')
    .replace(/(?<=\p{Script=Han}{2})(?:的|[这那])[件个]?事[情儿]?$/u, '')
}

/** Forgets a topic in the same way as a user's request does. */
export async function forgetAbout(
  engine: Engine,
  resolved: ResolvedScope | null,
  topic: string,
  { dryRun = false }: ForgetAboutOptions,
): Promise<ForgottenTopic> {
  const about = readOwnTopic(engine, topic)
  const memories: Memory[] = []
  const unsure: Memory[] = []
  const operations: Operation[] = []
  const request = { kind: 'forget', about, evidence: { turn: '', quote: null } } as const
  for (const row of resolved?.rows ?? []) {
    const decide = async (unit: UnitOfWork): Promise<UnitOfWork> => {
      await applyRequests(unit, makeSegment(unit, []), [request], { step: 'api' })
      return unit
    }
    const committed = dryRun ? null : await decideAndCommit(engine, row, decide)
    const unit = committed?.result ?? (await tryDecision(engine, row, decide)).unit
    operations.push(...(committed?.operations ?? []))
    const deleted = [...unit.changes.memories].filter(({ status }) => status === 'deleted')
    memories.push(...withTexts(unit.state, deleted))
    const doubtful =
      deleted.length > 0
        ? listMemoriesOf(unit, await findDoubtful(unit, about, Number.POSITIVE_INFINITY))
        : (await findPlausible(unit, request)).flatMap((id) => unit.state.memories.get(id) ?? [])
    unsure.push(...withTexts(unit.state, doubtful))
  }
  return { memories, unsure, operations }
}
