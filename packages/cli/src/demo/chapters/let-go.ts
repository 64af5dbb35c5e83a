import type { Memory, ScopedMemory } from 'keepsake'
import { shortId } from '../../find-memory.ts'
import { printable, shorten, wrap } from '../../output/style.ts'
import { memoryOf, putToTest, type Chapter, type Stage } from '../stage.ts'

const SHOWN = 3
/** Room left in the demo, so that even a short story has something to let go of. */
const ROOM = 30

export const letGo: Chapter = {
  title: 'Forgetting, and taking it back',
  about: `What holds least is let go when a session ends or when room runs out: here, with room for ${ROOM} memories only. It can be restored, and any change can be undone.`,
  async tell(stage) {
    const scope = memoryOf(stage, stage.english)
    const texts = new Map((await scope.memories()).map((memory) => [memory.id, memory]))
    const result = await scope.forgetting({ capacity: { memories: ROOM } })
    const { say, style } = stage
    say(
      wrap(
        `By ${result.policy}, ${result.forgotten.length} of ${result.considered} memories of ${stage.english.name} were let go, the weakest first:`,
        style.width,
        '   ',
      ),
      '',
    )
    const weakestFirst = result.forgotten.toSorted((one, other) => one.strength.value - other.strength.value)
    for (const { memory, reason } of weakestFirst.slice(0, SHOWN)) {
      say(
        `     ${style.accent(shortId(memory))}  ${shorten(printable(texts.get(memory)?.text ?? ''), style.width - 16)}`,
      )
      say(wrap(style.dim(firstSentence(reason)), style.width, ' '.repeat(15)))
    }
    say('')
    await restoreAll(
      stage,
      scope,
      weakestFirst.map(({ memory }) => memory),
    )
    const undone = await removeAndUndo(stage, scope)
    return { policy: result.policy, considered: result.considered, forgotten: result.forgotten, undone }
  },
}

/** The rest of a reason is the formula with its numbers, which `why` shows. */
const firstSentence = (reason: string): string => reason.split(/(?<=\.)\s/)[0] ?? reason

const isLive = async (scope: ScopedMemory, id: string): Promise<boolean> =>
  (await scope.memories()).some((memory) => memory.id === id)

async function restoreAll(stage: Stage, scope: ScopedMemory, ids: readonly string[]): Promise<void> {
  const [weakest] = ids
  if (weakest === undefined) return
  const wasGone = !(await isLive(scope, weakest))
  for (const id of ids) await scope.restore(id)
  putToTest(
    stage,
    `They left recall, and all ${ids.length} could be restored.`,
    wasGone && (await isLive(scope, weakest)),
  )
}

/** Drops a fact by mistake and undoes that. */
async function removeAndUndo(stage: Stage, scope: ScopedMemory): Promise<string | null> {
  const facts = await scope.memories({ forms: ['fact'] })
  const fact: Memory | undefined = facts.find((memory) => /penicillin/i.test(memory.text)) ?? facts[0]
  if (fact === undefined) return null
  const operation = await scope.remove(fact.id)
  const wasGone = !(await isLive(scope, fact.id))
  await scope.undo(operation.id)
  const words = shorten(printable(fact.text), 48)
  putToTest(
    stage,
    `“${words}” was dropped by mistake, and one undo brought it back.`,
    wasGone && (await isLive(scope, fact.id)),
  )
  return fact.id
}
