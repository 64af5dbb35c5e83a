import { equal } from 'node:assert/strict'
import type { StoreCases } from './cases.ts'
import { addOf, commit, commitOf, turnOf } from './samples.ts'

export const listCases: StoreCases = {
  part: 'lists',
  cases: {
    'accepts lists with more ids than one statement can hold': async ({ store, ada }) => {
      const userId = ada.owner
      await store.append(turnOf(ada, 't1', 'one'))
      await store.append(turnOf(ada, 't2', 'two'))
      await commit(store, commitOf(ada, [addOf(ada, 'm1', 'one', ['t1']), addOf(ada, 'm2', 'two', ['t2'])]))
      const others = Array.from({ length: 40_000 }, (_, index) => `other-${index}`)
      const turns = await store.listTurns({ userId, ids: [...others, 't2'], limit: 1 })
      equal(turns.map(({ id }) => id).join(), 't2')
      const ids = async (query: object): Promise<string> =>
        (await store.listMemories({ userId, ...query })).map(({ memory }) => memory.id).join()
      equal(await ids({ ids: [...others, 'm2', 'm1'] }), 'm1,m2')
      equal(await ids({ evidenceTurns: [...others, 't1'] }), 'm1')
      equal(await ids({ evidenceTurns: ['t1', 't2'], ids: ['m2'] }), 'm2')
      equal(await ids({ ids: [] }), '')
    },
  },
}
