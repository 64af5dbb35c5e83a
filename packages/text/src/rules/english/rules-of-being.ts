// All signs of patterns and all fields of rules are explained in ../matching/rule.ts.
// How to read a pattern, such as 'I [have] be (allergic|intolerant|sensitive) to {substances}', with its test sentence "I'm allergic to [nuts].":
// `be` is the verb in any form, and `[have]`, the tense before it, may be absent. `(a|b)` is one of both. `{substances}` takes that phrase
// (phrases.ts) as the value. ` .` is the end of the clause. `!a` forbids a. `no` lists sentences that the rule must not match.
import { KIN } from '../matching/kin.ts'
import type { FactRule } from '../matching/rule.ts'

/** Rules for clauses with “I am …” and “I have …”: age, origin, work, health and relatives. */
export const BEING: readonly FactRule[] = [
  {
    facts: {
      age: {
        'I am [about to turn|turning] {number} [<years>] [<recently>] (.|, !(or|and) _|and (I|a))':
          "I'm [twenty-six] years old now.",
        'I did turn {number} (.|<years>|<recently>|on|a|two|three)': 'I turned [30] last week.',
      },
      allergies: {
        'I [have] be (allergic|intolerant|sensitive) to {substances}': "I'm allergic to [nuts and milk].",
        '<we> have !the {thing/allergy}': 'I have [a nut allergy].',
        'I can not (have|take) &<drug> {thing}': "I can't have [penicillin].",
      },
      hobbies: { 'I [have] be into {thing/played}': "I'm into [chess]." },
      fears: {
        'I [have] be (afraid|scared|terrified|frightened) of {dread} (.|PUNCT|and|but)':
          "I'm afraid of [heights].",
      },
      languages: { 'I [have] be fluent in {tongue}': "I'm fluent in [Portuguese]." },
      likes: { 'I [have] be <a> [_] [_] fan of {thing} <ended>': "I'm a big fan of [the Beatles]." },
      dislikes: { 'I not [have] be <a> [_] [_] fan of {thing} <ended>': "I'm not a fan of [olives]." },
      origin: {
        'I be from {city} !NOUN': "I'm originally from [Tbilisi].",
        'I come from {city} !NOUN': 'I come from [Peru].',
      },
      'marital-status': {
        'I [have] be {marital} !(to (!<a> <determiner>|PRON)) (.|!- PUNCT|to|with|and|now|for|since|again)':
          "I'm [married].",
        'I be <a> {value:lone}': "I'm a [single mum] of two.",
      },
      health: { 'I [have] be {impaired} (<ended>|in (my|one))': "I'm [dyslexic]." },
      identity: { 'I be {handed} <ended>': "I'm [left-handed]." },
      'diet: sober': { 'I have be sober': "I've been sober for three years." },
      diet: {
        'I [have] be [<a>] {diet} <ended>': "I'm [lactose intolerant].",
        'I be on <a> {regimen} <ended>': "I'm on a [keto diet].",
      },
      education: { 'I [have] be <a> {pupil}': "I'm a [student at Uppsala University]." },
      occupation: {
        'I [have] be {jobless} <ended>': "I'm [retired].",
      },
      birthday: { 'I did be born (on|in) {date}': 'I was born on [3 May 1990].' },
      background: {
        'I did {value:childhood}': 'I [grew up in Dakar].',
        'I did be {value:birth}': 'I was [born in Dakar].',
        'I did {value:graduation}': 'I [graduated from Trinity College].',
      },
    },
    without: 'be so',
    no: `I'm so married to this sofa. I'm single-minded. I'm on a strict diet. I'm fine, thanks. I'm sure about it. I'm 100% sure. I'm not deaf. I turned 30 pages. I'm allergic to mornings. I'm scared of losing her. I'm from the future. I'm 40 minutes away. I'm a regular at the pub. I'm a mess. I'm a fan. Maybe I am a nurse. I grew up fast. I'm a father. I'm a friend.`,
  },
  {
    without: 'be so|<hedge>',
    facts: {
      occupation: {
        'I [have] be <a> {worker}': "I'm an [engineer at Airbus].",
        'I [have] be <a> !(_* <attending>) {placed}': "I'm a [night warden at a hotel in Reno].",
      },
    },
    no: "I'm a regular at the pub. I'm basically a nurse. I'm a glorified secretary.",
  },
  {
    state: 'ended',
    facts: { occupation: { 'I not [have] be <a> {thing/trade}': "I'm not a [teacher]." } },
    no: "I'm a teacher. I'm not a fan.",
  },
  {
    state: 'ended',
    facts: {
      diet: { 'I not [have] be [<a>] {diet} .': "I'm not [vegan]." },
      health: {
        'I not [have] have [any] {ailment} .': "I don't have [diabetes].",
        'I not [have] be ({unwell}|{impaired}) .': "I'm not [diabetic].",
      },
      allergies: { 'I not [have] be (allergic|intolerant) to {substances} .': "I'm not allergic to [nuts]." },
      'marital-status': { 'I not [have] be {marital} .': "I'm not [married]." },
    },
    no: "I'm not vegan about it. I'm vegan. I'm not well. I don't have time. I'm not allergic to mornings.",
  },
  {
    state: 'over',
    facts: { background: { 'I did be <a> {thing/trade} (.|,|and|for|in|at)': 'I was a [plumber].' } },
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
      '@: {thing} {name}': { '<we> have !the {thing/@} <named> {name}': 'I have [a parrot] called [Pico].' },
    },
    no: 'I have a friend.',
  },
  {
    facts: {
      'pets: {thing} {name}': {
        '<we> ([did|have] get|have) !the {thing/beast} <named> {name}': "I've got [a tabby] called [Tom].",
      },
      'pets: {herd}': {
        '<we> keep [<number>|NUM] {herd} (.|PUNCT|in|at|on|up|and)': 'We keep [hens] in the garden.',
      },
      children: { '<we> have {value:brood} <ended>': 'I have [two boys, Finn and Rory].' },
    },
    no: 'I keep chickens company. I have two girls on reception. I got a song called Hello. I keep a diary.',
  },
  {
    each: ['children', 'siblings', 'pets', 'partner'],
    facts: {
      '@: {thing}': { '<we> have !(the|PRON|my|our) {thing/@} <ended>': 'I have [two brothers].' },
      '@: no {thing}': { '<we> not have [any] {thing/@}': "I don't have any [siblings]." },
    },
    no: 'I have a question. I have the dog on a lead. I have no idea. I have to go. I have a baby shower.',
  },
]
