/** Learning from what a memory holds: who may be learned from, and examples for trainers. */
export { readConsent, withholds, writeConsent, type Consent } from './consent/consent.ts'
export { allExamples, fitUpdater } from './updater/fit-updater.ts'
export { judgedSets } from './updater/judged-sets.ts'
export { judgeUpdater, type UpdaterScore } from './updater/judge-updater.ts'
