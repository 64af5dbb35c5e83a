import { describe, expect, it } from 'vitest'
import { readByRules as read, talkAt } from './rules/talk-fixture.ts'

const talk = talkAt({ at: Date.UTC(2025, 2, 4, 9), timeZone: 'UTC' })

/** What was said, and all that it states, as `key=value`. */
type Case = readonly [said: string, ...facts: string[]]

const WHOLE_VALUES: readonly Case[] = [
  ['My name is Rose-Anne.', 'name=Rose-Anne'],
  ["My name is Karl-Heinz D'Souza-Méndez.", "name=Karl-Heinz D'Souza-Méndez"],
  ['I live in Weston-super-Mare.', 'residence=Weston-super-Mare'],
  ['I live in Aix-en-Provence with my two cats.', 'residence=Aix-en-Provence'],
  ['I live in Portland, Oregon.', 'residence=Portland, Oregon'],
  ['I live in St. Paul, MN.', 'residence=St. Paul, MN'],
  ["I live in King's Lynn.", "residence=King's Lynn"],
  ['I live in Rio de Janeiro.', 'residence=Rio de Janeiro'],
  ['We moved to Newcastle upon Tyne last spring.', 'residence=Newcastle upon Tyne'],
  ['I live in Zü\u200Brich.', 'residence=Zürich'],
  ['I work for Marks & Spencer.', 'employer=Marks & Spencer'],
  ["I work at Wetherspoon's in Hull.", "employer=Wetherspoon's"],
  ['I work for J.P. Morgan.', 'employer=J.P. Morgan'],
  ['I work at Rolls - Royce.', 'employer=Rolls - Royce'],
  ["My daughter is called Mary-Kate O'Brien.", "children=daughter Mary-Kate O'Brien"],
  ['My husband is called Jan Willem de Groot.', 'partner=husband Jan Willem de Groot'],
  ["My wife's name is Sofie Marie van Dijk.", 'partner=wife Sofie Marie van Dijk'],
  ["My son's name is Juan Carlos de la Vega.", 'children=son Juan Carlos de la Vega'],
  ["My wife's name is Sofie Marie and we live in Gent.", 'partner=wife Sofie Marie', 'residence=Gent'],
  ["I'm type 1 diabetic and wear a pump.", 'health=type 1 diabetic'],
  ['I have a dog called Moss and a cat called Ada.', 'pets=dog Moss', 'pets=cat Ada'],
  ['We live near Hull.', 'residence=near Hull'],
  ['I live just outside York.', 'residence=outside York'],
  ['hi im bobby 👋', 'name=Bobby'],
  ['hey, lucy here', 'name=Lucy'],
  ['hiya its katie', 'name=Katie'],
  ['Emma here 👋', 'name=Emma'],
  ["I'm called Max, short for Maximilian.", 'name=Max'],
  ['hi im tired'],
  ['hi im new here'],
  ['hey, paris here'],
  ['hey its friday'],
  ['My kids are called Ivo, Nils and Liv.', 'children=kids Ivo, Nils and Liv'],
  ['My cats are Fern and Oak.', 'pets=cats Fern and Oak'],
  ['My parents are called Per and Sue.', 'parents=parents Per and Sue'],
  ['I went to Oslo with my brothers Ivo and Per.', 'siblings=brothers Ivo and Per'],
  ['My late wife Irene was a nurse.', 'partner=late wife Irene'],
  ['My dog is called Rex and Anna likes him.', 'pets=dog Rex'],
  ['My brother Tom and Anna came over.', 'siblings=brother Tom'],
  ['My husband is called Jean-Luc.', 'partner=husband Jean-Luc'],
  [
    'My favourite book is The Lion, the Witch and the Wardrobe.',
    'favourite-book=The Lion, the Witch and the Wardrobe',
  ],
  ['My favourite band is Earth, Wind & Fire.', 'favourite-artist=Earth, Wind & Fire'],
  ['My favourite bands are Earth, Wind & Fire and Blur.', 'favourites=bands: Earth, Wind & Fire and Blur'],
  ["My favourite snack is Ben & Jerry's.", "favourites=snack: Ben & Jerry's"],
  ['My favourite song is Hello, Goodbye, it is so catchy.', 'favourite-song=Hello, Goodbye'],
  ['My favourite film is Eat Pray Love, Julia Roberts is great in it.', 'favourite-film=Eat Pray Love'],
  ['My favourite food is pizza, the best and cheapest.', 'favourite-food=pizza'],
  ['I have asthma and eczema.', 'health=asthma and eczema'],
  ['I was diagnosed with coeliac disease last year.', 'health=coeliac disease'],
  ["I'm from Stoke-on-Trent.", 'origin=Stoke-on-Trent'],
  ["We live in St Mary's Bay.", "residence=St Mary's Bay"],
  ["I'm vegan except for honey.", 'diet=vegan except for honey'],
  ["I'm allergic to nuts except almonds.", 'allergies=nuts except almonds'],
  ['My parents are called Rose and Bill.', 'parents=parents Rose and Bill'],
  [
    'I have two sisters, Kim and Jo, and a brother, Ed.',
    'siblings=two sisters, Kim and Jo, and a brother Ed',
  ],
]

