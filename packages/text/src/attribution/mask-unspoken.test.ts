import { describe, expect, it } from 'vitest'
import { isMostlyUnspoken, maskUnspoken } from './mask-unspoken.ts'

it.each([
  'this text ',
  'Max 10:31\n',
  'max - ',
  'translate I ',
  'write a b c saying ',
  'left a note ',
  '这条微博',
  '发了一条',
  '有用\n',
  'Ingredients\n',
  'the stranger on ',
])('comes to the end of a long text of %j', (piece) => {
  // Work that grows with the square would outlast the test's minute.
  const text = piece.repeat(60_000 / piece.length)
  expect(maskUnspoken(text)).toHaveLength(text.length)
})

it.each([
  ['Write a bio in first person for my dating-site persona: I live in Rome.', false],
  ['Write my bio for my Tinder persona: I live in Rome.', false],
  ['Write a bio for my fake profile: I live in Rome.', false],
  ['My made-up dating profile: I fly planes and I live in Rome.', false],
  ['帮我的人设写一段自我介绍：我叫李雷，住在罗马。', false],
  ['Write my bio: I live in Rome.', true],
  ['Write a bio for my website: I live in Rome.', true],
  ['Help me with my dating profile: I live in Rome.', true],
  ['帮我写一段自我介绍：我叫李雷，住在罗马。', true],
])('hears whether a profile is a made-up one in %j', (text, isOwn) => {
  expect(/Rome|罗马/.test(maskUnspoken(text))).toBe(isOwn)
})

it('reads each comma of a long sentence once', () => {
  for (let number = 0; number < 4; number += 1) {
    // Work that grows with the square would outlast the test's minute.
    const text = `Number ${number}: ${'，，'.repeat(10_000)}`
    expect(maskUnspoken(text)).toHaveLength(text.length)
  }
})

it.each([
  ["Here's my bio: I live in Rome.", true],
  ["Here's my sister's bio: I live in Rome.", false],
  ["That's the waiter's answer: I live in Rome.", false],
  ['My status says it all: I live in Rome.', true],
  ['My colleague’s status says it all: I live in Rome.', false],
  ['I asked twice and nobody answered: I live in Rome now.', true],
  ['Transcript of me: I live in Rome.', true],
  ['Transcript of my dad: I live in Rome.', false],
  ['我日记里写着：我住在罗马', true],
  ['他日记里写着：我住在罗马', false],
])('hears who wrote the text in %j', (text, isOwn) => {
  expect(/Rome|罗马/.test(maskUnspoken(text))).toBe(isOwn)
})

it.each([
  ['According to my ex, I live in Rome.', false],
  ['To be honest, I live in Rome.', true],
  ['…, …, according to Max, I live in Rome.', false],
  ['Max told me, I live in Rome.', false],
  ['按我前任的说法，我住在罗马。', false],
])('hears whose account it is in %j', (text, isOwn) => {
  expect(/Rome|罗马/.test(maskUnspoken(text))).toBe(isOwn)
})

it.each([
  'Je résume ma situation : je vis à Lyon.',
  'Dans le film, c’était bien. Je suis acteur.',
  'I need to resume work on Monday. I live in Hull.',
  'Continua a chover. Sou do Porto.',
])('leaves own words of other languages: %s', (text) => {
  expect(maskUnspoken(text)).toBe(text)
})

const POST = 'I have been sober for two years and I live in Ohio with my wife.'

it.each([
  `lol found this on reddit\n${POST}`,
  `Saw this on Reddit:\n\n${POST}\n\nI have two dogs.`,
  `Read this in a forum today.\n\n${POST}`,
  `My patient said the following. ${POST}`,
  `A client of ours told me the following. ${POST}`,
  `The customer stated as follows. ${POST}`,
  `Character: I am a pirate and I live on a ship.`,
  `Persona card: I'm the queen of Ohio.`,
  '这是我在知乎看到的。\n我离婚三年了，现在住在俄亥俄。',
  '我的病人说了下面的话。我有糖尿病，住在俄亥俄。',
])('a carrier of another’s words makes nothing of them the user’s: %s', (text) => {
  expect(maskUnspoken(text)).not.toMatch(/sober|pirate|queen|离婚|糖尿病/)
})

it.each([
  'I want to tell you this: I have diabetes.',
  'Update: I moved to Lyon.',
  'I told my doctor the following. I have diabetes.',
  'My doctor said the following is true. I have diabetes.',
  'Character: I am patient and calm.',
  'Character: I am a calm person and I hate noise.',
  'Found this great flat on Monday. I live at number 5 now.',
  'Saw my patient on Reddit, funny. I live in Kent.',
  '我在知乎看到一家店。我住在成都。',
  '更新：我搬到里昂了。',
])('own words behind a look-alike stay: %s', (text) => {
  expect(maskUnspoken(text)).toBe(text)
})

