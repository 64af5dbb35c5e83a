import { describe, expect, it } from 'vitest'
import { sayInPlainWords } from './plain-words.ts'

const SAID = Date.UTC(2024, 2, 8, 9)
const DAY = 86_400_000

/** Says a fact so many days after it was stated. */
function said(key: string, value: string, text: string, days = 0): string | null {
  const fact = {
    key,
    value,
    text,
    subject: 'user',
    memory: 'm',
    label: 'user-stated' as const,
    validFrom: SAID,
    validUntil: null,
    ageMs: 0,
    ageRounds: null,
    evidence: [],
    isPast: false,
  }
  return sayInPlainWords(fact, SAID + days * DAY, 'Europe/Paris')
}

describe('a line of the profile', () => {
  it.each([
    ['residence', 'Lyon', 'The user lives in Lyon.', 'lives in Lyon'],
    ['residence', 'Lyon', 'The user and others moved to Lyon.', 'lives in Lyon'],
    ['residence', 'Lyon', 'The user moved to Lyon last week.', 'lives in Lyon'],
    ['residence', 'on a boat', 'The user and others live on a boat.', 'lives on a boat'],
    ['name', 'Maya', "The user's name is Maya.", 'is called Maya'],
    ['siblings', 'sister Mia', "The user's sister is called Mia.", 'sister Mia'],
    ['partner', 'girlfriend Ines', "The user's girlfriend is called Ines.", 'girlfriend Ines'],
    ['partner', 'Tom', 'The user is married to Tom.', 'partner Tom'],
    ['allergies', 'peanuts', 'The user is allergic to peanuts.', 'is allergic to peanuts'],
    ['residence', '里昂', '用户住在里昂。', '住在里昂'],
    ['residence', '新竹', '用户和别人住新竹。', '住在新竹'],
    ['partner', '男朋友阿凯', '用户男朋友叫阿凯。', '男朋友阿凯'],
    ['pets', 'dog Rex', 'The user has a dog called Rex.', 'dog Rex'],
    ['pets', 'two dogs, Rex and Max', 'The user has two dogs, Rex and Max.', 'two dogs, Rex and Max'],
    ['parents', 'parents lives in Ghana', "The user's parents moved to Ghana.", 'parents live in Ghana'],
    ['residence', 'Otley', 'The user got their own flat in Otley.', 'lives in Otley'],
    ['residence', 'outside York', 'The user and others moved outside York.', 'lives outside York'],
    ['marital-status', 'single', 'The user is single again.', 'is single'],
    ['residence', '珠海', '用户前天搬到珠海了。', '住在珠海'],
    ['employer', '京東', '用户上個月入職京東了。', '在京東工作'],
    ['relatives', '爷爷去世', '用户爷爷去世了。', null],
  ])('says %s %s in plain words', (key, value, text, words) => {
    expect(said(key, value, text)).toBe(words)
  })

  it('leaves out a longer name of the speaker', () => {
    const fact = {
      key: 'occupation',
      value: 'joiner',
      subject: 'Bram',
      memory: 'm',
      label: 'user-stated' as const,
    }
    const more = { validFrom: SAID, validUntil: null, ageMs: 0, ageRounds: null, evidence: [], isPast: false }
    expect(sayInPlainWords({ ...fact, ...more, text: 'Bram J. is a joiner.' }, SAID, null)).toBe(
      'is a joiner',
    )
  })

  it.each([
    ['age', '29', 'The user is 29.', 3, 'is 29'],
    ['age', '29', 'The user is 29.', 900, 'was 29 in March 2024'],
    ['age', '29岁', '用户今年29岁。', 900, '今年29岁（2024年3月）'],
    ['children', 'daughter is 6', "The user's daughter is 6.", 400, 'daughter was 6 in March 2024'],
    ['health-state', 'pregnant', 'The user is pregnant.', 60, 'was pregnant in March 2024'],
    ['health-state', 'pregnant', 'The user is pregnant.', 300, null],
    [
      'health-state',
      '34 weeks pregnant',
      'The user is 34 weeks pregnant.',
      50,
      'was 34 weeks pregnant in March 2024',
    ],
    ['health-state', '34 weeks pregnant', 'The user is 34 weeks pregnant.', 70, null],
    ['health-state', '怀孕', '用户怀孕20周了。', 170, null],
    [
      'health',
      'takes antibiotics',
      'The user is on antibiotics for a week.',
      1,
      'is on antibiotics for a week',
    ],
    ['health', 'takes antibiotics', 'The user is on antibiotics for a week.', 60, null],
    [
      'health',
      'takes statins',
      'The user has taken statins for two years.',
      400,
      'has taken statins for two years',
    ],
    [
      'plans',
      'flying to Rome tonight',
      'The user is flying to Rome tonight.',
      0,
      'is flying to Rome tonight',
    ],
    ['plans', 'flying to Rome tonight', 'The user is flying to Rome tonight.', 7, null],
    ['plans', 'visiting Oslo', 'The user is planning to visit Oslo.', 400, null],
    ['residence', 'a hostel this month', 'The user lives in a hostel this month.', 80, null],
    ['residence', 'Lyon', 'The user lives in Lyon.', 4_000, 'lives in Lyon'],
  ])('of %s %s (%s) is, after %d days, %j', (key, value, text, days, words) => {
    expect(said(key, value, text, days)).toBe(words)
  })

  it('leaves out what is too long for a line, and what is an event of a relative', () => {
    expect(said('occupation', 'x'.repeat(80), `The user works as ${'x'.repeat(80)}.`)).toBeNull()
    expect(
      said('siblings', 'sister helped with the boxes', 'The user’s sister helped with the boxes.'),
    ).toBeNull()
  })
})