const KINDS_OF_VALUES: readonly Case[] = [
  ['I live in the Netherlands.', 'residence=Netherlands'],
  ['i live in south london', 'residence=south london'],
  ['im based in krakow', 'residence=krakow'],
  ['I work at the shipyard.', 'employer=shipyard'],
  ['I work nights at a nursing home.', 'employer=nursing home'],
  ['I work in tech.', 'field-of-work=tech'],
  ["I'm allergic to amoxicillin and walnuts.", 'allergies=amoxicillin and walnuts'],
  ["I don't eat shellfish.", 'diet=no shellfish'],
  ['I play the trombone.', 'hobbies=trombone'],
  ["I'm a locksmith.", 'occupation=locksmith'],
  // Idioms and habits have no place, firm or substance where its key needs one.
  ['I live on toast.'],
  ['I live in leggings these days.'],
  ['I live for Fridays.'],
  ['We live in fear of the landlord.'],
  ['I practically live in the library.'],
  ['I live in hope.'],
  ['I moved to the window because of the draught.'],
  ['I moved to herbal tea.'],
  ['I moved to a bigger desk.'],
  ['I moved to nights last month.'],
  ['I moved to Linux last year.'],
  ['I moved to part-time hours.'],
  ['We moved to stage two.'],
  ['I work at a snail’s pace.'],
  ['I work at night.'],
  ['I work for myself.'],
  ['I work for peanuts.'],
  ["I work for Anna's dad."],
  ['I work in silence.'],
  ["I'm in Tucson these days.", 'residence=Tucson'],
  ['We have two boys, Finn and Rory.', 'children=two boys, Finn and Rory'],
  ["I'm vegan, what could I eat", 'diet=vegan'],
  ["I'm lactose intolerant so cheesecake is out.", 'diet=lactose intolerant'],
  ["I'm in Tucson now."],
  ["I'm so married to this couch right now."],
  ["I'm a regular at the pub."],
  ['I have two girls on reception.'],
  ['I live with regret.'],
  ["I'm allergic to mornings."],
  ["I'm allergic to small talk."],
  ["I'm from the future."],
  ["I don't eat breakfast."],
  ['I play the fool.'],
  ["I'm a father."],
  ["I'm 40 minutes away."],
]

const ONE_STATEMENT: readonly Case[] = [
  ['My boyfriend is called Idris.', 'partner=boyfriend Idris'],
  ['Hana and I got engaged on Friday!', 'marital-status=engaged'],
  ['My son Max is 4.', 'children=son Max', 'children=son is 4'],
  ["I'm married to Ines.", 'partner=Ines'],
  ["I'm coeliac.", 'health=coeliac'],
  ['I got a new job at the museum.', 'employer=museum'],
]

