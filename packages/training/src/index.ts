/** Learning from what a memory holds: who may be learned from, and examples for trainers. */
export { readConsent, withholds, writeConsent, type Consent } from './consent/consent.ts'
export { TASKS, type Example, type Task, type Voucher } from './examples/example.ts'
export {
  exportMemDialogue,
  exportStore,
  type Exported,
  type ExportOptions,
} from './export/export-examples.ts'
export { gatherExamples, type Gathered, type GatherOptions } from './export/gather-examples.ts'
export { chatRow, completionRow, preferenceRow, rankedRow } from './formats/chat-rows.ts'
export { datasetInfo } from './formats/dataset-info.ts'
export { BASE_MODEL } from './recipes/settings.ts'
export { axolotlConfig, llamaFactoryConfig, trlConfig } from './recipes/trainer-schemas.ts'
export type { Negatives } from './pairs/reply-pairs.ts'
export type { Mixture } from './prepare/choose-examples.ts'
export type { Shares } from './prepare/split-people.ts'
export { allExamples, fitUpdater } from './updater/fit-updater.ts'
export { judgedSets } from './updater/judged-sets.ts'
export { judgeUpdater, type UpdaterScore } from './updater/judge-updater.ts'
