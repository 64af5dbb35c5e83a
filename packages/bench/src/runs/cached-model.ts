import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { LanguageModel } from 'keepsake'
import { replayOrRecord } from '../recordings/replay-or-record.ts'

/**
 * A model whose answers are kept by the content of the request, in one file a model: what was asked once, by this run or
 * another of the same folder, is not asked again. A line that a kill left torn is dropped.
 *
 * @throws RecordingError when the file is damaged elsewhere than at its end.
 */
export function cachedModel(model: LanguageModel, folder: string): LanguageModel {
  const file = join(folder, `${model.id.replaceAll(/[^\w.-]+/g, '_')}.jsonl`)
  dropTornLine(file)
  return replayOrRecord(model, file)
}

function dropTornLine(file: string): void {
  if (!existsSync(file)) return
  const text = readFileSync(file, 'utf8')
  if (text === '' || text.endsWith('\n')) return
  writeFileSync(file, text.slice(0, text.lastIndexOf('\n') + 1))
}
