// All signs of patterns and all fields of rules are explained in ../matching/rule.ts.
// How to read a pattern, such as '<my> {thing} be [only|still] (valid|good) .', whose test sentence “My [parking permit] is valid …” follows it:
// `<my>` is a phrase of phrases.ts. `{thing}` takes a phrase `thing` as the value. `be` is the verb in any form. `[a|b]` is one of both or
// nothing, and `(a|b)` one of both. ` .` is the end of the clause. `no` lists sentences that the rule must not match.
import type { FactRule } from '../matching/rule.ts'

/** Rules that are tried before those of the other files, since their patterns are narrower: health, relatives, work, studies, home, pastimes. */
export const LIFE: readonly FactRule[] = [
  {
    expires: true,
    with: '<till>',
    goesOn: true,
    facts: {
      whereabouts: { '<we> [be] (be|stay) [back] {stay} .': "I'm [in Lisbon] until Friday." },
      possessions: {
        '<my> {thing} be [only|still] (valid|good) .': 'My [parking permit] is valid till 3 March.',
      },
    },
    no: "I'm in Lisbon. I'm not in until Friday. I'll be in Oslo until May. My phone is good. I was in Rome until May.",
  },
  {
    expires: true,
    goesOn: true,
    facts: {
      possessions: {
        '<my> {thing} [will] (expire|lapse|run out) (on|in|at|this|next) _': 'My [visa] expires on 3 May.',
      },
    },
    no: 'My patience runs out. My passport did expire.',
  },
  {
    goesOn: true,
    facts: {
      'living-with': {
        '<we> [have|be] (<live>|share <a> [_] [_] <settlement>) with {value:mate}': 'I live with [Oskar].',
        '<we> [have|be] <live> with {thing/company}': 'I live with [my grandmother].',
      },
      'living-with: no one': { '<we> [have|be] <live> <solo>': 'I live alone.' },
    },
    no: 'I live with regret. I live with Windows 95. I share a joke with Anna.',
  },
  {
    goesOn: true,
    facts: {
      employer: {
        'I (did|have) (get|land) (the|a) <opening> (at|with) {workplace}': 'I got the job at [the library].',
      },
    },
    no: 'I got the job done. I got a lift at the library.',
  },
  {
    with: '(these|most) days|nowadays',
    facts: { residence: { '<we> be in {city} !NOUN': "I'm in [Tucson] these days." } },
    no: "I'm in Tucson. I'm in pieces these days.",
  },
  {
    facts: {
      health: {
        '<we> [have] have !the {ailment} (.|PUNCT|since|for|from|and|in|so|now|as|too|that|which)':
          'I have [type 1 diabetes].',
        'I [have] [be] suffer (from|with) {thing/condition}': 'I suffer from [migraines].',
        'I [did|have] be diagnose with {thing}': 'I was diagnosed with [ADHD] last year.',
        'I [have] be {unwell} (.|PUNCT|and|so|since|but|now)': "I'm [diabetic].",
        'I {value:aided}': 'I [use a wheelchair].',
        'I [have] be {value:propped}': "I'm [on crutches].",
      },
      'health: takes {thing}': {
        'I [have] [be] take &(!(.|,|PRON) _ [_] [_] <drug>) {thing}': 'I take [a beta blocker].',
        'I [have] [be] take &<drug> {thing}': 'I take [metformin] every morning.',
        'I [have] be on &([_] [_] <drug>) {thing}': "I'm on [blood thinners].",
      },
      diet: { 'I (did|have) (go|turn|become) {diet}': 'I went [vegan] in March.' },
      'health-state': { 'I [have] be {expecting}': "I'm [four months pregnant]." },
      'marital-status: {marital}': {
        '<we> (did|have) get &<bond> {marital}': 'We got [engaged] last night.',
      },
      partner: {
        'I [have] be (marry|engage|married|engaged) to {name}': "I'm married to [Ines].",
        'I [have] be date {name}': "I'm dating [Marco].",
        'I [have] be (date|see) <a> [_] <someone> <named> {name}': "I'm dating a guy called [Marco].",
      },
      'siblings: none': { 'I be an only child': "I'm an only child." },
      'siblings: {rank} of {several}': { 'I be the {rank} of {several} .': "I'm the [youngest] of [five]." },
      'pets: {thing} {name}': {
        '<we> (did|have) (adopt|get|rescue|buy) !the {thing/pets} [<named> {name}]': 'I got [a dog].',
      },
      occupation: {
        'I {trading} for a living': 'I [drive a lorry] for a living.',
        'I [be] work <hours>+ as &<thing/!shift> {task} <timing>* .': 'I work nights as [a porter].',
        'I (did|have) start [work|out] as {task} <timing>* .': "I've just started as [a cook].",
        'I (did|have) (get|land|take|find|start|begin) <a> <opening> as {task} <timing>* .':
          'I got a new job as [a cook].',
        '<we> {running}': 'I [run a small bakery].',
        'I {teaching}': 'I [teach year 4].',
        'I {plying}': 'I [drive a tram in Leeds].',
        'I be {retired}': "I'm [a retired bus driver].",
      },
      employer: {
        'I (did|have) start [work|a new job] (at|with) {workplace}': 'I started at [Siemens] on Monday.',
        'I do (<hours>|delivery|security|reception|cleaning|admin|maintenance)+ (at|for|in) {workplace}':
          'I do nights at [the hospital].',
      },
      'routines: {value}': { 'I be {value:caring}': "I'm [looking after my mum at home]." },
      goals: { 'I [have] be {value:drilling}': "I'm [training for a triathlon]." },
      'education: training to be {thing}': {
        'I [have] be train (as|to be) {thing}': "I'm training to be [a midwife].",
      },
      education: {
        'I be in (my|the) {grade} (of|at) {school:rest}': "I'm in my [second year] of [law school].",
        'I [have] be (do|take) &(<a>|my) {degree}': "I'm doing [a PhD in marine biology].",
        'I attend {thing/school}': 'I attend [art school].',
      },
      residence: {
        '<we> [have] be in {city} (for good|permanently)': "I'm back in [York] for good.",
        '<we> [have|be] (base|settle) in {city} !NOUN': "I'm based in [Tallinn].",
        '<we> rent <a> [_] [_] <settlement> (in {city}|{value:nearby}) !NOUN': 'I rent a studio in [Oslo].',
        '<we> (did|have) (get|find|rent) (my|our) own [_] <settlement> (in {city}|{value:nearby}) !NOUN':
          'I finally got my own place in [Ghent].',
        '<we> [have|be] <live> (in|on) (!(PRON|CAPITAL) _) [!CAPITAL _] [!CAPITAL _] [!CAPITAL _] in {city} !NOUN':
          'I live in a tiny flat in [Lyon] with my girlfriend.',
      },
      hobbies: {
        'I [have] do {pursuit} (.|PUNCT|on|every|once|twice|in|at|and|with|since|for|three)':
          'I do [bouldering] twice a week.',
        'I collect !<determiner> &(_* INFLECTED) {thing} <ended>': 'I collect [old postcards].',
        'I (did|have) take up !<determiner> {thing} <ended>': "I've taken up [pottery].",
        'I {pastime} in my (free|spare) time': 'I [paint miniatures] in my free time.',
      },
      learning: {
        'I (did|have) start (learn|study) {thing}': "I've started learning [the cello].",
        'I (did|have) start (take|taking) {thing/lessons}': "I've started taking [cello lessons].",
      },
    },
    no: `I have a headache. I have no asthma. I have a meeting about asthma. My friend has asthma. I have my pills. I'm not diabetic. I take the bus. I went home. I'm on my way. I'm not pregnant. We got lost. I got my bike. I'm married to my job. I'm dating myself here. I'm the youngest in the office. We have time. I'm a child. I got the dog a lead. I got dog food. I got the job done. I run late every day. I run a bath. I teach him a lesson. I teach my kids to cook. I'm retired from all this. I'm in my garden. I'm doing the dishes. I go to bed. I drive a car. I drive a hard bargain. I do nights out. I'm training for nothing. I'm looking after my phone. I've been in Hull for two days. I repair it myself. I repair my own bike. I'm based on a true story. I live for weekends. I do the dishes. I do love it. I do nothing. I collect my kids at three. I took up his time.`,
  },
]
