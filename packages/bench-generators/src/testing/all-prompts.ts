import { askChangePrompt } from '../mem-dialogue/prompts/ask-change.ts'
import { changeMemoryPrompt } from '../mem-dialogue/prompts/change-memory.ts'
import { lifeSkeletonPrompt } from '../halumem/prompts/life-skeleton.ts'
import { narrateEventsPrompt } from '../halumem/prompts/narrate-events.ts'
import { personaPrompt } from '../halumem/prompts/persona.ts'
import { sessionDialoguePrompt } from '../halumem/prompts/session-dialogue.ts'
import { sessionPointsPrompt } from '../halumem/prompts/session-points.ts'
import { sessionQuestionsPrompt } from '../halumem/prompts/session-questions.ts'
import { tellMemoryPrompt } from '../mem-dialogue/prompts/tell-memory.ts'
import { themeMemoriesPrompt } from '../mem-dialogue/prompts/theme-memories.ts'
import { verifyDraftPrompt } from '../halumem/prompts/verify-draft.ts'
import { verifyPointsPrompt } from '../halumem/prompts/verify-points.ts'

export const GENERATE_PROMPTS = [
  themeMemoriesPrompt,
  tellMemoryPrompt,
  changeMemoryPrompt,
  askChangePrompt,
  personaPrompt,
  verifyDraftPrompt,
  lifeSkeletonPrompt,
  narrateEventsPrompt,
  sessionPointsPrompt,
  sessionDialoguePrompt,
  verifyPointsPrompt,
  sessionQuestionsPrompt,
] as const
