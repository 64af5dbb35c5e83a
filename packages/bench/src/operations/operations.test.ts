import { fileURLToPath } from 'node:url'
import { type LanguageRequest, scriptedModel } from 'keepsake/model'
import { expect, it } from 'vitest'
import { runAlone } from '../benchmark/testing/run-alone.ts'
import { openMemDialogue } from '../datasets/mem-dialogue.ts'
import { deterministicJudge } from '../judges/deterministic-judge.ts'
import type { LogEntry } from '../log/log-entry.ts'
import { findFigure } from '../results/plain-figures.ts'
import { entriesOf } from '../runs/figures/make-figures.ts'
import { summariseLog } from '../runs/figures/summarise-log.ts'
import { operations } from './operations.ts'
import { measureTheme, type Mode } from './measure-theme.ts'

const FILE = fileURLToPath(new URL('../../data/fixtures/mem-dialogue.jsonl', import.meta.url))

type Code = Record<string, unknown> & { type: 'add' | 'modify' | 'delete' }

/** Answers by the last turn, with the memory list in the prompt. */
function answering(codeOf: (said: string, list: readonly string[]) => Code | null) {
  const lists: string[][] = []
  const model = scriptedModel(({ messages, schemaName }: LanguageRequest) => {
    if (schemaName !== 'operations') return JSON.stringify({ turns: [], memories: [], names: [] })
    const words = messages[0]?.text ?? ''
    const list = [...words.matchAll(/^\(\d+\) .*?: "(.*)"$/gm)].map((one) => one[1] ?? '')
    lists.push(list)
    const [, line, said = ''] = [...words.matchAll(/^\[(\d+)\].*? user .*?: "(.*)"$/gm)].at(-1) ?? []
    const code = codeOf(said, list)
    const blank = { index: null, content: null, why: null, turn: Number(line), quote: said }
    return JSON.stringify({ operations: code === null ? [] : [{ ...blank, ...code }] })
  })
  return { model, lists }
}

async function measure(
  mode: Mode,
  codeOf: Parameters<typeof answering>[0],
  listTokens: number | null = null,
): Promise<{ log: LogEntry[]; lists: string[][] }> {
  const { model, lists } = answering(codeOf)
  const log: LogEntry[] = []
  for await (const conversation of (await openMemDialogue(FILE)).conversations())
    if (conversation.name === 'test/theme-001')
      log.push(
        ...(await measureTheme(conversation, {
          model,
          judge: deterministicJudge,
          language: 'en',
          mode,
          listTokens,
        })),
      )
  return { log, lists }
}

const numberOf = (list: readonly string[], words: string): number =>
  list.findIndex((one) => one.includes(words)) + 1

/** Makes the right operation if it finds the memory. */
function rightly(said: string, list: readonly string[]): Code | null {
  if (said.includes('bake bread')) return { type: 'add', content: 'Ada works as a baker' }
  if (said.includes('learn Finnish')) return { type: 'add', content: 'Ada learns Finnish' }
  if (said.includes('left the bakery'))
    return { type: 'modify', index: numberOf(list, 'baker'), content: 'Ada drives a tram' }
  if (said.includes('drop the Finnish'))
    return { type: 'delete', index: numberOf(list, 'Finnish'), why: 'asked' }
  return null
}

const valueOf = (log: readonly LogEntry[], metric: string): number | null | undefined =>
  findFigure(summariseLog(log, { judge: 'deterministic', reader: null }), 'operations', metric)?.value

it('on the right list, an updater that does all that is asked has everything right', async () => {
  const { log, lists } = await measure('gold', rightly)
  expect(lists).toEqual([
    [],
    ['Ada works as a baker'],
    ['Ada works as a baker', 'Ada learns Finnish'],
    ['Ada drives a tram', 'Ada learns Finnish'],
    ['Ada drives a tram'],
  ])
  expect(entriesOf(log, 'failure')).toEqual([])
  for (const metric of ['type', 'index', 'index_where_any', 'index_where_shown', 'content'])
    expect([metric, valueOf(log, metric)]).toEqual([metric, 1])
})

it('goes on from the right list after what the updater did wrong; on its own it goes on from that', async () => {
  const wrongly = (said: string, list: readonly string[]): Code | null =>
    said.includes('bake bread') ? { type: 'add', content: 'Ada owns a boat' } : rightly(said, list)
  const gold = await measure('gold', wrongly)
  expect(gold.lists[1]).toEqual(['Ada works as a baker'])
  expect(valueOf(gold.log, 'index_where_any')).toBe(1)
  const free = await measure('free', wrongly)
  expect(free.lists[1]).toEqual(['Ada owns a boat'])
  expect(valueOf(free.log, 'index_where_any')).toBe(0.5)
})

it('tells an index that could not be chosen, since the memory was not shown, from one that was chosen wrongly', async () => {
  const { log, lists } = await measure('gold', rightly, 12)
  const turns = entriesOf(log, 'operation')
  expect(lists.every((list) => list.length <= 1)).toBe(true)
  expect(turns.map(({ indexShown }) => indexShown)).toContain(null)
  expect(entriesOf(log, 'failure')).toEqual([])
  const [whole, shown] = [valueOf(log, 'index_where_any'), valueOf(log, 'index_where_shown')]
  expect(whole).toBeLessThan(1)
  expect(shown ?? 1).toBeGreaterThanOrEqual(whole ?? 0)
})

it('is a benchmark: a run a mode, with a remark where the list could not be kept right', async () => {
  const { summaries, log } = await runAlone(
    operations,
    { path: FILE, model: 'x', mode: ['gold'], split: 'test' },
    answering(rightly).model,
  )
  expect(summaries.map(({ system }) => system)).toEqual(['mmm-gold-list'])
  const figures = summaries[0]?.figures ?? []
  expect(findFigure(figures, 'operations', 'type')).toMatchObject({ value: 1, judge: null })
  expect(entriesOf(log, 'done').length).toBeGreaterThan(0)
})
