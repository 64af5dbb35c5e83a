import { expect, it } from 'vitest'
import { maskUnspoken } from './mask-unspoken.ts'

it.each([
  [
    'notes under a day',
    'wed\n- milked at six, I cut my thumb\n- feed bill 88\n\ndo i need a tetanus jab',
    'cut my thumb',
  ],
  [
    'a plan with headings',
    '# Targets\n## Money\nI want the car paid off\n\nput it in a tidy table',
    'car paid off',
  ],
  [
    'a review of a week',
    'Weekly log\nI swam twice. I fell out with Jan.\n\nwhat would you change',
    'fell out with Jan',
  ],
  ['a post', 'Posted this on Reddit myself:\n\nI live in Delft with my gran.', 'I live in Delft'],
  ['a post on a blog', 'posted this on my blog today: I live in Hull with my gran.', 'I live in Hull'],
  ['a post in Chinese', '自己发在知乎上的：\n\n我住在杭州。', '住在杭州'],
  [
    'a draft',
    'Dear Ms Roe,\nI cannot come on Friday, I have jury duty.\nSam\n\nnot sent yet, too stiff?',
    'jury duty',
  ],
  [
    'lines of a chat',
    'me 8:02 - i said yes to the house\nme 8:03 - keys on monday\n\nthat is what i sent my gran',
    'yes to the house',
  ],
  [
    'a form',
    'Name: Ida Holm\nIllnesses: I have gout\nNext of kin: my son Ole\n\nis that enough for them?',
    'my son Ole',
  ],
  ['an afterthought', '蒸蛋要几分钟\n\n又及：我搬到无锡了', '搬到无锡'],
  [
    'a claimed quotation',
    '“I would rather live on a boat than pay that.” that was me, to the agent',
    'live on a boat',
  ],
  ['a Chinese draft', '王姐您好：\n我周五要带孩子打针，我请一天假。\n\n还没发，会不会太生硬', '带孩子打针'],
  [
    'a list for the doctor',
    'Liste pour le médecin :\n- je dors mal\n- je tousse\n\nj’oublie quelque chose ?',
    'je tousse',
  ],
])('keeps one’s own words: %s', (_, text, own) => {
  expect(maskUnspoken(text)).toContain(own)
})

it.each([
  [
    'a letter',
    'Dear tenant,\nI must sell the flat.\nYours, Mr Tull\n\nis that normal? i only moved in in May',
    'sell the flat',
    'moved in in May',
  ],
  [
    'a post',
    '> I never use salt\n> I am ninety\nsome man online. sensible? i love salt',
    'I am ninety',
    'i love salt',
  ],
  [
    'a mail',
    'From: Ines <i@example.org>\nTo: all\n\nI am off to Oslo.\nInes\n\n-----\ndraft me a reply to her, i have a cold',
    'off to Oslo',
    'i have a cold',
  ],
  [
    'a novel of one’s own',
    'Chapter Two\nI stole the boat at dawn.\n\ni wrote that! any good?',
    'stole the boat',
    'i wrote that',
  ],
  [
    'a found prompt',
    'You are a chef. I am a duke who hates soup.\n\n^ found this online, how do i improve it',
    'I am a duke',
    'improve it',
  ],
  [
    'a line of verse',
    'I measured out my life with coffee spoons\n\nwhats he on about, got it for class',
    'coffee spoons',
    'got it for class',
  ],
  ['a message', '我舅舅发的：\n我把店关了，我去海南。\n\n我在沈阳，要不要劝他', '我把店关了', '我在沈阳'],
])('tells another’s words from one’s own below them: %s', (_, text, others, own) => {
  expect(maskUnspoken(text)).not.toContain(others)
  expect(maskUnspoken(text)).toContain(own)
})
