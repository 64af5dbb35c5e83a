import { findPreset } from '@keepsake/papers'
import { describe, expect, it } from 'vitest'
import { openLufyAskedBySession } from '../../datasets/open-dataset.ts'
import { openPreset } from '../../systems/keepsake.ts'
import { writeLufy } from '../testing/write-lufy.ts'
import { BASELINES } from './answers-on-lufy.ts'

const PRESETS = {
  lufy: findPreset('lufy'),
  'memory-bank': BASELINES['memory-bank'].preset({ model: false }),
  'naive-rag': BASELINES['naive-rag'].preset({ model: false }),
}

describe('LUFY’s baselines (Table 4)', () => {
  it.each([
    ['lufy', 2],
    ['memory-bank', 2],
    // Four sessions of five exchanges, and a summary of each.
    ['naive-rag', 24],
  ] as const)('%s stores pairs and summaries, of which %i stay, and hands over one', async (name, stay) => {
    const data = await openLufyAskedBySession(writeLufy(['LUFY']))
    const [talk] = await Array.fromAsync(data.conversations())
    const memory = await openPreset(PRESETS[name], { user: 'ana', model: null, embedding: null })
    for (const { id: session, turns } of talk?.sessions ?? [])
      await memory.addDialogue({ session, turns, endsSession: true })
    const kept = await memory.opened.scope.memories({ forms: ['utterance', 'summary'] })
    expect(kept).toHaveLength(stay)
    const asked = kept.at(-1)?.text ?? ''
    const { memories } = await memory.opened.scope.recall(asked, { reinforce: false })
    const found = memories.filter(({ memory: { form } }) => form === 'utterance' || form === 'summary')
    expect(found.map(({ memory: { text } }) => text)).toEqual([asked])
    await memory.close()
  })
})
