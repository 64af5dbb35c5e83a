import { chooseOptionPrompt } from './choose-option.ts'
import { judgeAccuracyPrompt } from './judge-accuracy.ts'
import { judgeAnswerPrompt } from './judge-answer.ts'
import { judgeContentPrompt } from './judge-content.ts'
import { judgeIntegrityPrompt } from './judge-integrity.ts'
import { judgeMemScorePrompt } from './judge-memscore.ts'
import { judgeUpdatePrompt } from './judge-update.ts'
import { readAnswerPrompt } from './read-answer.ts'

/** The prompts of the judge. */
export const JUDGE_PROMPTS = [
  judgeIntegrityPrompt,
  judgeAccuracyPrompt,
  judgeUpdatePrompt,
  judgeAnswerPrompt,
  judgeMemScorePrompt,
  judgeContentPrompt,
] as const

/** The prompts of the reader. */
export const READER_PROMPTS = [readAnswerPrompt, chooseOptionPrompt] as const
