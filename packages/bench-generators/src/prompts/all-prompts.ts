import { askChangePrompt } from './ask-change.ts'
import { changeMemoryPrompt } from './change-memory.ts'
import { lifeSkeletonPrompt } from './life-skeleton.ts'
import { narrateEventsPrompt } from './narrate-events.ts'
import { personaPrompt } from './persona.ts'
import { sessionDialoguePrompt } from './session-dialogue.ts'
import { sessionPointsPrompt } from './session-points.ts'
import { sessionQuestionsPrompt } from './session-questions.ts'
import { tellMemoryPrompt } from './tell-memory.ts'
import { themeMemoriesPrompt } from './theme-memories.ts'
import { verifyPointsPrompt } from './verify-points.ts'

/** Every question that the generators put to a language model. */
export const GENERATE_PROMPTS = [
  themeMemoriesPrompt,
  tellMemoryPrompt,
  changeMemoryPrompt,
  askChangePrompt,
  personaPrompt,
  lifeSkeletonPrompt,
  narrateEventsPrompt,
  sessionPointsPrompt,
  sessionDialoguePrompt,
  verifyPointsPrompt,
  sessionQuestionsPrompt,
] as const
