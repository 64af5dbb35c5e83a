import { formatPersona } from '../../output/format-persona.ts'
import { memoryOf, type Chapter } from '../stage.ts'

export const know: Chapter = {
  title: 'What it knows',
  about:
    'A sheet about each person, drawn from what they said of themselves. Every line keeps the turn that proves it.',
  async tell(stage) {
    const sheets: Record<string, unknown> = {}
    for (const person of [stage.english, stage.chinese]) {
      const sheet = await memoryOf(stage, person).persona()
      sheets[person.user] = sheet
      stage.say(formatPersona(sheet, person.name, stage.style, '   '), '')
    }
    return { sheets }
  },
}
