import { KIN } from '../matching/kin.ts'
import type { FactRule } from '../matching/rule.ts'

/** Rules for “I am …”, “I have …” and “I feel …”: identity, age, origin, character and possessions. */
export const BEING: readonly FactRule[] = [
  {
    facts: {
      age: {
        'I am [about to turn|turning] {number} [<years>] [<lately>] .': "I'm [twenty-six] years old now.",
        'I did turn {number} (.|<years>|<lately>|in|on|a|two|three)': 'I turned [30] last week.',
      },
      allergies: {
        'I [have] be (allergic|intolerant|sensitive) to {object}': "I'm allergic to [nuts, rye and milk].",
        '<we> have !the {thing/allergy}': 'I have [a nut allergy].',
      },
      skills: { 'I [have] be <good> at {object}': "I'm good at [chess]." },
      weaknesses: {
        'I [have] be <bad> at {object}': "I'm terrible at [parking].",
        'I not [have] be <good> at {object}': "I'm not very good at [drawing].",
      },
      hobbies: { 'I [have] be interested in {object}': "I'm interested in [old maps]." },
      fears: { 'I [have] be (afraid|scared|terrified|frightened) of {object}': "I'm afraid of [heights]." },
      languages: { 'I [have] be fluent in {object}': "I'm fluent in [Portuguese]." },
      likes: {
        'I [have] be (<fond>|obsessed with) {object}': "I'm into [chess].",
        'I [have] be <a> [_] [_] fan of {thing}': "I'm a big fan of [the Beatles].",
      },
      dislikes: {
        'I not [have] be <fond> {object}': "I'm not fond of [crowds].",
        'I not [have] be <a> [_] [_] fan of {thing}': "I'm not a fan of [olives].",
      },
      opposes: { 'I [have] be against {object}': "I'm against [fox hunting]." },
      origin: {
        'I be from {city} !NOUN': "I'm originally from [Tbilisi].",
        'I come from {name}': 'I come from [Peru].',
      },
      'marital-status': {
        'I [have] be {marital} !(to my) (.|!- PUNCT|to|with|and|now|for|since|again)': "I'm [married].",
      },
      health: {
        'I [have] be {impaired}': "I'm [dyslexic].",
        '<we> have !the {thing/condition}': 'I have [asthma].',
      },
      diet: { 'I [have] be {diet}': "I'm [lactose intolerant]." },
    },
    no: `I'm fine, thanks. I'm sure about it. I'm 100% sure. I'm not deaf. I don't have asthma.
      I turned 30 pages.`,
  },
  {
    facts: {
      education: { 'I [have] be <a> {pupil}': "I'm a [student at Uppsala University]." },
      occupation: {
        'I [have] be {jobless}': "I'm [retired].",
        'I [have] be <a> {worker}': "I'm an [engineer at Airbus].",
        'I [have] be <a> {post}': "I'm a [trustee for Oxfam].",
      },
      birthday: { 'I did be born (on|in) {date}': 'I was born on [3 May 1990].' },
      background: {
        'I [have] be <a> {thing/relation}': "I'm a [proud mother].",
        'I did {value:childhood}': 'I [grew up in Dakar].',
        'I did be {value:birth}': 'I was [born in Dakar].',
        'I did {value:graduation}': 'I [graduated from Trinity College].',
      },
      identity: { 'I [have] be <a> {thing/!judging}': "I'm a [night owl]." },
      mood: { 'I [have|be] feel !like {mood}': 'I feel [lonely] today.' },
      possessions: { '<we> own !the {thing}': 'I own [a small sailing boat].' },
    },
    no: `I'm a mess. I'm a bit tired. I'm a fan. Maybe I am a poet. I grew up fast. I feel like a walk.
      I own it.`,
  },
  {
    state: 'ended',
    facts: {
      occupation: { 'I not [have] be <a> {thing/trade}': "I'm not a [teacher]." },
      identity: { 'I not [have] be <a> {thing/!judging}': "I'm not a [morning person]." },
    },
    no: "I'm a teacher. I'm not a fan.",
  },
  {
    state: 'over',
    facts: { background: { 'I did be <a> {thing/trade}': 'I was a [plumber].' } },
    no: 'I was a mess. I was not a plumber.',
  },
  {
    after: '<greeting>',
    text: "{who}'s name is {name}.",
    facts: { name: { 'I be {name/!demonym} (.|and|from|,)': "Hi, I'm [Tobias]!" } },
    no: "I'm French. Hello, I'm Swedish. I'm Christian.",
  },
  {
    each: KIN,
    facts: {
      '@: {thing} {name}': {
        '<we> (have|own) !the {thing/@} [<named> {name}]': 'I have [a parrot] called [Pico].',
      },
      '@: no {thing}': { '<we> not have [any] {thing/@}': "I don't have any [siblings]." },
    },
    no: 'I have a question. I have the dog on a lead. I have no idea. I have to go.',
  },
]
