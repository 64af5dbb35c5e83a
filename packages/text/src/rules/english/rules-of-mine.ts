// All signs of patterns and all fields of rules are explained in ../matching/rule.ts.
// How to read a pattern, such as '<my> {kin/@} be <named> {name}', whose test sentence 'My [dog] is called [Brutus].' follows it:
// `<my>` and `<named>` are phrases of phrases.ts. `{kin/@}` takes a noun phrase whose main noun is an `@`, which stands for each word of `each`.
// `{name}` takes a phrase `name`. ` .` is the end of the clause. `no` lists sentences that the rule must not match.
import { KIN } from '../matching/kin.ts'
import type { FactRule } from '../matching/rule.ts'

/** Rules for clauses that begin with “my”, and for “call me …”: names, favourites, attributes and relatives. */
export const MINE: readonly FactRule[] = [
  {
    text: '{who} is called {name}.',
    facts: {
      'form-of-address': {
        '<inviting> call me {name} .': 'You can call me [Mo].',
        'I go by {name} !(NOUN|street)': 'I go by [Lex].',
      },
      name: { 'I (did|have)* change my name to {name}': 'I changed my name to [Freya].' },
    },
    no: 'I go by bus. Call me later. Call me Mo and I scream. I changed my name to annoy them.',
  },
  {
    each: KIN,
    text: "{who}'s {kin} are called {names}.",
    facts: {
      '@: {kin} {names}': {
        '<my> {kin/@} be [<named>] !<demonym> {names:name-list} (.|PUNCT|who)':
          'My [kids] are called [Bo, Al and Cy].',
      },
    },
    no: 'My kids are called Bo. My brothers are Swedish and Danish.',
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
      },
    },
    without: 'be (called|named) <name-list>',
    no: "My sister's car is red. My sister said that she is tired.",
  },
  {
    each: KIN,
    text: "{who}'s {kin} is {name}.",
    facts: { '@: {kin} {name}': { '<my> {kin/@} be {name/!demonym} .': 'My [best friend] is [Anna].' } },
    no: 'My best friend is Swedish and Danish.',
  },
  {
    each: KIN,
    facts: {
      'experiences: {kin} {tale} {time}': {
        '<my> {kin/@} [[,] <name> [,]] did {tale:death}': 'My [cat] [died yesterday].',
      },
    },
    no: 'My mum is dying to see you.',
  },
  {
    each: KIN.slice(1),
    facts: {
      '@: {kin} {tale} {time}': {
        '<my> {kin/@} [[,] <name> [,]] {tale}': 'My [brother] [lives in Quito].',
        '<my> {kin/@} [[,] <name> [,]] did {tale:departure}': 'My [sister] [graduated last week].',
      },
      '@: {kin} lives in {town}': {
        '<my> {kin/@} [[,] <name> [,]] (did|have) <move> {town}': 'My [son] moved to [Lyon].',
      },
      '@: {kin} works at {workplace}': {
        '<my> {kin/@} [[,] <name> [,]] (did|have) (get|start|land) (the|a) [new] job (at|with) {workplace}':
          'My [brother] got a job at [Bosch].',
      },
    },
    no: 'My sister said that she is tired. My brother is going home. My sister got the window seat. My dad is the best.',
  },
  {
    facts: {
      // The key `partner` has the identity, which a new one replaces. Other statements about partners go to
      // `relatives`.
      'relatives: {kin} {tale} {time}': {
        '<my> {kin/partner} [[,] <name> [,]] {tale}': 'My [wife] [works at a bank].',
        '<my> {kin/partner} [[,] <name> [,]] did {tale:departure}': 'My [husband] [graduated from Leiden].',
      },
      'favourite {kind}: {pick}': {
        '<my> <favourite> {kind} <is> !<pointed> !either {pick}': 'My favorite [food] is definitely [ramen].',
      },
      'favourites: {kind}: {pick}': {
        '<my> <favourite> !<part> {kind} <is> !<pointed> !either {pick}': 'My favorite [pen] is [the Bic].',
      },
      name: {
        '<my> [first|full] name be {name}': 'My name is [Oksana].',
        '<my> name be {lower} .': 'my name is [tomasz]',
        'I be called {name} (.|,|;|and|but)': "I'm called [Jo], short for Joanna.",
      },
      anniversaries: { '<my> {value:jubilee}': 'My [wedding anniversary is on 5 June].' },
      "anniversaries: {kin}'s birthday: {date}": {
        "<my> {kin} 's birthday be [on|in] {date}": "My [sister]'s birthday is on [4 May].",
      },
      birthday: { '<my> (birthday|date of birth) be [on|in] {date}': 'My birthday is on [9 August].' },
      languages: {
        '<my> ((native|first) language|mother tongue) be {answer}': 'My first language is [Basque].',
      },
      'blood-type': { '<my> blood type be {value:group}': 'My blood type is [A negative].' },
      hobbies: { '<my> (!be _)* hobby be {answer}': 'My hobby is [restoring old radios].' },
      occupation: { '<my> (job|profession|occupation) be {thing/trade}': 'My job is [night nurse].' },
      origin: { '<my> (hometown|home town) be {city}': 'My hometown is [Tartu].' },
      '{kind}: {answer}': { '<my> {kind:attribute} be {answer}': 'My [height] is [180 cm].' },
    },
    no: `My favourite part is the end. My favourite food is what she cooks. My point is the same.
      I was called Tubby. I'm called Anna's mum. My job is hard. My birthday is in 3 weeks.`,
  },
]
