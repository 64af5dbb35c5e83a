import type { StoryLevel } from 'keepsake'
import { formatPortrait } from '../../output/format-portrait.ts'
import { formatStory } from '../../output/format-story.ts'
import { memoryOf, type Chapter } from '../stage.ts'

/** Told with a model alone: without one, both are made of quotations that the other chapters show. */
export const tell: Chapter = {
  title: 'What it makes of it',
  about: ({ model, memory }) =>
    `The story and the portrait that ${model?.name ?? 'the model'} wrote from the talks, as the preset ${memory.preset.name} asks for them.`,
  isTold: ({ model }) => model !== null,
  async tell(stage) {
    const told: unknown[] = []
    for (const person of [stage.english, stage.chinese]) {
      const scope = memoryOf(stage, person)
      const levels = toldOnce(await scope.story())
      const portrait = await scope.portrait()
      const { style, say } = stage
      const narrow = { ...style, width: style.width - 3 }
      say(`   ${style.bold(person.name)}`)
      say(indented(formatStory(levels, narrow)))
      say(
        '',
        `   ${style.bold('Portrait')}`,
        formatPortrait(portrait, style, { all: false, indent: '   ' }),
        '',
      )
      told.push({
        user: person.user,
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
    .map(({ level, units }) => ({
      level,
      units: level > 0 ? units : units.filter(({ text }) => !told.has(text)),
    }))
    .filter(({ units }) => units.length > 0)
}

const indented = (text: string): string => text.replaceAll(/^(?=.)/gm, '   ')
