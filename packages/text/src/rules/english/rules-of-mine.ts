import { KIN } from '../matching/kin.ts'
import type { FactRule } from '../matching/rule.ts'

/** Rules for “my … is …” and “Call me …”: names, favourites, attributes and relatives. */
export const MINE: readonly FactRule[] = [
  {
    text: '{who} is called {name}.',
    facts: { 'form-of-address': { '<inviting> call me {name} .': 'You can call me [Mo].' } },
    no: 'Call me later. Call me Mo and I scream.',
  },
  {
    each: KIN,
    goesOn: true,
    happened: false,
    text: "{who}'s {kin} is called {name}.",
    facts: {
      '@: {kin} {name}': {
        "<my> {kin/@} 's name be {name}": "My [husband]'s name is [Tariq].",
        '<my> {kin/@} be <named> {name}': 'My [dog] is called [Brutus].',
        '<my> {kin/@} [,] {name} [did] (,|<verb>)': 'My [sister] [Wanda] is a pilot.',
      },
    },
    no: "My sister's car is red. My sister said that she is tired.",
  },
  {
    each: KIN,
    text: "{who}'s {kin} is {name}.",
    facts: { '@: {kin} {name}': { '<my> {kin/@} be {name} .': 'My [best friend] is [Anna].' } },
    no: 'My best friend is Swedish and Danish.',
  },
  {
    each: KIN.slice(1),
    facts: {
      '@: {kin} {tale} {time}': {
        '<my> {kin/@} [[,] <name> [,]] {tale}': 'My [brother] [lives in Quito].',
        '<my> {kin/@} [[,] <name> [,]] did {tale}': 'My [cat] [died yesterday].',
      },
    },
    no: 'My sister said that she is tired. My brother is going home.',
  },
  {
    facts: {
      // The key `partner` has the identity, which a new one replaces. Other statements about partners go to
      // `relatives`.
      'relatives: {kin} {tale} {time}': {
        '<my> {kin/partner} [[,] <name> [,]] {tale}': 'My [wife] [works at a bank].',
        '<my> {kin/partner} [[,] <name> [,]] did {tale}': 'My [ex husband] [moved to Ghent].',
      },
      'favourite {kind}: {rest}': {
        '<my> <favourite> {kind} <is> !<pointed> {rest}': 'My favorite [food] is definitely [ramen].',
      },
      'favourites: {kind}: {rest}': {
        '<my> <favourite> !<part> {kind} <is> !<pointed> {rest}': 'My favourite [tool] is [the adze].',
      },
      name: { '<my> [first|full] name be {name}': 'My name is [Oksana].' },
      birthday: { '<my> (birthday|date of birth) be [on|in] {date}': 'My birthday is on [9 August].' },
      goals: { '<my> (!be _)* <goal> be to {rest}': 'My dream is to [open a bookshop].' },
      languages: {
        '<my> ((native|first) language|mother tongue) be {told}': 'My first language is [Basque].',
      },
      hobbies: { '<my> (!be _)* hobby be {told}': 'My hobby is [restoring old radios].' },
      occupation: { '<my> (job|profession|occupation) be {thing/trade}': 'My job is [night nurse].' },
      origin: { '<my> (hometown|home town) be {told}': 'My hometown is [Tartu].' },
      '{kind}: {told}': { '<my> {kind:attribute} be {told}': 'My [height] is [180 cm].' },
    },
    no: `My favourite part is the end. My favourite food is what she cooks. My point is the same.
      My job is hard.`,
  },
]
