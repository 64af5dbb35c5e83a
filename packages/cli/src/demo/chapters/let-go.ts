import type { ScopedMemory } from 'keepsake'
import { shortId } from '../../find-memory.ts'
import { printable, shorten } from '../../output/style.ts'
import type { Chapter, Stage } from '../stage.ts'

const SHOWN = 3
/** Room left in the demo, so that even a short story has something to let go of. */
const ROOM = 30

export const letGo: Chapter = {
  title: 'Forgetting, and taking it back',
  about: `The weakest memories are forgotten when a session ends or the capacity is reached (here ${ROOM} memories). They can be restored, and any change can be undone.`,
  async tell(stage) {
    const { say, paragraph, style } = stage
    const { name, memory } = stage.english
    const texts = new Map((await memory.memories()).map(({ id, text }) => [id, text]))
    const { policy, considered, forgotten } = await memory.runForgetting({ capacity: { memories: ROOM } })
    paragraph(
      `By ${policy}, ${forgotten.length} of ${considered} memories of ${name} were forgotten, the weakest first:`,
    )
    say('')
    const weakestFirst = forgotten.toSorted((one, other) => one.strength.value - other.strength.value)
    for (const { memory: id, reason } of weakestFirst.slice(0, SHOWN)) {
      const words = shorten(printable(texts.get(id) ?? ''), style.width - 16)
      say(`     ${style.accent(shortId(id))}  ${words}`)
      // The rest of a reason is the formula with its numbers, which `why` shows.
      paragraph(style.dim(reason.split(/(?<=\.)\s/)[0] ?? reason), ' '.repeat(15))
    }
    say('')
    await restoreAll(
      stage,
      memory,
      weakestFirst.map((one) => one.memory),
    )
    return { policy, considered, forgotten, undone: await removeAndUndo(stage, memory) }
  },
}

const isLive = async (scope: ScopedMemory, id: string): Promise<boolean> =>
  (await scope.memories()).some((memory) => memory.id === id)

async function restoreAll(stage: Stage, scope: ScopedMemory, ids: readonly string[]): Promise<void> {
  const [weakest] = ids
  if (weakest === undefined) return
  const wasGone = !(await isLive(scope, weakest))
  for (const id of ids) await scope.restore(id)
  stage.putToTest(
    `They are no longer recalled, and all ${ids.length} can be restored.`,
    wasGone && (await isLive(scope, weakest)),
  )
}

/** Drops a fact by mistake and undoes that. */
async function removeAndUndo(stage: Stage, scope: ScopedMemory): Promise<string | null> {
  const facts = await scope.memories({ forms: ['fact'] })
  const fact = facts.find(({ text }) => /penicillin/i.test(text)) ?? facts[0]
  if (fact === undefined) return null
  const operation = await scope.forget(fact.id)
  const wasGone = !(await isLive(scope, fact.id))
  await scope.undo(operation.id)
  stage.putToTest(
    `“${shorten(printable(fact.text), 48)}” was forgotten by mistake, and one undo restored it.`,
    wasGone && (await isLive(scope, fact.id)),
  )
  return fact.id
}
