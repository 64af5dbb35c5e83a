import type { LanguageModel } from 'keepsake'
import { modelReader } from '../../readers/model-reader.ts'
import { loadReadingProbe, probeReader, type ReadItem } from './probe-reader.ts'
import { replayOrRecord } from '../../recordings/replay-or-record.ts'
import { modelJudge } from '../../judges/model-judge.ts'
import { loadProbe, sampleProbe } from '../probe-items.ts'
import { probeJudge, type ProbeReport } from '../probe-judge.ts'

/** The results of a model as judge and as reader. */
export interface ProbedModel {
  readonly judge: Readonly<Record<'en' | 'zh', ProbeReport>>
  readonly reader: Readonly<Record<'en' | 'zh', readonly ReadItem[]>>
}

/**
 * Probes a model as judge and as reader, in both languages.
 *
 * @param sample number of items per call of the judge and language, chosen by {@link sampleProbe}; absent: all
 * @throws ReaderError when the model gives no answer as reader. As judge, that counts as failed.
 */
export async function probeModel(model: LanguageModel, sample?: number): Promise<ProbedModel> {
  const judged = async (language: 'en' | 'zh'): Promise<ProbeReport> => {
    const items = await loadProbe(language)
    const asked = sample === undefined ? items : sampleProbe(items, sample)
    return probeJudge(modelJudge({ model, language }), asked)
  }
  const read = async (language: 'en' | 'zh'): Promise<ReadItem[]> =>
    probeReader(modelReader({ model, language }), await loadReadingProbe(language))
  return {
    judge: { en: await judged('en'), zh: await judged('zh') },
    reader: { en: await read('en'), zh: await read('zh') },
  }
}

/**
 * Does the same and records every answer, so that a test can repeat it at no cost. An interrupted run is resumed. Drops
 * recorded answers to prompts whose text has changed since.
 *
 * @param file e.g. `packages/bench/data/judge-answers/gpt-5-mini.jsonl`
 * @throws RecordingError when the file holds another model's answers
 * @example
 * await recordProbe(await openModel('openai:gpt-5-mini', { env: process.env }), 'packages/bench/data/judge-answers/gpt-5-mini.jsonl', 6)
 */
export async function recordProbe(model: LanguageModel, file: string, sample?: number): Promise<ProbedModel> {
  const recorded = replayOrRecord(model, file, sample === undefined ? {} : { sample })
  const probed = await probeModel(recorded, sample)
  recorded.dropUnused()
  return probed
}
