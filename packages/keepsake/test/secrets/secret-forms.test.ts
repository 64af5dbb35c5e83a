import { expect, it } from 'vitest'
import { maskSecrets } from '../../src/text/secrets/mask-secrets.ts'
import { HUNTED_FORMS } from './forms-hunted.ts'
import { ORDINARY, SECRET_FORMS } from './forms.ts'
import { NEAR_SECRETS } from './ordinary.ts'

it.each([...SECRET_FORMS, ...HUNTED_FORMS])('is masked to the character: $name', async ({ text }) => {
  const { text: masked } = await maskSecrets(text.replace(/[⟦⟧]/g, ''))
  expect(masked.replace(/\[masked: [a-z ]+\]/, '[masked]')).toBe(text.replace(/⟦[^⟧]*⟧/, '[masked]'))
})

it('there are at least the 114 forms of the review', () => {
  expect(SECRET_FORMS.length).toBeGreaterThanOrEqual(114)
})

it.each([...ORDINARY, ...NEAR_SECRETS])('is left as it was: %s', async (text) => {
  expect(await maskSecrets(text)).toEqual({ text, masked: [] })
})
