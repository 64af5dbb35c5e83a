import { describe, expect, it } from 'vitest'
import { groundCandidate } from './grounding/ground-candidate.ts'
import { first, readByRules as read, talkAt, testStatements } from './rules/talk-fixture.ts'

const AT = Date.UTC(2024, 4, 8, 12)
const talk = talkAt({ at: AT, timeZone: 'Europe/Paris' })

/** What was said, and the facts it holds: key, value. */
const STATED: readonly (readonly [string, ...(readonly [string, string])[]])[] = [
  ['I drive a tram.', ['occupation', 'drive a tram']],
  ['I repair clocks in Lincoln.', ['occupation', 'repair clocks in Lincoln']],
  ['My name is Oksana.', ['name', 'Oksana']],
  ["Hi, I'm Tobias!", ['name', 'Tobias']],
  ['You can call me Mo.', ['form-of-address', 'Mo']],
  ["I'm 41.", ['age', '41']],
  ['I am twenty-six years old now.', ['age', 'twenty-six']],
  ['My birthday is on 9 August.', ['birthday', '9 August']],
  ["I'm originally from Tbilisi.", ['origin', 'Tbilisi']],
  ['I come from Peru.', ['origin', 'Peru']],
  ['I live in Gdansk.', ['residence', 'Gdansk']],
  ['i moved to tromso last month', ['residence', 'tromso']],
  ['We live in a small village near Bath.', ['residence', 'small village near Bath']],
  ['I live with my grandmother.', ['living-with', 'their grandmother']],
  ['I grew up in Dakar.', ['background', 'grew up in Dakar']],
  ["I'm a nurse.", ['occupation', 'nurse']],
  ["I'm Wei Zhang.", ['name', 'Wei Zhang']],
  ["I'm Priya and I like tea.", ['name', 'Priya'], ['likes', 'tea']],
  ["I'm Edith, nice to meet you.", ['name', 'Edith']],
  ['I work as a bus driver in Leeds.', ['occupation', 'bus driver in Leeds']],
  ['I started a job as a gardener last month.', ['occupation', 'gardener']],
  ['I got a new job as a nurse at the clinic in March.', ['occupation', 'nurse at the clinic']],
  ['I work at the harbour office.', ['employer', 'harbour office']],
  ["I've been working for Siemens since 2015.", ['employer', 'Siemens']],
  ["I'm an engineer at Airbus.", ['occupation', 'engineer at Airbus']],
  ["I'm studying marine biology at the moment.", ['education', 'marine biology']],
  ["I'm a student at Uppsala University.", ['education', 'student at Uppsala University']],
  ["I'm a roofer based in Hull.", ['occupation', 'roofer'], ['residence', 'Hull']],
  [
    "I'm a paramedic from Cardiff living in Oslo.",
    ['occupation', 'paramedic'],
    ['origin', 'Cardiff'],
    ['residence', 'Oslo'],
  ],
  ["I'm a Ghent-based translator.", ['occupation', 'translator'], ['residence', 'Ghent']],
  ["I'm originally from Quito but based in Lima.", ['origin', 'Quito'], ['residence', 'Lima']],
  [
    "I'm a 52-year-old baker, now living in Hull.",
    ['age', '52'],
    ['occupation', 'baker'],
    ['residence', 'Hull'],
  ],
  ["I'm a conservator in Ghent.", ['occupation', 'conservator']],
  ['I work at <a href="https://x.example/a">Siemens</a>.', ['employer', 'Siemens']],
  ['<p>I live in <a class="l" href="#">Ghent</a>.</p>', ['residence', 'Ghent']],
  ['My dad says I have eczema.', ['health', 'eczema']],
  ['The optician told me I have glaucoma.', ['health', 'glaucoma']],
  ["They told me I'm allergic to latex.", ['allergies', 'latex']],
  ['My gran says I was born in Ghent.', ['background', 'born in Ghent']],
  // The tagger takes “lives” for a noun.
  ['My sister Mia lives in Bergen.', ['siblings', 'sister Mia'], ['siblings', 'sister lives in Bergen']],
  ['My sister Wanda is a pilot.', ['siblings', 'sister Wanda'], ['siblings', 'sister is a pilot']],
  ["My husband's name is Tariq.", ['partner', 'husband Tariq']],
  ['I work in logistics.', ['field-of-work', 'logistics']],
  ['My wife works at a bank.', ['relatives', 'wife works at a bank']],
  ['My brother lives in Quito.', ['siblings', 'brother lives in Quito']],
  ['We have two kids.', ['children', 'two kids']],
  ['I have a daughter named Ines.', ['children', 'daughter Ines']],
  ["I don't have any siblings.", ['siblings', 'no siblings']],
  ['I have a parrot called Pico.', ['pets', 'parrot Pico']],
  ['I have a parrot called Pico2.', ['pets', 'parrot Pico2']],
  ["My dog's name is Brutus.", ['pets', 'dog Brutus']],
  ['I love pottery.', ['likes', 'pottery']],
  ['I really enjoy swimming in cold lakes.', ['likes', 'swimming in cold lakes']],
  ["I'm a big fan of the Beatles.", ['likes', 'Beatles']],
  ["I'm into chess.", ['hobbies', 'chess']],
  ["I don't like horror films.", ['dislikes', 'horror films']],
  ["I can't stand crowds.", ['dislikes', 'crowds']],
  ['I hate getting up early.', ['dislikes', 'getting up early']],
  ["I'm not a fan of olives.", ['dislikes', 'olives']],
  ['My favourite colour is dark green.', ['favourite-colour', 'dark green']],
  ['My favourite drink is light beer.', ['favourite-drink', 'light beer']],
  ['My favorite food is ramen.', ['favourite-food', 'ramen']],
  ['My favourite instrument is the oboe.', ['favourites', 'instrument: oboe']],
  ['My hobby is restoring old radios.', ['hobbies', 'restoring old radios']],
  ['I play the cello.', ['hobbies', 'cello']],
  ['I speak Danish and Polish.', ['languages', 'Danish and Polish']],
  ["I'm fluent in Portuguese.", ['languages', 'Portuguese']],
  ["I'm learning Welsh.", ['learning', 'Welsh']],
  ['I have asthma.', ['health', 'asthma']],
  ["I'm allergic to peanuts, shellfish and milk.", ['allergies', 'peanuts, shellfish and milk']],
  ["I'm vegetarian.", ['diet', 'vegetarian']],
  ["I don't eat pork.", ['diet', 'no pork']],
  ["I'm afraid of heights.", ['fears', 'heights']],
  ["I'm married.", ['marital-status', 'married']],
  ["Next month I'm flying to Accra.", ['plans', 'flying to Accra next month']],
  ['I got a new job at the museum.', ['employer', 'museum']],
  ['Last week we adopted a kitten.', ['pets', 'kitten']],
  ['I turned 30 last week.', ['age', '30']],
  ['I got married in Bergen.', ['marital-status', 'married']],
  ["I'm getting married in June.", ['plans', 'getting married in June']],
  ['My cat died yesterday.', ['experiences', 'cat died yesterday']],
  ['I live alone.', ['living-with', 'no one']],
  ['I work from home.', ['routines', 'works from home']],
  ["I'm pregnant.", ['health-state', 'pregnant']],
]

