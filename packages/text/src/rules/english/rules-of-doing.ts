import type { FactRule } from '../matching/rule.ts'

/** Rules for likes, home, work, languages, food and their ends. */
export const DOING: readonly FactRule[] = [
  {
    facts: {
      likes: {
        'I <like> {liked} <ended>': 'I really enjoy [swimming in cold lakes].',
        'I not <dislike> {liked} <ended>': "I don't hate [Mondays].",
      },
      dislikes: {
        'I <dislike> {liked} <ended>': 'I hate [getting up early].',
        'I not <like> {liked} <ended>': "I don't like [horror films].",
        'I can not (stand|bear) {liked} <ended>': "I can't stand [crowds].",
      },
    },
    no: `I like it. I love you. I like the idea. I love how calm it is. I would love to live in Kyoto.
      I like that one. I like making sure they know.`,
  },
  {
    facts: {
      'living-with': { '<we> [have|be] <live> with {thing/company}': 'I live with [my grandmother].' },
      'living-with: no one': { '<we> [have|be] <live> alone': 'I live alone.' },
      residence: {
        '<we> [have|be] <live> (in|near|outside|[up|down|over|out] in) {city} !NOUN': 'We live in [Bath].',
        '<we> [have|be] <live> in {settled}': 'We live in [a small village near Bath].',
        '<we> (did|have) <move> {town} !(!<timed> NOUN)': 'i moved to [tromso] last month',
      },
      occupation: { 'I [be] work as &<thing/!shift> {task} <timing>* .': 'I work as [a driver in Leeds].' },
      employer: {
        'I [be] work <hours>* (at|for) {workplace}': "I've been working for [Siemens] since 2015.",
      },
      'field-of-work': { 'I [be] work in !<determiner> {thing/field} <ended>': 'I work in [logistics].' },
      'routines: works from home': { 'I [be] work from home': 'I work from home.' },
      education: { 'I [be] <study> {thing} <ended>': "I'm studying [biology] at the moment." },
    },
    no: `Do I look like I live in Paris? I live in the past. We live in the same city. I moved on. I study hard. I live on
      toast. I live in leggings. I moved to the window. I moved to herbal tea. I work at a steady pace. I work in silence.
      I live with regret. I moved to another department.`,
  },
  {
    state: 'ended',
    without: 'much|often|lot|always|every|very|really|exactly|only|just',
    facts: {
      residence: { '<we> not [have|be] <live> in {city}': "I don't live in [Oslo]." },
      occupation: { 'I not [be] work as &<thing/!shift> {task} <timing>* .': "I don't work as [a cook]." },
      employer: { 'I not [be] work (at|for) {workplace}': "I don't work at [the bank]." },
      'field-of-work': { 'I not [be] work in {thing/field}': "I don't work in [finance]." },
      education: { 'I not [be] <study> {thing}': "I don't study [law]." },
    },
    no: "I live in Oslo. I don't live in fear. I don't work in the garden that much.",
  },
  {
    facts: {
      languages: { 'I [can] speak {tongue}': 'I speak [Danish and Polish].' },
      'diet: no {thing}': {
        'I [can] not (eat|drink|have) !<meal> &(_* FOOD) {thing/edible} (.|PUNCT|and|or|because|as|so|for|since)':
          "I don't eat [pork].",
      },
      'diet: no alcohol': { 'I [can] not drink (.|alcohol)': "I don't drink." },
      'diet: no smoking': { 'I [can] not smoke .': "I don't smoke." },
      learning: { 'I be learn [about] {lesson} <ended>': "I'm learning [Welsh]." },
      plans: { '<we> be plan <a> &<thing/trip> {rest}': "I'm planning a [trip to Wales]." },
      hobbies: { 'I play {thing/played} <ended>': 'I play [the cello].' },
    },
    no: `I can't wait for the weekend. I can't eat any more. I'm learning a lot. I don't eat breakfast. I play the fool.
      I don't have time. I don't have a car.`,
  },
  {
    with: '<dated>',
    facts: {
      plans: {
        '<we> [have] have {value:booked}': 'I have [a dentist appointment on Friday at three].',
        '<my> {value:arranged}': 'My [flight to Rome is on 3 April].',
      },
    },
    no: 'I have a meeting about asthma. I had an interview on Friday. My flight was on Friday. My exam is hard.',
  },
  {
    with: '<ahead>',
    facts: { plans: { '<we> be {value:leaving}': "Next month I'm [flying to Accra]." } },
    no: "I'm flying to Accra. I'm going to bed soon.",
  },
]
