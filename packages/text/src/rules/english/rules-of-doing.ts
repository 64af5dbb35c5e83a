// All signs of patterns and all fields of rules are explained in ../matching/rule.ts.
// How to read a pattern, such as '<we> not [have|be] <live> in {city}', whose test sentence "I don't live in [Oslo]." follows it:
// `<we>` and `<live>` are phrases of phrases.ts. `not` and the tense `[have|be]` stand before the verb; brackets mark what may be absent.
// `{city}` takes the phrase `city` as the value. ` .` is the end of the clause. `no` lists sentences that the rule must not match.
import type { FactRule } from '../matching/rule.ts'

/** Rules for clauses with other verbs, such as “I like …”, “I live …” and “I work …”, and for the ends of these facts. */
export const DOING: readonly FactRule[] = [
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
      likes: {
        'I <like> {liked} <ended>': 'I really enjoy [swimming in cold lakes].',
        'I not <dislike> {liked} <ended>': "I don't hate [Mondays].",
      },
      dislikes: {
        'I <dislike> {liked} <ended>': 'I hate [getting up early].',
        'I not <like> {liked} <ended>': "I don't like [horror films].",
        'I can not (stand|bear) {liked} <ended>': "I can't stand [crowds].",
      },
      residence: {
        '<we> [have|be] <live> [<solo>|with <mate>|with (<my>|<a>|NUM) [_] <company>] [just|right|still] ([up|down|over|out] in {city}|{value:nearby}) !NOUN':
          'We live in [Bath].',
        '<we> [have|be] <live> in {settled}': 'We live in [a small village near Bath].',
        '<we> (did|have) <move> {town} !(!<timed> NOUN)': 'i moved to [tromso] last month',
      },
      occupation: { 'I [be] work as &<thing/!shift> {task} <timing>* .': 'I work as [a driver in Leeds].' },
      employer: {
        'I [be] work <hours>* (at|for) {workplace}': "I've been working for [Siemens] since 2015.",
        'I [be] work <hours>* in <a> {thing/firm}': 'I work in a [call centre].',
      },
      'field-of-work': { 'I [be] work in !<determiner> {thing/field} <ended>': 'I work in [logistics].' },
      'routines: works from home': { 'I [be] work from home': 'I work from home.' },
      education: { 'I [be] <study> {thing} (<ended>|on|every)': "I'm studying [biology] at the moment." },
      languages: { 'I [can] speak {tongue}': 'I speak [Danish and Polish].' },
      'diet: no {thing}': {
        'I [can] not (eat|drink|have) !<meal> &(_* FOOD) {thing/edible} (.|PUNCT|and|or|because|as|so|for|since)':
          "I don't eat [pork].",
      },
      'diet: no alcohol': { 'I [can] not drink (.|alcohol)': "I don't drink." },
      'diet: no smoking': { 'I [can] not smoke .': "I don't smoke." },
      learning: { 'I be learn [about] {lesson} (<ended>|on|with|via|online)': "I'm learning [Welsh]." },
      plans: { '<we> be plan <a> &<thing/trip> {rest}': "I'm planning a [trip to Wales]." },
      hobbies: {
        'I play {thing/played} (<ended>|in|on|every|once|twice)': 'I play [the cello] in a quartet.',
        'I go {outing} &<often>': 'I go [to the gym] twice a week.',
      },
      'hobbies: volunteering at {thing}': {
        'I [be] volunteer (at|with|for) {thing} (<ended>|on|every|once|twice)': 'I volunteer at [the zoo].',
      },
      'habits: smokes': { 'I smoke (.|[about|around] NUM|<a> pack|!<a> NUM)': 'I smoke about ten a day.' },
      possessions: {
        'I drive <a> {model}': 'I drive a [Skoda Octavia].',
        '<we> own (<a>|NUM) {thing/!vague} (<ended>|called|in|at|on)': 'I own a [narrowboat] called Wren.',
        '<we> have <a> {thing/vehicle} (<ended>|called)': 'We have a [campervan].',
      },
    },
    no: `I like it. I love you. I like the idea. I love how calm it is. I would love to live in Kyoto. I like that one. I like making sure they know. I live just to dance. I work in a team. I work in a quiet room. Do I look like I live in Paris? I live in the past. We live in the same city. I moved on. I study hard. I live on toast. I live in leggings. I moved to the window. I moved to herbal tea. I work at a steady pace. I work in silence. I live with regret. I moved to another department. I smoke ribs. I go to bed on time. I drive an Uber. I drive a hard bargain. I own a lot of books. I play in the park. I can't wait for the weekend. I can't eat any more. I'm learning a lot. I don't eat breakfast. I play the fool. I don't have time. I don't have a car.`,
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
