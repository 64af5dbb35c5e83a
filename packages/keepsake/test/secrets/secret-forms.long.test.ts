import { expect, it } from 'vitest'
import { maskSecrets } from '@keepsake/text'
import { HUNTED_FORMS } from './forms-hunted.ts'
import { TALK_FORMS } from './forms-in-talk.ts'
import { SERVICE_FORMS } from './forms-of-services.ts'
import { ORDINARY, SECRET_FORMS } from './forms.ts'
import { KEPT_BACK_FORMS } from './forms-kept-back.ts'
import { NEAR_SECRETS, NEAR_TALK } from './ordinary.ts'

it('no form of secret is shown in any surroundings, and nothing ordinary is masked', async () => {
  const surroundings: readonly ((text: string) => string)[] = [
    (text) => text,
    (text) => `By the way:\n${text}\n\nThanks!`,
    (text) => `顺便说一下\n${text}\n谢谢`,
  ]
  const forms = [...SECRET_FORMS, ...HUNTED_FORMS, ...SERVICE_FORMS, ...TALK_FORMS, ...KEPT_BACK_FORMS]
  const ordinary = [...ORDINARY, ...NEAR_SECRETS, ...NEAR_TALK]
  const shown: string[] = []
  const falselyMasked: string[] = []
  for (const surround of surroundings) {
    for (const { name, text } of forms) {
      const secret = /⟦([^⟧]*)⟧/.exec(text)?.[1] ?? ''
      const { text: masked } = await maskSecrets(surround(text.replace(/[⟦⟧]/g, '')))
      if (masked.includes(secret)) shown.push(name)
    }
    for (const text of ordinary) {
      if ((await maskSecrets(surround(text))).masked.length > 0) falselyMasked.push(text)
    }
  }
  const tried = forms.length * surroundings.length
  process.stdout.write(`forms of secrets: ${tried} tried, ${shown.length} shown\n`)
  process.stdout.write(
    `ordinary sentences near to them: ${ordinary.length * surroundings.length} tried, ${falselyMasked.length} masked\n`,
  )
  expect({ shown, falselyMasked }).toEqual({ shown: [], falselyMasked: [] })
})