it.each([
  'You made it through that - now rest. Is there a thing you like to do on Sundays?',
  'We got the recipe from it back then - my aunt still makes it.',
  'He took his first steps on Monday. I counted the steps with him.',
  'Okay, to book tickets, I’m using the app.',
  'I gave up on that atlas. 300 pages of maps I can’t read.',
  'The show was great, even the characters! I’d watch it again.',
  'Post-exam? I slept for a day.',
  '你好，AI朋友，今天我有一件好事。',
])('leaves what people say in passing: %s', (text) => {
  expect(maskUnspoken(text)).toBe(text)
})

it('takes headings of one’s own for own words, and those of a page for a page', () => {
  expect(maskUnspoken('### About me\n\nI live in Hull.')).toContain('I live in Hull.')
  expect(maskUnspoken('# Our story\n\nI live in Hull.\n\n## Contact\n\nWrite to us.')).not.toContain('Hull')
})

it('keeps the length of a text', () => {
  const text = 'Who sings this? I live in Rome.'
  expect(maskUnspoken(text)).toBe(`Who sings this?${' '.repeat(16)}`)
})

describe('posts and letters with an age or a salutation', () => {
  it.each([
    "Posted by u/rodent · 14 hr. ago\nI'm a nurse in Leeds.\nthoughts?",
    'Quora\nAnswered 3 years ago\nI am a pilot.',
    'Sandrine L.\nJe suis cœliaque.\n(il y a 3 jours)',
    '王敏 · 3天前\n我对花生过敏',
    'Sehr geehrte Frau Albrecht,\n\nich wohne in Passau.\n\nMit freundlichen Grüßen\nKorbinian Huber',
  ])('masks “%s”', (post) => {
    expect(maskUnspoken(post)).not.toMatch(/nurse|pilot|cœliaque|过敏|Passau/)
  })

  it.each([
    '3 years ago\nI moved to Leeds.',
    'I moved to Leeds 3 years ago · still love it',
    'Dear diary, I quit smoking.',
  ])('leaves “%s”', (own) => expect(maskUnspoken(own)).toBe(own))

  it('takes a message that begins with an aside for the speaker’s own, and draws nothing from the aside', () => {
    const own = '(I use a wheelchair.) How do I get to the Tate?'
    expect(isMostlyUnspoken(own)).toBe(false)
    expect(maskUnspoken(own)).not.toContain('wheelchair')
  })
})

it.each([
  ['mock exam, I am playing the patient. I live in Leith.', false],
  ['audition piece\nI live in Leith.', false],
  ['(in character) I live in Leith.', false],
  ["the barber kept telling me I'm a granddad, I live in Leith", false],
  ["he's like I'm a lawyer and I live in Leith", false],
  ['someone in my choir group wrote this\nI live in Leith.', false],
  ["*draws a bow* I'm Aldric and I live in Leith", false],
  ["*sits down* I'm tired, I live in Leith", true],
  ["*waves* I'm Bryn, I live in Leith", true],
  ["*edit* I'm Bryn, I live in Leith", true],
  ['rehearsing my lines: I live in Leith.', false],
  ["my cousin was all I'm a vegan now, I live in Leith", false],
  ["somebody on mumsnet posted this\n\nI'm 34. I live in Leith. AIBU?", false],
  ["this is what the ai came up with, I'm a chef and I live in Leith", false],
  ['my own words: "I live in Leith"', true],
  ['My novel.\n\nI live in Leith and write at night.', true],
  ['My novel:\n\nI live in Leith.', false],
  ['as I told you on Monday, "I live in Leith"', true],
  ['as Lee told you, "I live in Leith"', false],
  ['Forwarded from Saved Messages:\nI live in Leith', true],
  ['Forwarded from Kim:\nI live in Leith', false],
  ['note to self:\n> I live in Leith', true],
  ['I have a mock interview tomorrow. I live in Leith.', true],
  ['interview practice went well. I live in Leith.', true],
  ['my brother kept telling me to move, so I live in Leith', true],
])('takes what is performed or retold for words of others: %s', (text, isOwn) => {
  expect(maskUnspoken(text).includes('live in Leith')).toBe(isOwn)
})

it.each([
  ['我姐就说我怀孕了，我住在大理', false],
  ['我同事一直跟我讲我离婚了，我住在大理', false],
  ['我在背台词：我住在大理。', false],
  ['*坐下* 我是侦探老莫，我住在大理', false],
  ['我就说我住在大理', true],
  ['我的征婚资料帮我改改：我住在大理', true],
  ['我之前说过：“我住在大理”', true],
])('hears whose Chinese words they are: %s', (text, isOwn) => {
  expect(maskUnspoken(text).includes('住在大理')).toBe(isOwn)
})
