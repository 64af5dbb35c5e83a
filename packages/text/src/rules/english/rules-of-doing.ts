import type { FactRule } from '../matching/rule.ts'

/** Rules for likes, home, work, skills, activities, plans and events. */
export const DOING: readonly FactRule[] = [
  {
    facts: {
      likes: {
        'I <like> {liked}': 'I really enjoy [swimming in cold lakes].',
        'I not <dislike> {liked}': "I don't hate [Mondays].",
      },
      dislikes: {
        'I <dislike> {liked}': 'I hate [getting up early].',
        'I not <like> {liked}': "I don't like [horror films].",
        'I can not (stand|bear) {liked}': "I can't stand [crowds].",
      },
    },
    no: 'I like it. I love you. I like the idea. I love how calm it is. I would love to live in Kyoto.',
  },
  {
    facts: {
      'living-with': { '<we> [have|be] <live> with {thing}': 'I live with [my grandmother].' },
      'living-with: no one': { '<we> [have|be] <live> alone': 'I live alone.' },
      residence: {
        '<we> [have|be] <live> {place}': 'We live [in a small village] near Bath.',
        '<we> (did|have) <move> {place}': 'i moved [to tromso] last month',
      },
      occupation: { 'I [be] work as &<thing/!shift> {task} <timing>* .': 'I work as [a driver in Leeds].' },
      employer: { 'I [be] work (at|for) {workplace}': "I've been working for [Siemens] since 2015." },
      'field-of-work': { 'I [be] work in {thing/!shift}': 'I work in [logistics].' },
      'routines: works from home': { 'I [be] work from home': 'I work from home.' },
      education: { 'I [be] <study> {rest}': "I'm studying [biology at the moment]." },
    },
    no: `Do I look like I live in Paris? I live in the past. We live in the same city. I moved on. I study hard.`,
  },
  {
    state: 'ended',
    without: 'much|often|lot|always|every|very|really|exactly|only|just',
    facts: {
      residence: { '<we> not [have|be] <live> {place}': "I don't live [in Oslo]." },
      occupation: { 'I not [be] work as &<thing/!shift> {task} <timing>* .': "I don't work as [a cook]." },
      employer: { 'I not [be] work (at|for) {workplace}': "I don't work at [the bank]." },
      'field-of-work': { 'I not [be] work in {thing/!shift}': "I don't work in [finance]." },
      education: { 'I not [be] <study> {rest}': "I don't study [law]." },
    },
    no: "I live in Oslo. I don't live in fear. I don't work in the garden that much.",
  },
  {
    facts: {
      languages: { 'I [can] speak {tongue}': 'I speak [Danish and Polish].' },
      skills: { 'I can {skill}': 'I can [play the accordion].' },
      'weaknesses: speaking {tongue}': { 'I [can] not speak {tongue}': "I don't speak [French]." },
      weaknesses: { 'I can not {skill}': "I can't [swim]." },
      'diet: no {thing}': { 'I [can] not (eat|drink|smoke) {thing}': "I don't eat [pork]." },
      'diet: no alcohol': { 'I [can] not drink .': "I don't drink." },
      'diet: no smoking': { 'I [can] not smoke .': "I don't smoke." },
      learning: { 'I be learn [about] &(<thing>|to) {rest}': "I'm learning [Welsh]." },
      plans: {
        '<we> be plan [on|for] &<thing> {rest}': "I'm planning [a trip to Wales].",
        '<we> be plan to {intent}': "I'm planning to [visit Oslo].",
        '<we> be go to &VERB {intent}': "I'm going to [start a bakery in June].",
        '<we> (plan|intend|aim) to {intent}': 'We plan to [repaint the kitchen].',
      },
      wishes: { '<we> (want|hope) to {intent}': 'I want to [visit Iceland next summer].' },
      'current-activity': { 'I be {activity}': "I'm [building a shed]." },
      hobbies: { 'I {value:playing}': 'I [play the cello].' },
      beliefs: { 'I believe in {thing}': 'I believe in [reincarnation].' },
      'beliefs: not in {thing}': { 'I not believe in {thing}': "I don't believe in [ghosts]." },
      supports: { 'I support {thing/proper}': 'I support [Greenpeace].' },
      opposes: { 'I oppose {thing/proper}': 'I oppose [Brexit].' },
    },
    no: `I can't wait for the weekend. I can imagine the view. I want to know more.
      I'm looking forward to the weekend. I'm going to bed. I'm going to tell you a story.
      I don't want to visit Iceland.`,
  },
  {
    state: 'ended',
    facts: {
      plans: {
        '<we> not be (go|fly|travel|move|head|drive|sail) to &!VERB {value:thing}':
          "We're not flying to [Lisbon] after all.",
      },
    },
    no: "I'm flying to Lisbon. I'm not going to cry. I'm not going to talk about it.",
  },
  {
    with: 'anymore|any more|no longer',
    state: 'ended',
    facts: {
      plans: {
        '<we> [not] be (go|fly|travel|move|head|drive|sail) to &!VERB {value:thing}':
          "We're not moving to [Lisbon] anymore.",
      },
    },
    no: "I'm moving to Lisbon.",
  },
  {
    with: '<ahead>',
    facts: { plans: { '<we> be {value:leaving}': "Next month I'm [flying to Accra]." } },
    no: "I'm flying to Accra. I'm going to bed soon.",
  },
  {
    with: '<habitual>',
    facts: { 'habits: {habit} {time}': { 'I {habit}': 'I usually [run in the park].' } },
    no: 'I run along the river. I always forget my keys.',
  },
  {
    goesOn: true,
    happened: true,
    facts: { experiences: { 'I [did|have] {value:quitting}': 'I [quit smoking].' } },
    no: 'I stopped talking to look at it. I stopped it.',
  },
  {
    state: 'ended',
    happened: false,
    facts: { habits: { 'I [did|have] <quit> {dropped}': 'I gave up [coffee].' } },
    no: 'I stopped talking to look at it.',
  },
  {
    facts: {
      experiences: {
        '<we> did {value:milestone}': 'I [got married in Bergen].',
        '<we> did {value:event}': 'Last week we [adopted a kitten].',
        '<we> [did] be {value:honour}': 'I was [promoted to head of sales].',
      },
    },
    no: 'I got it. I got tired of waiting. I forgot my keys. I did not go to Rome. I watched a film called.',
  },
]
