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

/** The engine's prompts, for checks that hold for all: unique ids, both languages, fences that cannot be closed. */
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

/** Those that are answered in plain text. */
export const TEXT_PROMPTS = [replyPrompt, portraitReplyPrompt, keySummaryReplyPrompt] as const
