import { scopeCommand } from '../define-command.ts'
import { findMemory, MEMORY_ARGUMENT } from '../find-memory.ts'
import { showExplanation } from '../output/format-explanation.ts'
import { showPersona } from '../output/format-persona.ts'
import { showPortrait } from '../output/format-portrait.ts'
import { showStory } from '../output/format-story.ts'

export const personaCommand = scopeCommand({
  name: 'persona',
  summary: 'what is known of each person, by key',
  description: 'What is known of each person, by key; what was so before, with its dates.',
  examples: ['keepsake persona --user maya', 'keepsake persona --user maya --json'],
  run: async ({ scope }) => showPersona(await scope.persona(), scope.key.user),
})

export const portraitCommand = scopeCommand({
  name: 'portrait',
  summary: 'the compressed whole of what is remembered',
  description:
    'The compressed whole: who the person is, how they stand to the agent, what happened. Made as sessions end, by presets that have one.',
  declare: (command) => command.option('--versions', 'all versions, oldest first (--json has them always)'),
  examples: ['keepsake portrait --user maya', 'keepsake portrait --user maya --versions'],
  run: async ({ scope, options }) => showPortrait(await scope.portrait(), options.versions),
})

export const storyCommand = scopeCommand({
  name: 'story',
  summary: 'the story so far, level by level',
  description: "The story so far: the plot's summaries, the widest first, then each session's.",
  examples: ['keepsake story --user maya', 'keepsake story --user maya --json'],
  run: async ({ scope }) => showStory(await scope.story()),
})

export const whyCommand = scopeCommand({
  name: 'why',
  summary: 'why a memory is kept or was let go',
  description:
    'Why a memory is kept or was let go: what it rests on, how strong it is, and everything that happened to it.',
  declare: (command) => command.argument('<memory>', MEMORY_ARGUMENT),
  examples: ['keepsake why 4f1c09ab --user maya', 'keepsake why 4f1c09ab --user maya --json'],
  run: async ({ scope }, given) => showExplanation(await scope.explain((await findMemory(scope, given)).id)),
})
