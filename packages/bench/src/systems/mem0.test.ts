import { scriptedModel } from 'keepsake/parts'
import { expect, it } from 'vitest'
import { mem0Npm } from './mem0.ts'

it('lets its model take as long as the run allows, and no longer', async () => {
  const model = scriptedModel(() => new Promise(() => undefined))
  const memory = await mem0Npm().open({ user: 'Ana', model, embedding: null, modelTimeoutMs: 50 })
  const at = Date.UTC(2026, 4, 3)
  const turn = { id: 't1', role: 'user', speaker: 'Ana', text: 'I moved to Lyon.', at, zone: 'UTC' } as const
  const added = memory.addDialogue({ session: 's1', turns: [turn], endsSession: true })
  await expect(added).rejects.toThrow(/timed out/i)
  await memory.close()
})
