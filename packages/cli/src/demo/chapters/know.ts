import { besidesSheet, formatFacts } from '../../output/format-facts.ts'
import { formatPersona } from '../../output/format-persona.ts'
import { memoryOf, type Chapter } from '../stage.ts'

/** Facts shown that fit no key of the sheet. */
const BESIDES_SHOWN = 8

export const know: Chapter = {
  title: 'What it knows',
  about:
    'A sheet about each person, drawn from what they said of themselves. Every line keeps the turn that proves it.',
  async tell(stage) {
    const sheets: Record<string, unknown> = {}
    const besides: Record<string, readonly string[]> = {}
    for (const person of [stage.english, stage.chinese]) {
      const scope = memoryOf(stage, person)
      const sheet = await scope.persona()
      sheets[person.user] = sheet
      const others = besidesSheet(await scope.memories({ forms: ['fact'] }))
      besides[person.user] = others.map((fact) => fact.text)
      stage.say(formatPersona(sheet, person.name, stage.style, '   '))
      if (others.length > 0)
        stage.say(formatFacts('Besides', others, stage.style, { limit: BESIDES_SHOWN, indent: '   ' }))
      stage.say('')
    }
    return stage.model === null ? { sheets } : { sheets, besides }
  },
}
