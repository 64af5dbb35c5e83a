import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { BenchConversation, Dataset } from '@keepsake/bench'
import type { DatasetFormat, ImportSource, PlacedTurn } from '@keepsake/importing'
import { notFound, wrongUsage } from '../cli-error.ts'
import { loadBench } from '../load-package.ts'

/** Only the conversations are read, without the questions. */
const NO_LABELS = { en: [], cn: [] }

/** Reads the users of a published data set, each as a source, by the harness's loaders. */
export async function readDataset(format: DatasetFormat, path: string): Promise<ImportSource[]> {
  if (!existsSync(path)) throw notFound(`There is no ${format === 'lufy' ? 'folder' : 'file'} ${path}.`)
  const { conversations } = await load(format, path)
  return conversations.map((conversation) => ({
    name: conversation.name,
    format,
    turns: () => placedTurns(conversation),
  }))
}

async function load(format: DatasetFormat, path: string): Promise<Dataset> {
  // Loaded on demand: the harness brings a spreadsheet reader that no other command needs.
  const { loadLocomo, loadLufy, loadMemoryBank } = await loadBench()
  switch (format) {
    case 'locomo':
      return loadLocomo(path)
    case 'lufy':
      return loadLufy(path)
    case 'memorybank': {
      const language = /memory_bank_(en|cn)\.json$/.exec(path)?.[1]
      if (language === 'en' || language === 'cn') return loadMemoryBank(dirname(path), language, NO_LABELS)
      if (statSync(path).isDirectory()) return loadMemoryBank(path, 'en', NO_LABELS)
      throw wrongUsage(
        `${path} should be named memory_bank_en.json or memory_bank_cn.json, beside its probing questions.`,
      )
    }
  }
}

function* placedTurns({ name, sessions }: BenchConversation): Generator<PlacedTurn> {
  for (const { id, turns } of sessions) {
    for (const { zone, ...turn } of turns)
      yield {
        user: name,
        agent: null,
        app: null,
        session: id,
        where: null,
        turn: { ...turn, timeZone: zone },
      }
  }
}