const CASUAL: readonly Case[] = [
  ['im 31 btw', 'age=31'],
  ["it's Kofi btw", 'name=Kofi'],
  ["my name's tomasz", 'name=tomasz'],
  ['got a rabbit named Pickle', 'pets=rabbit Pickle'],
  ['moved to Dayton last weekend', 'residence=Dayton'],
  ['living in Leeds rn', 'residence=Leeds'],
  ['allergic to kiwi, just so you know', 'allergies=kiwi'],
  ['ibuprofen gives me a rash', 'allergies=ibuprofen'],
  ['i cant take codeine', 'allergies=codeine'],
  ["And I'm allergic to latex, not that anyone asked.", 'allergies=latex'],
  ["turns out I'm diabetic", 'health=diabetic'],
  ['Joan is my wife.', 'partner=wife Joan'],
  ['Rex is my dog.', 'pets=dog Rex'],
  ['my dog Biscuit chewed the sofa', 'pets=dog Biscuit'],
  ['I went to Lyon with my sister Mia and her kids.', 'siblings=sister Mia'],
  ["can't stand olives", 'dislikes=olives'],
  ['just fyi I live in Truro', 'residence=Truro'],
  ['TL;DR my dog is called Moss', 'pets=dog Moss'],
  ["Update: forgot to mention I'm allergic to latex", 'allergies=latex'],
  ['I was raised in Fez and now work as a glazier.', 'occupation=glazier'],
  ['I left Fez years ago and currently live in Ghent.', 'residence=Ghent'],
  ['About me:\n- Lives in: Truro\n- Works at: Fugro', 'residence=Truro', 'employer=Fugro'],
  [
    '- Job: nurse\n- Lives in: Truro\n- Allergic to: latex',
    'occupation=nurse',
    'residence=Truro',
    'allergies=latex',
  ],
  ['I met people who left Fez and now live in Ghent.'],
  ['I saw the band and now live shows bore me.'],
  ['The hero:\n- Lives in: Truro\n- Works at: Fugro'],
  ["it's snowing btw"],
  ["it's Friday btw"],
  ['im tired btw'],
  ['The news gives me hives.'],
  ['Moved to tears by that speech.'],
  ['Coffee is my best friend.'],
  ['My friend Friday night was a mess.'],
  ["Mia is my sister's friend."],
]

/** Questions, suppositions, jokes and retellings state nothing, and moods of the day nothing lasting. */
const NOTHING: readonly Case[] = [
  ['Do I live in Lyon?'],
  ['If my sister Mia calls, ignore it.'],
  ['Imagine I live in Oslo.'],
  ["I'm kidding, I work at the Vatican."],
  ['She said, I live in Porto.'],
  ['In the game I live in Whitehaven.'],
  ['I went for a walk in the park.'],
  ['I feel so old.'],
  ["I'm going to need a bigger bag."],
  ['I usually take the bus.'],
  ['My sister got the window seat.'],
  ['I love that song.'],
  ['I like it here.'],
]

/** A question of the agent and a short answer. */
const ANSWERS: readonly (readonly [asked: string, ...Case])[] = [
  ['So what’s your name?', "oh, it's Thandi", 'name=Thandi'],
  ['What should I call you?', 'dre', 'name=Dre'],
  ['Where are you based?', 'in lisbon, and you?', 'residence=lisbon'],
  ['And how old are you?', 'thirty-six', 'age=thirty-six'],
  ['What do you do?', 'a paramedic in Cardiff', 'occupation=paramedic'],
  ['Any allergies?', 'Shellfish.', 'allergies=shellfish'],
  ["What's your dog's name?", 'Pickle', 'pets=dog Pickle'],
  ['Do you have any pets?', 'two cats', 'pets=two cats'],
  ['Do you have any pets?', 'Yes, two budgies', 'pets=two budgies'],
  ['How old is your daughter?', '6', 'children=daughter is 6'],
  ['Do you live in Bristol?', 'No, Bath', 'residence=Bath'],
  ['Where are you from?', 'Tbilisi originally', 'origin=Tbilisi'],
  ['Where do you work?', 'the harbour office', 'employer=harbour office'],
  ['When is your birthday?', '9 August', 'birthday=9 August'],
  ['Where do you live?', 'in a van'],
  ['Where do you live?', 'somewhere warm lol'],
  ['How old are you?', 'old enough'],
  ['What do you do for work?', 'mostly emails'],
  ['Any allergies?', 'none'],
  ["What's your name?", 'not telling'],
  ["What's your name?", 'why do you ask?'],
  ['How old is the daughter of your friend?', '6'],
  ['Where would you live if you were rich?', 'Monaco'],
  ['Where did you live before?', 'Monaco'],
]

