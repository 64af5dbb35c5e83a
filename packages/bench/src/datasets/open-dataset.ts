import { stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Dataset, OpenedDataset } from './conversation.ts'
import { openDolphinTalk } from './dolphin.ts'
import { loadEveryday } from './everyday.ts'
import { openHaluMem } from './halumem.ts'
import { loadLocomo } from './locomo.ts'
import { openLongMemEval } from './longmemeval.ts'
import { loadLufy } from './lufy.ts'
import { openMemDialogue } from './mem-dialogue.ts'
import { loadMemoryBank, readMemoryBankLabels } from './memorybank.ts'
import { loadOwnTalk } from './own-talk.ts'
import { openZh4o } from './zh-4o.ts'

const OPENERS = {
  locomo: async (path: string) => openWhole(await loadLocomo(path), 'en'),
  lufy: async (path: string) => openWhole(await loadLufy(path), 'en'),
  'memorybank-en': (path: string) => openMemoryBank(path, 'en'),
  'memorybank-cn': (path: string) => openMemoryBank(path, 'cn'),
  halumem: openHaluMem,
  longmemeval: openLongMemEval,
  'mem-dialogue': openMemDialogue,
  'zh-4o': openZh4o,
  dolphin: openDolphinTalk,
  everyday: async (path: string) => openWhole(await loadEveryday(path), 'en'),
  'own-talk': openOwnTalk,
} as const

/** The name of a data set of the harness. */
export type DatasetName = keyof typeof OPENERS

/** All data sets of the harness. */
export const DATASET_NAMES = Object.keys(OPENERS) as readonly DatasetName[]

/**
 * Opens a data set in its published form. HaluMem, LongMemEval, Mem_Dialogue, ZH-4O and Dolphin are read conversation by conversation.
 *
 * ```ts
 * const data = await openDataset('halumem', 'HaluMem-Medium.jsonl')
 * for await (const conversation of data.conversations()) console.log(conversation.name)
 * ```
 *
 * @param path The file of LoCoMo, HaluMem, LongMemEval or Mem_Dialogue. The folder of LUFY or of everyday talk. The folder of MemoryBank or
 * a file in it. The folder or file of ZH-4O. For `own-talk` a file of turns, or the name of a talk that is shipped.
 * @throws DatasetError naming the file, line or item, and field.
 */
export function openDataset(name: DatasetName, path: string): Promise<OpenedDataset> {
  return OPENERS[name](path)
}

/** Opens LoCoMo without the captions of images, as the MOOM paper measures it (appendix G). */
export async function openLocomoWithoutImages(path: string): Promise<OpenedDataset> {
  return openWhole(await loadLocomo(path, { hasCaptions: false }), 'en')
}

/** Opens the LUFY data as its paper uses it: after each session every question so far is asked. */
export async function openLufyAskedBySession(path: string): Promise<OpenedDataset> {
  return openWhole(await loadLufy(path, { asked: 'after-each-session' }), 'en')
}

async function openMemoryBank(path: string, language: 'en' | 'cn'): Promise<OpenedDataset> {
  const isFile = (await stat(path).catch(() => null))?.isFile() === true
  const folder = isFile ? dirname(path) : path
  const data = await loadMemoryBank(folder, language, await readMemoryBankLabels())
  return openWhole(data, language === 'cn' ? 'zh' : 'en')
}

async function openOwnTalk(path: string): Promise<OpenedDataset> {
  const { dataHash, conversation, language = 'en' } = await loadOwnTalk(path)
  return openWhole({ name: 'own-talk', dataHash, conversations: [conversation], leftOut: {} }, language)
}

/** Opens a data set that is already in memory. `leftOut` counts the questions that were left out, by reason. */
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
