// Lists the presets, policies and prompts of papers, and finds a preset by name.
import { findPreset as findOwnPreset } from 'keepsake/preset'
import type { ForgettingPolicy, Preset, PresetFactory, PresetForm } from 'keepsake/preset'
import { comedyRetrieval } from './comedy/comedy-retrieval.ts'
import { comedy } from './comedy/comedy.ts'
import { sessionMemoryPrompt } from './comedy/session-memory.ts'
import { keySummaryPrompt } from './lufy/key-summary.ts'
import { lufy } from './lufy/lufy.ts'
import { lufy as lufyForgetting } from './lufy/policy.ts'
import { memochat } from './memochat/memochat.ts'
import { compressPortraitPrompt } from './comedy/compress-portrait.ts'
import { sessionSummaryPrompt } from './lufy/session-summary.ts'
import { topicMemosPrompt } from './memochat/topic-memos.ts'
import { dailySummaryPrompt } from './memory-bank/daily-summary.ts'
import { overallSummaryPrompt } from './memory-bank/overall-summary.ts'
import { recursiveSummaryPrompt } from './resum/recursive-summary.ts'
import { ebbinghaus } from './memory-bank/ebbinghaus.ts'
import { memoryBank } from './memory-bank/memory-bank.ts'
import { mmm } from './mmm/mmm.ts'
import { operationsPrompt } from './mmm/operations.ts'
import { competitionInhibition } from './moom/competition-inhibition.ts'
import { moom } from './moom/moom.ts'
import { personaSnapshotPrompt } from './moom/persona-snapshot.ts'
import { resum } from './resum/resum.ts'
import type { PaperName, PresetName } from './names.ts'

/** Presets of papers by name. */
export const PAPERS: Readonly<Record<PaperName, PresetFactory>> = {
  moom,
  comedy,
  mmm,
  lufy,
  'memory-bank': memoryBank,
  resum,
  'comedy-retrieval': comedyRetrieval,
  memochat,
}

/** Forgetting policies of papers, for the option `policies` of `openMemory`. */
export const PAPER_POLICIES: readonly ForgettingPolicy[] = [
  lufyForgetting(),
  ebbinghaus(),
  competitionInhibition(),
]

/** Prompts of papers, for checks that apply to all prompts. */
export const PAPER_PROMPTS = [
  personaSnapshotPrompt,
  operationsPrompt,
  sessionMemoryPrompt,
  keySummaryPrompt,
  topicMemosPrompt,
  sessionSummaryPrompt,
  compressPortraitPrompt,
  dailySummaryPrompt,
  overallSummaryPrompt,
  recursiveSummaryPrompt,
] as const

/** Returns the value for the option `preset` of `openMemory`: a function for presets of papers, else the name. */
export function presetNamed(name: PresetName): PresetFactory | Exclude<PresetName, PaperName> {
  return isPaper(name) ? PAPERS[name] : name
}

/** Returns a preset of the engine or of a paper by name, by its function, or as given. @throws InvalidInputError with all names */
export function findPreset(preset: PresetName | Preset | PresetFactory, form?: PresetForm): Preset {
  return findOwnPreset(typeof preset === 'string' ? presetNamed(preset) : preset, form)
}

function isPaper(name: PresetName): name is PaperName {
  return Object.hasOwn(PAPERS, name)
}