/** What states nothing about the speaker that could be kept. */
const NOTHING: readonly string[] = [
  'Do I look like I live in Paris?',
  'Where do I live?',
  'should I move to Rome',
  'If I lived in Oslo I would ski every day.',
  'I wish I had a dog.',
  'I would love to live in Kyoto.',
  'Maybe I am a poet.',
  'I might move to Spain.',
  'Suppose I am a doctor.',
  'My friend says he lives in Madrid.',
  'She said, I am a nurse.',
  "My mum says I have eczema, but she's wrong.",
  'My dad claims I have eczema.',
  'My wife says I have a good voice.',
  'My sister says I have a crush on Tom.',
  'The page says: <a href="#">I live in Ghent</a>.',
  'He told me that I am a genius.',
  '"I live in Berlin," said the stranger.',
  'The sign read “I love Vienna”.',
  '*I draw my sword and walk to the castle*',
  '*sighs* _I live in the tower of ice_',
  '> I work at the bank',
  '`I am a robot`',
  "I'm a night owl.",
  'I usually run along the river in the morning.',
  'I want to visit Iceland next summer.',
  'I went to a jazz festival yesterday.',
  'I feel lonely today.',
  'I like it.',
  'I love that!',
  'I love you.',
  'I hate this.',
  'I like the idea.',
  'I love how calm it is.',
  "I'm fine, thanks.",
  "I'm sure about that.",
  "I'm a bit tired.",
  "I'm a mess.",
  "I'm French.",
  "I'm 100% sure.",
  "I'm 5 minutes late.",
  'I have a question.',
  'I have a meeting.',
  'I have to go.',
  'I have no idea.',
  'I think so.',
  'I know what you mean.',
  'I want to know more.',
  'I want to ask something.',
  "I'm going to bed.",
  "I'm going to tell you a story.",
  'I got it.',
  'I got tired of waiting.',
  'I said hello to everyone in the office.',
  'I forgot my keys.',
  'I thought about the trip.',
  'I did not go to Rome.',
  "I don't live in Rome.",
  "I can't wait for the weekend.",
  'I can imagine the view.',
  'I will help with the dishes.',
  'You live in Rome.',
  'He is a doctor.',
  'Anna lives in Lyon.',
  'Tell me about Lyon.',
  'What is my name?',
  'My point is the same.',
  'My favourite part was the ending.',
  'My sister said that she is tired.',
  "I'm looking forward to the weekend.",
  "I'm just joking, I am the king of Spain.",
  'It is raining in Lyon.',
  'We live in the same city.',
  'He left, not because I was a singer.',
  'I watched a film called',
  '',
  '🎉🎉',
]

