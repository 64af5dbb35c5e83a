import { scopeCommand } from '../define-command.ts'
import { findMemory, MEMORY_ARGUMENT } from '../find-memory.ts'
import { showExplanation } from '../output/format-explanation.ts'
import { showPersona, showPortrait, showStory } from '../output/format-person.ts'

export const personaCommand = scopeCommand({
  name: 'persona',
  summary: 'facts about each person, by key',
  description: 'Shows facts about each person by key, with past values and their dates.',
  examples: ['keepsake persona --user maya', 'keepsake persona --user maya --json'],
  run: async ({ scope }) => showPersona(await scope.persona(), scope.key.user),
})

export const portraitCommand = scopeCommand({
  name: 'portrait',
  summary: 'a short profile of the user',
  description:
    'Shows a short profile: who the user is, the relationship to the agent, and what happened. Presets with a portrait write it when a session ends.',
  declare: (command) => command.option('--versions', 'all versions, oldest first (--json has them always)'),
  examples: ['keepsake portrait --user maya', 'keepsake portrait --user maya --versions'],
  run: async ({ scope, options }) => showPortrait(await scope.portrait(), options.versions),
})

export const storyCommand = scopeCommand({
  name: 'story',
  summary: 'the story so far, level by level',
  description: 'Shows the story so far: overall summaries first, then one for each session.',
  examples: ['keepsake story --user maya', 'keepsake story --user maya --json'],
  run: async ({ scope }) => showStory(await scope.story()),
})

export const whyCommand = scopeCommand({
  name: 'why',
  summary: 'why a memory is kept or forgotten',
  description: 'Shows why a memory is kept or forgotten: its evidence, its strength and its history.',
  declare: (command) => command.argument('<memory>', MEMORY_ARGUMENT),
  examples: ['keepsake why 4f1c09ab --user maya', 'keepsake why 4f1c09ab --user maya --json'],
  run: async ({ scope }, given) => showExplanation(await scope.explain((await findMemory(scope, given)).id)),
})
