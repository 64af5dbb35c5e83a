import { expect, it } from 'vitest'
import { goOnAbout, type GoingOn } from './go-on-about.ts'

const AROUND: GoingOn = {
  known: /\bmy (?:(?<she>sister|aunt)|(?<he>brother)|(?<either>cousin))\b/giu,
  my: 'My ',
  she: /^she(?=\s)/iu,
  he: /^he(?=\s)/iu,
}

it.each([
  ['She lives in Oslo.', 'My sister called.', 'My sister lives in Oslo.'],
  ['He lives in Oslo.', 'I saw my cousin.', 'My cousin lives in Oslo.'],
  ['He lives in Oslo.', 'My sister called.', 'He lives in Oslo.'],
  ['She lives in Oslo.', 'My sister met my aunt.', 'She lives in Oslo.'],
  ['She lives in Oslo.', 'It rains.', 'She lives in Oslo.'],
  ['She lives in Oslo.', null, 'She lives in Oslo.'],
])('%s after %s', (sentence, before, expected) => {
  expect(goOnAbout(sentence, before, AROUND)).toBe(expected)
})