describe('English persona rules', () => {
  testStatements(talk, STATED, NOTHING)

  it('say facts in the third person', async () => {
    const { candidates } = await read(
      talk("I've been teaching my kids to swim since May and I love my old bicycle."),
    )
    expect(candidates.map((candidate) => candidate.text)).toContain('The user loves their old bicycle.')
  })

  it('name the speaker where the turn does, and keep people apart', async () => {
    const { candidates } = await read([
      { ...first(talk('I live in Lyon.')), speaker: 'Ada' },
      { ...first(talk('I live in Oslo.')), id: 't1', speaker: 'Bo' },
    ])
    expect(candidates.map(({ subject, text }) => [subject, text])).toEqual([
      ['Ada', 'Ada lives in Lyon.'],
      ['Bo', 'Bo lives in Oslo.'],
    ])
  })

  it('take a yes to an agent’s question as the user’s word', async () => {
    const turns = talk(['assistant', 'Nice. So you live in Lyon?'], 'Yes!')
    const { candidates } = await read(turns)
    expect(candidates).toMatchObject([
      {
        key: 'residence',
        value: 'Lyon',
        subject: 'user',
        evidence: [
          { turn: 't0', quote: 'So you live in Lyon?' },
          { turn: 't1', quote: 'Yes!' },
        ],
      },
    ])
    expect(groundCandidate(first(candidates), turns)).toEqual({
      outcome: 'grounded',
      label: 'user-confirmed',
    })
  })

  it.each([
    ['So you live in Lyon?', 'No.'],
    ['Do you live in Lyon or Nice?', 'Yes.'],
    ['Where do you live?', 'Yes.'],
    ['You live in Lyon.', 'Yes.'],
    ['Would you live in Lyon?', 'Yes.'],
  ])('take nothing from “%s” – “%s”', async (asked, answered) => {
    expect((await read(talk(['assistant', asked], answered))).candidates).toEqual([])
  })

  it('keep what an agent says of itself as the agent’s, and nothing an assistant says of being one', async () => {
    expect((await read(talk(['assistant', 'My name is Mira. I live in Whitby.']))).candidates).toMatchObject([
      { subject: 'agent', value: 'Mira' },
      { subject: 'agent', key: 'residence' },
    ])
    expect((await read(talk(['assistant', 'My name is Mira, an AI assistant.']))).candidates).toEqual([])
  })

  it('read times in the words against the turn’s time and zone', async () => {
    const [fact] = (await read(talk('I turned 30 yesterday.'))).candidates
    expect(new Date(fact?.validFrom ?? 0).toISOString().slice(0, 10)).toBe('2024-05-07')
    const [plan] = (await read(talk("I'm flying to Oslo next month."))).candidates
    expect(plan?.validFrom).toBe(AT)
  })

  it('read a bare year', async () => {
    const [fact] = (await read(talk('I graduated from Delft in 2019.'))).candidates
    expect(new Date(fact?.validFrom ?? 0).toISOString().slice(0, 4)).toBe('2018') // midnight in Paris, 23:00 in UTC
    expect(new Date((fact?.validFrom ?? 0) + 3 * 3_600_000).getUTCFullYear()).toBe(2019)
  })

  it('mark what was so and is over', async () => {
    expect((await read(talk('I used to live in Paris.'))).candidates).toMatchObject([
      { key: 'residence', value: 'Paris', validUntil: AT },
    ])
  })

  it('stay calm on a megabyte without stops', async () => {
    // Work that grows with the square would outlast the test's minute.
    const { candidates } = await read(talk('I live in Lyon and '.repeat(60_000), 'x'.repeat(1_000_000)))
    expect(candidates.length).toBeLessThan(60_000)
  })
})
