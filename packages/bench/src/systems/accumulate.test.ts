import type { LanguageModel } from 'keepsake'
import { type LanguageRequest, scriptedModel } from 'keepsake/model'
import { expect, it } from 'vitest'
import { deterministicJudge } from '../judges/deterministic-judge.ts'
import { extractiveReader } from '../readers/extractive-reader.ts'
import { measureSystem } from '../runs/measure-system.ts'
import { openDataset } from '../datasets/open-dataset.ts'
import { accumulate } from './accumulate.ts'
import { keepsakeSystem } from './keepsake.ts'
import type { MemorySystem } from './memory-system.ts'

/** Answers a round: adds the first home, replaces it by the next, and deletes a sold one. */
function operations({ messages }: LanguageRequest): string {
  const words = messages[0]?.text ?? ''
  const [, line, text = ''] = [...words.matchAll(/^\[(\d+)\].*? user \(Ana\): "(.*)"$/gm)].at(-1) ?? []
  const known = /^\((\d+)\) .*lives/m.exec(words)?.[1]
  const given = { index: null, content: null, why: null, turn: Number(line), quote: text }
  const operation = text.includes('sold')
    ? { ...given, type: 'delete', index: 1, why: 'no-longer-so' }
    : {
        ...given,
        type: known === undefined ? 'add' : 'modify',
        index: Number(known),
        content: `Ana lives: ${text}`,
      }
  return JSON.stringify({ operations: [{ ...operation, index: operation.index || null }] })
}

async function listOf(system: MemorySystem): Promise<string[]> {
  const model = scriptedModel(operations)
  const memory = await system.open({ user: 'ana', model, embedding: null })
  for (const [n, text] of ['In Lyon.', 'In Ghent now.', 'I sold it.'].entries())
    await memory.addDialogue({
      session: `s${n}`,
      turns: [{ id: `t${n}`, role: 'user', speaker: 'Ana', text, at: (n + 1) * 60_000, zone: 'UTC' }],
      endsSession: true,
    })
  const items = (await memory.memories()) ?? []
  await memory.close()
  return items.map(({ text }) => text)
}

it('accumulating keeps beside each other what MMM changes and drops', async () => {
  expect(await listOf(accumulate())).toEqual(['Ana lives: In Lyon.', 'Ana lives: In Ghent now.'])
  expect(await listOf(keepsakeSystem('mmm'))).toEqual([])
})

it('mmm without a language model is not measured under the name of MMM', async () => {
  const dataset = await openDataset('own-talk', 'nadia-en')
  const of = (name: 'mmm' | 'moom', model: LanguageModel | null) =>
    measureSystem({
      dataset,
      system: keepsakeSystem(name),
      model,
      reader: extractiveReader,
      judge: deterministicJudge,
    }).systems
  expect(of('mmm', null)).toEqual(['rules-not-mmm'])
  expect(of('mmm', scriptedModel([]))).toEqual(['mmm'])
  expect(of('moom', null)).toEqual(['moom'])
})
