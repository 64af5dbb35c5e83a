import type { StoryLevel } from 'keepsake'
import { showPortrait } from '../../output/format-portrait.ts'
import { showStory } from '../../output/format-story.ts'
import { setIn } from '../../output/style.ts'
import type { Chapter } from '../stage.ts'

/** Told with a model alone: without one, both are made of quotations that the other chapters show. */
export const tell: Chapter = {
  title: 'Story and portrait',
  about: ({ model, memory }) =>
    `The story and the portrait that ${model?.name ?? 'the model'} wrote from the conversations, with the preset ${memory.preset.name}.`,
  isTold: ({ model }) => model !== null,
  async tell({ english, chinese, say, style }) {
    const told: unknown[] = []
    for (const { user, name, memory } of [english, chinese]) {
      const levels = toldOnce(await memory.story())
      const portrait = await memory.portrait()
      say(`   ${style.bold(name)}`, setIn(style, 3, showStory(levels).words), '')
      say(`   ${style.bold('Portrait')}`, setIn(style, 3, showPortrait(portrait).words), '')
      told.push({
        user,
        story: levels.map(({ level, units }) => ({ level, units: units.map((unit) => unit.text) })),
        portrait: portrait.current?.text ?? null,
      })
    }
    return { told }
  },
}

/** Sessions of one stretch are told in its words: the story has them already. */
function toldOnce(levels: readonly StoryLevel[]): StoryLevel[] {
  const told = new Set(levels.flatMap(({ level, units }) => (level > 0 ? units.map(({ text }) => text) : [])))
  return levels
    .map(({ level, units }) => ({ level, units: units.filter(({ text }) => level > 0 || !told.has(text)) }))
    .filter(({ units }) => units.length > 0)
}
