import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Dataset, OpenedDataset } from './conversation.ts'
import { openHaluMem } from './halumem.ts'
import { loadLocomo } from './locomo.ts'
import { openLongMemEval } from './longmemeval.ts'
import { loadLufy } from './lufy.ts'
import { openMemDialogue } from './mem-dialogue.ts'
import { loadMemoryBank, readMemoryBankLabels } from './memorybank.ts'
import { loadOwnTalk } from './own-talk.ts'
import { openZh4o } from './zh-4o.ts'

/** Every data set that the harness reads. */
export const DATASET_NAMES = [
  'locomo',
  'lufy',
  'memorybank-en',
  'memorybank-cn',
  'halumem',
  'longmemeval',
  'mem-dialogue',
  'zh-4o',
  'own-talk',
] as const

export type DatasetName = (typeof DATASET_NAMES)[number]

export function isDatasetName(name: string): name is DatasetName {
  return DATASET_NAMES.some((each) => each === name)
}

/**
 * Opens a data set in its published form; HaluMem, LongMemEval, Mem_Dialogue and ZH-4O stream.
 *
 * ```ts
 * const data = await openDataset('halumem', 'HaluMem-Medium.jsonl')
 * for await (const conversation of data.conversations()) console.log(conversation.name)
 * ```
 *
 * @param path LoCoMo's, HaluMem's, LongMemEval's or Mem_Dialogue's file; LUFY's tree; MemoryBank's folder or a file
 * in it; ZH-4O's folder or file; for `own-talk` a file of turns or the name of a talk that is shipped
 * @throws DatasetError naming the file, line or item, and field.
 */
export async function openDataset(name: DatasetName, path: string): Promise<OpenedDataset> {
  switch (name) {
    case 'locomo':
      return openWhole(await loadLocomo(path), 'en')
    case 'lufy':
      return openWhole(await loadLufy(path), 'en')
    case 'memorybank-en':
      return openMemoryBank(path, 'en')
    case 'memorybank-cn':
      return openMemoryBank(path, 'cn')
    case 'halumem':
      return openHaluMem(path)
    case 'longmemeval':
      return openLongMemEval(path)
    case 'mem-dialogue':
      return openMemDialogue(path)
    case 'zh-4o':
      return openZh4o(path)
    case 'own-talk':
      return openOwnTalk(path)
  }
}

async function openMemoryBank(path: string, language: 'en' | 'cn'): Promise<OpenedDataset> {
  const isFile = (await stat(path).catch(() => null))?.isFile() === true
  const folder = isFile ? dirname(path) : path
  const data = await loadMemoryBank(folder, language, await readMemoryBankLabels())
  return openWhole(data, language === 'cn' ? 'zh' : 'en')
}

async function openOwnTalk(path: string): Promise<OpenedDataset> {
  const { dataHash, conversation, language } = await loadOwnTalk(path)
  return openWhole(
    { name: 'own-talk', dataHash, conversations: [conversation], leftOut: {} },
    language ?? 'en',
  )
}

/** A data set that is small enough to have been read whole. */
function openWhole(
  { name, dataHash, conversations, leftOut }: Omit<Dataset, 'name'> & { readonly name: string },
  language: 'en' | 'zh',
): OpenedDataset {
  return {
    name,
    language,
    dataHash,
    size: conversations.length,
    async *conversations() {
      yield* conversations
    },
    leftOut: () => leftOut,
  }
}
