import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatasetError } from '../datasets/dataset-error.ts'
import type { Dataset } from '../datasets/conversation.ts'
import { loadLocomo } from '../datasets/locomo.ts'
import { loadLufy } from '../datasets/lufy.ts'
import { loadMemoryBank, readMemoryBankLabels } from '../datasets/memorybank.ts'
import { loadOwnTalk, type Talk } from '../datasets/own-talk.ts'

/** Which talk: one that is shipped or a file of turns, or a conversation of a published data set. */
export type TalkSource =
  | { readonly talk: string }
  | {
      readonly dataset: 'locomo' | 'lufy' | 'memorybank'
      readonly path: string
      /** From 1, in the data's order. */
      readonly conversation: number
    }

/** @throws DatasetError when the data is absent, is not in its published form, or has no such conversation. */
export async function openTalk(source: TalkSource): Promise<Talk> {
  if ('talk' in source) return loadOwnTalk(source.talk)
  const data = await loadDataset(source.dataset, source.path)
  const conversation = data.conversations[source.conversation - 1]
  if (conversation === undefined) {
    throw new DatasetError(
      source.path,
      `has ${data.conversations.length} conversations and no number ${source.conversation}`,
    )
  }
  return { name: `${data.name} ${conversation.name}`, dataHash: data.dataHash, conversation }
}

/** MemoryBank's language is that of the file named; a folder means English. */
async function loadDataset(dataset: 'locomo' | 'lufy' | 'memorybank', path: string): Promise<Dataset> {
  if (dataset === 'locomo') return loadLocomo(path)
  if (dataset === 'lufy') return loadLufy(path)
  const language = /memory_bank_(en|cn)\.json$/.exec(path)?.[1] === 'cn' ? 'cn' : 'en'
  const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
  return loadMemoryBank(isFolder ? path : dirname(path), language, await readMemoryBankLabels())
}
