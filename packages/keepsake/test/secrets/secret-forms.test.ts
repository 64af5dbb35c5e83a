import { expect, it } from 'vitest'
import { maskSecrets } from '@keepsake/text'
import { HUNTED_FORMS } from './forms-hunted.ts'
import { TALK_FORMS } from './forms-in-talk.ts'
import { SERVICE_FORMS } from './forms-of-services.ts'
import { ORDINARY, SECRET_FORMS } from './forms.ts'
import { KEPT_BACK_FORMS } from './forms-kept-back.ts'
import { NEAR_SECRETS, NEAR_TALK } from './ordinary.ts'

it.each([...SECRET_FORMS, ...HUNTED_FORMS, ...SERVICE_FORMS, ...TALK_FORMS, ...KEPT_BACK_FORMS])(
  'is masked to the character: $name',
  async ({ text }) => {
    const { text: masked } = await maskSecrets(text.replace(/[⟦⟧]/g, ''))
    expect(masked.replace(/\[masked: [a-z ]+\]/, '[masked]')).toBe(text.replace(/⟦[^⟧]*⟧/, '[masked]'))
  },
)

it('there are at least the 114 forms of the review', () => {
  expect(SECRET_FORMS.length).toBeGreaterThanOrEqual(114)
})

it.each([...ORDINARY, ...NEAR_SECRETS, ...NEAR_TALK])('is left as it was: %s', async (text) => {
  expect(await maskSecrets(text)).toEqual({ text, masked: [] })
})
