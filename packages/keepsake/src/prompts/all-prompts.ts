// Lists all prompts of the engine, for tests and recordings.
import { chooseMeantPrompt } from './choose-meant.ts'
import { chooseMemosPrompt } from './choose-memos.ts'
import { filePrompt } from './file-statements.ts'
import { describePrompt } from './describe.ts'
import { groundPrompt } from './ground.ts'
import { importancePrompt } from './importance.ts'
import { keySummaryReplyPrompt } from './key-summary-reply.ts'
import { mergeValuesPrompt } from './merge-values.ts'
import { portraitReplyPrompt } from './portrait-reply.ts'
import { renewPortraitPrompt } from './renew-portrait.ts'
import { replyPrompt } from './reply.ts'
import { segmentPrompt } from './segment.ts'
import { screenPrompt } from './screen.ts'
import { settlePrompt } from './settle.ts'
import { storySummaryPrompt } from './story-summary.ts'
import { weighTextsPrompt } from './weigh-texts.ts'

/** The engine's prompts with a schema. Tests check their ids, their two languages, and that data cannot close a tag. */
export const PROMPTS = [
  segmentPrompt,
  screenPrompt,
  filePrompt,
  describePrompt,
  settlePrompt,
  mergeValuesPrompt,
  groundPrompt,
  importancePrompt,
  storySummaryPrompt,
  renewPortraitPrompt,
  chooseMemosPrompt,
  chooseMeantPrompt,
  weighTextsPrompt,
] as const

/** The engine's prompts with a plain text as the answer. */
export const TEXT_PROMPTS = [replyPrompt, portraitReplyPrompt, keySummaryReplyPrompt] as const