async function factsOf(...lines: Parameters<typeof talk>): Promise<string[]> {
  const { candidates, requests } = await read(talk(...lines))
  expect(requests).toEqual([])
  return candidates.map(({ key, value }) => `${key}=${value}`)
}

describe.each([
  ['values are whole', WHOLE_VALUES],
  ['a value is of its key’s kind', KINDS_OF_VALUES],
  ['one statement is one fact', ONE_STATEMENT],
  ['casual typing is read where it is sure', CASUAL],
  ['nothing is stated', NOTHING],
])('English: %s', (_, cases) => {
  it.each(cases.map(([said, ...facts]) => ({ said, facts })))('$said', async ({ said, facts }) => {
    expect(await factsOf(said)).toEqual(facts)
  })
})

describe('English: a short answer is read with its question', () => {
  it.each(ANSWERS.map(([asked, said, ...facts]) => ({ asked, said, facts })))(
    '$asked $said',
    async ({ asked, said, facts }) => {
      expect(await factsOf(['assistant', asked], said)).toEqual(facts)
    },
  )

  it('but not where the user asked', async () => {
    expect(await factsOf("What's your name?", 'Wanda')).toEqual([])
  })
})

describe('English: a statement that comes late is stated', () => {
  it.each([
    "forgot to mention i'm allergic to sesame",
    'should have said im allergic to sesame',
    'did i tell you im allergic to sesame?',
  ])('%s', async (text) => {
    expect(await factsOf(text)).toEqual(['allergies=sesame'])
  })
})

describe('English: a joke about work, and what is of a former partner, states nothing', () => {
  it.each([
    "I'm basically a chauffeur for my mum",
    "I'm a glorified secretary",
    "I'm an unpaid therapist for my whole family",
    "my ex's new boyfriend works at Nike",
    'my ex wife is a nurse',
  ])('%s', async (text) => {
    expect(await factsOf(text)).toEqual([])
  })
})

describe('English: what an assistant repeats states nothing', () => {
  it.each([
    'You said: My brother Jan is allergic to bees. I live in Ghent.',
    'You told me earlier: I live in Ghent with my husband Piet.',
    'You mentioned my dog Bas died.',
    'You wrote - My name is Lotte and I live in Ghent.',
    'I recall: My brother Jan lives in Ghent.',
    'Let me repeat that: I live in Ghent and my name is Lotte.',
  ])('%s', async (text) => {
    expect(await factsOf(['assistant', text])).toEqual([])
  })

  it('nor what it says in the very words of the user', async () => {
    expect(
      await factsOf('I live in Ghent with my cats.', ['assistant', 'I live in Ghent with my cats.']),
    ).toEqual(['residence=Ghent'])
  })

  it('and what a user repeats of the assistant’s', async () => {
    expect(await factsOf('You said: I am a nurse. I live in Hull.')).toEqual([])
    expect(await factsOf('I told you: I live in Hull.')).toEqual(['residence=Hull'])
  })

  it('but an assistant’s own facts stand', async () => {
    expect(await factsOf(['assistant', 'My name is Mira. I live in Whitby.'])).toEqual([
      'name=Mira',
      'residence=Whitby',
    ])
  })
})
