import { besidesSheet, formatFacts } from '../../output/format-facts.ts'
import { showPersona } from '../../output/format-persona.ts'
import { setIn } from '../../output/style.ts'
import type { Chapter } from '../stage.ts'

/** Facts shown that fit no key of the sheet. */
const BESIDES_SHOWN = 8

export const know: Chapter = {
  title: 'What it knows',
  about:
    'Facts about each person, extracted from the conversation. Every fact keeps the message that supports it.',
  async tell({ english, chinese, model, say, style }) {
    const sheets: Record<string, unknown> = {}
    const besides: Record<string, readonly string[]> = {}
    for (const { user, name, memory } of [english, chinese]) {
      const sheet = await memory.persona()
      const others = besidesSheet(await memory.memories({ forms: ['fact'] }))
      sheets[user] = sheet
      besides[user] = others.map((fact) => fact.text)
      say(setIn(style, 3, showPersona(sheet, name).words))
      if (others.length > 0)
        say(setIn(style, 3, (narrow) => formatFacts('Besides', others, BESIDES_SHOWN, narrow)))
      say('')
    }
    return model === null ? { sheets } : { sheets, besides }
  },
}
